package docugraph_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// estilo is a way people write a document: the text of the i-th one, which may depend on the nodes before it, and what has to come
// out of it.
type estilo struct {
	nombre  string
	escribe func(i int, dep []string) string
	id      string // verb for i, "" if it is no node
	codigo  docugraph.Codigo
	linea   int
}

func lista(dep []string) string {
	if len(dep) == 0 {
		return ""
	}
	return "depends_on: [" + strings.Join(dep, ", ") + "]\n"
}

var estilos = []estilo{
	{nombre: "tarea", id: "T-%d", escribe: func(i int, dep []string) string {
		return fmt.Sprintf("---\nid: T-%d\ntitle: \"Tarea %d: año nuevo\"\nstatus: todo\n%s---\n# Otra cosa\n\n- [ ] algo\n", i, i, lista(dep))
	}},
	{nombre: "chino con CRLF y BOM", id: "任务-%d", escribe: func(i int, dep []string) string {
		return "\ufeff" + strings.ReplaceAll(fmt.Sprintf("---\nid: 任务-%d\n%s---\n# 第%d个任务\n\n正文。\n", i, lista(dep), i), "\n", "\r\n")
	}},
	{nombre: "docusaurus", id: "doc-%d", escribe: func(i int, dep []string) string {
		return fmt.Sprintf("---\nid: doc-%d\nsidebar_position: %d\nhide_title: true\n%s---\n\nimport X from '@theme/X';\n\n:::tip\n[sitio](/docs/x) ![logo](@site/static/l.png)\n:::\n", i, i, lista(dep))
	}},
	{nombre: "nota con enlaces dobles", id: "nota/%d", escribe: func(i int, dep []string) string {
		return fmt.Sprintf("---\naliases: [uno, dos]\ntags: a, b\nid: nota/%d\n%s---\n[[Otra nota]] y ![[foto.png]] y [[Otra#Parte|así]]. ^b%d\n", i, lista(dep), i)
	}},
	{nombre: "nota sin id", codigo: docugraph.IDFaltante, linea: 1, escribe: func(i int, _ []string) string {
		return fmt.Sprintf("---\ntags: [suelta]\ncreated: 2026-03-01T10:%02d\n---\n[[algo]]\n", i%60)
	}},
	{nombre: "nota pelada", escribe: func(i int, _ []string) string { return fmt.Sprintf("Idea %d: [[algo]]\n", i) }},
	{nombre: "ADR pelado", escribe: func(i int, _ []string) string {
		return fmt.Sprintf("# %d. Decidir algo\n\nDate: 2026-01-10\n\n## Status\n\nAccepted\n", i)
	}},
	{nombre: "tabulador en el YAML", codigo: docugraph.FrontmatterInvalido, linea: 4, escribe: func(i int, _ []string) string {
		return fmt.Sprintf("---\nid: TAB-%d\nmeta:\n\tautor: ana\n---\n", i)
	}},
	{nombre: "plantilla", codigo: docugraph.FrontmatterInvalido, linea: 2, escribe: func(int, []string) string {
		return "---\nid: {{title}}\n---\n"
	}},
	{nombre: "latin-1", codigo: docugraph.CodificacionInvalida, linea: 3, escribe: func(i int, _ []string) string {
		return fmt.Sprintf("---\nid: L-%d\ntitle: A\xf1o\n---\n", i)
	}},
	{nombre: "copia del sincronizador", codigo: docugraph.IDRepetido, linea: 3, escribe: func(int, []string) string {
		return "---\ntitle: Copia\nid: REPETIDO\n---\n"
	}},
	{nombre: "sin cerrar", codigo: docugraph.FrontmatterInvalido, linea: 1, escribe: func(i int, _ []string) string {
		return fmt.Sprintf("---\nid: S-%d\n\n# Título\n", i)
	}},
}

// TestArbolesGenerados mixes every style in trees of some hundred documents and directories, by seed: each document comes to what its
// style comes to, wherever it stands and whatever stands beside it.
func TestArbolesGenerados(t *testing.T) {
	for semilla := range uint64(6) {
		r := rand.New(rand.NewPCG(semilla, 7))
		dirs := []string{"", "docs/", "docs/guía/", "Proyectos/2026/", "文档/", "notas sueltas/"}
		var rutas, nodos, hallazgos []string
		contenido := map[string]string{}
		aristas := 0
		depende := map[string]bool{}
		for i := range 400 {
			e := estilos[r.IntN(len(estilos))]
			if i < 2 {
				e = estilos[slices.IndexFunc(estilos, func(e estilo) bool { return e.codigo == docugraph.IDRepetido })]
			}
			ruta := fmt.Sprintf("%s%03d %s.md", dirs[r.IntN(len(dirs))], i, strings.ReplaceAll(e.nombre, "ó", "o"))
			var dep []string
			if e.id != "" {
				for range min(len(nodos), r.IntN(4)) {
					if d := nodos[r.IntN(len(nodos))]; !slices.Contains(dep, d) {
						dep = append(dep, d)
					}
				}
				id := fmt.Sprintf(e.id, i)
				nodos = append(nodos, id)
				aristas += len(dep)
				if len(dep) > 0 {
					depende[id] = true
				}
				for _, d := range dep {
					depende[d] = true
				}
			}
			rutas = append(rutas, ruta)
			contenido[ruta] = e.escribe(i, dep)
			if e.codigo != "" {
				nodo := ""
				if e.codigo == docugraph.IDRepetido {
					nodo = "REPETIDO"
				}
				hallazgos = append(hallazgos, strings.TrimSpace(fmt.Sprintf("%s:%d: %s %s", ruta, e.linea, e.codigo, nodo)))
			}
		}
		r.Shuffle(len(rutas), func(i, j int) { rutas[i], rutas[j] = rutas[j], rutas[i] })
		dir := t.TempDir()
		escribir(t, dir, rutas, contenido)
		a := cargar(t, dir)
		i := a.Informe("")
		var obtenidos []string
		huerfanos := 0
		for _, h := range i.Hallazgos() {
			if h.Codigo == docugraph.Huerfano {
				huerfanos++
				continue
			}
			obtenidos = append(obtenidos, strings.TrimSpace(fmt.Sprintf("%s:%d: %s %s", h.Ruta, h.Linea, h.Codigo, h.Nodo)))
		}
		slices.Sort(hallazgos)
		slices.Sort(obtenidos)
		if d := cmp.Diff(hallazgos, obtenidos); d != "" {
			t.Errorf("semilla %d (-esperado +obtenido):\n%s", semilla, d)
		}
		var ids []string
		for _, tarea := range a.Lista(docugraph.Filtro{}).Tareas {
			ids = append(ids, tarea.ID)
		}
		slices.Sort(nodos)
		if d := cmp.Diff(nodos, ids); d != "" || i.EdgeCount != aristas || huerfanos != len(nodos)-len(depende) {
			t.Errorf("semilla %d: %d aristas de %d, %d huérfanos de %d (-esperado +obtenido):\n%s", semilla, i.EdgeCount, aristas, huerfanos, len(nodos)-len(depende), d)
		}
		for _, id := range nodos {
			p, err := a.Contexto(t.Context(), id, docugraph.ProfundidadMaxima)
			if err != nil || p.Truncado {
				t.Fatalf("semilla %d, %s: %v", semilla, id, err)
			}
			revisarOrden(t, p)
		}
	}
}

// revisarOrden checks what defines a bundle without computing it again: nothing comes before what depends on it, every reason names
// included documents that do depend on it, and everything but the task has one.
func revisarOrden(t *testing.T, p *docugraph.Paquete) {
	t.Helper()
	lugar := map[string]int{}
	for i, x := range p.Inclusiones {
		lugar[x.Documento.ID] = i
	}
	for i, x := range p.Inclusiones {
		for _, r := range x.Documento.Ficha.DependeDe {
			if j, incluido := lugar[r.ID]; !incluido || j <= i {
				t.Errorf("%s: %s depende de %s, que está antes o no está", p.Tarea, x.Documento.ID, r.ID)
			}
		}
		motivo, porque := strings.CutPrefix(x.Motivo, "required by ")
		if porque == (i == 0) {
			t.Errorf("%s: el motivo de %s es %q", p.Tarea, x.Documento.ID, x.Motivo)
		}
		if !porque {
			continue
		}
		menor := docugraph.ProfundidadMaxima
		quienes := strings.Split(motivo, ", ")
		for _, id := range quienes {
			q := p.Inclusiones[lugar[id]]
			menor = min(menor, q.Profundidad)
			if !slices.ContainsFunc(q.Documento.Ficha.DependeDe, func(r docugraph.Referencia) bool { return r.ID == x.Documento.ID }) {
				t.Errorf("%s: %s no depende de %s", p.Tarea, id, x.Documento.ID)
			}
		}
		if x.Profundidad != menor+1 || !slices.IsSorted(quienes) {
			t.Errorf("%s: %s a %d, y el más cercano que lo pide a %d", p.Tarea, x.Documento.ID, x.Profundidad, menor)
		}
	}
}
