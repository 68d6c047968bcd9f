package mcp

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// Evaluar returns oracle_evaluar over a project (contract, «oracle_evaluar»).
func Evaluar(p *host.Proyecto) Herramienta {
	return Herramienta{
		Nombre: "oracle_evaluar",
		Llamar: func(ctx context.Context, args json.RawMessage, _ Avance) (Resultado, error) {
			var a struct {
				Medida    medidaPedida    `json:"medida"`
				Evidencia json.RawMessage `json:"evidencia"`
			}
			if err := json.Unmarshal(args, &a); err != nil {
				return Resultado{}, fmt.Errorf("leer argumentos ya validados: %w", err)
			}
			e, err := p.Evaluar(ctx, host.PedidoEvaluar{
				Medida: a.Medida.candidata(), Evidencia: a.Evidencia, SoloObjetos: true,
			})
			if err != nil {
				return Resultado{}, err
			}
			return Resultado{Estructurado: e.AppendJSON(nil)}, nil
		},
	}
}

// medidaPedida is the closed union every tool names a measure with. It passed
// the published schema: exactly one of ID and Texto is there.
type medidaPedida struct {
	ID    string  `json:"id"`
	Texto *string `json:"texto"`
}

func (m medidaPedida) candidata() host.Candidata {
	if m.Texto != nil {
		return host.Candidata{Texto: []byte(*m.Texto)}
	}
	return host.Candidata{ID: m.ID}
}
