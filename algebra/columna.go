package algebra

import "slices"

// ClaseColumna says how a column keeps its values.
type ClaseColumna uint8

// The classes of a column. In all but Mixta every value is of one type, so an
// inner loop is plain Go over one slice.
const (
	ClaseMixta     ClaseColumna = iota // any values, nulls and facts too
	ClaseEnteros                       // integers of 64 bits
	ClaseFlotantes                     // finite floats
	ClaseTextos
	ClaseBooleanos // 0 or 1
)

// Columna is a column of values: of a relation, or of a batch. Exactly the
// slice its Clase names is in use. With Constante, the slice has one element
// and every row reads it. A column handed to a scalar must not be modified.
type Columna struct {
	Clase     ClaseColumna
	Constante bool

	Mixta     []Valor
	Enteros   []int64
	Flotantes []float64
	Textos    []string
	Booleanos []uint8
}

// Valor returns the value at row i.
func (c *Columna) Valor(i int) Valor {
	if c.Constante {
		i = 0
	}
	switch c.Clase {
	case ClaseEnteros:
		return NuevoEntero(c.Enteros[i])
	case ClaseFlotantes:
		return Flotante(c.Flotantes[i])
	case ClaseTextos:
		return Texto(c.Textos[i])
	case ClaseBooleanos:
		return Booleano(c.Booleanos[i] != 0)
	default:
		return c.Mixta[i]
	}
}

// Largo returns how many values the column holds; one when it is constant.
func (c *Columna) Largo() int {
	switch c.Clase {
	case ClaseEnteros:
		return len(c.Enteros)
	case ClaseFlotantes:
		return len(c.Flotantes)
	case ClaseTextos:
		return len(c.Textos)
	case ClaseBooleanos:
		return len(c.Booleanos)
	default:
		return len(c.Mixta)
	}
}

// familia returns the only family the column can have, FamiliaNula when the
// class does not tell.
func (c *Columna) familia() Familia {
	switch c.Clase {
	case ClaseEnteros, ClaseFlotantes:
		return FamiliaNumero
	case ClaseTextos:
		return FamiliaTexto
	case ClaseBooleanos:
		return FamiliaBooleana
	default:
		return FamiliaNula
	}
}

// constante returns the constant column of one value, in its tightest class.
func constante(v Valor) *Columna {
	c := &Columna{}
	c.agregar(v)
	c.Constante = true
	return c
}

// agregar appends v, widening the class to Mixta when v is of another type.
func (c *Columna) agregar(v Valor) {
	if c.Largo() == 0 {
		c.Clase = claseDe(v)
	}
	if c.Clase != ClaseMixta && claseDe(v) != c.Clase {
		c.ampliar()
	}
	switch c.Clase {
	case ClaseEnteros:
		c.Enteros = append(c.Enteros, v.(Entero).chico)
	case ClaseFlotantes:
		c.Flotantes = append(c.Flotantes, float64(v.(Flotante)))
	case ClaseTextos:
		c.Textos = append(c.Textos, string(v.(Texto)))
	case ClaseBooleanos:
		c.Booleanos = append(c.Booleanos, bit(bool(v.(Booleano))))
	default:
		c.Mixta = append(c.Mixta, v)
	}
}

// copiar appends the value another column has at row i and returns the bytes it
// keeps alive, as tamanoDe.
func (c *Columna) copiar(de *Columna, i int) int64 {
	if de.Constante {
		i = 0
	}
	if c.Clase == de.Clase && c.Largo() > 0 {
		switch c.Clase {
		case ClaseEnteros:
			c.Enteros = append(c.Enteros, de.Enteros[i])
			return 0
		case ClaseTextos:
			c.Textos = append(c.Textos, de.Textos[i])
			return int64(len(de.Textos[i]))
		}
	}
	v := de.Valor(i)
	c.agregar(v)
	return tamanoDe(v)
}

// prever makes room for n more values of the column's class.
func (c *Columna) prever(n int) {
	switch c.Clase {
	case ClaseEnteros:
		c.Enteros = slices.Grow(c.Enteros, n)
	case ClaseFlotantes:
		c.Flotantes = slices.Grow(c.Flotantes, n)
	case ClaseTextos:
		c.Textos = slices.Grow(c.Textos, n)
	case ClaseBooleanos:
		c.Booleanos = slices.Grow(c.Booleanos, n)
	default:
		c.Mixta = slices.Grow(c.Mixta, n)
	}
}

// ampliar turns the column into one of class Mixta with the same values.
func (c *Columna) ampliar() {
	n := c.Largo()
	mixta := make([]Valor, n, n+n/2+1)
	for i := range mixta {
		mixta[i] = c.Valor(i)
	}
	*c = Columna{Mixta: mixta, Constante: c.Constante}
}

// claseDe returns the tightest class that holds v.
func claseDe(v Valor) ClaseColumna {
	switch x := v.(type) {
	case Entero:
		if x.grande == nil {
			return ClaseEnteros
		}
	case Flotante:
		return ClaseFlotantes
	case Texto:
		return ClaseTextos
	case Booleano:
		return ClaseBooleanos
	}
	return ClaseMixta
}

// bit is 1 for true and 0 for false.
func bit(b bool) uint8 {
	if b {
		return 1
	}
	return 0
}

// tamanoDe estimates the bytes a value keeps alive beyond its slot.
func tamanoDe(v Valor) int64 {
	switch x := v.(type) {
	case Texto:
		return int64(len(x))
	case Entero:
		if x.grande != nil {
			return int64(x.grande.BitLen())/8 + 32
		}
	}
	return 0
}
