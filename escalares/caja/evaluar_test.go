package caja_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

// medir evaluates «donde expr, contar(1) <= 0» over rows {"x": 0}, {"x": 1}, …
func medir(t *testing.T, c *caja.Caja, expr string, filas int, lim algebra.LimitesAlgebra) (*algebra.Veredicto, error) {
	t.Helper()
	reg, err := escalares.Internas().Con(c.Escalares()...)
	if err != nil {
		t.Fatal(err)
	}
	n, err := algebra.LeerNodo([]byte(`["medida","x.y",["desde",["de","r","p"],["donde",`+expr+`]],["resumen","contar",1],["umbral","<=",0,""],["alcance","x"]]`), lim)
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, reg, lim)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(`{"r":[`)
	for i := range filas {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"x":` + string(algebra.AppendJSON(nil, algebra.NuevoEntero(int64(i)))) + `}`)
	}
	b.WriteString(`]}`)
	ev, err := algebra.LeerEvidencia([]byte(b.String()), lim, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	return algebra.Evaluar(context.Background(), m, ev, lim)
}

func TestEvaluar(t *testing.T) {
	c := debeAbrir(t, `
def lejos(h, de):
    d = h["x"] - de
    if d > 9000:
        fail("demasiado lejos")
    return d if d > 0 else -d

escalar("lejos", lejos)
`)
	const expr = `[">",["lejos",["hecho","p"],100],8000]`
	v, err := medir(t, c, expr, 9000, algebra.LimitesAlgebra{})
	if err != nil || v.Estado != algebra.Rojo || v.CantidadDeTestigos() != 899 {
		t.Fatalf("%+v %v", v, err)
	}
	// The steps of both sides count, they repeat, and the limit is exact.
	if nodos := int64(9000 * 4); v.Pasos <= nodos {
		t.Errorf("%d pasos: no cuenta los del intérprete", v.Pasos)
	}
	if w, err := medir(t, c, expr, 9000, algebra.LimitesAlgebra{PasosDeOperacion: v.Pasos}); err != nil || w.Pasos != v.Pasos {
		t.Errorf("con los pasos justos: %+v %v", w, err)
	}
	var lim *algebra.LimiteError
	if w, err := medir(t, c, expr, 9000, algebra.LimitesAlgebra{PasosDeOperacion: v.Pasos - 1}); !errors.As(err, &lim) || lim.Nombre != "pasos_de_operacion" {
		t.Errorf("con uno menos: %+v %v", w, err)
	}
	_, err = medir(t, c, expr, 10_000, algebra.LimitesAlgebra{})
	if want := `escalar: la escalar lejos({x}, 100): demasiado lejos (escalares.star:5:13)`; err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
