package host_test

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// grande is a project of so many measures and cases, each measure with as many
// cases as the next.
func grande(medidas, casos int) archivos {
	as := archivos{}
	for i := range medidas {
		as[fmt.Sprintf("catalogos/g%d/m%03d.oracle", i%10, i)] = medidaSobre(fmt.Sprintf("d.m%03d", i), "uno", "")
	}
	for i := range casos {
		filas := ""
		for k := range 8 {
			filas += fmt.Sprintf("            %d, \"f%d\", true\n", (i+k)%3, k)
		}
		as[fmt.Sprintf("corpus/g%d/c%04d.caso", i%10, i)] = caso(fmt.Sprintf("c-%04d", i), fmt.Sprintf("d.m%03d", i%medidas), "falso_verde", "        uno: x, nombre, ok\n"+filas)
	}
	return as
}

func BenchmarkIndice(b *testing.B) {
	p, _ := grande(200, 1000).en(b, host.Opciones{})
	for b.Loop() {
		if c := efectivo(b, p); c.Total != 200 {
			b.Fatal(c.Total)
		}
	}
}

func BenchmarkEvaluarPorTexto(b *testing.B) {
	p, _ := archivos{}.en(b, host.Opciones{})
	pedido := pedidoDeTexto(verdeSiVacia, `{"pieza":[{"x":1},{"x":2},{"x":3}]}`)
	for b.Loop() {
		if _, err := p.Evaluar(context.Background(), pedido); err != nil {
			b.Fatal(err)
		}
	}
}

// TestMemoriaPareja: a thousand calls leave no more alive than the first ones.
func TestMemoriaPareja(t *testing.T) {
	p, _ := grande(5, 10).en(t, host.Opciones{})
	pedido := pedidoDeID("d.m000", `{"uno":[{"x":1},{"x":2}]}`)
	viva := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	llamar := func(n int) {
		for i := range n {
			if _, err := p.Evaluar(context.Background(), pedido); err != nil {
				t.Fatal(err)
			}
			if i%5 != 0 {
				continue
			}
			if _, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	llamar(20)
	antes := viva()
	llamar(1000)
	if despues := viva(); despues > antes+2<<20 {
		t.Errorf("antes %d bytes vivos, después %d", antes, despues)
	}
}
