package superficie_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/fixtures/procesador"
)

func cursorDe(t *testing.T, renglon string) *superficie.Cursor {
	t.Helper()
	r, err := superficie.NuevosRenglones([]byte(renglon), 4<<20)
	if err != nil {
		t.Fatal(err)
	}
	l, _ := r.VerCrudo()
	return l.Cursor()
}

func TestRenglones(t *testing.T) {
	r, err := superficie.NuevosRenglones([]byte("\n# nota\nuno:\r\n        prosa\n\n        # más\n    dos\r"), 100)
	if err != nil {
		t.Fatal(err)
	}
	var vistos []string
	anotar := func(l superficie.Renglon) {
		s, exacta := l.Sangria()
		vistos = append(vistos, fmt.Sprintf("%d|%s|%d %v", l.Numero, l.Texto, s, exacta))
	}
	l, _ := r.Ver()
	anotar(l)
	r.Tomar()
	for range 3 { // a block of prose, as it comes
		l, _ := r.VerCrudo()
		anotar(l)
		r.TomarCrudo()
	}
	l, _ = r.Ver()
	anotar(l)
	if otra, _ := r.Ver(); otra != l {
		t.Error("Ver no se repite")
	}
	r.Tomar()
	if _, hay := r.Ver(); hay {
		t.Error("sobra un renglón")
	}
	quiero := []string{"3|uno:|0 true", "4|        prosa|8 true", "5||0 true", "6|        # más|8 true", "7|    dos|4 true"}
	if d := cmp.Diff(quiero, vistos); d != "" {
		t.Error(d)
	}
	if e := r.ErrorDeFin("algo"); e.Linea != 8 || e.Columna != 1 {
		t.Errorf("el final está en %d:%d", e.Linea, e.Columna)
	}
}

func TestCrudoJSON(t *testing.T) {
	casos := []struct{ renglon, valor, resto string }{
		{`"a", 1`, `"a"`, `, 1`},
		{`-1.5e3,2`, `-1.5e3`, `,2`},
		{`01`, `0`, `1`},
		{`true`, `true`, ``},
		{`null ,`, `null`, `,`},
		{`{"a": [1, "]}"], "b": {}} x`, `{"a": [1, "]}"], "b": {}}`, `x`},
		{`[1,2],[3]`, `[1,2]`, `,[3]`},
		{`{"a": "\\"}`, `{"a": "\\"}`, ``},
	}
	for _, c := range casos {
		cur := cursorDe(t, c.renglon)
		valor, err := cur.CrudoJSON()
		if err != nil || string(valor) != c.valor || cur.Resto() != c.resto {
			t.Errorf("%s: %s %q %v", c.renglon, valor, cur.Resto(), err)
		}
	}
	for renglon, columna := range map[string]int{
		" ": 1, "x": 1, "-": 1, "nulo": 1, `"a`: 1, "[1, 2": 1, `  {"a": `: 3,
		`{"a": 1, "a": 2}`: 10, `[1,,2]`: 4, `[1 2]`: 4, `["\ud800"]`: 3, `[}`: 2, `'a'`: 1,
	} {
		_, err := cursorDe(t, renglon).CrudoJSON()
		e, ok := err.(*superficie.ErrorDeSintaxis)
		if !ok || e.Linea != 1 {
			t.Errorf("%q: %v", renglon, err)
		} else if e.Columna != columna {
			t.Errorf("%q: columna %d, queríamos %d", renglon, e.Columna, columna)
		}
	}
}

func TestValorJSON(t *testing.T) {
	c := cursorDe(t, `[1, "a", [true, null]] {"a": 1}`)
	n, err := c.ValorJSON(algebra.LimitesAlgebra{})
	if err != nil || n.String() != `[1,"a",[true,null]]` {
		t.Fatal(n, err)
	}
	if _, err := c.ValorJSON(algebra.LimitesAlgebra{}); clasificar(err) != "1:24 sintaxis" {
		t.Error("un objeto no es una forma:", err)
	}
	if _, err := cursorDe(t, "256").ValorJSON(algebra.LimitesAlgebra{BitsDeEntero: 8}); clasificar(err) != algebra.LimiteBitsDeEntero {
		t.Error(err)
	}
}

// TestRenglonLargo reads a line of very many values in linear time.
func TestRenglonLargo(t *testing.T) {
	for _, valor := range []string{"1,", `"a",`, "[],", `{"a":1},`} {
		n := (1 << 20) / len(valor)
		inicio := procesador.Usado()
		c := cursorDe(t, strings.Repeat(valor, n))
		leidos := 0
		for !c.Fin() {
			if _, err := c.CrudoJSON(); err != nil || !c.Signo(",") {
				t.Fatal(err)
			}
			leidos++
		}
		if d := procesador.Usado() - inicio; leidos != n || d > 2*time.Second {
			t.Errorf("%s: %d valores de %d en %v", valor, leidos, n, d)
		}
	}
}

func ExampleRenglones() {
	r, _ := superficie.NuevosRenglones([]byte("# una tabla\npieza: id, x\n    \"a\", 1\n"), 1<<20)
	l, _ := r.Ver()
	c := l.Cursor()
	nombre, _ := c.Identificador()
	fmt.Println(nombre, c.Signo(":"), c.Resto())
	r.Tomar()
	fila, _ := r.Ver()
	fmt.Println(fila.ExigirSangria(4), fila.Numero)
	c = fila.Cursor()
	id, _ := c.CrudoJSON()
	fmt.Println(string(id), c.Signo(";"))
	fmt.Println(c.Error("«;»"))
	// Output:
	// pieza true id, x
	// <nil> 3
	// "a" false
	// línea 3, columna 8: se esperaba «;»; llegó ','
	//         "a", 1
	//            ^
}
