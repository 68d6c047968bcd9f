package superficie

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Renglones walks the lines of a text. It is the scanner under the reader of
// «.oracle», and under those of «.caso» and «.relacion»:
//
//	r, err := superficie.NuevosRenglones(texto, 4<<20)
//	for {
//		l, hay := r.Ver()              // next line that says something
//		if !hay {
//			return r.ErrorDeFin("la línea leccion:")
//		}
//		if err := l.ExigirSangria(4); err != nil { … }
//		r.Tomar()
//		c := l.Cursor()                // after the indentation
//		nombre, hay := c.Identificador()
//		if !hay || !c.Signo(":") {
//			return c.Error("un campo: nombre: valor")
//		}
//		v, err := c.ValorJSON(algebra.LimitesAlgebra{})
//		…
//		if err := c.ExigirFin(); err != nil { … }
//	}
//
// [Renglones.Ver] skips blank lines and those whose first character that is
// not blank is «#»; [Renglones.VerCrudo] skips none, for blocks of prose. A
// line ends at «\n» or with the text, and one «\r» before that is not part of it. The text is
// kept whole and no line is copied. It belongs to one goroutine.
type Renglones struct {
	texto string
	// cursor: where the next raw line begins, and its number.
	pos, numero int
	// ultimo is the number of the last line taken.
	ultimo int
	// visto is the line Ver found, so that peeking is not done twice.
	visto    Renglon
	hayVisto bool
}

// Renglon is one line of a text.
type Renglon struct {
	Numero int    // from 1
	Texto  string // without its end
	inicio int    // where the line begins in the text, in bytes
	fin    int    // where the next line begins
}

// NuevosRenglones checks the text and returns its lines. The error is
// *[ErrorDeSintaxis], for more than tope bytes, text that is not UTF-8 or a
// byte order mark at its head.
func NuevosRenglones(texto []byte, tope int) (*Renglones, error) {
	if len(texto) > tope {
		return nil, &ErrorDeSintaxis{Linea: 1, Columna: 1,
			Esperado: fmt.Sprintf("un texto de a lo sumo %d bytes", tope), Llego: fmt.Sprintf("uno de %d", len(texto))}
	}
	r := &Renglones{texto: string(texto), numero: 1}
	if strings.HasPrefix(r.texto, "\ufeff") {
		l, _ := r.VerCrudo()
		return nil, l.errorEn(0, "texto UTF-8 sin marca de orden de bytes (BOM) al principio", `\ufeff`)
	}
	if !utf8.Valid(texto) {
		return nil, r.errorDeUTF8()
	}
	return r, nil
}

func (r *Renglones) errorDeUTF8() error {
	for {
		l, hay := r.VerCrudo()
		if !hay {
			return nil
		}
		for i := 0; i < len(l.Texto); {
			c, ancho := utf8.DecodeRuneInString(l.Texto[i:])
			if c == utf8.RuneError && ancho == 1 {
				e := l.errorEn(i, "texto en UTF-8", fmt.Sprintf(`\x%02x`, l.Texto[i]))
				e.Renglon = strings.ToValidUTF8(e.Renglon, "\ufffd")
				return e
			}
			i += ancho
		}
		r.TomarCrudo()
	}
}

// VerCrudo returns the next line, whatever it says, without taking it. An end
// of line at the end of the text does not begin another line.
func (r *Renglones) VerCrudo() (Renglon, bool) {
	if r.pos >= len(r.texto) {
		return Renglon{}, false
	}
	resto := r.texto[r.pos:]
	fin := len(resto)
	sigue := fin
	if i := strings.IndexByte(resto, '\n'); i >= 0 {
		fin, sigue = i, i+1
	}
	if fin > 0 && resto[fin-1] == '\r' {
		fin--
	}
	return Renglon{Numero: r.numero, Texto: resto[:fin], inicio: r.pos, fin: r.pos + sigue}, true
}

// TomarCrudo takes the line [Renglones.VerCrudo] returns.
func (r *Renglones) TomarCrudo() {
	if l, hay := r.VerCrudo(); hay {
		r.tomar(l)
	}
}

// Ver returns the next line that is neither blank nor a comment, without
// taking it.
func (r *Renglones) Ver() (Renglon, bool) {
	if r.hayVisto {
		return r.visto, true
	}
	pos, numero := r.pos, r.numero
	for {
		l, hay := r.VerCrudo()
		if !hay || !l.Vacio() && !l.Comentario() {
			r.visto, r.hayVisto = l, hay
			r.pos, r.numero = pos, numero
			return l, hay
		}
		r.pos, r.numero = l.fin, r.numero+1
	}
}

// Tomar takes the line [Renglones.Ver] returns, and the ones it skipped.
func (r *Renglones) Tomar() {
	if l, hay := r.Ver(); hay {
		r.tomar(l)
	}
}

func (r *Renglones) tomar(l Renglon) {
	r.pos, r.numero, r.ultimo = l.fin, l.Numero+1, l.Numero
	r.hayVisto = false
}

// ErrorDeFin is the error of a text that ends too soon: at the line after the
// last one taken, column 1.
func (r *Renglones) ErrorDeFin(esperado string) *ErrorDeSintaxis {
	return &ErrorDeSintaxis{Linea: r.ultimo + 1, Columna: 1, Esperado: esperado, Llego: "el final del texto"}
}

// Vacio reports whether the line has nothing but spaces and tabs.
func (l Renglon) Vacio() bool { return l.primero() == len(l.Texto) }

// Comentario reports whether the first character that is not blank is «#».
func (l Renglon) Comentario() bool {
	i := l.primero()
	return i < len(l.Texto) && l.Texto[i] == '#'
}

// primero returns the byte where the first character that is not blank is.
func (l Renglon) primero() int {
	i := 0
	for i < len(l.Texto) && esBlanco(l.Texto[i]) {
		i++
	}
	return i
}

// Sangria returns how many spaces the line begins with, and false when there
// is a tab among them.
func (l Renglon) Sangria() (int, bool) {
	i := l.primero()
	return i, !strings.Contains(l.Texto[:i], "\t")
}

// ExigirSangria returns an error at the first character that is not blank
// unless the line begins with exactly n spaces.
func (l Renglon) ExigirSangria(n int) error {
	i, soloEspacios := l.Sangria()
	if i == n && soloEspacios {
		return nil
	}
	c := Cursor{r: l, i: i}
	if !soloEspacios {
		return c.Error(fmt.Sprintf("una sangría de %d espacios, sin tabulaciones", n))
	}
	return c.Error(fmt.Sprintf("una sangría de %d espacios exactos, y hay %d", n, i))
}

// Cursor returns a cursor at the first character that is not blank.
func (l Renglon) Cursor() *Cursor { return &Cursor{r: l, i: l.primero()} }

// Error returns an error at column 1 of the line.
func (l Renglon) Error(esperado string) *ErrorDeSintaxis {
	return l.errorEn(0, esperado, algebra.Citar(strings.TrimRight(l.Texto, " \t")))
}

func (l Renglon) errorEn(i int, esperado, llego string) *ErrorDeSintaxis {
	return &ErrorDeSintaxis{Linea: l.Numero, Columna: columnaDe(l.Texto, i), Esperado: esperado, Llego: llego, Renglon: l.Texto}
}

func esBlanco(c byte) bool { return c == ' ' || c == '\t' }
