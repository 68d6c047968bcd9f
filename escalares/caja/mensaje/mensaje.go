// Package mensaje is the binary protocol between the server and the scalars'
// box (especificación «escalares» §4). Frames go over the box's stdin and
// stdout: four bytes of length, one of kind, the payload; numbers are
// little-endian. A conversation is one [Cargar] answered by [Declarado] or
// [Fallo], then any number of [Llamar], each answered by one [Resultado].
// [Impreso] frames may come before any answer.
//
// Neither side trusts the other: every length is checked against what was
// received before anything is allocated, and what does not add up is
// [ErrRoto]. The types are plain values; an [Escritor] and a [Lector] belong to
// one goroutine.
package mensaje

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// ErrRoto says that the bytes are not what the protocol allows.
var ErrRoto = errors.New("mensaje de la caja mal formado")

func roto(formato string, a ...any) error {
	return fmt.Errorf("%w: %s", ErrRoto, fmt.Sprintf(formato, a...))
}

// Tipo is the kind of a frame.
type Tipo uint8

// Kinds of frame. The first four go to the box, the rest come from it.
const (
	TipoCargar    Tipo = 1 + iota // load the file
	TipoLlamar                    // apply a function to columns
	TipoProbar                    // try what must be denied
	_                             // reserved
	TipoListo                     // confined and waiting
	TipoDeclarado                 // the file's declarations
	TipoFallo                     // loading failed
	TipoResultado                 // a column of results
	TipoImpreso                   // something the file printed
	TipoProbado                   // what was tried
)

// cabecera is the size of a frame's header.
const cabecera = 5

// Escribir writes one frame whose payload is cuerpo.
func Escribir(w io.Writer, tipo Tipo, cuerpo []byte) error {
	if uint64(len(cuerpo)) > math.MaxUint32 {
		return roto("un mensaje de %d bytes", len(cuerpo))
	}
	var c [cabecera]byte
	binary.LittleEndian.PutUint32(c[:4], uint32(len(cuerpo)))
	c[4] = byte(tipo)
	if _, err := w.Write(c[:]); err != nil {
		return err
	}
	_, err := w.Write(cuerpo)
	return err
}

// Leer reads one frame of at most tope bytes of payload, into buf when it
// fits there. A frame that claims more is [ErrRoto] before any of it is read;
// memory grows only as bytes arrive. The end of the stream between two frames
// is io.EOF, and inside one io.ErrUnexpectedEOF.
func Leer(r io.Reader, tope int, buf []byte) (Tipo, []byte, error) {
	var c [cabecera]byte
	if _, err := io.ReadFull(r, c[:]); err != nil {
		return 0, nil, err
	}
	largo := binary.LittleEndian.Uint32(c[:4])
	if uint64(largo) > uint64(tope) {
		return 0, nil, roto("anuncia %d bytes y el tope es %d", largo, tope)
	}
	n := int(largo)
	const trozo = 1 << 20
	buf = buf[:0]
	for len(buf) < n {
		pedir := min(n-len(buf), max(trozo, cap(buf)-len(buf)))
		if cap(buf)-len(buf) < pedir {
			buf = append(make([]byte, 0, min(n, 2*len(buf)+pedir)), buf...)
		}
		k, err := io.ReadFull(r, buf[len(buf):len(buf)+pedir])
		buf = buf[:len(buf)+k]
		if err != nil {
			if err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return 0, nil, err
		}
	}
	return Tipo(c[4]), buf, nil
}

// Escritor appends the primitives of the protocol to a buffer.
type Escritor struct{ b []byte }

// Reiniciar empties the buffer, keeping its room.
func (e *Escritor) Reiniciar() { e.b = e.b[:0] }

// Bytes returns what was written; it is valid until the next call.
func (e *Escritor) Bytes() []byte { return e.b }

// Largo returns how many bytes were written.
func (e *Escritor) Largo() int { return len(e.b) }

// Byte appends one byte.
func (e *Escritor) Byte(x byte) { e.b = append(e.b, x) }

// Uvarint appends an unsigned number, short when it is small.
func (e *Escritor) Uvarint(x uint64) { e.b = binary.AppendUvarint(e.b, x) }

// Varint appends a signed number, short when it is small.
func (e *Escritor) Varint(x int64) { e.b = binary.AppendVarint(e.b, x) }

// Uint64 appends eight bytes.
func (e *Escritor) Uint64(x uint64) { e.b = binary.LittleEndian.AppendUint64(e.b, x) }

// Texto appends a length and the bytes of s.
func (e *Escritor) Texto(s string) {
	e.Uvarint(uint64(len(s)))
	e.b = append(e.b, s...)
}

// Datos appends a length and the bytes of d.
func (e *Escritor) Datos(d []byte) {
	e.Uvarint(uint64(len(d)))
	e.b = append(e.b, d...)
}

// Lector takes the primitives of the protocol off a payload. After the first
// thing that does not add up every method returns a zero value and Error says
// what it was.
type Lector struct {
	b   []byte
	err error
}

// NuevoLector returns a reader of b, which must not change meanwhile.
func NuevoLector(b []byte) *Lector { return &Lector{b: b} }

// Error returns the first thing that did not add up, or nil.
func (l *Lector) Error() error { return l.err }

// Fallar records a fault found by the reader's owner.
func (l *Lector) Fallar(formato string, a ...any) {
	if l.err == nil {
		l.err, l.b = roto(formato, a...), nil
	}
}

// Cerrar returns the first fault, counting bytes left over as one.
func (l *Lector) Cerrar() error {
	if l.err == nil && len(l.b) > 0 {
		l.Fallar("sobran %d bytes", len(l.b))
	}
	return l.err
}

// Quedan returns how many bytes are left.
func (l *Lector) Quedan() int { return len(l.b) }

// Byte takes one byte.
func (l *Lector) Byte() byte {
	if len(l.b) < 1 {
		l.Fallar("falta un byte")
		return 0
	}
	x := l.b[0]
	l.b = l.b[1:]
	return x
}

// Booleano takes one byte that must be 0 or 1.
func (l *Lector) Booleano() bool {
	x := l.Byte()
	if x > 1 {
		l.Fallar("un booleano vale %d", x)
		return false
	}
	return x == 1
}

// Uvarint takes an unsigned number.
func (l *Lector) Uvarint() uint64 {
	x, n := binary.Uvarint(l.b)
	if n <= 0 {
		l.Fallar("falta un número")
		return 0
	}
	l.b = l.b[n:]
	return x
}

// Varint takes a signed number.
func (l *Lector) Varint() int64 {
	x, n := binary.Varint(l.b)
	if n <= 0 {
		l.Fallar("falta un número")
		return 0
	}
	l.b = l.b[n:]
	return x
}

// Uint64 takes eight bytes.
func (l *Lector) Uint64() uint64 {
	if len(l.b) < 8 {
		l.Fallar("faltan ocho bytes")
		return 0
	}
	x := binary.LittleEndian.Uint64(l.b)
	l.b = l.b[8:]
	return x
}

// Entero takes an unsigned number that must not pass tope.
func (l *Lector) Entero(tope int) int {
	x := l.Uvarint()
	if x > uint64(tope) {
		l.Fallar("un número vale %d y el tope es %d", x, tope)
		return 0
	}
	return int(x)
}

// Cantidad takes how many things follow, each of at least minimo bytes (one
// or more), so a count that the rest of the payload cannot hold is rejected
// before anything is allocated for it.
func (l *Lector) Cantidad(minimo int) int {
	x := l.Uvarint()
	if x > uint64(len(l.b)/minimo) {
		l.Fallar("anuncia %d elementos y quedan %d bytes", x, len(l.b))
		return 0
	}
	return int(x)
}

// Datos takes a length and that many bytes, which alias the payload.
func (l *Lector) Datos() []byte {
	n := l.Cantidad(1)
	d := l.b[:n:n]
	l.b = l.b[n:]
	return d
}

// Texto takes a length and that many bytes, which must be UTF-8.
func (l *Lector) Texto() string {
	d := l.Datos()
	if !utf8.Valid(d) {
		l.Fallar("un texto no es UTF-8")
		return ""
	}
	return string(d)
}
