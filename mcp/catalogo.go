package mcp

import (
	"context"
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// CatalogoEfectivo returns oracle_catalogo_efectivo over a project (contract,
// «oracle_catalogo_efectivo»).
func CatalogoEfectivo(p *host.Proyecto) Herramienta {
	return Herramienta{
		Nombre:      "oracle_catalogo_efectivo",
		Simultaneas: p.Simultaneas(),
		Llamar: func(ctx context.Context, args json.RawMessage, _ Avance) (Resultado, error) {
			a, err := contrato.LeerCatalogo(args)
			if err != nil {
				return Resultado{}, err
			}
			c, err := p.CatalogoEfectivo(ctx, host.PedidoCatalogo{IDs: a.IDs})
			if err != nil {
				return Resultado{}, err
			}
			return Resultado{Estructurado: c.AppendJSON(nil)}, nil
		},
	}
}
