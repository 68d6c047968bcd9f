package algebra

import "slices"

// campoLeido is a field of a relation. A field that few rows have is kept
// packed, and one that only one row has takes no column at all, so that what
// evidence occupies is in proportion to its text.
type campoLeido struct {
	nombre  string
	columna *Columna // nil while there is one value, which is in unico
	filas   []int32  // packed: the rows that have the field, ascending, one for each value
	unico   Valor
	unica   int32 // the row of unico
	llano   bool  // the name was written without escapes
}

// valor returns the field of a row and whether the row has it.
func (c *campoLeido) valor(fila int) (Valor, bool) {
	if c.columna == nil {
		return c.unico, int(c.unica) == fila
	}
	if c.filas != nil {
		k, ok := slices.BinarySearch(c.filas, int32(fila))
		if !ok {
			return nil, false
		}
		return c.columna.Valor(k), true
	}
	v := c.columna.Valor(fila)
	_, nulo := v.(Nulo)
	return v, !nulo
}

// resuelto returns the same field with a column, in a relation of n rows. The
// relation's own field is not touched: evidence is shared.
func (c *campoLeido) resuelto(n int) *campoLeido {
	if c.columna != nil {
		return c
	}
	r := &campoLeido{nombre: c.nombre, columna: &Columna{}}
	r.columna.agregar(c.unico)
	if n > 1 {
		r.filas = []int32{c.unica}
		r.asentar(n)
	}
	return r
}

// densidad is how few rows, one in so many, may have a field before its column
// is kept packed.
const densidad = 8

// asentar gives a packed field its final layout in a relation of n rows: one
// value for each row, with nulls, unless few have it.
func (c *campoLeido) asentar(n int) {
	if len(c.filas)*densidad < n {
		return
	}
	mixta := make([]Valor, n)
	for k := range mixta {
		mixta[k] = Nulo{}
	}
	for k, f := range c.filas {
		mixta[f] = c.columna.Valor(k)
	}
	c.columna, c.filas = &Columna{Mixta: mixta}, nil
}

// presente notes that row fila, the last so far, has the field, turning the
// column packed the first time some row did not. It reports false when the row
// has it already: the reader of JSON does not look for repeated names, since
// here it costs nothing.
func (c *campoLeido) presente(fila int) bool {
	if c.columna == nil {
		if c.unico == nil {
			c.unica = int32(fila)
			return true
		}
		if int(c.unica) == fila {
			return false
		}
		c.columna = &Columna{}
		c.columna.agregar(c.unico)
		c.unico = nil
		if c.unica > 0 {
			c.filas = []int32{c.unica}
		}
	}
	if c.filas == nil {
		n := c.columna.Largo()
		if n >= fila {
			return n == fila
		}
		c.filas = hasta(n)
	}
	if k := len(c.filas); k > 0 && c.filas[k-1] == int32(fila) {
		return false
	}
	c.filas = append(c.filas, int32(fila))
	return true
}

// agregar adds the value of the row that presente noted.
func (c *campoLeido) agregar(v Valor) {
	if c.columna == nil {
		c.unico = v
		return
	}
	c.columna.agregar(v)
}

// terminar gives the field its final layout in a relation of n rows.
func (c *campoLeido) terminar(n int) {
	if c.columna == nil {
		return
	}
	if tiene := c.columna.Largo(); c.filas == nil && tiene < n {
		c.filas = hasta(tiene)
	}
	if c.filas != nil {
		c.asentar(n)
	}
}

// hasta returns the rows before n.
func hasta(n int) []int32 {
	f := make([]int32, n, n+1)
	for i := range f {
		f[i] = int32(i)
	}
	return f
}

// bytes estimates what the field's values occupy.
func (c *campoLeido) bytes() int64 {
	if c.columna == nil {
		return 32
	}
	ancho := int64(8)
	if c.columna.Clase == ClaseTextos || c.columna.Clase == ClaseMixta {
		ancho = 24
	}
	return int64(c.columna.Largo())*ancho + int64(len(c.filas))*4
}
