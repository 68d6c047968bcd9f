package rechazo_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

func TestTexto(t *testing.T) {
	for _, c := range []struct {
		nombre  string
		remedio rechazo.Remedio
		dibujo  string
		want    string
	}{
		{"todo", rechazo.Remedio{Campo: "$.a", Correccion: "sacala."}, "    x\n    ^", "X — m.\ncampo: $.a\ncorrección: sacala.\n    x\n    ^"},
		{"sin lugar", rechazo.Remedio{Correccion: "reintentá."}, "", "X — m.\ncorrección: reintentá."},
		{"un renglón cada uno", rechazo.Remedio{Campo: "a\nb", Correccion: "c\nd."}, "", "X — m.\ncampo: a b\ncorrección: c d."},
		{"nada", rechazo.Remedio{}, "", "X — m."},
	} {
		if got := rechazo.Texto("X", "m.", c.remedio, c.dibujo); got != c.want {
			t.Errorf("%s: %q, want %q", c.nombre, got, c.want)
		}
	}
}

func TestParecidos(t *testing.T) {
	ids := []string{"d.saldo", "d.saldos", "d.salto", "otra.cosa"}
	for _, c := range []struct {
		buscado string
		n       int
		want    []string
	}{
		{"d.saldo", 2, []string{"d.saldo", "d.saldos"}},
		{"d.saldo", 9, []string{"d.saldo", "d.saldos", "d.salto"}},
		{"z.nada_que_ver", 9, nil},
		{"", 9, nil},
	} {
		if d := cmp.Diff(c.want, rechazo.Parecidos(c.buscado, ids, c.n)); d != "" {
			t.Errorf("%q: %s", c.buscado, d)
		}
	}
}

func ExampleTexto() {
	fmt.Println(rechazo.Texto("EVIDENCIA_INVALIDA", "$.evidencia.p: se esperaba una lista de hechos; llegó un objeto.",
		rechazo.Remedio{Campo: "$.evidencia.p", Correccion: "mandá una lista de hechos."}, ""))
	// Output:
	// EVIDENCIA_INVALIDA — $.evidencia.p: se esperaba una lista de hechos; llegó un objeto.
	// campo: $.evidencia.p
	// corrección: mandá una lista de hechos.
}
