package transporte

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// Defaults of [Config] (transporte.md §2).
const (
	LineaMaxima    = 16 << 20
	ColaMaxima     = 64 << 20
	RetenidoMaximo = 64 << 20
	Gracia         = 2 * time.Second

	// costoDePedido is what a request takes besides its line: its entry, its
	// context, the goroutine the SDK gives it.
	costoDePedido = 4 << 10
)

// ErrSalidaSinApagado is how [Compuerta.Servir] ends when the client sent exit
// without shutdown: the process must end with 1 (transporte.md §3).
var ErrSalidaSinApagado = errors.New("exit sin shutdown")

// Config says what a gate lets through. Zero numbers mean the defaults.
type Config struct {
	// Herramienta reports whether a tool of that name is served.
	Herramienta func(nombre string) bool
	// Prompt reports whether a prompt of that name is served; nil if the server
	// has none, and then prompts/* are unknown methods.
	Prompt func(nombre string) bool
	// Concurrencia is how many tools/call run at once; 2 × cores by default.
	Concurrencia int
	// LineaMaxima, ColaMaxima and RetenidoMaximo bound, in bytes, one line in,
	// the answers not yet written and the requests not yet answered.
	LineaMaxima, ColaMaxima, RetenidoMaximo int
	// Colgo tells whether the client closed the input, even with lines left to read.
	// By default the input is asked, where the system lets it.
	Colgo func() bool
	// Gracia is how long each answer owed may take, once the input ended, since the
	// one before it: whoever closed the input may still be reading.
	Gracia time.Duration
	// Registro receives what a person should know. Nil discards it.
	Registro *slog.Logger
}

// Compuerta is one process's gate. Create it with [New], connect both lanes, then
// call Servir once.
type Compuerta struct {
	cfg      Config
	base     context.Context // parent of every request's context
	cortar   context.CancelFunc
	carriles [2]*carril

	mu     sync.Mutex
	cambio *sync.Cond // on mu; something below changed
	vuelo  vuelo
	cola   cola
	sesion sesion
	fin    fin
}

// sesion is the legacy era's life cycle.
type sesion struct{ iniciada, apagada bool }

// fin is how the gate ends, step by step.
type fin struct {
	sinEntrada bool        // nothing more will be read
	errEntrada error       // why, if it was not the end of input
	abandonada bool        // the time to answer after the end of input ran out
	reloj      *time.Timer // until then; each answer winds it again
	vigilia    *time.Timer // looks for a client that is gone while nothing is read
	errSalida  error       // a write failed
	cerrada    bool        // over
}

// New returns a gate. cfg.Herramienta is required.
func New(cfg Config) *Compuerta {
	porDefecto(&cfg.Concurrencia, 2*runtime.GOMAXPROCS(0))
	porDefecto(&cfg.LineaMaxima, LineaMaxima)
	porDefecto(&cfg.ColaMaxima, ColaMaxima)
	porDefecto(&cfg.RetenidoMaximo, RetenidoMaximo)
	porDefecto(&cfg.Gracia, Gracia)
	if cfg.Registro == nil {
		cfg.Registro = slog.New(slog.DiscardHandler)
	}
	c := &Compuerta{cfg: cfg, vuelo: vuelo{porID: map[string]*Pedido{}, internos: map[int64]*Pedido{}}}
	c.cambio = sync.NewCond(&c.mu)
	c.base, c.cortar = context.WithCancel(context.Background())
	c.carriles = [2]*carril{Heredada: {c: c}, Moderna: {c: c}}
	return c
}

func porDefecto[T int | time.Duration](v *T, d T) {
	if *v <= 0 {
		*v = d
	}
}

// Servir reads in and answers on out until the input ends, the client says exit,
// closes out, or ctx is done; what is owed at the end of the input is answered, as
// long as the next answer takes no more than Config.Gracia. It returns nil, [ErrSalidaSinApagado], ctx's error,
// in's, or out's when it was not the client who closed it. It does not wait for a
// blocked Read or Write of a stream: the caller is about to end the process.
func (c *Compuerta) Servir(ctx context.Context, in io.Reader, out io.Writer) error {
	defer context.AfterFunc(ctx, func() { c.anotar(func() { c.fin.cerrada = true }) })()
	if c.cfg.Colgo == nil {
		c.cfg.Colgo = colgo(in)
	}
	go c.leer(in)
	go c.escribir(out)

	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.fin.sinEntrada && !c.fin.abandonada && c.sigue() {
		c.cambio.Wait()
	}
	c.fin.reloj = time.AfterFunc(c.cfg.Gracia, func() { c.anotar(func() { c.fin.abandonada = true }) })
	defer c.fin.reloj.Stop()
	for c.debe() && !c.fin.abandonada && c.sigue() {
		c.cambio.Wait()
	}
	if n := len(c.vuelo.porID); n > 0 && c.fin.abandonada {
		c.cfg.Registro.Warn("la entrada se cerró con pedidos sin responder", "cantidad", n)
	}
	c.fin.cerrada = true
	c.cortar()
	c.cambio.Broadcast()
	switch err := ctx.Err(); {
	case err != nil:
		return err
	case c.fin.errSalida != nil && !cerroElCliente(c.fin.errSalida):
		return c.fin.errSalida
	}
	return c.fin.errEntrada
}

// vigilar watches while the gate does not read. A client that closed the input and
// takes no answer for a whole Gracia is gone, though its last lines were not read:
// without this it would be waited for without end.
func (c *Compuerta) vigilar(antes int) {
	c.fin.vigilia = time.AfterFunc(c.cfg.Gracia, func() {
		c.anotar(func() {
			switch {
			case c.fin.cerrada || !c.lleno():
			case c.cola.escritas == antes && c.cfg.Colgo():
				c.fin.abandonada = true
			default:
				c.vigilar(c.cola.escritas)
			}
		})
	})
}

// lleno reports whether what came in or what must go out is at its bound.
func (c *Compuerta) lleno() bool {
	return c.cola.bytes >= c.cfg.ColaMaxima || c.vuelo.retenido >= c.cfg.RetenidoMaximo
}

// cerroElCliente reports whether a failed write says that nobody reads any more,
// which is a client's way of leaving.
func cerroElCliente(err error) bool {
	return errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) || errors.Is(err, os.ErrClosed)
}

// anotar changes the shared state and wakes whoever waits for a change.
func (c *Compuerta) anotar(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	f()
	c.cambio.Broadcast()
}

func (c *Compuerta) sigue() bool { return !c.fin.cerrada && c.fin.errSalida == nil }

func (c *Compuerta) debe() bool {
	return len(c.vuelo.porID) > 0 || len(c.cola.lineas) > 0 || c.cola.escribiendo
}

// leer reads lines until there are no more or the client says exit.
func (c *Compuerta) leer(in io.Reader) {
	ls := newLineas(in, c.cfg.LineaMaxima)
	for c.hayLugar() {
		linea, err := ls.siguiente()
		switch {
		case errors.Is(err, errLineaLarga):
			c.anotar(func() {
				c.rechazar(nil, pedidoInvalido("línea de más de "+strconv.Itoa(c.cfg.LineaMaxima)+" bytes"))
			})
		case err != nil:
			c.anotar(func() {
				c.fin.sinEntrada = true
				if err != io.EOF {
					c.fin.errEntrada = err
				}
			})
			return
		default:
			s := abrir(linea)
			c.anotar(func() { c.atender(s, len(linea)) })
		}
	}
}

// hayLugar waits until one more line may be read. It reports false when reading is
// over.
func (c *Compuerta) hayLugar() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lleno() && c.cfg.Colgo != nil {
		c.vigilar(c.cola.escritas)
		defer func() { c.fin.vigilia.Stop() }()
	}
	for c.lleno() && c.sigue() && !c.fin.sinEntrada {
		c.cambio.Wait()
	}
	return c.sigue() && !c.fin.sinEntrada
}
