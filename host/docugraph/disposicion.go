package docugraph

import (
	"cmp"
	"slices"
)

// disposicion places the nodes of a graph in columns: every document is to the left of what it depends on. Nodes that are in a
// cycle together share a column. Nodes with no edge at all are apart.
type disposicion struct {
	columnas  [][]int32 // positions in the list of vertices, top to bottom
	sueltos   []int32
	enCiclo   []bool
	columnaDe []int32
}

// barridos is how many times each column is reordered by its neighbours.
const barridos = 8

func disponer(salientes [][]int32) *disposicion {
	n := len(salientes)
	d := &disposicion{enCiclo: make([]bool, n), columnaDe: make([]int32, n)}
	entrantes := make([][]int32, n)
	for v := range salientes {
		for _, w := range salientes[v] {
			entrantes[w] = append(entrantes[w], int32(v))
		}
	}
	// Each vertex stands for its component, by the least vertex of it.
	grupo := make([]int32, n)
	for v := range grupo {
		grupo[v] = int32(v)
	}
	miembros := map[int32][]int32{}
	for _, c := range componentes(salientes) {
		for _, v := range c {
			grupo[v] = c[0]
			d.enCiclo[v] = true
		}
		miembros[c[0]] = c
	}
	d.ubicar(salientes, grupo, miembros)
	for v := range salientes {
		if len(salientes[v]) == 0 && len(entrantes[v]) == 0 {
			d.sueltos = append(d.sueltos, int32(v))
			continue
		}
		c := int(d.columnaDe[v])
		for len(d.columnas) <= c {
			d.columnas = append(d.columnas, nil)
		}
		d.columnas[c] = append(d.columnas[c], int32(v))
	}
	d.desenredar(salientes, entrantes)
	return d
}

// ubicar computes the column of each vertex: the longest way to it from a document nobody depends on, components counted as one.
func (d *disposicion) ubicar(salientes [][]int32, grupo []int32, miembros map[int32][]int32) {
	faltan := make([]int32, len(salientes))
	for v := range salientes {
		for _, w := range salientes[v] {
			if grupo[v] != grupo[w] {
				faltan[grupo[w]]++
			}
		}
	}
	var cola []int32
	for v := range salientes {
		if grupo[v] == int32(v) && faltan[v] == 0 {
			cola = append(cola, int32(v))
		}
	}
	for len(cola) > 0 {
		g := cola[0]
		cola = cola[1:]
		suyos := miembros[g]
		if suyos == nil {
			suyos = []int32{g}
		}
		for _, v := range suyos {
			d.columnaDe[v] = d.columnaDe[g]
			for _, w := range salientes[v] {
				h := grupo[w]
				if h == g {
					continue
				}
				d.columnaDe[h] = max(d.columnaDe[h], d.columnaDe[g]+1)
				if faltan[h]--; faltan[h] == 0 {
					cola = append(cola, h)
				}
			}
		}
	}
}

// desenredar sorts each column by the mean height of its neighbours, back and forth.
func (d *disposicion) desenredar(salientes, entrantes [][]int32) {
	altura := make([]float64, len(salientes))
	anotar := func(columna []int32) {
		for i, v := range columna {
			altura[v] = float64(i) - float64(len(columna)-1)/2
		}
	}
	for _, c := range d.columnas {
		anotar(c)
	}
	for b := range barridos {
		vecinos, ida := entrantes, b%2 == 0
		if !ida {
			vecinos = salientes
		}
		for k := range d.columnas {
			c := d.columnas[k]
			if !ida {
				c = d.columnas[len(d.columnas)-1-k]
			}
			media := make(map[int32]float64, len(c))
			for _, v := range c {
				media[v] = altura[v]
				if len(vecinos[v]) > 0 {
					suma := 0.0
					for _, w := range vecinos[v] {
						suma += altura[w]
					}
					media[v] = suma / float64(len(vecinos[v]))
				}
			}
			slices.SortStableFunc(c, func(v, w int32) int { return cmp.Or(cmp.Compare(media[v], media[w]), cmp.Compare(v, w)) })
			anotar(c)
		}
	}
}
