package algebra

// A node on a row is one step whatever its values are, but a text may have a
// million characters and an integer four thousand bits. What goes over a long
// value therefore spends more steps, by its length: otherwise a measure within
// its budget could run for hours.
//
// One goes over: the shorter of two texts, or both numbers, in a comparison;
// the arguments of a scalar, together, and then its result; the value of a key
// of «agrupar» or of an aggregate; a key of the join by key.

const (
	// largoLibre is up to how many bytes going over a value is part of the
	// node's own step.
	largoLibre = 64
	// bytesPorPaso is how many bytes of a longer one are a step more.
	bytesPorPaso = 4
)

// pasosDeLargo is how many steps going over n bytes spends beyond the node's.
func pasosDeLargo(n int) int64 {
	if n <= largoLibre {
		return 0
	}
	return int64(n / bytesPorPaso)
}

// largoDe is how many bytes going over a value is: those of a text; those of an
// integer of more than 64 bits and largoLibre more, since it is an allocation.
func largoDe(v Valor) int {
	switch x := v.(type) {
	case Texto:
		return len(x)
	case Entero:
		if x.grande != nil {
			return largoLibre + x.grande.BitLen()/8
		}
	}
	return 0
}

// largoComparado is how many bytes comparing two values goes over.
func largoComparado(a, b Valor) int {
	x, esA := a.(Texto)
	y, esB := b.(Texto)
	switch {
	case esA && esB:
		return min(len(x), len(y))
	case esA || esB:
		return 0
	default:
		return largoDe(a) + largoDe(b)
	}
}

// gastarLargo charges going over n bytes at row fila. It reports false when
// the row must not be computed now: the steps ended, or the evaluation was
// cancelled.
func (l *Lote) gastarLargo(fila, n int) bool {
	return n <= largoLibre || l.gastarLargos(fila, n, pasosDeLargo(n))
}

// gastarLargos charges the steps of some rows from fila on, over so many bytes.
func (l *Lote) gastarLargos(fila, bytes int, pasos int64) bool {
	if l.contar {
		if pasos > l.pasos {
			l.Fallar(fila, l.sinPasos())
			return false
		}
		l.pasos -= pasos
		l.largos += pasos
	} else if l.largos += pasos; l.largos > l.tope {
		l.Fallar(0, errRepetir)
		return false
	}
	return l.Trabajar(fila, bytes)
}

// gastarColumnas charges going over the values of some columns, together, at
// each row of the batch.
func (l *Lote) gastarColumnas(columnas ...*Columna) {
	fijo, hay := 0, false // constant columns weigh the same at every row
	for _, c := range columnas {
		switch {
		case c.Constante:
			fijo += largoDe(c.Valor(0))
		case c.Clase == ClaseTextos || c.Clase == ClaseMixta:
			hay = true
		}
	}
	if !hay {
		if l.n > 0 && fijo > largoLibre {
			l.gastarLargos(0, fijo, pasosDeLargo(fijo)*int64(l.n))
		}
		return
	}
	for i := 0; i < l.n; i++ {
		n := fijo
		for _, c := range columnas {
			switch {
			case c.Constante:
			case c.Clase == ClaseTextos:
				n += len(c.Textos[i])
			case c.Clase == ClaseMixta:
				n += largoDe(c.Mixta[i])
			}
		}
		if !l.gastarLargo(i, n) {
			return
		}
	}
}

// gastarTextos charges comparing the rows desde … hasta of two columns of
// texts, of which at most one is constant.
func (l *Lote) gastarTextos(desde, hasta int, a, b []string, ca, cb bool) bool {
	if ca {
		a, b, ca, cb = b, a, cb, ca
	}
	bytes, pasos := 0, int64(0)
	if cb {
		tope := len(b[0])
		if tope <= largoLibre {
			return true
		}
		for _, x := range a[desde:hasta] {
			n := min(len(x), tope)
			bytes, pasos = bytes+n, pasos+pasosDeLargo(n)
		}
	} else {
		b := b[desde:hasta]
		for k, x := range a[desde:hasta] {
			n := min(len(x), len(b[k]))
			bytes, pasos = bytes+n, pasos+pasosDeLargo(n)
		}
	}
	return pasos == 0 || l.gastarLargos(desde, bytes, pasos)
}

// hayLargos reports whether some text of a column is a long one.
func hayLargos(c *Columna) bool {
	if c.Clase == ClaseTextos {
		for _, s := range c.Textos {
			if len(s) > largoLibre {
				return true
			}
		}
	}
	return false
}
