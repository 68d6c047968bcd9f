package hijo

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/estrella"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/nucleo"
)

// Limits of the box that do not come from LimitesAlgebra.
const (
	pilaMaxima    = 64 << 20
	impresoMaximo = 64 << 10 // bytes one box prints in all
	impresoUno    = 4 << 10  // bytes one print writes
)

// Encierro is the argument that says whether the kernel must confine the box.
const (
	Encerrada = "encerrada"
	Suelta    = "suelta"
)

// Argumentos returns what the command line of a box carries after the word
// that asks for one. memoria is in bytes and cpu in seconds.
func Argumentos(memoria int64, cpu uint64, encierro string) []string {
	return []string{strconv.FormatInt(memoria, 10), strconv.FormatUint(cpu, 10), encierro}
}

// Exit statuses of a box, for whoever watches it.
const (
	salidaBien   = 0
	salidaLimite = 3 // it could not confine itself
	salidaRota   = 4 // it was sent something that is not the protocol
)

// Correr confines the process as args say and serves the box on descriptors 0
// and 1 until 0 closes. It never returns.
func Correr(args []string) {
	h := &hijo{salida: descriptor(1)}
	if err := h.encerrar(args); err != nil {
		var e mensaje.Escritor
		(&mensaje.Fallo{Motivo: err.Error()}).Codificar(&e)
		_ = mensaje.Escribir(h.salida, mensaje.TipoFallo, e.Bytes())
		os.Exit(salidaLimite)
	}
	if err := mensaje.Escribir(h.salida, mensaje.TipoListo, nil); err != nil {
		os.Exit(salidaRota)
	}
	for t := range entradas(descriptor(0), h.tope) {
		if err := h.atender(t.tipo, t.cuerpo); err != nil {
			os.Exit(salidaRota)
		}
	}
	os.Exit(salidaBien)
}

// encerrar gives up, in order, memory, processor, files, and every other call
// to the kernel.
func (h *hijo) encerrar(args []string) error {
	if len(args) != 3 || (args[2] != Encerrada && args[2] != Suelta) {
		return errors.New("argumentos de la caja mal formados")
	}
	memoria, err1 := strconv.ParseInt(args[0], 10, 64)
	cpu, err2 := strconv.ParseUint(args[1], 10, 64)
	if err1 != nil || err2 != nil || memoria <= 0 || cpu == 0 {
		return errors.New("argumentos de la caja mal formados")
	}
	h.tope = int(min(memoria, math.MaxInt32))
	// The pipes may come as the parent uses them, without blocking.
	for fd := range 3 {
		if err := syscall.SetNonblock(fd, false); err != nil {
			return fmt.Errorf("la tubería %d: %w", fd, err)
		}
	}
	runtime.GOMAXPROCS(2) // one for the interpreter, one for the collector and the pipe
	// Each row leaves a little to collect; with the memory limit that follows,
	// collecting less often only costs memory there is.
	debug.SetGCPercent(800)
	if err := nucleo.Acotar(nucleo.Limites{Pila: pilaMaxima, Memoria: memoria, CPU: cpu}); err != nil {
		return err
	}
	if args[2] == Suelta {
		return nil
	}
	if err := nucleo.EncerrarRutas(nucleo.Rutas{}); err != nil {
		return err
	}
	return nucleo.Filtrar(nucleo.LlamadasDeCaja(), false, nucleo.SoloHilos)
}

// descriptor reads and writes a blocking descriptor without the runtime's
// poller.
type descriptor int

// Read implements [io.Reader].
func (d descriptor) Read(b []byte) (int, error) {
	for {
		n, err := syscall.Read(int(d), b)
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return 0, err
		case n == 0 && len(b) > 0:
			return 0, io.EOF
		default:
			return n, nil
		}
	}
}

// Write implements [io.Writer].
func (d descriptor) Write(b []byte) (int, error) {
	hecho := 0
	for hecho < len(b) {
		n, err := syscall.Write(int(d), b[hecho:])
		if err == syscall.EINTR {
			continue
		}
		if err != nil {
			return hecho, err
		}
		hecho += n
	}
	return hecho, nil
}

// trama is a frame received.
type trama struct {
	tipo   mensaje.Tipo
	cuerpo []byte
}

// entradas reads frames in another goroutine, which is always waiting on the
// pipe: when whoever started the box goes away, even in the middle of a call
// that never ends, the process ends.
func entradas(r io.Reader, tope int) <-chan trama {
	c := make(chan trama)
	go func() {
		for {
			tipo, cuerpo, err := mensaje.Leer(r, tope, nil)
			switch {
			case err == io.EOF:
				os.Exit(salidaBien)
			case err != nil:
				os.Exit(salidaRota)
			}
			c <- trama{tipo, cuerpo}
		}
	}()
	return c
}

// hijo is the state of a box.
type hijo struct {
	salida   io.Writer
	e        mensaje.Escritor
	tope     int // bytes of a message it may be sent: its whole memory
	impreso  int // bytes printed so far
	cargar   *mensaje.Cargar
	programa *estrella.Programa
	hilo     *estrella.Hilo
	lote     lote
}

// atender answers one frame. An error means that the conversation is broken.
func (h *hijo) atender(tipo mensaje.Tipo, cuerpo []byte) error {
	switch tipo {
	case mensaje.TipoCargar:
		return h.atenderCarga(cuerpo)
	case mensaje.TipoLlamar:
		return h.atenderLlamada(cuerpo)
	case mensaje.TipoProbar:
		return h.atenderPrueba()
	default:
		return mensaje.ErrRoto
	}
}

// responder sends what is in the buffer.
func (h *hijo) responder(tipo mensaje.Tipo) error {
	return mensaje.Escribir(h.salida, tipo, h.e.Bytes())
}

func (h *hijo) atenderCarga(cuerpo []byte) error {
	m, err := mensaje.LeerCargar(cuerpo)
	if err != nil || h.programa != nil || m.PasosDeCarga == 0 || m.PasosDeFila == 0 {
		return mensaje.ErrRoto
	}
	p, err := estrella.Cargar(m.Fuente, estrella.Opciones{
		Archivo: m.Archivo, Reservadas: m.Reservadas,
		PasosDeCarga: m.PasosDeCarga, PasosDeFila: m.PasosDeFila,
		Imprimir: h.imprimir,
	})
	h.e.Reiniciar()
	if err != nil {
		fallo(err, "pasos_de_carga").Codificar(&h.e)
		return h.responder(mensaje.TipoFallo)
	}
	h.cargar, h.programa, h.hilo = m, p, p.NuevoHilo()
	d := mensaje.Declarado{Pasos: p.Pasos()}
	for _, x := range p.Declaraciones() {
		d.Externas = append(d.Externas, mensaje.Declaracion{
			Nombre: x.Nombre, Min: x.Min, Max: x.Max,
			Unidad: x.Unidad, UnidadesArgumentos: x.UnidadesArgumentos,
		})
	}
	d.Codificar(&h.e)
	return h.responder(mensaje.TipoDeclarado)
}

// fallo turns an error of the interpreter into what the wire carries; limite
// is the limit that running out of steps means.
func fallo(err error, limite string) *mensaje.Fallo {
	var e *estrella.Error
	switch {
	case errors.Is(err, estrella.ErrPasos):
		return &mensaje.Fallo{Limite: limite}
	case errors.As(err, &e):
		return &mensaje.Fallo{Motivo: e.Motivo, Linea: e.Linea, Columna: e.Columna}
	default:
		return &mensaje.Fallo{Motivo: err.Error()}
	}
}

// imprimir sends what the file prints, up to a bound; past it, nothing more is
// said.
func (h *hijo) imprimir(texto string) {
	if h.impreso >= impresoMaximo {
		return
	}
	n := min(len(texto), impresoUno, impresoMaximo-h.impreso)
	for n > 0 && n < len(texto) && !utf8.RuneStart(texto[n]) {
		n--
	}
	h.impreso += n + 1
	var e mensaje.Escritor
	e.Texto(validar(texto[:n]))
	_ = mensaje.Escribir(h.salida, mensaje.TipoImpreso, e.Bytes())
}

func (h *hijo) atenderPrueba() error {
	h.e.Reiniciar()
	ps := nucleo.Probar("")
	h.e.Uvarint(uint64(len(ps)))
	for _, p := range ps {
		h.e.Texto(p.Que)
		negada := byte(0)
		if p.Negada {
			negada = 1
		}
		h.e.Byte(negada)
		h.e.Texto(validar(p.Detalle))
	}
	return h.responder(mensaje.TipoProbado)
}
