package docugraph

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"slices"
)

//go:embed pagina.html
var paginaHTML string

var pagina = template.Must(template.New("pagina").Parse(paginaHTML))

// Sizes of the drawing, in pixels.
const (
	anchoCaja   = 210
	altoCaja    = 46
	pasoColumna = 300
	pasoFila    = 62
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
	v.colocar(d)
	v.trazar(salientes, d)
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

func (v *vistaPagina) colocar(d *disposicion) {
	filas := 0
	for _, c := range d.columnas {
		filas = max(filas, len(c))
	}
	poner := func(n int32, x, y int) {
		v.Nodos[n].X, v.Nodos[n].Y = x, y
		v.Ancho, v.Alto = max(v.Ancho, x+anchoCaja+margen), max(v.Alto, y+altoCaja+margen)
	}
	for k, c := range d.columnas {
		arriba := margen + (filas-len(c))*pasoFila/2
		for i, n := range c {
			poner(n, margen+k*pasoColumna, arriba+i*pasoFila)
			if d.enCiclo[n] {
				v.Nodos[n].Clase, v.HayCiclos = "ciclo", true
			}
		}
	}
	v.HaySueltos = len(d.sueltos) > 0
	v.YSueltos = margen + filas*pasoFila + 16
	for i, n := range d.sueltos {
		poner(n, margen+i%porFila*(anchoCaja+16), v.YSueltos+12+i/porFila*pasoFila)
	}
	for i := range v.Nodos {
		if v.Nodos[i].Falta {
			v.Nodos[i].Clase = "falta"
		}
	}
}

func (v *vistaPagina) trazar(salientes [][]int32, d *disposicion) {
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
			x1, y1, x2, y2 := a.X+anchoCaja, a.Y+altoCaja/2, b.X, b.Y+altoCaja/2
			if x2 > x1 {
				m := (x1 + x2) / 2
				if x2-x1 > pasoColumna { // a long one leaves and arrives level, to be told from the boxes it passes behind
					m = x1 + (pasoColumna-anchoCaja)/2
				}
				arista.Camino = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, m, y1, x2-(m-x1), y2, x2, y2)
			} else { // within a column: out to the right and back in at the right
				x2 = b.X + anchoCaja
				sale := x1 + 44
				if i == int(j) {
					y1, y2 = y1-10, y2+10
				}
				arista.Camino = fmt.Sprintf("M%d %dC%d %d %d %d %d %d", x1, y1, sale, y1, sale, y2, x2, y2)
			}
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
