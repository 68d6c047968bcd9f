package corpus_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

// vector is one line of fixtures/vectores/casos-*.jsonl.
type vector struct {
	ID    string          `json:"id"`
	Texto string          `json:"texto"`
	Caso  json.RawMessage `json:"caso"`
	Error *struct {
		Clase   string `json:"clase"`
		Linea   int    `json:"linea"`
		Columna int    `json:"columna"`
	} `json:"error"`
}

func vectores(t testing.TB) []vector {
	t.Helper()
	archivos, err := filepath.Glob("../../fixtures/vectores/casos-*.jsonl")
	if err != nil || len(archivos) == 0 {
		t.Fatal("no hay vectores de casos", err)
	}
	var vs []vector
	for _, a := range archivos {
		b, err := os.ReadFile(a)
		if err != nil {
			t.Fatal(err)
		}
		lineas := bufio.NewScanner(bytes.NewReader(b))
		lineas.Buffer(nil, 1<<20)
		for lineas.Scan() {
			var v vector
			if err := json.Unmarshal(lineas.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			vs = append(vs, v)
		}
	}
	return vs
}

// objeto decodes JSON keeping the spelling of numbers.
func objeto(t testing.TB, b []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v: %s", err, b)
	}
	return v
}

func TestVectores(t *testing.T) {
	for _, v := range vectores(t) {
		t.Run(v.ID, func(t *testing.T) {
			c, err := corpus.Leer([]byte(v.Texto))
			if v.Error != nil {
				comprobarError(t, v, err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(objeto(t, v.Caso), objeto(t, c.AppendJSON(nil))); d != "" {
				t.Error(d)
			}
			ida(t, c)
			deJSON, err := corpus.LeerJSON(v.Caso)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(objeto(t, v.Caso), objeto(t, deJSON.AppendJSON(nil))); d != "" {
				t.Error(d)
			}
		})
	}
}

func comprobarError(t *testing.T, v vector, err error) {
	t.Helper()
	var sintaxis *superficie.ErrorDeSintaxis
	var declara *superficie.ErrorDeDeclaracion
	switch v.Error.Clase {
	case "sintaxis":
		if !errors.As(err, &sintaxis) || sintaxis.Linea != v.Error.Linea || sintaxis.Columna != v.Error.Columna {
			t.Errorf("se esperaba un error en %d:%d; llegó %v", v.Error.Linea, v.Error.Columna, err)
		}
	case "declaracion":
		if !errors.As(err, &declara) {
			t.Errorf("se esperaba un error de declaración; llegó %v", err)
		}
	default:
		t.Errorf("clase de error que no se conoce: %s", v.Error.Clase)
	}
}

// ida checks that what is printed reads back as the same case, and that
// printing it again changes nothing.
func ida(t *testing.T, c *corpus.Caso) {
	t.Helper()
	impreso, err := c.AppendTexto(nil)
	if err != nil {
		t.Fatal(err)
	}
	otro, err := corpus.Leer(impreso)
	if err != nil {
		t.Fatalf("lo impreso no se lee: %v\n%s", err, impreso)
	}
	if d := cmp.Diff(objeto(t, c.AppendJSON(nil)), objeto(t, otro.AppendJSON(nil))); d != "" {
		t.Errorf("%s\n%s", d, impreso)
	}
	if dos, err := otro.AppendTexto(nil); err != nil || !bytes.Equal(impreso, dos) {
		t.Errorf("imprimir lo impreso cambió (%v):\n%s", err, cmp.Diff(string(impreso), string(dos)))
	}
}

const minimo = `caso 1:
    fecha: "2026-09-01"
    origen:
        comando: "x"
    titulo: "t"
    etiqueta: verde_correcto
    sintoma:
        s
    como_se_detecto: persona
    medida: null
    evidencia:
        a:
    leccion:
        l
`

func TestExpectativa(t *testing.T) {
	for _, c := range []struct {
		cambia [2]string
		espera corpus.Espera
		cumple []algebra.Estado
	}{
		{[2]string{"", ""}, corpus.EsperaVerde, []algebra.Estado{algebra.Verde}},
		{[2]string{"verde_correcto", "falso_rojo"}, corpus.NoVerde, []algebra.Estado{algebra.Rojo, algebra.SinEvidencia}},
		{[2]string{"verde_correcto", "falso_rojo\n    espera: sin_evidencia"}, corpus.EsperaSinEvidencia, []algebra.Estado{algebra.SinEvidencia}},
	} {
		x, err := corpus.Leer([]byte(strings.Replace(minimo, c.cambia[0], c.cambia[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		if x.Expectativa() != c.espera {
			t.Errorf("%s", x.Expectativa())
		}
		for _, e := range []algebra.Estado{algebra.Verde, algebra.Rojo, algebra.SinEvidencia} {
			quiere := false
			for _, s := range c.cumple {
				quiere = quiere || s == e
			}
			if x.Expectativa().Cumple(e) != quiere {
				t.Errorf("%s y %s", x.Expectativa(), e)
			}
		}
	}
}

func TestDeclaraDeDondeSalio(t *testing.T) {
	for par, quiere := range map[string]bool{
		`comando: "x"`: true, `registro: "x"`: true, `comando: ""`: false, `comando: 1`: false, `quien: "x"`: false,
	} {
		x, err := corpus.Leer([]byte(strings.Replace(minimo, `comando: "x"`, par, 1)))
		if err != nil {
			t.Fatal(err)
		}
		if x.DeclaraDeDondeSalio() != quiere {
			t.Errorf("%s", par)
		}
	}
}

func TestJSONCerrado(t *testing.T) {
	c, err := corpus.Leer([]byte(minimo))
	if err != nil {
		t.Fatal(err)
	}
	bueno := string(c.AppendJSON(nil))
	for _, x := range []struct{ ruta, viejo, nuevo string }{
		{"$.mas", `"id":"1"`, `"id":"1","mas":1`},
		{"$", `"id":"1",`, ``},
		{"$.id", `"id":"1"`, `"id":"a"`},
		{"$.id", `"id":"1"`, `"id":1`},
		{"$.etiqueta", `"verde_correcto"`, `"verde"`},
		{"$.espera", `"etiqueta"`, `"espera":"sin_evidencia","etiqueta"`},
		{"$.espera", `"verde_correcto"`, `"falso_rojo","espera":"rojo"`},
		{"$.medida", `"medida":null`, `"medida":"x"`},
		{"$.origen", `{"comando":"x"}`, `{}`},
		{"$.evidencia", `{"a":[]}`, `{}`},
		{"$.evidencia.a", `{"a":[]}`, `{"a":{}}`},
		{"$.evidencia.a[0]", `{"a":[]}`, `{"a":[["clave"]]}`},
		{"$.evidencia.a[1]", `{"a":[]}`, `{"a":[{},1]}`},
		{"$.evidencia.a[0].x", `{"a":[]}`, `{"a":[{"x":1,"x":2}]}`},
	} {
		texto := strings.Replace(bueno, x.viejo, x.nuevo, 1)
		_, err := corpus.LeerJSON([]byte(texto))
		var e *estricto.Error
		if !errors.As(err, &e) || e.Ruta != x.ruta {
			t.Errorf("%s: %v", texto, err)
		}
	}
}

// TestLoQueUnCasoNoDice: a JSON case may hold names a «.caso» cannot.
func TestLoQueUnCasoNoDice(t *testing.T) {
	c, err := corpus.Leer([]byte(minimo))
	if err != nil {
		t.Fatal(err)
	}
	raro, err := corpus.LeerJSON([]byte(strings.Replace(string(c.AppendJSON(nil)), `{"a":[]}`, `{"con espacio":[]}`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := raro.AppendTexto(nil); err == nil {
		t.Errorf("%s", b)
	}
}

func FuzzLeer(f *testing.F) {
	for _, v := range vectores(f) {
		f.Add([]byte(v.Texto))
	}
	f.Fuzz(func(t *testing.T, texto []byte) {
		c, err := corpus.Leer(texto)
		if err == nil {
			ida(t, c)
		}
	})
}

func FuzzLeerJSON(f *testing.F) {
	for _, v := range vectores(f) {
		if v.Caso != nil {
			f.Add([]byte(v.Caso))
		}
	}
	f.Fuzz(func(t *testing.T, texto []byte) {
		c, err := corpus.LeerJSON(texto)
		if err != nil {
			return
		}
		objeto(t, c.AppendJSON(nil))
	})
}
