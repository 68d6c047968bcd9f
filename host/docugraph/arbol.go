package docugraph

import (
	"cmp"
	"context"
	"slices"
)

// Arbol is a loaded tree of documents and the dependency graph over it. Immutable and safe for concurrent use.
type Arbol struct {
	documentos []*Documento // every Markdown file, by path
	nodos      []*Documento // those with a valid id that nobody else has, by id
	indice     map[string]int32
	repetidos  map[string][]*Documento // by id, each list by path
	// nombradosPorRepetidos: ids some document with a repeated id depends on. It is no node, and still somebody.
	nombradosPorRepetidos map[string]bool

	// The graph, over positions in nodos. Lists are ascending and without repetitions, and position order is id order.
	salientes [][]int32
	entrantes [][]int32
	aristas   int
	ciclos    [][]int32 // the components that have a cycle (see componentes)

	informe Informe
}

// Armar builds the graph over documents already read, and validates it. hallazgos are findings that belong to no document (an
// unreadable directory, a symbolic link); existe answers whether a path of the tree that is not among the documents exists, and
// nil means that none does. It fails only when ctx is done.
func Armar(ctx context.Context, documentos []*Documento, hallazgos []Hallazgo, existe func(ruta string) Existencia) (*Arbol, error) {
	if existe == nil {
		existe = func(string) Existencia { return NoExiste }
	}
	a := &Arbol{
		documentos: slices.Clone(documentos),
		indice:     make(map[string]int32, len(documentos)),
		repetidos:  make(map[string][]*Documento),
	}
	slices.SortFunc(a.documentos, func(x, y *Documento) int { return cmp.Compare(x.Ruta, y.Ruta) })
	a.indexar()
	a.enlazar()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	a.ciclos = componentes(a.salientes)
	todos, err := a.validar(ctx, hallazgos, existe)
	if err != nil {
		return nil, err
	}
	a.informe = Informe{NodeCount: len(a.nodos), EdgeCount: a.aristas, Errors: []Hallazgo{}, Warnings: []Hallazgo{}}
	for _, h := range todos {
		if h.Codigo.Nivel() == NivelError {
			a.informe.Errors = append(a.informe.Errors, h)
		} else {
			a.informe.Warnings = append(a.informe.Warnings, h)
		}
	}
	a.informe.Valid = len(a.informe.Errors) == 0
	return a, nil
}

// indexar finds which documents are nodes: an id that two documents share is nobody's.
func (a *Arbol) indexar() {
	porID := make(map[string]*Documento, len(a.documentos))
	for _, d := range a.documentos {
		if d.ID == "" {
			continue
		}
		if otro, ya := porID[d.ID]; ya {
			if len(a.repetidos[d.ID]) == 0 {
				a.repetidos[d.ID] = []*Documento{otro}
			}
			a.repetidos[d.ID] = append(a.repetidos[d.ID], d)
			continue
		}
		porID[d.ID] = d
	}
	for id, d := range porID {
		if len(a.repetidos[id]) == 0 {
			a.nodos = append(a.nodos, d)
		}
	}
	slices.SortFunc(a.nodos, func(x, y *Documento) int { return cmp.Compare(x.ID, y.ID) })
	for i, d := range a.nodos {
		a.indice[d.ID] = int32(i)
	}
	a.nombradosPorRepetidos = make(map[string]bool)
	for _, docs := range a.repetidos {
		for _, d := range docs {
			for _, r := range d.Ficha.DependeDe {
				a.nombradosPorRepetidos[r.ID] = true
			}
		}
	}
}

func (a *Arbol) enlazar() {
	a.salientes = make([][]int32, len(a.nodos))
	a.entrantes = make([][]int32, len(a.nodos))
	for i, d := range a.nodos {
		var hacia []int32
		for _, r := range d.Ficha.DependeDe {
			if j, ok := a.indice[r.ID]; ok {
				hacia = append(hacia, j)
			}
		}
		slices.Sort(hacia)
		hacia = slices.Compact(hacia)
		a.salientes[i] = hacia
		a.aristas += len(hacia)
		for _, j := range hacia {
			a.entrantes[j] = append(a.entrantes[j], int32(i))
		}
	}
}

// Informe returns the findings of the whole tree, with the name given for it. The slices are shared: do not modify them.
func (a *Arbol) Informe(workspacePath string) *Informe {
	i := a.informe
	i.WorkspacePath = workspacePath
	return &i
}

// Documentos returns every Markdown file of the tree, by path. The slice is the caller's.
func (a *Arbol) Documentos() []*Documento { return slices.Clone(a.documentos) }

// Existencia says what stands at a path of the tree.
type Existencia int

const (
	NoExiste Existencia = iota
	EsArchivo
	EsDirectorio
	EsEnlace // a symbolic link, or something below one: not followed
	NoSeSabe // it could not be looked at
)
