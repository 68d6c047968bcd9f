package docugraph

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// The Markdown library is quadratic on inputs nobody writes by hand: a megabyte of `[a](` takes it hours. A document is hostile
// until proven otherwise, so its cost is estimated before paying it, and a document that would cost too much is reported as one
// that could not be looked at. The estimate depends on the bytes alone, never on a clock.
const (
	maxEnredo      = 500_000_000 // units of about one nanosecond, per document
	maxMarcas      = 50          // container markers at the beginning of one line
	maxSangria     = 160         // columns before a list marker
	maxReferencias = 10_000      // lines of one paragraph that opens with a link definition
)

// lineaDemasiadoAnidada returns the first line, from 1, that would nest containers too deep, or 0.
func lineaDemasiadoAnidada(s string) int {
	linea := 1
	for i := 0; i < len(s); linea++ {
		marcas, columna := 0, 0
	renglon:
		for i < len(s) {
			switch c := s[i]; {
			case c == ' ':
				columna++
				i++
			case c == '\t':
				columna += 4 - columna%4
				i++
			case c == '>':
				marcas++
				columna++
				i++
			default:
				n := marcaDeLista(s[i:])
				if n == 0 {
					break renglon
				}
				if columna > maxSangria {
					return linea
				}
				marcas++
				columna += n
				i += n
			}
			if marcas > maxMarcas {
				return linea
			}
		}
		for i < len(s) && s[i] != '\n' {
			i++
		}
		i++
	}
	return 0
}

// marcaDeLista returns the length of a list marker at the beginning of s, or 0.
func marcaDeLista(s string) int {
	n := 0
	if s[0] == '-' || s[0] == '*' || s[0] == '+' {
		n = 1
	} else {
		for n < len(s) && n < 9 && s[n] >= '0' && s[n] <= '9' {
			n++
		}
		if n == 0 || n >= len(s) || s[n] != '.' && s[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(s) && s[n] != ' ' && s[n] != '\t' {
		return 0
	}
	return n
}

// enredo adds up the estimate of one document.
type enredo struct {
	ultimo   ast.Node // the block already estimated
	unidades int
	excedido bool
	posicion int // where it was exceeded, in bytes of the body
}

var claveDeEnredo = parser.NewContextKey()

func (e *enredo) sumar(unidades, posicion int) {
	e.unidades += unidades
	if e.unidades > maxEnredo && !e.excedido {
		e.excedido, e.posicion = true, posicion
	}
}

// guardaDeLinea runs before every other inline parser. The first time a block reaches it the block's cost is added to the
// document's; once the document is past its budget it swallows whole blocks, so the library goes no further.
type guardaDeLinea struct{}

func (guardaDeLinea) Trigger() []byte { return []byte("![]*_`<") }

func (guardaDeLinea) Parse(bloque ast.Node, lector text.Reader, pc parser.Context) ast.Node {
	e := pc.Get(claveDeEnredo).(*enredo)
	if e.ultimo != bloque {
		e.ultimo = bloque
		if l := bloque.Lines(); l.Len() > 0 {
			e.sumar(costo(l, lector.Source()), l.At(0).Start)
		}
	}
	if !e.excedido {
		return nil
	}
	for {
		if r, _ := lector.PeekLine(); r == nil {
			return ast.NewString(nil)
		}
		lector.AdvanceLine()
	}
}

// costo estimates the work of parsing one block's inlines, in units:
//
//   - a destination is scanned as far as its line, and a label as far as its own opening: brackets of a line times its length;
//   - the text of a label is looked for from the first line of the block: closing brackets times lines;
//   - a title, or a label left open, may be scanned to the end of the block: brackets left open in a line times the block;
//   - an emphasis mark that may close looks at every one before it: those that may times all of them;
//   - a run of backticks is searched for to the end of the block, once a length, and once more for each that an escape shortens:
//     lengths, and escaped runs, times the block.
func costo(lineas *text.Segments, fuente []byte) int {
	total, bytes, sueltos, cierres := 0, 0, 0, 0
	enfasis, cierran := 0, 0 // runs of emphasis marks, and those that may close
	largos := map[int]bool{}
	for i := range lineas.Len() {
		s := lineas.At(i)
		valor := s.Value(fuente)
		bytes += len(valor)
		corchetes, abiertos, parentesis := 0, 0, 0
		for j := 0; j < len(valor); j++ {
			switch valor[j] {
			case '\\':
				if j++; j < len(valor) && valor[j] == '`' {
					sueltos++ // what is left of the run opens a span of a length that closes nothing
				}
			case '[':
				corchetes++
				abiertos++
			case ']':
				corchetes++
				cierres++
				if abiertos--; abiertos < 0 {
					abiertos, sueltos = 0, sueltos+1
				}
			case '(':
				parentesis++
			case ')':
				if parentesis--; parentesis < 0 {
					parentesis = 0
				}
			case '*', '_':
				if j > 0 && valor[j-1] == valor[j] {
					continue // the same run
				}
				enfasis++
				if j > 0 && valor[j-1] != ' ' && valor[j-1] != '\t' {
					cierran++
				}
			case '`':
				k := j
				for k < len(valor) && valor[k] == '`' {
					k++
				}
				largos[k-j] = true
				j = k - 1
			}
		}
		sueltos += abiertos + parentesis
		total += corchetes * len(valor)
	}
	return total + cierres*lineas.Len() + sueltos*bytes/4 + enfasis*cierran + len(largos)*bytes
}

// guardaDeReferencias keeps the library from a paragraph of very many link definitions, which it takes apart line by line.
type guardaDeReferencias struct{ parser.ParagraphTransformer }

func (g guardaDeReferencias) Transform(n *ast.Paragraph, lector text.Reader, pc parser.Context) {
	if l := n.Lines(); l.Len() > maxReferencias {
		if s := l.At(0); s.Len() > 0 && lector.Source()[s.Start] == '[' {
			pc.Get(claveDeEnredo).(*enredo).sumar(maxEnredo+1, s.Start)
			return
		}
	}
	g.ParagraphTransformer.Transform(n, lector, pc)
}
