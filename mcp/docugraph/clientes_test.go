package docugraph_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// TestClienteDelSDK is the definition of done of the contract (§8), point by point, with the SDK's Go client in both eras.
func TestClienteDelSDK(t *testing.T) {
	for era, version := range map[string]string{"heredada": "2025-11-25", "moderna": "2026-07-28"} {
		t.Run(era, func(t *testing.T) {
			sesion := conectar(t, version, fixtures+"/demo-repo")
			if v := sesion.InitializeResult().ProtocolVersion; v != version {
				t.Errorf("negotiated %s", v)
			}
			lista, err := sesion.ListTools(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			var nombres []string
			for _, h := range lista.Tools {
				nombres = append(nombres, h.Name)
			}
			if d := cmp.Diff([]string{"get_task_context", "validate_traceability", "get_dependency_graph", "list_tasks", "get_acceptance_criteria", "analyze_impact"}, nombres); d != "" {
				t.Errorf("tools (-want +got):\n%s", d)
			}

			esperado, err := os.ReadFile(fixtures + "/esperado/BE-02.md")
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				r := llamar(t, sesion, "get_task_context", map[string]any{"taskId": "BE-02"})
				if d := cmp.Diff(string(esperado), texto(t, r)); d != "" || r.IsError || r.StructuredContent != nil {
					t.Errorf("bundle (-want +got):\n%s", d)
				}
			}
			var i docugraph.Informe
			r := llamar(t, sesion, "validate_traceability", map[string]any{})
			if err := json.Unmarshal([]byte(texto(t, r)), &i); err != nil || !i.Valid || i.NodeCount != 13 {
				t.Errorf("%+v, %v", i, err)
			}
			prompts, err := sesion.ListPrompts(t.Context(), nil)
			if err != nil || len(prompts.Prompts) != 2 {
				t.Errorf("prompts: %+v, %v", prompts, err)
			}
			p, err := sesion.GetPrompt(t.Context(), &sdk.GetPromptParams{Name: "prompt_implement_task", Arguments: map[string]string{"taskId": "BE-02"}})
			if err != nil || len(p.Messages) != 1 {
				t.Errorf("prompt: %+v, %v", p, err)
			}

			for arbol, codigo := range map[string]docugraph.Codigo{"LINK_BROKEN": docugraph.EnlaceRoto, "LINK_CYCLE": docugraph.Ciclo} {
				sesion := conectar(t, version, fixtures+"/negativos/"+arbol+"/arbol")
				var i docugraph.Informe
				r := llamar(t, sesion, "validate_traceability", map[string]any{})
				if err := json.Unmarshal([]byte(texto(t, r)), &i); err != nil || i.Valid || r.IsError ||
					!slices.ContainsFunc(i.Errors, func(h docugraph.Hallazgo) bool { return h.Codigo == codigo }) {
					t.Errorf("%s: %+v, %v", arbol, i, err)
				}
			}
			ciclo := conectar(t, version, fixtures+"/negativos/LINK_CYCLE/arbol")
			r = llamar(t, ciclo, "get_task_context", map[string]any{"taskId": "L-1"})
			e, _ := r.StructuredContent.(map[string]any)
			if !r.IsError || e["code"] != "GRAPH_CYCLE" || len(e) != 2 || texto(t, r) != "GRAPH_CYCLE: "+e["message"].(string) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func conectar(t *testing.T, version, arbol string) *sdk.ClientSession {
	t.Helper()
	cliente := sdk.NewClient(&sdk.Implementation{Name: "prueba", Version: "1"}, nil)
	sesion, err := cliente.Connect(t.Context(), &sdk.CommandTransport{Command: servidor(t, arbol)}, &sdk.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sesion.Close() })
	return sesion
}

func llamar(t *testing.T, s *sdk.ClientSession, nombre string, args map[string]any) *sdk.CallToolResult {
	t.Helper()
	r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: nombre, Arguments: args})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func texto(t *testing.T, r *sdk.CallToolResult) string {
	t.Helper()
	c, ok := r.Content[0].(*sdk.TextContent)
	if !ok || len(r.Content) != 1 {
		t.Fatalf("content %+v", r.Content)
	}
	return c.Text
}
