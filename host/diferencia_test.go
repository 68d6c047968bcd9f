package host_test

import (
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
)

func TestDiferencia(t *testing.T) {
	forma := func(pasos, umbral string) algebra.Nodo {
		n, err := algebra.LeerNodo([]byte(`["medida","d.m",["desde",["de","p","p"]`+pasos+`],["resumen","contar",1],["umbral",`+umbral+`,"a","contrato"],["alcance","a"]]`), algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	const a, b, c = `,["donde",["==",["campo","p","n"],1]]`, `,["donde",["==",["campo","p","n"],2]]`, `,["donde",["==",["campo","p","n"],3]]`
	ver := func(x, y algebra.Nodo) string {
		var s strings.Builder
		for _, r := range host.Diferencia(x, y) {
			s.WriteString(" -+"[r.Cambio:r.Cambio+1] + strings.TrimSpace(r.Texto) + "\n")
		}
		return s.String()
	}
	for _, x := range []struct{ nombre, got, quiere string }{
		{"the same", ver(forma(a, `"<",1`), forma(a, `"<",1`)), " medida d.m:\n de p p\n donde p.n == 1\n resumen contar(1)\n umbral < 1 segun contrato porque \"a\"\n alcance \"a\"\n"},
		{"one line", ver(forma(a, `"<",1`), forma(a, `"<",2`)), " medida d.m:\n de p p\n donde p.n == 1\n resumen contar(1)\n-umbral < 1 segun contrato porque \"a\"\n+umbral < 2 segun contrato porque \"a\"\n alcance \"a\"\n"},
		{"one less in the middle", ver(forma(a+b+c, `"<",1`), forma(a+c, `"<",1`)), " medida d.m:\n de p p\n donde p.n == 1\n-donde p.n == 2\n donde p.n == 3\n resumen contar(1)\n umbral < 1 segun contrato porque \"a\"\n alcance \"a\"\n"},
		{"two apart", ver(forma(a+b+c, `"<",1`), forma(b+b+b, `"<",1`)), " medida d.m:\n de p p\n-donde p.n == 1\n donde p.n == 2\n-donde p.n == 3\n+donde p.n == 2\n+donde p.n == 2\n resumen contar(1)\n umbral < 1 segun contrato porque \"a\"\n alcance \"a\"\n"},
	} {
		if x.got != x.quiere {
			t.Errorf("%s:\n%s", x.nombre, x.got)
		}
	}
	n := forma(a, `"<",1`)
	derecha := n.Con(2, n.Hijo(2).Con(1, algebra.Lista(algebra.HojaTexto("unir"), algebra.Lista(algebra.HojaTexto("de"), algebra.HojaTexto("p"), algebra.HojaTexto("p")),
		algebra.Lista(algebra.HojaTexto("unir"), algebra.Lista(algebra.HojaTexto("de"), algebra.HojaTexto("p"), algebra.HojaTexto("q")), algebra.Lista(algebra.HojaTexto("de"), algebra.HojaTexto("p"), algebra.HojaTexto("r"))))))
	if got := ver(n, derecha); strings.Count(got, "\n") != 2 || !strings.HasPrefix(got, `-["medida"`) {
		t.Errorf("what cannot be printed:\n%s", got)
	}
}
