package caja

import (
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// Vivos returns how many children there are.
func (c *Caja) Vivos() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.vivos)
}

// Hijos returns the children's process numbers.
func (c *Caja) Hijos() []int {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ps []int
	for p := range c.vivos {
		ps = append(ps, p.orden.Process.Pid)
	}
	return ps
}

// ConPalabra makes the children be started with another word.
func ConPalabra(palabra string) func(*Config) {
	return func(c *Config) { c.palabra = palabra }
}

// LeerResultado decodes a result of at most n rows as the parent does.
func LeerResultado(b []byte, n int) (*algebra.Columna, error) {
	l := mensaje.NuevoLector(b)
	var m mensaje.Respuesta
	m.Leer(l)
	if len(m.Pasos) > n {
		l.Fallar("filas de más")
	}
	a := acumulador{bits: 4096, tope: 1 << 20}
	a.leer(l, len(m.Pasos), func(int64) bool { return true })
	return &a.c, l.Cerrar()
}

// PalabraDeCaja is the word that asks for a box.
const PalabraDeCaja = palabraDeCaja

// Procesador returns what the idle children have used.
func (c *Caja) Procesador() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	var d time.Duration
	for _, p := range c.libres {
		x, _ := procesadorDe(p.orden.Process.Pid)
		d += x
	}
	return d
}
