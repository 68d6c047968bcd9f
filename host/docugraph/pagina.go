package docugraph

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"
)

//go:embed pagina.html
var paginaHTML string

var pagina = template.Must(template.New("pagina").Parse(paginaHTML))

// Sizes of the drawing, in pixels.
const (
	anchoCaja   = 210
	altoCaja    = 46
	pasoColumna = 276
	pasoFila    = 62
	pasoRecodo  = 22
	vuelta      = 44 // how far out an edge within a column goes
	margen      = 24
	porFila     = 5 // loose documents in a row
)

type vistaPagina struct {
	Titulo                  string
	Ancho, Alto             int
	Nodos                   []vistaNodo
	Aristas                 []vistaArista
	YSueltos                int
	Documentos, Relaciones  int
	Tipos                   []vistaTipo
	Errores, Avisos         []Hallazgo
	HayCiclos, HayRotas     bool
	HaySueltos, HayOmitidos bool
}

type vistaNodo struct {
	Resumen
	N     int
	X, Y  int
	Corto string // the title, cut to the box
	Clase string
	Color int
	Falta bool
}

type vistaArista struct {
	Camino       string
	Clase        string
	Desde, Hasta int
}

type vistaTipo struct {
	Nombre string
	Color  int
	Cuenta int
}

// coloresDeTipo is how many colours the page has for types; past it they repeat.
const coloresDeTipo = 8

// HTML writes the graph as one page that needs nothing else: no network, no other file, and readable without scripts. informe
// gives the findings it lists.
func (g *Grafo) HTML(w io.Writer, titulo string, informe *Informe) error {
	v := vistaPagina{
		Titulo: titulo, Documentos: len(g.Nodos), Relaciones: len(g.Aristas), HayRotas: len(g.Rotas) > 0, HayOmitidos: len(g.Omitidos) > 0,
		Errores: informe.Errors, Avisos: informe.Warnings,
	}
	salientes := v.numerar(g)
	d := disponer(salientes)
	v.trazar(salientes, d, v.colocar(d))
	return pagina.Execute(w, v)
}

// numerar lists the nodes, the missing ones last, and returns the edges between them.
func (v *vistaPagina) numerar(g *Grafo) [][]int32 {
	posicion := make(map[string]int32, len(g.Nodos))
	tipos := map[string]int{}
	for _, n := range g.Nodos {
		posicion[n.ID] = int32(len(v.Nodos))
		v.Nodos = append(v.Nodos, vistaNodo{Resumen: n, Corto: recortarAncho(n.Titulo, 30)})
		tipos[n.Tipo]++
	}
	for _, a := range g.Rotas {
		if _, ya := posicion[a.Hasta]; !ya {
			posicion[a.Hasta] = int32(len(v.Nodos))
			v.Nodos = append(v.Nodos, vistaNodo{Resumen: Resumen{ID: a.Hasta, Titulo: "no existe"}, Corto: "no existe", Falta: true})
		}
	}
	color := map[string]int{}
	for _, t := range ordenadas(tipos) {
		color[t] = len(color) % coloresDeTipo
		v.Tipos = append(v.Tipos, vistaTipo{t, color[t], tipos[t]})
	}
	for i := range v.Nodos {
		v.Nodos[i].N, v.Nodos[i].Color = i, color[v.Nodos[i].Tipo]
	}
	salientes := make([][]int32, len(v.Nodos))
	for _, lista := range [][]Arista{g.Aristas, g.Rotas} {
		for _, a := range lista {
			i, j := posicion[a.Desde], posicion[a.Hasta]
			salientes[i] = append(salientes[i], j)
		}
	}
	for i := range salientes {
		slices.Sort(salientes[i])
	}
	return salientes
}

func ordenadas(m map[string]int) []string {
	claves := make([]string, 0, len(m))
	for k := range m {
		claves = append(claves, k)
	}
	slices.Sort(claves)
	return claves
}

// colocar gives every node its place, and returns the height of each vertex's middle, bends included.
func (v *vistaPagina) colocar(d *disposicion) map[int32]int {
	esNodo := func(n int32) bool { return int(n) < len(v.Nodos) }
	altos := make([]int, len(d.columnas))
	alto := 0
	for k, c := range d.columnas {
		for _, n := range c {
			if esNodo(n) {
				altos[k] += pasoFila
			} else {
				altos[k] += pasoRecodo
			}
		}
		alto = max(alto, altos[k])
	}
	medio := map[int32]int{}
	poner := func(n int32, x, y int) {
		v.Nodos[n].X, v.Nodos[n].Y = x, y
		medio[n] = y + altoCaja/2
		v.Ancho, v.Alto = max(v.Ancho, x+anchoCaja+margen), max(v.Alto, y+altoCaja+margen)
	}
	for k, c := range d.columnas {
		y := margen + (alto-altos[k])/2
		for _, n := range c {
			if !esNodo(n) {
				medio[n] = y + pasoRecodo/2
				y += pasoRecodo
				continue
			}
			poner(n, margen+k*pasoColumna, y)
			y += pasoFila
			if d.enCiclo[n] {
				v.Nodos[n].Clase, v.HayCiclos = "ciclo", true
			}
		}
	}
	if v.HayCiclos {
		v.Ancho += vuelta
	}
	v.Alto = max(v.Alto, alto+2*margen) // a column of bends has no node to count
	v.HaySueltos = len(d.sueltos) > 0
	v.YSueltos = margen + alto + 16
	for i, n := range d.sueltos {
		poner(n, margen+i%porFila*(anchoCaja+16), v.YSueltos+12+i/porFila*pasoFila)
	}
	for i := range v.Nodos {
		if v.Nodos[i].Falta {
			v.Nodos[i].Clase = "falta"
		}
	}
	return medio
}

func (v *vistaPagina) trazar(salientes [][]int32, d *disposicion, medio map[int32]int) {
	for i := range salientes {
		for _, j := range salientes[i] {
			a, b := &v.Nodos[i], &v.Nodos[j]
			arista := vistaArista{Desde: i, Hasta: int(j)}
			switch {
			case b.Falta:
				arista.Clase = "rota"
			case d.enCiclo[i] && d.enCiclo[j] && d.columnaDe[i] == d.columnaDe[j]:
				arista.Clase = "ciclo"
			}
			x, y := a.X+anchoCaja, medio[int32(i)]
			var camino strings.Builder
			if b.X > a.X {
				fmt.Fprintf(&camino, "M%d %d", x, y)
				curva := func(hasta, altura int) {
					m := (x + hasta) / 2
					fmt.Fprintf(&camino, "C%d %d %d %d %d %d", m, y, m, altura, hasta, altura)
					x, y = hasta, altura
				}
				for k, recodo := range d.recodos[[2]int32{int32(i), j}] {
					curva(a.X+(k+1)*pasoColumna, medio[recodo])
					x += anchoCaja
					fmt.Fprintf(&camino, "H%d", x)
				}
				curva(b.X, medio[j])
			} else { // within a column: out to the right and back in at the right
				llega := medio[j]
				if i == int(j) {
					y, llega = y-10, y+10
				}
				fmt.Fprintf(&camino, "M%d %dC%d %d %d %d %d %d", x, y, x+vuelta, y, x+vuelta, llega, x, llega)
			}
			arista.Camino = camino.String()
			v.Aristas = append(v.Aristas, arista)
		}
	}
}

// recortarAncho cuts a text to a number of columns, wide characters counting for two.
func recortarAncho(s string, columnas int) string {
	usadas := 0
	for i, r := range s {
		ancho := 1
		if r >= 0x1100 && (r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 || r >= 0xf900 && r <= 0xfaff ||
			r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0x1f300 && r <= 0x1faff || r >= 0x20000) {
			ancho = 2
		}
		if usadas+ancho > columnas {
			return s[:i] + "…"
		}
		usadas += ancho
	}
	return s
}
