package docugraph

import (
	"fmt"
	"strings"
)

// Mermaid writes the graph as a Mermaid flowchart. Nodes are named by their position, so an id can hold anything; broken
// dependencies are dashed.
func (g *Grafo) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	nombres := g.nombrar(func(nombre, id, titulo string, existe bool) {
		abre, cierra := "[", "]"
		if !existe {
			abre, cierra = "([", "])"
		}
		fmt.Fprintf(&b, "  %s%s\"%s\"%s\n", nombre, abre, mermaid.Replace(rotular(id, titulo, " — ")), cierra)
	})
	for _, a := range g.Aristas {
		fmt.Fprintf(&b, "  %s --> %s\n", nombres[a.Desde], nombres[a.Hasta])
	}
	for _, a := range g.Rotas {
		fmt.Fprintf(&b, "  %s -.-> %s\n", nombres[a.Desde], nombres[a.Hasta])
	}
	return b.String()
}

// mermaid escapes a quoted label: its entities are decimal code points between # and ;.
var mermaid = strings.NewReplacer("#", "#35;", `"`, "#34;", "<", "#60;", ">", "#62;", "&", "#38;", "`", "#96;", `\`, "#92;")

// DOT writes the graph in the language of Graphviz.
func (g *Grafo) DOT() string {
	var b strings.Builder
	b.WriteString("digraph docugraph {\n  rankdir=LR;\n  node [shape=box];\n")
	nombres := g.nombrar(func(nombre, id, titulo string, existe bool) {
		estilo := ""
		if !existe {
			estilo = ", style=dashed"
		}
		fmt.Fprintf(&b, "  %s [label=\"%s\"%s];\n", nombre, dot.Replace(rotular(id, titulo, "\n")), estilo)
	})
	for _, a := range g.Aristas {
		fmt.Fprintf(&b, "  %s -> %s;\n", nombres[a.Desde], nombres[a.Hasta])
	}
	for _, a := range g.Rotas {
		fmt.Fprintf(&b, "  %s -> %s [style=dashed];\n", nombres[a.Desde], nombres[a.Hasta])
	}
	b.WriteString("}\n")
	return b.String()
}

var dot = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// nombrar gives each node a short name, calling declarar in order: the nodes by id and then the missing ones as edges name them.
func (g *Grafo) nombrar(declarar func(nombre, id, titulo string, existe bool)) map[string]string {
	nombres := make(map[string]string, len(g.Nodos))
	for i, n := range g.Nodos {
		nombres[n.ID] = fmt.Sprintf("n%d", i)
		declarar(nombres[n.ID], n.ID, n.Titulo, true)
	}
	faltan := 0
	for _, a := range g.Rotas {
		if _, ya := nombres[a.Hasta]; !ya {
			nombres[a.Hasta] = fmt.Sprintf("f%d", faltan)
			faltan++
			declarar(nombres[a.Hasta], a.Hasta, "no existe", false)
		}
	}
	return nombres
}

func rotular(id, titulo, separador string) string {
	if titulo == "" || titulo == id {
		return id
	}
	return id + separador + titulo
}
