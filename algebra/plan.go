package algebra

// plan is a measure compiled: one program for each expression, with the slots
// its aliases will have. It does not depend on the evidence and is shared.
type plan struct {
	requiere []*programa // one for each entry, nil for a plain one
	pasos    []pasoPlan
	resumen  *programa
}

// pasoPlan is one compiled step; exactly one field is set.
type pasoPlan struct {
	donde   *condicion
	sin     *planSin
	agrupar *planDeGrupo
}

type planSin struct {
	de        De
	condicion *condicion
}

// plan compiles the measure the first time it is evaluated.
func (m *Medida) plan() (*plan, error) {
	m.compilar.Do(func() { m.compilado, m.falla = m.planear() })
	return m.compilado, m.falla
}

func (m *Medida) planear() (*plan, error) {
	pl := &plan{}
	for _, r := range m.Requiere {
		var p *programa
		if r.Condicion != nil {
			var err error
			if p, err = compilar(r.Condicion, []string{r.Alias}); err != nil {
				return nil, err
			}
		}
		pl.requiere = append(pl.requiere, p)
	}
	var alias []string
	for _, d := range AliasDe(m.Fuente) {
		alias = append(alias, d.Alias)
	}
	for _, paso := range m.Pasos {
		var p pasoPlan
		var err error
		switch s := paso.(type) {
		case *Donde:
			p.donde, err = nuevaCondicion(s.Condicion, alias)
		case *Sin:
			p.sin = &planSin{de: s.De}
			p.sin.condicion, err = nuevaCondicion(s.Condicion, append(alias[:len(alias):len(alias)], s.De.Alias))
		case *Agrupar:
			p.agrupar, err = planearGrupo(s, alias)
			alias = []string{aliasDeGrupo}
		}
		if err != nil {
			return nil, err
		}
		pl.pasos = append(pl.pasos, p)
	}
	var err error
	pl.resumen, err = compilar(m.Resumen.Expr, alias)
	return pl, err
}

func planearGrupo(s *Agrupar, alias []string) (*planDeGrupo, error) {
	g := &planDeGrupo{}
	for _, c := range s.Claves {
		p, err := compilar(c.Expr, alias)
		if err != nil {
			return nil, err
		}
		g.claves, g.nombres = append(g.claves, p), append(g.nombres, c.Nombre)
	}
	for _, a := range s.Agregados {
		var p *programa
		if a.Funcion != Contar {
			var err error
			if p, err = compilar(a.Expr, alias); err != nil {
				return nil, err
			}
		}
		g.agregados, g.nombres = append(g.agregados, p), append(g.nombres, a.Nombre)
		g.funciones = append(g.funciones, a.Funcion)
	}
	return g, nil
}
