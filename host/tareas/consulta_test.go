package tareas_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

func itoa(n int) string { return strconv.Itoa(n) }

// surtido is a tracker with something of everything.
func surtido(t testing.TB) string {
	tarea := func(titulo, estado, prioridad, etiquetas string) string {
		return fmt.Sprintf("# %s\n\n- ESTADO: %s\n- PRIORIDAD: %s\n- ETIQUETAS: %s\n- CIERRA CON: caja.cierra\n- Dueña: no es un campo\n\nCuerpo de %s.\n", titulo, estado, prioridad, etiquetas, titulo)
	}
	return proyecto(t, map[string]string{
		"tareas/20260101-000000-uno/TAREA.md":     tarea("Uno", "ABIERTA", "5", "Río, b"),
		"tareas/20260102-000000-dos/TAREA.md":     tarea("Dos", "ABIERTA", "10", "río"),
		"tareas/20260103-000000-tres/TAREA.md":    tarea("Tres", "CERRADA", "99", "RÍO"),
		"tareas/20260104-000000-cuatro/TAREA.md":  tarea("Cuatro", "ABIERTA", "5", "ríos"),
		"tareas/20260105-000000-uno-dos/TAREA.md": tarea("Uno dos", "ABIERTA", "-1", ""),
		"tareas/20260106-000000/TAREA.md":         tarea("Sin sufijo", "CERRADA", "123456789012345678901234567890", ""),
		"tareas/20260106-000000-x/TAREA.md":       tarea("Con sufijo", "CERRADA", "0", ""),
	})
}

func TestListar(t *testing.T) {
	dir := surtido(t)
	for nombre, c := range map[string]struct {
		estado   *tareas.Estado
		etiqueta *string
		ids      string
	}{
		"abiertas":            {nil, nil, "20260102-000000-dos 20260101-000000-uno 20260104-000000-cuatro 20260105-000000-uno-dos"},
		"abiertas, dicho":     {p(tareas.Abierta), nil, "20260102-000000-dos 20260101-000000-uno 20260104-000000-cuatro 20260105-000000-uno-dos"},
		"cerradas":            {p(tareas.Cerrada), nil, "20260106-000000 20260103-000000-tres 20260106-000000-x"},
		"etiqueta":            {nil, p("RÍO"), "20260102-000000-dos 20260101-000000-uno"},
		"etiqueta cerradas":   {p(tareas.Cerrada), p("río"), "20260103-000000-tres"},
		"etiqueta que no hay": {nil, p("rí"), ""},
		"etiqueta vacía":      {nil, p(""), ""},
	} {
		t.Run(nombre, func(t *testing.T) {
			q := listar()
			q.Estado, q.Etiqueta = c.estado, c.etiqueta
			var ids []string
			for _, r := range bien(t, dir, q).Lista {
				ids = append(ids, r.ID)
			}
			if d := cmp.Diff(c.ids, strings.Join(ids, " ")); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	q := listar()
	q.Etiqueta = p("b")
	quiere := `[{"id":"20260101-000000-uno","titulo":"Uno","estado":"ABIERTA","prioridad":5,"etiquetas":["Río","b"],"cierra_con":["caja.cierra"],` +
		`"campos_adicionales":{},"ruta":"tareas/20260101-000000-uno/TAREA.md"}]`
	if d := cmp.Diff(quiere, json(t, bien(t, dir, q))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestVer(t *testing.T) {
	dir := surtido(t)
	for id, quiere := range map[string]string{
		"20260101-000000-uno": "20260101-000000-uno",
		"20260101":            "20260101-000000-uno", // prefix
		"20260106-000000":     "20260106-000000",     // whole, though a prefix of another
		"uno":                 "20260101-000000-uno", // whole suffix, though part of another
		"uno-dos":             "20260105-000000-uno-dos",
		"x":                   "20260106-000000-x",
		"20260105-000000-uno": "20260105-000000-uno-dos",
	} {
		if r := bien(t, dir, ver(id)); r.Tarea.ID != quiere || !strings.Contains(r.Tarea.Cuerpo, "Cuerpo de") {
			t.Errorf("%s gives %+v", id, r.Tarea)
		}
	}
	const forma = "; se esperaba un id de tarea, un prefijo o un sufijo entero, con letras, números, «_» y «-», que empiece con letra o número.\ncampo: $.id\ncorrección: usá el id de la tarea, o un prefijo o sufijo suyo."
	const listar = "\ncampo: $.id\ncorrección: usá un id de los que da la acción listar."
	for id, quiere := range map[string]string{
		"2026010": "ID_AMBIGUO — el prefijo «2026010» coincide con 7 tareas: 20260101-000000-uno, 20260102-000000-dos, 20260103-000000-tres, " +
			"20260104-000000-cuatro, 20260105-000000-uno-dos, 20260106-000000, 20260106-000000-x.\ncampo: $.id\ncorrección: escribí más del id, hasta que nombre una sola.",
		"20260106":                 "ID_AMBIGUO — el prefijo «20260106» coincide con 2 tareas: 20260106-000000, 20260106-000000-x.\ncampo: $.id\ncorrección: escribí más del id, hasta que nombre una sola.",
		"cuatr":                    "TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «cuatr».\ncampo: $.id\ncorrección: revisá el id; se le parecen: 20260104-000000-cuatro.",
		"dos-":                     "TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «dos-».\ncampo: $.id\ncorrección: revisá el id; se le parecen: 20260102-000000-dos.",
		"TRES":                     "TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «TRES».\ncampo: $.id\ncorrección: revisá el id; se le parecen: 20260103-000000-tres.",
		"20270101":                 "TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «20270101».\ncampo: $.id\ncorrección: revisá el id; se le parecen: 20260101-000000-uno, 20260102-000000-dos, 20260103-000000-tres.",
		"zzzzzzzzzz":               "TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «zzzzzzzzzz»." + listar,
		"":                         "ARGUMENTOS_INVALIDOS — $.id: «»" + forma,
		"-a":                       "ARGUMENTOS_INVALIDOS — $.id: «-a»" + forma,
		"../x":                     "ARGUMENTOS_INVALIDOS — $.id: «../x»" + forma,
		"ñ":                        "ARGUMENTOS_INVALIDOS — $.id: «ñ»" + forma,
		"a\n":                      `ARGUMENTOS_INVALIDOS — $.id: «a\n»` + forma,
		strings.Repeat("a", 1<<20): "TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «" + strings.Repeat("a", 120) + "…»." + listar,
	} {
		_, err := consultar(t, dir, ver(id))
		if err == nil || err.Error() != quiere {
			t.Errorf("%.40q:\n got %v\nwant %s", id, err, quiere)
		}
	}
}

// TestVerMuchas keeps a single cause under its cap, counting what is left out.
func TestVerMuchas(t *testing.T) {
	m := map[string]string{}
	for i := range 300 {
		m[fmt.Sprintf("tareas/20260101-%06d-una-tarea/TAREA.md", i)] = "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"
	}
	_, texto := mal(t, proyecto(t, m), ver("2026"))
	if len(texto) > 4096 || !strings.Contains(texto, "coincide con 300 tareas: 20260101-000000-una-tarea, ") || !strings.Contains(texto, ", y otras ") {
		t.Errorf("%d bytes: %s", len(texto), texto)
	}
}

func TestArgumentos(t *testing.T) {
	dir := surtido(t)
	for nombre, c := range map[string]struct {
		q      tareas.Consulta
		quiere string
	}{
		"acción":           {tareas.Consulta{Accion: "cerrar"}, "$.accion: «cerrar»; se esperaba listar, ver, buscar o hechos."},
		"ver sin id":       {tareas.Consulta{Accion: tareas.AccionVer}, "$.id: ausente; se esperaba un id de tarea, un prefijo o un sufijo entero, que la acción ver exige."},
		"buscar sin texto": {tareas.Consulta{Accion: tareas.AccionBuscar}, "$.texto: ausente; se esperaba el texto a buscar, que la acción buscar exige."},
		"texto vacío":      {buscar(""), "$.texto: «»; se esperaba un texto no vacío, de una sola línea."},
		"dos líneas":       {buscar("a\nb"), `$.texto: «a\nb»; se esperaba un texto no vacío, de una sola línea.`},
		"estado":           {tareas.Consulta{Accion: tareas.AccionListar, Estado: p(tareas.Estado("abierta"))}, "$.estado: «abierta»; se esperaba ABIERTA o CERRADA."},
		"estado al ver":    {tareas.Consulta{Accion: tareas.AccionVer, ID: p("x"), Estado: p(tareas.Abierta)}, "$.estado: «ABIERTA»; se esperaba que no viniera: sólo lo usa la acción listar, y ésta es ver."},
		"git al listar":    {tareas.Consulta{Accion: tareas.AccionListar, Git: p(true)}, "$.git: true; se esperaba que no viniera: sólo lo usa la acción hechos, y ésta es listar."},
		"id al buscar":     {tareas.Consulta{Accion: tareas.AccionBuscar, Texto: p("x"), ID: p("y")}, "$.id: «y»; se esperaba que no viniera: sólo lo usa la acción ver, y ésta es buscar."},
	} {
		t.Run(nombre, func(t *testing.T) {
			if _, texto := mal(t, dir, c.q); texto != "ARGUMENTOS_INVALIDOS — "+c.quiere {
				t.Errorf("got %s", texto)
			}
		})
	}
	bien(t, dir, tareas.Consulta{Accion: tareas.AccionListar, Git: p(false)})
}

func TestBuscar(t *testing.T) {
	tarea := "tareas/" + idUno
	m := unaTarea("# Straße\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n\nuna STRASSE\r\nİstanbul <&>\u2028\n")
	m[tarea+"/a.txt"] = "nada\nStrasse final, sin salto"
	m[tarea+"/b/c.MD"] = "straSSe\n"
	m[tarea+"/b/d"] = "sin extensión: strasse\n"
	m[tarea+"/e.png"] = "strasse"
	m[tarea+"/f.raro"] = "strasse"
	m[tarea+"/g.txt"] = "strasse\x00"
	m[tarea+"/h.txt"] = "strasse\xff"
	m[tarea+"/i.txt"] = "-> a.txt"
	m[tarea+"/.j.txt"] = "strasse"
	m[tarea+"/.k/l.txt"] = "strasse"
	m[tarea+"/m/.git"] = "gitdir: x"
	m[tarea+"/m/n.txt"] = "strasse"
	m[tarea+"/o.txt"] = strings.Repeat("strasse\n", 2<<20/8+1)
	m["tareas/README.md"] = "ver STRASSE\n"
	m["tareas/.gitignore"] = "strasse\n"
	dir := proyecto(t, m)
	fifo(t, dir+"/"+tarea+"/tubo.txt")
	quiere := `{"coincidencias":[` +
		`{"ruta":"` + tarea + `/TAREA.md","linea":1,"texto":"# Straße"},` +
		`{"ruta":"` + tarea + `/TAREA.md","linea":6,"texto":"una STRASSE"},` +
		`{"ruta":"` + tarea + `/a.txt","linea":2,"texto":"Strasse final, sin salto"},` +
		`{"ruta":"` + tarea + `/b/c.MD","linea":1,"texto":"straSSe"},` +
		`{"ruta":"` + tarea + `/b/d","linea":1,"texto":"sin extensión: strasse"},` +
		`{"ruta":"tareas/README.md","linea":1,"texto":"ver STRASSE"}],"omitidos":[` +
		`{"ruta":"tareas/.gitignore","motivo":"entrada_oculta"},` +
		`{"ruta":"` + tarea + `/.j.txt","motivo":"entrada_oculta"},` +
		`{"ruta":"` + tarea + `/.k","motivo":"entrada_oculta"},` +
		`{"ruta":"` + tarea + `/e.png","motivo":"binario"},` +
		`{"ruta":"` + tarea + `/f.raro","motivo":"extension_no_admitida"},` +
		`{"ruta":"` + tarea + `/g.txt","motivo":"binario"},` +
		`{"ruta":"` + tarea + `/h.txt","motivo":"no_utf8"},` +
		`{"ruta":"` + tarea + `/i.txt","motivo":"enlace_simbolico"},` +
		`{"ruta":"` + tarea + `/m","motivo":"repositorio_anidado"},` +
		`{"ruta":"` + tarea + `/o.txt","motivo":"mayor_de_2_mib"},` +
		`{"ruta":"` + tarea + `/tubo.txt","motivo":"especial"}]}`
	if d := cmp.Diff(quiere, json(t, bien(t, dir, buscar("strasse")))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	r := bien(t, dir, buscar("<&>\u2028"))
	if len(r.Busqueda.Coincidencias) != 1 || !strings.Contains(json(t, r), `"texto":"İstanbul <&>`+"\u2028"+`"`) {
		t.Errorf("got %s", json(t, r))
	}
	if r := bien(t, dir, buscar("no hay esto")); len(r.Busqueda.Coincidencias) != 0 || !strings.HasPrefix(json(t, r), `{"coincidencias":[],`) {
		t.Errorf("got %s", json(t, r))
	}
}

func TestBuscarTope(t *testing.T) {
	m := unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n")
	m["tareas/"+idUno+"/a.txt"] = strings.Repeat("hay\n", 9_999)
	m["tareas/"+idUno+"/b.txt"] = "hay\nhay\n"
	m["tareas/"+idUno+"/c.txt"] = "hay\n"
	r := bien(t, proyecto(t, m), buscar("hay")).Busqueda
	if len(r.Coincidencias) != 10_000 {
		t.Errorf("%d matches", len(r.Coincidencias))
	}
	if d := cmp.Diff([]tareas.Omitida{{Ruta: "tareas/" + idUno + "/b.txt", Motivo: "tope_de_coincidencias"}}, r.Omitidos); d != "" {
		t.Error(d)
	}
}

func TestBuscarIlegible(t *testing.T) {
	m := unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n")
	m["tareas/"+idUno+"/a.txt"] = "x"
	raiz, err := os.OpenRoot(proyecto(t, m))
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	l := conFalla{lector.DeRaiz(raiz), "tareas/" + idUno + "/a.txt"}
	_, err = tareas.Consultar(context.Background(), l, nil, buscar("x"))
	const quiere = "TRACKER_INVALIDO — se detectaron 1 registro(s) inválido(s) en tareas/:\n  · tareas/" + idUno + "/a.txt: no se puede leer: sin permiso"
	if sinRemedio(t, err) != quiere {
		t.Errorf("got %v", err)
	}
	// The same file leaves the facts whole but for what it could say.
	_, err = tareas.Consultar(context.Background(), conFalla{lector.DeRaiz(raiz), "tareas/" + idUno + "/TAREA.md"}, nil, hechos())
	if err == nil || !strings.Contains(err.Error(), "TAREA.md: no se puede leer: sin permiso") {
		t.Errorf("got %v", err)
	}
}

// conFalla is a tree with one file that cannot be read.
type conFalla struct {
	lector.Lector
	ruta string
}

func (c conFalla) ReadFile(ruta string, tope int64) ([]byte, error) {
	if ruta == c.ruta {
		return nil, &os.PathError{Op: "open", Path: "/ruta/de/la/maquina", Err: os.ErrPermission}
	}
	return c.Lector.ReadFile(ruta, tope)
}

func TestCancelacion(t *testing.T) {
	dir := surtido(t)
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	for _, q := range []tareas.Consulta{listar(), ver("uno"), buscar("x"), hechos()} {
		// Cut at each reading there is, and then past them all.
		for n := 0; ; n++ {
			ctx, cancel := context.WithCancel(context.Background())
			l := &conCorte{Lector: lector.DeRaiz(raiz), faltan: n, cortar: cancel}
			if n == 0 {
				cancel()
			}
			r, err := tareas.Consultar(ctx, l, nil, q)
			cancel()
			if l.faltan > 0 {
				if err != nil || n < 5 {
					t.Errorf("%s: after %d readings: %v", q.Accion, n, err)
				}
				break
			}
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cut at reading %d: %v", q.Accion, n, err)
			}
			if err != nil && r != nil {
				t.Errorf("%s: a result beside the error", q.Accion)
			}
			if n < 3 && err == nil {
				t.Errorf("%s: went on to the end after a cut at reading %d", q.Accion, n)
			}
		}
	}
}

// conCorte cancels at the n-th reading.
type conCorte struct {
	lector.Lector
	faltan int
	cortar func()
}

func (c *conCorte) paso() {
	if c.faltan--; c.faltan == 0 {
		c.cortar()
	}
}

func (c *conCorte) ReadFile(ruta string, tope int64) ([]byte, error) {
	c.paso()
	return c.Lector.ReadFile(ruta, tope)
}

func (c *conCorte) ReadDir(ruta string, tope int) ([]os.DirEntry, error) {
	c.paso()
	return c.Lector.ReadDir(ruta, tope)
}
