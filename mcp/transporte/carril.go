package transporte

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// carril is one lane into the SDK: its transport and its connection.
type carril struct {
	c *Compuerta
	// Under c.mu: requests the SDK has not read yet.
	entrada []*jsonrpc.Request
}

var (
	_ sdk.Transport  = (*carril)(nil)
	_ sdk.Connection = (*carril)(nil)
)

// Carril returns the SDK transport that serves one era. Each may be connected
// once, before [Compuerta.Servir].
func (c *Compuerta) Carril(e Era) sdk.Transport { return c.carriles[e] }

// Connect implements [sdk.Transport].
func (l *carril) Connect(context.Context) (sdk.Connection, error) { return l, nil }

// SessionID implements [sdk.Connection].
func (l *carril) SessionID() string { return "" }

// Close implements [sdk.Connection]. The streams are the gate's, not the lane's.
func (l *carril) Close() error { return nil }

// Read implements [sdk.Connection]. The SDK sees the end of a lane only when
// everything owed was answered: at an end of input it drops what is pending.
func (l *carril) Read(context.Context) (jsonrpc.Message, error) {
	l.c.mu.Lock()
	defer l.c.mu.Unlock()
	for len(l.entrada) == 0 && !l.c.fin.cerrada {
		l.c.cambio.Wait()
	}
	if l.c.fin.cerrada {
		return nil, io.EOF
	}
	m := l.entrada[0]
	l.entrada[0] = nil
	l.entrada = l.entrada[1:]
	return m, nil
}

// Write implements [sdk.Connection]: it puts the client's id back on an answer.
// What is not the answer to a request of this gate is dropped. It waits while the
// way out is full, and the call that answers keeps its turn meanwhile.
func (l *carril) Write(_ context.Context, m jsonrpc.Message) error {
	r, ok := m.(*jsonrpc.Response)
	if !ok {
		return nil // the SDK has no notification of its own to send here
	}
	n, ok := r.ID.Raw().(int64)
	if !ok {
		return nil
	}
	l.c.responder(n, r)
	return nil
}

// responder queues the SDK's answer to the request with private id n.
func (c *Compuerta) responder(n int64, r *jsonrpc.Response) {
	c.mu.Lock()
	defer c.mu.Unlock()
	p := c.vuelo.internos[n]
	if p == nil {
		return
	}
	for c.cola.bytes >= c.cfg.ColaMaxima && !c.fin.cerrada && !p.cancelado {
		c.cambio.Wait()
	}
	delete(c.vuelo.internos, n)
	p.cancelar()
	p.Argumentos = nil // no longer counted: it must not be kept until the answer is written
	c.soltar(p)
	if p.cancelado {
		return
	}
	if r.Error != nil {
		c.cfg.Registro.Error("el SDK rechazó un pedido que la compuerta había aceptado", "metodo", p.metodo, "error", r.Error)
		c.encolar(salida{linea: lineaDeError(p.id, traducir(r.Error)), pedido: p, ultima: true})
		return
	}
	c.encolar(salida{linea: lineaDeResultado(p.id, r.Result), pedido: p, ultima: true})
}

// traducir turns an error of a method's implementation into one for the wire. A
// code and a message given on purpose are kept.
func traducir(err error) *falla {
	if e, ok := errors.AsType[*jsonrpc.Error](err); ok && e.Code == codigoParametros {
		return &falla{codigo: codigoParametros, mensaje: e.Message, datos: e.Data}
	}
	return &falla{codigo: codigoInterno, mensaje: "error interno: " + crudo.Cita(err.Error())}
}

// lineaDeResultado writes a success. resultado is one JSON value on one line.
func lineaDeResultado(id, resultado []byte) []byte {
	b := make([]byte, 0, len(id)+len(resultado)+40)
	b = append(b, `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"result":`...)
	b = append(b, bytes.TrimSpace(resultado)...)
	return append(b, "}\n"...)
}

// lineaDeError writes an error answer; a nil id is null.
func lineaDeError(id []byte, f *falla) []byte {
	if id == nil {
		id = []byte("null")
	}
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	b = append(b, `,"error":{"code":`...)
	b = strconv.AppendInt(b, int64(f.codigo), 10)
	b = append(b, `,"message":`...)
	b = crudo.AppendTexto(b, f.mensaje)
	if f.datos != nil {
		b = append(b, `,"data":`...)
		b = append(b, f.datos...)
	}
	return append(b, "}}\n"...)
}
