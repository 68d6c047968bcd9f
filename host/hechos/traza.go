package hechos

import (
	"context"
	"strconv"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Trazar adds «paso», «producto» and «nodo»: what the evaluator did with a
// measure and an evidence, step by step. It asks the evaluator itself: rows are
// counted by running every prefix of the pipeline, and the operands of the
// logical operators are counted by scalars put around them, that return what
// they are given. The error is that of evaluating; facts may then be partial.
func (h *Hechos) Trazar(ctx context.Context, m *algebra.Medida, ev *algebra.Evidencia, esc algebra.Escalares, lim algebra.LimitesAlgebra) error {
	// A probe around every operand makes the forms deeper and longer than what
	// the measure was allowed.
	lim = lim.Completos()
	lim.ProfundidadExpresion *= 3
	lim.NodosDeMedida *= 4
	t := trazador{ctx: ctx, h: h, forma: m.Canonica(), ev: ev, esc: esc, lim: lim}
	if err := t.productos(t.tuberia().Hijo(1)); err != nil {
		return err
	}
	if err := t.pasos(); err != nil {
		return err
	}
	return t.nodos()
}

type trazador struct {
	ctx   context.Context
	h     *Hechos
	forma algebra.Nodo
	ev    *algebra.Evidencia
	esc   algebra.Escalares
	lim   algebra.LimitesAlgebra
}

func (t *trazador) tuberia() algebra.Nodo { return t.forma.Hijo(2) }

// filas runs a pipeline and returns how many rows reach its end.
func (t *trazador) filas(tuberia algebra.Nodo, esc algebra.Escalares) (int, error) {
	texto := algebra.HojaTexto
	n := algebra.Lista(texto("medida"), texto("traza.filas"), tuberia,
		algebra.Lista(texto("resumen"), texto("contar"), algebra.Hoja(algebra.NuevoEntero(1))),
		algebra.Lista(texto("umbral"), texto(">="), algebra.Hoja(algebra.NuevoEntero(0)), texto("")),
		algebra.Lista(texto("alcance"), texto("cuenta filas")))
	m, err := algebra.Cargar(n, esc, t.lim)
	if err != nil {
		return 0, err
	}
	// One goroutine: the probes count without a lock.
	v, err := algebra.EvaluarCon(t.ctx, m, t.ev, t.lim, algebra.Opciones{Nucleos: 1})
	if err != nil {
		return 0, err
	}
	return v.CantidadDeTestigos(), nil
}

func desde(partes ...algebra.Nodo) algebra.Nodo {
	return algebra.Lista(append([]algebra.Nodo{algebra.HojaTexto("desde")}, partes...)...)
}

// productos adds a fact for each «unir», innermost first.
func (t *trazador) productos(fuente algebra.Nodo) error {
	if fuente.Cabeza() != "unir" {
		return nil
	}
	var lados [2]int
	for i := range lados {
		lado := fuente.Hijo(i + 1)
		if err := t.productos(lado); err != nil {
			return err
		}
		var err error
		if lados[i], err = t.filas(desde(lado), t.esc); err != nil {
			return err
		}
	}
	salida, err := t.filas(desde(fuente), t.esc)
	if err != nil {
		return err
	}
	t.h.poner("producto", lados[0], lados[1], salida)
	return nil
}

// pasos adds a fact for each step after the source.
func (t *trazador) pasos() error {
	hijos := t.tuberia().Hijos()
	antes, err := t.filas(desde(hijos[1]), t.esc)
	if err != nil {
		return err
	}
	for i := 2; i < len(hijos); i++ {
		despues, err := t.filas(desde(hijos[1:i+1]...), t.esc)
		if err != nil {
			return err
		}
		t.h.poner("paso", i-1, hijos[i].Cabeza(), antes, despues)
		antes = despues
	}
	return nil
}

// nodos adds a fact for each logical operator of the steps that some row
// reached.
func (t *trazador) nodos() error {
	s := &sondas{debajo: t.esc}
	instrumentada := s.tuberia(t.tuberia())
	if len(s.logicos) == 0 {
		return nil
	}
	if _, err := t.filas(instrumentada, s); err != nil {
		return err
	}
	for _, l := range s.logicos {
		if l.filas.vistas == 0 {
			continue
		}
		evaluados := 0
		for _, o := range l.operandos {
			if o.vistas >= l.filas.vistas {
				evaluados++
			}
		}
		t.h.poner("nodo", l.cabeza, len(l.operandos), evaluados)
	}
	return nil
}

// sondas puts scalars around logical operators and their operands.
type sondas struct {
	debajo  algebra.Escalares
	logicos []*logico
	todas   []*sonda
}

type logico struct {
	cabeza    string
	filas     *sonda // around the operator: rows it was computed for
	operandos []*sonda
}

// sonda is a scalar that counts the rows it is computed for.
type sonda struct {
	escalar *algebra.Escalar
	vistas  int
}

const prefijoDeSonda = "sonda_"

// Buscar implements [algebra.Escalares].
func (s *sondas) Buscar(nombre string) *algebra.Escalar {
	for _, x := range s.todas {
		if x.escalar.Nombre == nombre {
			return x.escalar
		}
	}
	if s.debajo == nil {
		return nil
	}
	return s.debajo.Buscar(nombre)
}

func (s *sondas) nueva() *sonda {
	x := &sonda{}
	x.escalar = &algebra.Escalar{
		Nombre: prefijoDeSonda + strconv.Itoa(len(s.todas)), Min: 1, Max: 1, Procedencia: "oracle",
		Aplicar: func(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
			x.vistas += l.N()
			return args[0]
		},
	}
	s.todas = append(s.todas, x)
	return x
}

// alrededor returns the call of a probe on n.
func (x *sonda) alrededor(n algebra.Nodo) algebra.Nodo {
	return algebra.Lista(algebra.HojaTexto(x.escalar.Nombre), n)
}

// tuberia instruments the conditions and expressions of the steps.
func (s *sondas) tuberia(n algebra.Nodo) algebra.Nodo {
	for i := 2; i < n.Largo(); i++ {
		p := n.Hijo(i)
		switch p.Cabeza() {
		case "donde":
			p = p.Con(1, s.expr(p.Hijo(1)))
		case "sin":
			p = p.Con(2, s.expr(p.Hijo(2)))
		case "agrupar":
			for k := 1; k <= 2; k++ {
				lista := p.Hijo(k)
				for j, c := range lista.Hijos() {
					ultimo := c.Largo() - 1
					lista = lista.Con(j, c.Con(ultimo, s.expr(c.Hijo(ultimo))))
				}
				p = p.Con(k, lista)
			}
		}
		n = n.Con(i, p)
	}
	return n
}

func (s *sondas) expr(n algebra.Nodo) algebra.Nodo {
	cabeza := n.Cabeza()
	if !n.EsLista() || cabeza == "campo" || cabeza == "hecho" || cabeza == "col" {
		return n
	}
	if cabeza != "y" && cabeza != "o" && cabeza != "no" {
		for i := 1; i < n.Largo(); i++ {
			n = n.Con(i, s.expr(n.Hijo(i)))
		}
		return n
	}
	l := &logico{cabeza: cabeza, filas: s.nueva()}
	s.logicos = append(s.logicos, l)
	for i := 1; i < n.Largo(); i++ {
		o := s.nueva()
		l.operandos = append(l.operandos, o)
		n = n.Con(i, o.alrededor(s.expr(n.Hijo(i))))
	}
	return l.filas.alrededor(n)
}
