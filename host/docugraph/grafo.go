package docugraph

import (
	"context"
	"slices"
)

// Grafo is the result of get_dependency_graph: nodes by id, edges by their ends. An edge goes from a document to one it depends
// on.
type Grafo struct {
	Nodos    []Resumen `json:"nodes"`
	Aristas  []Arista  `json:"edges"`
	Rotas    []Arista  `json:"broken"` // to ids that no single document has
	Truncado bool      `json:"truncated"`
	Omitidos []Omitido `json:"skipped"`
}

// Arista is one dependency.
type Arista struct {
	Desde string `json:"from"`
	Hasta string `json:"to"`
}

// Grafo returns the whole graph. Cycles and broken links are shown, not refused: looking at them is what it is for. It fails only if
// ctx is done.
func (a *Arbol) Grafo(ctx context.Context) (*Grafo, error) {
	todos := make([]int32, len(a.nodos))
	for v := range todos {
		todos[v] = int32(v)
	}
	return a.recortar(ctx, todos)
}

// AguasArriba returns what lies at most maxDepth dependencies from raiz, like Grafo. It also fails with INVALID_ARGUMENT,
// TASK_NOT_FOUND or ID_DUPLICATE.
func (a *Arbol) AguasArriba(ctx context.Context, raiz string, maxDepth int) (*Grafo, error) {
	if err := comprobarProfundidad(maxDepth); err != nil {
		return nil, err
	}
	v, err := a.buscar(raiz)
	if err != nil {
		return nil, err
	}
	return a.recortar(ctx, a.aguasArriba(v, maxDepth))
}

// recortar returns the graph over the given vertices.
func (a *Arbol) recortar(ctx context.Context, incluidos []int32) (*Grafo, error) {
	g := &Grafo{Nodos: []Resumen{}, Aristas: []Arista{}, Rotas: []Arista{}, Omitidos: a.Omitidos()}
	dentro := make(map[int32]bool, len(incluidos))
	for _, v := range incluidos {
		dentro[v] = true
	}
	for n, v := range incluidos {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		d := a.nodos[v]
		r := resumir(d)
		g.Nodos = append(g.Nodos, r)
		for _, id := range slices.Sorted(slices.Values(r.DependeDe)) {
			w, existe := a.indice[id]
			switch {
			case !existe:
				g.Rotas = append(g.Rotas, Arista{d.ID, id})
			case dentro[w]:
				g.Aristas = append(g.Aristas, Arista{d.ID, id})
			default:
				g.Truncado = true
			}
		}
	}
	return g, nil
}

// aguasArriba returns the vertices at most maxDepth dependencies from v, ascending.
func (a *Arbol) aguasArriba(v int32, maxDepth int) []int32 {
	vistos := map[int32]bool{v: true}
	capa := []int32{v}
	todos := []int32{v}
	for profundidad := 0; profundidad < maxDepth && len(capa) > 0; profundidad++ {
		var siguiente []int32
		for _, v := range capa {
			for _, w := range a.salientes[v] {
				if !vistos[w] {
					vistos[w] = true
					siguiente = append(siguiente, w)
				}
			}
		}
		todos = append(todos, siguiente...)
		capa = siguiente
	}
	slices.Sort(todos)
	return todos
}
