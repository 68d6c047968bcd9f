package clientes_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// servidorDeDocumentos returns the command line of docugraph-mcp over the demonstration repository.
func servidorDeDocumentos(t *testing.T) []string {
	t.Helper()
	ruta, err := binarioDeDocumentos()
	if err != nil {
		t.Fatal(err)
	}
	return []string{ruta, "--workspace", "../../fixtures/docugraph/demo-repo"}
}

func paqueteEsperado(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile("../../fixtures/docugraph/esperado/BE-02.md")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

var herramientasDeDocumentos = []string{
	"get_task_context", "validate_traceability", "get_dependency_graph", "list_tasks", "get_acceptance_criteria", "analyze_impact",
}

// TestDocugraphTypeScript drives docugraph-mcp with both lines of the TypeScript SDK, in every era each speaks.
func TestDocugraphTypeScript(t *testing.T) {
	for _, c := range []struct{ linea, modo, era string }{
		{"v1", "legacy", "legacy"}, {"v2", "legacy", "legacy"}, {"v2", "auto", "modern"}, {"v2", "2026-07-28", "modern"},
	} {
		t.Run(c.linea+" "+c.modo, func(t *testing.T) {
			var v struct {
				Era          string
				Servidor     struct{ Name string }
				Capacidades  json.RawMessage
				Herramientas []string
				Prompts      []string
				Paquete      string
				Valido       bool
				Error        struct {
					IsError     bool
					Texto, Code string
				}
				Prompt bool
			}
			salida := ejecutar(t, append([]string{"node", "docugraph.mjs", c.linea, c.modo}, servidorDeDocumentos(t)...)...)
			if err := json.Unmarshal(salida, &v); err != nil {
				t.Fatalf("%v: %s", err, salida)
			}
			if v.Era != c.era || v.Servidor.Name != "docugraph-mcp" || string(v.Capacidades) != `{"prompts":{},"tools":{}}` || len(v.Prompts) != 2 || !v.Valido || !v.Prompt {
				t.Errorf("%s", salida)
			}
			if d := cmp.Diff(herramientasDeDocumentos, v.Herramientas); d != "" {
				t.Errorf("tools (-want +got):\n%s", d)
			}
			if d := cmp.Diff(paqueteEsperado(t), v.Paquete); d != "" {
				t.Errorf("bundle (-want +got):\n%s", d)
			}
			if !v.Error.IsError || v.Error.Code != "TASK_NOT_FOUND" || !strings.HasPrefix(v.Error.Texto, "TASK_NOT_FOUND: ") {
				t.Errorf("%+v", v.Error)
			}
		})
	}
}

// TestDocugraphInspector drives docugraph-mcp with the Inspector's command line.
func TestDocugraphInspector(t *testing.T) {
	base := append([]string{"mcp-inspector", "--cli"}, servidorDeDocumentos(t)...)
	var lista struct{ Tools []*sdk.Tool }
	salida := ejecutar(t, append(base, "--method", "tools/list")...)
	if err := json.Unmarshal(salida, &lista); err != nil {
		t.Fatalf("%v: %s", err, salida)
	}
	var nombres []string
	for _, h := range lista.Tools {
		nombres = append(nombres, h.Name)
	}
	if d := cmp.Diff(herramientasDeDocumentos, nombres); d != "" {
		t.Errorf("tools (-want +got):\n%s", d)
	}
	var r struct {
		Content []struct{ Text string }
		IsError *bool
	}
	salida = ejecutar(t, append(base, "--method", "tools/call", "--tool-name", "get_task_context", "--tool-arg", "taskId=BE-02")...)
	if err := json.Unmarshal(salida, &r); err != nil {
		t.Fatalf("%v: %s", err, salida)
	}
	if len(r.Content) != 1 || r.IsError == nil || *r.IsError {
		t.Fatalf("%s", salida)
	}
	if d := cmp.Diff(paqueteEsperado(t), r.Content[0].Text); d != "" {
		t.Errorf("bundle (-want +got):\n%s", d)
	}
}
