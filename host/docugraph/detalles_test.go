package docugraph_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// deTextos makes a tree out of path → content.
func deTextos(t testing.TB, textos map[string]string, hallazgos ...docugraph.Hallazgo) *docugraph.Arbol {
	t.Helper()
	var docs []*docugraph.Documento
	for ruta, texto := range textos {
		docs = append(docs, docugraph.Leer(ruta, []byte(texto), docugraph.Limites{}))
	}
	a, err := docugraph.Armar(t.Context(), docs, hallazgos, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// TestDetallesDeLosHallazgos: each a tree, and all that is found in it.
func TestDetallesDeLosHallazgos(t *testing.T) {
	for nombre, c := range map[string]struct {
		textos   map[string]string
		esperado string
	}{
		"enlazarse a uno mismo no pide frontmatter": {map[string]string{"a.md": "# Uno\n[arriba](#uno) [acá](a.md)\n"}, ""},
		"a quien nombra un repetido no es huérfano": {map[string]string{
			"a.md": "---\nid: A\n---\n", "b.md": "---\nid: B\ndepends_on: A\n---\n", "c.md": "---\nid: B\n---\n", "d.md": "---\nid: D\n---\n",
		}, "b.md:2: ID_DUPLICATE B\nc.md:2: ID_DUPLICATE B\nd.md:2: ORPHAN D\n"},
		"uno solo no es huérfano": {map[string]string{"a.md": "---\nid: A\n---\n", "b.md": "nada\n"}, ""},
		"quien depende de algo roto no es huérfano": {map[string]string{
			"a.md": "---\nid: A\ndepends_on: NO\n---\n", "b.md": "---\nid: B\ndepends_on: 1\n---\n",
		}, "a.md:3: LINK_BROKEN A\nb.md:3: DEPENDS_ON_INVALID B\n"},
		"anclas repetidas y anclas que ya existían": {map[string]string{
			"a.md": "# a\n# a\n# a-1\n# a\n[1](#a) [2](#a-1) [3](#a-1-1) [4](#a-2) [5](#a-3)\n",
		}, "a.md:5: DOC_ANCHOR_BROKEN\n"},
		"el texto de un encabezado es el que se lee": {map[string]string{
			"a.md": "# Con [enlace](a.md), `código_x`, *énfasis* y \\* &amp; <b>html</b>\n[1](#con-enlace-código_x-énfasis-y---html)\n",
		}, ""},
		"lo que no cierra no tiene anclas que comprobar": {map[string]string{
			"a.md": "---\nid: A\n", "b.md": "[x](a.md#nada)\n",
		}, "a.md:1: FRONTMATTER_INVALID\n"},
		"un alias vale por lo que nombra": {map[string]string{
			"a.md": "---\nid: A\nmios: &m [B]\ndepends_on: *m\n---\n", "b.md": "---\nid: B\n---\n",
		}, ""},
		"una mezcla también": {map[string]string{
			"a.md": "---\nbase: &b {id: A, depends_on: B}\n<<: *b\n---\n", "b.md": "---\nid: B\n---\n",
		}, ""},
		"dependencias vacías no son inválidas": {map[string]string{
			"a.md": "---\nid: A\ndepends_on:\n---\n", "b.md": "---\nid: B\ndepends_on: [A]\n---\n",
		}, ""},
		"un cierre con un espacio de más cierra igual": {map[string]string{"a.md": "---\nid: A\n--- \nid: B\n---\n"}, ""},
	} {
		if d := cmp.Diff(c.esperado, lugares(deTextos(t, c.textos).Informe(""))); d != "" {
			t.Errorf("%s (-esperado +obtenido):\n%s", nombre, d)
		}
	}
}

func TestOrdenDeLosHallazgos(t *testing.T) {
	h := func(ruta string, c docugraph.Codigo, nodo, mensaje string) docugraph.Hallazgo {
		return docugraph.Hallazgo{Codigo: c, Mensaje: mensaje, Nodo: nodo, Ruta: ruta, Linea: 1}
	}
	esperado := []docugraph.Hallazgo{
		h("a", docugraph.IDFaltante, "Z", "1"), h("a", docugraph.EnlaceRoto, "A", "2"), h("a", docugraph.EnlaceRoto, "B", "1"),
		h("a", docugraph.EnlaceRoto, "B", "2"), h("b", docugraph.ArchivoIlegible, "", "0"),
	}
	a := deTextos(t, nil, esperado[3], esperado[4], esperado[2], esperado[0], esperado[1])
	if d := cmp.Diff(esperado, a.Informe("").Errors); d != "" {
		t.Errorf("(-esperado +obtenido):\n%s", d)
	}
}

func TestEnlaceALoDeArriba(t *testing.T) {
	i := deTextos(t, map[string]string{"a.md": "[x](..) [y](../) [z](d/../../e.md)\n"}).Informe("")
	if len(i.Warnings) != 3 {
		t.Fatalf("%+v", i.Warnings)
	}
	for _, h := range i.Warnings {
		if !strings.Contains(h.Mensaje, "sale de la raíz") {
			t.Errorf("%s", h.Mensaje)
		}
	}
}

func TestTitulo(t *testing.T) {
	for texto, titulo := range map[string]string{
		"---\nid: A\n---\n## No\n# Uno *dos*\n# Otro\n": "Uno dos",
		"---\nid: A\n---\nUno\n===\n":                   "Uno",
		"---\nid: A\ntitle: T\n---\n# Uno\n":            "T",
		"---\nid: A\ntitle: |\n  T\n  U\n---\n":         "T U",
		"---\nid: A\ntitle: 12\n---\n# Uno\n":           "12",
		"---\nid: A\ntitle: 2026-01-02\n---\n":          "2026-01-02",
		"---\nid: A\ntitle: [x]\n---\n# Uno\n":          "Uno",
		"---\nid: A\ntitle:\n---\n":                     "A",
		"---\nid: A\n---\n```\n# No\n```\n":             "A",
	} {
		if d := docugraph.Leer("a.md", []byte(texto), docugraph.Limites{}); d.Ficha.Titulo != titulo || len(d.Hallazgos) > 0 {
			t.Errorf("%q: %q, se esperaba %q (%v)", texto, d.Ficha.Titulo, titulo, d.Hallazgos)
		}
	}
}

func TestUnCicloDeDos(t *testing.T) {
	a := deTextos(t, map[string]string{"a.md": "---\nid: A\ndepends_on: B\n---\n", "b.md": "---\nid: B\ndepends_on: A\n---\n"})
	if _, err := a.Contexto(t.Context(), "A", 0); codigoDe(err) != docugraph.GrafoConCiclo || !strings.Contains(err.Error(), "hay un ciclo: A → B → A.") {
		t.Error(err)
	}
	if n := len(a.Omitidos()); n != 0 {
		t.Errorf("un ciclo no deja a nadie afuera del grafo: %d omitidos", n)
	}
	h, err := a.Hechos(t.Context(), docugraph.Limites{})
	if err != nil || h.Documento[0].ProfundidadMaxima != 1 || len(h.Alcanzable) != 4 {
		t.Errorf("%+v, %v", h, err)
	}
}

// TestDisposicion: in the drawing every document is to the left of what it depends on, and no two boxes overlap.
func TestDisposicion(t *testing.T) {
	a := cargar(t, fixtures+"/demo-repo")
	g, err := a.Grafo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := g.HTML(&b, "demo", a.Informe("")); err != nil {
		t.Fatal(err)
	}
	type caja struct{ x, y int }
	var cajas []caja
	for _, m := range regexp.MustCompile(`<rect x="(\d+)" y="(\d+)"`).FindAllStringSubmatch(b.String(), -1) {
		x, _ := strconv.Atoi(m[1])
		y, _ := strconv.Atoi(m[2])
		for _, c := range cajas {
			if max(c.x, x)-min(c.x, x) < 210 && max(c.y, y)-min(c.y, y) < 46 {
				t.Errorf("dos cajas se pisan: %v y %d,%d", c, x, y)
			}
		}
		cajas = append(cajas, caja{x, y})
	}
	aristas := regexp.MustCompile(`data-d="(\d+)" data-h="(\d+)" d="M(\d+) (\d+)[^"]*?(\d+) (\d+)"`).FindAllStringSubmatch(b.String(), -1)
	if len(cajas) != 13 || len(aristas) != 17 {
		t.Fatalf("%d cajas, %d aristas", len(cajas), len(aristas))
	}
	for _, m := range aristas {
		var desde, hasta, x1, y1, x2, y2 int
		if _, err := fmt.Sscan(strings.Join(m[1:], " "), &desde, &hasta, &x1, &y1, &x2, &y2); err != nil {
			t.Fatal(err)
		}
		d, h := cajas[desde], cajas[hasta]
		if d.x >= h.x {
			t.Errorf("%s está a la derecha de %s, de quien depende", g.Nodos[desde].ID, g.Nodos[hasta].ID)
		}
		if x1 != d.x+210 || y1 != d.y+23 || x2 != h.x || y2 != h.y+23 {
			t.Errorf("la flecha de %s a %s no va de una caja a la otra: %v", g.Nodos[desde].ID, g.Nodos[hasta].ID, m)
		}
	}
}
