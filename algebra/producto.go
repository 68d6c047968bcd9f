package algebra

import "sync/atomic"

// minimoDerecho is how many rows the right side has before a batch is one left
// row, held fixed, against consecutive right rows read in place.
const minimoDerecho = 64

// barrido is the pass of a condition over every pair of a row of izq and a row
// of der, left outermost: pair p is (p / der.n, p % der.n).
type barrido struct {
	izq, der *tabla
}

// lugar returns the pair at p.
func (b barrido) lugar(p int64) (i, j int) {
	return int(p / int64(b.der.n)), int(p % int64(b.der.n))
}

// preparar sets the views of pairs from p on.
func (b barrido) preparar(w *obrero, p int64, maximo int) int {
	i, j := b.lugar(p)
	ranuras := len(b.izq.relaciones)
	if b.der.n >= minimoDerecho || maximo == 1 {
		n := min(maximo, b.der.n-j)
		b.izq.vistaFija(w.vistas[:ranuras], i)
		b.der.vistas(w.vistas[ranuras:], j, n)
		return n
	}
	for s := range w.vistas {
		t, ranura := b.izq, s
		if s >= ranuras {
			t, ranura = b.der, s-ranuras
		}
		w.idx[s] = conLargo(w.idx[s], maximo)
		filas := w.idx[s]
		x, y := i, j
		for k := range filas {
			fila := x
			if s >= ranuras {
				fila = y
			}
			filas[k] = t.filaDe(ranura, fila)
			if y++; y == b.der.n {
				x, y = x+1, 0
			}
		}
		w.vistas[s] = vista{modo: vistaIndices, filas: filas}
	}
	return maximo
}

// pase builds the pass over all pairs.
func (b barrido) pase(p *programa, quien string) *recorrido {
	return &recorrido{
		total: int64(b.izq.n) * int64(b.der.n), programas: []*programa{p}, paralelo: true,
		relaciones: append(append([]*Relacion(nil), b.izq.relaciones...), b.der.relaciones...),
		preparar:   b.preparar,
		revisar:    func(w *obrero, _ int, c *Columna) { exigirBooleanos(&w.lote, c, quien) },
	}
}

// cruzar evaluates «unir» followed by «donde» without materializing the
// product: the pairs that satisfy the condition, in order.
func (x *ejecucion) cruzar(izq, der *tabla, p *programa) (*tabla, error) {
	b := barrido{izq: izq, der: der}
	r := b.pase(p, "donde")
	var guardados atomic.Int64 // pairs, by all the cores that share the pass
	r.cerrar = func(w *obrero, p int64, n int) error {
		i, j := b.lugar(p)
		desde := len(w.i)
		for k := range n {
			if booleanoEn(w.salidas[0], k) != 0 {
				w.i, w.j = append(w.i, int32(i)), append(w.j, int32(j))
			}
			if j++; j == der.n {
				i, j = i+1, 0
			}
		}
		if len(w.i) == desde {
			return nil
		}
		if w.largos == nil {
			return x.memoriaCon(int64(len(w.i)) * 8)
		}
		if x.memoriaCon(guardados.Add(int64(len(w.i)-desde))*8) != nil {
			return errRepetir // one core says whether an error comes before
		}
		return nil
	}
	obreros, err := x.correr(r)
	if err != nil {
		return nil, err
	}
	var i, j []int32
	for _, w := range obreros {
		i, j = append(i, w.i...), append(j, w.j...)
	}
	return pares(izq, der, i, j), x.memoriaCon(int64(len(i)) * 8)
}

// productoEntero materializes the product of two sources.
func (x *ejecucion) productoEntero(izq, der *tabla) (*tabla, error) {
	n := izq.n * der.n // below the limit: it was checked
	if err := x.memoriaCon(int64(n) * 4 * int64(len(izq.filas)+len(der.filas)+2)); err != nil {
		return nil, err
	}
	i, j := make([]int32, n), make([]int32, n)
	for k := range n {
		i[k], j[k] = int32(k/der.n), int32(k%der.n)
	}
	return pares(izq, der, i, j), nil
}

// exigirProducto checks a product against the limit.
func (x *ejecucion) exigirProducto(izq, der *tabla) error {
	if n := int64(izq.n) * int64(der.n); n > x.lim.ProductoCartesiano {
		return &LimiteError{LimiteProductoCartesiano, n, x.lim.ProductoCartesiano}
	}
	return nil
}

// sin keeps the rows of t for which no row of r satisfies the condition.
func (x *ejecucion) sin(t *tabla, r *tabla, c *condicion) (*tabla, error) {
	if err := x.exigirProducto(t, r); err != nil {
		return nil, err
	}
	if t.n == 0 || r.n == 0 {
		return t, nil
	}
	b := barrido{izq: t, der: r}
	var cumplen []bool
	if eq := x.indexable(c, t, r); eq != nil {
		if err := x.cobrar(int64(t.n) * int64(r.n) * int64(len(c.programa.nodos))); err != nil {
			return nil, err
		}
		var err error
		if cumplen, err = x.algunCandidato(b, c, eq); err != nil {
			return nil, err
		}
	} else {
		cumplen = make([]bool, t.n)
		pase := b.pase(c.programa, "sin")
		// A stretch may start in the middle of a left row that the one before
		// also looks at: only one of them may write there.
		pase.paralelo = false
		pase.cerrar = func(w *obrero, p int64, n int) error {
			i, j := b.lugar(p)
			for k := range n {
				if booleanoEn(w.salidas[0], k) != 0 {
					cumplen[i] = true
				}
				if j++; j == r.n {
					i, j = i+1, 0
				}
			}
			return nil
		}
		if _, err := x.correr(pase); err != nil {
			return nil, err
		}
	}
	filas := make([]int32, 0, t.n)
	for i, cumple := range cumplen {
		if !cumple {
			filas = append(filas, int32(i))
		}
	}
	return t.elegir(filas), nil
}
