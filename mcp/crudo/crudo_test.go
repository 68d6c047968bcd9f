package crudo_test

import (
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

func TestMiembrosKeepOrderRepetitionAndBytes(t *testing.T) {
	ms, err := crudo.Miembros([]byte(` { "b" : 1.50 , "a\u0062":[ 1, 2 ], "b": {"x":"\ud800"} } `))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range ms {
		got = append(got, m.Clave+"="+string(m.Valor))
	}
	want := []string{"b=1.50", "ab=[ 1, 2 ]", `b={"x":"\ud800"}`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestMiembrosKeepsThoseAskedFor(t *testing.T) {
	ms, err := crudo.Miembros([]byte(`{"a":1,"b":2,"c":3,"b":4}`), "b", "z")
	if err != nil || len(ms) != 2 || string(ms[0].Valor) != "2" || string(ms[1].Valor) != "4" {
		t.Errorf("%v, %v", ms, err)
	}
}

func TestCadaElemento(t *testing.T) {
	var got []string
	err := crudo.CadaElemento([]byte(` [ 1.0 , {"a":[]}, "x", null ] `), func(i int, v json.RawMessage) error {
		got = append(got, strconv.Itoa(i)+string(v))
		return nil
	})
	if d := cmp.Diff([]string{"01.0", `1{"a":[]}`, `2"x"`, "3null"}, got); d != "" || err != nil {
		t.Error(err, d)
	}
}

func TestCadaUnoStopsAtAnError(t *testing.T) {
	basta := errors.New("basta")
	n := 0
	if err := crudo.CadaMiembro([]byte(`{"a":1,"b":2,!`), func(string, json.RawMessage) error { n++; return basta }); err != basta || n != 1 {
		t.Error(err, n)
	}
	if err := crudo.CadaElemento([]byte(`[1,2,!`), func(int, json.RawMessage) error { n++; return basta }); err != basta || n != 2 {
		t.Error(err, n)
	}
}

func TestCadaUnoRefuses(t *testing.T) {
	miembros := func(s string) error {
		_, err := crudo.Miembros([]byte(s))
		return err
	}
	elementos := func(s string) error {
		return crudo.CadaElemento([]byte(s), func(int, json.RawMessage) error { return nil })
	}
	for _, s := range []string{`[]`, `1`, `"x"`, `null`, ``} {
		if err := miembros(s); !errors.Is(err, crudo.ErrNoObjeto) {
			t.Errorf("object %s: %v", s, err)
		}
	}
	for _, s := range []string{`{}`, `1`, `"x"`, `null`, ``} {
		if err := elementos(s); !errors.Is(err, crudo.ErrNoLista) {
			t.Errorf("array %s: %v", s, err)
		}
	}
	for _, s := range []string{`{"a":1`, `{"a"}`, `{"a":1,}`, `{"a":1}x`, `{a:1}`, `{"a":01}`, `{`} {
		if miembros(s) == nil {
			t.Errorf("object %s: no error", s)
		}
	}
	for _, s := range []string{`[1`, `[1,]`, `[1]x`, `[nul]`, `[`} {
		if elementos(s) == nil {
			t.Errorf("array %s: no error", s)
		}
	}
}

func TestTexto(t *testing.T) {
	for _, c := range []struct {
		crudo, texto string
		ok           bool
	}{
		{`"a\u00e1\n"`, "aá\n", true},
		{`"\ud83d\ude00"`, "😀", true},
		{`""`, "", true},
		{`"\ud800"`, "", false},
		{`"\ude00\ud83d"`, "", false},
		{`1`, "", false},
		{`null`, "", false},
	} {
		got, ok := crudo.Texto([]byte(c.crudo))
		if ok != c.ok || ok && got != c.texto {
			t.Errorf("Texto(%s) = %q, %v", c.crudo, got, ok)
		}
	}
}

func TestAppendTextoEscapesOnlyWhatItMust(t *testing.T) {
	got := string(crudo.AppendTexto([]byte("x"), "<a>&\u2028\u2029á\"\\\n\x01\xff"))
	want := "x\"<a>&\u2028\u2029á\\\"\\\\\\n\\u0001\uFFFD\""
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestCitaIsCutAt120CodePoints(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"hola", "hola"},
		{"a\nb\x7f\u0085", `a\u000ab\u007f\u0085`},
		{"a\u2028b\u202e\U000e0001", `a\u2028b\u202e\U000e0001`},
		{strings.Repeat("á", 120), strings.Repeat("á", 120)},
		{strings.Repeat("á", 121), strings.Repeat("á", 119) + "…"},
		{strings.Repeat("a", 114) + "\n", strings.Repeat("a", 114) + `\u000a`},
		{strings.Repeat("a", 115) + "\n", strings.Repeat("a", 115) + "…"},
		{strings.Repeat("a", 119) + "\n", strings.Repeat("a", 119) + "…"},
		{strings.Repeat("\n", 20), strings.Repeat(`\u000a`, 20)},
		{strings.Repeat("\n", 21), strings.Repeat(`\u000a`, 19) + "…"},
	} {
		got := crudo.Cita(c.in)
		if got != c.want {
			t.Errorf("Cita(%q) = %q, want %q", c.in, got, c.want)
		}
		if n := utf8.RuneCountInString(got); n > crudo.CitaMaxima {
			t.Errorf("Cita(%q) has %d code points", c.in, n)
		}
	}
}

func TestCitaJSON(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{` { "a" : [ 1 , "x y" ] } `, `{"a":[1,"x y"]}`},
		{`"` + strings.Repeat("x", 100_000) + `"`, `"` + strings.Repeat("x", 118) + "…"},
	} {
		if got := crudo.CitaJSON([]byte(c.in)); got != c.want {
			t.Errorf("CitaJSON(%.40q) = %q, want %q", c.in, got, c.want)
		}
	}
}
