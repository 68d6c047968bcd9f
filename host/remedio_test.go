package host_test

import (
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

func TestRemedioDeLimite(t *testing.T) {
	for _, nombre := range algebra.NombresDeLimites() {
		var porOmision algebra.LimitesAlgebra
		if !porOmision.Fijar(nombre, 1) {
			t.Fatal(nombre)
		}
		e := host.ErrLimite(&algebra.LimiteError{Nombre: nombre, Observado: 2, Limite: 1}, "$.x")
		if r := e.Remedio(); r.Campo != "$.x" || !strings.HasSuffix(r.Correccion, "con --limite "+nombre+"=valor.") {
			t.Errorf("%s: %+v", nombre, r)
		}
	}
	// The mend does not promise what the start cannot give.
	for nombre, techo := range map[string]int64{algebra.LimiteProfundidad: 512, algebra.LimiteExpansiones: 64, algebra.LimiteFilasPorRelacion: 10_000_000} {
		for limite, sePuede := range map[int64]bool{techo - 1: true, techo: false} {
			e := host.ErrLimite(&algebra.LimiteError{Nombre: nombre, Observado: limite + 1, Limite: limite}, "$.x")
			if got := strings.Contains(e.Remedio().Correccion, "=valor"); got != sePuede {
				t.Errorf("%s at %d: %s", nombre, limite, e)
			}
		}
	}
}

func TestRemedioDeDesconocida(t *testing.T) {
	muchas := []string{"a.uno", "a.dos", "a.tres", "b.uno", "b.dos", "b.tres"}
	for _, c := range []struct {
		id        string
		efectivas []string
		want      string
	}{
		{"a.unos", muchas, "revisá el id; se le parecen: a.uno, a.dos, b.uno."},
		{"otra.cosa_distinta", muchas, "nombrá una de las 6 efectivas: oracle_catalogo_efectivo las lista."},
		{"otra.cosa_distinta", muchas[:5], "nombrá una efectiva: las que hay son a.uno, a.dos, a.tres, b.uno, b.dos."},
		{"a.uno", nil, "el proyecto no tiene ninguna medida efectiva: hay que escribirla en catalogos/ antes de nombrarla."},
	} {
		if got := host.ErrDesconocida("$.medida.id", c.id, c.efectivas).Remedio(); got != (rechazo.Remedio{Campo: "$.medida.id", Correccion: c.want}) {
			t.Errorf("%s: %+v", c.id, got)
		}
	}
}

// The place is the one the caller wrote, not the one of the sorted list.
func TestCampoDeIDs(t *testing.T) {
	p, _ := archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{})
	for _, err := range []error{
		errorDe(p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{"z.z", "b.ninguna"}})),
		errorDe(p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: "{}", IDs: []string{"z.z", "b.ninguna"}})),
	} {
		if e := exigir(t, err, host.MedidaDesconocida, "«b.ninguna»"); e.Remedio().Campo != "$.ids[1]" {
			t.Error(e)
		}
	}
}

// A first line of any length leaves room for the field and the mend.
func TestErrorLargo(t *testing.T) {
	largo := strings.Repeat("ñ", 5000)
	e := host.NuevoError(host.MedidaInvalida, largo, rechazo.Remedio{Campo: largo, Correccion: largo})
	s := e.Error()
	if len(s) > 4<<10 || strings.Count(s, "\n") != 2 || !strings.Contains(s, "\ncampo: ñ") || !strings.Contains(s, "…\ncorrección: ñ") {
		t.Errorf("%d bytes: %.100s", len(s), s)
	}
	if want := "MEDIDA_INVALIDA — " + e.Mensaje() + "\n"; !strings.HasPrefix(s, want) {
		t.Error("the first line is not the message")
	}
}

func errorDe[T any](_ T, err error) error { return err }

// Each class of failure has a mend of its own, at what has to change.
func TestRemedioDeEvaluacion(t *testing.T) {
	const dosLados = "$.medida.id, $.evidencia"
	for _, c := range []struct{ clase, pasos, resumen, campo, corrige string }{
		{"relacion_ausente", `["de","otra","p"]`, `"contar",1`, "$.evidencia", "agregá esa relación"},
		{"nulo", `["de","pieza","p"],["donde",[">",["campo","p","z"],0]]`, `"contar",1`, dosLados, "si no se sabe, esa medida no puede juzgar"},
		{"familias", `["de","pieza","p"],["donde",[">",["campo","p","id"],0]]`, `"contar",1`, dosLados, "misma familia"},
		{"igualdad_flotante", `["de","pieza","p"],["donde",["==",["campo","p","f"],1]]`, `"contar",1`, "$.medida.id", "cerca"},
		{"no_booleano", `["de","pieza","p"],["donde",["campo","p","n"]]`, `"contar",1`, "$.medida.id", "verdadero o falso"},
		{"alias_ausente", `["de","pieza","p"],["agrupar",[],[]],["donde",["campo","p","n"]]`, `"contar",1`, "$.medida.id", "alias que la fila tenga"},
		{"clave_no_escalar", `["de","pieza","p"],["agrupar",[["k",["hecho","p"]]],[]]`, `"contar",1`, "$.medida.id", "campos del hecho"},
		{"agregado", `["de","pieza","p"]`, `"suma",["campo","p","id"]`, dosLados, "que admita"},
		{"no_finito", `["de","pieza","p"]`, `"suma",["campo","p","g"]`, dosLados, "número finito"},
		{"escalar", `["de","pieza","p"],["donde",[">",["cerca",["campo","p","id"],1],0]]`, `"contar",1`, dosLados, "argumentos que admita"},
		{"valor_no_numerico", `["de","pieza","p"]`, `"max",["campo","p","id"]`, "$.medida.id", "resumí a un número"},
	} {
		t.Run(c.clase, func(t *testing.T) {
			umbral := "0"
			if strings.HasPrefix(c.resumen, `"max"`) {
				umbral = `"z"` // the family of the value
			}
			medida := `["medida","d.x",["desde",` + c.pasos + `],["resumen",` + c.resumen + `],["umbral","<=",` + umbral + `,"x"],["alcance","y"]]`
			p, _ := archivos{"catalogos/x.json": medida}.en(t, host.Opciones{})
			_, err := p.Evaluar(context.Background(), pedidoDeID("d.x", `{"pieza":[{"id":"a","n":1,"f":1.5,"g":1e308},{"id":"b","n":2,"f":2.5,"g":1e308}]}`))
			e := exigir(t, err, host.EvaluacionFallo, "EVALUACION_FALLO — "+c.clase+": ")
			if r := e.Remedio(); r.Campo != c.campo || !strings.Contains(r.Correccion, c.corrige) || !strings.HasSuffix(r.Correccion, ".") {
				t.Errorf("%+v", r)
			}
		})
	}
}

// What does not read is told at its place, in whatever way the file has places.
func TestRemedioDeLectura(t *testing.T) {
	for _, c := range []struct {
		archivo, texto string
		campo, corrige string
	}{
		{"catalogos/a.oracle", "medida d.a:\n    de\n", "catalogos/a.oracle, línea 2, columna 7", "agregá en ese lugar"},
		{"catalogos/a.oracle", "medida d.a:\n    dde p p\n", "catalogos/a.oracle, línea 2, columna 5", "cambiá lo que hay"},
		{"catalogos/a.oracle", strings.Replace(verdeSiVacia, "p.x > 0", "nada(p.x) > 0", 1), "catalogos/a.oracle, línea 3, columna 11", "corregí el nombre"},
		{"catalogos/a.json", `["medida","d.x",["desde",["de","p","p"]],["resumen","sumar",1],["umbral","<=",0,"x"],["alcance","y"]]`, "catalogos/a.json, nodo 3.1", "corregí ese nodo"},
		{"oracle.json", `{"esquema":"oracle.proyecto/v1","perfil":[]}`, "oracle.json, $.perfil", "sacala, o corregí su nombre"},
		{"catalogos/a.json", "[\"medida\",\n \"d.x\"", "catalogos/a.json, línea 2, columna 7", "corregí el JSON en ese lugar."},
		{"oracle.json", `{`, "oracle.json, $", "corregí el JSON en la línea 1, columna 2"},
		{"oracle.json", `{}`, "oracle.json, $", "agregá esa clave"},
		{"relaciones/p.relacion", "x", "relaciones/p.relacion, línea 1, columna 1", "cambiá lo que hay"},
	} {
		t.Run(c.archivo, func(t *testing.T) {
			p, _ := archivos{"catalogos/z.oracle": verdeSiVacia, c.archivo: c.texto}.en(t, host.Opciones{})
			_, err := p.Evaluar(context.Background(), pedidoDeID("d.vacia", `{"pieza":[]}`))
			var e *host.Error
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
			if r := e.Remedio(); r.Campo != c.campo || !strings.Contains(r.Correccion, c.corrige) {
				t.Errorf("%v", e)
			}
		})
	}
}

// A mend that tells to look at less, or at something else, is obeyed to a
// verdict about another question. Every text of the package is looked at, so a
// new one is too.
func TestNingunRemedioSacaHechos(t *testing.T) {
	prohibido := regexp.MustCompile(`(?i)menos (filas en|filas,|filas o|casos|hechos|campos|medidas)|(enteros|textos|valores) más (chicos|cortos)|dale un valor|\b(sacá|saca|quitá|borrá)\s+(un|una|uno|los|las|el|la)?\s*(hecho|caso|fila|campo|diferencial)|sacá (casos|filas|hechos|uno\.)|\b(o|y) sacalo\.|achic`)
	for _, mal := range []string{"usá menos filas en cada relación", "dejá menos casos", "usá enteros más chicos", "sacá casos, o filas", "sacá uno.", "o sacalo.", "quitá la fila"} {
		if !prohibido.MatchString(mal) {
			t.Errorf("%q would get through", mal)
		}
	}
	archivos, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	vistos := 0
	for _, ruta := range append(archivos, "arbol/arbol.go") {
		if strings.HasSuffix(ruta, "_test.go") {
			continue
		}
		b, err := os.ReadFile(ruta)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(token.NewFileSet(), ruta, b, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				vistos++
				// The one text about the file of the scalars, which is no fact.
				if donde := prohibido.FindString(l.Value); donde != "" && l.Value != `"achicalo: ese tope no se sube."` {
					t.Errorf("%s: %q in %s", ruta, donde, l.Value)
				}
			}
			return true
		})
	}
	if vistos < 300 {
		t.Errorf("only %d texts were looked at", vistos)
	}
}

// A name goes into an order to be pasted only if a shell and the order take it
// for a name.
func TestPegable(t *testing.T) {
	for nombre, want := range map[string]bool{
		"catalogos/a-1_b.oracle": true, "a": true, "": false, "-a.oracle": false, "--escribir": false, "a b.oracle": false,
		"catalogos/$(id).oracle": false, "a;b.oracle": false, "a`b.oracle": false, "a'b.oracle": false, "a|b.oracle": false,
		"a\nb.oracle": false, "ñ.oracle": false, "a»b.oracle": false, "~/a.oracle": false, "a\\b.oracle": false,
	} {
		if got := host.Pegable(nombre); got != want {
			t.Errorf("%q: %v", nombre, got)
		}
	}
	for _, archivo := range []string{"catalogos/a.oracle", "catalogos/$(id).oracle", "catalogos/a; id.oracle"} {
		p, _ := archivos{archivo: "medida d.a:\n    de\n"}.en(t, host.Opciones{})
		_, err := p.Evaluar(context.Background(), pedidoDeID("d.a", `{"pieza":[]}`))
		r := exigir(t, err, host.CatalogoInvalido, "").Remedio()
		if got := strings.Contains(r.Correccion, "«oracle-mcp formatear "+archivo+"»"); got != host.Pegable(archivo) {
			t.Errorf("%s: %s", archivo, r.Correccion)
		}
		if r.Campo != archivo+", línea 2, columna 7" || !strings.HasSuffix(r.Correccion, ".") {
			t.Errorf("%+v", r)
		}
	}
}

// A name no file can declare is the measure's own mistake: authorizing the file
// would not mend it.
func TestNombreQueNadiePuedeDeclarar(t *testing.T) {
	for nombre, codigo := range map[string]host.Codigo{"g1": host.EscalaresNoAutorizadas, "G1": host.MedidaInvalida, "_g": host.MedidaInvalida} {
		p, _ := archivos{"catalogos/a.oracle": verdeSiVacia, host.ArchivoEscalares: "x"}.en(t, host.Opciones{})
		texto := strings.Replace(verdeSiVacia, "p.x > 0", nombre+"(p.x) > 0", 1)
		_, err := p.Evaluar(context.Background(), host.PedidoEvaluar{Medida: host.Candidata{Texto: []byte(texto)}, Evidencia: `{"pieza":[]}`})
		e := exigir(t, err, codigo, "")
		if codigo == host.MedidaInvalida && !strings.Contains(e.Remedio().Correccion, "corregí el nombre") {
			t.Error(e)
		}
	}
}

// Text that stops halfway is not a row badly written.
func TestRemedioDeEvidenciaCortada(t *testing.T) {
	p, _ := archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{})
	for texto, corrige := range map[string]string{
		`{"pieza":[{"x":1},{"x":`: "corregí el JSON en ese lugar",
		`{"pieza":[{"x":1},y`:     "corregí el JSON en ese lugar",
		`{"pie`:                   "corregí el JSON en ese lugar",
		`{"pieza":[{"x":null}]}`:  "poné en esa fila",
		`{"pieza":{}}`:            "poné en esa relación",
	} {
		_, err := p.Evaluar(context.Background(), pedidoDeID("d.vacia", texto))
		if e := exigir(t, err, host.EvidenciaInvalida, ""); !strings.HasPrefix(e.Remedio().Correccion, corrige) {
			t.Errorf("%s: %s", texto, e)
		}
	}
}

// A root is somebody's text too: its first line stays one line.
func TestRaizHostil(t *testing.T) {
	_, err := host.Abrir(filepath.Join(t.TempDir(), "a\n\x1b[31mb"), host.Opciones{})
	e := exigir(t, err, host.ProyectoInvalido, "")
	if strings.ContainsAny(strings.ReplaceAll(e.Error(), "\n", ""), "\x1b") || strings.Count(e.Error(), "\n") != 2 {
		t.Errorf("%q", e.Error())
	}
}
