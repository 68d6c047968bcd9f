package docugraph_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// TestArbolesComoLosDeLaGente: fixtures/docugraph/arboles/LEEME.md says what was decided for each and why.
func TestArbolesComoLosDeLaGente(t *testing.T) {
	esperados, err := filepath.Glob(fixtures + "/arboles/*/esperado.txt")
	if err != nil || len(esperados) < 5 {
		t.Fatalf("%d árboles, %v", len(esperados), err)
	}
	for _, archivo := range esperados {
		t.Run(filepath.Base(filepath.Dir(archivo)), func(t *testing.T) {
			esperado, err := os.ReadFile(archivo)
			if err != nil {
				t.Fatal(err)
			}
			a := cargar(t, filepath.Join(filepath.Dir(archivo), "arbol"))
			var b strings.Builder
			for _, r := range a.Lista(docugraph.Filtro{}).Tareas {
				b.WriteString("nodo " + r.ID + " «" + r.Titulo + "» → " + strings.Join(r.DependeDe, ", ") + "\n")
			}
			b.WriteString(lugares(a.Informe("")))
			if d := cmp.Diff(string(esperado), b.String()); d != "" {
				t.Errorf("(-esperado +obtenido):\n%s", d)
			}
		})
	}
}
