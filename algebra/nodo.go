package algebra

import (
	"strconv"
	"strings"
)

// Nodo is one node of a canonical form (lenguaje §2): a list of nodes, or a
// leaf holding a value. It is immutable; the zero value is the empty list.
type Nodo struct {
	hoja  Valor // nil for a list
	hijos []Nodo
}

// Lista returns the list of the given nodes. It keeps the slice: the caller
// must not change it afterwards.
func Lista(hijos ...Nodo) Nodo { return Nodo{hijos: hijos} }

// Hoja returns the leaf holding v; a nil v is null.
func Hoja(v Valor) Nodo {
	if v == nil {
		v = Nulo{}
	}
	return Nodo{hoja: v}
}

// HojaTexto returns the leaf holding the text s.
func HojaTexto(s string) Nodo { return Nodo{hoja: Texto(s)} }

// EsLista reports whether the node is a list.
func (n Nodo) EsLista() bool { return n.hoja == nil }

// Largo returns the number of children; a leaf has none.
func (n Nodo) Largo() int { return len(n.hijos) }

// Hijo returns the child at index i. It panics when there is none, as a slice.
func (n Nodo) Hijo(i int) Nodo { return n.hijos[i] }

// Hijos returns the children. The slice is the node's own: do not change it.
func (n Nodo) Hijos() []Nodo { return n.hijos }

// Hoja returns the leaf's value, nil for a list.
func (n Nodo) Hoja() Valor { return n.hoja }

// Texto returns the text of a leaf and whether the node is such a leaf.
func (n Nodo) Texto() (string, bool) {
	t, ok := n.hoja.(Texto)
	return string(t), ok
}

// Cabeza returns the first element of a list when it is a text, else "".
func (n Nodo) Cabeza() string {
	if len(n.hijos) == 0 {
		return ""
	}
	s, _ := n.hijos[0].Texto()
	return s
}

// Con returns a copy of the list with child i replaced. It panics when there
// is no such child.
func (n Nodo) Con(i int, hijo Nodo) Nodo {
	h := append([]Nodo(nil), n.hijos...)
	h[i] = hijo
	return Nodo{hijos: h}
}

// Igual reports whether both nodes are the same form, with 1 and 1.0 distinct.
func (n Nodo) Igual(o Nodo) bool {
	if (n.hoja == nil) != (o.hoja == nil) || len(n.hijos) != len(o.hijos) {
		return false
	}
	if n.hoja != nil {
		return Identico(n.hoja, o.hoja)
	}
	for i := range n.hijos {
		if !n.hijos[i].Igual(o.hijos[i]) {
			return false
		}
	}
	return true
}

// Contar returns how many nodes the form has, lists and leaves, itself too. It
// stops at one past tope, so a shared subtree cannot make it run for long.
func (n Nodo) Contar(tope int64) int64 {
	var total int64
	var bajar func(Nodo) bool
	bajar = func(x Nodo) bool {
		if total++; total > tope {
			return false
		}
		for _, h := range x.hijos {
			if !bajar(h) {
				return false
			}
		}
		return true
	}
	bajar(n)
	return total
}

// Ruta is a canonical path: the indices from the root of a form to a node.
// Its text form joins them with dots; the root is "".
type Ruta []int

// String returns the path in its text form.
func (r Ruta) String() string {
	if len(r) == 0 {
		return ""
	}
	var b strings.Builder
	for i, x := range r {
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(strconv.Itoa(x))
	}
	return b.String()
}

// Hija returns the path to child i, sharing nothing with r.
func (r Ruta) Hija(i ...int) Ruta {
	h := make(Ruta, 0, len(r)+len(i))
	return append(append(h, r...), i...)
}
