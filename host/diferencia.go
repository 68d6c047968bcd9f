package host

import (
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

// Cambio tells where a line of a [Diferencia] is.
type Cambio uint8

// The three places.
const (
	EnAmbos Cambio = iota
	SoloOriginal
	SoloMutante
)

// Renglon is a line of the measure, of the mutant, or of both.
type Renglon struct {
	Cambio Cambio
	Texto  string
}

// Diferencia returns two forms as they read, line by line: what both have, what
// only the first has and what only the second does. A form the surface cannot
// say is its JSON, in one line.
func Diferencia(original, otra algebra.Nodo) []Renglon {
	a, err := superficie.Imprimir(original)
	b, err2 := superficie.Imprimir(otra)
	if err != nil || err2 != nil {
		a, b = original.String(), otra.String()
	}
	return diferencia(renglones(a), renglones(b))
}

func renglones(s string) []string { return strings.Split(strings.TrimSuffix(s, "\n"), "\n") }

// topeDeComparacion is how many pairs of lines are compared; past it, what is
// between the common beginning and the common end is taken as all changed.
const topeDeComparacion = 1 << 20

// diferencia aligns two texts by their longest common subsequence of lines.
func diferencia(a, b []string) []Renglon {
	var antes, despues []Renglon
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		antes = append(antes, Renglon{EnAmbos, a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		despues = append(despues, Renglon{EnAmbos, a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	// largo[i][j] is the longest common subsequence of a[i:] and b[j:].
	largo := make([][]int, len(a)+1)
	comparar := len(a)*len(b) <= topeDeComparacion
	for i := len(a); i >= 0 && comparar; i-- {
		largo[i] = make([]int, len(b)+1)
		for j := len(b) - 1; j >= 0 && i < len(a); j-- {
			if a[i] == b[j] {
				largo[i][j] = 1 + largo[i+1][j+1]
			} else {
				largo[i][j] = max(largo[i+1][j], largo[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case comparar && i < len(a) && j < len(b) && a[i] == b[j]:
			antes = append(antes, Renglon{EnAmbos, a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || !comparar || largo[i+1][j] >= largo[i][j+1]):
			antes = append(antes, Renglon{SoloOriginal, a[i]})
			i++
		default:
			antes = append(antes, Renglon{SoloMutante, b[j]})
			j++
		}
	}
	for k := len(despues) - 1; k >= 0; k-- {
		antes = append(antes, despues[k])
	}
	return antes
}
