package tareas

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Codigo is one of the contract's closed codes that a consultation can end in.
type Codigo string

// The codes oracle_tareas answers with (contract, «Rechazos y forma de los errores»).
const (
	CodigoArgumentos   Codigo = "ARGUMENTOS_INVALIDOS"
	CodigoAusente      Codigo = "TRACKER_AUSENTE"
	CodigoInvalido     Codigo = "TRACKER_INVALIDO"
	CodigoNoEncontrada Codigo = "TAREA_NO_ENCONTRADA"
	CodigoAmbiguo      Codigo = "ID_AMBIGUO"
)

// Error is the one error a consultation returns for what its caller can mend.
// Cancellation is not one of these: it satisfies errors.Is(err, ctx.Err()).
type Error struct {
	codigo   Codigo
	mensaje  string
	detalles []string
}

// Codigo returns the contract's code.
func (e *Error) Codigo() string { return string(e.codigo) }

// Mensaje returns the first line without its code.
func (e *Error) Mensaje() string { return e.mensaje }

// Detalles returns the lines after the first. The slice must not be modified.
func (e *Error) Detalles() []string { return e.detalles }

// Error returns the exact text of the answer: «CODIGO — mensaje» and, below,
// one line per problem or per mending.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.codigo))
	b.WriteString(" — ")
	b.WriteString(e.mensaje)
	for _, d := range e.detalles {
		b.WriteByte('\n')
		b.WriteString(d)
	}
	return b.String()
}

func errArgumento(campo, recibido, forma string) *Error {
	return &Error{codigo: CodigoArgumentos,
		mensaje: fmt.Sprintf("%s: %s; se esperaba %s.", campo, recibido, forma)}
}

func errAusente() *Error {
	return &Error{codigo: CodigoAusente,
		mensaje:  "el proyecto no tiene tracker de tareas: falta " + rutaTracker + ".",
		detalles: []string{"Para empezar uno, creá tareas/AAAAMMDD-HHMMSS-sufijo/TAREA.md en la raíz del proyecto."}}
}

func errInvalido(problemas []problema) *Error {
	e := &Error{codigo: CodigoInvalido,
		mensaje: fmt.Sprintf("se detectaron %d registro(s) inválido(s) en %s:", len(problemas), rutaTracker)}
	for i, p := range problemas {
		if i == maxProblemas {
			e.detalles = append(e.detalles, fmt.Sprintf("  · y otros %d", len(problemas)-i))
			break
		}
		e.detalles = append(e.detalles, "  · "+p.String())
	}
	return e
}

// maxProblemas is how many problems an error tells one by one.
const maxProblemas = 1000

// maxCita is how many code points of a foreign value a message quotes, and
// maxMensaje how many bytes a message of a single cause takes (codigos.md §1).
const (
	maxCita    = 120
	maxMensaje = 4096
)

// citar makes a foreign text safe to show: controls and bytes that are not
// UTF-8 come out escaped, and what passes maxCita code points is cut.
func citar(s string) string { return mostrar(s, maxCita) }

// mostrar escapes like citar, with another cut; a negative one cuts nothing.
func mostrar(s string, tope int) string {
	var b strings.Builder
	cuenta := 0
	for i := 0; i < len(s); {
		if cuenta == tope {
			b.WriteString("…")
			break
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !unicode.IsGraphic(r):
			q := strconv.QuoteRuneToASCII(r)
			b.WriteString(q[1 : len(q)-1])
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
		cuenta++
	}
	return b.String()
}

// legible makes a route one that JSON can carry: bytes that are not UTF-8 come
// out as \xNN, and everything else as it is.
func legible(ruta string) string {
	if utf8.ValidString(ruta) {
		return ruta
	}
	var b strings.Builder
	for i := 0; i < len(ruta); {
		r, n := utf8.DecodeRuneInString(ruta[i:])
		if r == utf8.RuneError && n == 1 {
			fmt.Fprintf(&b, `\x%02x`, ruta[i])
		} else {
			b.WriteString(ruta[i : i+n])
		}
		i += n
	}
	return b.String()
}
