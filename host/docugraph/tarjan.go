package docugraph

import "slices"

// componentes returns, for each strongly connected component of more than one vertex and for each vertex with an edge to itself,
// its vertices in ascending order; components come in order of their least vertex. It is Tarjan's algorithm with its own stack,
// so a chain of any length costs memory and not call depth.
func componentes(salientes [][]int32) [][]int32 {
	type marco struct {
		v       int32
		proxima int
	}
	const sinVer = 0
	var (
		orden   = make([]int32, len(salientes)) // discovery order from 1
		bajo    = make([]int32, len(salientes))
		enPila  = make([]bool, len(salientes))
		pila    []int32
		marcos  []marco
		cuenta  int32
		salida  [][]int32
		empezar = func(v int32) {
			cuenta++
			orden[v], bajo[v], enPila[v] = cuenta, cuenta, true
			pila = append(pila, v)
			marcos = append(marcos, marco{v: v})
		}
	)
	for raiz := range salientes {
		if orden[raiz] != sinVer {
			continue
		}
		empezar(int32(raiz))
		for len(marcos) > 0 {
			m := &marcos[len(marcos)-1]
			v := m.v
			if m.proxima < len(salientes[v]) {
				w := salientes[v][m.proxima]
				m.proxima++
				if orden[w] == sinVer {
					empezar(w)
				} else if enPila[w] {
					bajo[v] = min(bajo[v], orden[w])
				}
				continue
			}
			marcos = marcos[:len(marcos)-1]
			if len(marcos) > 0 {
				padre := marcos[len(marcos)-1].v
				bajo[padre] = min(bajo[padre], bajo[v])
			}
			if bajo[v] != orden[v] {
				continue
			}
			desde := len(pila) - 1
			for pila[desde] != v {
				desde--
			}
			for _, w := range pila[desde:] {
				enPila[w] = false
			}
			if len(pila)-desde > 1 || slices.Contains(salientes[v], v) {
				c := slices.Clone(pila[desde:])
				slices.Sort(c)
				salida = append(salida, c)
			}
			pila = pila[:desde]
		}
	}
	slices.SortFunc(salida, func(a, b []int32) int { return int(a[0] - b[0]) })
	return salida
}

// cicloPorElMenor returns a shortest cycle of a component through its least vertex, which comes first; where several are as
// short, the one that takes the lesser vertices first.
func cicloPorElMenor(componente []int32, salientes [][]int32) []int32 {
	menor := componente[0]
	if slices.Contains(salientes[menor], menor) {
		return []int32{menor}
	}
	dentro := make(map[int32]bool, len(componente))
	for _, v := range componente {
		dentro[v] = true
	}
	viene := map[int32]int32{menor: menor}
	cola := []int32{menor}
	for len(cola) > 0 {
		v := cola[0]
		cola = cola[1:]
		for _, w := range salientes[v] {
			if w == menor {
				ciclo := []int32{v}
				for v != menor {
					v = viene[v]
					ciclo = append(ciclo, v)
				}
				slices.Reverse(ciclo)
				return ciclo
			}
			if _, visto := viene[w]; !visto && dentro[w] {
				viene[w] = v
				cola = append(cola, w)
			}
		}
	}
	return componente // unreachable: a component of more than one vertex has a cycle through each
}
