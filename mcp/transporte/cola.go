package transporte

import "io"

// salida is one line waiting to be written. Lines of a cancelled request are not.
type salida struct {
	linea  []byte
	pedido *Pedido // nil for what is nobody's answer: ids that never got in
	ultima bool    // the answer: the request is over once this starts to be written
}

// encolar adds a line to the queue. Called with mu held; it never waits.
func (c *Compuerta) encolar(s salida) {
	if c.cerrada {
		return
	}
	c.cola = append(c.cola, s)
	c.encolado += len(s.linea)
	c.cambio.Broadcast()
}

// escribir empties the queue into w until the gate closes or a write fails.
func (c *Compuerta) escribir(w io.Writer) {
	for {
		linea, ok := c.proxima()
		if !ok {
			return
		}
		_, err := w.Write(linea)
		c.mu.Lock()
		c.escribiendo = false
		c.escritas++
		if err != nil {
			c.errSalida = err
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
func (c *Compuerta) proxima() ([]byte, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		for len(c.cola) == 0 && !c.cerrada {
			c.cambio.Wait()
		}
		if c.cerrada {
			return nil, false
		}
		s := c.cola[0]
		c.cola[0] = salida{}
		c.cola = c.cola[1:]
		c.encolado -= len(s.linea)
		c.cambio.Broadcast()
		if s.pedido != nil && s.pedido.cancelado {
			continue
		}
		if s.ultima {
			c.retirar(s.pedido)
		}
		c.escribiendo = true
		return s.linea, true
	}
}
