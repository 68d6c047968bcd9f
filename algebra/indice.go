package algebra

import (
	"fmt"
	"slices"
)

// condicion is a compiled condition and what is known of its form.
type condicion struct {
	programa *programa
	// igualdades are the equalities between two direct fields of different
	// aliases that the condition implies: the whole of it, or operands of its
	// outermost conjunction.
	igualdades []igualdad
	// entera says that the condition is one equality and nothing else.
	entera bool
	// simple says that it is made only of comparisons, logic, fields and
	// literals, so the families of its columns can prove it free of errors.
	simple bool
}

// igualdad is «a.x == b.y», by slot.
type igualdad struct {
	ranuraA, ranuraB int
	campoA, campoB   string
}

func nuevaCondicion(e Expr, alias []string) (*condicion, error) {
	p, err := compilar(e, alias)
	if err != nil {
		return nil, err
	}
	c := &condicion{programa: p, simple: true}
	for _, n := range p.nodos {
		if n.funcion == "escalar" || n.funcion == "hecho" {
			c.simple = false
		}
	}
	poner := func(e Expr) bool {
		cmp, ok := e.(*Comparacion)
		if !ok || cmp.Op != Igual {
			return false
		}
		a, okA := cmp.Izq.(*Campo)
		b, okB := cmp.Der.(*Campo)
		if !okA || !okB {
			return false
		}
		eq := igualdad{ranuraDe(alias, a.Alias), ranuraDe(alias, b.Alias), a.Nombre, b.Nombre}
		if eq.ranuraA < 0 || eq.ranuraB < 0 || eq.ranuraA == eq.ranuraB {
			return false
		}
		c.igualdades = append(c.igualdades, eq)
		return true
	}
	c.entera = poner(e)
	if l, ok := e.(*Logico); ok && l.Op == "y" {
		for _, o := range l.Operandos {
			poner(o)
		}
	}
	return c, nil
}

// cruzada orders the equality so that A is at the left of the border between
// two tables joined side by side, or returns nil when it is not across it.
func (q igualdad) cruzada(borde int) *igualdad {
	if q.ranuraA >= borde {
		q = igualdad{q.ranuraB, q.ranuraA, q.campoB, q.campoA}
	}
	if q.ranuraA >= borde || q.ranuraB < borde {
		return nil
	}
	return &q
}

// indexable returns an equality to look pairs up by, when the classes of the
// columns prove that the condition cannot fail on any pair; nil otherwise.
// Without the proof the pairs are all compared, so that errors are the same.
func (x *ejecucion) indexable(c *condicion, izq, der *tabla) *igualdad {
	if !c.simple || x.op.SinIndices {
		return nil
	}
	borde := len(izq.relaciones)
	columna := func(ranura int, campo string) *Columna {
		t := izq
		if ranura >= borde {
			t, ranura = der, ranura-borde
		}
		return t.columna(ranura, campo)
	}
	if !c.programa.sinErrores(columna) {
		return nil
	}
	for _, q := range c.igualdades {
		if eq := q.cruzada(borde); eq != nil {
			return eq
		}
	}
	return nil
}

// columna returns a slot's field as a column without nulls of one type, or nil.
func (t *tabla) columna(ranura int, campo string) *Columna {
	r := t.relaciones[ranura]
	i, ok := r.buscar(campo)
	if !ok {
		return nil
	}
	c := r.campos[i].resuelto(r.n)
	if c.filas != nil || c.columna.Clase == ClaseMixta {
		return nil
	}
	return c.columna
}

// sinErrores reports whether the classes of the columns the program reads
// prove that no row can fail, that it gives booleans, and that its steps are
// those of its nodes: no comparison has long texts at both sides.
func (p *programa) sinErrores(columna func(ranura int, campo string) *Columna) bool {
	clases, largos := make([]ClaseColumna, len(p.nodos)), make([]bool, len(p.nodos))
	for i, n := range p.nodos {
		switch n.funcion {
		case "literal":
			clases[i], largos[i] = n.literal.Clase, hayLargos(n.literal)
		case "campo", "col":
			if n.ranura < 0 {
				return false
			}
			c := columna(n.ranura, n.nombre)
			if c == nil {
				return false
			}
			clases[i], largos[i] = c.Clase, hayLargos(c)
		case "y", "o", "no":
			for _, h := range n.hijos {
				if clases[h] != ClaseBooleanos {
					return false
				}
			}
			clases[i] = ClaseBooleanos
		case "escalar", "hecho":
			return false
		default:
			a, b := &Columna{Clase: clases[n.hijos[0]]}, &Columna{Clase: clases[n.hijos[1]]}
			igual := n.op == Igual || n.op == Distinto
			if a.familia() == FamiliaNula || a.familia() != b.familia() ||
				igual && (a.Clase == ClaseFlotantes || b.Clase == ClaseFlotantes) ||
				largos[n.hijos[0]] && largos[n.hijos[1]] {
				return false
			}
			clases[i] = ClaseBooleanos
		}
	}
	return clases[len(clases)-1] == ClaseBooleanos
}

// indice finds the rows of a table by key, ascending.
type indice[K comparable] struct {
	grupos map[K]int32
	desde  []int32 // where each group's rows start in filas
	filas  []int32
}

func indexar[K comparable](claves []K) *indice[K] {
	ix := &indice[K]{grupos: make(map[K]int32, len(claves)), filas: make([]int32, len(claves))}
	grupo := make([]int32, len(claves))
	var cuantos []int32
	for i, k := range claves {
		g, ok := ix.grupos[k]
		if !ok {
			g = int32(len(cuantos))
			ix.grupos[k] = g
			cuantos = append(cuantos, 0)
		}
		grupo[i] = g
		cuantos[g]++
	}
	ix.desde = make([]int32, len(cuantos)+1)
	for g, n := range cuantos {
		ix.desde[g+1] = ix.desde[g] + n
	}
	lugar := slices.Clone(ix.desde)
	for i, g := range grupo {
		ix.filas[lugar[g]] = int32(i)
		lugar[g]++
	}
	return ix
}

func (ix *indice[K]) buscar(k K) []int32 {
	g, ok := ix.grupos[k]
	if !ok {
		return nil
	}
	return ix.filas[ix.desde[g]:ix.desde[g+1]]
}

// buscador returns, for each row of izq, the rows of der with the same key.
// Both columns are of one class, not of floats.
func buscador(izq, der *tabla, q *igualdad) func(i int) []int32 {
	borde := len(izq.relaciones)
	a, b := izq.columna(q.ranuraA, q.campoA), der.columna(q.ranuraB-borde, q.campoB)
	fa, fb := izq.filas[q.ranuraA], der.filas[q.ranuraB-borde]
	switch a.Clase {
	case ClaseEnteros:
		return buscadorDe(a.Enteros, b.Enteros, fa, fb)
	case ClaseTextos:
		return buscadorDe(a.Textos, b.Textos, fa, fb)
	default:
		return buscadorDe(a.Booleanos, b.Booleanos, fa, fb)
	}
}

func buscadorDe[K comparable](a, b []K, fa, fb []int32) func(i int) []int32 {
	if fb != nil {
		claves := make([]K, len(fb))
		reunir(claves, b, fb)
		b = claves
	}
	ix := indexar(b)
	return func(i int) []int32 {
		if fa != nil {
			i = int(fa[i])
		}
		return ix.buscar(a[i])
	}
}

// candidatos runs the condition over the pairs an index offers, in order, and
// hands the ones that satisfy it to tomar.
func (x *ejecucion) candidatos(b barrido, c *condicion, q *igualdad, tomar func(i, j int32) error) error {
	pase := b.pase(c.programa, "")
	w := x.obrero(pase)
	buscar := buscador(b.izq, b.der, q)
	ranuras := len(b.izq.relaciones)
	var i, j []int32
	evaluar := func() error {
		if err := x.ctx.Err(); err != nil || len(i) == 0 {
			return err
		}
		for s := range w.vistas {
			filas, t, ranura := i, b.izq, s
			if s >= ranuras {
				filas, t, ranura = j, b.der, s-ranuras
			}
			if t.filas[ranura] != nil {
				w.idx[s] = conLargo(w.idx[s], len(filas))
				reunir(w.idx[s], t.filas[ranura], filas)
				filas = w.idx[s]
			}
			w.vistas[s] = vista{modo: vistaIndices, filas: filas}
		}
		w.lote.n, w.lote.err, w.lote.bytes = len(i), nil, 0
		mascara, err := w.marcos[0].correr()
		if err != nil {
			return err
		}
		if w.lote.n < len(i) {
			return &ErrorInterno{Causa: fmt.Errorf("un par probado sin errores falló: %w", w.lote.err)}
		}
		for k := range i {
			if booleanoEn(mascara, k) != 0 {
				if err := tomar(i[k], j[k]); err != nil {
					return err
				}
			}
		}
		i, j = i[:0], j[:0]
		return nil
	}
	for f := range b.izq.n {
		for _, g := range buscar(f) {
			if i, j = append(i, int32(f)), append(j, g); len(i) == tamanoDeLote {
				if err := evaluar(); err != nil {
					return err
				}
			}
		}
	}
	return evaluar()
}

// algunCandidato marks the left rows some pair of which satisfies the condition.
func (x *ejecucion) algunCandidato(b barrido, c *condicion, q *igualdad) ([]bool, error) {
	cumplen := make([]bool, b.izq.n)
	if c.entera {
		buscar := buscador(b.izq, b.der, q)
		for i := range cumplen {
			cumplen[i] = len(buscar(i)) > 0
		}
		return cumplen, nil
	}
	err := x.candidatos(b, c, q, func(i, _ int32) error {
		cumplen[i] = true
		return nil
	})
	return cumplen, err
}
