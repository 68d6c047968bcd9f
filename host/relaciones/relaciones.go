// Package relaciones holds the relations a project declares: the fields of
// their facts, with type and unit, and what they do not see.
//
// [Leer] reads a «.relacion» file, [DeNodo] its canonical form, and
// [Relacion.AppendTexto] prints the only form there is; what a measure does not
// read of what was declared is [Declaradas.Derivar]. Everything is immutable
// once read and safe for concurrent use (especificación «proyecto» §6).
package relaciones

import (
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Tipo is the type of a declared field.
type Tipo string

// The four types.
const (
	TipoTexto    Tipo = "texto"
	TipoEntero   Tipo = "entero"
	TipoFlotante Tipo = "flotante"
	TipoBooleano Tipo = "booleano"
)

// Valido reports whether t is one of the four.
func (t Tipo) Valido() bool { return t.EsNumero() || t == TipoTexto || t == TipoBooleano }

// EsNumero reports whether fields of the type carry a unit.
func (t Tipo) EsNumero() bool { return t == TipoEntero || t == TipoFlotante }

// SinUnidad is the unit that says there is none.
const SinUnidad = "sin_unidad"

// Campo is a declared field.
type Campo struct {
	Nombre string
	Tipo   Tipo
	Unidad string // SinUnidad when it has none; texts and booleans never have
}

// Variante is the set of fields a relation has besides the common ones when its
// discriminant has a value.
type Variante struct {
	Valor  string
	Campos []Campo
}

// Relacion is a declaration.
type Relacion struct {
	Nombre        string
	Campos        []Campo
	Discriminante string // "" without variants
	Variantes     []Variante
	Alcance       string // may be ""
}

// Declara reports whether the relation has the field, common or of a variant.
func (r *Relacion) Declara(campo string) bool {
	for _, c := range r.Campos {
		if c.Nombre == campo {
			return true
		}
	}
	for _, v := range r.Variantes {
		for _, c := range v.Campos {
			if c.Nombre == campo {
				return true
			}
		}
	}
	return false
}

// Nombres returns the names of the fields in order of declaration, without
// repeats.
func (r *Relacion) Nombres() []string {
	var ns []string
	visto := map[string]bool{}
	poner := func(cs []Campo) {
		for _, c := range cs {
			if !visto[c.Nombre] {
				visto[c.Nombre] = true
				ns = append(ns, c.Nombre)
			}
		}
	}
	poner(r.Campos)
	for _, v := range r.Variantes {
		poner(v.Campos)
	}
	return ns
}

// Error is a declaration that reads and may not be.
type Error struct{ Motivo string }

// Error returns the reason.
func (e *Error) Error() string { return e.Motivo }

func mal(formato string, args ...any) error { return &Error{fmt.Sprintf(formato, args...)} }

// comprobar applies every rule of §6 that the shape alone does not grant.
// reservada tells the relations of the language.
func (r *Relacion) comprobar(reservada func(string) bool) error {
	if reservada != nil && reservada(r.Nombre) {
		return mal("«%s» es una relación del lenguaje y su nombre está reservado", r.Nombre)
	}
	if len(r.Campos) == 0 {
		return mal("la relación «%s» no declara ningún campo", algebra.Citar(r.Nombre))
	}
	comunes := map[string]Campo{}
	for _, c := range r.Campos {
		if err := c.comprobar(); err != nil {
			return err
		}
		if _, ya := comunes[c.Nombre]; ya {
			return mal("el campo «%s» se repite", algebra.Citar(c.Nombre))
		}
		comunes[c.Nombre] = c
	}
	if r.Discriminante == "" && r.Variantes == nil {
		return nil
	}
	d, ok := comunes[r.Discriminante]
	if !ok || d.Tipo != TipoTexto {
		return mal("el discriminante «%s» tiene que ser un campo común de tipo texto", algebra.Citar(r.Discriminante))
	}
	if len(r.Variantes) == 0 {
		return mal("«variantes» no trae ninguna variante")
	}
	valores := map[string]bool{}
	propios := map[string]Campo{}
	for _, v := range r.Variantes {
		if valores[v.Valor] {
			return mal("la variante «%s» se repite", algebra.Citar(v.Valor))
		}
		valores[v.Valor] = true
		if len(v.Campos) == 0 {
			return mal("la variante «%s» no declara ningún campo", algebra.Citar(v.Valor))
		}
		enEsta := map[string]bool{}
		for _, c := range v.Campos {
			if err := c.comprobar(); err != nil {
				return err
			}
			if _, ya := comunes[c.Nombre]; ya {
				return mal("la variante «%s» repite el campo común «%s»", algebra.Citar(v.Valor), algebra.Citar(c.Nombre))
			}
			if enEsta[c.Nombre] {
				return mal("el campo «%s» se repite en la variante «%s»", algebra.Citar(c.Nombre), algebra.Citar(v.Valor))
			}
			enEsta[c.Nombre] = true
			if otro, ya := propios[c.Nombre]; ya && otro != c {
				return mal("el campo «%s» tiene un tipo o una unidad en una variante y otro en otra", algebra.Citar(c.Nombre))
			}
			propios[c.Nombre] = c
		}
	}
	return nil
}

func (c Campo) comprobar() error {
	switch {
	case c.Nombre == "":
		return mal("un campo no tiene nombre")
	case !c.Tipo.Valido():
		return mal("«%s» no es un tipo de campo: texto, entero, flotante o booleano", algebra.Citar(string(c.Tipo)))
	case c.Unidad == "":
		return mal("el campo «%s» no dice su unidad; si no tiene, se escribe sin_unidad", algebra.Citar(c.Nombre))
	case !c.Tipo.EsNumero() && c.Unidad != SinUnidad:
		return mal("el campo «%s» es %s y no lleva unidad", algebra.Citar(c.Nombre), c.Tipo)
	}
	return nil
}

// DeNodo reads the canonical form. reservada tells the names that may not be
// declared; nil reserves none. The error is *[Error].
func DeNodo(n algebra.Nodo, reservada func(string) bool) (*Relacion, error) {
	const forma = `["relacion", nombre, ["campos", …], ["variantes", discriminante, …]?, ["alcance", texto]]`
	if n.Cabeza() != "relacion" || n.Largo() < 4 || n.Largo() > 5 {
		return nil, mal("se esperaba %s", forma)
	}
	r := &Relacion{}
	var ok bool
	if r.Nombre, ok = n.Hijo(1).Texto(); !ok || r.Nombre == "" {
		return nil, mal("el nombre de la relación tiene que ser un texto no vacío")
	}
	if n.Hijo(2).Cabeza() != "campos" {
		return nil, mal(`después del nombre va ["campos", …]`)
	}
	var err error
	if r.Campos, err = camposDe(n.Hijo(2).Hijos()[1:]); err != nil {
		return nil, err
	}
	if n.Largo() == 5 {
		v := n.Hijo(3)
		if v.Cabeza() != "variantes" || v.Largo() < 2 {
			return nil, mal(`después de los campos va ["variantes", discriminante, …] o el alcance`)
		}
		if r.Discriminante, ok = v.Hijo(1).Texto(); !ok || r.Discriminante == "" {
			return nil, mal("el discriminante tiene que ser un texto no vacío")
		}
		r.Variantes = []Variante{}
		for _, h := range v.Hijos()[2:] {
			if h.Cabeza() != "variante" || h.Largo() < 2 {
				return nil, mal(`se esperaba ["variante", valor, ["campo", …]…]`)
			}
			valor, ok := h.Hijo(1).Texto()
			if !ok {
				return nil, mal("el valor de una variante tiene que ser un texto")
			}
			campos, err := camposDe(h.Hijos()[2:])
			if err != nil {
				return nil, err
			}
			r.Variantes = append(r.Variantes, Variante{valor, campos})
		}
	}
	a := n.Hijo(n.Largo() - 1)
	if a.Cabeza() != "alcance" || a.Largo() != 2 {
		return nil, mal(`al final va ["alcance", texto]`)
	}
	if r.Alcance, ok = a.Hijo(1).Texto(); !ok {
		return nil, mal("el alcance tiene que ser un texto")
	}
	return r, r.comprobar(reservada)
}

func camposDe(ns []algebra.Nodo) ([]Campo, error) {
	var cs []Campo
	for _, n := range ns {
		if n.Cabeza() != "campo" || n.Largo() != 4 {
			return nil, mal(`se esperaba ["campo", nombre, tipo, unidad]`)
		}
		var t [3]string
		for i := range t {
			s, ok := n.Hijo(i + 1).Texto()
			if !ok {
				return nil, mal("el nombre, el tipo y la unidad de un campo son textos")
			}
			t[i] = s
		}
		cs = append(cs, Campo{t[0], Tipo(t[1]), t[2]})
	}
	return cs, nil
}

// Nodo returns the canonical form.
func (r *Relacion) Nodo() algebra.Nodo {
	t := algebra.HojaTexto
	campos := func(cabeza []algebra.Nodo, cs []Campo) algebra.Nodo {
		for _, c := range cs {
			cabeza = append(cabeza, algebra.Lista(t("campo"), t(c.Nombre), t(string(c.Tipo)), t(c.Unidad)))
		}
		return algebra.Lista(cabeza...)
	}
	hijos := []algebra.Nodo{t("relacion"), t(r.Nombre), campos([]algebra.Nodo{t("campos")}, r.Campos)}
	if r.Discriminante != "" {
		v := []algebra.Nodo{t("variantes"), t(r.Discriminante)}
		for _, x := range r.Variantes {
			v = append(v, campos([]algebra.Nodo{t("variante"), t(x.Valor)}, x.Campos))
		}
		hijos = append(hijos, algebra.Lista(v...))
	}
	return algebra.Lista(append(hijos, algebra.Lista(t("alcance"), t(r.Alcance)))...)
}
