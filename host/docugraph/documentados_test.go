package docugraph_test

import (
	"os"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// TestTodoCodigoEstaDocumentado: docs/docugraph.md has a row for each code, with its level if it is a finding's.
func TestTodoCodigoEstaDocumentado(t *testing.T) {
	b, err := os.ReadFile("../../docs/docugraph.md")
	if err != nil {
		t.Fatal(err)
	}
	for c, nivel := range codigos {
		if !strings.Contains(string(b), "\n| `"+string(c)+"` | "+string(nivel)+" |") {
			t.Errorf("%s (%s) no está en la tabla de hallazgos", c, nivel)
		}
	}
	for _, c := range []docugraph.Codigo{
		docugraph.ArgumentoInvalido, docugraph.TareaNoEncontrada, docugraph.GrafoConCiclo, docugraph.WorkspaceFueraDeRaiz,
		docugraph.EnlaceRoto, docugraph.IDRepetido, docugraph.DependsOnInvalido,
	} {
		if !strings.Contains(string(b), "\n| `"+string(c)+"` |") {
			t.Errorf("%s no está en la tabla de errores", c)
		}
	}
}
