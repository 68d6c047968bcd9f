package mcp

import (
	"context"
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// Evaluar returns oracle_evaluar over a project (contract, «oracle_evaluar»).
func Evaluar(p *host.Proyecto) Herramienta {
	return Herramienta{
		Nombre: "oracle_evaluar",
		Llamar: func(ctx context.Context, args json.RawMessage, _ Avance) (Resultado, error) {
			a, err := contrato.LeerEvaluar(args)
			if err != nil {
				return Resultado{}, err
			}
			e, err := p.Evaluar(ctx, host.PedidoEvaluar{
				Medida: candidata(a.Medida), Evidencia: string(a.Evidencia), SoloObjetos: true,
			})
			if err != nil {
				return Resultado{}, err
			}
			return Resultado{Estructurado: e.AppendJSON(nil)}, nil
		},
	}
}

// candidata is a measure as host names it.
func candidata(m contrato.Medida) host.Candidata {
	return host.Candidata{ID: m.ID, Texto: []byte(m.Texto)}
}
