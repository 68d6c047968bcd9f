package escalares

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Registro is a set of declared scalars. The zero value and nil have none.
type Registro struct {
	porNombre map[string]*algebra.Escalar
	orden     []*algebra.Escalar
}

var _ algebra.Escalares = (*Registro)(nil)

var formaDeNombre = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)

// reservadas are the words of the language a scalar cannot be called.
var reservadas = map[string]bool{
	"campo": true, "hecho": true, "col": true, "y": true, "o": true, "no": true,
	"true": true, "false": true, "null": true,
	"contar": true, "suma": true, "promedio": true, "min": true, "max": true,
	"medida": true, "de": true, "unir": true, "donde": true, "sin": true, "agrupar": true,
	"clave": true, "agregado": true, "resumen": true, "umbral": true, "segun": true, "porque": true,
	"requiere": true, "ambito": true, "alcance": true, "filas": true, "desde": true,
	"defmacro": true, "guarda": true, "sintaxis": true,
}

// Reservadas returns the names a project's scalar cannot have, sorted: the
// words of the language and the built-in scalars.
func Reservadas() []string {
	nombres := slices.Collect(maps.Keys(reservadas))
	for _, e := range Internas().Todas() {
		nombres = append(nombres, e.Nombre)
	}
	slices.Sort(nombres)
	return nombres
}

// Buscar returns the scalar with that name, or nil.
func (r *Registro) Buscar(nombre string) *algebra.Escalar {
	if r == nil {
		return nil
	}
	return r.porNombre[nombre]
}

// Todas returns the scalars in the order they were declared. Do not modify it.
func (r *Registro) Todas() []*algebra.Escalar {
	if r == nil {
		return nil
	}
	return r.orden
}

// Con returns a registry with those of r and the given ones. A name that is
// badly formed, a word of the language or already declared is an error.
func (r *Registro) Con(nuevas ...*algebra.Escalar) (*Registro, error) {
	n := &Registro{porNombre: map[string]*algebra.Escalar{}}
	for _, e := range append(append([]*algebra.Escalar(nil), r.Todas()...), nuevas...) {
		switch {
		case !formaDeNombre.MatchString(e.Nombre):
			return nil, fmt.Errorf("el nombre de escalar «%s» no tiene la forma [a-z][a-z0-9_]*", algebra.Citar(e.Nombre))
		case reservadas[e.Nombre]:
			return nil, fmt.Errorf("«%s» es una palabra del lenguaje y no puede ser el nombre de una escalar", e.Nombre)
		case n.porNombre[e.Nombre] != nil:
			return nil, fmt.Errorf("la escalar «%s» ya está declarada", e.Nombre)
		}
		n.porNombre[e.Nombre] = e
		n.orden = append(n.orden, e)
	}
	return n, nil
}
