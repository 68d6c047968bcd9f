package transporte

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// Pedido is a request in flight. What it exports does not change until it is
// answered.
type Pedido struct {
	// Era is the protocol era the request came in.
	Era Era
	// Argumentos are the original bytes of a tools/call's arguments: an object,
	// "{}" when there were none. Nil for other methods.
	Argumentos json.RawMessage
	// Nombre is the tool's or the prompt's name, "" for other methods.
	Nombre string

	id       json.RawMessage
	clave    string // what identifies id among those in flight
	interno  int64
	metodo   string
	token    json.RawMessage
	ctx      context.Context
	cancelar context.CancelFunc

	// Under Compuerta.mu.
	peso      int  // bytes counted in Compuerta.retenido
	conTurno  bool // holds one of the turns for tools/call
	cancelado bool
	avance    avance
}

// Contexto returns the request's context. It is done as soon as the client
// cancels, the time to answer runs out, or the gate closes.
func (p *Pedido) Contexto() context.Context { return p.ctx }

// Intervalo between two progress notifications of a request: at most ten a second.
const intervaloDeAvance = 100 * time.Millisecond

// avance is the progress of a request as told and as sent.
type avance struct {
	hechos, total int
	dicho         bool // the tool reported at least once
	enviado       bool // hechos and total are the ones sent last
	ultimo        time.Time
}

// Avance notes a request's progress and sends it to a client that asked for it,
// at most ten times a second. It never waits. Values that go back are ignored.
// Safe for concurrent use.
func (c *Compuerta) Avance(p *Pedido, hechos, total int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := &p.avance
	if p.token == nil || a.dicho && hechos <= a.hechos {
		return
	}
	a.hechos, a.total, a.dicho, a.enviado = hechos, total, true, false
	if ahora := time.Now(); a.ultimo.IsZero() || ahora.Sub(a.ultimo) >= intervaloDeAvance {
		c.enviarAvance(p)
		a.ultimo = ahora
	}
}

// UltimoAvance sends the last progress noted, if it was not sent yet. A call that
// ends well does it before answering.
func (c *Compuerta) UltimoAvance(p *Pedido) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.avance.dicho && !p.avance.enviado {
		c.enviarAvance(p)
	}
}

func (c *Compuerta) enviarAvance(p *Pedido) {
	p.avance.enviado = true
	if p.cancelado || c.cola.bytes >= c.cfg.ColaMaxima {
		return // a client that does not read does not need to know how it goes
	}
	b := []byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":`)
	b = append(b, p.token...)
	b = append(b, `,"progress":`...)
	b = strconv.AppendInt(b, int64(p.avance.hechos), 10)
	if p.avance.total > 0 {
		b = append(b, `,"total":`...)
		b = strconv.AppendInt(b, int64(p.avance.total), 10)
	}
	c.encolar(salida{linea: append(b, "}}\n"...), pedido: p})
}

// paraElSDK is the request's params as the SDK gets to see them: nothing the
// client wrote except names already known to be served.
func (p *Pedido) paraElSDK() json.RawMessage {
	b := []byte(`{"` + claveMeta + `":{"` + claveProgreso + `":`)
	b = strconv.AppendInt(b, p.interno, 10)
	if p.Era == Moderna {
		b = append(b, `,"`+claveVersion+`":"`+VersionModerna+`","`+claveCapacidades+`":{}`...)
	}
	b = append(b, '}')
	switch p.metodo {
	case metodoLlamar, metodoPrompt:
		b = append(b, `,"`+claveNombre+`":`...)
		b = crudo.AppendTexto(b, p.Nombre)
	case metodoInicializar:
		b = append(b, `,"protocolVersion":"`+VersionHeredada+`","capabilities":{},"clientInfo":{"name":"","version":""}`...)
	}
	return append(b, '}')
}

// Pedido returns the request that reached the SDK with meta in its params, nil if
// it is not one of this gate's.
func (c *Compuerta) Pedido(meta map[string]any) *Pedido {
	n, _ := meta[claveProgreso].(float64) // private ids begin at 1
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.vuelo.internos[int64(n)]
}
