package docugraph_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// TestTopesDeLectura tries each fixed bound of reading one document at n and at n+1.
func TestTopesDeLectura(t *testing.T) {
	ficha := func(yaml string) string { return "---\nid: A\n" + yaml + "---\n" }
	cuerpo := func(md string) string { return "---\nid: A\n---\n" + md }
	claves := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "  k%d: 1\n", i)
		}
		return ficha("m:\n" + b.String())
	}
	for nombre, c := range map[string]struct {
		codigo  docugraph.Codigo
		n       int
		escribe func(n int) string
	}{
		// The top mapping is level 1, and the innermost list holds a scalar, one level more.
		"niveles de YAML": {docugraph.FrontmatterInvalido, 62, func(n int) string {
			return ficha("x: " + strings.Repeat("[", n) + "1" + strings.Repeat("]", n) + "\n")
		}},
		"claves de un mapa": {docugraph.FrontmatterInvalido, 1_000, claves},
		// The mapping, its two keys, the id and the list are five.
		"valores de YAML": {docugraph.FrontmatterInvalido, 9_995, func(n int) string {
			return ficha("x: [" + strings.Repeat("1,", n-1) + "1]\n")
		}},
		"marcas de un renglón":    {docugraph.ArchivoIlegible, 50, func(n int) string { return cuerpo(strings.Repeat(">", n) + "a\n") }},
		"sangría de una lista":    {docugraph.ArchivoIlegible, 160, func(n int) string { return cuerpo(strings.Repeat(" ", n) + "- a\n") }},
		"sangría con tabuladores": {docugraph.ArchivoIlegible, 40, func(n int) string { return cuerpo(strings.Repeat("\t", n) + "- a\n") }},
		"definiciones seguidas":   {docugraph.ArchivoIlegible, 10_000, func(n int) string { return cuerpo(strings.Repeat("[a]: b\n", n)) }},
	} {
		if d := docugraph.Leer("a.md", []byte(c.escribe(c.n)), docugraph.Limites{}); len(d.Hallazgos) != 0 || d.ID != "A" {
			t.Errorf("%s, en %d: %+v", nombre, c.n, d.Hallazgos)
		}
		if d := docugraph.Leer("a.md", []byte(c.escribe(c.n+1)), docugraph.Limites{}); len(d.Hallazgos) != 1 || d.Hallazgos[0].Codigo != c.codigo {
			t.Errorf("%s, en %d: %+v", nombre, c.n+1, d.Hallazgos)
		}
	}
}

// TestTopeDeCaminos: the ways of one impact hold at most half a million ids together, those of a chain of 999 less and of 1.000 more.
func TestTopeDeCaminos(t *testing.T) {
	a, err := docugraph.Armar(t.Context(), enMemoria(1_001, func(i int) []int {
		if i == 0 {
			return nil
		}
		return []int{i - 1}
	}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if i, err := a.Impacto(t.Context(), "N-000000", 999); err != nil || len(i.Afecta) != 999 {
		t.Errorf("999: %v", err)
	}
	if _, err := a.Impacto(t.Context(), "N-000000", 1_000); codigoDe(err) != docugraph.ArgumentoInvalido {
		t.Errorf("1.000: %v", err)
	}
}
