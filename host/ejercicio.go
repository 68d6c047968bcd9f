package host

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/base"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

// Fijacion says who answers for a measure (contract, «oracle_catalogo_efectivo»).
type Fijacion string

// The four fixations.
const (
	FijadaPorEvidencia Fijacion = "evidencia"
	FijadaPorArnes     Fijacion = "arnes"
	Heredada           Fijacion = "heredada"
	SinFijar           Fijacion = "sin_fijar"
)

// resultado is what came of evaluating a case.
type resultado struct {
	evaluado  bool // there was an effective measure to evaluate
	veredicto *algebra.Veredicto
	err       error // of reading the evidence or of evaluating
}

// correr evaluates every case that names an effective measure, in parallel. The
// error is the context's or LIMITE_DE_ALGEBRA for the whole call's budget; what
// goes wrong with one case stays in its result.
func (q *consulta) correr(cat *Catalogo, casos []casoDeMedida) ([]resultado, error) {
	rs := make([]resultado, len(casos))
	b := q.p.presupuesto(remedioDelCorpus)
	err := q.p.cadaUno(q.ctx, len(casos), nil, func(i int) {
		e := cat.efectiva[casos[i].medida]
		if e == nil || b.agotado() {
			return
		}
		rs[i].evaluado = true
		ev, err := q.evidencia(casos[i].evidencia, "$.evidencia", false)
		if err == nil {
			rs[i].veredicto, err = q.evaluarUna(e.Medida, ev, b, 1)
		}
		if err == nil {
			rs[i].veredicto = rs[i].veredicto.Recortar(topeDeTestigos)
		}
		rs[i].err = err
	})
	if err == nil {
		err = b.error()
	}
	return rs, err
}

// ejercicio is which cases exercise each effective measure.
type ejercicio struct {
	casos      []casoDeMedida
	resultados []resultado
	evaluan    map[string]int // cases that evaluated the measure, by id
}

// ejercitar reads everything that can exercise the catalog and runs it. One
// case, or one differential, that cannot be used leaves nothing to count: the
// error is EVIDENCIA_INCOMPLETA (proyecto §7).
func (q *consulta) ejercitar(cat *Catalogo) (*ejercicio, error) {
	casos, err := q.corpus()
	if err != nil {
		return nil, comoIncompleta(err)
	}
	escenarios, err := q.diferenciales(cat.formaEfectiva)
	if err != nil {
		return nil, comoIncompleta(err)
	}
	x := &ejercicio{casos: append(casos, escenarios...), evaluan: map[string]int{}}
	if x.resultados, err = q.correr(cat, x.casos); err != nil {
		return nil, err
	}
	for i, r := range x.resultados {
		c := x.casos[i]
		switch {
		case !r.evaluado:
		case r.err != nil:
			motivo, _ := partir(motivoDe(r.err))
			return nil, ErrIncompleta(fmt.Sprintf("«%s» no evalúa en el caso %s (%s): %s", c.medida, algebra.Citar(c.id), citarRuta(c.origen), motivo), q.deCaso(c, r.err)).por(r.err)
		default:
			x.evaluan[c.medida]++
		}
	}
	return x, nil
}

// deCaso tells how to mend a case whose measure did not evaluate.
func (q *consulta) deCaso(c casoDeMedida, err error) rechazo.Remedio {
	medida := "la medida «" + c.medida + "»"
	var e *Error
	if !errors.As(err, &e) && !errors.As(q.errorDeEvaluar(err, medida), &e) {
		return rechazo.Remedio{Campo: citarRuta(c.origen)}
	}
	r := rechazo.Remedio{Campo: citarRuta(c.origen), Correccion: e.remedio.Correccion}
	if strings.HasPrefix(e.remedio.Campo, "$.evidencia") {
		r.Campo += ", " + strings.TrimPrefix(e.remedio.Campo, "$.")
	} else if e.remedio.Campo != "" {
		r.Campo += ", " + medida
	}
	return r
}

// deJueza tells what to do when the embedded judge does not judge: either a
// limit that the start set too low for it, or a fault of this program.
func deJueza(err error) rechazo.Remedio {
	var l *algebra.LimiteError
	if errors.As(err, &l) {
		return rechazo.Remedio{Campo: l.Nombre, Correccion: "la jueza mira una fila por medida efectiva y no le alcanza: las medidas no se sacan; " + subir(l) + "."}
	}
	return rechazo.Remedio{Correccion: rechazo.FallaPropia}
}

// motivoDe says why something could not be evaluated, in one phrase.
func motivoDe(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return string(e.codigo) + ": " + e.mensaje
	}
	return err.Error()
}

// fijaciones decides who answers for each effective measure, in the order of
// the catalog. Nothing is counted here to decide it: the relation
// «medida_en_uso» is built and a measure judges it, whose witnesses are the
// ones nobody exercises.
func (q *consulta) fijaciones(cat *Catalogo, x *ejercicio) ([]Fijacion, error) {
	jueza, err := q.jueza()
	if err != nil {
		return nil, err
	}
	b := []byte(`{"medida_en_uso":[`)
	n := 0
	for _, e := range cat.efectivas {
		if e.porArnes() && x.evaluan[e.ID()] == 0 {
			continue // the verifier is what evaluates it, not a case
		}
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = appendMedidaEnUso(b, e, x.evaluan[e.ID()], -1)
	}
	ev, err := algebra.LeerEvidencia(append(b, "]}"...), q.p.Limites(), algebra.OpcionesDeEvidencia{})
	if err != nil {
		return nil, ErrIncompleta(motivoDe(err), deJueza(err)).por(err)
	}
	v, err := algebra.Evaluar(q.ctx, jueza, ev, q.p.Limites())
	if err != nil {
		if q.ctx.Err() != nil {
			return nil, err
		}
		return nil, ErrIncompleta("la medida jueza falló: "+motivoDe(err), deJueza(err)).por(err)
	}
	sueltas := map[string]bool{}
	for i := range v.CantidadDeTestigos() {
		id, err := medidaDelTestigo(v.AppendTestigo(nil, i))
		if err != nil {
			return nil, ErrIncompleta("la medida jueza dio un testigo que no nombra una medida", deJueza(err)).por(err)
		}
		sueltas[id] = true
	}
	fs := make([]Fijacion, len(cat.efectivas))
	for i, e := range cat.efectivas {
		switch {
		case !e.Origen.Propio():
			fs[i] = Heredada
		case sueltas[e.ID()]:
			fs[i] = SinFijar
		case x.evaluan[e.ID()] > 0:
			fs[i] = FijadaPorEvidencia
		case e.porArnes():
			fs[i] = FijadaPorArnes
		default:
			return nil, ErrIncompleta(fmt.Sprintf("la medida jueza no dijo nada de «%s»", e.ID()), deJueza(nil))
		}
	}
	return fs, nil
}

// porArnes reports whether every relation the measure consumes is one the
// language emits about itself, so that the verifier evaluates it.
func (e *Entrada) porArnes() bool {
	for _, r := range e.Medida.Relaciones() {
		if !relaciones.EsDelLenguaje(r) {
			return false
		}
	}
	return e.Origen.Propio()
}

func appendMedidaEnUso(b []byte, e *Entrada, casos, sobreviven int) []byte {
	b = append(b, `{"medida":`...)
	b = algebra.AppendTexto(b, e.ID())
	b = append(b, `,"es_heredada":`...)
	b = strconv.AppendBool(b, !e.Origen.Propio())
	b = append(b, `,"casos_que_la_evaluan":`...)
	b = strconv.AppendInt(b, int64(casos), 10)
	b = append(b, `,"mutantes_que_le_sobreviven":`...)
	return append(strconv.AppendInt(b, int64(sobreviven), 10), '}')
}

// jueza loads the embedded judge, whatever the project selects.
func (q *consulta) jueza() (*algebra.Medida, error) {
	for _, a := range base.Catalogo() {
		if a.Ruta != base.RutaDeLaJueza {
			continue
		}
		m, err := q.nuevaLengua().medidaDeArchivo(a.Ruta, a.Texto)
		if err != nil {
			return nil, ErrIncompleta(a.Ruta+" no carga: "+motivoDe(err), deJueza(err)).por(err)
		}
		if m.ID == base.Jueza {
			return m, nil
		}
	}
	return nil, ErrIncompleta("falta la medida jueza "+base.Jueza, deJueza(nil))
}

// medidaDelTestigo reads the field «medida» of the only fact of a witness.
func medidaDelTestigo(testigo []byte) (string, error) {
	v, err := estricto.Leer(testigo)
	if err != nil {
		return "", err
	}
	alias, err := v.Miembros()
	if err != nil {
		return "", err
	}
	for _, a := range alias {
		campos, err := a.Valor.Miembros()
		if err != nil {
			return "", err
		}
		for _, c := range campos {
			if c.Clave == "medida" {
				return c.Valor.Texto()
			}
		}
	}
	return "", v.Error("no nombra una medida")
}
