package macro

import (
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Expandir turns an invocation into the form its template says, round after
// round until the form is no invocation. The nodes of the guards evaluated on
// the way are bounded as those of the form are. A form that is none is returned as it
// is. The error is *[algebra.LimiteError] for expansiones_maximas and
// nodos_de_medida, and *[algebra.ErrorDeCarga] for a wrong count of arguments
// or a guard that does not hold or cannot be computed (lenguaje §7).
func (t *Tabla) Expandir(n algebra.Nodo, lim algebra.LimitesAlgebra) (algebra.Nodo, error) {
	f, _, err := t.ExpandirConTraza(n, lim)
	return f, err
}

// ExpandirConTraza is [Tabla.Expandir], and tells besides which node of n each
// node of the result came from.
func (t *Tabla) ExpandirConTraza(n algebra.Nodo, lim algebra.LimitesAlgebra) (algebra.Nodo, *Traza, error) {
	lim = lim.Completos()
	traza := &Traza{identica: true}
	nodosDeGuardas := int64(0)
	for vueltas := int64(0); ; {
		m := t.Buscar(n.Cabeza())
		if m == nil {
			return n, traza, nil
		}
		if vueltas++; vueltas > lim.ExpansionesMaximas {
			return algebra.Nodo{}, nil, &algebra.LimiteError{Nombre: algebra.LimiteExpansiones, Observado: vueltas, Limite: lim.ExpansionesMaximas}
		}
		args, trazas, err := m.argumentos(n, traza)
		if err != nil {
			return algebra.Nodo{}, nil, err
		}
		s, err := nuevaSustitucion(m, args, trazas, lim)
		if err != nil {
			return algebra.Nodo{}, nil, err
		}
		for _, g := range m.guardas {
			if err := t.exigir(m, g, s, &nodosDeGuardas, lim); err != nil {
				return algebra.Nodo{}, nil, err
			}
		}
		if n, err = s.en(m.plantilla); err != nil {
			return algebra.Nodo{}, nil, err
		}
		traza = s.traza(m.plantilla)
	}
}

// ExpandirPlantilla expands the template of m as far as it goes leaving the
// holes of m where they end up, and evaluates no guard: what shape an
// invocation of m will have, whatever its arguments.
func (t *Tabla) ExpandirPlantilla(m *Macro, lim algebra.LimitesAlgebra) (algebra.Nodo, error) {
	sinGuardas := t.copia()
	for nombre, x := range sinGuardas.macros {
		if len(x.guardas) > 0 {
			y := *x
			y.guardas = nil
			sinGuardas.macros[nombre] = &y
		}
	}
	return sinGuardas.Expandir(m.plantilla, lim)
}

// argumentos returns the arguments of an invocation in the order of the
// parameters, with their traces. «ambito», or «segun» and «ambito», may be
// left out: they are then sin_declarar.
func (m *Macro) argumentos(n algebra.Nodo, traza *Traza) (args []algebra.Nodo, trazas []*Traza, err error) {
	dados, pedidos := n.Largo()-1, len(m.parametros)
	var omitidos []string
	switch pedidos - dados {
	case 0:
	case 1:
		omitidos = []string{"ambito"}
	case 2:
		omitidos = []string{"segun", "ambito"}
	}
	for _, o := range omitidos {
		if i, existe := m.indice[o]; !existe || i == 0 {
			omitidos = nil
			break
		}
	}
	if dados+len(omitidos) != pedidos {
		return nil, nil, errorEn(nil, "«%s» lleva %d argumentos y llegaron %d", algebra.Citar(m.nombre), pedidos, dados)
	}
	i := 0
	for _, p := range m.parametros {
		if slices.Contains(omitidos, p) {
			args = append(args, algebra.HojaTexto(algebra.SinDeclarar))
			trazas = append(trazas, &Traza{})
			continue
		}
		i++
		args = append(args, n.Hijo(i))
		trazas = append(trazas, traza.hija(i))
	}
	return args, trazas, nil
}

// sustitucion replaces the holes of one macro's forms by arguments.
type sustitucion struct {
	m       *Macro
	args    []algebra.Nodo
	trazas  []*Traza
	tamanos []int64 // nodes of each argument
	lim     algebra.LimitesAlgebra
}

func nuevaSustitucion(m *Macro, args []algebra.Nodo, trazas []*Traza, lim algebra.LimitesAlgebra) (*sustitucion, error) {
	s := &sustitucion{m: m, args: args, trazas: trazas, lim: lim}
	var total int64
	for _, a := range args {
		c := a.Contar(lim.NodosDeMedida)
		if total += c; total > lim.NodosDeMedida {
			return nil, excesoDeNodos(total, lim)
		}
		s.tamanos = append(s.tamanos, c)
	}
	return s, nil
}

func excesoDeNodos(total int64, lim algebra.LimitesAlgebra) error {
	return &algebra.LimiteError{Nombre: algebra.LimiteNodosDeMedida, Observado: total, Limite: lim.NodosDeMedida}
}

// en returns the form with its holes replaced. The nodes of the result are
// counted first: one over the limit is never built.
func (s *sustitucion) en(n algebra.Nodo) (algebra.Nodo, error) {
	if total := s.contar(n, 0); total > s.lim.NodosDeMedida {
		return algebra.Nodo{}, excesoDeNodos(total, s.lim)
	}
	return s.poner(n), nil
}

// contar adds to total the nodes n will have, and stops past the limit.
func (s *sustitucion) contar(n algebra.Nodo, total int64) int64 {
	if p, ok := Hueco(n); ok {
		return total + s.tamanos[s.m.indice[p]]
	}
	total++
	for _, h := range n.Hijos() {
		if total > s.lim.NodosDeMedida {
			return total
		}
		total = s.contar(h, total)
	}
	return total
}

func (s *sustitucion) poner(n algebra.Nodo) algebra.Nodo {
	if p, ok := Hueco(n); ok {
		return s.args[s.m.indice[p]]
	}
	if !n.EsLista() {
		return n
	}
	hijos := make([]algebra.Nodo, n.Largo())
	for i, h := range n.Hijos() {
		hijos[i] = s.poner(h)
	}
	return algebra.Lista(hijos...)
}
