package ingenuo

import "github.com/oracle-mcp/oracle-mcp/algebra"

// tabla is the rows between two steps. Rows have either facts, one for each
// alias, or values, one for each column.
type tabla struct {
	alias    []string
	columnas []string
	agrupada bool
	filas    []fila
}

type fila struct {
	hechos  []hecho
	valores []algebra.Valor
}

// hecho is one row of a relation.
type hecho struct {
	relacion *algebra.Relacion
	i        int
}

// costo is a rough count of the bytes one row takes.
func (f fila) costo() int64 { return 48 + 16*int64(len(f.hechos)) + 32*int64(len(f.valores)) }

func (t *tabla) costo() int64 {
	var n int64
	for _, f := range t.filas {
		n += f.costo()
	}
	return n
}

func (t *tabla) entorno(f fila) entorno {
	return entorno{alias: t.alias, hechos: f.hechos, columnas: t.columnas, valores: f.valores}
}

func (t *tabla) testigo(f fila) Testigo {
	if t.agrupada {
		campos := map[string]algebra.Valor{}
		for i, c := range t.columnas {
			campos[c] = f.valores[i]
		}
		return Testigo{"_": campos}
	}
	w := Testigo{}
	for i, a := range t.alias {
		campos := map[string]algebra.Valor{}
		h := f.hechos[i]
		for _, n := range h.relacion.CamposDeFila(h.i) {
			campos[n], _ = h.relacion.Valor(h.i, n)
		}
		w[a] = campos
	}
	return w
}

// agregar puts one row more in the table.
func (c *corrida) agregar(t *tabla, f fila) error {
	t.filas = append(t.filas, f)
	return c.ocupar(f.costo())
}

func (c *corrida) tuberia(m *algebra.Medida) (*tabla, error) {
	pasos := m.Pasos
	var t *tabla
	var err error
	if u, x, y, ok := juntaPorClave(m); ok {
		t, err = c.junta(u, x, y)
		pasos = pasos[1:]
	} else {
		t, err = c.fuente(m.Fuente)
	}
	for _, p := range pasos {
		if err != nil {
			return nil, err
		}
		antes := t.costo()
		switch p := p.(type) {
		case *algebra.Donde:
			t, err = c.donde(p, t)
		case *algebra.Sin:
			t, err = c.sin(p, t)
		case *algebra.Agrupar:
			t, err = c.agrupar(p, t)
		}
		c.memoria -= antes
	}
	return t, err
}

func (c *corrida) fuente(f algebra.Fuente) (*tabla, error) {
	switch f := f.(type) {
	case *algebra.De:
		return c.de(f)
	default:
		return c.unir(f.(*algebra.Unir))
	}
}

func (c *corrida) de(d *algebra.De) (*tabla, error) {
	r, err := c.relacion(d.Relacion)
	if err != nil {
		return nil, err
	}
	t := &tabla{alias: []string{d.Alias}}
	for i := range r.Largo() {
		if err := c.agregar(t, fila{hechos: []hecho{{r, i}}}); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// lados produces both sides of a product, left first.
func (c *corrida) lados(u *algebra.Unir) (izq, der, producto *tabla, err error) {
	if izq, err = c.fuente(u.Izq); err != nil {
		return nil, nil, nil, err
	}
	if der, err = c.fuente(u.Der); err != nil {
		return nil, nil, nil, err
	}
	return izq, der, &tabla{alias: append(append([]string(nil), izq.alias...), der.alias...)}, nil
}

func unirFilas(a, b fila) fila {
	return fila{hechos: append(append([]hecho(nil), a.hechos...), b.hechos...)}
}

func (c *corrida) productoHasta(pares int64) error {
	if tope := c.lim.ProductoCartesiano; pares > tope {
		return &algebra.LimiteError{Nombre: algebra.LimiteProductoCartesiano, Observado: pares, Limite: tope}
	}
	return nil
}

// unir is the product, left outermost (lenguaje §4).
func (c *corrida) unir(u *algebra.Unir) (*tabla, error) {
	izq, der, t, err := c.lados(u)
	if err != nil {
		return nil, err
	}
	if err := c.productoHasta(int64(len(izq.filas)) * int64(len(der.filas))); err != nil {
		return nil, err
	}
	for _, a := range izq.filas {
		for _, b := range der.filas {
			if err := c.agregar(t, unirFilas(a, b)); err != nil {
				return nil, err
			}
			if err := c.vuelta(); err != nil {
				return nil, err
			}
		}
	}
	c.memoria -= izq.costo() + der.costo()
	return t, nil
}

// juntaPorClave recognizes a product followed at once by the equality of one
// field of each side; x is the field of the left one (lenguaje §9).
func juntaPorClave(m *algebra.Medida) (u *algebra.Unir, x, y *algebra.Campo, ok bool) {
	u, ok = m.Fuente.(*algebra.Unir)
	if !ok || len(m.Pasos) == 0 {
		return nil, nil, nil, false
	}
	d, ok := m.Pasos[0].(*algebra.Donde)
	if !ok {
		return nil, nil, nil, false
	}
	k, ok := d.Condicion.(*algebra.Comparacion)
	if !ok || k.Op != algebra.Igual {
		return nil, nil, nil, false
	}
	x, okX := k.Izq.(*algebra.Campo)
	y, okY := k.Der.(*algebra.Campo)
	if !okX || !okY {
		return nil, nil, nil, false
	}
	if tiene(u.Izq, y.Alias) && tiene(u.Der, x.Alias) {
		x, y = y, x
	}
	return u, x, y, tiene(u.Izq, x.Alias) && tiene(u.Der, y.Alias)
}

func tiene(f algebra.Fuente, alias string) bool {
	switch f := f.(type) {
	case *algebra.De:
		return f.Alias == alias
	default:
		u := f.(*algebra.Unir)
		return tiene(u.Izq, alias) || tiene(u.Der, alias)
	}
}

// junta compares every pair, as the product would, but charges what a join by
// key charges: each side once, going over its keys, and a step for each row it
// produces.
func (c *corrida) junta(u *algebra.Unir, x, y *algebra.Campo) (*tabla, error) {
	izq, der, t, err := c.lados(u)
	if err != nil || len(izq.filas) == 0 || len(der.filas) == 0 {
		return t, err
	}
	pasos := int64(len(izq.filas)) + int64(len(der.filas))
	for _, lado := range []struct {
		t *tabla
		k *algebra.Campo
	}{{izq, x}, {der, y}} {
		for _, f := range lado.t.filas {
			v, err := lado.t.entorno(f).campo(lado.k.Alias, lado.k.Nombre)
			if err != nil {
				return nil, err
			}
			if n := largo(v); n > 64 {
				pasos += n / 4
			}
		}
	}
	if err := c.cobrar(pasos); err != nil {
		return nil, err
	}
	for _, a := range izq.filas {
		va, err := izq.entorno(a).campo(x.Alias, x.Nombre)
		if err != nil {
			return nil, err
		}
		for _, b := range der.filas {
			vb, err := der.entorno(b).campo(y.Alias, y.Nombre)
			if err != nil {
				return nil, err
			}
			iguales, err := comparar(algebra.Igual, va, vb)
			if err != nil {
				return nil, err
			}
			if err := c.vuelta(); err != nil {
				return nil, err
			}
			if !iguales {
				continue
			}
			if err := c.productoHasta(int64(len(t.filas)) + 1); err != nil {
				return nil, err
			}
			if err := c.cobrar(1); err != nil {
				return nil, err
			}
			if err := c.agregar(t, unirFilas(a, b)); err != nil {
				return nil, err
			}
		}
	}
	c.memoria -= izq.costo() + der.costo()
	return t, nil
}

func (c *corrida) donde(d *algebra.Donde, t *tabla) (*tabla, error) {
	s := &tabla{alias: t.alias, columnas: t.columnas, agrupada: t.agrupada}
	for _, f := range t.filas {
		cumple, err := c.condicion(d.Condicion, t.entorno(f))
		if err != nil {
			return nil, err
		}
		if cumple {
			if err := c.agregar(s, f); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// sin keeps the rows for which no row of the relation satisfies the condition,
// which is evaluated against all of them (lenguaje §4).
func (c *corrida) sin(p *algebra.Sin, t *tabla) (*tabla, error) {
	r, err := c.relacion(p.De.Relacion)
	if err != nil {
		return nil, err
	}
	if err := c.productoHasta(int64(len(t.filas)) * int64(r.Largo())); err != nil {
		return nil, err
	}
	s := &tabla{alias: t.alias, columnas: t.columnas, agrupada: t.agrupada}
	alias := append(append([]string(nil), t.alias...), p.De.Alias)
	for _, f := range t.filas {
		alguna := false
		for i := range r.Largo() {
			en := t.entorno(f)
			en.alias = alias
			en.hechos = append(append([]hecho(nil), f.hechos...), hecho{r, i})
			cumple, err := c.condicion(p.Condicion, en)
			if err != nil {
				return nil, err
			}
			alguna = alguna || cumple
		}
		if !alguna {
			if err := c.agregar(s, f); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// agrupar makes one row of each combination of keys, groups in order of first
// appearance (lenguaje §4).
func (c *corrida) agrupar(p *algebra.Agrupar, t *tabla) (*tabla, error) {
	s := &tabla{agrupada: true}
	for _, k := range p.Claves {
		s.columnas = append(s.columnas, k.Nombre)
	}
	for _, g := range p.Agregados {
		s.columnas = append(s.columnas, g.Nombre)
	}
	type grupo struct {
		claves       []algebra.Valor
		acumuladores []acumulador
	}
	var grupos []*grupo
	porClave := map[string]*grupo{}
	for _, f := range t.filas {
		en := t.entorno(f)
		var claves []algebra.Valor
		identidad := ""
		for _, k := range p.Claves {
			v, err := c.evaluar(k.Expr, en)
			if err != nil {
				return nil, err
			}
			if err := c.recorrer(largo(v)); err != nil {
				return nil, err
			}
			if v.Familia() == algebra.FamiliaHecho {
				return nil, falla(algebra.ClaseClaveNoEscalar, "la clave «%s» es un hecho", algebra.Citar(k.Nombre))
			}
			claves = append(claves, v)
			identidad += identidadDeClave(v)
		}
		g := porClave[identidad]
		if g == nil {
			g = &grupo{claves: claves}
			for _, a := range p.Agregados {
				g.acumuladores = append(g.acumuladores, acumulador{funcion: a.Funcion})
			}
			porClave[identidad] = g
			grupos = append(grupos, g)
		}
		for i, a := range p.Agregados {
			if err := c.acumular(&g.acumuladores[i], a.Expr, en); err != nil {
				return nil, err
			}
		}
	}
	for _, g := range grupos {
		valores := g.claves
		for i := range g.acumuladores {
			v, err := g.acumuladores[i].terminar(c.lim)
			if err != nil {
				return nil, err
			}
			valores = append(valores, v)
		}
		if err := c.agregar(s, fila{valores: valores}); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// resumen collapses the rows that reached the end to one value.
func (c *corrida) resumen(r algebra.Resumen, t *tabla) (algebra.Valor, error) {
	a := acumulador{funcion: r.Funcion}
	for _, f := range t.filas {
		if err := c.acumular(&a, r.Expr, t.entorno(f)); err != nil {
			return nil, err
		}
	}
	return a.terminar(c.lim)
}
