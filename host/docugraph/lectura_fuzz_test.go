package docugraph_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// FuzzLeer: no bytes make reading a document panic or contradict itself, and a tree of it answers every question.
func FuzzLeer(f *testing.F) {
	for _, dir := range []string{"demo-repo", "negativos"} {
		err := filepath.WalkDir(filepath.Join(fixtures, dir), func(p string, d os.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(p, ".md") {
				datos, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				f.Add(datos)
			}
			return err
		})
		if err != nil {
			f.Fatal(err)
		}
	}
	for _, s := range []string{"---\nid: A\n<<: &x {depends_on: A}\n---\n", "---\nid: &a A\ndepends_on: *a\n---\n[a](<b c>)\n", "---\r\nid: A\r\n...\r\n# [x](y)\r\n", "---\n? a\n: b\n---\n",
		"---\nid: !!str 12\ntags: a, b\nacceptance_criteria: [a: b, 1, true]\n---\n## Acceptance criteria\n- [x] a\n- [ ](b)\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, datos []byte) {
		d := docugraph.Leer("a.md", datos, docugraph.Limites{})
		otra := docugraph.Leer("a.md", datos, docugraph.Limites{})
		if diff := cmp.Diff(d, otra, cmpopts.IgnoreUnexported(docugraph.Documento{})); diff != "" {
			t.Fatalf("dos lecturas, dos resultados:\n%s", diff)
		}
		if strings.ContainsAny(d.ID, " \n\t") || strings.Contains(d.Contenido, "\r\n") || !utf8.ValidString(d.Contenido) || strings.Contains(d.Ficha.Titulo, "\n") {
			t.Fatalf("id %q, título %q", d.ID, d.Ficha.Titulo)
		}
		lineas := strings.Count(string(datos), "\n") + 2
		a, err := docugraph.Armar(t.Context(), []*docugraph.Documento{d}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, h := range a.Informe("").Hallazgos() {
			if h.Linea < 1 || h.Linea > lineas || h.Mensaje == "" || strings.ContainsAny(h.Mensaje, "\n\r") {
				t.Fatalf("hallazgo fuera de lugar (%d renglones): %+v", lineas, h)
			}
		}
		if d.ID == "" {
			return
		}
		if _, err := a.Hechos(t.Context(), docugraph.Limites{}); err != nil {
			t.Fatal(err)
		}
		p, err := a.Contexto(t.Context(), d.ID, 5)
		if err == nil && !strings.HasPrefix(p.Markdown(), "# Context bundle: "+d.ID+"\n") {
			t.Fatalf("paquete %q", p.Markdown())
		}
		if err != nil && codigoDe(err) == "" {
			t.Fatal(err)
		}
	})
}
