package docugraph

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// herramientas answers the calls. The tree is immutable, so calls share it.
type herramientas struct{ espacio *docugraph.Espacio }

// errorDeDominio is an *ErrorHerramienta as the gate wants it: its text begins with the code, and it has structured content.
type errorDeDominio struct{ *docugraph.ErrorHerramienta }

var _ mcp.ErrorDeDominio = errorDeDominio{}

// Codigo is the code of the error.
func (e errorDeDominio) Codigo() string { return string(e.ErrorHerramienta.Codigo) }

// Estructurado is {"code", "message"} (especificacion/docugraph.md §4).
func (e errorDeDominio) Estructurado() json.RawMessage {
	b, err := docugraph.JSON(e.ErrorHerramienta)
	if err != nil {
		return nil
	}
	return b
}

func deDominio(err error) error {
	if e, ok := errors.AsType[*docugraph.ErrorHerramienta](err); ok {
		return errorDeDominio{e}
	}
	return err
}

// responder turns a result of the core into an answer: its JSON, as text and as structured content.
func responder(v any, err error) (mcp.Resultado, error) {
	if err != nil {
		return mcp.Resultado{}, deDominio(err)
	}
	b, err := docugraph.JSON(v)
	return mcp.Resultado{Estructurado: b}, err
}

func (h herramientas) contexto(ctx context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
	a, _, err := leer("get_task_context", args, docugraph.ProfundidadPorOmision)
	if err != nil {
		return mcp.Resultado{}, err
	}
	p, err := h.espacio.Arbol().Contexto(ctx, a.TaskID, a.MaxDepth)
	if err != nil {
		return mcp.Resultado{}, deDominio(err)
	}
	return mcp.Resultado{Texto: p.Markdown()}, nil
}

func (h herramientas) validar(ctx context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
	a, _, err := leer("validate_traceability", args, 0)
	if err != nil {
		return mcp.Resultado{}, err
	}
	return responder(h.espacio.Validar(ctx, a.WorkspacePath))
}

func (h herramientas) grafo(ctx context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
	a, hay, err := leer("get_dependency_graph", args, docugraph.ProfundidadMaxima)
	if err != nil {
		return mcp.Resultado{}, err
	}
	var g *docugraph.Grafo
	if hay["rootId"] {
		g, err = h.espacio.Arbol().AguasArriba(ctx, a.RootID, a.MaxDepth)
	} else {
		g, err = h.espacio.Arbol().Grafo(ctx)
	}
	if err == nil && a.Mermaid {
		return mcp.Resultado{Texto: g.Mermaid()}, nil
	}
	return responder(g, err)
}

func (h herramientas) lista(_ context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
	a, _, err := leer("list_tasks", args, 0)
	if err != nil {
		return mcp.Resultado{}, err
	}
	return responder(h.espacio.Arbol().Lista(a.Filtro), nil)
}

func (h herramientas) criterios(_ context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
	a, _, err := leer("get_acceptance_criteria", args, 0)
	if err != nil {
		return mcp.Resultado{}, err
	}
	return responder(h.espacio.Arbol().Criterios(a.TaskID))
}

func (h herramientas) impacto(ctx context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
	a, _, err := leer("analyze_impact", args, docugraph.ProfundidadMaxima)
	if err != nil {
		return mcp.Resultado{}, err
	}
	return responder(h.espacio.Arbol().Impacto(ctx, a.TaskID, a.MaxDepth))
}
