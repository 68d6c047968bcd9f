package mcp

import (
	"context"
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// Juzgar returns oracle_juzgar over a project (contract, «oracle_juzgar»). It
// reports how many measures were judged.
func Juzgar(p *host.Proyecto) Herramienta {
	return Herramienta{
		Nombre:      "oracle_juzgar",
		Simultaneas: p.Simultaneas(),
		Llamar: func(ctx context.Context, args json.RawMessage, avance Avance) (Resultado, error) {
			a, err := contrato.LeerJuzgar(args)
			if err != nil {
				return Resultado{}, err
			}
			j, err := p.Juzgar(ctx, host.PedidoJuzgar{
				Evidencia: string(a.Evidencia), IDs: a.IDs, SoloObjetos: true, Avance: avance,
			})
			if err != nil {
				return Resultado{}, err
			}
			return Resultado{Estructurado: j.AppendJSON(nil)}, nil
		},
	}
}
