package docugraph_test

import (
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// hostil is a tree whose texts try to get out of every notation they are written in.
func hostil(t testing.TB) *docugraph.Grafo {
	t.Helper()
	var docs []*docugraph.Documento
	for ruta, texto := range map[string]string{
		"a.md": "---\nid: '\"]-->n1[\"'\ntitle: '</script><script>alert(1)</script> \" # ; ` \\ & \\n'\ndepends_on: ['B', '<b>NO</b>']\n---\n",
		"b.md": "---\nid: B\ntitle: \"dos\\nrenglones\"\ntype: '\"><img src=x>'\n---\n",
	} {
		docs = append(docs, docugraph.Leer(ruta, []byte(texto), docugraph.Limites{}))
	}
	a, err := docugraph.Armar(t.Context(), docs, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	g, err := a.Grafo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestMermaid(t *testing.T) {
	g, err := cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol").Grafo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	esperado := `flowchart LR
  n0["BE-01 — Dos rotas"]
  n1["BE-02 — El de al lado"]
  n2["BE-20 — Otra"]
  f0(["BE-2O — no existe"])
  f1(["NADA-QUE-VER — no existe"])
  f2(["be-99 — no existe"])
  n0 --> n1
  n2 --> n1
  n0 -.-> f0
  n0 -.-> f1
  n2 -.-> f2
`
	if got := g.Mermaid(); got != esperado {
		t.Errorf("%s", got)
	}
	for _, renglon := range strings.Split(strings.TrimSpace(hostil(t).Mermaid()), "\n")[1:] {
		if !regexp.MustCompile("^  [nf]\\d+(\\(?\\[\"[^\"<>`&\\\\]*\"\\]\\)?| (-->|-\\.->) [nf]\\d+)$").MatchString(renglon) {
			t.Errorf("se escapa: %s", renglon)
		}
	}
}

func TestDOT(t *testing.T) {
	g, err := cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol").AguasArriba(t.Context(), "BE-20", 5)
	if err != nil {
		t.Fatal(err)
	}
	esperado := `digraph docugraph {
  rankdir=LR;
  node [shape=box];
  n0 [label="BE-02\nEl de al lado"];
  n1 [label="BE-20\nOtra"];
  f0 [label="be-99\nno existe", style=dashed];
  n1 -> n0;
  n1 -> f0 [style=dashed];
}
`
	if got := g.DOT(); got != esperado {
		t.Errorf("%s", got)
	}
	renglones := strings.Split(strings.TrimSpace(hostil(t).DOT()), "\n")
	for _, renglon := range renglones[3 : len(renglones)-1] {
		if !regexp.MustCompile(`^  [nf]\d+( \[label="([^"\\]|\\.)*"(, style=dashed)?\]| -> [nf]\d+( \[style=dashed\])?);$`).MatchString(renglon) {
			t.Errorf("se escapa: %s", renglon)
		}
	}
}

func TestHTML(t *testing.T) {
	for nombre, a := range map[string]*docugraph.Arbol{
		"demo": cargar(t, fixtures+"/demo-repo"), "ciclo": cargar(t, fixtures+"/negativos/LINK_CYCLE/arbol"),
		"rotas": cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol"), "sueltos": cargar(t, fixtures+"/negativos/ORPHAN/arbol"), "vacío": cargar(t, t.TempDir()),
	} {
		g, err := a.Grafo(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var una, otra strings.Builder
		if err := errors.Join(g.HTML(&una, nombre, a.Informe("")), g.HTML(&otra, nombre, a.Informe(""))); err != nil {
			t.Fatal(err)
		}
		if una.String() != otra.String() {
			t.Errorf("%s: dos veces, dos páginas", nombre)
		}
		revisarPagina(t, nombre, una.String())
		if n := strings.Count(una.String(), `<g class="nodo`); n != len(g.Nodos)+faltantes(g) {
			t.Errorf("%s: %d cajas", nombre, n)
		}
		if n := strings.Count(una.String(), `marker-end=`); n != len(g.Aristas)+len(g.Rotas) {
			t.Errorf("%s: %d flechas", nombre, n)
		}
	}
	var b strings.Builder
	if err := hostil(t).HTML(&b, "<i>título</i>", &docugraph.Informe{Errors: []docugraph.Hallazgo{{Ruta: "<u>", Mensaje: "<script>"}}}); err != nil {
		t.Fatal(err)
	}
	revisarPagina(t, "hostil", b.String())
	for _, mal := range []string{"alert(1)</script>", "<img", "<i>", "<u>", "<b>NO"} {
		if strings.Contains(b.String(), mal) {
			t.Errorf("la página deja pasar %q", mal)
		}
	}
}

func faltantes(g *docugraph.Grafo) int {
	m := map[string]bool{}
	for _, a := range g.Rotas {
		m[a.Hasta] = true
	}
	return len(m)
}

// revisarPagina checks that a page is whole, asks nothing of anybody, and that its drawing is well-formed.
func revisarPagina(t *testing.T, nombre, p string) {
	t.Helper()
	if strings.Contains(p, "://") || strings.Contains(p, "src=") && nombre != "hostil" || strings.Contains(p, "url(") && strings.Contains(p, "url(http") {
		t.Errorf("%s: la página pide algo de afuera", nombre)
	}
	if !strings.HasPrefix(p, "<!DOCTYPE html>") || !strings.HasSuffix(p, "</html>\n") || strings.Count(p, "<script>") != 1 {
		t.Errorf("%s: la página no está entera", nombre)
	}
	desde, hasta := strings.Index(p, "<svg id"), strings.LastIndex(p, "</svg>")
	if desde < 0 {
		return
	}
	dec := xml.NewDecoder(strings.NewReader(p[desde : hasta+len("</svg>")]))
	for {
		if _, err := dec.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Errorf("%s: el dibujo está mal formado: %v", nombre, err)
			return
		}
	}
}
