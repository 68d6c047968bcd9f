package docugraph

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
)

// validar returns every finding of the tree, sorted (especificacion/docugraph.md §3).
func (a *Arbol) validar(ctx context.Context, hallazgos []Hallazgo, existe func(string) Existencia) ([]Hallazgo, error) {
	todos := slices.Clone(hallazgos)
	for _, d := range a.documentos {
		todos = append(todos, d.Hallazgos...)
	}
	todos = append(todos, a.hallarRepetidos()...)
	referencias, err := a.hallarReferencias(ctx)
	if err != nil {
		return nil, err
	}
	todos = append(todos, referencias...)
	todos = append(todos, a.hallarCiclos()...)
	todos = append(todos, a.hallarHuerfanos()...)
	enlaces, err := a.hallarEnlaces(ctx, existe)
	if err != nil {
		return nil, err
	}
	todos = append(todos, enlaces...)
	ordenarHallazgos(todos)
	return todos, nil
}

func (a *Arbol) hallarRepetidos() (hs []Hallazgo) {
	for id, docs := range a.repetidos {
		for _, d := range docs {
			var otros []string
			for _, o := range docs {
				if o != d && len(otros) <= maxEjemplos {
					otros = append(otros, o.Ruta)
				}
			}
			resto := ""
			if n := len(docs) - 1; n > maxEjemplos {
				otros, resto = otros[:maxEjemplos], fmt.Sprintf(" y %d más", n-maxEjemplos)
			}
			hs = append(hs, Hallazgo{
				Codigo: IDRepetido, Nodo: id, Ruta: d.Ruta, Linea: d.lineaDeID,
				Mensaje: fmt.Sprintf("el id %s también está en %s%s: ninguno vale hasta que haya uno solo", citar(id), strings.Join(otros, ", "), resto),
			})
		}
	}
	return hs
}

// maxEjemplos is how many other places a message names.
const maxEjemplos = 5

// hallarReferencias checks every depends_on that could be read, also those of documents whose id is repeated.
func (a *Arbol) hallarReferencias(ctx context.Context) (hs []Hallazgo, err error) {
	parecidos := a.nuevosParecidos()
	for i, d := range a.documentos {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if d.ID == "" {
			continue
		}
		veces := make(map[string]int, len(d.Ficha.DependeDe))
		for _, r := range d.Ficha.DependeDe {
			veces[r.ID]++
			switch n := veces[r.ID]; {
			case n == 2:
				hs = append(hs, Hallazgo{
					Codigo: DependsOnRepetido, Nodo: d.ID, Ruta: d.Ruta, Linea: r.Linea,
					Mensaje: fmt.Sprintf("`depends_on` nombra %s más de una vez", citar(r.ID)),
				})
			case n == 1 && !a.conoce(r.ID):
				mensaje := fmt.Sprintf("`depends_on` nombra %s, y ningún documento tiene ese id", citar(r.ID))
				if s := parecidos.masCercanos(r.ID, 1); len(s) > 0 {
					mensaje += fmt.Sprintf("; el más parecido es %s", citar(s[0]))
				}
				hs = append(hs, Hallazgo{Codigo: EnlaceRoto, Mensaje: mensaje, Nodo: d.ID, Ruta: d.Ruta, Linea: r.Linea})
			}
		}
	}
	return hs, nil
}

// conoce says whether some document, or several, have the id.
func (a *Arbol) conoce(id string) bool {
	_, unico := a.indice[id]
	return unico || len(a.repetidos[id]) > 0
}

func (a *Arbol) hallarCiclos() (hs []Hallazgo) {
	for _, componente := range a.ciclos {
		ciclo := cicloPorElMenor(componente, a.salientes)
		d := a.nodos[ciclo[0]]
		siguiente := a.nodos[ciclo[1%len(ciclo)]].ID
		linea := 1
		for _, r := range d.Ficha.DependeDe {
			if r.ID == siguiente {
				linea = r.Linea
				break
			}
		}
		mensaje := "ciclo: " + a.escribirCiclo(ciclo, len(ciclo))
		if len(componente) > len(ciclo) {
			mensaje += fmt.Sprintf("; se enredan %d documentos: %s", len(componente), strings.Join(a.ids(componente), ", "))
		}
		hs = append(hs, Hallazgo{Codigo: Ciclo, Mensaje: mensaje, Nodo: d.ID, Ruta: d.Ruta, Linea: linea})
	}
	return hs
}

// escribirCiclo writes «A → B → A», at most the first tope steps.
func (a *Arbol) escribirCiclo(ciclo []int32, tope int) string {
	ids := a.ids(ciclo)
	if len(ids) > tope {
		return strings.Join(ids[:tope], " → ") + fmt.Sprintf(" → … (%d documentos más) → %s", len(ids)-tope, ids[0])
	}
	return strings.Join(append(ids, ids[0]), " → ")
}

func (a *Arbol) ids(vertices []int32) []string {
	ids := make([]string, len(vertices))
	for i, v := range vertices {
		ids[i] = a.nodos[v].ID
	}
	return ids
}

// hallarHuerfanos: a document that declares a dependency, even a broken or an illegible one, is not alone.
func (a *Arbol) hallarHuerfanos() (hs []Hallazgo) {
	if len(a.nodos) < 2 {
		return nil
	}
	for i, d := range a.nodos {
		if len(a.entrantes[i]) == 0 && len(d.Ficha.DependeDe) == 0 && !d.dependeIlegible && !a.nombradosPorRepetidos[d.ID] {
			hs = append(hs, Hallazgo{
				Codigo: Huerfano, Nodo: d.ID, Ruta: d.Ruta, Linea: d.lineaDeID,
				Mensaje: "no depende de nadie y nadie depende de él",
			})
		}
	}
	return hs
}

// hallarEnlaces checks the relative links of every document's body.
func (a *Arbol) hallarEnlaces(ctx context.Context, existe func(string) Existencia) (hs []Hallazgo, err error) {
	porRuta := make(map[string]*Documento, len(a.documentos))
	for _, d := range a.documentos {
		porRuta[d.Ruta] = d
	}
	sinFicha := map[string]bool{}
	for i, d := range a.documentos {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, e := range d.cuerpo.enlaces {
			codigo, mensaje, destino := a.revisarEnlace(d, e, porRuta, existe)
			if codigo != "" {
				hs = append(hs, Hallazgo{Codigo: codigo, Mensaje: mensaje, Nodo: d.ID, Ruta: d.Ruta, Linea: e.linea})
			}
			if destino != nil && destino != d && !destino.ConFicha && len(destino.Hallazgos) == 0 && !sinFicha[destino.Ruta] {
				sinFicha[destino.Ruta] = true
				hs = append(hs, Hallazgo{
					Codigo: FrontmatterFaltante, Ruta: destino.Ruta, Linea: 1,
					Mensaje: "otro documento lo enlaza y no tiene frontmatter: no es parte del grafo",
				})
			}
		}
	}
	return hs, nil
}

// revisarEnlace says what is wrong with one link, and which document it reaches if it is one.
func (a *Arbol) revisarEnlace(d *Documento, e enlace, porRuta map[string]*Documento, existe func(string) Existencia) (Codigo, string, *Documento) {
	que := "el enlace"
	if e.imagen {
		que = "la imagen"
	}
	ruta, fragmento := e.partes()
	destino := d
	if ruta != "" {
		limpia := path.Join(path.Dir(d.Ruta), ruta)
		if limpia == ".." || strings.HasPrefix(limpia, "../") {
			return EnlaceMarkdownRoto, fmt.Sprintf("%s %s sale de la raíz: no se puede comprobar", que, citar(e.destino)), nil
		}
		if destino = porRuta[limpia]; destino == nil && path.Ext(limpia) == "" {
			destino = porRuta[limpia+".md"] // as the generators of sites write it
		}
		if destino == nil {
			switch existe(limpia) {
			case EsArchivo, EsDirectorio:
				return "", "", nil
			case EsEnlace:
				return EnlaceMarkdownRoto, fmt.Sprintf("%s %s pasa por un enlace simbólico, y no se sigue: no se puede comprobar", que, citar(e.destino)), nil
			case NoSeSabe:
				return EnlaceMarkdownRoto, fmt.Sprintf("%s %s apunta a algo que no se puede leer: no se puede comprobar", que, citar(e.destino)), nil
			}
			return EnlaceMarkdownRoto, fmt.Sprintf("%s %s apunta a un archivo que no existe: %s", que, citar(e.destino), citar(limpia)), nil
		}
	}
	if fragmento == "" || fragmento == "top" || strings.HasPrefix(fragmento, "^") || destino.cuerpo.anclas[fragmento] || !destino.cuerpo.leido {
		return "", "", destino
	}
	return AnclaRota, fmt.Sprintf("%s %s apunta a un encabezado que %s no tiene", que, citar(e.destino), citar(destino.Ruta)), destino
}
