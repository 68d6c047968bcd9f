package docugraph

import (
	"cmp"
	"slices"
)

// disposicion places the nodes of a graph in columns: every document is to the left of what it depends on. Nodes that are in a
// cycle together share a column, and nodes with no edge at all are apart. An edge that spans several columns has a bend, a vertex
// past the last node, in each column it crosses, so that it goes between the nodes and not behind them.
type disposicion struct {
	columnas  [][]int32 // vertices, top to bottom
	sueltos   []int32
	enCiclo   []bool
	columnaDe []int32
	recodos   map[[2]int32][]int32 // of the edges that have them, in order
}

// maxRecodos is how many bends a drawing may have; past it edges go straight.
const maxRecodos = 20_000

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
		d.encolumnar(int32(v), d.columnaDe[v])
	}
	d.desenredar(d.doblar(salientes))
	return d
}

func (d *disposicion) encolumnar(v, columna int32) {
	for len(d.columnas) <= int(columna) {
		d.columnas = append(d.columnas, nil)
	}
	d.columnas[columna] = append(d.columnas[columna], v)
}

// doblar returns the graph with its long edges bent.
func (d *disposicion) doblar(salientes [][]int32) (hacia, desde [][]int32) {
	total := 0
	for v := range salientes {
		for _, w := range salientes[v] {
			total += max(0, int(d.columnaDe[w]-d.columnaDe[v])-1)
		}
	}
	n := int32(len(salientes))
	d.recodos = map[[2]int32][]int32{}
	hacia = make([][]int32, len(salientes))
	for v := range salientes {
		for _, w := range salientes[v] {
			anterior := int32(v)
			for c := d.columnaDe[v] + 1; total <= maxRecodos && c < d.columnaDe[w]; c++ {
				recodo := n
				n++
				hacia = append(hacia, nil)
				hacia[anterior] = append(hacia[anterior], recodo)
				d.encolumnar(recodo, c)
				d.recodos[[2]int32{int32(v), w}] = append(d.recodos[[2]int32{int32(v), w}], recodo)
				anterior = recodo
			}
			hacia[anterior] = append(hacia[anterior], w)
		}
	}
	desde = make([][]int32, n)
	for v := range hacia {
		for _, w := range hacia[v] {
			desde[w] = append(desde[w], int32(v))
		}
	}
	return hacia, desde
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
