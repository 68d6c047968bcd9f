//go:build linux && !race

package caja_test

import (
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/fixtures/procesador"
)

// TestCostoPorFila: 100,000 rows cost at most 1.2 µs each, of the processor of
// both sides together: by the wall it depends on who else is using the machine.
func TestCostoPorFila(t *testing.T) {
	const filas, lote, tope = 100_000, 4096, 1200 * time.Nanosecond
	c := debeAbrir(t, fuenteComun, func(cfg *caja.Config) { cfg.Hijos = 1 })
	xs, ys := make([]float64, filas), make([]float64, filas)
	for i := range xs {
		xs[i], ys[i] = float64(i)/7, float64(i)/3
	}
	mejor := time.Hour
	for range 10 {
		antes := procesador.Usado() + c.Procesador()
		for p := 0; p < filas; p += lote {
			h := min(filas, p+lote)
			if r := c.Llamar("desvio", h-p, []*algebra.Columna{flotantes(xs[p:h]...), flotantes(ys[p:h]...)}, 0); r.Error != nil {
				t.Fatal(r.Error)
			}
		}
		mejor = min(mejor, procesador.Usado()+c.Procesador()-antes)
	}
	t.Logf("%v por fila", mejor/filas)
	if mejor/filas > tope {
		t.Errorf("%v por fila; puede costar %v", mejor/filas, tope)
	}
}
