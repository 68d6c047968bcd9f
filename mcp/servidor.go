package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
	"github.com/oracle-mcp/oracle-mcp/mcp/transporte"
)

// ErrSalidaSinApagado is how [Servidor.Servir] ends when the client sent exit
// without shutdown; the process must end with 1.
var ErrSalidaSinApagado = transporte.ErrSalidaSinApagado

// Servidor is what a process serves. It does not change once Servir is called.
type Servidor struct {
	// Nombre and Version are the server's identity.
	Nombre, Version string

	// Definiciones is the JSON array tools/list publishes, in its order, less the
	// tools that are not among Herramientas.
	Definiciones json.RawMessage

	// Validar checks a call's arguments against the tool's published schema; its
	// errors are sent as domain errors. Nil checks nothing.
	Validar func(herramienta string, args json.RawMessage) error

	// Herramientas are the tools served, in any order. Each needs a definition.
	Herramientas []Herramienta

	// Prompts are the prompts served. With none, prompts/* are unknown methods and
	// the capability is not announced.
	Prompts []Prompt

	// Concurrencia is how many calls run at once; 2 × cores by default.
	Concurrencia int
}

// Oracle returns the oracle's server: the contract's definitions and argument
// checks, with the given tools.
func Oracle(version string, herramientas ...Herramienta) Servidor {
	return Servidor{
		Nombre:       "oracle-mcp",
		Version:      version,
		Definiciones: contrato.Definiciones(),
		Validar:      contrato.Validar,
		Herramientas: herramientas,
	}
}

// esperaDeSesiones is how long the tools still running may take to notice that the
// process is ending, and let go of their children.
const esperaDeSesiones = 500 * time.Millisecond

// Servir serves in and out until one of them ends, the client says exit or ctx is
// done, as [transporte.Compuerta.Servir] says. registro receives the logs; out
// carries nothing but protocol. It returns nil when the process should end with 0,
// [ErrSalidaSinApagado] when with 1. A definition that is missing or malformed is
// an error before anything is read. A nil registro discards the logs.
func (s Servidor) Servir(ctx context.Context, in io.Reader, out io.Writer, registro *slog.Logger) error {
	if registro == nil {
		registro = slog.New(slog.DiscardHandler)
	}
	// Without this, the first write to a stdout nobody reads kills the process:
	// a signal, not an error, and the end would not be clean.
	rota := make(chan os.Signal, 1)
	signal.Notify(rota, syscall.SIGPIPE)
	defer signal.Stop(rota)
	a, err := s.armar(registro)
	if err != nil {
		return err
	}
	// The sessions end when the gate closes, not when ctx does: what is owed at
	// the end goes through them.
	var sesiones []*sdk.ServerSession
	for _, era := range []transporte.Era{transporte.Heredada, transporte.Moderna} {
		sesion, err := a.sdk.Connect(context.WithoutCancel(ctx), a.compuerta.Carril(era), nil)
		if err != nil {
			return fmt.Errorf("conectando el SDK: %w", err)
		}
		sesiones = append(sesiones, sesion)
	}
	err = a.compuerta.Servir(ctx, in, out)
	cerradas := make(chan struct{})
	go func() {
		defer close(cerradas)
		for _, sesion := range sesiones {
			_ = sesion.Wait() // ended by the gate; how is in err already
		}
	}()
	select {
	case <-cerradas:
	case <-time.After(esperaDeSesiones):
		registro.Warn("quedaron llamadas sin terminar al cerrar")
	}
	return err
}

// armado is a server put together for one run.
type armado struct {
	servidor  Servidor
	registro  *slog.Logger
	compuerta *transporte.Compuerta
	sdk       *sdk.Server
	lista     json.RawMessage // the "tools" array, compact
}

func (s Servidor) armar(registro *slog.Logger) (*armado, error) {
	lista, err := s.publicadas()
	if err != nil {
		return nil, err
	}
	a := &armado{servidor: s, registro: registro, lista: lista}
	cfg := transporte.Config{
		Herramienta: func(nombre string) bool {
			return slices.ContainsFunc(s.Herramientas, func(h Herramienta) bool { return h.Nombre == nombre })
		},
		Concurrencia: s.Concurrencia,
		Registro:     registro,
	}
	capacidades := &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}}
	if len(s.Prompts) > 0 {
		capacidades.Prompts = &sdk.PromptCapabilities{}
		cfg.Prompt = func(nombre string) bool {
			return slices.ContainsFunc(s.Prompts, func(p Prompt) bool { return p.Nombre == nombre })
		}
	}
	a.compuerta = transporte.New(cfg)
	a.sdk = sdk.NewServer(&sdk.Implementation{Name: s.Nombre, Version: s.Version}, &sdk.ServerOptions{
		Capabilities:              capacidades,
		Logger:                    slog.New(soloAvisos{registro.Handler()}),
		SupportedProtocolVersions: []string{transporte.VersionModerna, transporte.VersionHeredada},
	})
	for _, h := range s.Herramientas {
		a.sdk.AddTool(&sdk.Tool{Name: h.Nombre, InputSchema: json.RawMessage(`{"type":"object"}`)}, a.atender(h))
	}
	for _, p := range s.Prompts {
		a.sdk.AddPrompt(p.paraElSDK(), a.obtener(p))
	}
	a.sdk.AddReceivingMiddleware(a.forma)
	return a, nil
}

// publicadas returns the compact array of the definitions of the tools served.
func (s Servidor) publicadas() (json.RawMessage, error) {
	var todas []json.RawMessage
	if err := json.Unmarshal(s.Definiciones, &todas); err != nil {
		return nil, fmt.Errorf("definiciones de herramientas: %w", err)
	}
	b := bytes.NewBufferString("[")
	publicadas := 0
	for _, cruda := range todas {
		var d struct {
			Name string `json:"name"`
		}
		if err := json.Unmarshal(cruda, &d); err != nil {
			return nil, fmt.Errorf("definiciones de herramientas: %w", err)
		}
		if !slices.ContainsFunc(s.Herramientas, func(h Herramienta) bool { return h.Nombre == d.Name }) {
			continue
		}
		if publicadas++; publicadas > 1 {
			b.WriteByte(',')
		}
		if err := json.Compact(b, cruda); err != nil {
			return nil, fmt.Errorf("definiciones de herramientas: %w", err)
		}
	}
	if publicadas != len(s.Herramientas) {
		return nil, fmt.Errorf("hay %d herramientas y %d definiciones suyas", len(s.Herramientas), publicadas)
	}
	b.WriteByte(']')
	return b.Bytes(), nil
}

// soloAvisos lets warnings and errors through: the SDK tells at lower levels what
// every session does.
type soloAvisos struct{ slog.Handler }

func (h soloAvisos) Enabled(ctx context.Context, n slog.Level) bool {
	return n >= slog.LevelWarn && h.Handler.Enabled(ctx, n)
}

func (h soloAvisos) WithAttrs(as []slog.Attr) slog.Handler {
	return soloAvisos{h.Handler.WithAttrs(as)}
}

func (h soloAvisos) WithGroup(g string) slog.Handler { return soloAvisos{h.Handler.WithGroup(g)} }
