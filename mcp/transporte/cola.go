package transporte

import "io"

// salida is one line waiting to be written. Lines of a cancelled request are not.
type salida struct {
	linea  []byte
	pedido *Pedido // nil for what is nobody's answer: ids that never got in
	ultima bool    // the answer: the request is over once this starts to be written
}

// cola is the way out.
type cola struct {
	lineas      []salida
	bytes       int // in lineas
	escribiendo bool
	escritas    int // lines written so far
}

// encolar adds a line to the queue. Called with mu held; it never waits.
func (c *Compuerta) encolar(s salida) {
	c.cola.lineas = append(c.cola.lineas, s)
	c.cola.bytes += len(s.linea)
	c.cambio.Broadcast()
}

// escribir empties the queue into w until the gate closes or a write fails.
func (c *Compuerta) escribir(w io.Writer) {
	for {
		s, ok := c.proxima()
		if !ok {
			return
		}
		_, err := w.Write(s.linea)
		c.mu.Lock()
		c.cola.escribiendo = false
		c.cola.escritas++
		if s.ultima && c.fin.reloj != nil {
			c.fin.reloj.Reset(c.cfg.Gracia)
		}
		if err != nil {
			c.fin.errSalida = err
		}
		c.cambio.Broadcast()
		c.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// proxima waits for a line that is still wanted. It reports false when the gate
// is closed.
func (c *Compuerta) proxima() (salida, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.cola.lineas) == 0 && !c.fin.cerrada {
			c.cambio.Wait()
		}
		if c.fin.cerrada {
			return salida{}, false
		}
		s := c.cola.lineas[0]
		c.cola.lineas[0] = salida{}
		c.cola.lineas = c.cola.lineas[1:]
		c.cola.bytes -= len(s.linea)
		c.cambio.Broadcast()
		if s.pedido != nil && s.pedido.cancelado {
			continue
		}
		if s.ultima {
			delete(c.vuelo.porID, s.pedido.clave)
		}
		c.cola.escribiendo = true
		return s, true
	}
}
