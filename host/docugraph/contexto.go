package docugraph

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"
	"strings"
)

const (
	// ProfundidadPorOmision is the maxDepth of a context that asks for none (contract §3.1).
	ProfundidadPorOmision = 5
	// ProfundidadMaxima is the greatest maxDepth anybody may ask for (especificacion/docugraph.md §4).
	ProfundidadMaxima = 10_000
)

// Paquete is the context bundle of one task: the documents it needs, each with the reason it is there.
type Paquete struct {
	Tarea       string
	MaxDepth    int
	Truncado    bool        // some included document has a dependency that stayed outside
	Inclusiones []Inclusion // each after every included one that depends on it
}

// Inclusion is one document of a bundle.
type Inclusion struct {
	Documento   *Documento
	Profundidad int    // least number of dependencies from the task
	Motivo      string // «requested task», or «required by » and the included ids that depend on it
}

// Contexto builds the bundle of the task with the given id, as far as maxDepth dependencies away, from 0 to ProfundidadMaxima.
// It fails closed with an *ErrorHerramienta: INVALID_ARGUMENT, TASK_NOT_FOUND, ID_DUPLICATE, GRAPH_CYCLE for a cycle anywhere in
// the tree, LINK_BROKEN, or DEPENDS_ON_INVALID if what an included document depends on is unknown. It implements
// especificacion/docugraph.md §4.
func (a *Arbol) Contexto(ctx context.Context, id string, maxDepth int) (*Paquete, error) {
	if err := comprobarProfundidad(maxDepth); err != nil {
		return nil, err
	}
	tarea, err := a.buscar(id)
	if err != nil {
		return nil, err
	}
	if err := a.sinCiclos(); err != nil {
		return nil, err
	}
	profundidad, err := a.alcance(ctx, tarea, maxDepth)
	if err != nil {
		return nil, err
	}
	p := &Paquete{Tarea: id, MaxDepth: maxDepth}
	for v := range profundidad {
		if p.Truncado = a.quedaAfuera(v, profundidad); p.Truncado {
			break
		}
	}
	for _, v := range a.ordenar(tarea, profundidad) {
		p.Inclusiones = append(p.Inclusiones, Inclusion{
			Documento: a.nodos[v], Profundidad: profundidad[v], Motivo: a.motivo(v, tarea, profundidad),
		})
	}
	return p, nil
}

func comprobarProfundidad(maxDepth int) error {
	if maxDepth < 0 || maxDepth > ProfundidadMaxima {
		return &ErrorHerramienta{ArgumentoInvalido, fmt.Sprintf("maxDepth es %d, y tiene que ser un entero de 0 a %d", maxDepth, ProfundidadMaxima)}
	}
	return nil
}

// buscar returns the vertex of an id.
func (a *Arbol) buscar(id string) (int32, error) {
	if v, ok := a.indice[id]; ok {
		return v, nil
	}
	if docs := a.repetidos[id]; len(docs) > 0 {
		return 0, a.errorRepetido(id)
	}
	mensaje := fmt.Sprintf("ningún documento tiene el id %s", citar(id))
	if s := a.nuevosParecidos().masCercanos(id, 3); len(s) > 0 {
		citados := make([]string, len(s))
		for i := range s {
			citados[i] = citar(s[i])
		}
		mensaje += "; se parece a " + strings.Join(citados, ", ")
	}
	if n := len(a.Omitidos()); n > 0 {
		mensaje += fmt.Sprintf("; ojo: hay %d documentos que no entraron al grafo, llamá a validate_traceability", n)
	}
	return 0, &ErrorHerramienta{TareaNoEncontrada, mensaje}
}

func (a *Arbol) errorRepetido(id string) error {
	rutas := []string{}
	for _, d := range a.repetidos[id] {
		rutas = append(rutas, d.Ruta)
	}
	return &ErrorHerramienta{IDRepetido, fmt.Sprintf("el id %s está en varios documentos (%s): dejá uno solo", citar(id), cortarLista(rutas, ", ", maxEjemplos))}
}

// sinCiclos fails if there is any cycle in the whole graph.
func (a *Arbol) sinCiclos() error {
	if len(a.ciclos) == 0 {
		return nil
	}
	cuantos := "hay un ciclo"
	if len(a.ciclos) > 1 {
		cuantos = fmt.Sprintf("hay %d ciclos; el primero", len(a.ciclos))
	}
	return &ErrorHerramienta{GrafoConCiclo, fmt.Sprintf("%s: %s. Llamá a validate_traceability para verlos y cortalos",
		cuantos, a.escribirCiclo(cicloPorElMenor(a.ciclos[0], a.salientes), 20))}
}

// alcance returns the vertices at most maxDepth dependencies from tarea, with their distances. It fails on the first dependency
// within maxDepth, nearest first, that is not one existing document.
func (a *Arbol) alcance(ctx context.Context, tarea int32, maxDepth int) (map[int32]int, error) {
	profundidad := map[int32]int{tarea: 0}
	cola := []int32{tarea}
	for n := 0; n < len(cola); n++ {
		if n%4096 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		v := cola[n]
		d := a.nodos[v]
		if d.dependeIlegible {
			return nil, &ErrorHerramienta{DependsOnInvalido, fmt.Sprintf("no se entiende el `depends_on` de %s (%s): no se sabe qué más hace falta", citar(d.ID), d.Ruta)}
		}
		if profundidad[v] == maxDepth {
			continue
		}
		for _, r := range d.Ficha.DependeDe {
			if _, existe := a.indice[r.ID]; existe {
				continue
			}
			if len(a.repetidos[r.ID]) > 0 {
				return nil, a.errorRepetido(r.ID)
			}
			return nil, &ErrorHerramienta{EnlaceRoto, fmt.Sprintf("%s depende de %s, y ningún documento tiene ese id (%s:%d)", citar(d.ID), citar(r.ID), d.Ruta, r.Linea)}
		}
		for _, w := range a.salientes[v] {
			if _, visto := profundidad[w]; !visto {
				profundidad[w] = profundidad[v] + 1
				cola = append(cola, w)
			}
		}
	}
	return profundidad, nil
}

// quedaAfuera says whether v has a dependency that is not included, broken ones past the depth asked for too.
func (a *Arbol) quedaAfuera(v int32, incluidos map[int32]int) bool {
	return slices.ContainsFunc(a.nodos[v].Ficha.DependeDe, func(r Referencia) bool {
		w, existe := a.indice[r.ID]
		_, incluido := incluidos[w]
		return !existe || !incluido
	})
}

// ordenar is Kahn's topological order from the task: among those whose included dependents are all out, the least depth and then
// the least id goes first.
func (a *Arbol) ordenar(tarea int32, incluidos map[int32]int) []int32 {
	faltan := make(map[int32]int, len(incluidos))
	for v := range incluidos {
		for _, w := range a.salientes[v] {
			faltan[w]++
		}
	}
	listos := &monton{profundidad: incluidos, vertices: []int32{tarea}}
	orden := make([]int32, 0, len(incluidos))
	for listos.Len() > 0 {
		v := heap.Pop(listos).(int32)
		orden = append(orden, v)
		for _, w := range a.salientes[v] {
			if _, incluido := incluidos[w]; !incluido {
				continue
			}
			if faltan[w]--; faltan[w] == 0 {
				heap.Push(listos, w)
			}
		}
	}
	return orden
}

// monton is a heap of vertices by depth and then by id, which is vertex order.
type monton struct {
	profundidad map[int32]int
	vertices    []int32
}

func (m *monton) Len() int { return len(m.vertices) }
func (m *monton) Less(i, j int) bool {
	v, w := m.vertices[i], m.vertices[j]
	return cmp.Or(cmp.Compare(m.profundidad[v], m.profundidad[w]), cmp.Compare(v, w)) < 0
}
func (m *monton) Swap(i, j int) { m.vertices[i], m.vertices[j] = m.vertices[j], m.vertices[i] }
func (m *monton) Push(v any)    { m.vertices = append(m.vertices, v.(int32)) }
func (m *monton) Pop() any {
	n := len(m.vertices) - 1
	v := m.vertices[n]
	m.vertices = m.vertices[:n]
	return v
}

func (a *Arbol) motivo(v, tarea int32, incluidos map[int32]int) string {
	if v == tarea {
		return "requested task"
	}
	var ids []string
	for _, w := range a.entrantes[v] {
		if _, incluido := incluidos[w]; incluido {
			ids = append(ids, a.nodos[w].ID)
		}
	}
	return "required by " + strings.Join(ids, ", ")
}

// Markdown writes the bundle in the contract's template (§3.1), with "\n" line ends.
func (p *Paquete) Markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Context bundle: %s\nmaxDepth: %d\ntruncated: %t\n\n## Inclusion report\n", p.Tarea, p.MaxDepth, p.Truncado)
	for _, i := range p.Inclusiones {
		fmt.Fprintf(&b, "- `%s` depth=%d: %s\n", i.Documento.ID, i.Profundidad, i.Motivo)
	}
	b.WriteString("\n## Documents\n")
	for _, i := range p.Inclusiones {
		d := i.Documento
		fmt.Fprintf(&b, "\n### %s — %s\npath: %s\n\n%s", d.ID, d.Ficha.Titulo, d.Ruta, d.Contenido)
		if !strings.HasSuffix(d.Contenido, "\n") {
			b.WriteByte('\n')
		}
	}
	return b.String()
}
