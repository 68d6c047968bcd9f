package macro

import (
	"maps"
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Tabla is an immutable set of macros. The zero value and nil have none.
type Tabla struct {
	macros    map[string]*Macro
	escalares algebra.Escalares
}

// Con returns a table with m added. The error is *[algebra.ErrorDeCarga] when
// the table already has a macro of that name: none may hide another.
func (t *Tabla) Con(m *Macro) (*Tabla, error) {
	if t.Buscar(m.nombre) != nil {
		return nil, errorEn(algebra.Ruta{1}, "ya hay una macro «%s» y una macro no puede tapar a otra", algebra.Citar(m.nombre))
	}
	n := t.copia()
	n.macros[m.nombre] = m
	return n, nil
}

// ConEscalares returns a table whose guards may call the scalars of esc. By
// default they may call none.
func (t *Tabla) ConEscalares(esc algebra.Escalares) *Tabla {
	n := t.copia()
	n.escalares = esc
	return n
}

func (t *Tabla) copia() *Tabla {
	n := &Tabla{macros: map[string]*Macro{}}
	if t != nil {
		maps.Copy(n.macros, t.macros)
		n.escalares = t.escalares
	}
	return n
}

// Buscar returns the macro of that name, or nil.
func (t *Tabla) Buscar(nombre string) *Macro {
	if t == nil {
		return nil
	}
	return t.macros[nombre]
}

// Nombres returns the names of the macros, by code point.
func (t *Tabla) Nombres() []string {
	if t == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.macros))
}
