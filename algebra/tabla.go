package algebra

import (
	"slices"
	"sort"
)

// tabla is the rows between two steps: for each alias, a relation and which of
// its rows each row of the table shows. Grouped rows are the rows of a
// relation made by «agrupar», under the reserved alias.
type tabla struct {
	n          int
	alias      []string
	relaciones []*Relacion
	filas      [][]int32 // per slot; nil means row i shows row i of the relation
}

// tablaDe is the table of a whole relation.
func tablaDe(d De, r *Relacion) *tabla {
	return &tabla{n: r.n, alias: []string{d.Alias}, relaciones: []*Relacion{r}, filas: [][]int32{nil}}
}

// vistas sets v, one for each slot, to n rows from desde.
func (t *tabla) vistas(v []vista, desde, n int) {
	for s := range t.relaciones {
		if t.filas[s] == nil {
			v[s] = vista{modo: vistaRango, desde: desde}
		} else {
			v[s] = vista{modo: vistaIndices, filas: t.filas[s][desde : desde+n]}
		}
	}
}

// vistaFija sets v to one row of the table, all along the batch.
func (t *tabla) vistaFija(v []vista, fila int) {
	for s := range t.relaciones {
		v[s] = vista{modo: vistaFija, desde: int(t.filaDe(s, fila))}
	}
}

// filaDe returns the row of the slot's relation that a row shows.
func (t *tabla) filaDe(ranura, fila int) int32 {
	if t.filas[ranura] == nil {
		return int32(fila)
	}
	return t.filas[ranura][fila]
}

// elegir returns the table of the rows listed, in that order. The list becomes
// the new table's when it can.
func (t *tabla) elegir(filas []int32) *tabla {
	nueva := &tabla{n: len(filas), alias: t.alias, relaciones: t.relaciones, filas: make([][]int32, len(t.filas))}
	for s, viejas := range t.filas {
		if viejas == nil {
			nueva.filas[s] = filas
			continue
		}
		nueva.filas[s] = componer(viejas, filas)
	}
	return nueva
}

// componer returns viejas[f] for each f.
func componer(viejas, filas []int32) []int32 {
	if viejas == nil {
		return filas
	}
	c := make([]int32, len(filas))
	reunir(c, viejas, filas)
	return c
}

// pares returns the table of pairs of rows of two tables.
func pares(izq, der *tabla, i, j []int32) *tabla {
	t := &tabla{n: len(i),
		alias:      slices.Concat(izq.alias, der.alias),
		relaciones: slices.Concat(izq.relaciones, der.relaciones)}
	for _, f := range izq.filas {
		t.filas = append(t.filas, componer(f, i))
	}
	for _, f := range der.filas {
		t.filas = append(t.filas, componer(f, j))
	}
	return t
}

// bytes estimates what the table itself occupies.
func (t *tabla) bytes() int64 {
	var total int64
	for s, f := range t.filas {
		total += 4 * int64(len(f))
		if t.alias[s] == aliasDeGrupo {
			total += t.relaciones[s].bytes()
		}
	}
	return total
}

// porAlias returns the slots by code point of their aliases.
func (t *tabla) porAlias() []int {
	orden := make([]int, len(t.alias))
	for s := range orden {
		orden[s] = s
	}
	sort.Slice(orden, func(x, y int) bool { return t.alias[orden[x]] < t.alias[orden[y]] })
	return orden
}

// appendFila appends a row as a JSON object of alias to fact, by code point.
func (t *tabla) appendFila(b []byte, fila int) []byte {
	b = append(b, '{')
	for k, s := range t.porAlias() {
		if k > 0 {
			b = append(b, ',')
		}
		b = append(AppendTexto(b, t.alias[s]), ':')
		b = t.relaciones[s].AppendFila(b, int(t.filaDe(s, fila)))
	}
	return append(b, '}')
}
