package host

import (
	"context"
	"errors"
	"sync/atomic"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/mutacion"
)

// pasosPorNodo is how many steps of the call each node of each mutant spends:
// making it and loading it takes as long as that many of them. How many mutants
// there are grows with the square of a measure, so without it a text of a few
// KiB could ask for hours of loading alone.
const pasosPorNodo = 500

// prueba is a case a measure is challenged with, and what the measure itself
// says of it.
type prueba struct {
	casoDeMedida
	efimero bool

	estado algebra.Estado // "" when it raised
	falla  error          // of reading the evidence or of evaluating

	// Kept from the first evaluation while there is room; nil after that, and
	// obtained again whenever somebody needs them.
	ev       *algebra.Evidencia
	original *algebra.Veredicto
}

// cumple reports whether the measure said what the case expects. No case
// expects the state of one that raised.
func (c *prueba) cumple() bool { return c.espera.Cumple(c.estado) }

// obtenido is what the measure said: a state, or «error».
func (c *prueba) obtenido() string {
	if c.falla != nil {
		return "error"
	}
	return string(c.estado)
}

// desafiada is a measure with its cases, on the way to its mutants.
type desafiada struct {
	q       *consulta
	medida  *algebra.Medida
	pruebas []prueba
	b       *presupuesto
	guarda  atomic.Int64 // bytes that may still be kept

	// ver, when not nil, is shown the verdict of each case. It is called from
	// several goroutines, once for each index.
	ver func(i int, v *algebra.Veredicto)
}

// originales evaluates the measure over its cases, in parallel. What goes wrong
// in one stays in it, but for a fault of this program. The error is *[Error], or
// the context's.
func (d *desafiada) originales() error {
	q := d.q
	d.guarda.Store(q.p.Limites().MemoriaDeOperacion / parteQueSeGuarda)
	nucleos := max(1, q.p.hilos()/max(1, len(d.pruebas)))
	if err := q.p.cadaUno(q.ctx, len(d.pruebas), nil, func(i int) {
		if !d.b.agotado() {
			d.originalEn(i, nucleos)
		}
	}); err != nil {
		return err
	}
	if err := d.b.error(); err != nil {
		return err
	}
	for i := range d.pruebas {
		if err := d.pruebas[i].falla; interno(err) {
			return q.errorDeEvaluar(err, "$.medida")
		}
	}
	return nil
}

// interno reports whether a failure is this program's own.
func interno(err error) bool {
	var e *algebra.ErrorInterno
	return errors.As(err, &e)
}

// parteQueSeGuarda is which part of what an evaluation may take a challenge
// keeps between evaluations.
const parteQueSeGuarda = 4

// bytesPorTexto is how many bytes of memory a byte of evidence may turn into.
const bytesPorTexto = 6

// originalEn evaluates the measure itself in a case.
func (d *desafiada) originalEn(i, nucleos int) {
	c := &d.pruebas[i]
	ev, err := d.evidencia(c)
	if err != nil {
		c.falla = err
		return
	}
	v, err := d.q.evaluarUna(d.medida, ev, d.b, nucleos)
	if err != nil {
		c.falla = err
		return
	}
	c.estado = v.Estado
	if d.ver != nil {
		d.ver(i, v)
	}
	if c.ev == nil && d.guardar(bytesPorTexto*int64(len(c.evidencia))) {
		c.ev = ev
	}
	if c.ev != nil && d.guardar(v.Bytes()) {
		c.original = v
	}
}

// guardar reports whether there is room for so many bytes, and takes it.
func (d *desafiada) guardar(n int64) bool {
	if d.guarda.Add(-n) >= 0 {
		return true
	}
	d.guarda.Add(n)
	return false
}

func (d *desafiada) evidencia(c *prueba) (*algebra.Evidencia, error) {
	if c.ev != nil {
		return c.ev, nil
	}
	return d.q.evidencia(c.evidencia, "$.evidencia", false)
}

// originalDe returns what the measure itself says in a case. What is obtained
// again was charged the first time.
func (d *desafiada) originalDe(ctx context.Context, c *prueba, ev *algebra.Evidencia) (*algebra.Veredicto, error) {
	if c.original != nil {
		return c.original, nil
	}
	return algebra.EvaluarCon(ctx, d.medida, ev, d.q.p.Limites(), algebra.Opciones{Nucleos: 1})
}

// destino is what the cases made of a mutant: the three classes.
type destino string

const (
	detectado  destino = "detectado_por_conducta"
	rechazado  destino = "rechazado_por_el_algebra"
	sobrevivio destino = "sobrevivio"
)

// mutante is a mutant and the cases that told it from the original by conduct,
// and those where it raised; one that does not load raises in all.
type mutante struct {
	mutacion.Mutante
	conductuales, rechazos int
}

// destino classifies the mutant (mutacion, «El desafío»). A rejection is never
// a detection: what the algebra refuses says nothing of the cases.
func (m *mutante) destino() destino {
	switch {
	case m.conductuales > 0:
		return detectado
	case m.rechazos > 0:
		return rechazado
	default:
		return sobrevivio
	}
}

// mutar generates the mutants and runs them over the cases, in parallel and
// with the same result in any number of goroutines. Without todas, the cases
// after the one that tells a mutant apart are spared: its class is decided. The
// measure has to have a verdict in every case. avance, which may be nil, is
// told how many were run of how many. The error is *[Error], or the context's.
func (d *desafiada) mutar(todas bool, avance func(hechos, total int)) ([]mutante, error) {
	ms, err := d.generar()
	if err != nil {
		return nil, err
	}
	ctx, parar := context.WithCancelCause(d.q.ctx)
	defer parar(nil)
	err = d.q.p.cadaUno(ctx, len(ms), avance, func(i int) {
		if err := d.correr(ctx, &ms[i], todas); err != nil {
			parar(err)
		}
	})
	switch {
	case d.q.ctx.Err() != nil:
		return nil, d.q.ctx.Err()
	case d.b.error() != nil:
		return nil, d.b.error()
	case err != nil:
		return nil, d.q.errorDeEvaluar(context.Cause(ctx), "$.medida")
	}
	return ms, nil
}

// generar lists the mutants, without their forms, and charges what making and
// loading each will take.
func (d *desafiada) generar() ([]mutante, error) {
	ms := []mutante{}
	pasos := pasosPorNodo * d.medida.Canonica().Contar(d.q.p.Limites().NodosDeMedida)
	for m := range mutacion.Todos(d.medida) {
		ms = append(ms, mutante{Mutante: m})
		if d.b.gastar(pasos); d.b.agotado() {
			return nil, d.b.error()
		}
		if len(ms)%1024 == 0 && d.q.ctx.Err() != nil {
			return nil, d.q.ctx.Err()
		}
	}
	return ms, nil
}

// correr runs one mutant over the cases in order. The error is one that stops
// the whole challenge: a fault of this program.
func (d *desafiada) correr(ctx context.Context, m *mutante, todas bool) error {
	otra, err := algebra.Cargar(m.Forma(), d.q.lengua.escalares, d.q.lengua.lim)
	if err != nil {
		m.rechazos = len(d.pruebas)
		return nil
	}
	for i := range d.pruebas {
		if ctx.Err() != nil || d.b.agotado() {
			return nil
		}
		distinto, err := d.compararEn(ctx, &d.pruebas[i], otra)
		switch {
		case err != nil && (ctx.Err() != nil || interno(err)):
			return err
		case err != nil:
			m.rechazos++
		case distinto:
			if m.conductuales++; !todas {
				return nil
			}
		}
	}
	return nil
}

// compararEn reports whether another measure says in a case something else than
// the original.
func (d *desafiada) compararEn(ctx context.Context, c *prueba, otra *algebra.Medida) (bool, error) {
	ev, err := d.evidencia(c)
	if err != nil {
		return false, err
	}
	v, err := algebra.EvaluarCon(ctx, otra, ev, d.q.p.Limites(), algebra.Opciones{Nucleos: 1, Gasto: d.b.gastar})
	if err != nil {
		return false, err
	}
	original, err := d.originalDe(ctx, c, ev)
	if err != nil {
		return false, err
	}
	return !v.MismaConducta(original), nil
}
