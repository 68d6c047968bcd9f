// Package estrella runs a project's escalares.star: it loads the Starlark file,
// keeps what it declares and calls the declared functions (especificación
// «escalares» §2 and §4). It bounds the interpreter's steps; memory, time and
// what the process may touch are bounded by whoever runs it, because Starlark
// alone cannot.
//
// [Cargar] returns a [Programa] whose globals and functions are frozen; a
// [Hilo] calls them, one goroutine each. Nothing a call does is seen by the
// next one.
package estrella

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	starmath "go.starlark.net/lib/math"
	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// TamanoMaximo is how many bytes escalares.star may have (escalares §2).
const TamanoMaximo = 1 << 20

// moduloMath is the only module a file can load.
const moduloMath = "math.star"

// Opciones are what a load needs. PasosDeCarga and PasosDeFila must be
// positive.
type Opciones struct {
	Archivo      string   // name for positions
	Reservadas   []string // names the file may not declare
	PasosDeCarga uint64
	PasosDeFila  uint64
	Imprimir     func(string) // what print writes; nil discards it
}

// Declaracion is one scalar of the file.
type Declaracion struct {
	Nombre             string
	Min, Max           int // Max is -1 when variadic
	Unidad             string
	UnidadesArgumentos []string

	funcion *starlark.Function
}

// Error is a fault of the file or of a call, with its place when it has one.
// Line and column count from one, the column in code points.
type Error struct {
	Motivo         string // in Spanish, without a final period
	Linea, Columna int
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	if e.Linea == 0 {
		return e.Motivo
	}
	return fmt.Sprintf("línea %d, columna %d: %s", e.Linea, e.Columna, e.Motivo)
}

// ErrPasos says that the steps of a load or a call ran out.
var ErrPasos = errors.New("se acabaron los pasos del intérprete")

// Programa is a loaded file. It is immutable and safe for concurrent use.
type Programa struct {
	externas []Declaracion
	pasos    uint64
	op       Opciones
}

// Declaraciones returns the scalars of the file in order. Do not modify it.
func (p *Programa) Declaraciones() []Declaracion { return p.externas }

// Pasos returns the steps the load took.
func (p *Programa) Pasos() uint64 { return p.pasos }

// Cargar loads a file. It returns an [*Error] when the file is too big, is not
// UTF-8, does not compile or declares wrongly, and [ErrPasos] when it runs for
// too long.
func Cargar(fuente []byte, op Opciones) (*Programa, error) {
	if len(fuente) > TamanoMaximo {
		return nil, &Error{Motivo: fmt.Sprintf("el archivo tiene %d bytes y puede tener %d", len(fuente), TamanoMaximo)}
	}
	if err := comprobarTexto(fuente); err != nil {
		return nil, err
	}
	if err := comprobarAnidamiento(fuente); err != nil {
		return nil, err
	}
	c := &cargador{archivo: op.Archivo, vistas: make(map[string]bool)}
	for _, r := range op.Reservadas {
		c.vistas[r] = true
	}
	predeclarados := integradas()
	predeclarados["escalar"] = starlark.NewBuiltin("escalar", c.escalar)

	h := nuevoHilo(op.PasosDeCarga, op.Imprimir)
	h.hilo.Load = func(_ *starlark.Thread, modulo string) (starlark.StringDict, error) {
		if modulo == moduloMath {
			return starlark.StringDict{"math": starmath.Module}, nil
		}
		return nil, fmt.Errorf("no hay más módulo que «%s»", moduloMath)
	}
	// Options are fixed here: no while, no recursion, no set, no statements but
	// declarations at the top.
	_, err := starlark.ExecFileOptions(&syntax.FileOptions{}, h.hilo, op.Archivo, fuente, predeclarados)
	c.cerrado = true
	if h.agotado {
		return nil, ErrPasos
	}
	if err != nil {
		return nil, enElArchivo(op.Archivo, err)
	}
	for i := range c.externas {
		// Freezing the globals does not reach a function that is not one.
		c.externas[i].funcion.Freeze()
	}
	return &Programa{externas: c.externas, pasos: h.hilo.Steps, op: op}, nil
}

// comprobarTexto tells where the first byte that is not UTF-8 is, or the first
// NUL: Starlark takes one for the end of the file and would drop the rest in
// silence.
func comprobarTexto(fuente []byte) error {
	if utf8.Valid(fuente) && bytes.IndexByte(fuente, 0) < 0 {
		return nil
	}
	linea, columna := 1, 1
	for resto := fuente; len(resto) > 0; {
		r, n := utf8.DecodeRune(resto)
		switch {
		case r == utf8.RuneError && n <= 1:
			return &Error{Motivo: "el archivo no es UTF-8", Linea: linea, Columna: columna}
		case r == 0:
			return &Error{Motivo: "el archivo tiene un carácter nulo", Linea: linea, Columna: columna}
		}
		if columna++; r == '\n' {
			linea, columna = linea+1, 1
		}
		resto = resto[n:]
	}
	return nil
}

// Hilo calls the functions of a program. It belongs to one goroutine.
type Hilo struct {
	p       *Programa
	hilo    *starlark.Thread
	tope    uint64
	agotado bool
}

// NuevoHilo returns a thread for calling p's functions.
func (p *Programa) NuevoHilo() *Hilo {
	h := nuevoHilo(p.op.PasosDeFila, p.op.Imprimir)
	h.p = p
	return h
}

// claveHilo is where a Starlark thread keeps its Hilo.
const claveHilo = "hilo"

func nuevoHilo(tope uint64, imprimir func(string)) *Hilo {
	h := &Hilo{hilo: new(starlark.Thread), tope: tope}
	h.hilo.SetLocal(claveHilo, h)
	h.hilo.OnMaxSteps = func(t *starlark.Thread) {
		h.agotado = true
		t.Cancel("pasos")
	}
	h.hilo.Print = func(_ *starlark.Thread, texto string) {
		if imprimir != nil {
			imprimir(texto)
		}
	}
	h.fijarTope(tope)
	return h
}

// fijarTope lets a thread take tope steps from zero; the interpreter stops at
// the count it is told, so it is told one more.
func (h *Hilo) fijarTope(tope uint64) {
	h.tope = tope
	h.hilo.Steps = 0
	h.hilo.SetMaxExecutionSteps(min(tope, math.MaxUint64-1) + 1)
}

// Llamar applies function i of the program. It returns the steps spent, at
// most tope, with the result; [ErrPasos] when they or the program's PasosDeFila
// were not enough; an [*Error] when the function fails. It does not keep args.
func (h *Hilo) Llamar(i int, args starlark.Tuple, tope uint64) (starlark.Value, uint64, error) {
	f := h.p.externas[i].funcion
	if f.HasVarargs() {
		args = append(starlark.Tuple(nil), args...)
	}
	h.fijarTope(min(tope, h.p.op.PasosDeFila))
	v, err := starlark.Call(h.hilo, f, args, nil)
	pasos := min(h.hilo.Steps, h.tope)
	if h.agotado {
		h.agotado = false
		h.hilo.Uncancel()
		return nil, h.tope, ErrPasos
	}
	if err != nil {
		return nil, pasos, enElArchivo(h.p.op.Archivo, err)
	}
	return v, pasos, nil
}

// cobrar adds n steps to the thread's count for work the interpreter does not
// count itself, before that work is done.
func cobrar(t *starlark.Thread, n int) error {
	h := t.Local(claveHilo).(*Hilo)
	if n < 0 {
		return nil
	}
	if uint64(n) > h.tope || t.Steps > h.tope-uint64(n) {
		h.agotado = true
		t.Cancel("pasos")
		return ErrPasos
	}
	t.Steps += uint64(n)
	return nil
}

// enElArchivo turns an error of Starlark into one with its place in the file.
func enElArchivo(archivo string, err error) *Error {
	var propio *Error
	var sintaxis syntax.Error
	var nombres resolve.ErrorList
	var corrida *starlark.EvalError
	switch {
	case errors.As(err, &propio) && propio.Linea > 0:
		return propio
	case errors.As(err, &sintaxis):
		return &Error{Motivo: traducir(sintaxis.Msg), Linea: int(sintaxis.Pos.Line), Columna: int(sintaxis.Pos.Col)}
	case errors.As(err, &nombres) && len(nombres) > 0:
		return &Error{Motivo: traducir(nombres[0].Msg), Linea: int(nombres[0].Pos.Line), Columna: int(nombres[0].Pos.Col)}
	case errors.As(err, &corrida):
		e := &Error{Motivo: traducir(corrida.Msg)}
		for i := range corrida.CallStack {
			// The innermost frame that is in the file, not in a built-in.
			if pos := corrida.CallStack.At(i).Pos; pos.Filename() == archivo && pos.Line > 0 {
				e.Linea, e.Columna = int(pos.Line), int(pos.Col)
				break
			}
		}
		return e
	default:
		return &Error{Motivo: traducir(err.Error())}
	}
}

// maxMotivo bounds the words of one error, in bytes.
const maxMotivo = 1 << 10

// recortar shortens a message without splitting a code point, and makes UTF-8
// of it: a Starlark text may hold any bytes.
func recortar(s string) string {
	if len(s) > maxMotivo {
		s = s[:maxMotivo]
		for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
			s = s[:len(s)-1]
		}
		s = s[:max(0, len(s)-1)] + "…"
	}
	return strings.ToValidUTF8(s, "\ufffd")
}
