package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// entornoDePrueba makes the test binary behave as a server with the tools below:
// what they do to the wire, no real tool does on purpose. Its value is the number
// of calls at once, 0 for the default.
const entornoDePrueba = "MCP_SERVIDOR_DE_PRUEBA"

func TestMain(m *testing.M) {
	caja.SiSoyCaja()
	if turnos, ok := os.LookupEnv(entornoDePrueba); ok {
		os.Exit(servirPrueba(turnos))
	}
	os.Exit(m.Run())
}

func servirPrueba(turnos string) int {
	s := servidorDePrueba()
	s.Concurrencia, _ = strconv.Atoi(turnos)
	registro := slog.New(slog.NewTextHandler(os.Stderr, nil))
	switch err := s.Servir(context.Background(), os.Stdin, os.Stdout, registro); {
	case err == nil:
		return 0
	case errors.Is(err, mcp.ErrSalidaSinApagado):
		return 1
	default:
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
}

// servidorDePrueba serves tools that echo, fail, panic, wait and report progress.
func servidorDePrueba() mcp.Servidor {
	var b barrera
	herramientas := []mcp.Herramienta{
		{Nombre: "eco", Llamar: func(_ context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{Estructurado: json.RawMessage(`{"eco":` + string(args) + `}`)}, nil
		}},
		{Nombre: "texto", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{Texto: "<a> & \u2028\n"}, nil
		}},
		{Nombre: "espera", Llamar: func(ctx context.Context, _ json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
			return b.esperar(ctx)
		}},
		{Nombre: "suelta", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			b.soltar()
			return mcp.Resultado{Estructurado: json.RawMessage(`{}`)}, nil
		}},
		{Nombre: "avanza", Llamar: func(_ context.Context, _ json.RawMessage, avance mcp.Avance) (mcp.Resultado, error) {
			for _, hechos := range []int{1, 3, 2, 3} {
				avance(hechos, 3)
			}
			return mcp.Resultado{Estructurado: json.RawMessage(`{}`)}, nil
		}},
		{Nombre: "panico", Llamar: func(_ context.Context, args json.RawMessage, _ mcp.Avance) (mcp.Resultado, error) {
			var ninguno []int
			return mcp.Resultado{Texto: strconv.Itoa(ninguno[len(args)])}, nil
		}},
		{Nombre: "falla", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{}, errors.New("sin código")
		}},
		{Nombre: "dominio", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{}, fmt.Errorf("envuelto: %w", errorDePrueba("PROYECTO_INVALIDO — /x: un motivo.\ncampo: /x\ncorrección: ninguna."))
		}},
		{Nombre: "lista", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{Estructurado: json.RawMessage(`[]`)}, nil
		}},
		{Nombre: "rota", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{Estructurado: json.RawMessage(`{"a":`)}, nil
		}},
	}
	var ds []string
	for _, h := range herramientas {
		ds = append(ds, fmt.Sprintf(`{"name": %q, "inputSchema": {"type": "object"}}`, h.Nombre))
	}
	return mcp.Servidor{
		Nombre:       "prueba",
		Version:      "1",
		Definiciones: json.RawMessage("[" + strings.Join(ds, ",\n") + "]"),
		Herramientas: herramientas,
	}
}

type errorDePrueba string

func (e errorDePrueba) Error() string { return string(e) }
func (e errorDePrueba) Codigo() string {
	codigo, _, _ := strings.Cut(string(e), " ")
	return codigo
}

// barrera holds the calls to espera until suelta is called, which lets go of those
// that wait and of one more for each call that found nobody waiting.
type barrera struct {
	mu      sync.Mutex
	esperan []chan struct{}
	sueltos int
}

func (b *barrera) esperar(ctx context.Context) (mcp.Resultado, error) {
	b.mu.Lock()
	if b.sueltos > 0 {
		b.sueltos--
		b.mu.Unlock()
		return mcp.Resultado{Estructurado: json.RawMessage(`{}`)}, nil
	}
	mia := make(chan struct{})
	b.esperan = append(b.esperan, mia)
	b.mu.Unlock()
	select {
	case <-mia:
		return mcp.Resultado{Estructurado: json.RawMessage(`{}`)}, nil
	case <-ctx.Done():
		return mcp.Resultado{}, ctx.Err()
	}
}

func (b *barrera) soltar() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.esperan) == 0 {
		b.sueltos++
	}
	for _, c := range b.esperan {
		close(c)
	}
	b.esperan = nil
}
