package docugraph

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// topeDeCita is how many code points of a quoted value a message shows (especificacion/codigos.md §1).
const topeDeCita = 120

// citar quotes a value for a message: control characters escaped, at most topeDeCita code points.
func citar(s string) string {
	if utf8.RuneCountInString(s) > topeDeCita {
		n := 0
		for i := range s {
			if n == topeDeCita {
				s = s[:i] + "…"
				break
			}
			n++
		}
	}
	return strconv.QuoteToGraphic(s)
}

// unRenglon folds every run of white space and control characters into one space, so that a title can never break the line it
// is printed on.
func unRenglon(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// cortarLista joins ids for a message, saying how many were left out past the first tope.
func cortarLista(ids []string, separador string, tope int) string {
	if len(ids) <= tope {
		return strings.Join(ids, separador)
	}
	return strings.Join(ids[:tope], separador) + separador + "… (" + strconv.Itoa(len(ids)-tope) + " más)"
}
