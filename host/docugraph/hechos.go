package docugraph

import (
	"context"
	"slices"
	"unicode/utf8"
)

// Hechos is the tree as relational evidence (especificacion/docugraph.md §6): one list a relation, every field a text, an integer
// or a boolean, and never null. Marshalled, it is evidence that oracle-mcp reads as it is.
type Hechos struct {
	Documento   []HechoDocumento   `json:"documento"`
	Dependencia []HechoDependencia `json:"dependencia"`
	// Alcanzable is nil, and then absent from the JSON, if it would have more than Limites.FilasAlcanzable rows: to the language an
	// absent relation is one nobody could look at, which a shortened one would not be.
	Alcanzable []HechoAlcanzable `json:"alcanzable,omitzero"`
	Criterio   []HechoCriterio   `json:"criterio"`
	Hallazgo   []HechoHallazgo   `json:"hallazgo"`
}

// HechoDocumento is one node. Dependencias counts the distinct ids it names, Dependientes the nodes that name it, and
// ProfundidadMaxima is how far its furthest dependency is: the least maxDepth whose context is not truncated. Caracteres counts
// code points of the whole file, line ends as one.
type HechoDocumento struct {
	ID                string `json:"id"`
	Titulo            string `json:"titulo"`
	Ruta              string `json:"ruta"`
	Estado            string `json:"estado"`
	Tipo              string `json:"tipo"`
	Dependencias      int    `json:"dependencias"`
	Dependientes      int    `json:"dependientes"`
	ProfundidadMaxima int    `json:"profundidad_maxima"`
	Caracteres        int    `json:"caracteres"`
}

// HechoDependencia is one distinct entry of a node's depends_on. Existe is true also if several documents share the id.
type HechoDependencia struct {
	Desde  string `json:"desde"`
	Hasta  string `json:"hasta"`
	Existe bool   `json:"existe"`
}

// HechoAlcanzable says that Hasta is Saltos dependencies away from Desde, by a shortest way. A document in a cycle reaches itself.
type HechoAlcanzable struct {
	Desde  string `json:"desde"`
	Hasta  string `json:"hasta"`
	Saltos int    `json:"saltos"`
}

// HechoCriterio is one acceptance criterion of a node, from its front matter or else from its section; Indice counts from 0.
type HechoCriterio struct {
	Documento string `json:"documento"`
	Indice    int    `json:"indice"`
	Texto     string `json:"texto"`
	Estado    string `json:"estado"`
}

// HechoHallazgo is one finding of the validation.
type HechoHallazgo struct {
	Codigo string `json:"codigo"`
	Nivel  string `json:"nivel"`
	Nodo   string `json:"nodo"`
	Ruta   string `json:"ruta"`
}

// Hechos writes the tree down. Rows come by id, and those of «hallazgo» in the order of the report. It fails if ctx is done, and
// with a *LimiteError if measuring the depths takes more than lim.PasosDeHechos.
func (a *Arbol) Hechos(ctx context.Context, lim Limites) (*Hechos, error) {
	lim = lim.conOmision()
	h := &Hechos{
		Documento: []HechoDocumento{}, Dependencia: []HechoDependencia{}, Alcanzable: []HechoAlcanzable{},
		Criterio: []HechoCriterio{}, Hallazgo: []HechoHallazgo{},
	}
	r := alcances{arbol: a, visto: make([]int32, len(a.nodos)), tope: lim.PasosDeHechos}
	filas := 0
	for v, d := range a.nodos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		profundidad, err := r.desde(int32(v), func(w int32, saltos int) {
			if filas++; filas <= lim.FilasAlcanzable {
				h.Alcanzable = append(h.Alcanzable, HechoAlcanzable{d.ID, a.nodos[w].ID, saltos})
			}
		})
		if err != nil {
			return nil, err
		}
		nombrados := make([]string, 0, len(d.Ficha.DependeDe))
		for _, ref := range d.Ficha.DependeDe {
			nombrados = append(nombrados, ref.ID)
		}
		slices.Sort(nombrados)
		nombrados = slices.Compact(nombrados)
		for _, id := range nombrados {
			h.Dependencia = append(h.Dependencia, HechoDependencia{d.ID, id, a.conoce(id)})
		}
		criterios := d.Ficha.Criterios
		if len(criterios) == 0 {
			criterios = d.cuerpo.criterios
		}
		for i, c := range criterios {
			h.Criterio = append(h.Criterio, HechoCriterio{d.ID, i, c.Texto, c.Estado})
		}
		h.Documento = append(h.Documento, HechoDocumento{
			ID: d.ID, Titulo: d.Ficha.Titulo, Ruta: d.Ruta, Estado: d.Ficha.Estado, Tipo: d.Ficha.Tipo,
			Dependencias: len(nombrados), Dependientes: len(a.entrantes[v]), ProfundidadMaxima: profundidad,
			Caracteres: utf8.RuneCountInString(d.Contenido),
		})
	}
	if filas > lim.FilasAlcanzable {
		h.Alcanzable = nil
	}
	for _, x := range a.informe.Hallazgos() {
		h.Hallazgo = append(h.Hallazgo, HechoHallazgo{string(x.Codigo), string(x.Codigo.Nivel()), x.Nodo, x.Ruta})
	}
	return h, nil
}

// alcances walks upstream from one vertex after another, reusing its marks.
type alcances struct {
	arbol *Arbol
	visto []int32 // the vertex (plus one) of the last walk that saw each
	tope  int
	total int
}

// desde calls ver once for each vertex reachable from v, nearest first and then by id, and returns the greatest distance to another.
func (r *alcances) desde(v int32, ver func(w int32, saltos int)) (int, error) {
	marca := v + 1
	capa := []int32{v}
	lejos := 0
	for saltos := 1; ; saltos++ {
		var siguiente []int32
		for _, u := range capa {
			r.total += len(r.arbol.salientes[u])
			if r.total > r.tope {
				return 0, &LimiteError{Nombre: "pasos_de_hechos", Observado: int64(r.total), Limite: int64(r.tope)}
			}
			for _, w := range r.arbol.salientes[u] {
				if r.visto[w] != marca {
					r.visto[w] = marca
					siguiente = append(siguiente, w)
				}
			}
		}
		if len(siguiente) == 0 {
			return lejos, nil
		}
		slices.Sort(siguiente)
		for _, w := range siguiente {
			ver(w, saltos)
			if w != v {
				lejos = saltos
			}
		}
		capa = siguiente
	}
}
