package algebra

// donde keeps the rows that satisfy a condition.
func (x *ejecucion) donde(t *tabla, p *programa) (*tabla, error) {
	todas := make([]int32, t.n)
	r := &recorrido{
		total: int64(t.n), programas: []*programa{p}, relaciones: t.relaciones, paralelo: true,
		preparar: func(w *obrero, p int64, maximo int) int {
			t.vistas(w.vistas, int(p), maximo)
			return maximo
		},
		revisar: func(w *obrero, _ int, c *Columna) { exigirBooleanos(&w.lote, c, "donde") },
		cerrar: func(w *obrero, p int64, n int) error {
			if w.i == nil {
				w.i = todas[p:p]
			}
			w.i = elegidas(w.i, w.salidas[0], int32(p), n)
			return nil
		},
	}
	obreros, err := x.correr(r)
	if err != nil {
		return nil, err
	}
	// Each worker wrote at the start of its own stretch: close the gaps.
	filas := todas[:0]
	for _, w := range obreros {
		filas = append(filas, w.i...)
	}
	return t.elegir(filas), nil
}

// elegidas appends base+k for each of the n rows whose mask is set. The
// destination has room for all of them.
func elegidas(d []int32, mascara *Columna, base int32, n int) []int32 {
	if mascara.Clase != ClaseBooleanos || mascara.Constante {
		for k := range n {
			if booleanoEn(mascara, k) != 0 {
				d = append(d, base+int32(k))
			}
		}
		return d
	}
	k := len(d)
	d = d[:k+n]
	for i, b := range mascara.Booleanos[:n] {
		d[k] = base + int32(i) // overwritten by the next one unless kept
		k += int(b)
	}
	return d[:k]
}

// algunaCumple reports whether any row of a relation satisfies a condition of
// «requiere», after evaluating it over all of them.
func (x *ejecucion) algunaCumple(t *tabla, p *programa) (bool, error) {
	alguna := false
	r := &recorrido{
		total: int64(t.n), programas: []*programa{p}, relaciones: t.relaciones,
		preparar: func(w *obrero, p int64, maximo int) int {
			t.vistas(w.vistas, int(p), maximo)
			return maximo
		},
		revisar: func(w *obrero, _ int, c *Columna) { exigirBooleanos(&w.lote, c, "requiere") },
		cerrar: func(w *obrero, _ int64, n int) error {
			for k := 0; k < n && !alguna; k++ {
				alguna = booleanoEn(w.salidas[0], k) != 0
			}
			return nil
		},
	}
	_, err := x.correr(r)
	return alguna, err
}
