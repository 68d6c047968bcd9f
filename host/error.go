package host

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// topeDeMensaje is how many bytes the whole text of an error may have (codigos
// §1).
const topeDeMensaje = 4 << 10

// topeDeRenglon is how many of them the field, or the mend, may take.
const topeDeRenglon = 1 << 10

// Error is a rejection with one of the contract's closed codes. Its text is
// «CODIGO — mensaje» on the first line, exactly the template of the contract's
// table, and after it the field, the way to mend it and, for a text that does
// not read, the drawing of the place. Only the code may steer control flow. It
// is immutable.
type Error struct {
	codigo  Codigo
	mensaje string // the template filled in, without the code
	remedio rechazo.Remedio
	dibujo  string // the line and the caret, "" without them
	causa   error
}

// NuevoError returns an error with that code whose first line goes on with
// mensaje, already shaped as the contract's template. The constructors of this
// package know the templates; use them where one fits.
func NuevoError(c Codigo, mensaje string, r rechazo.Remedio) *Error {
	return &Error{codigo: c, mensaje: mensaje, remedio: r}
}

// Codigo returns the code as the contract spells it.
func (e *Error) Codigo() string { return string(e.codigo) }

// Clase returns the code, typed.
func (e *Error) Clase() Codigo { return e.codigo }

// Remedio returns the field and the mend.
func (e *Error) Remedio() rechazo.Remedio {
	return rechazo.Remedio{Campo: recortar(e.remedio.Campo, topeDeRenglon), Correccion: recortar(e.remedio.Correccion, topeDeRenglon)}
}

// Mensaje returns the first line without the code and its dash. It leaves room
// for the field and the mend in the whole text.
func (e *Error) Mensaje() string {
	return recortar(e.mensaje, topeDeMensaje-64-len(e.Remedio().Lineas()))
}

// Error returns the whole text, of at most 4 KiB.
func (e *Error) Error() string {
	return recortar(rechazo.Texto(string(e.codigo), e.Mensaje(), e.Remedio(), e.dibujo), topeDeMensaje)
}

// Unwrap returns what caused the rejection, nil when nothing else did.
func (e *Error) Unwrap() error { return e.causa }

// por sets the cause of a new error.
func (e *Error) por(causa error) *Error {
	e.causa = causa
	return e
}

// con sets the drawing of a new error's place.
func (e *Error) con(dibujo string) *Error {
	e.dibujo = dibujo
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

// ErrArgumentos rejects an argument: the JSON path, what came, the shape that
// was expected and how to mend it.
func ErrArgumentos(ruta, recibido, forma, correccion string) *Error {
	return NuevoError(ArgumentosInvalidos, fmt.Sprintf("%s: %s; se esperaba %s.", ruta, algebra.Citar(recibido), forma),
		rechazo.Remedio{Campo: ruta, Correccion: correccion})
}

// ErrProyecto rejects the project rooted at raiz.
func ErrProyecto(raiz, motivo string, r rechazo.Remedio) *Error {
	return NuevoError(ProyectoInvalido, fmt.Sprintf("%s: %s.", citarRuta(raiz), unRenglon(motivo)), r)
}

// ErrCatalogo rejects a source of measures.
func ErrCatalogo(fuente, motivo string, r rechazo.Remedio) *Error {
	return NuevoError(CatalogoInvalido, fmt.Sprintf("%s: %s. No se devolvió un catálogo parcial.", citarRuta(fuente), unRenglon(motivo)), r)
}

// ErrDesconocida says that no selected source has the measure an argument
// names; efectivas are the ids that there are.
func ErrDesconocida(campo, id string, efectivas []string) *Error {
	const caben = 5
	correccion := fmt.Sprintf("nombrá una de las %d efectivas: oracle_catalogo_efectivo las lista.", len(efectivas))
	switch parecidas := rechazo.Parecidos(id, efectivas, 3); {
	case len(efectivas) == 0:
		correccion = "el proyecto no tiene ninguna medida efectiva: hay que escribirla en catalogos/ antes de nombrarla."
	case len(parecidas) > 0:
		correccion = "revisá el id; se le parecen: " + strings.Join(parecidas, ", ") + "."
	case len(efectivas) <= caben:
		correccion = "nombrá una efectiva: las que hay son " + strings.Join(efectivas, ", ") + "."
	}
	return NuevoError(MedidaDesconocida, fmt.Sprintf("«%s» no aparece en las fuentes seleccionadas; consultá oracle_catalogo_efectivo sin ids.", algebra.Citar(id)),
		rechazo.Remedio{Campo: campo, Correccion: correccion})
}

// ErrNoEfectiva says that the measure an argument names exists and does not
// bind here.
func ErrNoEfectiva(campo, id, origen, ambito, proyecto string) *Error {
	return NuevoError(MedidaNoEfectiva, fmt.Sprintf("«%s» existe en %s, pero su ambito «%s» no obliga a «%s».", id, origen, ambito, proyecto),
		rechazo.Remedio{Campo: campo, Correccion: "nombrá una efectiva; ésta ya tiene dueño y alcance: no hace falta escribirla de nuevo acá."})
}

// ErrNoAplicable says that the evidence lacks relations the measure consumes.
func ErrNoAplicable(campo, id string, faltan []string) *Error {
	relaciones := algebra.Citar(strings.Join(faltan, ", "))
	return NuevoError(MedidaNoAplicable, fmt.Sprintf("«%s» requiere las relaciones %s, no presentes en la evidencia.", id, relaciones),
		rechazo.Remedio{Campo: campo, Correccion: fmt.Sprintf("agregá %s a $.evidencia (una que se miró y no tiene filas se declara con una lista vacía), o juzgá sin ids, que la deja dicha en no_aplicadas.", relaciones)})
}

// ErrMedida rejects a candidate measure. lugar is «línea L, columna C» or a
// canonical path.
func ErrMedida(quien, motivo, lugar string, r rechazo.Remedio) *Error {
	return NuevoError(MedidaInvalida, fmt.Sprintf("%s: %s en %s.", quien, unRenglon(motivo), lugar), r)
}

// ErrEvidencia rejects evidence at a JSON path.
func ErrEvidencia(ruta, motivo, correccion string) *Error {
	return NuevoError(EvidenciaInvalida, fmt.Sprintf("%s: %s.", ruta, unRenglon(motivo)), rechazo.Remedio{Campo: ruta, Correccion: correccion})
}

// ErrIncompleta says why the fixations could not be judged.
func ErrIncompleta(motivo string, r rechazo.Remedio) *Error {
	return NuevoError(EvidenciaIncompleta, fmt.Sprintf("no se pudo juzgar la fijación: %s. No se devolvieron fijaciones parciales.", unRenglon(motivo)), r)
}

// ErrCasoRepetido says that two cases have the same id. campo is the second.
func ErrCasoRepetido(campo, id, origen1, origen2 string) *Error {
	return NuevoError(CasoRepetido, fmt.Sprintf("«%s» aparece en %s y %s; ninguno tiene precedencia.", algebra.Citar(id), citarRuta(origen1), citarRuta(origen2)),
		rechazo.Remedio{Campo: campo, Correccion: "dale otro id a uno de los dos casos."})
}

// ErrEscalares says that the operation needs scalars nobody authorized.
func ErrEscalares(archivo, correccion string) *Error {
	return NuevoError(EscalaresNoAutorizadas, fmt.Sprintf("%s es código externo; autorizalo en la configuración de arranque del servidor, no en esta llamada.", archivo),
		rechazo.Remedio{Campo: archivo, Correccion: correccion})
}

// ErrLimite says that a budget was exceeded, by what campo names.
func ErrLimite(l *algebra.LimiteError, campo string) *Error { return errTope(l, deLimite(l, campo)) }

// errTope is ErrLimite with a mend of its own.
func errTope(l *algebra.LimiteError, r rechazo.Remedio) *Error {
	return NuevoError(LimiteDeAlgebra, fmt.Sprintf("%s: se observó %d y el límite activo es %d.", l.Nombre, l.Observado, l.Limite), r).por(l)
}

// ErrCambio says that what the call read changed while it ran.
func ErrCambio(antes, despues string) *Error {
	return NuevoError(ProyectoCambio, fmt.Sprintf("huella inicial %s y final %s; reintentá sobre un estado estable.", antes, despues),
		rechazo.Remedio{Correccion: "repetí la misma llamada cuando nadie esté escribiendo en el proyecto."})
}

// ErrEvaluacion says that an evaluation stopped without a verdict.
func ErrEvaluacion(tipo, motivo string, r rechazo.Remedio) *Error {
	return NuevoError(EvaluacionFallo, fmt.Sprintf("%s: %s. No se produjo un veredicto.", tipo, unRenglon(motivo)), r)
}

// errInterno is a fault of this program: nothing of the caller's mends it.
func errInterno(causa error) *Error {
	return ErrEvaluacion("error_interno", algebra.Citar(causa.Error()), rechazo.Remedio{Correccion: rechazo.FallaPropia})
}
