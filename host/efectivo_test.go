package host_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host"
)

func suma(s string) string {
	x := sha256.Sum256([]byte(s))
	return hex.EncodeToString(x[:])
}

// caso is the text of a case.
func caso(id, medida, etiqueta, evidencia string) string {
	return "caso " + id + ":\n    fecha: \"2026-09-01\"\n    origen:\n        comando: \"x\"\n    procedencia: observada\n    titulo: \"t\"\n    etiqueta: " + etiqueta +
		"\n    sintoma:\n        s\n    como_se_detecto: persona\n    medida: " + medida + "\n    evidencia:\n" + evidencia + "    leccion:\n        l\n"
}

const (
	unaConX  = "        uno: x\n            1\n"
	unaSinX  = "        uno: x\n            0\n"
	unaVacia = "        uno:\n"
)

func efectivo(t testing.TB, p *host.Proyecto, ids ...string) *host.CatalogoEfectivo {
	t.Helper()
	r, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: ids})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestIndiceYFijacion(t *testing.T) {
	p, dir := archivos{
		"catalogos/a.oracle":   medidaSobre("d.a", "uno", ""),
		"catalogos/s.oracle":   medidaSobre("d.suelta", "uno", ""),
		"catalogos/m.oracle":   strings.Replace(medidaSobre("d.arnes", "caso", ""), "f.x > 0", "f.id == \"\"", 1),
		"corpus/x/1.caso":      caso("1", "d.a", "falso_verde", unaConX),
		"corpus/2.caso":        caso("2", "null", "falso_verde", unaConX),
		"corpus/3.caso":        caso("3", "d.no_existe", "falso_verde", unaConX),
		"corpus/notas.txt":     "nada",
		"catalogos/LEEME.md":   "nada",
		"relaciones/notas.txt": "nada",
	}.en(t, host.Opciones{})
	r := efectivo(t, p)
	want := `{"esquema":"oracle.mcp/catalogo-efectivo/v1","oracle_version":"0.0.0-prueba","proyecto":"` + dir + `","huella_proyecto":"` + r.HuellaProyecto + `","detalle":false,"total":3,"medidas":[` +
		`{"id":"d.a","origen":"proyecto","fijacion":"evidencia"},{"id":"d.arnes","origen":"proyecto","fijacion":"arnes"},{"id":"d.suelta","origen":"proyecto","fijacion":"sin_fijar"}]}`
	if d := cmp.Diff(want, string(r.AppendJSON(nil))); d != "" {
		t.Error(d)
	}
}

func TestDetalle(t *testing.T) {
	texto := "medida d.a:\n    de uno a\n    unir dos b\n    sin uno c donde c.x == a.x\n    resumen contar(1)\n    umbral < 2.50 segun tanteo porque \"p\"\n    requiere tres\n    requiere dos r donde r.x > 0\n    ambito universal\n    alcance \"z\"\n"
	p, _ := archivos{"catalogos/sub/a.oracle": texto, "catalogos/b.oracle": medidaSobre("d.b", "uno", "")}.en(t, host.Opciones{})
	s := string(efectivo(t, p, "d.a").AppendJSON(nil))
	want := `"detalle":true,"total":2,"medidas":[{"id":"d.a","origen":"proyecto","relaciones":["uno","dos"],"fijacion":"sin_fijar","ambito":"universal","requiere":["tres","dos"],"umbral":{"operador":"<","valor":2.5,"segun":"tanteo","porque":"p"},"alcance":"z","fuente":"catalogos/sub/a.oracle","fuente_sha256":"` + suma(texto) + `"}]}`
	if !strings.HasSuffix(s, want) {
		t.Error(s)
	}
	_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{"d.a", "d.z"}})
	exigir(t, err, host.MedidaDesconocida)
	_, err = p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{}})
	exigir(t, err, host.ArgumentosInvalidos)
}

func TestCatalogoVacioNoEsUnError(t *testing.T) {
	p, _ := archivos{}.en(t, host.Opciones{})
	if r := efectivo(t, p); r.Total != 0 || !strings.HasSuffix(string(r.AppendJSON(nil)), `"total":0,"medidas":[]}`) {
		t.Errorf("%s", r.AppendJSON(nil))
	}
}

// huellaAMano computes huella_proyecto over the given files, as a script would.
func huellaAMano(t *testing.T, dir string, rutas ...string) string {
	t.Helper()
	h := sha256.New()
	for _, r := range rutas {
		b, err := os.ReadFile(filepath.Join(dir, r))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s\x00%s\x00", filepath.Join(dir, r), b)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func TestHuellaProyecto(t *testing.T) {
	as := archivos{
		"oracle.json":          `{"esquema":"oracle.proyecto/v1"}`,
		"catalogos/a.oracle":   medidaSobre("d.a", "uno", ""),
		"catalogos/LEEME.md":   "no participa",
		"corpus/1.caso":        caso("1", "d.a", "falso_verde", unaConX),
		"corpus/nota.txt":      "participa",
		"macros/m.json":        `["defmacro","propia",["id"],[],["ninguno",["$","id"],"r","a",true,"p"]]`,
		"relaciones/r.txt":     "no participa",
		"escalares.star":       "no se abre sin autorización",
		"otra/cosa.txt":        "no participa",
		"diferencial/nota.txt": "participa",
	}
	p, dir := as.en(t, host.Opciones{})
	want := huellaAMano(t, dir, "catalogos/a.oracle", "corpus/1.caso", "corpus/nota.txt", "diferencial/nota.txt", "macros/m.json", "oracle.json")
	if got := efectivo(t, p).HuellaProyecto; got != want {
		t.Errorf("%s, a mano %s", got, want)
	}
	archivos{"corpus/nota.txt": "otra"}.sembrar(t, dir)
	if got := efectivo(t, p).HuellaProyecto; got == want {
		t.Error("la huella no cambió con el corpus")
	}
}

func TestEvidenciaIncompleta(t *testing.T) {
	for _, c := range []struct {
		nombre   string
		archivos archivos
		codigo   host.Codigo
		contiene string
	}{
		{"caso que no se lee", archivos{"corpus/1.caso": "caso 1:\n"}, host.EvidenciaIncompleta, "EVIDENCIA_INCOMPLETA — no se pudo juzgar la fijación: corpus/1.caso: línea 2, columna 1: "},
		{"caso JSON que no se lee", archivos{"corpus/1.json": "{}"}, host.EvidenciaIncompleta, "EVIDENCIA_INCOMPLETA — no se pudo juzgar la fijación: corpus/1.json: $: "},
		{"caso que no evalúa", archivos{"corpus/1.caso": caso("1", "d.a", "falso_verde", "        dos:\n")}, host.EvidenciaIncompleta, "«d.a» no evalúa en el caso 1 (corpus/1.caso): relacion_ausente"},
		{"caso con un nulo", archivos{"corpus/1.caso": caso("1", "d.a", "falso_verde", "        uno: x\n            null\n")}, host.EvidenciaIncompleta, "EVIDENCIA_INVALIDA"},
		{"diferencial que no se lee", archivos{"diferencial/a.json": "[]"}, host.EvidenciaIncompleta, "diferencial/a.json: $: "},
		{"dos casos con un id", archivos{"corpus/1.caso": caso("1", "d.a", "falso_verde", unaConX), "corpus/z.caso": caso("1", "null", "falso_verde", unaConX)}, host.CasoRepetido,
			"CASO_REPETIDO — «1» aparece en corpus/1.caso y corpus/z.caso; ninguno tiene precedencia."},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := c.archivos.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}).en(t, host.Opciones{})
			_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
			exigir(t, err, c.codigo, c.contiene)
			// Judging an evidence does not need the corpus.
			juzgar(t, p, `{"uno":[]}`)
		})
	}
}

// TestCambiaElCatalogoDurante: what changes between the two readings is never
// mixed in.
func TestCambiaElCatalogoDurante(t *testing.T) {
	for _, cambia := range []archivos{{}, {"corpus/1.caso": "x"}, {"macros/m.oracle": ""}, {"corpus/2.txt": ""}, {"oracle.json": "{}"}} {
		var dir string
		p, dir := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", ""), "corpus/1.caso": caso("1", "d.a", "falso_verde", unaConX)}.
			en(t, host.Opciones{EntreFirmas: func() { cambia.sembrar(t, dir) }})
		_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		if len(cambia) == 0 {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		exigir(t, err, host.ProyectoCambio)
	}
}
