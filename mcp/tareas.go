package mcp

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
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
			if err := revisarTareas(a); err != nil {
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

// revisarTareas refuses, with its place and its mend, what the schema cannot:
// an argument the action would not look at, and a text that no line can have.
// A git that is false asks for nothing.
func revisarTareas(a contrato.ArgumentosDeTareas) error {
	for _, x := range []struct {
		nombre string
		valor  *string
		accion string // the one that looks at it
	}{
		{"estado", a.Estado, "listar"}, {"etiqueta", a.Etiqueta, "listar"},
		{"id", a.ID, "ver"}, {"texto", a.Texto, "buscar"},
	} {
		if x.valor != nil && x.accion != a.Accion {
			return deMas(x.nombre, crudo.CitaJSON(crudo.AppendTexto(nil, *x.valor)), x.accion, a.Accion)
		}
	}
	if a.Git && a.Accion != "hechos" {
		return deMas("git", "true", "hechos", a.Accion)
	}
	if a.Accion == "buscar" && (*a.Texto == "" || strings.ContainsAny(*a.Texto, "\n\r")) {
		return &contrato.Invalido{Ruta: "$.texto", Recibido: crudo.CitaJSON(crudo.AppendTexto(nil, *a.Texto)),
			Forma: "un texto no vacío, de una sola línea", Correccion: "se busca línea por línea: mandá una parte de una."}
	}
	return nil
}

func deMas(nombre, recibido, laUsa, pedida string) error {
	return &contrato.Invalido{Ruta: "$." + nombre, Recibido: recibido,
		Forma:      "que no estuviera: la acción " + pedida + " no lo usa",
		Correccion: "sacalo, o pedí la acción " + laUsa + "."}
}
