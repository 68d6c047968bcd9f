package superficie

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// ErrorDeSintaxis is a text that cannot be read. Line and column count from 1,
// the column in code points (lenguaje §6).
type ErrorDeSintaxis struct {
	Linea, Columna int
	Esperado       string // what should be there, and how to mend it
	Llego          string // what was there, already fit for a message
	Renglon        string // the whole line, without its end
}

// Error returns «línea L, columna C: se esperaba X; llegó 'Y'», the line, and
// a caret below the column. A long line is shown around the column.
func (e *ErrorDeSintaxis) Error() string {
	return e.Motivo() + mostrarRenglon(e.Renglon, e.Columna)
}

// Motivo returns the first line of the message alone.
func (e *ErrorDeSintaxis) Motivo() string {
	return fmt.Sprintf("línea %d, columna %d: se esperaba %s; llegó '%s'", e.Linea, e.Columna, e.Esperado, e.Llego)
}

// ErrorDeDeclaracion is a text that reads and whose form is refused: it does
// not load, or a macro refuses its arguments. The place is the nearest one the
// text has for the canonical path of the cause.
type ErrorDeDeclaracion struct {
	Linea, Columna int
	Causa          *algebra.ErrorDeCarga
	Renglon        string // the whole line, without its end
}

// Error returns the place, the cause, the line and a caret below the column.
func (e *ErrorDeDeclaracion) Error() string {
	return e.Motivo() + mostrarRenglon(e.Renglon, e.Columna)
}

// Motivo returns the first line of the message alone.
func (e *ErrorDeDeclaracion) Motivo() string {
	return fmt.Sprintf("línea %d, columna %d: %s", e.Linea, e.Columna, e.Causa.Motivo)
}

// Unwrap returns the cause.
func (e *ErrorDeDeclaracion) Unwrap() error { return e.Causa }

// anchoMostrado is how many code points of a line a message shows.
const anchoMostrado = 120

// mostrarRenglon returns the two lines that follow a message: the line around
// the column, and the caret. An empty line has none to show but the caret.
func mostrarRenglon(renglon string, columna int) string {
	desde := 0
	if columna > anchoMostrado-20 {
		desde = columna - (anchoMostrado - 20)
	}
	var b strings.Builder
	b.WriteString("\n    ")
	sangria := 4
	if desde > 0 {
		b.WriteString("…")
		sangria++
	}
	mostrados, i := 0, 0
	for _, r := range renglon {
		if i++; i <= desde {
			continue
		}
		if mostrados == anchoMostrado {
			b.WriteString("…")
			break
		}
		// One code point shown for each one read keeps the caret in place.
		if r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 {
			r = ' '
		}
		b.WriteRune(r)
		mostrados++
	}
	b.WriteString("\n")
	b.WriteString(strings.Repeat(" ", sangria+max(columna-1-desde, 0)))
	b.WriteString("^")
	return b.String()
}

// columnaDe returns the column, from 1 and in code points, of byte i of s.
func columnaDe(s string, i int) int { return utf8.RuneCountInString(s[:min(i, len(s))]) + 1 }
