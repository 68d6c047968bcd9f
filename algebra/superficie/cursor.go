package superficie

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Cursor reads one line from left to right. Its methods skip blanks before
// what they read, and leave the cursor where it was when they do not find it.
type Cursor struct {
	r Renglon
	i int // byte
}

// Blancos skips spaces and tabs.
func (c *Cursor) Blancos() {
	for c.i < len(c.r.Texto) && esBlanco(c.r.Texto[c.i]) {
		c.i++
	}
}

// Fin reports whether nothing but blanks is left.
func (c *Cursor) Fin() bool {
	c.Blancos()
	return c.i == len(c.r.Texto)
}

// ExigirFin returns an error at the first character left, if any.
func (c *Cursor) ExigirFin() error {
	if c.Fin() {
		return nil
	}
	return c.Error("el final del renglón")
}

// Identificador reads [A-Za-z_][A-Za-z0-9_]*.
func (c *Cursor) Identificador() (string, bool) {
	c.Blancos()
	n := largoDeIdentificador(c.r.Texto[c.i:])
	s := c.r.Texto[c.i : c.i+n]
	c.i += n
	return s, n > 0
}

// Palabra reads the identifier p, whole.
func (c *Cursor) Palabra(p string) bool {
	antes := c.i
	if s, _ := c.Identificador(); s == p {
		return true
	}
	c.i = antes
	return false
}

// Signo reads the given punctuation.
func (c *Cursor) Signo(s string) bool {
	c.Blancos()
	if len(c.r.Texto)-c.i < len(s) || c.r.Texto[c.i:c.i+len(s)] != s {
		return false
	}
	c.i += len(s)
	return true
}

// Mientras reads the bytes that satisfy f.
func (c *Cursor) Mientras(f func(b byte) bool) string {
	c.Blancos()
	desde := c.i
	for c.i < len(c.r.Texto) && f(c.r.Texto[c.i]) {
		c.i++
	}
	return c.r.Texto[desde:c.i]
}

// ProximoByte returns the next byte that is not blank, 0 at the end.
func (c *Cursor) ProximoByte() byte {
	c.Blancos()
	return c.byteEn(0)
}

// byteEn returns the byte k after the cursor, 0 past the end.
func (c *Cursor) byteEn(k int) byte {
	if c.i+k >= len(c.r.Texto) {
		return 0
	}
	return c.r.Texto[c.i+k]
}

// Resto returns what is left of the line after the blanks, without taking it.
func (c *Cursor) Resto() string {
	c.Blancos()
	return c.r.Texto[c.i:]
}

// TextoJSON reads a text between quotes with the rules of JSON. When there is
// no quote it is an error too.
func (c *Cursor) TextoJSON() (string, error) {
	c.Blancos()
	if c.byteEn(0) != '"' {
		return "", c.Error(`un texto entre comillas`)
	}
	t := c.r.Texto
	simple := true
	for j := c.i + 1; j < len(t); j++ {
		switch b := t[j]; {
		case b == '"':
			crudo := t[c.i : j+1]
			if simple {
				c.i = j + 1
				return crudo[1 : len(crudo)-1], nil
			}
			s, err := jsontext.AppendUnquote(nil, crudo)
			if err != nil {
				return "", c.errorDeEscape(crudo)
			}
			c.i = j + 1
			return string(s), nil
		case b == '\\':
			simple = false
			j++
		case b < 0x20:
			return "", c.r.errorEn(j, fmt.Sprintf(`el carácter de control escrito como escape (\u%04x)`, b), algebra.Citar(string(rune(b))))
		}
	}
	return "", c.Error(`la comilla que cierra el texto, en el mismo renglón`)
}

// errorDeEscape finds the first escape of a quoted text that is not one.
func (c *Cursor) errorDeEscape(crudo string) error {
	for j := 1; j < len(crudo)-1; j++ {
		if crudo[j] != '\\' {
			continue
		}
		largo := 2
		if crudo[j+1] == 'u' {
			largo = 6
			if u, ok := unidadUTF16(crudo[j:]); ok && u >= 0xd800 && u < 0xdc00 {
				largo = 12 // a high surrogate takes the escape after it along
			}
		}
		trozo := crudo[j:min(j+largo, len(crudo)-1)]
		if _, err := jsontext.AppendUnquote(nil, `"`+trozo+`"`); err != nil {
			return c.r.errorEn(c.i+j, `un escape de JSON: \" \\ \/ \b \f \n \r \t, o \u con cuatro cifras hexadecimales y sin sustitutos sueltos`, algebra.Citar(trozo))
		}
		j += len(trozo) - 1
	}
	return c.Error("un texto con las reglas de JSON")
}

func unidadUTF16(s string) (uint64, bool) {
	if len(s) < 6 {
		return 0, false
	}
	u, err := strconv.ParseUint(s[2:6], 16, 16)
	return u, err == nil
}

// largoDeNumero returns how many bytes of s a number takes, without its sign:
// (0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?
func largoDeNumero(s string) int {
	cifras := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0
	}
	n := 1
	if s[0] != '0' {
		n = cifras(1)
	}
	if n < len(s) && s[n] == '.' {
		if f := cifras(n + 1); f > n+1 {
			n = f
		}
	}
	if n < len(s) && (s[n] == 'e' || s[n] == 'E') {
		e := n + 1
		if e < len(s) && (s[e] == '+' || s[e] == '-') {
			e++
		}
		if f := cifras(e); f > e {
			n = f
		}
	}
	return n
}

// ValorJSON reads one JSON value. A scalar comes as a leaf and an array as a
// list; for an object use [Cursor.CrudoJSON].
func (c *Cursor) ValorJSON(lim algebra.LimitesAlgebra) (algebra.Nodo, error) {
	c.Blancos()
	antes := c.i
	crudo, err := c.CrudoJSON()
	if err != nil {
		return algebra.Nodo{}, err
	}
	n, err := algebra.LeerNodo(crudo, lim)
	if _, esDeCarga := err.(*algebra.ErrorDeCarga); esDeCarga {
		c.i = antes
		return algebra.Nodo{}, c.Error("un valor JSON: un número, un texto, true, false, null o una lista")
	}
	return n, err
}

// CrudoJSON reads one JSON value of any kind and returns its bytes, valid JSON
// without repeated keys or lone surrogates. The error is *[ErrorDeSintaxis].
func (c *Cursor) CrudoJSON() ([]byte, error) {
	c.Blancos()
	resto := c.r.Texto[c.i:]
	n := 0
	switch b := c.byteEn(0); {
	case b == '"':
		antes := c.i
		if _, err := c.TextoJSON(); err != nil {
			return nil, err
		}
		return []byte(c.r.Texto[antes:c.i]), nil
	case b == '-' && largoDeNumero(resto[1:]) > 0:
		n = 1 + largoDeNumero(resto[1:])
	case b >= '0' && b <= '9':
		n = largoDeNumero(resto)
	case b == '[' || b == '{':
		if n = largoDeContenedor(resto); n == 0 {
			return nil, c.Error("lo que cierra el «" + string(rune(b)) + "», en el mismo renglón")
		}
		d := jsontext.NewDecoder(bytes.NewBufferString(resto[:n]))
		if _, err := d.ReadValue(); err != nil {
			i := 0
			var sintaxis *jsontext.SyntacticError
			if errors.As(err, &sintaxis) {
				i = min(int(sintaxis.ByteOffset), n)
			}
			return nil, c.r.errorEn(c.i+i, "un valor JSON bien formado, sin claves repetidas", recorte(resto[i:]))
		}
	default:
		switch s := resto[:largoDeIdentificador(resto)]; s {
		case "true", "false", "null":
			n = len(s)
		}
	}
	if n == 0 {
		return nil, c.Error("un valor JSON")
	}
	c.i += n
	return []byte(resto[:n]), nil
}

// largoDeContenedor returns how many bytes of s go to the bracket that closes
// the one it begins with, 0 when none does. What is between is not checked.
func largoDeContenedor(s string) int {
	abiertos := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[', '{':
			abiertos++
		case ']', '}':
			if abiertos--; abiertos == 0 {
				return i + 1
			}
		case '"':
			for i++; i < len(s) && s[i] != '"'; i++ {
				if s[i] == '\\' {
					i++
				}
			}
		}
	}
	return 0
}

// Error returns an error at the next character that is not blank, or at the
// end of the line when there is none.
func (c *Cursor) Error(esperado string) *ErrorDeSintaxis {
	c.Blancos()
	// Trailing blanks are not where a line ends for a reader.
	i := c.i
	if i == len(c.r.Texto) {
		for i > 0 && esBlanco(c.r.Texto[i-1]) {
			i--
		}
	}
	return c.r.errorEn(i, esperado, recorte(c.r.Texto[c.i:]))
}

// recorte returns, fit for a message, the first word or sign of s.
func recorte(s string) string {
	if s == "" {
		return "el final del renglón"
	}
	n := largoDeIdentificador(s)
	switch {
	case n > 0:
	case s[0] >= '0' && s[0] <= '9':
		n = largoDeNumero(s)
	default:
		_, n = utf8.DecodeRuneInString(s)
		for _, dos := range []string{"==", "!=", "<=", ">="} {
			if len(s) >= 2 && s[:2] == dos {
				n = 2
			}
		}
	}
	return algebra.Citar(s[:n])
}

// largoDeIdentificador returns how many bytes of s an identifier takes.
func largoDeIdentificador(s string) int {
	n := 0
	for n < len(s) && (esLetra(s[n]) || n > 0 && s[n] >= '0' && s[n] <= '9') {
		n++
	}
	return n
}

func esLetra(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' }
