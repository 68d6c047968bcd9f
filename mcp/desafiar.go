package mcp

import (
	"context"
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// Desafiar returns oracle_desafiar over a project (contract, «oracle_desafiar»).
// It reports how many mutants were run.
func Desafiar(p *host.Proyecto) Herramienta {
	return Herramienta{
		Nombre:      "oracle_desafiar",
		Simultaneas: p.Simultaneas(),
		Llamar: func(ctx context.Context, args json.RawMessage, avance Avance) (Resultado, error) {
			a, err := contrato.LeerDesafiar(args)
			if err != nil {
				return Resultado{}, err
			}
			d, err := p.Desafiar(ctx, host.PedidoDesafiar{
				Medida: candidata(a.Medida), Casos: CasosEfimeros(a.Casos), SinProyecto: !a.UsarEvidenciaDeProyecto,
				SoloObjetos: true, Avance: avance,
			})
			if err != nil {
				return Resultado{}, err
			}
			return Resultado{Estructurado: d.AppendJSON(nil)}, nil
		},
	}
}

// CasosEfimeros are the cases of a call as host takes them.
func CasosEfimeros(casos []contrato.Caso) []host.CasoEfimero {
	var cs []host.CasoEfimero
	for _, c := range casos {
		cs = append(cs, host.CasoEfimero{ID: c.ID, Espera: algebra.Estado(c.Espera), Evidencia: string(c.Evidencia)})
	}
	return cs
}
