package estrella

import (
	"fmt"
	"unicode/utf8"
)

// How deep a file may nest. Starlark's parser, resolver and compiler recurse
// on the tree they build, so a file that nests without end would exhaust the
// stack, which Go cannot recover from; these bounds are far above what people
// write and far below that.
const (
	maxParentesis = 200   // brackets inside brackets
	maxSangrias   = 100   // blocks inside blocks
	maxFichas     = 5_000 // tokens of one expression, those it is inside of included
	maxElif       = 1_000 // «elif» of one «if»
)

// comprobarAnidamiento reads the file token by token, without recursion, and
// rejects one that nests too deep. It does not judge the syntax: what it does
// not understand is left to the parser.
func comprobarAnidamiento(fuente []byte) error {
	e := examen{fuente: fuente, linea: 1, columna: 1, segmentos: []int{0}, sangrias: []sangria{{}}}
	for e.i < len(e.fuente) {
		if err := e.ficha(); err != nil {
			return err
		}
	}
	return nil
}

// examen is the state of one reading.
type examen struct {
	fuente         []byte
	i              int
	linea, columna int

	// segmentos counts, for each open bracket and the line itself, the tokens
	// since its last comma; total is their sum.
	segmentos []int
	total     int

	enLinea  bool // a token of this logical line was seen
	sangrias []sangria
}

// sangria is an open block: its column and the «elif» seen in a row there.
type sangria struct{ ancho, elif int }

func (e *examen) error(formato string, a ...any) error {
	return &Error{Motivo: fmt.Sprintf(formato, a...), Linea: e.linea, Columna: e.columna}
}

// avanzar moves over n bytes, minding lines and code points.
func (e *examen) avanzar(n int) {
	for range min(n, len(e.fuente)-e.i) {
		switch c := e.fuente[e.i]; {
		case c == '\n':
			e.linea, e.columna = e.linea+1, 1
		case utf8.RuneStart(c):
			e.columna++
		}
		e.i++
	}
}

// ficha takes one token or separator.
func (e *examen) ficha() error {
	c := e.fuente[e.i]
	switch {
	case c == ' ' || c == '\t' || c == '\r':
		e.avanzar(1)
		return nil
	case c == '#':
		for e.i < len(e.fuente) && e.fuente[e.i] != '\n' {
			e.avanzar(1)
		}
		return nil
	case c == '\\':
		e.avanzar(2)
		return nil
	case c == '\n':
		e.avanzar(1)
		if len(e.segmentos) == 1 {
			e.total -= e.segmentos[0]
			e.segmentos[0], e.enLinea = 0, false
		}
		return nil
	}
	if !e.enLinea {
		e.enLinea = true
		if err := e.abrirLinea(); err != nil {
			return err
		}
	}
	ultimo := len(e.segmentos) - 1
	switch c {
	case ',', ';':
		e.total -= e.segmentos[ultimo]
		e.segmentos[ultimo] = 0
		e.avanzar(1)
		return nil
	case '(', '[', '{':
		if len(e.segmentos) > maxParentesis {
			return e.error("más de %d paréntesis anidados", maxParentesis)
		}
		if err := e.contar(); err != nil {
			return err
		}
		e.segmentos = append(e.segmentos, 0)
		e.avanzar(1)
		return nil
	case ')', ']', '}':
		if ultimo > 0 {
			e.total -= e.segmentos[ultimo]
			e.segmentos = e.segmentos[:ultimo]
		}
		e.avanzar(1)
		return nil
	}
	if err := e.contar(); err != nil {
		return err
	}
	e.avanzar(e.largo())
	return nil
}

// contar adds one token to the innermost expression.
func (e *examen) contar() error {
	e.segmentos[len(e.segmentos)-1]++
	if e.total++; e.total > maxFichas {
		return e.error("una expresión de más de %d fichas", maxFichas)
	}
	return nil
}

// abrirLinea minds the indentation of the line that begins here.
func (e *examen) abrirLinea() error {
	ancho := e.columna - 1
	for len(e.sangrias) > 1 && e.sangrias[len(e.sangrias)-1].ancho > ancho {
		e.sangrias = e.sangrias[:len(e.sangrias)-1]
	}
	if ancho > e.sangrias[len(e.sangrias)-1].ancho {
		if len(e.sangrias) > maxSangrias {
			return e.error("más de %d bloques anidados", maxSangrias)
		}
		e.sangrias = append(e.sangrias, sangria{ancho: ancho})
	}
	s := &e.sangrias[len(e.sangrias)-1]
	switch palabra := string(e.fuente[e.i : e.i+e.largo()]); palabra {
	case "elif":
		if s.elif++; s.elif > maxElif {
			return e.error("más de %d «elif» seguidos", maxElif)
		}
	case "else":
	default:
		s.elif = 0
	}
	return nil
}

// largo returns how many bytes the token here has, at least one.
func (e *examen) largo() int {
	resto := e.fuente[e.i:]
	n := 0
	for n < len(resto) && dePalabra(resto[n]) {
		n++
	}
	if n < len(resto) && n <= 2 && (resto[n] == '"' || resto[n] == '\'') && esPrefijo(resto[:n]) {
		return n + largoDeTexto(resto[n:])
	}
	return max(n, 1)
}

func dePalabra(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// esPrefijo reports whether p may come before a quote: r, b, rb or nothing.
func esPrefijo(p []byte) bool {
	return len(p) == 0 || string(p) == "r" || string(p) == "b" || string(p) == "rb"
}

// largoDeTexto returns the length of a string literal, up to the end of what
// there is when it is not closed. A backslash hides the next byte in every
// kind of string.
func largoDeTexto(s []byte) int {
	comilla := s[0]
	triple := len(s) >= 3 && s[1] == comilla && s[2] == comilla
	i := 1
	if triple {
		i = 3
	}
	for i < len(s) {
		switch {
		case s[i] == '\\':
			i += 2
		case !triple && s[i] == '\n':
			return i
		case s[i] != comilla:
			i++
		case !triple:
			return i + 1
		case i+2 < len(s) && s[i+1] == comilla && s[i+2] == comilla:
			return i + 3
		default:
			i++
		}
	}
	return len(s)
}
