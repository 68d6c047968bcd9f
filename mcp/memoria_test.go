package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"

	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// TestServidorConMemoria: a call waits for what the ones before it may come to
// take, each of their evaluations and the text of their arguments.
func TestServidorConMemoria(t *testing.T) {
	const operacion, texto = 1000, 40 * len(`{}`)
	for _, c := range []struct {
		nombre      string
		simultaneas int
		techo       int64
		espera      bool
	}{
		{"room for one of each", 1, 2*operacion + 2*int64(texto), false},
		{"a byte short", 1, 2*operacion + 2*int64(texto) - 1, true},
		{"said to be none, and is one", 0, 2*operacion + 2*int64(texto) - 1, true},
		{"three evaluations at once", 3, 4*operacion + 2*int64(texto), false},
		{"three, and a byte short", 3, 4*operacion + 2*int64(texto) - 1, true},
		{"more than there is takes it all", 9, 2 * operacion, true},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seguir, segunda := make(chan struct{}), false
				s := mcp.ConMemoria(mcp.Servidor{Herramientas: []mcp.Herramienta{
					{Simultaneas: c.simultaneas, Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
						<-seguir
						return mcp.Resultado{}, nil
					}},
					{Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
						segunda = true
						return mcp.Resultado{}, nil
					}},
				}}, c.techo, operacion)
				llamar := func(i int, ctx context.Context) error {
					_, err := s.Herramientas[i].Llamar(ctx, json.RawMessage(`{}`), nil)
					return err
				}
				go llamar(0, t.Context())
				synctest.Wait()
				if c.espera {
					ctx, cancelar := context.WithCancel(t.Context())
					var err error
					go func() { err = llamar(1, ctx) }()
					synctest.Wait()
					cancelar()
					synctest.Wait()
					if !errors.Is(err, context.Canceled) || segunda {
						t.Errorf("cancelled while it waited: %v, ran: %v", err, segunda)
					}
				}
				go llamar(1, t.Context())
				synctest.Wait()
				if segunda == c.espera {
					t.Errorf("with the first running, the second ran: %v", segunda)
				}
				close(seguir)
				synctest.Wait()
				if !segunda {
					t.Error("the second never ran")
				}
			})
		})
	}
}
