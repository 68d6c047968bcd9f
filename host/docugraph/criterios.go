package docugraph

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
)

// titulosDeCriterios are the headings whose section holds acceptance criteria (especificacion/docugraph.md §5), in lower case.
var titulosDeCriterios = map[string]bool{
	"acceptance criteria": true, "criterios de aceptación": true, "definición de done": true,
}

var (
	numeracion = regexp.MustCompile(`^\d+(?:\.\d+)*[.)]?\s+`)
	aclaracion = regexp.MustCompile(`\s*\([^()]*\)$`)
)

// esDeCriterios compares a heading without its numbering, a final colon or a final remark in parentheses: «8. Definición de done
// (servidor)» is one.
func esDeCriterios(titulo string) bool {
	t := strings.ToLower(titulo)
	if !strings.Contains(t, "criteri") && !strings.Contains(t, "done") {
		return false // most headings, for less
	}
	t = unRenglon(t)
	t = numeracion.ReplaceAllString(t, "")
	t = strings.TrimSuffix(t, ":")
	t = aclaracion.ReplaceAllString(t, "")
	return titulosDeCriterios[strings.TrimSuffix(t, ":")]
}

// criteriosDeSeccion collects the list items of every such section, up to the next heading of its level or above. Nested items
// come after the one that holds them.
func criteriosDeSeccion(doc ast.Node, fuente []byte) (salida []Criterio, hay bool) {
	nivel := 0
	for n := doc.FirstChild(); n != nil; n = n.NextSibling() {
		switch n := n.(type) {
		case *ast.Heading:
			if nivel > 0 && n.Level > nivel {
				continue
			}
			nivel = 0
			if esDeCriterios(textoPlano(n, fuente)) {
				nivel, hay = n.Level, true
			}
		case *ast.List:
			if nivel > 0 {
				salida = juntarItems(n, fuente, salida)
			}
		}
	}
	return salida, hay
}

func juntarItems(lista ast.Node, fuente []byte, salida []Criterio) []Criterio {
	for item := lista.FirstChild(); item != nil; item = item.NextSibling() {
		var c Criterio
		for h := item.FirstChild(); h != nil; h = h.NextSibling() {
			if h.Kind() != ast.KindTextBlock && h.Kind() != ast.KindParagraph {
				continue
			}
			if casilla, ok := h.FirstChild().(*extast.TaskCheckBox); ok {
				c.Estado = "pending"
				if casilla.IsChecked {
					c.Estado = "done"
				}
			}
			c.Texto = unRenglon(textoPlano(h, fuente))
			break
		}
		if c.Texto != "" {
			salida = append(salida, c)
		}
		for h := item.FirstChild(); h != nil; h = h.NextSibling() {
			if h.Kind() == ast.KindList {
				salida = juntarItems(h, fuente, salida)
			}
		}
	}
	return salida
}
