package estricto_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

func TestLeerRechazaConRuta(t *testing.T) {
	for texto, ruta := range map[string]string{
		"":                          "$",
		"{":                         "$",
		"1 2":                       "$",
		`{"a":1,"a":2}`:             "$.a",
		`{"a":[{"b c":1,"b c":2}]}`: `$.a[0]["b c"]`,
		`{"a":"\ud800"}`:            "$.a",
		"{\"a\":\"\xff\"}":          "$.a",
	} {
		_, err := estricto.Leer([]byte(texto))
		var e *estricto.Error
		if !errors.As(err, &e) || e.Ruta != ruta {
			t.Errorf("%q: %v", texto, err)
		}
	}
}

func TestTiposExactos(t *testing.T) {
	v, err := estricto.Leer([]byte(`{"t":"é","b":true,"n":null,"e":12345678901234567890,"f":1.0,"neg":-1,"l":["a","b"],"r":["a","a"],"v":[""],"o":{"x":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	m, err := v.Objeto([]string{"t", "b", "n", "e", "f", "neg", "l", "r", "v", "o"}, []string{"z"})
	if err != nil {
		t.Fatal(err)
	}
	if s, err := m["t"].Texto(); s != "é" || err != nil {
		t.Error(s, err)
	}
	if b, err := m["b"].Booleano(); !b || err != nil {
		t.Error(b, err)
	}
	if e, err := m["e"].Entero(); e.String() != "12345678901234567890" || err != nil {
		t.Error(e, err)
	}
	if l, err := m["l"].Textos(); err != nil || cmp.Diff([]string{"a", "b"}, l) != "" {
		t.Error(l, err)
	}
	if !m["n"].EsNulo() || m["t"].EsNulo() || !m["o"].EsObjeto() || !m["l"].EsLista() {
		t.Error("clases")
	}
	for nombre, f := range map[string]func() error{
		"$.f":    func() error { _, err := m["f"].Entero(); return err },
		"$.neg":  func() error { _, err := m["neg"].Entero(); return err },
		"$.n":    func() error { _, err := m["n"].Texto(); return err },
		"$.t":    func() error { _, err := m["t"].Booleano(); return err },
		"$.r[1]": func() error { _, err := m["r"].Textos(); return err },
		"$.v[0]": func() error { _, err := m["v"].Textos(); return err },
		"$.o":    func() error { _, err := m["o"].Elementos(); return err },
		"$.l":    func() error { _, err := m["l"].Miembros(); return err },
		"$.o.x":  func() error { _, err := m["o"].Objeto(nil, nil); return err },
		"$": func() error {
			_, err := v.Objeto([]string{"falta"}, []string{"t", "b", "n", "e", "f", "neg", "l", "r", "v", "o"})
			return err
		},
	} {
		var e *estricto.Error
		if err := f(); !errors.As(err, &e) || e.Ruta != nombre {
			t.Errorf("%s: %v", nombre, err)
		}
	}
}

func TestElOriginalSeConserva(t *testing.T) {
	v, err := estricto.Leer([]byte(`{"a": [ {"b": 1.50 } , 2 ]}`))
	if err != nil {
		t.Fatal(err)
	}
	ms, err := v.Miembros()
	if err != nil {
		t.Fatal(err)
	}
	es, err := ms[0].Valor.Elementos()
	if err != nil {
		t.Fatal(err)
	}
	if string(es[0].Crudo()) != `{"b": 1.50 }` || string(es[1].Crudo()) != "2" || es[1].Ruta() != "$.a[1]" {
		t.Errorf("%s %s %s", es[0].Crudo(), es[1].Crudo(), es[1].Ruta())
	}
}

func FuzzLeer(f *testing.F) {
	f.Add([]byte(`{"a":[{"b":1}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := estricto.Leer(b)
		if err != nil {
			return
		}
		var bajar func(estricto.Valor, int)
		bajar = func(v estricto.Valor, nivel int) {
			if nivel > 50 {
				return
			}
			if ms, err := v.Miembros(); err == nil {
				for _, m := range ms {
					bajar(m.Valor, nivel+1)
				}
			} else if es, err := v.Elementos(); err == nil {
				for _, e := range es {
					bajar(e, nivel+1)
				}
			}
		}
		bajar(v, 0)
	})
}

// What is not JSON is told in Spanish: the words of the reader stay inside.
func TestLoQueNoEsJSONSeDiceEnCastellano(t *testing.T) {
	for texto, motivo := range map[string]string{
		`{"a":tru`:                 "el texto termina antes de tiempo",
		`{"a":trux}`:               "no se esperaba lo que llegó",
		`{"a" 1}`:                  "no se esperaba lo que llegó",
		`{a:1}`:                    "una clave tiene que ser un texto entre comillas",
		`{1:1}`:                    "una clave tiene que ser un texto entre comillas",
		`{"a":-x}`:                 "hay un número mal escrito",
		`{"a":"\q"}`:               "hay un escape que JSON no tiene",
		`{"a":"\ud800"}`:           "hay un sustituto UTF-16 suelto",
		`[1,]`:                     "no se esperaba lo que llegó",
		`{"a":1}x`:                 "sobra texto después del valor",
		"{\"a\":\"\x01\"}":         "hay un texto mal escrito",
		"{\"a\":\"\xff\"}":         "hay bytes que no son UTF-8",
		strings.Repeat("[", 20000): "está anidado demasiado hondo",
	} {
		_, err := estricto.Leer([]byte(texto))
		var e *estricto.Error
		if !errors.As(err, &e) || !strings.HasPrefix(e.Motivo, "JSON inválido en línea 1, columna ") || !strings.HasSuffix(e.Motivo, ": "+motivo) {
			t.Errorf("%.20q: %v", texto, err)
		}
	}
}
