package docugraph

import (
	"encoding/json"
	"strconv"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// argumentos are those of every tool; each uses the ones it declares.
type argumentos struct {
	TaskID, RootID, WorkspacePath string
	MaxDepth                      int
	Mermaid                       bool
	Filtro                        docugraph.Filtro
}

// parametro is one declared argument: how to read it into argumentos.
type parametro struct {
	nombre      string
	obligatorio bool
	leer        func(a *argumentos, raw json.RawMessage) (forma string) // what was expected, or ""
}

func texto(nombre string, obligatorio, vacio bool, campo func(*argumentos) *string) parametro {
	return parametro{nombre, obligatorio, func(a *argumentos, raw json.RawMessage) string {
		s, ok := crudo.Texto(raw)
		switch {
		case !ok:
			return "un texto"
		case s == "" && !vacio:
			return "un texto no vacío"
		}
		*campo(a) = s
		return ""
	}}
}

var (
	taskID   = texto("taskId", true, true, func(a *argumentos) *string { return &a.TaskID })
	maxDepth = parametro{"maxDepth", false, func(a *argumentos, raw json.RawMessage) string {
		n, ok := entero(raw)
		if !ok || n < 0 || n > docugraph.ProfundidadMaxima {
			return "un entero de 0 a " + strconv.Itoa(docugraph.ProfundidadMaxima)
		}
		a.MaxDepth = n
		return ""
	}}
	formato = parametro{"format", false, func(a *argumentos, raw json.RawMessage) string {
		s, ok := crudo.Texto(raw)
		if !ok || s != "json" && s != "mermaid" {
			return `"json" o "mermaid"`
		}
		a.Mermaid = s == "mermaid"
		return ""
	}}
)

// parametros are the arguments each tool declares, in the order definiciones.json does.
var parametros = map[string][]parametro{
	"get_task_context":      {taskID, maxDepth},
	"validate_traceability": {texto("workspacePath", false, false, func(a *argumentos) *string { return &a.WorkspacePath })},
	"get_dependency_graph":  {texto("rootId", false, true, func(a *argumentos) *string { return &a.RootID }), maxDepth, formato},
	"list_tasks": {
		texto("status", false, false, func(a *argumentos) *string { return &a.Filtro.Estado }),
		texto("type", false, false, func(a *argumentos) *string { return &a.Filtro.Tipo }),
		texto("tag", false, false, func(a *argumentos) *string { return &a.Filtro.Etiqueta }),
	},
	"get_acceptance_criteria": {taskID},
	"analyze_impact":          {taskID, maxDepth},
}

// entero reads a JSON integer, which may be written 5, 5.0 or 5e0.
func entero(raw json.RawMessage) (int, bool) {
	if crudo.Tipo(raw) != '0' {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	if err != nil || f != float64(int64(f)) {
		return 0, false
	}
	return int(f), true
}

// leer checks the arguments of a tool against its published schema and reads them, MaxDepth being porOmision if it is absent. hay
// says which were given.
func leer(herramienta string, args json.RawMessage, porOmision int) (a argumentos, hay map[string]bool, err error) {
	a.MaxDepth = porOmision
	miembros, err := crudo.Miembros(args)
	if err != nil {
		return a, nil, invalido("$", args, "un objeto")
	}
	declarados := map[string]parametro{}
	for _, p := range parametros[herramienta] {
		declarados[p.nombre] = p
	}
	hay = map[string]bool{}
	for _, m := range miembros {
		p, ok := declarados[m.Clave]
		switch {
		case !ok:
			return a, nil, invalido("$."+crudo.Cita(m.Clave), m.Valor, "ninguna clave más que las declaradas")
		case hay[m.Clave]:
			return a, nil, invalido("$."+m.Clave, m.Valor, "la clave una sola vez")
		}
		hay[m.Clave] = true
		if forma := p.leer(&a, m.Valor); forma != "" {
			return a, nil, invalido("$."+m.Clave, m.Valor, forma)
		}
	}
	for _, p := range parametros[herramienta] {
		if p.obligatorio && !hay[p.nombre] {
			return a, nil, invalido("$."+p.nombre, nil, "un texto")
		}
	}
	if herramienta == "get_dependency_graph" && hay["maxDepth"] && !hay["rootId"] {
		return a, nil, invalido("$.rootId", nil, "un id, porque hay maxDepth")
	}
	return a, hay, nil
}

// Validar checks a call's arguments. Its errors are INVALID_ARGUMENT, with the JSON path, what came and what was expected.
func Validar(herramienta string, args json.RawMessage) error {
	_, _, err := leer(herramienta, args, 0)
	return err
}

func invalido(ruta string, valor json.RawMessage, forma string) error {
	llego := "ausente"
	if valor != nil {
		llego = crudo.CitaJSON(valor)
	}
	return deDominio(&docugraph.ErrorHerramienta{
		Codigo: docugraph.ArgumentoInvalido, Mensaje: ruta + ": " + llego + "; se esperaba " + forma,
	})
}
