package repositorio

import (
	"container/heap"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v6/plumbing"
)

// Commit is one commit behind HEAD.
type Commit struct {
	Sha string
	// Asunto is the first paragraph of the message on one line, valid UTF-8.
	Asunto string
}

const (
	// topeCommits is what a relation of evidence may have (lenguaje.md §9).
	topeCommits = 100_000
	// topeObjeto caps a commit or a tree, in bytes.
	topeObjeto = 16 << 20
)

const (
	motivoSuperficial = "clon_superficial"
	motivoAusente     = "objeto_ausente"
	motivoTopeCommits = "tope_de_commits"
	motivoAsunto      = "asunto_no_utf8"
)

// cola gives back commits newest first and, among equals, first come first.
type cola []enCola

type enCola struct {
	c     *commit
	orden int
}

func (q cola) Len() int      { return len(q) }
func (q cola) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q cola) Less(i, j int) bool {
	a, b := q[i].c.fecha, q[j].c.fecha
	if a != b {
		return a > b
	}
	return q[i].orden < q[j].orden
}
func (q *cola) Push(x any) { *q = append(*q, x.(enCola)) }
func (q *cola) Pop() any {
	v := *q
	x := v[len(v)-1]
	*q = v[:len(v)-1]
	return x
}

// commits returns what is reachable from HEAD in the order of git log. What
// cuts the way is an omission, and the commits before it are still returned.
func (s *sesion) commits(ctx context.Context, head plumbing.Hash) ([]Commit, error) {
	// By text: the same name read from two places need not be the same value.
	superficiales := map[string]bool{}
	datos, err := s.r.comun.ReadFile("shallow", topeReferencia)
	if err != nil && !ausente(err) {
		s.omitir(".git/shallow", motivoIlegible)
	}
	for h := range strings.FieldsSeq(string(datos)) {
		if !plumbing.IsHash(h) {
			s.omitir(".git/shallow", motivoIlegible)
			break
		}
		superficiales[h] = true
	}
	var q cola
	vistos := map[string]bool{}
	orden := 0
	agregar := func(h plumbing.Hash) {
		if vistos[h.String()] {
			return
		}
		vistos[h.String()] = true
		c, err := s.commit(h)
		if err != nil {
			s.omitir(rutaObjeto(h), motivoAusente)
			return
		}
		heap.Push(&q, enCola{c, orden})
		orden++
	}
	agregar(head)
	var cs []Commit
	cortado := false
	for q.Len() > 0 {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if len(cs) == topeCommits {
			s.omitir(".git", motivoTopeCommits)
			break
		}
		c := heap.Pop(&q).(enCola).c
		a := asunto(c.mensaje)
		if !utf8.ValidString(a) || ajeno(c.codificacion, a) {
			s.omitir(rutaObjeto(c.hash), motivoAsunto)
			a = strings.ToValidUTF8(a, "\uFFFD")
		}
		cs = append(cs, Commit{c.hash.String(), a})
		if superficiales[c.hash.String()] {
			cortado = true
			continue
		}
		for _, p := range c.padres {
			agregar(p)
		}
	}
	if cortado {
		s.omitir(".git/shallow", motivoSuperficial)
	}
	return cs, nil
}

func (s *sesion) commit(h plumbing.Hash) (*commit, error) {
	h, datos, err := s.objeto(plumbing.CommitObject, h)
	if err != nil {
		return nil, err
	}
	return leerCommit(h, datos)
}

// ajeno says that a message declares another encoding and has bytes where that
// matters.
func ajeno(codificacion, texto string) bool {
	switch strings.ToLower(strings.TrimSpace(codificacion)) {
	case "", "utf-8", "utf8", "us-ascii", "ascii":
		return false
	}
	return strings.ContainsFunc(texto, func(r rune) bool { return r >= 0x80 })
}

// asunto joins the first paragraph of a message, as git log's %s does.
func asunto(mensaje string) string {
	var b strings.Builder
	for linea := range strings.SplitSeq(mensaje, "\n") {
		linea = strings.TrimRight(linea, " \t\r\v\f")
		if linea == "" {
			if b.Len() > 0 {
				break
			}
			continue
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(linea)
	}
	return b.String()
}

func rutaObjeto(h plumbing.Hash) string {
	x := h.String()
	return ".git/objects/" + x[:2] + "/" + x[2:]
}
