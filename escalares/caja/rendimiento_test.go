package caja_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

// BenchmarkFila is what a row costs through the box: 100,000 rows of two
// floats in batches of 4,096, as an evaluation sends them.
func BenchmarkFila(b *testing.B) {
	c := debeAbrir(b, fuenteComun, func(cfg *caja.Config) { cfg.Hijos = 1 })
	const lote, filas = 4096, 100_000
	xs, ys := make([]float64, filas), make([]float64, filas)
	for i := range xs {
		xs[i], ys[i] = float64(i)/7, float64(i)/3
	}
	b.ResetTimer()
	for b.Loop() {
		for p := 0; p < filas; p += lote {
			h := min(filas, p+lote)
			r := c.Llamar("desvio", h-p, []*algebra.Columna{flotantes(xs[p:h]...), flotantes(ys[p:h]...)}, 0)
			if r.Error != nil {
				b.Fatal(r.Error)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*filas), "ns/fila")
}

// BenchmarkArranque is what an operation that needs a box pays to have one.
func BenchmarkArranque(b *testing.B) {
	for b.Loop() {
		c, err := abrir(b, fuenteComun)
		if err != nil {
			b.Fatal(err)
		}
		c.Cerrar()
	}
}
