package python

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// clase is the kind of a token.
type clase uint8

const (
	fin clase = iota
	renglon
	sangra
	desangra
	nombre
	numero
	texto
	formateado
	signo
)

// ficha is a token. With texto, valor is the decoded string; with formateado it
// is what is between the quotes, and crudo tells whether «\» is itself.
type ficha struct {
	Pos
	clase clase
	valor string
	crudo bool
	flota bool
}

func (f ficha) String() string {
	switch f.clase {
	case fin:
		return "el final del archivo"
	case renglon:
		return "el final del renglón"
	case sangra, desangra:
		return "un cambio de sangría"
	case texto, formateado:
		return "un texto"
	default:
		return "«" + f.valor + "»"
	}
}

// lexico turns text into tokens.
type lexico struct {
	s           string
	i           int
	linea       int
	inicio      int // where the line begins
	contado     int // up to where columns were counted
	columna     int // of contado
	parentesis  []byte
	sangrias    []int
	fichas      []ficha
	comentarios []Comentario
}

// maxFichas bounds what is read; a file of a mebibyte cannot have more.
const maxFichas = 1 << 20

// pos returns the place of the next byte. Counting goes on from where it was,
// so a long line costs its length once.
func (l *lexico) pos() Pos {
	if l.contado < l.inicio || l.contado > l.i {
		l.contado, l.columna = l.inicio, 1
	}
	l.columna += utf8.RuneCountInString(l.s[l.contado:l.i])
	l.contado = l.i
	return Pos{l.linea, l.columna}
}

func (l *lexico) error(p Pos, formato string, a ...any) *Error {
	return &Error{p, fmt.Sprintf(formato, a...)}
}

func (l *lexico) agregar(f ficha) { l.fichas = append(l.fichas, f) }

// todo reads the whole text. dentro says that it is the inside of an f-string,
// where lines mean nothing.
func (l *lexico) todo(dentro bool) *Error {
	l.linea, l.columna, l.sangrias = 1, 1, []int{0}
	empieza := !dentro
	for {
		if empieza {
			vacio, err := l.sangria()
			if err != nil {
				return err
			}
			if vacio {
				if l.i >= len(l.s) {
					break
				}
				continue
			}
			empieza = false
		}
		for l.i < len(l.s) && (l.s[l.i] == ' ' || l.s[l.i] == '\t' || l.s[l.i] == '\f') {
			l.i++
		}
		if l.i >= len(l.s) {
			break
		}
		c := l.s[l.i]
		switch {
		case c == '\n':
			if len(l.parentesis) == 0 && !dentro {
				l.agregar(ficha{Pos: l.pos(), clase: renglon})
				empieza = true
			}
			l.salto()
		case c == '#':
			l.comentario()
		case c == '\\' && strings.HasPrefix(l.s[l.i+1:], "\n"):
			l.i++
			l.salto()
		default:
			if err := l.una(); err != nil {
				return err
			}
		}
		if len(l.fichas) > maxFichas {
			return l.error(l.pos(), "el archivo es demasiado largo")
		}
	}
	if len(l.parentesis) > 0 {
		return l.error(l.pos(), "falta cerrar «%c»", l.parentesis[len(l.parentesis)-1])
	}
	if n := len(l.fichas); n > 0 && l.fichas[n-1].clase != renglon && !dentro {
		l.agregar(ficha{Pos: l.pos(), clase: renglon})
	}
	for range l.sangrias[1:] {
		l.agregar(ficha{Pos: l.pos(), clase: desangra})
	}
	l.agregar(ficha{Pos: l.pos(), clase: fin})
	return nil
}

func (l *lexico) salto() {
	l.i++
	l.linea++
	l.inicio = l.i
}

func (l *lexico) comentario() {
	p, j := l.pos(), l.i
	for l.i < len(l.s) && l.s[l.i] != '\n' {
		l.i++
	}
	l.comentarios = append(l.comentarios, Comentario{p, strings.TrimRight(l.s[j+1:l.i], " \t\r")})
}

// sangria minds the indentation of a new line. It reports whether the line has
// nothing else.
func (l *lexico) sangria() (bool, *Error) {
	ancho := 0
	for l.i < len(l.s) {
		switch l.s[l.i] {
		case ' ':
			ancho++
		case '\t':
			ancho = (ancho/8 + 1) * 8
		case '\f':
			ancho = 0
		default:
			goto medida
		}
		l.i++
	}
medida:
	switch {
	case l.i >= len(l.s):
		return true, nil
	case l.s[l.i] == '\n':
		l.salto()
		return true, nil
	case l.s[l.i] == '#':
		l.comentario()
		return true, nil
	}
	ultima := l.sangrias[len(l.sangrias)-1]
	if ancho > ultima {
		if len(l.sangrias) > 100 {
			return false, l.error(l.pos(), "más de 100 bloques anidados")
		}
		l.sangrias = append(l.sangrias, ancho)
		l.agregar(ficha{Pos: l.pos(), clase: sangra})
	}
	for ancho < l.sangrias[len(l.sangrias)-1] {
		l.sangrias = l.sangrias[:len(l.sangrias)-1]
		l.agregar(ficha{Pos: l.pos(), clase: desangra})
	}
	if ancho != l.sangrias[len(l.sangrias)-1] {
		return false, l.error(l.pos(), "la sangría no coincide con ningún bloque")
	}
	return false, nil
}

// signos are the operators, longest first.
var signos = strings.Fields("**= //= >>= <<= ... ** // >> << <= >= == != -> += -= *= /= %= &= |= ^= @= := ( ) [ ] { } , : . ; @ = + - * / % & | ^ ~ < >")

// una takes one token.
func (l *lexico) una() *Error {
	p := l.pos()
	r, _ := utf8.DecodeRuneInString(l.s[l.i:])
	switch {
	case r == utf8.RuneError:
		return l.error(p, "el archivo no es UTF-8")
	case r == '_' || unicode.IsLetter(r):
		j := l.i
		for l.i < len(l.s) {
			r, n := utf8.DecodeRuneInString(l.s[l.i:])
			if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
				break
			}
			l.i += n
		}
		palabra := l.s[j:l.i]
		if l.i < len(l.s) && (l.s[l.i] == '"' || l.s[l.i] == '\'') && len(palabra) <= 2 {
			if pre := strings.ToLower(palabra); strings.Trim(pre, "rbuft") == "" {
				return l.cadena(p, pre)
			}
		}
		l.agregar(ficha{Pos: p, clase: nombre, valor: palabra})
		return nil
	case r >= '0' && r <= '9' || r == '.' && l.i+1 < len(l.s) && l.s[l.i+1] >= '0' && l.s[l.i+1] <= '9':
		return l.numero(p)
	case r == '"' || r == '\'':
		return l.cadena(p, "")
	}
	for _, s := range signos {
		if !strings.HasPrefix(l.s[l.i:], s) {
			continue
		}
		switch s {
		case "(", "[", "{":
			if len(l.parentesis) >= 100 {
				return l.error(p, "más de 100 paréntesis anidados")
			}
			l.parentesis = append(l.parentesis, s[0])
		case ")", "]", "}":
			n := len(l.parentesis)
			if n == 0 || strings.IndexByte("([{", l.parentesis[n-1]) != strings.IndexByte(")]}", s[0]) {
				return l.error(p, "sobra «%s»", s)
			}
			l.parentesis = l.parentesis[:n-1]
		}
		l.i += len(s)
		l.agregar(ficha{Pos: p, clase: signo, valor: s})
		return nil
	}
	return l.error(p, "no se entiende «%c»", r)
}

// numero takes a number.
func (l *lexico) numero(p Pos) *Error {
	j := l.i
	for l.i < len(l.s) {
		c := l.s[l.i]
		exponente := (c == '+' || c == '-') && (l.s[l.i-1] == 'e' || l.s[l.i-1] == 'E') && l.i > j && !strings.HasPrefix(strings.ToLower(l.s[j:l.i]), "0x")
		if !(c == '_' || c == '.' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || exponente) {
			break
		}
		l.i++
	}
	s := l.s[j:l.i]
	if strings.HasSuffix(s, "_") || strings.Contains(s, "__") {
		return l.error(p, "«%s» no es un número", s)
	}
	limpio := strings.ReplaceAll(s, "_", "")
	bajo := strings.ToLower(limpio)
	if strings.HasSuffix(bajo, "j") {
		return l.error(p, "no hay números complejos")
	}
	base := 10
	if len(bajo) > 1 && bajo[0] == '0' {
		if i := strings.IndexByte("xob", bajo[1]); i >= 0 {
			base = []int{16, 8, 2}[i]
		}
	}
	if base != 10 || strings.Trim(bajo, "0123456789") == "" {
		digitos := bajo
		if base != 10 {
			digitos = bajo[2:]
		} else if len(bajo) > 1 && bajo[0] == '0' && strings.Trim(bajo, "0") != "" {
			return l.error(p, "«%s» no es un número", s)
		}
		n, ok := new(big.Int).SetString(digitos, base)
		if !ok || len(digitos) > 5000 {
			return l.error(p, "«%.40s» no es un número", s)
		}
		l.agregar(ficha{Pos: p, clase: numero, valor: n.String()})
		return nil
	}
	f, err := strconv.ParseFloat(limpio, 64)
	if err != nil {
		return l.error(p, "«%.40s» no es un número finito", s)
	}
	v := strconv.FormatFloat(f, 'g', -1, 64)
	if !strings.ContainsAny(v, ".e") {
		v += ".0"
	}
	l.agregar(ficha{Pos: p, clase: numero, valor: v, flota: true})
	return nil
}

// cadena takes a string with the given lower-case prefix.
func (l *lexico) cadena(p Pos, prefijo string) *Error {
	if strings.ContainsAny(prefijo, "bt") {
		return l.error(p, "no hay textos con prefijo «%s»", prefijo)
	}
	comilla := l.s[l.i : l.i+1]
	if strings.HasPrefix(l.s[l.i:], strings.Repeat(comilla, 3)) {
		comilla = strings.Repeat(comilla, 3)
	}
	l.i += len(comilla)
	j := l.i
	for {
		switch {
		case l.i >= len(l.s) || l.s[l.i] == '\n' && len(comilla) == 1:
			return l.error(p, "falta cerrar el texto")
		case strings.HasPrefix(l.s[l.i:], comilla):
			dentro := l.s[j:l.i]
			l.i += len(comilla)
			crudo := strings.Contains(prefijo, "r")
			if strings.Contains(prefijo, "f") {
				l.agregar(ficha{Pos: p, clase: formateado, valor: dentro, crudo: crudo})
				return nil
			}
			v, motivo := decodificar(dentro, crudo)
			if motivo != "" {
				return l.error(p, "%s", motivo)
			}
			l.agregar(ficha{Pos: p, clase: texto, valor: v})
			return nil
		case l.s[l.i] == '\\' && l.i+1 < len(l.s):
			l.i++
			if l.s[l.i] == '\n' {
				l.salto()
			} else {
				l.i++
			}
		case l.s[l.i] == '\n':
			l.salto()
		default:
			l.i++
		}
	}
}

// decodificar returns the value of the inside of a string, or why not.
func decodificar(s string, crudo bool) (string, string) {
	if crudo || !strings.Contains(s, `\`) {
		return s, ""
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 >= len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		if k := strings.IndexByte("\\'\"abfnrtv", s[i]); k >= 0 {
			b.WriteByte("\\'\"\a\b\f\n\r\t\v"[k])
			continue
		}
		cifras := 0
		switch s[i] {
		case '\n':
			continue
		case 'x':
			cifras = 2
		case 'u':
			cifras = 4
		case 'U':
			cifras = 8
		case 'N':
			return "", "no hay escapes «\\N{…}»"
		default:
			if s[i] >= '0' && s[i] <= '7' {
				k := i
				for k < len(s) && k < i+3 && s[k] >= '0' && s[k] <= '7' {
					k++
				}
				n, _ := strconv.ParseUint(s[i:k], 8, 32)
				b.WriteRune(rune(n))
				i = k - 1
				continue
			}
			b.WriteByte('\\') // Python keeps what it does not know
			b.WriteByte(s[i])
			continue
		}
		if i+cifras >= len(s) {
			return "", "un escape sin terminar"
		}
		n, err := strconv.ParseUint(s[i+1:i+1+cifras], 16, 32)
		if err != nil || !utf8.ValidRune(rune(n)) {
			return "", "un escape que no es un carácter"
		}
		b.WriteRune(rune(n))
		i += cifras
	}
	return b.String(), ""
}
