package mutacion

import (
	"iter"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Mutante is another measure, one change away from the original. It is
// immutable.
type Mutante struct {
	// ID is the one of the specification's table, or a structural one with its
	// paths: «aflojar_umbral», «campo:2.2.1.1.2:n→ok». It may repeat only when
	// the form does.
	ID string
	// Cambio is a sentence in Spanish, without a final period.
	Cambio string

	forma func() algebra.Nodo
}

// Forma builds the canonical form. It may be one that does not load.
func (m Mutante) Forma() algebra.Nodo { return m.forma() }

// Todos goes over every mutant of a measure in order of generation. Their
// count can grow with the square of the measure's size: who goes over the
// mutants of a measure it does not trust has to bound how many it takes.
func Todos(m *algebra.Medida) iter.Seq[Mutante] {
	o := leer(m)
	return func(yield func(Mutante) bool) {
		for _, x := range tabla() {
			forma, cambio, ok := x.aplicar(o)
			if ok && !yield(Mutante{x.id, cambio, func() algebra.Nodo { return forma }}) {
				return
			}
		}
		for _, clase := range []func(*original, func(Mutante) bool) bool{
			(*original).fuentes, (*original).expresiones, (*original).agregados, (*original).campos,
		} {
			if !clase(o, yield) {
				return
			}
		}
	}
}

// Places of a canonical form.
const (
	enTuberia = 2
	enResumen = 3
	enUmbral  = 4
	enExpr    = 2 // of «resumen»
)

// original is a measure's form, taken apart once.
type original struct {
	raiz     algebra.Nodo
	fuente   algebra.Nodo
	pasos    []algebra.Nodo
	funcion  algebra.Funcion
	expr     algebra.Nodo // of «resumen»
	op       algebra.Comparador
	limite   algebra.Valor
	requiere algebra.Nodo // a leaf when there is none
	desde    int          // the first step after the last «agrupar»
}

func leer(m *algebra.Medida) *original {
	raiz := m.Canonica()
	tuberia := raiz.Hijo(enTuberia)
	o := &original{
		raiz: raiz, fuente: tuberia.Hijo(1), pasos: tuberia.Hijos()[2:],
		funcion: m.Resumen.Funcion, expr: raiz.Hijo(enResumen).Hijo(enExpr),
		op: m.Umbral.Op, limite: m.Umbral.Limite,
		requiere: algebra.Hoja(nil),
	}
	if r := raiz.Hijo(enUmbral + 1); r.Cabeza() == "requiere" {
		o.requiere = r
	}
	for i, p := range o.pasos {
		if p.Cabeza() == "agrupar" {
			o.desde = i + 1
		}
	}
	return o
}

// sube and baja tell the direction in which more of the value is worse, or
// better.
func (o *original) sube() bool { return o.op == algebra.Menor || o.op == algebra.MenorIgual }
func (o *original) baja() bool { return o.op == algebra.Mayor || o.op == algebra.MayorIgual }

// cuenta reports whether the summary counts: «contar», or «suma» of a
// predicate.
func (o *original) cuenta() bool {
	return o.funcion == algebra.Contar || o.funcion == algebra.Suma && esPredicado(o.expr)
}

// esPredicado reports whether an expression is a boolean by its form alone.
func esPredicado(n algebra.Nodo) bool {
	if _, ok := n.Hoja().(algebra.Booleano); ok {
		return true
	}
	c := n.Cabeza()
	return algebra.Comparador(c).Valido() || c == "y" || c == "o" || c == "no"
}

// hay reports whether some step has that head.
func (o *original) hay(cabeza string) bool {
	for _, p := range o.pasos {
		if p.Cabeza() == cabeza {
			return true
		}
	}
	return false
}

// poner returns the form with the node at a path replaced.
func poner(n algebra.Nodo, ruta algebra.Ruta, nuevo algebra.Nodo) algebra.Nodo {
	if len(ruta) == 0 {
		return nuevo
	}
	return n.Con(ruta[0], poner(n.Hijo(ruta[0]), ruta[1:], nuevo))
}

// con returns the whole form with the node at a path replaced.
func (o *original) con(nuevo algebra.Nodo, ruta ...int) algebra.Nodo {
	return poner(o.raiz, ruta, nuevo)
}

// conPasos returns the form with other steps. f gives what each becomes, and
// whether it stays.
func (o *original) conPasos(f func(i int, p algebra.Nodo) (algebra.Nodo, bool)) algebra.Nodo {
	h := []algebra.Nodo{o.raiz.Hijo(enTuberia).Hijo(0), o.fuente}
	for i, p := range o.pasos {
		if p, queda := f(i, p); queda {
			h = append(h, p)
		}
	}
	return o.con(algebra.Lista(h...), enTuberia)
}

// sinPaso returns the form without one step.
func (o *original) sinPaso(cual int) algebra.Nodo {
	return o.conPasos(func(i int, p algebra.Nodo) (algebra.Nodo, bool) { return p, i != cual })
}

// sinPasos returns the form without the steps of a head.
func (o *original) sinPasos(cabeza string) algebra.Nodo {
	return o.conPasos(func(_ int, p algebra.Nodo) (algebra.Nodo, bool) { return p, p.Cabeza() != cabeza })
}

// sinRequiere returns the form without its «requiere».
func (o *original) sinRequiere() algebra.Nodo {
	h := append([]algebra.Nodo(nil), o.raiz.Hijos()[:enUmbral+1]...)
	return algebra.Lista(append(h, o.raiz.Hijos()[enUmbral+2:]...)...)
}

// conUmbral returns the form with another comparator and limit.
func (o *original) conUmbral(op algebra.Comparador, limite algebra.Valor) algebra.Nodo {
	u := o.raiz.Hijo(enUmbral)
	return o.con(u.Con(1, algebra.HojaTexto(string(op))).Con(2, algebra.Hoja(limite)), enUmbral)
}

// conFuncion returns the form with another aggregate in the summary.
func (o *original) conFuncion(f algebra.Funcion) algebra.Nodo {
	return o.con(algebra.HojaTexto(string(f)), enResumen, 1)
}
