package transporte

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// vuelo is what is in flight: from the reading of a request until its answer
// starts to be written.
type vuelo struct {
	porID    map[string]*Pedido // by what identifies the client's id
	internos map[int64]*Pedido  // by private id, until the SDK answers
	ultimo   int64              // last private id
	retenido int                // bytes of the requests not yet answered
	turnos   int                // tools/call running
	espera   []*Pedido          // tools/call waiting their turn, first come first served
}

// dejarPasar puts a request in flight and on its lane, or in line for its turn.
func (c *Compuerta) dejarPasar(p *Pedido, largo int) {
	c.vuelo.ultimo++
	p.interno = c.vuelo.ultimo
	p.ctx, p.cancelar = context.WithCancel(c.base)
	p.peso = largo + costoDePedido
	c.vuelo.retenido += p.peso
	c.vuelo.porID[p.clave] = p
	c.vuelo.internos[p.interno] = p
	if p.metodo != metodoLlamar {
		c.alSDK(p)
		return
	}
	c.vuelo.espera = append(c.vuelo.espera, p)
	c.repartirTurnos()
}

func (c *Compuerta) repartirTurnos() {
	for len(c.vuelo.espera) > 0 && c.vuelo.turnos < c.cfg.Concurrencia {
		p := c.vuelo.espera[0]
		c.vuelo.espera[0] = nil // it holds a whole line
		c.vuelo.espera = c.vuelo.espera[1:]
		c.vuelo.turnos++
		p.conTurno = true
		c.alSDK(p)
	}
}

func (c *Compuerta) alSDK(p *Pedido) {
	id, err := jsonrpc.MakeID(float64(p.interno))
	if err != nil {
		panic("transporte: a number is not an id for the SDK: " + err.Error())
	}
	l := c.carriles[p.Era]
	l.entrada = append(l.entrada, &jsonrpc.Request{ID: id, Method: p.metodo, Params: p.paraElSDK()})
	c.cambio.Broadcast()
}

// cancelar takes a request out of flight. initialize cannot be cancelled: the
// protocol forbids a client to try.
func (c *Compuerta) cancelar(clave string) {
	p := c.vuelo.porID[clave]
	if p == nil || p.metodo == metodoInicializar {
		return
	}
	p.cancelado = true
	p.cancelar()
	delete(c.vuelo.porID, clave)
	for i, q := range c.vuelo.espera {
		if q == p { // it never got to the SDK: nobody else will let go of it
			c.vuelo.espera = append(c.vuelo.espera[:i], c.vuelo.espera[i+1:]...)
			delete(c.vuelo.internos, p.interno)
			c.soltar(p)
			return
		}
	}
}

// soltar gives back what a request held while it was not answered.
func (c *Compuerta) soltar(p *Pedido) {
	c.vuelo.retenido -= p.peso
	p.peso = 0
	if p.conTurno {
		p.conTurno = false
		c.vuelo.turnos--
		c.repartirTurnos()
	}
	c.cambio.Broadcast()
}
