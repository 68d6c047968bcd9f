package host_test

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
)

// TestIgualConCualquierCantidadDeProcesadores asks the same with one processor,
// two and eight, with limits that stop some measures, one alone and many at once:
// the answer, or the error, has the same bytes.
func TestIgualConCualquierCantidadDeProcesadores(t *testing.T) {
	as := archivos{}
	for i := range 24 {
		id := fmt.Sprintf("d.m%02d", i)
		m := medidaSobre(id, fmt.Sprintf("r%d", i%4), "")
		if i%3 == 0 {
			m = strings.Replace(m, " f\n", fmt.Sprintf(" f\n    unir r%d g\n", (i+1)%4), 1)
		}
		as["catalogos/"+id+".oracle"] = m
	}
	for i := range 40 {
		as[fmt.Sprintf("corpus/%02d.caso", i)] = caso(fmt.Sprintf("c-%02d", i), fmt.Sprintf("d.m%02d", i%24), "falso_verde",
			"        r0: x\n            1\n        r1: x\n            2\n        r2: x\n            0\n        r3: x\n            1\n")
	}
	var ev strings.Builder
	ev.WriteString("{")
	for r := range 4 {
		if r > 0 {
			ev.WriteString(",")
		}
		fmt.Fprintf(&ev, `"r%d":[{"x":0}`, r)
		for k := range 300 {
			if r == 2 && k == 250 {
				ev.WriteString(`,{"x":"no es un número"}`)
			}
			fmt.Fprintf(&ev, `,{"x":%d,"n":%d.5}`, k%7, k)
		}
		ev.WriteString("]")
	}
	ev.WriteString("}")
	for nombre, lim := range map[string]algebra.LimitesAlgebra{
		"los de siempre":       {},
		"producto_cartesiano":  {ProductoCartesiano: 90_000},
		"pasos_de_operacion":   {PasosDeOperacion: 100_000},
		"pasos_de_llamada":     {PasosDeLlamada: 150_000},
		"memoria_de_operacion": {MemoriaDeOperacion: 1 << 20},
		"filas_por_relacion":   {FilasPorRelacion: 300},
	} {
		t.Run(nombre, func(t *testing.T) {
			p, _ := as.en(t, host.Opciones{Limites: lim})
			todo := func() string {
				var b strings.Builder
				for _, ids := range [][]string{nil, {"d.m00"}, {"d.m01"}, {"d.m02"}, {"d.m03", "d.m06"}} {
					r, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: ev.String(), IDs: ids})
					if err != nil {
						fmt.Fprintln(&b, err)
						continue
					}
					fmt.Fprintf(&b, "%s\n", r.AppendJSON(nil))
				}
				r, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
				if err != nil {
					fmt.Fprintln(&b, err)
					return b.String()
				}
				fmt.Fprintf(&b, "%s\n", r.AppendJSON(nil))
				return b.String()
			}
			antes := runtime.GOMAXPROCS(1)
			defer runtime.GOMAXPROCS(antes)
			primera := todo()
			for _, n := range []int{2, 8} {
				runtime.GOMAXPROCS(n)
				for range 3 {
					if d := cmp.Diff(primera, todo()); d != "" {
						t.Fatalf("GOMAXPROCS=%d:\n%s", n, d)
					}
				}
			}
		})
	}
}
