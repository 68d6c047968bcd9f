package host

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// topeDeMensaje is how many bytes the whole text of an error may have (codigos
// §1).
const topeDeMensaje = 4 << 10

// Error is a rejection with one of the contract's closed codes. Its text is
// «CODIGO — mensaje» on the first line, exactly the template of the contract's
// table, and the lines of Detalle after it: the field and the way to mend it.
// Only the code may steer control flow. It is immutable.
type Error struct {
	codigo  Codigo
	mensaje string   // the template filled in, without the code
	detalle []string // further lines
	causa   error
}

// NuevoError returns an error with that code whose first line goes on with
// mensaje, already shaped as the contract's template, and whose further lines
// are detalle. The constructors of this package know the templates; use them
// where one fits.
func NuevoError(c Codigo, mensaje string, detalle ...string) *Error {
	return &Error{codigo: c, mensaje: mensaje, detalle: detalle}
}

// Codigo returns the code as the contract spells it.
func (e *Error) Codigo() string { return string(e.codigo) }

// Clase returns the code, typed.
func (e *Error) Clase() Codigo { return e.codigo }

// Mensaje returns the first line without the code and its dash.
func (e *Error) Mensaje() string { return recortar(e.mensaje, topeDeMensaje-64) }

// Error returns the whole text, of at most 4 KiB.
func (e *Error) Error() string {
	s := string(e.codigo) + " — " + e.Mensaje()
	for _, d := range e.detalle {
		if d != "" {
			s += "\n" + d
		}
	}
	return recortar(s, topeDeMensaje)
}

// Unwrap returns what caused the rejection, nil when nothing else did.
func (e *Error) Unwrap() error { return e.causa }

// por sets the cause of a new error.
func (e *Error) por(causa error) *Error {
	e.causa = causa
	return e
}

// recortar cuts s to so many bytes without breaking a code point.
func recortar(s string, tope int) string {
	if len(s) <= tope {
		return s
	}
	const puntos = "…"
	corte := tope - len(puntos)
	for corte > 0 && !utf8.RuneStart(s[corte]) {
		corte--
	}
	return s[:corte] + puntos
}

// topeDeRuta is how many code points of a path a message shows.
const topeDeRuta = 300

// citarRuta prepares a path for a message: without control characters, and of
// one too long the end, which is what tells files apart.
func citarRuta(s string) string {
	var b strings.Builder
	rs := []rune(s)
	if len(rs) > topeDeRuta {
		b.WriteString("…")
		rs = rs[len(rs)-topeDeRuta:]
	}
	for trozo := range slices.Chunk(rs, 100) { // less than what Citar would cut
		b.WriteString(algebra.Citar(string(trozo)))
	}
	return b.String()
}

// unRenglon makes a reason fit the first line: no line breaks, no final
// period, since the template brings it.
func unRenglon(s string) string {
	if i := strings.IndexByte(s, '\n'); i >= 0 {
		s = s[:i]
	}
	return strings.TrimSuffix(strings.TrimRight(s, " \t\r"), ".")
}

// ErrArgumentos rejects an argument: the JSON path, what came and the shape
// that was expected.
func ErrArgumentos(ruta, recibido, forma string) *Error {
	return NuevoError(ArgumentosInvalidos, fmt.Sprintf("%s: %s; se esperaba %s.", ruta, algebra.Citar(recibido), forma))
}

// ErrProyecto rejects the project rooted at raiz.
func ErrProyecto(raiz, motivo string, detalle ...string) *Error {
	return NuevoError(ProyectoInvalido, fmt.Sprintf("%s: %s.", raiz, unRenglon(motivo)), detalle...)
}

// ErrCatalogo rejects a source of measures.
func ErrCatalogo(fuente, motivo string, detalle ...string) *Error {
	return NuevoError(CatalogoInvalido, fmt.Sprintf("%s: %s. No se devolvió un catálogo parcial.", citarRuta(fuente), unRenglon(motivo)), detalle...)
}

// ErrDesconocida says that no selected source has the measure.
func ErrDesconocida(id string) *Error {
	return NuevoError(MedidaDesconocida, fmt.Sprintf("«%s» no aparece en las fuentes seleccionadas; consultá oracle_catalogo_efectivo sin ids.", algebra.Citar(id)))
}

// ErrNoEfectiva says that the measure exists and does not bind here.
func ErrNoEfectiva(id, origen, ambito, proyecto string) *Error {
	return NuevoError(MedidaNoEfectiva, fmt.Sprintf("«%s» existe en %s, pero su ambito «%s» no obliga a «%s».", id, origen, ambito, proyecto),
		"Ya tiene dueño y alcance: no hace falta escribirla de nuevo acá.")
}

// ErrNoAplicable says that the evidence lacks relations the measure consumes.
func ErrNoAplicable(id string, faltan []string) *Error {
	return NuevoError(MedidaNoAplicable, fmt.Sprintf("«%s» requiere las relaciones %s, no presentes en la evidencia.", id, algebra.Citar(strings.Join(faltan, ", "))),
		"Una relación sin filas se declara con una lista vacía.")
}

// ErrMedida rejects a candidate measure. lugar is «línea L, columna C» or a
// canonical path.
func ErrMedida(quien, motivo, lugar string, detalle ...string) *Error {
	return NuevoError(MedidaInvalida, fmt.Sprintf("%s: %s en %s.", quien, unRenglon(motivo), lugar), detalle...)
}

// ErrEvidencia rejects evidence at a JSON path.
func ErrEvidencia(ruta, motivo string) *Error {
	return NuevoError(EvidenciaInvalida, fmt.Sprintf("%s: %s.", ruta, unRenglon(motivo)))
}

// ErrIncompleta says why the fixations could not be judged.
func ErrIncompleta(motivo string, detalle ...string) *Error {
	return NuevoError(EvidenciaIncompleta, fmt.Sprintf("no se pudo juzgar la fijación: %s. No se devolvieron fijaciones parciales.", unRenglon(motivo)), detalle...)
}

// ErrCasoRepetido says that two cases have the same id.
func ErrCasoRepetido(id, origen1, origen2 string) *Error {
	return NuevoError(CasoRepetido, fmt.Sprintf("«%s» aparece en %s y %s; ninguno tiene precedencia.", algebra.Citar(id), citarRuta(origen1), citarRuta(origen2)))
}

// ErrEscalares says that the operation needs scalars nobody authorized.
func ErrEscalares(archivo string, detalle ...string) *Error {
	return NuevoError(EscalaresNoAutorizadas, fmt.Sprintf("%s es código externo; autorizalo en la configuración de arranque del servidor, no en esta llamada.", archivo), detalle...)
}

// ErrLimite says that a budget was exceeded.
func ErrLimite(l *algebra.LimiteError) *Error {
	return NuevoError(LimiteDeAlgebra, fmt.Sprintf("%s: se observó %d y el límite activo es %d.", l.Nombre, l.Observado, l.Limite)).por(l)
}

// ErrCambio says that what the call read changed while it ran.
func ErrCambio(antes, despues string) *Error {
	return NuevoError(ProyectoCambio, fmt.Sprintf("huella inicial %s y final %s; reintentá sobre un estado estable.", antes, despues))
}

// ErrEvaluacion says that an evaluation stopped without a verdict.
func ErrEvaluacion(tipo, motivo string, detalle ...string) *Error {
	return NuevoError(EvaluacionFallo, fmt.Sprintf("%s: %s. No se produjo un veredicto.", tipo, unRenglon(motivo)), detalle...)
}
