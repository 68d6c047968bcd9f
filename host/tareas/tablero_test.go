package tareas_test

import (
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
	"github.com/oracle-mcp/oracle-mcp/host/tareas"
)

const (
	tablero  = "../../fixtures/proyectos/tablero"
	prefijoM = "seguimiento."
)

// medidasDelTablero are the ids of the project's catalog.
func medidasDelTablero(t *testing.T) []string {
	t.Helper()
	archivos, err := filepath.Glob(tablero + "/catalogos/seguimiento/*.oracle")
	if err != nil || len(archivos) != 7 {
		t.Fatalf("%v %v", archivos, err)
	}
	var ids []string
	for _, a := range archivos {
		ids = append(ids, prefijoM+strings.TrimSuffix(filepath.Base(a), ".oracle"))
	}
	return ids
}

// enTablero copies the project into a repository and commits it as it should be.
func enTablero(t *testing.T) *taller {
	t.Helper()
	g := nuevoTaller(t)
	if err := os.CopyFS(g.dir, os.DirFS(tablero)); err != nil {
		t.Fatal(err)
	}
	g.git("add", "-A")
	g.git("commit", "-qm", "20260901-090000-caja: primeras notas")
	g.git("commit", "-q", "--allow-empty", "-m", "20260901-090000-caja: done")
	return g
}

// juicios judges the project's own facts with its whole catalog, and returns
// what is not green.
func juicios(t *testing.T, g *taller, conGit bool) map[string]string {
	t.Helper()
	h := g.hechos()
	if !conGit {
		h = bien(t, g.proyecto, hechos()).Hechos
	}
	p, err := host.Abrir(g.proyecto, host.Opciones{Version: "0.0.0-prueba"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	j, err := p.Juzgar(t.Context(), host.PedidoJuzgar{Evidencia: json(t, &tareas.Resultado{Hechos: h}), SoloObjetos: true})
	if err != nil {
		t.Fatal(err)
	}
	if len(j.Medidas) != len(medidasDelTablero(t)) || len(j.NoJuzgaron) != 0 || len(j.NoAplicadas) != 0 {
		t.Fatalf("%d measures judged; not judged %v, not applied %v", len(j.Medidas), j.NoJuzgaron, j.NoAplicadas)
	}
	r := map[string]string{}
	for _, m := range j.Medidas {
		if v := m.Veredicto; v.Estado != algebra.Verde {
			r[strings.TrimPrefix(m.Medida.ID, prefijoM)] = string(v.Estado) + " " + string(algebra.AppendJSON(nil, v.Valor))
		}
	}
	if j.OK != (len(r) == 0) {
		t.Errorf("ok is %v with %v", j.OK, r)
	}
	return r
}

// TestTablero judges real trackers with the project's measures, in both
// polarities: as it should be, and with one thing wrong at a time.
func TestTablero(t *testing.T) {
	const otra = "tareas/20260908-101500-etiquetas/TAREA.md"
	for nombre, c := range map[string]struct {
		rompe  func(g *taller)
		sinGit bool
		quiere map[string]string
	}{
		"en orden": {func(*taller) {}, false, map[string]string{}},
		"sin pedir git": {func(*taller) {}, true, map[string]string{"cerrada_con_commit": "sin_evidencia 0",
			"todo_en_el_repositorio": "sin_evidencia 0", "commit_de_tarea_que_existe": "sin_evidencia 0"}},
		"sin repositorio": {func(g *taller) { g.sacar(".git") }, false, map[string]string{"cerrada_con_commit": "sin_evidencia 0",
			"todo_en_el_repositorio": "sin_evidencia 0", "commit_de_tarea_que_existe": "sin_evidencia 0"}},
		"cerrada sin su commit": {func(g *taller) { g.git("reset", "-q", "--hard", "HEAD~1") }, false,
			map[string]string{"cerrada_con_commit": "rojo 1"}},
		"referencia que no está": {func(g *taller) {
			g.sacar("tareas/20260901-090000-caja/notas")
			g.git("commit", "-qam", "sin notas")
		}, false, map[string]string{"referencias_existen": "rojo 1"}},
		"algo que no se leyó": {func(g *taller) {
			g.poner("tareas/20260901-090000-caja/.cache/x", "")
		}, false, map[string]string{"lectura_completa": "rojo 1"}},
		"sin guardar": {func(g *taller) {
			g.poner("tareas/20260901-090000-caja/nueva.txt", "")
			g.poner("tareas/20260901-090000-caja/x.log", "")
		}, false, map[string]string{"todo_en_el_repositorio": "rojo 1"}},
		"dos con la misma medida": {func(g *taller) {
			g.poner(otra, "# E\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 2\n- CIERRA CON: seguimiento.lectura_completa\n")
			g.git("commit", "-qam", "la misma")
		}, false, map[string]string{"medida_de_una_sola_tarea": "rojo 1"}},
		"commit de nadie": {func(g *taller) { g.git("commit", "-q", "--allow-empty", "-m", "20990101-000000-nadie: done") }, false,
			map[string]string{"commit_de_tarea_que_existe": "rojo 1"}},
		"clon superficial": {func(g *taller) {
			g.poner(".git/shallow", g.git("rev-parse", "HEAD"))
		}, false, map[string]string{"lectura_completa": "rojo 1"}},
	} {
		t.Run(nombre, func(t *testing.T) {
			g := enTablero(t)
			c.rompe(g)
			if d := cmp.Diff(c.quiere, juicios(t, g, !c.sinGit)); d != "" {
				t.Errorf("what is not green (-want +got):\n%s", d)
			}
		})
	}
}

// TestTableroCasos requires the project's cases to stand as they say, and every
// measure to have both polarities and, as all of them require some, one case
// without evidence.
func TestTableroCasos(t *testing.T) {
	medidas := map[string]*algebra.Medida{}
	for _, id := range medidasDelTablero(t) {
		texto, err := os.ReadFile(tablero + "/catalogos/seguimiento/" + strings.TrimPrefix(id, prefijoM) + ".oracle")
		if err != nil {
			t.Fatal(err)
		}
		if medidas[id], err = superficie.LeerMedida(texto, macro.Estandar(), escalares.Internas(), algebra.LimitesAlgebra{}); err != nil {
			t.Fatal(err)
		}
	}
	dados := map[string]map[string]bool{}
	err := filepath.WalkDir(tablero+"/corpus", func(ruta string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		texto, err := os.ReadFile(ruta)
		if err != nil {
			return err
		}
		c, err := corpus.Leer(texto)
		if err != nil {
			t.Fatalf("%s: %v", ruta, err)
		}
		e, err := algebra.LeerEvidencia([]byte(c.JSON()), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
		if err != nil {
			t.Fatalf("%s: %v", ruta, err)
		}
		v, err := algebra.Evaluar(t.Context(), medidas[c.Medida], e, algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatalf("%s: %v", ruta, err)
		}
		if !c.Expectativa().Cumple(v.Estado) || (v.Estado == algebra.SinEvidencia) != (c.Espera == "sin_evidencia") {
			t.Errorf("%s: %s, and %v was expected", c.ID, v.Estado, c.Expectativa())
		}
		if dados[c.Medida] == nil {
			dados[c.Medida] = map[string]bool{}
		}
		dados[c.Medida][string(v.Estado)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range medidasDelTablero(t) {
		if d := cmp.Diff([]string{"rojo", "sin_evidencia", "verde"}, slices.Sorted(maps.Keys(dados[id]))); d != "" {
			t.Errorf("%s (-want +got):\n%s", id, d)
		}
	}
}

// TestTableroRelaciones requires the declared fields to be the ones the facts have.
func TestTableroRelaciones(t *testing.T) {
	g := enTablero(t)
	e, err := algebra.LeerEvidencia([]byte(json(t, &tareas.Resultado{Hechos: g.hechos()})), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	vistas := 0
	for _, r := range e.Relaciones() {
		vistas++
		texto, err := os.ReadFile(tablero + "/relaciones/" + r.Nombre + ".relacion")
		if err != nil {
			t.Fatal(err)
		}
		var campos []string
		for linea := range strings.SplitSeq(string(texto), "\n") {
			if nombre, _, hay := strings.Cut(strings.TrimSpace(linea), ": "); hay && !strings.HasPrefix(nombre, "alcance") {
				campos = append(campos, nombre)
			}
		}
		if r.Nombre == "omision_seguimiento" {
			if r.Largo() != 0 {
				t.Errorf("%d omissions", r.Largo())
			}
			continue
		}
		if r.Largo() == 0 {
			t.Errorf("%s has no rows", r.Nombre)
			continue
		}
		fila := string(r.AppendFila(nil, 0))
		for _, c := range campos {
			if !strings.Contains(fila, `"`+c+`":`) {
				t.Errorf("%s declares %s, and its rows are %s", r.Nombre, c, fila)
			}
		}
		if n := strings.Count(fila, `":`); n != len(campos) {
			t.Errorf("%s declares %d fields and its rows have %d", r.Nombre, len(campos), n)
		}
	}
	if vistas != 7 {
		t.Errorf("%d relations", vistas)
	}
}

// TestTableroMutantes requires the cases to notice every change of a measure.
func TestTableroMutantes(t *testing.T) {
	p, err := host.Abrir(tablero, host.Opciones{Version: "0.0.0-prueba"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, id := range medidasDelTablero(t) {
		d, err := p.Desafiar(t.Context(), host.PedidoDesafiar{Medida: host.Candidata{ID: id}})
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		if len(d.Discordancias) != 0 || d.Mutacion.Sobrevivientes() != 0 || d.Casos.EsperanVerde == 0 || d.Casos.EsperanRojo == 0 {
			t.Errorf("%s: %s, %d survivors, cases %+v, %v", id, d.Conclusion, d.Mutacion.Sobrevivientes(), d.Casos, d.Discordancias)
		}
	}
}
