package tareas

import (
	"bytes"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// enlaceLeido is one reference of a Markdown text, as it was written.
type enlaceLeido struct {
	linea   int // from 1
	destino string
}

// avisoLeido is something of a Markdown text that may hold a reference and was
// not resolved into one.
type avisoLeido struct {
	linea  int
	motivo string
}

const (
	motivoHTML        = "html_sin_resolver"
	motivoSinDefinir  = "etiqueta_sin_definir"
	motivoParrafo     = "parrafo_demasiado_largo"
	motivoLineas      = "markdown_de_muchas_lineas"
	motivoAnidamiento = "markdown_demasiado_anidado"
)

var (
	reURL      = regexp.MustCompile(`^[ \t>]*[-*+][ \t]+(?i:url)[ \t]*:[ \t]*(.*?)[ \t\r]*$`)
	reEtiqueta = regexp.MustCompile(`\]\[([^\[\]]+)\]`)
	reAtributo = regexp.MustCompile(`(?i)\b(?:href|src|data|poster|action|cite)[ \t]*=`)
)

// The parsers keep nothing of a text: they are used by any number of calls.
var (
	analizador = parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		parser.WithParagraphTransformers(parser.DefaultParagraphTransformers()...),
	)
	analizadorDeBloques = parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
)

// leerReferencias finds the references of a Markdown text: links and images,
// autolinks, and «- URL: …» lines; never inside code. Both lists are in order
// of line, and of place within it.
func leerReferencias(fuente []byte) (enlaces []enlaceLeido, avisos []avisoLeido) {
	lineas := indiceDeLineas(fuente)
	if a, ok := excesivo(fuente, lineas); ok {
		return nil, []avisoLeido{a}
	}
	sinDefinir := map[string]bool{}
	pc := contexto{parser.NewContext(), sinDefinir}
	doc := analizador.Parse(text.NewReader(fuente), parser.WithContext(pc))

	var conLugar []lugarDeEnlace
	codigo := map[int]bool{} // lines, from 0, that are code or raw HTML
	ast.Walk(doc, func(n ast.Node, entra bool) (ast.WalkStatus, error) {
		if !entra {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			conLugar = append(conLugar, lugarDeEnlace{n.Pos(), destinoDe(n.Destination)})
		case *ast.Image:
			conLugar = append(conLugar, lugarDeEnlace{n.Pos(), destinoDe(n.Destination)})
		case *ast.AutoLink:
			conLugar = append(conLugar, lugarDeEnlace{n.Pos(), string(n.URL(fuente))})
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				if reAtributo.Match(s.Value(fuente)) {
					avisos = append(avisos, avisoLeido{lineas.de(s.Start), motivoHTML})
				}
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				codigo[lineas.de(s.Start)] = true
				if reAtributo.Match(s.Value(fuente)) {
					avisos = append(avisos, avisoLeido{lineas.de(s.Start), motivoHTML})
				}
			}
			if n.HasClosure() && reAtributo.Match(n.ClosureLine.Value(fuente)) {
				avisos = append(avisos, avisoLeido{lineas.de(n.ClosureLine.Start), motivoHTML})
			}
		case *ast.CodeBlock, *ast.FencedCodeBlock:
			for i := range n.Lines().Len() {
				codigo[lineas.de(n.Lines().At(i).Start)] = true
			}
		}
		return ast.WalkContinue, nil
	})
	enLinea := map[int]bool{}
	for _, e := range conLugar {
		enLinea[lineas.de(e.pos)] = true
	}
	for i, inicio := range lineas {
		fin := len(fuente)
		if i+1 < len(lineas) {
			fin = lineas[i+1] - 1
		}
		linea := fuente[inicio:fin]
		// A value that is itself a link was already found as one.
		if m := reURL.FindSubmatch(linea); m != nil && len(m[1]) > 0 && !codigo[i+1] && !enLinea[i+1] {
			conLugar = append(conLugar, lugarDeEnlace{inicio + bytes.Index(linea, m[1]), string(m[1])})
		}
		if !codigo[i+1] && len(sinDefinir) > 0 {
			for _, m := range reEtiqueta.FindAllSubmatch(linea, -1) {
				if sinDefinir[util.ToLinkReference(m[1])] {
					avisos = append(avisos, avisoLeido{i + 1, motivoSinDefinir})
				}
			}
		}
	}
	slices.SortStableFunc(conLugar, func(a, b lugarDeEnlace) int { return a.pos - b.pos })
	for _, e := range conLugar {
		enlaces = append(enlaces, enlaceLeido{lineas.de(e.pos), e.destino})
	}
	slices.SortFunc(avisos, func(a, b avisoLeido) int {
		if a.linea != b.linea {
			return a.linea - b.linea
		}
		return strings.Compare(a.motivo, b.motivo)
	})
	return enlaces, slices.Compact(avisos)
}

// destinoDe undoes what Markdown lets a target be escaped with.
func destinoDe(escrito []byte) string {
	return string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(escrito))))
}

type lugarDeEnlace struct {
	pos     int
	destino string
}

// contexto notes the labels that a text uses and nobody defines.
type contexto struct {
	parser.Context
	sinDefinir map[string]bool
}

func (c contexto) Reference(etiqueta string) (parser.Reference, bool) {
	r, ok := c.Context.Reference(etiqueta)
	if !ok && len(c.sinDefinir) < maxEtiquetas {
		c.sinDefinir[etiqueta] = true
	}
	return r, ok
}

// maxEtiquetas bounds the labels that are looked for again.
const maxEtiquetas = 1000

// lineasDe are where each line of a text starts.
type lineasDe []int

func indiceDeLineas(fuente []byte) lineasDe {
	inicios := lineasDe{0}
	for i, c := range fuente {
		if c == '\n' && i+1 < len(fuente) {
			inicios = append(inicios, i+1)
		}
	}
	return inicios
}

// de returns the line, from 1, that a byte is on.
func (l lineasDe) de(pos int) int {
	return sort.Search(len(l), func(i int) bool { return l[i] > pos })
}

// Bounds on a Markdown text. Its parser takes time that grows with the square of
// a paragraph's brackets and stars, and of how deep quotes and lists go.
const (
	topeMarcas  = 1000
	topeNivel   = 100
	topeSangria = 200
	topeLineas  = 50_000 // what a line becomes takes a few hundred bytes
)

// excesivo says that a text is beyond what is parsed, and where. How deep it
// goes is seen line by line; then the blocks alone are parsed, which takes
// linear time, to count what each paragraph has.
func excesivo(fuente []byte, lineas lineasDe) (aviso avisoLeido, si bool) {
	if len(lineas) > topeLineas {
		return avisoLeido{topeLineas + 1, motivoLineas}, true
	}
	n := 0
	for linea := range bytes.SplitSeq(fuente, []byte("\n")) {
		n++
		if nivelDe(linea) > topeNivel {
			return avisoLeido{n, motivoAnidamiento}, true
		}
	}
	doc := analizadorDeBloques.Parse(text.NewReader(fuente))
	ast.Walk(doc, func(b ast.Node, entra bool) (ast.WalkStatus, error) {
		if !entra || b.Type() != ast.TypeBlock || b.IsRaw() {
			return ast.WalkContinue, nil
		}
		marcas := 0
		for i := range b.Lines().Len() {
			s := b.Lines().At(i)
			for _, c := range s.Value(fuente) {
				switch c {
				case '[', ']', '*', '_', '`', '<', '!', '&', '\\':
					marcas++
				}
			}
			if marcas > topeMarcas {
				aviso, si = avisoLeido{lineas.de(s.Start), motivoParrafo}, true
				return ast.WalkStop, nil
			}
		}
		return ast.WalkContinue, nil
	})
	return aviso, si
}

// nivelDe bounds how many quotes and list items a line can open or continue.
func nivelDe(linea []byte) int {
	nivel := 0
	for i, c := range linea {
		switch {
		case i == topeSangria && nivel == 0 && (c == ' ' || c == '\t'):
			return topeNivel + 1
		case c == '>':
			nivel++
		case strings.IndexByte("-+*.)", c) >= 0:
			if i+1 < len(linea) && (linea[i+1] == ' ' || linea[i+1] == '\t') {
				nivel++
			}
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			return nivel
		}
	}
	return nivel
}
