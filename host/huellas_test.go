package host_test

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// trabajo is one job of testdata/huellas.py.
type trabajo []any

func enProyecto(raiz string, rutas ...string) trabajo { return trabajo{"proyecto", raiz, rutas} }
func enArchivos(raiz string, rutas ...string) trabajo { return trabajo{"archivos", raiz, rutas} }
func enEntrada(objeto string) trabajo                 { return trabajo{"entrada", json.RawMessage(objeto)} }

// independiente runs testdata/huellas.py, which shares no code with us.
func independiente(t testing.TB, ts ...trabajo) []string {
	t.Helper()
	entrada, err := json.Marshal(ts)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "-S", "-E", "testdata/huellas.py")
	c.Stdin = strings.NewReader(string(entrada))
	b, err := c.Output()
	if err != nil {
		t.Fatalf("python3: %v", err)
	}
	sumas := strings.Fields(string(b))
	if len(sumas) != len(ts) {
		t.Fatalf("%d trabajos y %d sumas", len(ts), len(sumas))
	}
	return sumas
}

func TestHuellaProyectoIndependiente(t *testing.T) {
	p, dir := archivos{
		"oracle.json":           `{"esquema":"oracle.proyecto/v1","id":"ñandú"}`,
		"catalogos/ñ/a.oracle":  medidaSobre("d.a", "uno", ""),
		"catalogos/b.json":      `["ninguno","d.b","uno","f",[">",["campo","f","x"],0],"ninguna","nada"]`,
		"corpus/1.caso":         caso("1", "d.a", "falso_verde", unaConX),
		"corpus/z/0.bin":        "\x00\xff",
		"macros/nota.md":        "",
		"relaciones/ajena.txt":  "no",
		"catalogos/ajena.txt":   "no",
		"diferencial/a/ajena.y": "sí",
	}.en(t, host.Opciones{})
	got := efectivo(t, p).HuellaProyecto
	want := independiente(t, enProyecto(dir, "oracle.json", "catalogos/ñ/a.oracle", "catalogos/b.json", "corpus/1.caso", "corpus/z/0.bin", "macros/nota.md", "diferencial/a/ajena.y"))
	if got != want[0] {
		t.Errorf("%s, el guion dice %s", got, want[0])
	}
}

func TestEntradaIndependiente(t *testing.T) {
	p, _ := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}.en(t, host.Opciones{})
	var ts []trabajo
	var dichas []string
	for _, ev := range []string{
		`{"uno":[]}`,
		`{"uno":[{"x":1,"b":true,"a":"é\u0001\n\"\\ \u2028 <&>"}],"otra":[{"f":1.0,"g":1e16,"h":1e-5,"i":0.1,"j":-0.0,"k":123456789012345678901234567890,"l":1.5e300,"m":100000.0,"n":1e15,"o":0.0001}]}`,
		`{"uno":[{"x":5e-324},{"x":1.7976931348623157e308},{"x":9007199254740993},{"x":2.50}],"😀":[],"é":[],"z":[]}`,
	} {
		e := evaluar(t, p, pedidoDeID("d.a", ev))
		ts = append(ts, enEntrada(`{"medida":`+e.Juicio.Medida.Canonica().String()+`,"evidencia":`+ev+`}`), enEntrada(`{"ids":["d.a"],"evidencia":`+ev+`}`))
		dichas = append(dichas, e.EntradaSHA256, juzgar(t, p, ev, "d.a").EntradaSHA256)
	}
	for i, want := range independiente(t, ts...) {
		if dichas[i] != want {
			t.Errorf("%s: %s, el guion dice %s", ts[i], dichas[i], want)
		}
	}
}
