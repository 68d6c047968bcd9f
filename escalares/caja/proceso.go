package caja

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/hijo"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/nucleo"
)

// A child's processor limit is for its whole life, so one that has been busy
// for vidaUtil is replaced before it gets there.
const (
	segundosDeProcesador = 120
	vidaUtil             = segundosDeProcesador / 4 * time.Second
)

// maxQuejas bounds what is kept of a child's stderr: the runtime says why it
// dies at the beginning.
const maxQuejas = 16 << 10

// proceso is one child. Only one goroutine talks to it at a time.
type proceso struct {
	cria    *cria
	orden   *exec.Cmd
	entrada *os.File // its stdin
	salida  *os.File // its stdout
	stderr  *os.File
	trabajo time.Duration // how long it has been waited for
	buf     []byte
	fin     chan struct{} // closed once it is gone and nothing of it is left
	unaVez  sync.Once
	estado  *os.ProcessState // set before fin is closed
	dicho   []byte           // its stderr, set before fin is closed
}

// iniciar starts a child of this binary. Its environment is empty and its
// three pipes are all it has.
func iniciar(k *cria, palabra string, e Encierro, memoria int64) (*proceso, error) {
	if err := nucleo.CerrarAlEjecutar(); err != nil && e == EncierroExigido {
		return nil, err
	}
	binario := "/proc/self/exe" // the running binary, even if its file was replaced
	if runtime.GOOS != "linux" {
		b, err := os.Executable()
		if err != nil {
			return nil, err
		}
		binario = b
	}
	var abiertos []*os.File
	cerrar := func() {
		for _, f := range abiertos {
			f.Close()
		}
	}
	for range 3 {
		r, w, err := os.Pipe()
		if err != nil {
			cerrar()
			return nil, err
		}
		abiertos = append(abiertos, r, w)
	}
	encierro := hijo.Encerrada
	if e == EncierroApagado {
		encierro = hijo.Suelta
	}
	p := &proceso{
		entrada: abiertos[1], salida: abiertos[2], stderr: abiertos[4],
		cria: k, fin: make(chan struct{}),
		orden: &exec.Cmd{
			Path:        binario,
			Args:        append([]string{"caja", palabra}, hijo.Argumentos(memoria, segundosDeProcesador, encierro)...),
			Env:         []string{},
			SysProcAttr: atributos(),
			Stdin:       abiertos[0], Stdout: abiertos[3], Stderr: abiertos[5],
		},
	}
	var err error
	k.hacer(func() { err = p.orden.Start() })
	if err != nil {
		cerrar()
		return nil, err
	}
	abiertos[0].Close()
	abiertos[3].Close()
	abiertos[5].Close()
	return p, nil
}

// esperar waits for the child to end, gathering what it says on stderr, and
// returns its peak memory in bytes. It is called once.
func (p *proceso) esperar() int64 {
	var cabeza bytes.Buffer
	_, _ = io.CopyN(&cabeza, p.stderr, maxQuejas)
	_, _ = io.Copy(io.Discard, p.stderr)
	p.dicho = cabeza.Bytes()
	_ = p.orden.Wait()
	p.estado = p.orden.ProcessState
	p.stderr.Close()
	p.entrada.Close()
	p.salida.Close()
	return picoDe(p.estado)
}

// matar ends the child at once. It may be called more than once, and after the
// child has gone.
func (p *proceso) matar() {
	p.unaVez.Do(func() {
		p.cria.hacer(func() { _ = p.orden.Process.Kill() })
		p.entrada.Close() // and were that not to reach it, its pipe ends
	})
}

// mandar sends a frame within a time.
func (p *proceso) mandar(plazo time.Duration, tipo mensaje.Tipo, cuerpo []byte) error {
	if err := p.entrada.SetWriteDeadline(time.Now().Add(plazo)); err != nil {
		return err
	}
	return mensaje.Escribir(p.entrada, tipo, cuerpo)
}

// recibir returns the next frame that is not something printed, which goes to
// imprimir. The child may use plazo of processor; on a busy machine that takes
// longer by the wall, so the wall only bounds a child that does nothing. The
// payload is good until the next call.
func (p *proceso) recibir(plazo time.Duration, tope int, imprimir func(string)) (mensaje.Tipo, []byte, error) {
	empezo := time.Now()
	defer func() { p.trabajo += time.Since(empezo) }()
	r := &espera{p: p, plazo: plazo, pared: empezo.Add(vecesPared * plazo)}
	r.antes, r.mide = procesadorDe(p.orden.Process.Pid)
	if err := p.salida.SetReadDeadline(empezo.Add(plazo)); err != nil {
		return 0, nil, err
	}
	for {
		tipo, cuerpo, err := mensaje.Leer(r, tope, p.buf)
		if err != nil {
			return 0, nil, err
		}
		p.buf = cuerpo
		if tipo != mensaje.TipoImpreso {
			return tipo, cuerpo, nil
		}
		l := mensaje.NuevoLector(cuerpo)
		texto := l.Texto()
		if err := l.Cerrar(); err != nil {
			return 0, nil, err
		}
		imprimir(texto)
	}
}

// vecesPared is how many times a child's processor allowance it may take by
// the wall.
const vecesPared = 8

// espera reads a child's stdout and gives up when it has used its processor.
type espera struct {
	p     *proceso
	plazo time.Duration
	pared time.Time
	antes time.Duration // processor used before
	mide  bool
}

// Read implements [io.Reader].
func (e *espera) Read(b []byte) (int, error) {
	for {
		n, err := e.p.salida.Read(b)
		if n > 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		usado, sigue := procesadorDe(e.p.orden.Process.Pid)
		ahora := time.Now()
		quedan := e.plazo - (usado - e.antes)
		if !e.mide || !sigue || quedan <= 0 || ahora.After(e.pared) {
			return 0, err
		}
		if err := e.p.salida.SetReadDeadline(ahora.Add(max(quedan, time.Millisecond))); err != nil {
			return 0, err
		}
	}
}

// faltaDeMemoria is what Go's runtime says when it cannot have memory or stack.
// The collector's span queues do not look at what they are given before writing
// there (newSpanSPMC), so of those it only says where it was.
var faltaDeMemoria = []string{
	"out of memory", "cannot allocate memory", "stack exceeds", "stack overflow", "errno=12", "failed with 12", "address space", "failed to allocate",
	"too much locked memory", "failed to reserve page summary memory", "runtime.(*spanQueue)", "runtime.(*spanSPMC)", "runtime.newSpanSPMC",
}

// sinMemoria reports whether the child ended for want of memory, stack
// included. It is called after fin; limite is how many bytes it could take.
func (p *proceso) sinMemoria(limite int64) bool {
	dicho := string(p.dicho)
	for _, senal := range faltaDeMemoria {
		if strings.Contains(dicho, senal) {
			return true
		}
	}
	// The kernel ends without a word what takes too much of the machine; so does
	// whoever kills it by hand, and then it had not taken much.
	w, ok := p.estado.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGKILL && !p.sinProcesador() && len(p.dicho) == 0 &&
		picoDe(p.estado) > max(limite/4, picoPropio())
}

// sinProcesador reports whether the child ended for using up its processor
// time. It is called after fin.
func (p *proceso) sinProcesador() bool {
	return p.estado != nil && p.estado.UserTime()+p.estado.SystemTime() >= (segundosDeProcesador-1)*time.Second
}

// final says how the child ended.
func (p *proceso) final() string {
	if p.estado == nil {
		return "sin estado"
	}
	return p.estado.String()
}

// quejas returns what the child wrote on stderr, for a log.
func (p *proceso) quejas() string { return strings.ToValidUTF8(string(p.dicho), "\ufffd") }

// salida writes what a file prints, a line at a time and never too much.
type salida struct {
	mu      sync.Mutex
	w       io.Writer
	archivo string
	escrito int
}

// maxSalida bounds what an operation's boxes print in all, in bytes.
const maxSalida = 64 << 10

// escribir writes one printed text, with its control characters escaped.
func (s *salida) escribir(texto string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == nil || s.escrito >= maxSalida {
		return
	}
	s.escrito += len(texto) + 1
	if s.escrito >= maxSalida {
		fmt.Fprintf(s.w, "%s: imprimió demasiado; el resto no se muestra\n", s.archivo)
		return
	}
	fmt.Fprintf(s.w, "%s: %s\n", s.archivo, acotar(texto))
}
