package tareas

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// Lector is the view of the project's root that a consultation reads through;
// the caller wraps it to sign what was read.
type Lector = lector.Lector

// Accion is what a consultation does.
type Accion string

// The four actions (contract, «oracle_tareas»).
const (
	AccionListar Accion = "listar"
	AccionVer    Accion = "ver"
	AccionBuscar Accion = "buscar"
	AccionHechos Accion = "hechos"
)

// Consulta is the arguments of one call. A nil pointer is an argument that did
// not come.
type Consulta struct {
	Accion   Accion
	Estado   *Estado
	Etiqueta *string
	ID       *string
	Texto    *string
	Git      *bool
}

// validar checks what the schema cannot say: that each action has what it
// needs, and nothing that it would not look at. A git that is false is the same
// as none.
func (c *Consulta) validar() error {
	type argumento struct {
		nombre    string
		vino      bool
		admite    Accion
		exige     bool
		sePide    string
		seRecibio string
	}
	texto := func(p *string) string {
		if p == nil {
			return "ausente"
		}
		return "«" + citar(*p) + "»"
	}
	var estado *string
	if c.Estado != nil {
		estado = (*string)(c.Estado)
	}
	args := []argumento{
		{"estado", c.Estado != nil, AccionListar, false, "", texto(estado)},
		{"etiqueta", c.Etiqueta != nil, AccionListar, false, "", texto(c.Etiqueta)},
		{"id", c.ID != nil, AccionVer, true, "un id de tarea, un prefijo o un sufijo entero", texto(c.ID)},
		{"texto", c.Texto != nil, AccionBuscar, true, "el texto a buscar", texto(c.Texto)},
		{"git", c.Git != nil && *c.Git, AccionHechos, false, "", "true"},
	}
	switch c.Accion {
	case AccionListar, AccionVer, AccionBuscar, AccionHechos:
	default:
		return errArgumento("$.accion", "«"+citar(string(c.Accion))+"»", "listar, ver, buscar o hechos", "elegí una de esas acciones.")
	}
	for _, a := range args {
		switch {
		case a.vino && a.admite != c.Accion:
			return errArgumento("$."+a.nombre, a.seRecibio,
				fmt.Sprintf("que no viniera: sólo lo usa la acción %s, y ésta es %s", a.admite, c.Accion),
				fmt.Sprintf("sacalo, o pedí la acción %s.", a.admite))
		case !a.vino && a.exige && a.admite == c.Accion:
			return errArgumento("$."+a.nombre, "ausente", a.sePide+", que la acción "+string(c.Accion)+" exige", "agregalo.")
		}
	}
	if e := c.Estado; e != nil && *e != Abierta && *e != Cerrada {
		return errArgumento("$.estado", texto(estado), "ABIERTA o CERRADA", "elegí uno de esos valores, tal cual está escrito.")
	}
	return nil
}

// Resultado is what a consultation found: exactly one field, the one of its
// action, is set.
type Resultado struct {
	Lista    []Resumen
	Tarea    *Tarea
	Busqueda *Busqueda
	Hechos   *Hechos
}

// Consultar answers one call: it audits the tracker under l and runs the
// action. repo is what [repositorio.Descubrir] found at start (nil for none),
// seen through the call's recorder; it is only read when the call asks for git.
//
// The error is an [*Error] with the contract's code, or the context's. It is
// safe to call from several goroutines.
func Consultar(ctx context.Context, l Lector, repo *repositorio.Repositorio, c Consulta) (*Resultado, error) {
	if err := c.validar(); err != nil {
		return nil, err
	}
	t, err := Abrir(ctx, l)
	if err != nil {
		return nil, err
	}
	r := &Resultado{}
	switch c.Accion {
	case AccionListar:
		f := Filtro{Etiqueta: c.Etiqueta}
		if c.Estado != nil {
			f.Estado = *c.Estado
		}
		r.Lista = t.Listar(f)
	case AccionVer:
		r.Tarea, err = t.Ver(*c.ID)
	case AccionBuscar:
		r.Busqueda, err = t.Buscar(ctx, *c.Texto)
	case AccionHechos:
		r.Hechos, err = t.Hechos(ctx, Git{Pedido: c.Git != nil && *c.Git, Repositorio: repo})
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// JSON returns the result as the `resultado` of the answer: one line, fields in
// their published order, nothing escaped that JSON does not oblige to, and
// integers of any size exact.
func (r *Resultado) JSON() ([]byte, error) {
	var v any
	switch {
	case r.Tarea != nil:
		v = r.Tarea
	case r.Busqueda != nil:
		v = r.Busqueda
	case r.Hechos != nil:
		v = r.Hechos
	default:
		v = r.Lista
	}
	return json.Marshal(v, json.Deterministic(true))
}
