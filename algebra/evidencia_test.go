package algebra_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/fixtures/procesador"
)

func leer(texto string) (*algebra.Evidencia, error) {
	return algebra.LeerEvidencia([]byte(texto), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
}

func debeLeer(t testing.TB, texto string) *algebra.Evidencia {
	t.Helper()
	e, err := leer(texto)
	if err != nil {
		t.Fatalf("%.200s: %v", texto, err)
	}
	return e
}

func TestEvidenciaInvalida(t *testing.T) {
	casos := []struct{ nombre, texto, ruta string }{
		{"no es objeto", `[]`, "$.evidencia"},
		{"vacía", ``, "$.evidencia"},
		{"truncada", `{"p":[{"a":1}`, "$.evidencia.p[1]"},
		{"sobra texto", `{} {}`, "$.evidencia"},
		{"relación que no es lista", `{"p":{}}`, "$.evidencia.p"},
		{"relación nula", `{"p":null}`, "$.evidencia.p"},
		{"fila que no es objeto", `{"p":[{},3]}`, "$.evidencia.p[1]"},
		{"campo nulo", `{"q":[],"p":[{"a":1},{"a":null}]}`, "$.evidencia.p[1]"},
		{"campo lista", `{"p":[{"a":[1]}]}`, "$.evidencia.p[0]"},
		{"campo objeto", `{"p":[{"a":{}}]}`, "$.evidencia.p[0]"},
		{"relación repetida", `{"p":[],"p":[]}`, "$.evidencia.p"},
		{"relación repetida con escape", `{"p":[],"\u0070":[]}`, "$.evidencia.p"},
		{"campo repetido", `{"p":[{"a":1,"a":1}]}`, "$.evidencia.p[0]"},
		{"campo repetido con escape", `{"p":[{"a":1},{"a":1,"b":2,"\u0061":1}]}`, "$.evidencia.p[1]"},
		{"campo repetido donde otras filas no lo tienen", `{"p":[{"b":1},{"a":1,"a":1}]}`, "$.evidencia.p[1]"},
		{"NaN", `{"p":[{"a":NaN}]}`, "$.evidencia.p[0]"},
		{"flotante infinito", `{"p":[{"a":1},{"a":1e999}]}`, "$.evidencia.p[1]"},
		{"flotante infinito en columna flotante", `{"p":[{"a":1.5},{"a":1.5e999}]}`, "$.evidencia.p[1]"},
		{"sustituto suelto", `{"p":[{"a":"\ud800"}]}`, "$.evidencia.p[0]"},
		{"UTF-8 inválido", "{\"p\":[{\"a\":\"\xff\"}]}", "$.evidencia.p[0]"},
		{"marca de orden de bytes", "\ufeff{}", "$.evidencia"},
		{"número con cero", `{"p":[{"a":01}]}`, "$.evidencia.p[0]"},
		{"clave vacía", `{"p":[["clave",[]],{"id":1}]}`, "$.evidencia.p"},
		{"clave con repetido", `{"p":[["clave",["a","a"]],{"a":1}]}`, "$.evidencia.p"},
		{"clave que no es texto", `{"p":[["clave",[1]],{"a":1}]}`, "$.evidencia.p"},
		{"clave violada", `{"p":[["clave",["a","b"]],{"a":1,"b":"x"},{"a":2,"b":"x"},{"a":1.0,"b":"x"}]}`, "$.evidencia.p[2]"},
		{"clave ausente", `{"p":[["clave",["a"]],{"a":1},{"b":1}]}`, "$.evidencia.p[1]"},
		{"clave que no va a la cabeza", `{"p":[{"a":1},["clave",["a"]]]}`, "$.evidencia.p[1]"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := leer(c.texto)
			var e *algebra.ErrorDeEvidencia
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want invalid evidence", err)
			}
			if r := e.Ruta("$.evidencia"); r != c.ruta {
				t.Errorf("path %s, want %s (%v)", r, c.ruta, e)
			}
		})
	}
}

func TestSinClavePorLlamada(t *testing.T) {
	texto := []byte(`{"p":[["clave",["id"]],{"id":1}]}`)
	if _, err := algebra.LeerEvidencia(texto, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{SinClave: true}); err == nil {
		t.Fatal("a call must not bring a key node")
	}
	e := debeLeer(t, string(texto))
	if got := fmt.Sprint(e.Relacion("p").Clave(), e.Relacion("p").Largo()); got != "[id] 1" {
		t.Errorf("got %s", got)
	}
}

func TestEvidenciaCanonica(t *testing.T) {
	casos := []struct{ entra, sale string }{
		{`{ "q" : [ ] , "p":[{"b":1,"a":2.0},{"a":"ñ\u00f1\n<"}]}`, `{"p":[{"a":2.0,"b":1},{"a":"ññ\n<"}],"q":[]}`},
		{`{"p":[{"x":1e16},{"x":1e15},{"x":0.0001},{"x":0.00001},{"x":-0.0},{"x":-0},{"x":123456789012345678901234567890}]}`,
			`{"p":[{"x":1e+16},{"x":1000000000000000.0},{"x":0.0001},{"x":1e-05},{"x":-0.0},{"x":0},{"x":123456789012345678901234567890}]}`},
		{`{"p":[["clave",["b","a"]],{"a":true,"b":false}]}`, `{"p":[["clave",["b","a"]],{"a":true,"b":false}]}`},
		{`{"p":[{},{"a":1},{},{"b":2,"a":3}]}`, `{"p":[{},{"a":1},{},{"a":3,"b":2}]}`},
	}
	for _, c := range casos {
		e := debeLeer(t, c.entra)
		sale := string(e.AppendJSON(nil))
		if sale != c.sale {
			t.Errorf("got  %s\nwant %s", sale, c.sale)
		}
		if otra := string(debeLeer(t, sale).AppendJSON(nil)); otra != sale {
			t.Errorf("not idempotent: %s then %s", sale, otra)
		}
	}
}

// Fields that few rows have are kept packed: the same facts must come out.
func TestCamposRalos(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"p":[`)
	var filas []string
	for i := range 300 {
		fila := fmt.Sprintf(`{"id":%d}`, i)
		if i%50 == 7 {
			fila = fmt.Sprintf(`{"id":%d,"raro":"r%d"}`, i, i)
		}
		filas = append(filas, fila)
	}
	b.WriteString(strings.Join(filas, ",") + "]}")
	e := debeLeer(t, b.String())
	if sale := string(e.AppendJSON(nil)); sale != b.String() {
		t.Fatalf("got %s", sale)
	}
	m := debeCargar(t, medida(dePP+`,["agrupar",[["r",["campo","p","raro"]]],[["n","contar",1]]]`, `"contar",1`, `"<=",0`))
	v := debeEvaluar(t, m, e)
	if v.CantidadDeTestigos() != 7 || string(v.AppendTestigo(nil, 0)) != `{"_":{"n":294,"r":null}}` || string(v.AppendTestigo(nil, 1)) != `{"_":{"n":1,"r":"r7"}}` {
		t.Errorf("got %d, %s, %s", v.CantidadDeTestigos(), v.AppendTestigo(nil, 0), v.AppendTestigo(nil, 1))
	}
}

// What is read must not cost more than in proportion to its text.
func TestEvidenciaHostil(t *testing.T) {
	muchas := func(n int, sep string, f func(i int) string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteString(sep)
			}
			b.WriteString(f(i))
		}
		return b.String()
	}
	casos := []struct {
		nombre, texto string
		limite        string // empty: it reads or is invalid
	}{
		{"cien mil campos distintos", `{"p":[` + muchas(100_000, ",", func(i int) string { return fmt.Sprintf(`{"f%d":1}`, i) }) + `]}`, ""},
		{"cien mil campos en una fila", `{"p":[{` + muchas(100_000, ",", func(i int) string { return fmt.Sprintf(`"f%d":1`, i) }) + `}]}`, ""},
		{"un millón de relaciones", `{` + muchas(1_000_000, ",", func(i int) string { return fmt.Sprintf(`"r%d":[]`, i) }) + `}`, ""},
		{"un millón de corchetes", `{"p":` + strings.Repeat("[", 1_000_000), ""},
		{"un millón de llaves", strings.Repeat(`{"p":`, 1_000_000), ""},
		{"entero de cinco mil cifras", `{"p":[{"a":` + strings.Repeat("9", 5_000) + `}]}`, algebra.LimiteBitsDeEntero},
		{"entero de diez millones de cifras", `{"p":[{"a":` + strings.Repeat("9", 10_000_000) + `}]}`, algebra.LimiteBitsDeEntero},
		{"texto de veinte megas", `{"p":[{"a":"` + strings.Repeat("a", 20<<20) + `"}]}`, algebra.LimiteTamanoDeValor},
		{"cien mil filas y una", `{"p":[` + muchas(100_001, ",", func(int) string { return `{}` }) + `]}`, algebra.LimiteFilasPorRelacion},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			inicio := procesador.Usado()
			_, err := leer(c.texto)
			if tardo := procesador.Usado() - inicio; tardo > 10*time.Second {
				t.Errorf("took %v", tardo)
			}
			var l *algebra.LimiteError
			if got := errors.As(err, &l); got != (c.limite != "") || got && l.Nombre != c.limite {
				t.Errorf("got %v, want limit %q", err, c.limite)
			}
			if l != nil && l.Observado <= l.Limite {
				t.Errorf("observed %d within %d", l.Observado, l.Limite)
			}
		})
	}
}

func TestLimitesDeLectura(t *testing.T) {
	casos := []struct {
		nombre       string
		lim          algebra.LimitesAlgebra
		cabe, excede string
	}{
		{algebra.LimiteFilasPorRelacion, algebra.LimitesAlgebra{FilasPorRelacion: 2}, `{"p":[{},{}],"q":[{},{}]}`, `{"p":[{},{},{}]}`},
		{algebra.LimiteTamanoDeValor, algebra.LimitesAlgebra{TamanoDeValor: 3}, `{"p":[{"a":"añ"}]}`, `{"p":[{"a":"abcd"}]}`},
		{algebra.LimiteBitsDeEntero, algebra.LimitesAlgebra{BitsDeEntero: 8}, `{"p":[{"a":-255}]}`, `{"p":[{"a":256}]}`},
		{algebra.LimiteBitsDeEntero, algebra.LimitesAlgebra{BitsDeEntero: 70}, `{"p":[{"a":1180591620717411303423}]}`, `{"p":[{"a":1180591620717411303424}]}`},
	}
	for _, c := range casos {
		if _, err := algebra.LeerEvidencia([]byte(c.cabe), c.lim, algebra.OpcionesDeEvidencia{}); err != nil {
			t.Errorf("%s: %s: %v", c.nombre, c.cabe, err)
		}
		_, err := algebra.LeerEvidencia([]byte(c.excede), c.lim, algebra.OpcionesDeEvidencia{})
		var l *algebra.LimiteError
		if !errors.As(err, &l) || l.Nombre != c.nombre || l.Observado != l.Limite+1 && c.nombre != algebra.LimiteBitsDeEntero {
			t.Errorf("%s: got %v", c.nombre, err)
		}
	}
}
