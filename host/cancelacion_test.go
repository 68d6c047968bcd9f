package host_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// contado is a context that is cancelled the n-th time somebody asks it.
type contado struct {
	context.Context
	parar   context.CancelFunc
	quedan  atomic.Int64
	miradas atomic.Int64
}

func nuevoContado(n int64) *contado {
	c := &contado{}
	c.Context, c.parar = context.WithCancel(context.Background())
	c.quedan.Store(n)
	return c
}

func (c *contado) Err() error {
	c.miradas.Add(1)
	if c.quedan.Add(-1) < 0 {
		c.parar()
	}
	return c.Context.Err()
}

// TestCancelarEnCualquierPunto cancels a call at each of the points where it
// looks: it ends with the context's error, never with an answer or another
// error. And it looks at least once for each file.
func TestCancelarEnCualquierPunto(t *testing.T) {
	const casos = 40
	as := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", ""), "diferencial/x.json": grupos(frescura(t, "."))})
	for i := range casos {
		as[fmt.Sprintf("corpus/%02d.caso", i)] = caso(fmt.Sprintf("c-%02d", i), "d.a", "falso_verde", unaConX)
		as[fmt.Sprintf("catalogos/b%02d.oracle", i)] = medidaSobre(fmt.Sprintf("d.b%c%c", 'a'+i/26, 'a'+i%26), "uno", "")
	}
	p, _ := as.en(t, host.Opciones{Hilos: 1})
	for nombre, llamar := range map[string]func(context.Context) (any, error){
		"índice": func(ctx context.Context) (any, error) {
			r, err := p.CatalogoEfectivo(ctx, host.PedidoCatalogo{})
			return r != nil, err
		},
		"juicio": func(ctx context.Context) (any, error) {
			r, err := p.Juzgar(ctx, host.PedidoJuzgar{Evidencia: `{"uno":[{"x":1}]}`})
			return r != nil, err
		},
	} {
		t.Run(nombre, func(t *testing.T) {
			entero := nuevoContado(1 << 40)
			defer entero.parar()
			if _, err := llamar(entero); err != nil {
				t.Fatal(err)
			}
			total := entero.miradas.Load()
			if total < 2*casos {
				t.Errorf("looked %d times at its context", total)
			}
			for n := range total {
				c := nuevoContado(n)
				hay, err := llamar(c)
				c.parar()
				if hay.(bool) || !errors.Is(err, context.Canceled) {
					t.Fatalf("cancelled the %d-th time of %d: answered %v, %v", n+1, total, hay, err)
				}
			}
		})
	}
}
