package crudo_test

import (
	"errors"
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

func TestMiembrosAndElementosRefuse(t *testing.T) {
	for _, s := range []string{`[]`, `1`, `"x"`, `null`} {
		if _, err := crudo.Miembros([]byte(s)); !errors.Is(err, crudo.ErrNoObjeto) {
			t.Errorf("Miembros(%s): %v", s, err)
		}
	}
	for _, s := range []string{`{}`, `1`, `"x"`, `null`} {
		if _, err := crudo.Elementos([]byte(s)); !errors.Is(err, crudo.ErrNoLista) {
			t.Errorf("Elementos(%s): %v", s, err)
		}
	}
	for _, s := range []string{`{"a":1`, `{"a"}`, `{"a":1,}`, `{"a":1}x`, `{a:1}`, `{"a":01}`} {
		if _, err := crudo.Miembros([]byte(s)); err == nil {
			t.Errorf("Miembros(%s): no error", s)
		}
	}
	for _, s := range []string{`[1`, `[1,]`, `[1]x`, `[nul]`} {
		if _, err := crudo.Elementos([]byte(s)); err == nil {
			t.Errorf("Elementos(%s): no error", s)
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
