package caja

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// mensajeMaximo is how many bytes of arguments go in one message, but for a
// single row that weighs more.
const mensajeMaximo = 4 << 20

// Escalares returns what the file declares, in order, ready for a registry.
// The scalars work until the box is closed.
func (c *Caja) Escalares() []*algebra.Escalar {
	var es []*algebra.Escalar
	for i, d := range c.externa {
		es = append(es, &algebra.Escalar{
			Nombre: d.Nombre, Min: d.Min, Max: d.Max,
			Unidad: d.Unidad, UnidadesArgumentos: append([]string(nil), d.UnidadesArgumentos...),
			Procedencia: Procedencia,
			Aplicar: func(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
				return c.aplicar(i, l, args)
			},
		})
	}
	return es
}

// aplicar computes a batch.
func (c *Caja) aplicar(i int, l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
	p := pedido{
		funcion: i, filas: l.N(), args: args,
		pasos: l.PasosRestantes(), cobrar: l.Cobrar, gastar: l.GastarPasos,
	}
	r := c.calcular(p)
	if r.Error != nil {
		l.Fallar(r.Filas, r.Error)
	}
	return r.Columna
}

// Resultado is what a call gave: a column of Filas rows, the steps they took,
// and why the row after them failed, if one did.
type Resultado struct {
	Columna *algebra.Columna
	Filas   int
	Pasos   int64
	Error   error
}

// Llamar applies a declared scalar to filas rows, each column of args constant
// or of that many rows, spending at most pasos steps (0 means the limit
// pasos_de_operacion). The number of columns must be one the scalar takes.
//
// Resultado.Error is an *[algebra.ErrorDeEvaluacion] when the function fails or
// returns what it may not, an *[algebra.LimiteError], an *[algebra.ErrorInterno]
// or the context's error.
func (c *Caja) Llamar(nombre string, filas int, args []*algebra.Columna, pasos int64) Resultado {
	if pasos <= 0 {
		pasos = c.lim.PasosDeOperacion
	}
	for i, d := range c.externa {
		if d.Nombre != nombre {
			continue
		}
		if len(args) < d.Min || d.Max >= 0 && len(args) > d.Max {
			return Resultado{Columna: &algebra.Columna{}, Error: &algebra.ErrorDeEvaluacion{
				Clase: algebra.ClaseEscalar, Motivo: fmt.Sprintf("la escalar «%s» no lleva %d argumentos", nombre, len(args)),
			}}
		}
		var usado int64
		r := c.calcular(pedido{funcion: i, filas: filas, args: args, pasos: pasos, cobrar: func(_ int, n int64) bool {
			usado += n
			return usado <= c.lim.MemoriaDeOperacion
		}})
		if usado > c.lim.MemoriaDeOperacion {
			r.Error = &algebra.LimiteError{Nombre: algebra.LimiteMemoriaDeOperacion, Observado: usado, Limite: c.lim.MemoriaDeOperacion}
		}
		return r
	}
	return Resultado{Columna: &algebra.Columna{}, Error: &algebra.ErrorDeEvaluacion{
		Clase: algebra.ClaseEscalar, Motivo: fmt.Sprintf("no hay una escalar «%s»", algebra.Citar(nombre)),
	}}
}

// pedido is a call of any number of rows.
type pedido struct {
	funcion int
	filas   int
	args    []*algebra.Columna
	pasos   int64
	cobrar  func(fila int, bytes int64) bool
	gastar  func(fila int, pasos int64) bool // may be nil
}

// calcular makes the call, in as many messages as it takes.
func (c *Caja) calcular(p pedido) Resultado {
	r := Resultado{}
	acum := acumulador{bits: c.lim.BitsDeEntero, tope: c.lim.TamanoDeValor}
	r.Columna = &acum.c
	proc, err := c.tomar()
	if err != nil {
		r.Error = err
		return r
	}
	defer func() {
		if proc != nil {
			c.devolver(proc)
		}
	}()
	deAUna := false
	for r.Filas < p.filas {
		if err := c.ctx.Err(); err != nil {
			r.Error = err
			return r
		}
		maximo := mensaje.MaxFilas
		if deAUna {
			maximo = 1
		}
		cuerpo, n := c.codificar(p, r, maximo)
		if n == 0 {
			r.Error = c.limite(algebra.LimiteMemoriaDeEscalares)
			return r
		}
		sigue, err := c.preguntar(proc, cuerpo, n, p, &acum, &r)
		if err == nil {
			if !sigue {
				return r
			}
			continue
		}
		err = c.muerte(proc, err, algebra.LimitePasosDeEscalar)
		<-c.lugares
		proc = nil
		if n == 1 || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			r.Error = c.conNombre(p, r.Filas, err)
			return r
		}
		// Which of the rows did it: ask a new child for one at a time.
		deAUna = true
		if proc, err = c.tomar(); err != nil {
			proc, r.Error = nil, err
			return r
		}
	}
	return r
}

// conNombre adds the scalar's name to a fault of the box itself.
func (c *Caja) conNombre(p pedido, fila int, err error) error {
	var interno *algebra.ErrorInterno
	if errors.As(err, &interno) {
		return &algebra.ErrorInterno{Causa: fmt.Errorf("%s: %w", c.cita(p, fila), interno.Causa), Traza: interno.Traza}
	}
	return err
}

// codificar writes the message for up to maximo rows from r.Filas on, and
// returns how many fit; 0 when one alone is more than the box can take.
func (c *Caja) codificar(p pedido, r Resultado, maximo int) ([]byte, int) {
	k := codificador{tope: mensajeMaximo}
	n := min(p.filas-r.Filas, maximo)
	for {
		if n == 1 {
			k.tope = int(min(c.lim.MemoriaDeEscalares, math.MaxInt32))
		}
		k.e.Reiniciar()
		(&mensaje.Llamada{
			Funcion: p.funcion, Filas: n, Argumentos: len(p.args), Pasos: uint64(max(0, p.pasos-r.Pasos)),
		}).Codificar(&k.e)
		cabe := true
		for _, a := range p.args {
			if cabe = k.columna(a, r.Filas, n); !cabe {
				break
			}
		}
		switch {
		case cabe:
			return k.e.Bytes(), n
		case n == 1:
			return nil, 0
		}
		n = (n + 1) / 2
	}
}

// preguntar sends one message and takes its answer into r. It reports whether
// the call goes on; an error means that the child is of no more use.
func (c *Caja) preguntar(proc *proceso, cuerpo []byte, n int, p pedido, acum *acumulador, r *Resultado) (bool, error) {
	plazo := c.plazo(c.lim.PasosDeEscalar)
	if err := proc.mandar(plazo, mensaje.TipoLlamar, cuerpo); err != nil {
		return false, err
	}
	// A box answers before its answer passes a mebibyte, but for its last value.
	tope := int(min(4<<20+c.lim.TamanoDeValor+c.lim.BitsDeEntero/8, math.MaxInt32))
	tipo, respuesta, err := proc.recibir(plazo, tope, c.salida.escribir)
	if err != nil {
		return false, err
	}
	if tipo != mensaje.TipoResultado {
		return false, fmt.Errorf("%w: llegó un mensaje de tipo %d", mensaje.ErrRoto, tipo)
	}
	l := mensaje.NuevoLector(respuesta)
	var m mensaje.Respuesta
	m.Leer(l)
	if len(m.Pasos) > n || len(m.Pasos) == n && m.Fallo != nil || len(m.Pasos) == 0 && m.Fallo == nil {
		l.Fallar("responde %d filas de %d", len(m.Pasos), n)
	}
	if err := l.Error(); err != nil {
		return false, err
	}
	desde := r.Filas
	cobradas := acum.leer(l, len(m.Pasos), func(bytes int64) bool {
		fila := acum.c.Largo()
		return p.cobrar(fila, bytes)
	})
	if cobradas == len(m.Pasos) {
		if err := l.Cerrar(); err != nil {
			return false, err
		}
	} else if err := l.Error(); err != nil {
		return false, err
	}
	for i, pasos := range m.Pasos[:cobradas] {
		if pasos > uint64(c.lim.PasosDeEscalar) {
			return false, fmt.Errorf("%w: una fila de %d pasos", mensaje.ErrRoto, pasos)
		}
		r.Filas = desde + i
		r.Pasos += int64(pasos)
		if r.Pasos > p.pasos {
			r.Error = c.limite(algebra.LimitePasosDeOperacion)
			return false, nil
		}
		if p.gastar != nil && !p.gastar(desde+i, int64(pasos)) {
			return false, nil
		}
	}
	r.Filas = desde + cobradas
	if cobradas < len(m.Pasos) {
		return false, nil // whoever charges for the memory says why
	}
	if m.Fallo != nil {
		pasos := int64(min(m.PasosFallo, uint64(c.lim.PasosDeEscalar)))
		if r.Pasos += pasos; p.gastar != nil && r.Pasos <= p.pasos {
			p.gastar(r.Filas, pasos) // a row that fails has spent them too
		}
		r.Error = c.fallo(p, r.Filas, m.Fallo)
		return false, nil
	}
	return true, nil
}

// fallo is why a row failed, as the evaluation tells it.
func (c *Caja) fallo(p pedido, fila int, f *mensaje.Fallo) error {
	if f.Limite != "" {
		return c.limite(f.Limite)
	}
	motivo := c.cita(p, fila) + ": " + acotar(f.Motivo)
	if f.Linea > 0 {
		motivo += fmt.Sprintf(" (%s:%d:%d)", c.cfg.Archivo, f.Linea, f.Columna)
	}
	return &algebra.ErrorDeEvaluacion{Clase: algebra.ClaseEscalar, Motivo: motivo}
}

// cita names a call with its arguments, shortened.
func (c *Caja) cita(p pedido, fila int) string {
	var b strings.Builder
	for i, a := range p.args {
		if i > 0 {
			b.WriteString(", ")
		}
		if b.Len() > 4*maxCita {
			break
		}
		b.WriteString(citarValor(a.Valor(fila)))
	}
	return fmt.Sprintf("la escalar %s(%s)", c.externa[p.funcion].Nombre, algebra.Citar(b.String()))
}

// maxCita is how much of one argument a message quotes, in code points.
const maxCita = 40

func citarValor(v algebra.Valor) string {
	switch x := v.(type) {
	case algebra.Texto:
		s := string(x)
		if utf8.RuneCountInString(s) > maxCita {
			s = string([]rune(s[:min(len(s), 4*maxCita)])[:maxCita]) + "…"
		}
		return `"` + s + `"`
	case algebra.Hecho:
		return "{" + strings.Join(x.Campos(), ", ") + "}"
	case algebra.Nulo:
		return "null"
	default:
		return string(algebra.AppendJSON(nil, v))
	}
}

// maxMotivo bounds the words that come from a box, in code points.
const maxMotivo = 600

// acotar shortens what a box says and escapes its control characters.
func acotar(s string) string {
	var b strings.Builder
	n := 0
	for s != "" {
		r, ancho := utf8.DecodeRuneInString(s)
		if n == maxMotivo {
			b.WriteString("…")
			break
		}
		n++
		b.WriteString(algebra.Citar(string(r)))
		s = s[ancho:]
	}
	return b.String()
}
