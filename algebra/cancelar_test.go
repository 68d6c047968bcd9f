package algebra_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Cancelling is noticed within a batch, also when each of its rows takes as
// long as a whole batch of numbers. The bound is generous: what it catches is
// a batch of thousands of such rows run to its end.
func TestCancelarEntreTextosLargos(t *testing.T) {
	largo := strings.Repeat("a", 1<<20-1)
	e := debeLeer(t, fmt.Sprintf(`{"p":[{"t":"%s"}],"q":%s,"r":%s}`, largo,
		filas(200, func(i int) string { return fmt.Sprintf(`{"s":"%sb%d","k":%d}`, strings.Repeat("a", 40), i, i) }),
		filas(2_000, func(i int) string { return fmt.Sprintf(`{"n":%d}`, i) })))
	union := `["unir",["unir",["de","p","p"],["de","q","q"]],["de","r","r"]]`
	for nombre, m := range map[string]string{
		"contiene": medida(union+`,["donde",["contiene",["campo","p","t"],["campo","q","s"]]]`, `"contar",1`, `"<=",0`),
		"comparar": medida(union+`,["donde",["<",["mas",["campo","p","t"],"a"],["campo","p","t"]]]`, `"contar",1`, `"<=",0`),
		"clave":    medida(union+`,["agrupar",[["k",["campo","p","t"]],["n",["campo","r","n"]]],[]]`, `"contar",1`, `"<=",0`),
	} {
		t.Run(nombre, func(t *testing.T) {
			ctx, cancelar := context.WithCancel(context.Background())
			cancelado := make(chan time.Time, 1)
			time.AfterFunc(100*time.Millisecond, func() { cancelado <- time.Now(); cancelar() })
			_, err := algebra.Evaluar(ctx, debeCargar(t, m), e, algebra.LimitesAlgebra{MemoriaDeOperacion: 1 << 40, PasosDeOperacion: 1 << 50})
			if err == nil {
				return // a machine so fast that there was nothing to cancel
			}
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
			if tardo := time.Since(<-cancelado); tardo > 2*time.Second {
				t.Errorf("took %v to stop", tardo)
			}
		})
	}
}
