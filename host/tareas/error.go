package tareas

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
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
	codigo  Codigo
	mensaje string
	lista   []string // the lines that a first line ending in a colon announces
	remedio rechazo.Remedio
}

// Codigo returns the contract's code.
func (e *Error) Codigo() string { return string(e.codigo) }

// Mensaje returns the first line without its code.
func (e *Error) Mensaje() string { return e.mensaje }

// Remedio returns the field and the mend.
func (e *Error) Remedio() rechazo.Remedio { return e.remedio }

// Error returns the exact text of the answer: «CODIGO — mensaje», one line per
// problem when it announces them, the field and the mend.
func (e *Error) Error() string {
	return rechazo.Texto(string(e.codigo), strings.Join(append([]string{e.mensaje}, e.lista...), "\n"), e.remedio, "")
}

func errArgumento(campo, recibido, forma, correccion string) *Error {
	return &Error{codigo: CodigoArgumentos,
		mensaje: fmt.Sprintf("%s: %s; se esperaba %s.", campo, recibido, forma),
		remedio: rechazo.Remedio{Campo: campo, Correccion: correccion}}
}

func errAusente() *Error {
	return &Error{codigo: CodigoAusente,
		mensaje: "el proyecto no tiene tracker de tareas: falta " + rutaTracker + ".",
		remedio: rechazo.Remedio{Campo: rutaTracker, Correccion: "para empezar uno, creá en la raíz del proyecto el directorio tareas/ con una tarea adentro: AAAAMMDD-HHMMSS-sufijo/TAREA.md."}}
}

func errInvalido(problemas []problema) *Error {
	e := &Error{codigo: CodigoInvalido,
		mensaje: fmt.Sprintf("se detectaron %d registro(s) inválido(s) en %s:", len(problemas), rutaTracker),
		remedio: rechazo.Remedio{Campo: rutaTracker, Correccion: "arreglá lo que dice cada renglón, en el archivo que nombra, y repetí la llamada."}}
	for i, p := range problemas {
		if i == maxProblemas {
			e.lista = append(e.lista, fmt.Sprintf("  · y otros %d", len(problemas)-i))
			break
		}
		e.lista = append(e.lista, "  · "+p.String())
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
