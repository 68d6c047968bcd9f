package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAvanceDelDesafio: mutants run of mutants generated, never back, the last
// one complete and before the answer.
func TestAvanceDelDesafio(t *testing.T) {
	proyecto := t.TempDir()
	if err := os.Mkdir(filepath.Join(proyecto, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	m := arrancar(t, proceso{args: []string{"--proyecto", proyecto}})
	const medida = `medida d.a:\n    de p x\n    donde x.n > 5\n    resumen contar(1)\n    umbral <= 0 porque \"a\"\n    alcance \"a\"\n`
	m.escribir(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"oracle_desafiar","arguments":{"medida":{"texto":"` + medida + `","formato":"oracle"},` +
		`"casos":[{"id":"r","espera":"rojo","evidencia":{"p":[{"n":6}]}},{"id":"v","espera":"verde","evidencia":{"p":[{"n":5}]}}]},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"progressToken":"t"}}}` + "\n")
	m.esperar("1")
	m.cerrarEntrada()
	if codigo := m.terminar(); codigo != 0 {
		t.Errorf("exit code %d", codigo)
	}
	ultimo, total, respondio := 0, 0, false
	for linea := range strings.Lines(m.salida()) {
		var o struct {
			Method string
			Params struct {
				ProgressToken   string
				Progress, Total int
			}
			Result *struct {
				StructuredContent struct {
					Mutacion struct{ Generados int }
				}
			}
		}
		if err := json.Unmarshal([]byte(linea), &o); err != nil {
			t.Fatal(err)
		}
		switch {
		case o.Method == "notifications/progress":
			if respondio || o.Params.ProgressToken != "t" || o.Params.Progress <= ultimo {
				t.Errorf("after %d: %s", ultimo, linea)
			}
			ultimo, total = o.Params.Progress, o.Params.Total
		case o.Result != nil:
			respondio = true
			if n := o.Result.StructuredContent.Mutacion.Generados; n != 9 || total != n || ultimo != n {
				t.Errorf("%d mutants, and the progress ends in %d of %d", n, ultimo, total)
			}
		}
	}
	if !respondio {
		t.Error("no answer")
	}
}
