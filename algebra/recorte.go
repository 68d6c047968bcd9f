package algebra

import "slices"

// Recortar returns the same verdict with only its first n witnesses at hand: it
// still says how many there were, and lets go of the memory of the rest. Whoever
// keeps the verdicts of many measures does it, since one may have a million.
// [Veredicto.MismaConducta] needs them all.
func (v *Veredicto) Recortar(n int) *Veredicto {
	if v.testigos == nil {
		return v
	}
	r := *v
	r.testigos = v.testigos.primeras(min(max(n, 0), v.testigos.n))
	r.omitidos += v.testigos.n - r.testigos.n
	return &r
}

// primeras returns the table of the first n rows. It keeps nothing of this one
// but relations of the evidence.
func (t *tabla) primeras(n int) *tabla {
	p := &tabla{n: n, alias: t.alias, relaciones: slices.Clone(t.relaciones), filas: make([][]int32, len(t.filas))}
	for s, f := range t.filas {
		if t.alias[s] == aliasDeGrupo {
			p.relaciones[s] = t.primerasDeGrupo(s, n)
			continue
		}
		if f != nil {
			p.filas[s] = append(make([]int32, 0, n), f[:n]...)
		}
	}
	return p
}

// primerasDeGrupo returns the grouped rows that the first n rows show in a slot,
// as a relation of their own.
func (t *tabla) primerasDeGrupo(ranura, n int) *Relacion {
	de := t.relaciones[ranura]
	r := &Relacion{Nombre: de.Nombre, n: n, formas: de.formas}
	for k := range de.campos {
		columna := &Columna{}
		for i := range n {
			valor, _ := de.campos[k].valor(int(t.filaDe(ranura, i)))
			columna.agregar(valor)
		}
		r.nuevoCampo(campoLeido{nombre: de.campos[k].nombre, columna: columna})
	}
	return r
}
