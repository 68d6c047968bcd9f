package algebra

import (
	"bytes"
	"encoding/binary"
)

// MismaConducta reports whether two verdicts say the same: the state, the value
// (1 and 1.0 are one value; true and 1 are not) and the witnesses as a bag,
// fact by fact and field by field. In which order they came, what was missing
// and what was spent do not count. It is what tells a mutant from its original
// (mutacion, «El desafío»). It is false when witnesses of either were let go of.
func (v *Veredicto) MismaConducta(o *Veredicto) bool {
	if v.omitidos > 0 || o.omitidos > 0 || v.Estado != o.Estado || !bytes.Equal(appendClave(nil, v.Valor), appendClave(nil, o.Valor)) {
		return false
	}
	n := v.CantidadDeTestigos()
	if n != o.CantidadDeTestigos() {
		return false
	}
	return n == 0 || v.testigos.mismasFilas(o.testigos) || v.testigos.mismaBolsa(o.testigos)
}

// Bytes estimates what keeping the verdict takes, its witnesses above all; the
// facts themselves are the evidence's.
func (v *Veredicto) Bytes() int64 {
	const propios = 256
	if v.testigos == nil {
		return propios
	}
	return propios + v.testigos.bytes()
}

// mismasFilas reports whether two tables of as many rows show the same rows of
// the same relations in the same order. It looks at no fact.
func (t *tabla) mismasFilas(o *tabla) bool {
	if len(t.alias) != len(o.alias) {
		return false
	}
	x, y := t.porAlias(), o.porAlias()
	for k, a := range x {
		b := y[k]
		if t.alias[a] != o.alias[b] || t.relaciones[a] != o.relaciones[b] {
			return false
		}
		if t.filas[a] == nil && o.filas[b] == nil {
			continue
		}
		for i := range t.n {
			if t.filaDe(a, i) != o.filaDe(b, i) {
				return false
			}
		}
	}
	return true
}

// mismaBolsa reports whether two tables of as many rows are the same bag.
func (t *tabla) mismaBolsa(o *tabla) bool {
	x, y := t.porAlias(), o.porAlias()
	var una, otra []byte
	i := 0
	for ; i < t.n; i++ {
		una, otra = t.appendIdentidad(una[:0], x, i), o.appendIdentidad(otra[:0], y, i)
		if !bytes.Equal(una, otra) {
			break
		}
	}
	veces := map[string]int{}
	for k := i; k < t.n; k++ {
		una = t.appendIdentidad(una[:0], x, k)
		veces[string(una)]++
	}
	for ; i < o.n; i++ {
		otra = o.appendIdentidad(otra[:0], y, i)
		if veces[string(otra)] == 0 {
			return false
		}
		veces[string(otra)]--
	}
	return true
}

// appendIdentidad appends what makes a row the row it is: its aliases, and of
// each fact its fields and the identity of their values. No identity is a
// prefix of another.
func (t *tabla) appendIdentidad(b []byte, porAlias []int, fila int) []byte {
	texto := func(s string) {
		b = append(binary.BigEndian.AppendUint32(b, uint32(len(s))), s...)
	}
	for _, s := range porAlias {
		r, f := t.relaciones[s], int(t.filaDe(s, fila))
		forma := r.forma(f)
		texto(t.alias[s])
		b = binary.BigEndian.AppendUint32(b, uint32(len(forma)))
		for _, c := range forma {
			v, _ := r.campos[c].valor(f)
			texto(r.campos[c].nombre)
			b = appendClave(b, v)
		}
	}
	return b
}
