// Package rechazo writes what follows the first line of a rejection: the field
// that is wrong and how to mend it (contract, «Rechazos y forma de los
// errores»).
//
// [Remedio] holds the two and [Texto] is the only writer of the whole text.
// [Parecidos] finds what somebody who named a thing that is not there may have
// meant. Everything is a pure function, safe for concurrent use.
package rechazo

import (
	"cmp"
	"slices"
	"strings"
)

// Remedio is the place of what is wrong and the way to mend it, each on a line
// of its own. Campo is an argument («$.evidencia.fila[0]»), or a file with the
// place in it («catalogos/a.oracle, línea 3, columna 5»); "" when nothing of
// the caller's is at fault, or the place is not known. Correccion is a sentence
// in Spanish with its final period; when nothing the caller can change mends
// it, it says what to do next.
type Remedio struct{ Campo, Correccion string }

// FallaPropia is what to do about a fault of this program.
const FallaPropia = "es una falla de este programa, no de la medida ni de la evidencia: ningún argumento la arregla; si se repite, avisá a quien lo mantiene, con la llamada que la produjo."

// Lineas returns the lines «campo: …» and «corrección: …», each after a line
// break, without those that have nothing to say.
func (r Remedio) Lineas() string {
	var b strings.Builder
	if r.Campo != "" {
		b.WriteString("\ncampo: " + unRenglon(r.Campo))
	}
	if r.Correccion != "" {
		b.WriteString("\ncorrección: " + unRenglon(r.Correccion))
	}
	return b.String()
}

// Texto returns the text of a rejection: «CODIGO — mensaje», then the field and
// the mend, then the drawing of the place if there is one, "" for none.
func Texto(codigo, mensaje string, r Remedio, dibujo string) string {
	s := codigo + " — " + mensaje + r.Lineas()
	if dibujo != "" {
		s += "\n" + dibujo
	}
	return s
}

// unRenglon keeps a line one line, whatever was quoted in it.
func unRenglon(s string) string { return strings.ReplaceAll(s, "\n", " ") }

// Parecidos returns up to n of the candidates that a third of the letters, or
// fewer, tell from buscado: the closest first, in byte order among equals. It
// compares bytes as they come.
func Parecidos(buscado string, candidatos []string, n int) []string {
	return Cercanos(buscado, candidatos, n, Distancia)
}

// Cercanos is Parecidos by another distance, which is given buscado and a
// candidate, neither of more than 200 bytes: longer ones are not compared.
func Cercanos(buscado string, candidatos []string, n int, distancia func(buscado, candidato string) int) []string {
	const largoMaximo = 200
	if len(buscado) > largoMaximo {
		return nil
	}
	type cercano struct {
		texto     string
		distancia int
	}
	var hay []cercano
	for _, c := range candidatos {
		if len(c) > largoMaximo {
			continue
		}
		if d := distancia(buscado, c); d <= max(1, len(buscado)/3) {
			hay = append(hay, cercano{c, d})
		}
	}
	slices.SortFunc(hay, func(a, b cercano) int {
		return cmp.Or(cmp.Compare(a.distancia, b.distancia), strings.Compare(a.texto, b.texto))
	})
	var ts []string
	for _, c := range hay[:min(len(hay), n)] {
		ts = append(ts, c.texto)
	}
	return ts
}

// Distancia is how many bytes have to be put in, taken out or changed to turn
// one text into the other. It takes len(a)·len(b) steps.
func Distancia(a, b string) int {
	fila := make([]int, len(b)+1)
	for j := range fila {
		fila[j] = j
	}
	for i := range len(a) {
		diagonal := fila[0]
		fila[0] = i + 1
		for j := range len(b) {
			cambio := diagonal
			if a[i] != b[j] {
				cambio++
			}
			diagonal = fila[j+1]
			fila[j+1] = min(cambio, fila[j]+1, diagonal+1)
		}
	}
	return fila[len(b)]
}
