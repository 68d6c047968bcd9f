// Package docugraph serves a workspace of documents over MCP: six read-only tools and two prompts, on the gate of package mcp.
//
// [Servidor] puts them together over a loaded host/docugraph.Espacio. There is a file for the tools, one for the checks of their
// arguments and one for the prompts; definiciones.json is what tools/list publishes, and a test holds the checks against it.
//
// It implements contrato/docugraph-g0.md §3 and especificacion/docugraph.md §4 and §5.
package docugraph

import (
	_ "embed"
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

//go:embed definiciones.json
var definiciones []byte

// Definiciones returns the array tools/list publishes, in its order. The slice is the caller's.
func Definiciones() json.RawMessage { return append(json.RawMessage(nil), definiciones...) }

// Servidor returns the server of a workspace, which has to be loaded.
func Servidor(version string, e *docugraph.Espacio) mcp.Servidor {
	h := herramientas{e}
	return mcp.Servidor{
		Nombre:       "docugraph-mcp",
		Version:      version,
		Definiciones: Definiciones(),
		Validar:      Validar,
		Herramientas: []mcp.Herramienta{
			{Nombre: "get_task_context", Llamar: h.contexto},
			{Nombre: "validate_traceability", Llamar: h.validar},
			{Nombre: "get_dependency_graph", Llamar: h.grafo},
			{Nombre: "list_tasks", Llamar: h.lista},
			{Nombre: "get_acceptance_criteria", Llamar: h.criterios},
			{Nombre: "analyze_impact", Llamar: h.impacto},
		},
		Prompts: []mcp.Prompt{h.implementar(), h.auditar()},
	}
}
