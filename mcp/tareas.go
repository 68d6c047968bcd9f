package mcp

import (
	"context"
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// Tareas returns oracle_tareas over a project (contract, «oracle_tareas»).
func Tareas(p *host.Proyecto) Herramienta {
	return Herramienta{
		Nombre: "oracle_tareas",
		Llamar: func(ctx context.Context, args json.RawMessage, _ Avance) (Resultado, error) {
			a, err := contrato.LeerTareas(args)
			if err != nil {
				return Resultado{}, err
			}
			t, err := p.Tareas(ctx, tareas.Consulta{
				Accion: tareas.Accion(a.Accion), Estado: (*tareas.Estado)(a.Estado),
				Etiqueta: a.Etiqueta, ID: a.ID, Texto: a.Texto, Git: &a.Git,
			})
			if err != nil {
				return Resultado{}, err
			}
			return Resultado{Estructurado: t.AppendJSON(nil)}, nil
		},
	}
}
