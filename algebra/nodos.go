package algebra

// The leaves and the operators but for comparison: what expr calls.

// columnaNula is what a leaf gives for a field or column no row has.
var columnaNula = &Columna{Constante: true, Mixta: []Valor{Nulo{}}}

func nodoLiteral(m *marco, i int, _ []any) *Columna {
	m.empezar(i)
	return m.nodos[i].literal
}

func nodoCampo(m *marco, i int, _ []any) *Columna {
	if !m.empezar(i) {
		return columnaNula
	}
	if m.nodos[i].ranura < 0 {
		m.lote.Fallar(0, fallo(ClaseAliasAusente, "la fila no tiene el alias «%s» que pide %s.%s",
			Citar(m.nodos[i].alias), Citar(m.nodos[i].alias), Citar(m.nodos[i].nombre)))
		return columnaNula
	}
	return m.leer(i)
}

func nodoCol(m *marco, i int, _ []any) *Columna {
	if !m.empezar(i) || m.nodos[i].ranura < 0 {
		return columnaNula
	}
	return m.leer(i)
}

// leer gives a leaf its column: the relation's own values when the rows are
// consecutive, a gathered copy when they are not.
func (m *marco) leer(i int) *Columna {
	campo := m.campos[i]
	if campo == nil {
		return columnaNula
	}
	v, n := &m.vistas[m.nodos[i].ranura], m.lote.n
	if campo.filas != nil {
		return m.leerPoblado(i, campo, v, n)
	}
	c, h := campo.columna, &m.hojas[i]
	switch v.modo {
	case vistaRango:
		h.ver(c, v.desde, v.desde+n)
		h.Constante = false
		return h
	case vistaFija:
		h.ver(c, v.desde, v.desde+1)
		h.Constante = true
		return h
	}
	d := m.lote.columnaDe(c.Clase, n)
	filas := v.filas[:n]
	switch c.Clase {
	case ClaseEnteros:
		reunir(d.Enteros, c.Enteros, filas)
	case ClaseFlotantes:
		reunir(d.Flotantes, c.Flotantes, filas)
	case ClaseTextos:
		reunir(d.Textos, c.Textos, filas)
	case ClaseBooleanos:
		reunir(d.Booleanos, c.Booleanos, filas)
	default:
		reunir(d.Mixta, c.Mixta, filas)
	}
	return d
}

// leerPoblado reads a field few rows have.
func (m *marco) leerPoblado(i int, campo *campoLeido, v *vista, n int) *Columna {
	if v.modo == vistaFija {
		h := &m.hojas[i]
		valor, ok := campo.valor(v.desde)
		if !ok {
			return columnaNula
		}
		h.Clase, h.Constante, h.Mixta = ClaseMixta, true, append(h.Mixta[:0], valor)
		return h
	}
	d := m.lote.columnaDe(ClaseMixta, n)
	for k := range n {
		fila := v.desde + k
		if v.modo == vistaIndices {
			fila = int(v.filas[k])
		}
		if valor, ok := campo.valor(fila); ok {
			d.Mixta[k] = valor
		} else {
			d.Mixta[k] = Nulo{}
		}
	}
	return d
}

// ver makes h a header over the rows desde … hasta of c.
func (h *Columna) ver(c *Columna, desde, hasta int) {
	h.Clase = c.Clase
	switch c.Clase {
	case ClaseEnteros:
		h.Enteros = c.Enteros[desde:hasta:hasta]
	case ClaseFlotantes:
		h.Flotantes = c.Flotantes[desde:hasta:hasta]
	case ClaseTextos:
		h.Textos = c.Textos[desde:hasta:hasta]
	case ClaseBooleanos:
		h.Booleanos = c.Booleanos[desde:hasta:hasta]
	default:
		h.Mixta = c.Mixta[desde:hasta:hasta]
	}
}

func reunir[T any](d, c []T, filas []int32) {
	d = d[:len(filas)]
	for k, f := range filas {
		d[k] = c[f]
	}
}

func nodoHecho(m *marco, i int, _ []any) *Columna {
	if !m.empezar(i) {
		return columnaNula
	}
	ranura := m.nodos[i].ranura
	if ranura < 0 {
		m.lote.Fallar(0, fallo(ClaseAliasAusente, "la fila no tiene el alias «%s» que pide hecho(%s)",
			Citar(m.nodos[i].alias), Citar(m.nodos[i].alias)))
		return columnaNula
	}
	v, r := &m.vistas[ranura], m.lote.relaciones[ranura]
	d := m.lote.Columna(ClaseMixta)
	for k := range d.Mixta {
		fila := v.desde
		switch v.modo {
		case vistaRango:
			fila += k
		case vistaIndices:
			fila = int(v.filas[k])
		}
		d.Mixta[k] = Hecho{r, fila}
	}
	return d
}

func nodoEscalar(m *marco, i int, operandos []any) *Columna {
	if !m.empezar(i) {
		return columnaNula
	}
	args := m.args[i]
	for k := range args {
		args[k] = operandos[k].(*Columna)
	}
	l := m.lote
	if l.gastarColumnas(args...); l.n == 0 {
		return columnaNula
	}
	c := m.nodos[i].escalar.Aplicar(l, args)
	if l.n > 0 {
		l.gastarColumnas(c)
	}
	return c
}

// nodoLogico computes «y», «o» and «no». Every operand was computed already;
// the first one from the left that is not a boolean is the row's error.
func nodoLogico(m *marco, i int, operandos []any) *Columna {
	if !m.empezar(i) {
		return columnaNula
	}
	op := m.nodos[i].funcion
	for _, x := range operandos {
		exigirBooleanos(m.lote, x.(*Columna), op)
	}
	if m.lote.n == 0 {
		return columnaNula
	}
	d := m.lote.Columna(ClaseBooleanos)
	copiarBooleanos(d.Booleanos, operandos[0].(*Columna))
	for _, x := range operandos[1:] {
		combinar(op, d.Booleanos, x.(*Columna))
	}
	if op == "no" {
		for k := range d.Booleanos {
			d.Booleanos[k] ^= 1
		}
	}
	return d
}

// copiarBooleanos copies booleans that were checked.
func copiarBooleanos(d []uint8, c *Columna) {
	switch {
	case c.Clase == ClaseBooleanos && !c.Constante:
		copy(d, c.Booleanos)
	case c.Constante:
		b := booleanoEn(c, 0)
		for k := range d {
			d[k] = b
		}
	default:
		for k := range d {
			d[k] = booleanoEn(c, k)
		}
	}
}

func combinar(op string, d []uint8, c *Columna) {
	if c.Clase == ClaseBooleanos && !c.Constante {
		v := c.Booleanos[:len(d)]
		if op == "y" {
			for k := range d {
				d[k] &= v[k]
			}
		} else {
			for k := range d {
				d[k] |= v[k]
			}
		}
		return
	}
	for k := range d {
		b := booleanoEn(c, k)
		if op == "y" {
			d[k] &= b
		} else {
			d[k] |= b
		}
	}
}

// booleanoEn reads a boolean that was checked.
func booleanoEn(c *Columna, k int) uint8 {
	if c.Constante {
		k = 0
	}
	if c.Clase == ClaseBooleanos {
		return c.Booleanos[k]
	}
	return bit(bool(c.Mixta[k].(Booleano)))
}

// exigirBooleanos fails the first row whose value is not a boolean: there is
// no conversion (lenguaje §3). quien names what asked for it.
func exigirBooleanos(l *Lote, c *Columna, quien string) {
	if c.Clase == ClaseBooleanos || l.n == 0 {
		return
	}
	if c.Clase != ClaseMixta || c.Constante {
		if _, ok := c.Valor(0).(Booleano); !ok {
			l.Fallar(0, noBooleano(c.Valor(0), quien))
		}
		return
	}
	for k, v := range c.Mixta[:l.n] {
		if _, ok := v.(Booleano); !ok {
			l.Fallar(k, noBooleano(v, quien))
			return
		}
	}
}

func noBooleano(v Valor, quien string) error {
	if v.Familia() == FamiliaNula {
		return fallo(ClaseNulo, "«%s» recibió un nulo (un campo o una columna que no está); hace falta un booleano", quien)
	}
	return fallo(ClaseNoBooleano, "«%s» recibió %s, que es %s; hace falta un booleano", quien, citarValor(v), v.Familia())
}
