// Package encierro confines a server before it reads its first message
// (especificación «seguridad» §1): Landlock so that it can read only what it
// was started for, and a seccomp list so that it can write, connect or start
// nothing. The two, because each leaves holes the other closes.
//
// [Aplicar] is called once, early in main, after opening whatever is to be
// written and resolving whatever is to be read; it cannot be undone.
// [Diagnosticar] then proves each denial by trying it.
package encierro

import (
	"errors"
	"fmt"
	"strings"
	"syscall"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/nucleo"
)

// Modo says how much confinement is demanded. The zero value is Automatico.
type Modo uint8

// Modes of «--encierro».
const (
	// Automatico demands what the kernel offers and says what it does not. With
	// trusted scalars it is Estricto.
	Automatico Modo = iota
	// Estricto demands both, whatever the kernel offers.
	Estricto
	// Apagado confines nothing.
	Apagado
)

// String returns the mode as the command line spells it.
func (m Modo) String() string {
	switch m {
	case Estricto:
		return "estricto"
	case Apagado:
		return "no"
	default:
		return "auto"
	}
}

// LeerModo reads a mode as the command line spells it.
func LeerModo(s string) (Modo, error) {
	for _, m := range []Modo{Automatico, Estricto, Apagado} {
		if s == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("--encierro lleva auto, estricto o no; llegó «%s»", s)
}

// Opciones are what a server was started with.
type Opciones struct {
	Modo     Modo
	Raices   []string // directories it may read, everything below included; they must exist
	Archivos []string // single files it may read; they must exist
	// Confiar: the project's scalars are trusted, so the server starts boxes
	// from its own binary. Without it, it can start nothing at all.
	Confiar bool
}

// modo is the mode in force: other people's code runs unconfined only when
// whoever starts the server wrote so.
func (o Opciones) modo() Modo {
	if o.Modo == Automatico && o.Confiar {
		return Estricto
	}
	return o.Modo
}

// Estado is what ended up active.
type Estado struct {
	Modo     Modo
	Landlock int  // version of the ABI in force, 0 without Landlock
	Seccomp  bool // the list of calls is in force
	// Aviso is the one line for stderr when something is missing, or "".
	Aviso string
}

// Aplicar confines the process, every thread, for ever. The error means that
// what was demanded is not in force, and the server must not start; what was
// applied before the error stays.
func Aplicar(o Opciones) (Estado, error) {
	e := Estado{Modo: o.modo()}
	if e.Modo == Apagado {
		return e, nil
	}
	var faltas []string
	falta := func(err error) error {
		if e.Modo == Estricto || !errors.Is(err, nucleo.ErrNoDisponible) {
			return fmt.Errorf("no se pudo encerrar: %w", err)
		}
		faltas = append(faltas, err.Error())
		return nil
	}

	rutas := nucleo.Rutas{Leer: o.Raices, Archivos: o.Archivos}
	clonado := nucleo.SoloHilos
	llamadas := nucleo.LlamadasDeServidor()
	if o.Confiar {
		// The running binary, even if its file was replaced.
		rutas.Ejecutar = []string{"/proc/self/exe"}
		llamadas = append(llamadas, nucleo.LlamadasDeCrianza()...)
		clonado = nucleo.Procesos
	}
	if err := nucleo.EncerrarRutas(rutas); err == nil {
		e.Landlock = nucleo.VersionDeLandlock()
	} else if err := falta(err); err != nil {
		return e, err
	}
	if err := nucleo.Filtrar(llamadas, true, clonado); err == nil {
		e.Seccomp = true
	} else if err := falta(err); err != nil {
		return e, err
	}
	if len(faltas) > 0 {
		e.Aviso = "encierro incompleto: " + strings.Join(faltas, "; ")
	}
	return e, nil
}

// Prueba is one forbidden thing that was tried.
type Prueba = nucleo.Prueba

// Diagnosticar tries, in this process, each thing a confined server must be
// unable to do. raiz is a directory it may read. Nothing is left behind by a
// trial that gets through.
func Diagnosticar(raiz string) []Prueba { return nucleo.Probar(raiz) }

// Abiertas returns the trials that got through.
func Abiertas(ps []Prueba) []Prueba {
	var a []Prueba
	for _, p := range ps {
		if !p.Negada {
			a = append(a, p)
		}
	}
	return a
}

// AppendTexto appends what is active and what each trial gave, a line each,
// for a person.
func (e Estado) AppendTexto(b []byte, ps []Prueba) []byte {
	b = fmt.Appendf(b, "encierro: %s\n", e.Modo)
	if e.Landlock > 0 {
		b = fmt.Appendf(b, "Landlock: activo, ABI %d\n", e.Landlock)
	} else {
		b = append(b, "Landlock: no\n"...)
	}
	if e.Seccomp {
		b = append(b, "seccomp: activo\n"...)
	} else {
		b = append(b, "seccomp: no\n"...)
	}
	if e.Aviso != "" {
		b = append(append(b, e.Aviso...), '\n')
	}
	return AppendPruebas(b, ps)
}

// AppendPruebas appends what each trial gave, a line each, for a person.
func AppendPruebas(b []byte, ps []Prueba) []byte {
	for _, p := range ps {
		como := "PERMITIDO"
		if p.Negada {
			como = "negado"
		}
		b = fmt.Appendf(b, "  %-9s  %s (%s)\n", como, p.Que, enCastellano(p.Detalle))
	}
	return b
}

// respuestas are the kernel's answers to a trial, in the words of a person.
var respuestas = []struct {
	errno syscall.Errno
	dice  string
}{
	{syscall.EPERM, "operación no permitida"},
	{syscall.EACCES, "permiso denegado"},
	{syscall.ENOSYS, "el núcleo no la tiene"},
	{syscall.ENOENT, "no existe"},
	{syscall.ENOTDIR, "no es un directorio"},
	{syscall.EEXIST, "ya existe"},
	{syscall.EROFS, "el sistema de archivos es de sólo lectura"},
	{syscall.ESRCH, "no hay tal proceso"},
	{syscall.EINVAL, "argumento inválido"},
	{syscall.EFAULT, "dirección inválida"},
	{syscall.EAGAIN, "no hay recursos por ahora"},
	{syscall.ENOMEM, "no hay memoria"},
	{syscall.EIO, "error de entrada y salida"},
	{syscall.EOPNOTSUPP, "operación no admitida"},
	{syscall.EAFNOSUPPORT, "familia de direcciones no admitida"},
	{syscall.EPROTONOSUPPORT, "protocolo no admitido"},
	{syscall.ENOTEMPTY, "el directorio no está vacío"},
	{syscall.EXDEV, "es de otro sistema de archivos"},
}

// enCastellano puts what the kernel answered at the end of a detail in Spanish.
// An answer it does not know stays as it is.
func enCastellano(detalle string) string {
	for _, r := range respuestas {
		if antes, ok := strings.CutSuffix(detalle, r.errno.Error()); ok {
			return antes + r.dice
		}
	}
	return detalle
}
