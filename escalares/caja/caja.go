package caja

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/estrella"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/hijo"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// TamanoMaximo is how many bytes escalares.star may have (escalares §2).
// Whoever reads the file stops there.
const TamanoMaximo = estrella.TamanoMaximo

// Procedencia is the provenance of the scalars a project declares.
const Procedencia = "escalares.star"

// palabraDeCaja is the first argument of a process that is a box.
const palabraDeCaja = "caja-de-escalares-interna"

// SiSoyCaja turns the process into a box, and never returns, when it was
// started to be one. Every binary that opens a [Caja] calls it first thing in
// main, and every test binary in TestMain.
func SiSoyCaja() {
	if len(os.Args) > 1 && os.Args[1] == palabraDeCaja {
		hijo.Correr(os.Args[2:])
	}
}

// Encierro says whether the kernel must confine a box. The zero value demands
// it.
type Encierro uint8

// A box that cannot be confined does not start, unless whoever started the
// server said «--encierro=no».
const (
	EncierroExigido Encierro = iota
	EncierroApagado
)

// Config is what an operation's box is made from.
type Config struct {
	Archivo    string   // the file's name in messages; "" is escalares.star
	Fuente     []byte   // its bytes
	Reservadas []string // names it may not declare: built-ins and words of the language
	Limites    algebra.LimitesAlgebra
	Encierro   Encierro
	Hijos      int       // children at once; 0 is one per core
	Salida     io.Writer // where what the file prints goes, a line each; nil discards it

	// Gracia is how long a box may go without answering beyond what its steps
	// explain; 0 is four seconds.
	Gracia time.Duration

	palabra string // the word that asks for a box; "" is palabraDeCaja
}

// ErrorDeCarga is an escalares.star that does not compile or declares wrongly.
// Linea and Columna count from one, the column in code points; 0 when the fault
// has no place.
type ErrorDeCarga struct {
	Archivo        string
	Linea, Columna int
	Motivo         string // in Spanish, without a final period
}

// Error returns the place and the reason.
func (e *ErrorDeCarga) Error() string {
	if e.Linea == 0 {
		return e.Archivo + ": " + e.Motivo
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Archivo, e.Linea, e.Columna, e.Motivo)
}

// Caja is a loaded escalares.star and the children that run it.
type Caja struct {
	cfg     Config
	lim     algebra.LimitesAlgebra
	ctx     context.Context
	cortar  func() bool // stops watching ctx
	cargar  []byte      // the message that loads the file
	externa []mensaje.Declaracion
	pasos   int64         // of the load
	lugares chan struct{} // one token for each child that may exist
	cria    *cria

	salida salida

	cierre  sync.Once
	cerrado chan struct{} // closed once nothing is left
	mu      sync.Mutex
	libres  []*proceso
	vivos   map[*proceso]struct{}
	cerrada bool
	pico    int64 // the most memory a child that ended took, in bytes
}

// errCerrada says that the box was used after it was closed.
var errCerrada = errors.New("la caja de escalares ya se cerró")

// Abrir starts a box and loads the file. The error is *[ErrorDeCarga],
// *[algebra.LimiteError] (pasos_de_carga, memoria_de_escalares),
// *[algebra.ErrorInterno] when the box cannot start or breaks, or the
// context's. The caller closes the box.
func Abrir(ctx context.Context, cfg Config) (*Caja, error) {
	if cfg.Archivo == "" {
		cfg.Archivo = "escalares.star"
	}
	if cfg.palabra == "" {
		cfg.palabra = palabraDeCaja
	}
	if cfg.Hijos <= 0 {
		cfg.Hijos = runtime.GOMAXPROCS(0)
	}
	if cfg.Gracia <= 0 {
		cfg.Gracia = 4 * time.Second
	}
	if len(cfg.Fuente) > TamanoMaximo {
		return nil, &ErrorDeCarga{Archivo: cfg.Archivo, Motivo: fmt.Sprintf("el archivo tiene %d bytes y puede tener %d", len(cfg.Fuente), TamanoMaximo)}
	}
	c := &Caja{
		cfg: cfg, lim: cfg.Limites.Completos(), ctx: ctx,
		lugares: make(chan struct{}, cfg.Hijos),
		cria:    nuevaCria(),
		cerrado: make(chan struct{}),
		vivos:   make(map[*proceso]struct{}),
		salida:  salida{w: cfg.Salida, archivo: cfg.Archivo},
	}
	var e mensaje.Escritor
	(&mensaje.Cargar{
		Archivo: cfg.Archivo, Fuente: cfg.Fuente, Reservadas: cfg.Reservadas,
		PasosDeCarga: uint64(c.lim.PasosDeCarga), PasosDeFila: uint64(c.lim.PasosDeEscalar),
		BitsDeEntero: c.lim.BitsDeEntero, TamanoDeValor: c.lim.TamanoDeValor,
	}).Codificar(&e)
	c.cargar = e.Bytes()
	c.cortar = context.AfterFunc(ctx, c.matar)

	p, err := c.tomar()
	if err != nil {
		c.Cerrar()
		return nil, err
	}
	c.devolver(p)
	return c, nil
}

// Cerrar ends every child and waits until they are gone and no call is using
// them. It may be called more than once.
func (c *Caja) Cerrar() {
	c.cierre.Do(func() {
		c.cortar()
		c.matar()
		// Holding every place means that nobody has, or will have, a child.
		for range cap(c.lugares) {
			c.lugares <- struct{}{}
		}
		c.mu.Lock()
		var ps []*proceso
		for p := range c.vivos {
			ps = append(ps, p)
		}
		c.mu.Unlock()
		for _, p := range ps {
			<-p.fin
		}
		close(c.cerrado)
		c.cria.cerrar()
	})
}

// matar ends every child without waiting.
func (c *Caja) matar() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cerrada = true
	for p := range c.vivos {
		p.matar()
	}
	c.libres = nil
}

// PasosDeCarga returns the interpreter's steps the load took.
func (c *Caja) PasosDeCarga() int64 { return c.pasos }

// MemoriaPico returns the most resident memory, in bytes, that a child which
// already ended took; 0 while none has.
func (c *Caja) MemoriaPico() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.pico
}

// tomar returns a child that has the file loaded, waiting for a place when
// there are as many as there may be. The caller gives it back with devolver or
// descartar.
func (c *Caja) tomar() (*proceso, error) {
	select {
	case c.lugares <- struct{}{}:
	case <-c.ctx.Done():
		return nil, c.ctx.Err()
	case <-c.cerrado:
		return nil, &algebra.ErrorInterno{Causa: errCerrada}
	}
	c.mu.Lock()
	if n := len(c.libres); n > 0 {
		p := c.libres[n-1]
		c.libres = c.libres[:n-1]
		c.mu.Unlock()
		return p, nil
	}
	c.mu.Unlock()
	p, err := c.nuevo()
	if err != nil {
		<-c.lugares
		if c.ctx.Err() != nil {
			err = c.ctx.Err()
		}
		return nil, err
	}
	return p, nil
}

// devolver leaves a child for the next call, or ends one that has worked long
// enough: its processor limit is for its whole life.
func (c *Caja) devolver(p *proceso) {
	if p.trabajo > vidaUtil {
		c.descartar(p)
		return
	}
	c.mu.Lock()
	if c.cerrada {
		c.mu.Unlock()
		c.descartar(p)
		return
	}
	c.libres = append(c.libres, p)
	c.mu.Unlock()
	<-c.lugares
}

// descartar ends a child and frees its place once it is gone.
func (c *Caja) descartar(p *proceso) {
	p.matar()
	<-p.fin
	<-c.lugares
}

// nuevo starts a child and loads the file in it.
func (c *Caja) nuevo() (*proceso, error) {
	p, err := c.arrancar()
	if err != nil {
		return nil, err
	}
	d, err := c.cargarEn(p)
	if err == nil && c.externa == nil {
		err = c.declarar(d)
	}
	if err != nil {
		p.matar()
		<-p.fin
		return nil, err
	}
	return p, nil
}

// arrancar starts a child and keeps count of it.
func (c *Caja) arrancar() (*proceso, error) {
	c.mu.Lock()
	if c.cerrada {
		c.mu.Unlock()
		if err := c.ctx.Err(); err != nil {
			return nil, err
		}
		return nil, &algebra.ErrorInterno{Causa: errCerrada}
	}
	p, err := iniciar(c.cria, c.cfg.palabra, c.cfg.Encierro, c.lim.MemoriaDeEscalares)
	if err != nil {
		c.mu.Unlock()
		return nil, &algebra.ErrorInterno{Causa: fmt.Errorf("la caja de escalares no arrancó: %w", err)}
	}
	c.vivos[p] = struct{}{}
	c.mu.Unlock()
	go func() {
		pico := p.esperar()
		c.mu.Lock()
		delete(c.vivos, p)
		c.pico = max(c.pico, pico)
		c.mu.Unlock()
		close(p.fin)
	}()
	return p, nil
}

// arranque is how long a child may take to confine itself: it has read nothing
// of anybody's yet.
const arranque = 10 * time.Second

// cargarEn loads the file in a child that was just started.
func (c *Caja) cargarEn(p *proceso) (*mensaje.Declarado, error) {
	const tope = 16 << 20
	tipo, cuerpo, err := p.recibir(arranque, tope, c.salida.escribir)
	if err != nil {
		return nil, c.muerte(p, err, algebra.LimitePasosDeCarga)
	}
	if tipo == mensaje.TipoFallo {
		f, err := mensaje.LeerFallo(cuerpo)
		if err != nil {
			return nil, &algebra.ErrorInterno{Causa: err}
		}
		return nil, &algebra.ErrorInterno{Causa: fmt.Errorf("la caja de escalares no se pudo encerrar: %s", algebra.Citar(f.Motivo))}
	}
	if tipo != mensaje.TipoListo || len(cuerpo) != 0 {
		return nil, &algebra.ErrorInterno{Causa: mensaje.ErrRoto}
	}
	err = p.mandar(arranque, mensaje.TipoCargar, c.cargar)
	if err == nil {
		tipo, cuerpo, err = p.recibir(c.plazo(c.lim.PasosDeCarga), tope, c.salida.escribir)
	}
	if err != nil {
		return nil, c.muerte(p, err, algebra.LimitePasosDeCarga)
	}
	switch tipo {
	case mensaje.TipoDeclarado:
		d, err := mensaje.LeerDeclarado(cuerpo)
		if err != nil {
			return nil, &algebra.ErrorInterno{Causa: err}
		}
		return d, nil
	case mensaje.TipoFallo:
		f, err := mensaje.LeerFallo(cuerpo)
		if err != nil {
			return nil, &algebra.ErrorInterno{Causa: err}
		}
		if f.Limite != "" {
			return nil, c.limite(f.Limite)
		}
		return nil, &ErrorDeCarga{Archivo: c.cfg.Archivo, Linea: f.Linea, Columna: f.Columna, Motivo: acotar(f.Motivo)}
	default:
		return nil, &algebra.ErrorInterno{Causa: mensaje.ErrRoto}
	}
}

// declarar keeps what the first child declared. A child that declares what the
// box should have rejected is broken.
func (c *Caja) declarar(d *mensaje.Declarado) error {
	vistas := make(map[string]bool)
	for _, r := range c.cfg.Reservadas {
		vistas[r] = true
	}
	for _, x := range d.Externas {
		if x.Nombre == "" || vistas[x.Nombre] || len(x.UnidadesArgumentos) > 0 && len(x.UnidadesArgumentos) != x.Max {
			return &algebra.ErrorInterno{Causa: fmt.Errorf("%w: declara mal «%s»", mensaje.ErrRoto, algebra.Citar(x.Nombre))}
		}
		vistas[x.Nombre] = true
	}
	c.externa = append([]mensaje.Declaracion{}, d.Externas...)
	c.pasos = int64(min(d.Pasos, uint64(c.lim.PasosDeCarga)))
	return nil
}

// plazo is how long a box may take to answer when that many steps explain it:
// a microsecond a step is far more than one takes on a busy machine.
func (c *Caja) plazo(pasos int64) time.Duration {
	const techo = time.Hour / time.Microsecond
	return c.cfg.Gracia + time.Duration(min(pasos, int64(techo)))*time.Microsecond
}

// limite returns the error of exceeding one of the limits a box minds. The
// count is always one more than the limit: where it stopped, not how far it
// would have gone.
func (c *Caja) limite(nombre string) error {
	var n int64
	switch nombre {
	case algebra.LimitePasosDeCarga:
		n = c.lim.PasosDeCarga
	case algebra.LimitePasosDeEscalar:
		n = c.lim.PasosDeEscalar
	case algebra.LimitePasosDeOperacion:
		n = c.lim.PasosDeOperacion
	case algebra.LimiteMemoriaDeEscalares:
		n = c.lim.MemoriaDeEscalares
	case algebra.LimiteTamanoDeValor:
		n = c.lim.TamanoDeValor
	case algebra.LimiteBitsDeEntero:
		n = c.lim.BitsDeEntero
	default:
		return &algebra.ErrorInterno{Causa: fmt.Errorf("%w: un límite «%s»", mensaje.ErrRoto, algebra.Citar(nombre))}
	}
	return &algebra.LimiteError{Nombre: nombre, Observado: n + 1, Limite: n}
}

// muerte says why a child stopped answering; pasos is the limit that taking
// too long means.
func (c *Caja) muerte(p *proceso, err error, pasos string) error {
	p.matar()
	<-p.fin
	if e := c.ctx.Err(); e != nil {
		return e
	}
	if errors.Is(err, mensaje.ErrRoto) {
		return &algebra.ErrorInterno{Causa: err}
	}
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded) || p.sinProcesador():
		return c.limite(pasos)
	case p.sinMemoria(c.lim.MemoriaDeEscalares):
		return c.limite(algebra.LimiteMemoriaDeEscalares)
	default:
		return &algebra.ErrorInterno{Causa: fmt.Errorf("la caja de escalares terminó sin responder (%s)", p.final()), Traza: p.quejas()}
	}
}
