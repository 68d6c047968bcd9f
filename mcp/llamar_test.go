package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// A tool does not lean on its server having looked at the arguments: called
// without one, it rejects what the schema does not let in.
func TestServidorNoHaceFaltaParaRechazar(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := host.Abrir(dir, host.Opciones{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, h := range []mcp.Herramienta{mcp.CatalogoEfectivo(p), mcp.Evaluar(p), mcp.Desafiar(p), mcp.Juzgar(p)} {
		for _, args := range []string{`{"otra":1}`, `[]`, `{"ids":[],"ids":[]}`} {
			r, err := h.Llamar(t.Context(), json.RawMessage(args), nil)
			if err == nil || !strings.HasPrefix(err.Error(), "ARGUMENTOS_INVALIDOS — $") || r.Estructurado != nil {
				t.Errorf("%s %s: %v %s", h.Nombre, args, err, r.Estructurado)
			}
		}
	}
}

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

// A call cancelled at any of the points where it looks ends with that and
// nothing else.
func TestServidorCancelaEnCualquierPunto(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"a", "b", "c"} {
		texto := "medida d." + id + ":\n    de fila f\n    resumen contar(1)\n    umbral <= 0 segun contrato porque \"x\"\n    alcance \"y\"\n"
		if err := os.WriteFile(filepath.Join(dir, "catalogos", id+".oracle"), []byte(texto), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := host.Abrir(dir, host.Opciones{Hilos: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, c := range []struct {
		h    mcp.Herramienta
		args string
	}{{mcp.CatalogoEfectivo(p), `{}`}, {mcp.Juzgar(p), `{"evidencia":{"fila":[{"n":1}]}}`}} {
		llamar := func(n int64) (*contado, json.RawMessage, error) {
			ctx := nuevoContado(n)
			defer ctx.parar()
			r, err := c.h.Llamar(ctx, json.RawMessage(c.args), func(int, int) {})
			return ctx, r.Estructurado, err
		}
		entero, _, err := llamar(1 << 40)
		if err != nil {
			t.Fatal(err)
		}
		for n := range entero.miradas.Load() {
			if _, r, err := llamar(n); r != nil || !errors.Is(err, context.Canceled) {
				t.Errorf("%s cancelled at %d: %s, %v", c.h.Nombre, n, r, err)
			}
		}
	}
}
