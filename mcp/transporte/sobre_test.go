package transporte

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestLineas(t *testing.T) {
	for _, c := range []struct {
		nombre, entrada string
		max             int
		want            []string
	}{
		{"empty", "", 5, nil},
		{"last without newline", "ab\ncd", 5, []string{"ab", "cd"}},
		{"blank lines count", "\n\nx\n", 5, []string{"", "", "x"}},
		{"at the limit and over", "12345\n123456\nx\n", 5, []string{"12345", "LARGA", "x"}},
		{"over at the end", "123456", 5, []string{"LARGA"}},
		{"at the limit at the end", "12345", 5, []string{"12345"}},
		{"carriage return counts", "1234\r\n", 5, []string{"1234\r"}},
		{"longer than the buffer", strings.Repeat("x", 200_000) + "\ny\n", 200_000, []string{strings.Repeat("x", 200_000), "y"}},
		{"much longer than the limit", strings.Repeat("x", 300_000) + "\ny\n", 5, []string{"LARGA", "y"}},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(c.entrada), iotest.OneByteReader(strings.NewReader(c.entrada)), iotest.DataErrReader(strings.NewReader(c.entrada))} {
				ls := newLineas(r, c.max)
				var got []string
				for {
					linea, err := ls.siguiente()
					if err == io.EOF {
						break
					}
					if err == errLineaLarga {
						linea = []byte("LARGA")
					} else if err != nil {
						t.Fatal(err)
					}
					got = append(got, string(linea))
				}
				if strings.Join(got, "|") != strings.Join(c.want, "|") || len(got) != len(c.want) {
					t.Errorf("got %d lines %.80q, want %d", len(got), got, len(c.want))
				}
			}
		})
	}
	_, err := newLineas(iotest.ErrReader(io.ErrUnexpectedEOF), 5).siguiente()
	if err != io.ErrUnexpectedEOF {
		t.Errorf("a reader's error became %v", err)
	}
}

// Lines must be in memory of their own: a request outlives the next reading.
func TestLineasNoComparten(t *testing.T) {
	ls := newLineas(strings.NewReader("uno\ndos\n"), 10)
	a, _ := ls.siguiente()
	b, _ := ls.siguiente()
	if string(a) != "uno" || string(b) != "dos" {
		t.Errorf("%q, %q", a, b)
	}
}

func TestClaveDeID(t *testing.T) {
	iguales := [][]string{
		{`1`, `1.0`, `1e0`, `10e-1`, `0.1E1`, `100e-2`, `1.000`},
		{`0`, `-0`, `0.0`, `0e5`, `-0.00e-9`, `0e99999999999999999999`},
		{`-1`, `-1.0`, `-10e-1`},
		{`1000`, `1e3`, `1E+3`, `10.00e2`},
		{`"a"`, `"\u0061"`},
		{`"/"`, `"\/"`},
		{`9007199254740993`},
		{`9007199254740992`, `9007199254740992.0`},
		{`1e400`}, {`1e401`},
		{`1e99999999999999999999`}, {`1e99999999999999999998`},
		{`"1"`}, {`""`}, {`"1.0"`}, {`"\ud800"`}, {`"\ud801"`}, {`"�"`}, {`"A\ud800"`}, {`"a\ud800"`},
	}
	dueno := map[string]int{}
	for i, grupo := range iguales {
		for _, id := range grupo {
			k := claveDeID([]byte(id))
			if otro, visto := dueno[k]; visto && otro != i {
				t.Errorf("%s has the key of %s", id, iguales[otro][0])
			}
			dueno[k] = i
		}
		if a, b := claveDeID([]byte(grupo[0])), claveDeID([]byte(grupo[len(grupo)-1])); a != b {
			t.Errorf("%s and %s: %q, %q", grupo[0], grupo[len(grupo)-1], a, b)
		}
		for _, id := range grupo {
			if claveDeID([]byte(id)) != claveDeID([]byte(grupo[0])) {
				t.Errorf("%s and %s differ", id, grupo[0])
			}
		}
	}
}

func TestHondo(t *testing.T) {
	for _, c := range []struct {
		s    string
		max  int
		want bool
	}{
		{`[[]]`, 2, false}, {`[[[]]]`, 2, true}, {`[[],[],[{}]]`, 2, true}, {`[[],[],[]]`, 2, false},
		{`{"[[[[":"[[[[\"[["}`, 1, false}, {`{"a\\":[1]}`, 1, true}, {`"\\\"[[["`, 0, false}, {`]]][[`, 0, false}, {`"`, 0, false}, {`"\`, 0, false},
	} {
		if got := hondo([]byte(c.s), c.max); got != c.want {
			t.Errorf("hondo(%s, %d) = %v", c.s, c.max, got)
		}
	}
}

// FuzzAbrir holds that any line is something, and that what it is agrees with a
// second look at the same bytes.
func FuzzAbrir(f *testing.F) {
	for _, s := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"ping"}`, `{"jsonrpc":"2.0","method":"exit"}`, `[]`, ``, ` `, `{`, `{"id":1,"result":{}}`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"tools/call","params":{"name":"x","arguments":{"a":[{"b":1e999}]}}}`, "\xff", `{"id":1,"id":2}`,
		`{"jsonrpc":"2.0","id":1,"method":"x","params":null}`, `{"a":{}}}`, `1 2`, `"\u00zz"`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, linea []byte) {
		s := abrir(linea)
		switch s.especie {
		case especiePedido:
			if s.id == nil || claveDeID(s.id) == "" || s.falla == nil && s.metodo == "" {
				t.Errorf("%q: a request without id or method: %+v", linea, s)
			}
		case especieInvalida:
			if s.falla == nil || s.id != nil {
				t.Errorf("%q: invalid without saying why: %+v", linea, s)
			}
		case especieNotificacion:
			if s.metodo == "" || s.falla != nil {
				t.Errorf("%q: an odd notification: %+v", linea, s)
			}
		}
		if s.falla != nil && len(s.falla.mensaje) > 4<<10 {
			t.Errorf("%.80q: a message of %d bytes", linea, len(s.falla.mensaje))
		}
		if s.especie == especiePedido {
			_, _ = leerMeta(s)
		}
	})
}
