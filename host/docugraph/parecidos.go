package docugraph

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// parecidos finds ids that resemble one that does not exist. Distance is edits between lower-cased ids; only ids within a third of
// the length count, and after maxCeldas of work no more are looked for, so that a tree of broken links cannot make this the cost of
// loading it.
type parecidos struct {
	arbol    *Arbol
	porLargo map[int][]candidato
	restan   int
	filas    [2][maxLargoParecido + 1]int // of the table of distances
}

type candidato struct {
	id     string
	letras []rune // lower case
}

const (
	maxCeldas        = 100_000_000 // pairs of letters compared
	maxLargoParecido = 64          // longer ids are not compared
)

// nuevosParecidos does nothing yet: the index is made when the first broken id asks for it.
func (a *Arbol) nuevosParecidos() *parecidos { return &parecidos{arbol: a, restan: maxCeldas} }

func (p *parecidos) indexar() {
	p.porLargo = make(map[int][]candidato)
	agregar := func(id string) {
		if n := utf8.RuneCountInString(id); n <= maxLargoParecido {
			p.porLargo[n] = append(p.porLargo[n], candidato{id, []rune(strings.ToLower(id))})
		}
	}
	for _, d := range p.arbol.nodos {
		agregar(d.ID)
	}
	for id := range p.arbol.repetidos {
		agregar(id)
	}
}

// masCercanos returns at most n ids, nearest first and then by id.
func (p *parecidos) masCercanos(id string, n int) []string {
	letras := []rune(strings.ToLower(id))
	if len(letras) == 0 || len(letras) > maxLargoParecido {
		return nil
	}
	if p.porLargo == nil {
		p.indexar()
	}
	type hallado struct {
		id        string
		distancia int
	}
	tope := max(1, len(letras)/3)
	var hallados []hallado
	for largo := len(letras) - tope; largo <= len(letras)+tope; largo++ {
		for _, c := range p.porLargo[largo] {
			if p.restan -= len(letras) * len(c.letras); p.restan < 0 {
				return nil
			}
			if d := p.distancia(letras, c.letras, tope); d <= tope {
				hallados = append(hallados, hallado{c.id, d})
			}
		}
	}
	slices.SortFunc(hallados, func(a, b hallado) int {
		return cmp.Or(cmp.Compare(a.distancia, b.distancia), cmp.Compare(a.id, b.id))
	})
	var ids []string
	for _, h := range hallados[:min(n, len(hallados))] {
		ids = append(ids, h.id)
	}
	return ids
}

// distancia is Levenshtein's, or anything greater than tope as soon as it cannot be tope or less.
func (p *parecidos) distancia(a, b []rune, tope int) int {
	previa, actual := p.filas[0][:len(b)+1], p.filas[1][:len(b)+1]
	for j := range previa {
		previa[j] = j
	}
	for i := 1; i <= len(a); i++ {
		actual[0] = i
		mejor := i
		for j := 1; j <= len(b); j++ {
			cambio := 1
			if a[i-1] == b[j-1] {
				cambio = 0
			}
			actual[j] = min(previa[j]+1, actual[j-1]+1, previa[j-1]+cambio)
			mejor = min(mejor, actual[j])
		}
		if mejor > tope {
			return tope + 1
		}
		previa, actual = actual, previa
	}
	return previa[len(b)]
}
