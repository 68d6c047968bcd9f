package docugraph

import (
	"bytes"
	"net/url"
	"regexp"
	"sort"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// cuerpo is what the Markdown after the front matter says: everything later questions need, so the tree is parsed once.
type cuerpo struct {
	titulo    string // the first level-one heading, or ""
	anclas    map[string]bool
	enlaces   []enlace
	criterios []Criterio // of the acceptance criteria section
	seccion   bool       // whether there is such a section
	enredado  int        // line where reading was given up, or 0
	leido     bool       // false if nobody could look, and then everything above but enredado is empty
}

// enlace is a relative link or image as written, its destination already unescaped.
type enlace struct {
	destino string
	linea   int
	imagen  bool
}

// lector is CommonMark plus checkboxes. Only structure is read, nothing is rendered. The guards come first (ver enredo.go).
var lector = parser.NewParser(
	parser.WithBlockParsers(parser.DefaultBlockParsers()...),
	parser.WithInlineParsers(append(parser.DefaultInlineParsers(),
		util.Prioritized(guardaDeLinea{}, 0),
		util.Prioritized(extension.NewTaskCheckBoxParser(), 1))...),
	parser.WithParagraphTransformers(util.Prioritized(guardaDeReferencias{parser.LinkReferenceParagraphTransformer}, 100)),
)

// leerMarkdown reads a body whose first line is the given line of its file.
func leerMarkdown(cuerpoCrudo string, primeraLinea int) (c cuerpo) {
	if n := lineaDemasiadoAnidada(cuerpoCrudo); n > 0 {
		return cuerpo{enredado: primeraLinea + n - 1}
	}
	defer func() {
		// As with YAML: a panic in the library is one more way of not being able to look.
		if p := recover(); p != nil {
			c = cuerpo{enredado: primeraLinea}
		}
	}()
	fuente := []byte(cuerpoCrudo)
	pc := parser.NewContext()
	medida := &enredo{}
	pc.Set(claveDeEnredo, medida)
	doc := lector.Parse(text.NewReader(fuente), parser.WithContext(pc))
	lineas := indiceDeLineas{fuente: fuente, primera: primeraLinea}
	if medida.excedido {
		return cuerpo{enredado: lineas.linea(medida.posicion)}
	}
	c.anclas = make(map[string]bool)
	slugs := make(map[string]int)
	// The tree is at most a few hundred levels deep (lineaDemasiadoAnidada), so the walk may recurse.
	_ = ast.Walk(doc, func(n ast.Node, entra bool) (ast.WalkStatus, error) {
		if !entra {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Heading:
			titulo := textoPlano(n, fuente)
			if c.titulo == "" && n.Level == 1 {
				c.titulo = unRenglon(titulo)
			}
			titulo, propia := anclaPropia(titulo)
			if propia != "" {
				c.anclas[propia] = true
				c.anclas[ancla(titulo+" "+propia, slugs)] = true
			} else {
				c.anclas[ancla(titulo, slugs)] = true
			}
		case *ast.Link:
			c.agregar(string(n.Destination), lineas.linea(n.Pos()), false)
		case *ast.Image:
			c.agregar(string(n.Destination), lineas.linea(n.Pos()), true)
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				s := n.Segments.At(i)
				c.anclasHTML(s.Value(fuente))
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				s := n.Lines().At(i)
				c.anclasHTML(s.Value(fuente))
			}
		}
		return ast.WalkContinue, nil
	})
	c.criterios, c.seccion = criteriosDeSeccion(doc, fuente)
	c.leido = true
	return c
}

var atributoDeAncla = regexp.MustCompile(`(?i)<[a-z][^>]*?\s(?:id|name)\s*=\s*["']?([^"'\s>]+)`)

func (c *cuerpo) anclasHTML(html []byte) {
	if !bytes.ContainsRune(html, '=') {
		return
	}
	for _, m := range atributoDeAncla.FindAllSubmatch(html, -1) {
		c.anclas[string(m[1])] = true
	}
}

// agregar keeps the links that name a file of the tree or a heading: everything with a scheme, a host or a leading slash belongs
// to somebody else, and so does the «@site/» prefix of a site generator.
func (c *cuerpo) agregar(destino string, linea int, imagen bool) {
	destino = string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations([]byte(destino)))))
	if destino == "" || destino[0] == '/' || strings.HasPrefix(destino, "@site/") || conEsquema(destino) {
		return
	}
	c.enlaces = append(c.enlaces, enlace{destino: destino, linea: linea, imagen: imagen})
}

var esquema = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]*:`)

func conEsquema(destino string) bool { return esquema.MatchString(destino) }

// partes splits a destination into its path and its fragment, both percent-decoded; a query is dropped. What does not decode is
// taken as it stands.
func (e enlace) partes() (ruta, fragmento string) {
	ruta, fragmento, _ = strings.Cut(e.destino, "#")
	ruta, _, _ = strings.Cut(ruta, "?")
	return decodificar(ruta), decodificar(fragmento)
}

func decodificar(s string) string {
	if d, err := url.PathUnescape(s); err == nil {
		return d
	}
	return s
}

// textoPlano is the text a reader sees inside a block: markup gone, escapes and entities resolved, code as it is.
func textoPlano(n ast.Node, fuente []byte) string {
	var b strings.Builder
	juntarTexto(n, fuente, &b, false)
	return strings.TrimSpace(b.String())
}

func juntarTexto(n ast.Node, fuente []byte, b *strings.Builder, codigo bool) {
	for h := n.FirstChild(); h != nil; h = h.NextSibling() {
		switch h := h.(type) {
		case *ast.Text:
			valor := h.Segment.Value(fuente)
			if !codigo {
				valor = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(valor)))
			}
			b.Write(valor)
			if h.SoftLineBreak() || h.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(h.Value)
		case *ast.AutoLink:
			b.Write(h.Label(fuente))
		case *ast.RawHTML, *extast.TaskCheckBox:
		case *ast.CodeSpan:
			juntarTexto(h, fuente, b, true)
		default:
			juntarTexto(h, fuente, b, codigo)
		}
	}
}

// indiceDeLineas turns byte positions into line numbers; the table of line starts is only made if somebody asks.
type indiceDeLineas struct {
	fuente  []byte
	primera int
	inicios []int
}

func (i *indiceDeLineas) linea(pos int) int {
	if i.inicios == nil {
		i.inicios = []int{0}
		for p, c := range i.fuente {
			if c == '\n' {
				i.inicios = append(i.inicios, p+1)
			}
		}
	}
	return i.primera + sort.SearchInts(i.inicios, pos+1) - 1
}
