package transporte

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
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
	// Gracia is how long what is owed may take once the input ended.
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

	enVuelo  map[string]*Pedido // by what identifies the client's id
	internos map[int64]*Pedido  // by private id, until the SDK answers
	ultimo   int64              // last private id
	retenido int                // bytes of the requests not yet answered
	turnos   int                // tools/call running
	espera   []*Pedido          // tools/call waiting their turn, first come first served

	cola        []salida
	encolado    int // bytes in cola
	escribiendo bool
	escritas    int // lines written
	vigilia     *time.Timer

	iniciada, apagada bool  // the legacy session: initialize, shutdown
	sinEntrada        bool  // nothing more will be read
	abandonada        bool  // the time to answer after the end of input ran out
	errEntrada        error // why nothing more is read, if it was not the end
	errSalida         error
	cerrada           bool
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
	c := &Compuerta{cfg: cfg, enVuelo: map[string]*Pedido{}, internos: map[int64]*Pedido{}}
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
// closes out, or ctx is done; what is owed at the end of the input is answered,
// for at most Config.Gracia. It returns nil, [ErrSalidaSinApagado], ctx's error,
// in's, or out's when it was not the client who closed it. It does not wait for a blocked Read or Write of a stream: the caller is
// about to end the process.
func (c *Compuerta) Servir(ctx context.Context, in io.Reader, out io.Writer) error {
	defer context.AfterFunc(ctx, func() { c.anotar(func() { c.cerrada = true }) })()
	if c.cfg.Colgo == nil {
		c.cfg.Colgo = colgo(in)
	}
	go c.leer(in)
	go c.escribir(out)

	c.mu.Lock()
	defer c.mu.Unlock()
	for !c.sinEntrada && !c.abandonada && c.sigue() {
		c.cambio.Wait()
	}
	reloj := time.AfterFunc(c.cfg.Gracia, func() { c.anotar(func() { c.abandonada = true }) })
	defer reloj.Stop()
	for c.debe() && !c.abandonada && c.sigue() {
		c.cambio.Wait()
	}
	if n := len(c.enVuelo); n > 0 && c.abandonada {
		c.cfg.Registro.Warn("la entrada se cerró con pedidos sin responder", "cantidad", n)
	}
	c.cerrada = true
	c.cortar()
	c.cambio.Broadcast()
	switch err := ctx.Err(); {
	case err != nil:
		return err
	case c.errSalida != nil && !cerroElCliente(c.errSalida):
		return c.errSalida
	}
	return c.errEntrada
}

// vigilar watches while the gate does not read. A client that closed the input and
// takes no answer for a whole Gracia is gone, though its last lines were not read:
// without this it would be waited for without end.
func (c *Compuerta) vigilar(antes int) {
	c.vigilia = time.AfterFunc(c.cfg.Gracia, func() {
		c.anotar(func() {
			switch {
			case c.cerrada || !c.lleno():
			case c.escritas == antes && c.cfg.Colgo():
				c.abandonada = true
			default:
				c.vigilar(c.escritas)
			}
		})
	})
}

// lleno reports whether what came in or what must go out is at its bound.
func (c *Compuerta) lleno() bool {
	return c.encolado >= c.cfg.ColaMaxima || c.retenido >= c.cfg.RetenidoMaximo
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

func (c *Compuerta) sigue() bool { return !c.cerrada && c.errSalida == nil }

func (c *Compuerta) debe() bool {
	return len(c.enVuelo) > 0 || len(c.cola) > 0 || c.escribiendo
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
				c.sinEntrada = true
				if err != io.EOF {
					c.errEntrada = err
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
		c.vigilar(c.escritas)
		defer func() { c.vigilia.Stop() }()
	}
	for c.lleno() && c.sigue() && !c.sinEntrada {
		c.cambio.Wait()
	}
	return c.sigue() && !c.sinEntrada
}

// atender acts on one line. Called with mu held.
func (c *Compuerta) atender(s sobre, bytes int) {
	switch s.especie {
	case especieNotificacion:
		c.notificacion(s)
	case especieInvalida:
		c.rechazar(nil, s.falla)
	case especiePedido:
		clave := claveDeID(s.id)
		if c.enVuelo[clave] != nil {
			if s.falla == nil {
				s.falla = pedidoInvalido("id repetido en vuelo: " + crudo.CitaJSON(s.id))
			}
			c.rechazar(nil, s.falla)
			return
		}
		if s.falla == nil {
			s.falla = c.admitir(s, clave, bytes)
		}
		if s.falla != nil {
			c.rechazar(s.id, s.falla)
		}
	}
}

// notificacion obeys the two that mean something here.
func (c *Compuerta) notificacion(s sobre) {
	switch s.metodo {
	case avisoSalir:
		c.sinEntrada = true
		if !c.apagada {
			c.errEntrada = ErrSalidaSinApagado
		}
	case avisoCancelar:
		id, _ := buscar(s.params, claveIDDePedido)
		if t := crudo.Tipo(id); t == '"' || t == '0' {
			c.cancelar(claveDeID(id))
		}
	}
}

// cancelar takes a request out of flight. initialize cannot be cancelled: the
// protocol forbids a client to try.
func (c *Compuerta) cancelar(clave string) {
	p := c.enVuelo[clave]
	if p == nil || p.metodo == metodoInicializar {
		return
	}
	p.cancelado = true
	p.cancelar()
	delete(c.enVuelo, clave)
	for i, q := range c.espera {
		if q == p { // it never got to the SDK: nobody else will let go of it
			c.espera = append(c.espera[:i], c.espera[i+1:]...)
			delete(c.internos, p.interno)
			c.soltar(p)
			return
		}
	}
}

// admitir checks a well-formed request against its era and lets it through, or
// says what is wrong with it.
func (c *Compuerta) admitir(s sobre, clave string, bytes int) *falla {
	m, f := leerMeta(s)
	if m.era == Heredada && c.apagada {
		return pedidoInvalido("el servidor ya recibió shutdown")
	}
	if f != nil {
		return f
	}
	if !c.conoce(m.era, s.metodo) {
		return &falla{codigo: codigoMetodo, mensaje: "método no soportado: " + crudo.Cita(s.metodo)}
	}
	p := &Pedido{Era: m.era, token: m.token, id: s.id, clave: clave, metodo: s.metodo}
	if m.era == Heredada {
		if f := c.avanzarSesion(s.metodo); f != nil {
			return f
		}
	}
	switch s.metodo {
	case metodoLlamar:
		f = leerLlamada(p, s, c.cfg.Herramienta)
	case metodoPrompt:
		f = leerPrompt(p, s, c.cfg.Prompt)
	}
	if f != nil {
		return f
	}
	if s.metodo == metodoApagar {
		c.encolar(salida{linea: lineaDeResultado(s.id, []byte("null"))})
		return nil
	}
	c.dejarPasar(p, bytes)
	return nil
}

// conoce reports whether an era has a method.
func (c *Compuerta) conoce(e Era, metodo string) bool {
	switch metodo {
	case metodoListar, metodoLlamar:
		return true
	case metodoPrompts, metodoPrompt:
		return c.cfg.Prompt != nil
	case metodoDescubrir:
		return e == Moderna
	case metodoInicializar, metodoPing, metodoApagar:
		return e == Heredada
	}
	return false
}

// avanzarSesion moves the legacy session, or says why a request is out of place.
func (c *Compuerta) avanzarSesion(metodo string) *falla {
	switch {
	case metodo == metodoInicializar && c.iniciada:
		return pedidoInvalido("initialize ya se había recibido")
	case metodo == metodoInicializar:
		c.iniciada = true
	case metodo == metodoApagar:
		c.apagada = true
	case !c.iniciada && (strings.HasPrefix(metodo, metodosDeHerram) || strings.HasPrefix(metodo, metodosDePrompts)):
		return pedidoInvalido(metodo + " antes de initialize")
	}
	return nil
}

// leerLlamada reads the envelope of a tools/call into p.
func leerLlamada(p *Pedido, s sobre, servida func(string) bool) *falla {
	invalida := func(detalle string) *falla {
		return &falla{codigo: codigoParametros, mensaje: metodoLlamar + " inválido: " + detalle}
	}
	if !s.conPar {
		return invalida("falta el objeto params")
	}
	nombre, veces := buscar(s.params, claveNombre)
	texto, textual := crudo.Texto(nombre)
	argumentos, k := buscar(s.params, claveArgumentos)
	switch {
	case veces == 0:
		return invalida("falta name")
	case veces > 1:
		return invalida("clave repetida: name")
	case !textual:
		return invalida("name no es un texto")
	case k > 1:
		return invalida("clave repetida: arguments")
	case k == 1 && crudo.Tipo(argumentos) != '{':
		return invalida("arguments no es un objeto")
	case !servida(texto):
		return invalida("herramienta desconocida: " + crudo.Cita(texto))
	case k == 0:
		argumentos = json.RawMessage(argumentosOmitidos)
	}
	p.Nombre, p.Argumentos = texto, argumentos
	return nil
}

// dejarPasar puts a request in flight and on its lane, or in line for its turn.
func (c *Compuerta) dejarPasar(p *Pedido, bytes int) {
	c.ultimo++
	p.interno = c.ultimo
	p.ctx, p.cancelar = context.WithCancel(c.base)
	p.peso = bytes + costoDePedido
	c.retenido += p.peso
	c.enVuelo[p.clave] = p
	c.internos[p.interno] = p
	if p.metodo != metodoLlamar {
		c.alSDK(p)
		return
	}
	c.espera = append(c.espera, p)
	c.repartirTurnos()
}

func (c *Compuerta) repartirTurnos() {
	for len(c.espera) > 0 && c.turnos < c.cfg.Concurrencia {
		p := c.espera[0]
		c.espera = c.espera[1:]
		c.turnos++
		p.conTurno = true
		c.alSDK(p)
	}
}

func (c *Compuerta) alSDK(p *Pedido) {
	id, err := jsonrpc.MakeID(float64(p.interno))
	if err != nil {
		panic("transporte: a number is not an id for the SDK: " + err.Error())
	}
	l := c.carriles[p.Era]
	l.entrada = append(l.entrada, &jsonrpc.Request{ID: id, Method: p.metodo, Params: p.paraElSDK()})
	c.cambio.Broadcast()
}

// soltar gives back what a request held while it was not answered.
func (c *Compuerta) soltar(p *Pedido) {
	c.retenido -= p.peso
	p.peso = 0
	if p.conTurno {
		p.conTurno = false
		c.turnos--
		c.repartirTurnos()
	}
	c.cambio.Broadcast()
}

// retirar takes an answered request out of flight.
func (c *Compuerta) retirar(p *Pedido) { delete(c.enVuelo, p.clave) }

// rechazar answers an error; a nil id is null.
func (c *Compuerta) rechazar(id json.RawMessage, f *falla) {
	c.encolar(salida{linea: lineaDeError(id, f)})
}

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }
