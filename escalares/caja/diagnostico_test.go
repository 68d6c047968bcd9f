package caja_test

import (
	"context"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

func TestDesdeAdentro(t *testing.T) {
	ps, err := caja.Diagnosticar(t.Context(), encierro)
	if err != nil {
		t.Fatal(err)
	}
	if len(ps) < 25 {
		t.Errorf("sólo probó %d cosas", len(ps))
	}
	abiertas := 0
	for _, p := range ps {
		if !p.Negada {
			abiertas++
		}
		if encierro == caja.EncierroExigido && !p.Negada {
			t.Errorf("pudo %s: %s", p.Que, p.Detalle)
		}
	}
	if encierro == caja.EncierroExigido {
		// The trials can tell: without confinement they get through.
		ps, err := caja.Diagnosticar(context.Background(), caja.EncierroApagado)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range ps {
			if !p.Negada {
				abiertas++
			}
		}
		if abiertas < 10 {
			t.Errorf("sin encierro sólo pudo %d cosas", abiertas)
		}
	}
}
