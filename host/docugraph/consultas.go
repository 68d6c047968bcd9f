package docugraph

import (
	"context"
	"fmt"
	"slices"
)

// Omitido is a document that an answer about the whole tree could not take into account, and why.
type Omitido struct {
	Ruta   string `json:"path"`
	Codigo Codigo `json:"code"`
}

// Omitidos lists, by path, what could not be read or is no node although it means to be one: its dependencies are missing from
// every answer about the graph. Never nil.
func (a *Arbol) Omitidos() []Omitido {
	salida := []Omitido{}
	for _, h := range a.informe.Errors {
		switch {
		case h.Codigo == EnlaceRoto, h.Codigo == Ciclo:
			continue
		case h.Codigo == ArchivoIlegible && h.Nodo != "":
			continue // its body is illegible; its front matter, and so its place in the graph, is not
		}
		if o := (Omitido{h.Ruta, h.Codigo}); !slices.Contains(salida[max(0, len(salida)-1):], o) {
			salida = append(salida, o)
		}
	}
	return salida
}

// Resumen is a document without its body.
type Resumen struct {
	ID        string   `json:"id"`
	Titulo    string   `json:"title"`
	Ruta      string   `json:"path"`
	Estado    string   `json:"status"`
	Tipo      string   `json:"type"`
	Fase      string   `json:"phase"`
	Etiquetas []string `json:"tags"`
	DependeDe []string `json:"dependsOn"` // as written, without repetitions
}

func resumir(d *Documento) Resumen {
	r := Resumen{
		ID: d.ID, Titulo: d.Ficha.Titulo, Ruta: d.Ruta, Estado: d.Ficha.Estado, Tipo: d.Ficha.Tipo, Fase: d.Ficha.Fase,
		Etiquetas: slices.Clone(d.Ficha.Etiquetas), DependeDe: []string{},
	}
	if r.Etiquetas == nil {
		r.Etiquetas = []string{}
	}
	for _, ref := range d.Ficha.DependeDe {
		if !slices.Contains(r.DependeDe, ref.ID) {
			r.DependeDe = append(r.DependeDe, ref.ID)
		}
	}
	return r
}

// Filtro keeps the documents whose field is exactly the one given; an empty field of the filter keeps all.
type Filtro struct{ Estado, Tipo, Etiqueta string }

// Listado is the result of list_tasks.
type Listado struct {
	Tareas   []Resumen `json:"tasks"`
	Omitidos []Omitido `json:"skipped"`
}

// Lista returns the documents that pass the filter, by id (especificacion/docugraph.md §5). Any document with an id is a task here;
// Filtro.Tipo tells them apart.
func (a *Arbol) Lista(f Filtro) *Listado {
	l := &Listado{Tareas: []Resumen{}, Omitidos: a.Omitidos()}
	for _, d := range a.nodos {
		if f.Estado != "" && d.Ficha.Estado != f.Estado || f.Tipo != "" && d.Ficha.Tipo != f.Tipo ||
			f.Etiqueta != "" && !slices.Contains(d.Ficha.Etiquetas, f.Etiqueta) {
			continue
		}
		l.Tareas = append(l.Tareas, resumir(d))
	}
	return l
}

// CriteriosDeTarea is the result of get_acceptance_criteria. Origen is "frontmatter", "section" or "none".
type CriteriosDeTarea struct {
	ID        string     `json:"taskId"`
	Ruta      string     `json:"path"`
	Origen    string     `json:"source"`
	Criterios []Criterio `json:"criteria"`
}

// Criterios returns the acceptance criteria of a task: those of its front matter, or those of its section with their checkboxes.
// It fails with TASK_NOT_FOUND or ID_DUPLICATE, and, if they are there and cannot be read, with FRONTMATTER_INVALID or
// FILE_UNREADABLE.
func (a *Arbol) Criterios(id string) (*CriteriosDeTarea, error) {
	v, err := a.buscar(id)
	if err != nil {
		return nil, err
	}
	d := a.nodos[v]
	c := &CriteriosDeTarea{ID: id, Ruta: d.Ruta, Origen: "none", Criterios: []Criterio{}}
	switch {
	case d.Ficha.CriteriosIlegibles:
		return nil, &ErrorHerramienta{FrontmatterInvalido, fmt.Sprintf("el `acceptance_criteria` de %s (%s) no es una lista de textos", citar(id), d.Ruta)}
	case len(d.Ficha.Criterios) > 0:
		c.Origen, c.Criterios = "frontmatter", slices.Clone(d.Ficha.Criterios)
	case !d.cuerpo.leido:
		return nil, &ErrorHerramienta{ArchivoIlegible, fmt.Sprintf("no se pudo revisar el cuerpo de %s (%s)", citar(id), d.Ruta)}
	case d.cuerpo.seccion:
		c.Origen, c.Criterios = "section", append(c.Criterios, d.cuerpo.criterios...)
	}
	return c, nil
}

// Impacto is the result of analyze_impact.
type Impacto struct {
	ID       string     `json:"taskId"`
	Afecta   []Afectado `json:"impacted"` // by depth and then by id
	Truncado bool       `json:"truncated"`
	Omitidos []Omitido  `json:"skipped"`
}

// Afectado depends on the task, directly (Profundidad 1) or through others. Camino goes from the task to it: each one depends on
// the one before.
type Afectado struct {
	ID          string   `json:"id"`
	Titulo      string   `json:"title"`
	Ruta        string   `json:"path"`
	Profundidad int      `json:"depth"`
	Camino      []string `json:"chain"`
}

// maxPasosDeImpacto bounds the ids of all the ways of one answer together.
const maxPasosDeImpacto = 500_000

// Impacto returns who depends on a task, at most maxDepth steps downstream. A cycle is no obstacle: each document is told once, by
// a shortest way, the lesser ids first. Documents that are not in the graph are in Omitidos. It fails with INVALID_ARGUMENT,
// TASK_NOT_FOUND or ID_DUPLICATE.
func (a *Arbol) Impacto(ctx context.Context, id string, maxDepth int) (*Impacto, error) {
	if err := comprobarProfundidad(maxDepth); err != nil {
		return nil, err
	}
	tarea, err := a.buscar(id)
	if err != nil {
		return nil, err
	}
	viene := map[int32]int32{tarea: tarea}
	i := &Impacto{ID: id, Afecta: []Afectado{}, Omitidos: a.Omitidos()}
	capa := []int32{tarea}
	pasos := 0
	for profundidad := 1; len(capa) > 0; profundidad++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var siguiente []int32
		for _, v := range capa {
			for _, w := range a.entrantes[v] {
				if _, visto := viene[w]; visto {
					continue
				}
				if profundidad > maxDepth {
					i.Truncado = true
					return i, nil
				}
				viene[w] = v
				siguiente = append(siguiente, w)
			}
		}
		slices.Sort(siguiente)
		for _, w := range siguiente {
			if pasos += profundidad; pasos > maxPasosDeImpacto {
				return nil, &ErrorHerramienta{ArgumentoInvalido, fmt.Sprintf(
					"los caminos de lo que depende de %s pasan de %d pasos en total: pedí un maxDepth menor que %d", citar(id), maxPasosDeImpacto, profundidad)}
			}
			d := a.nodos[w]
			i.Afecta = append(i.Afecta, Afectado{ID: d.ID, Titulo: d.Ficha.Titulo, Ruta: d.Ruta, Profundidad: profundidad, Camino: a.camino(w, tarea, viene)})
		}
		capa = siguiente
	}
	return i, nil
}

func (a *Arbol) camino(w, tarea int32, viene map[int32]int32) []string {
	camino := []string{a.nodos[w].ID}
	for w != tarea {
		w = viene[w]
		camino = append(camino, a.nodos[w].ID)
	}
	slices.Reverse(camino)
	return camino
}
