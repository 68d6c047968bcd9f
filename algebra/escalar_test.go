package algebra_test

import (
	"context"
	"errors"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
)

// cara is a project's scalar that spends so many steps for each row.
func cara(pasos int64) *algebra.Escalar {
	return &algebra.Escalar{Nombre: "cara", Min: 1, Max: 1, Procedencia: "proyecto",
		Aplicar: func(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
			d := l.Columna(algebra.ClaseEnteros)
			for i := range d.Enteros {
				if !l.GastarPasos(i, pasos) {
					break
				}
				d.Enteros[i] = int64(i)
			}
			return d
		}}
}

// The steps a project's scalar spends are of the same budget as the nodes, at
// the limit and one past it.
func TestPasosDeUnaEscalar(t *testing.T) {
	r, err := escalares.Internas().Con(cara(10))
	if err != nil {
		t.Fatal(err)
	}
	n, err := algebra.LeerNodo([]byte(medida(dePP+`,["donde",["<",["cara",["campo","p","n"]],2]]`, `"contar",1`, `"<=",0`)), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, r, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	e := debeLeer(t, `{"p":[{"n":1},{"n":2},{"n":3}]}`)
	const justo = 3*4 + 3*10
	v, err := algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: justo})
	if err != nil || v.Pasos != justo {
		t.Fatalf("got %v, %v", v, err)
	}
	for pasos := int64(1); pasos < justo; pasos++ {
		gasto := int64(0)
		_, err = algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: pasos}, algebra.Opciones{Gasto: func(n int64) { gasto = n }})
		var l *algebra.LimiteError
		if !errors.As(err, &l) || l.Nombre != algebra.LimitePasosDeOperacion || l.Limite != pasos || gasto > pasos {
			t.Fatalf("at %d: %v, spent %d", pasos, err, gasto)
		}
	}
}
