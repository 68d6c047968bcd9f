package macro

import "github.com/oracle-mcp/oracle-mcp/algebra"

// Traza tells which node of an invocation each node of its expansion came
// from. It is immutable.
type Traza struct {
	// With identica, the whole subtree is the invocation's own at ruta. Else
	// the node came from a template and hijas are its children's traces.
	identica bool
	ruta     algebra.Ruta
	hijas    []*Traza
}

// Origen returns the path, in the invocation, of the node at a path of the
// expansion. For a node that came from a template it is the first argument
// found inside it, and failing that the invocation's root.
func (t *Traza) Origen(ruta algebra.Ruta) algebra.Ruta {
	for k, i := range ruta {
		if t.identica {
			return t.ruta.Hija(ruta[k:]...)
		}
		if i < 0 || i >= len(t.hijas) {
			break
		}
		t = t.hijas[i]
	}
	r, _ := t.primera()
	return r
}

// primera returns the path of the first subtree taken whole.
func (t *Traza) primera() (algebra.Ruta, bool) {
	if t.identica {
		return t.ruta, true
	}
	for _, h := range t.hijas {
		if r, ok := h.primera(); ok {
			return r, true
		}
	}
	return nil, false
}

func (t *Traza) hija(i int) *Traza {
	switch {
	case t.identica:
		return &Traza{identica: true, ruta: t.ruta.Hija(i)}
	case i < len(t.hijas):
		return t.hijas[i]
	default:
		return &Traza{}
	}
}

// traza returns where each node of the replaced form came from.
func (s *sustitucion) traza(n algebra.Nodo) *Traza {
	if p, ok := Hueco(n); ok {
		return s.trazas[s.m.indice[p]]
	}
	t := &Traza{}
	for _, h := range n.Hijos() {
		t.hijas = append(t.hijas, s.traza(h))
	}
	return t
}
