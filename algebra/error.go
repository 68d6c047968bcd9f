package algebra

import (
	"fmt"
	"strings"
	"unicode"
)

// Clase classifies a failure. Only the class and the limit's name may steer
// control flow; the words are for people.
type Clase string

// Classes of failure while a measure loads, evidence is read or a measure is
// evaluated.
const (
	// ClaseForma: a node of a form has the wrong shape, name or arity.
	ClaseForma Clase = "forma"
	// ClaseEscalarDesconocida: an expression calls a scalar nobody declared.
	ClaseEscalarDesconocida Clase = "escalar_desconocida"
	// ClaseEvidencia: the evidence cannot be read.
	ClaseEvidencia Clase = "evidencia"

	// ClaseRelacionAusente: the evidence does not bring a relation.
	ClaseRelacionAusente Clase = "relacion_ausente"
	// ClaseAliasAusente: an expression reads an alias the row does not have.
	ClaseAliasAusente Clase = "alias_ausente"
	// ClaseNulo: a null was compared or used as a truth value.
	ClaseNulo Clase = "nulo"
	// ClaseFamilias: two families that do not compare, or a fact compared.
	ClaseFamilias Clase = "familias"
	// ClaseIgualdadFlotante: «==» or «!=» with a float.
	ClaseIgualdadFlotante Clase = "igualdad_flotante"
	// ClaseNoBooleano: a condition or a logical operand is not a boolean.
	ClaseNoBooleano Clase = "no_booleano"
	// ClaseClaveNoEscalar: a group key is a fact.
	ClaseClaveNoEscalar Clase = "clave_no_escalar"
	// ClaseAgregado: an aggregate met a value it does not take.
	ClaseAgregado Clase = "agregado"
	// ClaseNoFinito: a sum, an average or an operation is not finite.
	ClaseNoFinito Clase = "no_finito"
	// ClaseEscalar: a scalar rejected its arguments or failed.
	ClaseEscalar Clase = "escalar"
)

// ErrorDeCarga is a form that [Cargar] or [LeerNodo] rejects (lenguaje §2).
type ErrorDeCarga struct {
	Clase  Clase
	Ruta   string // canonical path, indices joined by dots; "" is the root
	Motivo string // in Spanish, without a final period
	Nombre string // the scalar's name when Clase is ClaseEscalarDesconocida
}

// Error returns the reason followed by the canonical path.
func (e *ErrorDeCarga) Error() string {
	if e.Ruta == "" {
		return e.Motivo
	}
	return e.Motivo + " en " + e.Ruta
}

// ErrorDeEvidencia is evidence that cannot be read (lenguaje §1). Fila counts
// from zero without the «clave» node and is -1 when the place is a whole
// relation; Relacion is "" when the place is the evidence itself.
type ErrorDeEvidencia struct {
	Relacion string
	Fila     int
	Motivo   string
}

// Error returns the place in JSON path notation and the reason.
func (e *ErrorDeEvidencia) Error() string { return e.Ruta("$.evidencia") + ": " + e.Motivo }

// Ruta returns the JSON path of the place, below the path raiz.
func (e *ErrorDeEvidencia) Ruta(raiz string) string {
	if e.Relacion == "" && e.Fila < 0 {
		return raiz
	}
	r := raiz + "." + Citar(e.Relacion)
	if e.Fila >= 0 {
		r += fmt.Sprintf("[%d]", e.Fila)
	}
	return r
}

// ErrorDeEvaluacion stops one measure without a verdict (lenguaje §5.3).
type ErrorDeEvaluacion struct {
	Clase  Clase
	Motivo string // in Spanish, without a final period
}

// Error returns the class and the reason.
func (e *ErrorDeEvaluacion) Error() string { return string(e.Clase) + ": " + e.Motivo }

// LimiteError says that a budget of [LimitesAlgebra] was exceeded. It is never
// a verdict and never partial.
type LimiteError struct {
	Nombre    string // the limit's name in the specification's table
	Observado int64  // what was seen, at least Limite+1
	Limite    int64  // the active limit, in the limit's own unit
}

// Error names the limit, what was observed and the active value.
func (e *LimiteError) Error() string {
	return fmt.Sprintf("%s: se observó %d y el límite activo es %d", e.Nombre, e.Observado, e.Limite)
}

// ErrorInterno is a fault of this program while evaluating, never the user's.
type ErrorInterno struct {
	Causa error
	Traza string // the stack, for the log; it must not reach a verdict
}

// Error returns the cause.
func (e *ErrorInterno) Error() string { return "error interno: " + e.Causa.Error() }

// Unwrap returns the cause.
func (e *ErrorInterno) Unwrap() error { return e.Causa }

// Rastro returns the stack, for whoever keeps a log.
func (e *ErrorInterno) Rastro() string { return e.Traza }

// Citar shortens a quoted value to 120 code points and escapes its control and
// format characters, so a message never carries a hostile text whole (codigos §1).
func Citar(s string) string {
	const maximo = 120
	var b strings.Builder
	n := 0
	for _, r := range s {
		if n == maximo {
			b.WriteString("…")
			break
		}
		n++
		switch {
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp):
			// Controls, and what hides or turns around the text beside it.
			if r > 0xffff {
				fmt.Fprintf(&b, `\U%08x`, r)
			} else {
				fmt.Fprintf(&b, `\u%04x`, r)
			}
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
