package repositorio

import (
	"bytes"
	"strings"
)

// patron is one rule of a .gitignore, or the left side of one of a
// .gitattributes, with the directory it counts from.
type patron struct {
	base     string // "" or "a/b/", relative to the working tree's root
	negado   bool
	soloDir  bool
	sinBarra bool // it is compared with the last component alone
	glob     glob
}

// leerPatrones reads the rules of an ignore file, in order.
func leerPatrones(datos []byte, base string, minusculas bool) []patron {
	datos = bytes.TrimPrefix(datos, []byte("\xef\xbb\xbf"))
	var ps []patron
	for linea := range bytes.SplitSeq(datos, []byte("\n")) {
		linea = bytes.TrimSuffix(linea, []byte("\r"))
		if len(linea) == 0 || linea[0] == '#' {
			continue
		}
		if p, ok := leerPatron(sinEspaciosFinales(string(linea)), base, minusculas); ok {
			ps = append(ps, p)
		}
	}
	return ps
}

func leerPatron(texto, base string, minusculas bool) (patron, bool) {
	p := patron{base: base}
	if resto, ok := strings.CutPrefix(texto, "!"); ok {
		p.negado, texto = true, resto
	}
	if resto, ok := strings.CutSuffix(texto, "/"); ok {
		p.soloDir, texto = true, resto
	}
	if texto == "" {
		return p, false
	}
	p.sinBarra = !strings.Contains(texto, "/")
	texto = strings.TrimPrefix(texto, "/")
	var ok bool
	p.glob, ok = compilar(texto, !p.sinBarra, minusculas)
	return p, ok
}

// sinEspaciosFinales drops the spaces at the end that no backslash keeps.
func sinEspaciosFinales(s string) string {
	fin := -1 // where the run of trailing spaces starts
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case ' ':
			if fin < 0 {
				fin = i
			}
		case '\\':
			i++
			fin = -1
		default:
			fin = -1
		}
	}
	if fin >= 0 {
		return s[:fin]
	}
	return s
}

// casa says whether the rule matches this very path, not one above it. The path
// is relative to the working tree's root and lies under the rule's base.
func (p *patron) casa(ruta string, esDir bool) bool {
	if p.soloDir && !esDir {
		return false
	}
	if p.sinBarra {
		return p.glob.casa(ruta[strings.LastIndexByte(ruta, '/')+1:])
	}
	rel, ok := strings.CutPrefix(ruta, p.base)
	return ok && p.glob.casa(rel)
}

// glob is a compiled pattern. It is matched by keeping the set of positions
// reached so far, so the work is at most the pattern times the text: a rule is
// foreign content, and there is none that makes it take longer.
type glob struct {
	piezas     []pieza
	minusculas bool
}

type pieza struct {
	tipo  tipoPieza
	byte  byte
	clase *[256]bool
}

type tipoPieza byte

const (
	literal   tipoPieza = iota
	cualquier           // ?
	clase               // […]
	estrella            // *, without crossing "/"
	todo                // **, crossing "/"
	carpetas            // **/, before its first byte: it may also be nothing
	dentro              // **/, past its first byte: it ends in "/"
)

// compilar reads a pattern. With rutas, "/" separates components and only "**"
// crosses it. ok is false for a pattern that can match nothing.
func compilar(texto string, rutas, minusculas bool) (g glob, ok bool) {
	g.minusculas = minusculas
	for i := 0; i < len(texto); {
		c := texto[i]
		switch c {
		case '\\':
			if i+1 == len(texto) {
				return g, false
			}
			g.piezas = append(g.piezas, pieza{tipo: literal, byte: g.plegar(texto[i+1])})
			i += 2
		case '?':
			p := pieza{tipo: cualquier}
			g.piezas = append(g.piezas, p)
			i++
		case '*':
			fin := i
			for fin < len(texto) && texto[fin] == '*' {
				fin++
			}
			tipo := estrella
			if !rutas {
				tipo = todo
			} else if fin-i >= 2 && (texto[max(i-1, 0)] == '/' || !strings.ContainsAny(texto[:i], `*?[\`)) {
				// Git compares the plain start of a pattern apart, and what
				// follows it then counts as starting anew: measured.
				switch {
				case fin == len(texto) || strings.HasPrefix(texto[fin:], `\/`):
					tipo = todo
				case texto[fin] == '/':
					tipo = carpetas
					fin++
				}
			}
			g.piezas = append(g.piezas, pieza{tipo: tipo})
			if tipo == carpetas {
				g.piezas = append(g.piezas, pieza{tipo: dentro})
			}
			i = fin
		case '[':
			cl, fin, ok := leerClase(texto, i, minusculas)
			if !ok {
				return g, false
			}
			cl['/'] = cl['/'] && !rutas
			g.piezas = append(g.piezas, pieza{tipo: clase, clase: cl})
			i = fin
		default:
			g.piezas = append(g.piezas, pieza{tipo: literal, byte: g.plegar(c)})
			i++
		}
	}
	return g, true
}

func (g *glob) plegar(c byte) byte {
	if g.minusculas && 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func (g *glob) casa(texto string) bool {
	n := len(g.piezas)
	ahora, luego := make([]bool, n+1), make([]bool, n+1)
	ahora[0] = true
	g.saltar(ahora)
	for i := range len(texto) {
		c := g.plegar(texto[i])
		clear(luego)
		vivo := false
		for j, hay := range ahora[:n] {
			if !hay {
				continue
			}
			p := &g.piezas[j]
			switch p.tipo {
			case literal:
				luego[j+1] = luego[j+1] || p.byte == c
			case cualquier:
				luego[j+1] = luego[j+1] || c != '/'
			case clase:
				luego[j+1] = luego[j+1] || p.clase[c]
			case estrella:
				luego[j] = luego[j] || c != '/'
			case todo:
				luego[j] = true
			case carpetas:
				luego[j+1] = true
				luego[j+2] = luego[j+2] || c == '/'
			case dentro:
				luego[j] = true
				luego[j+1] = luego[j+1] || c == '/'
			}
		}
		g.saltar(luego)
		for _, hay := range luego {
			vivo = vivo || hay
		}
		if !vivo {
			return false
		}
		ahora, luego = luego, ahora
	}
	return ahora[n]
}

// saltar goes past the pieces that may match nothing.
func (g *glob) saltar(s []bool) {
	for j, p := range g.piezas {
		if !s[j] {
			continue
		}
		switch p.tipo {
		case estrella, todo:
			s[j+1] = true
		case carpetas:
			s[j+2] = true
		}
	}
}

// leerClase reads the […] that opens at texto[i] into the bytes it accepts, and
// returns where it ends. ok is false when it is malformed: then the whole
// pattern matches nothing.
func leerClase(texto string, i int, minusculas bool) (cl *[256]bool, fin int, ok bool) {
	cl = new([256]bool)
	i++
	negada := i < len(texto) && (texto[i] == '!' || texto[i] == '^')
	if negada {
		i++
	}
	previo := -1 // the byte a "-" would start from
	for primero := true; ; primero = false {
		if i >= len(texto) {
			return nil, 0, false
		}
		c := texto[i]
		switch {
		case c == ']' && !primero:
			if minusculas {
				for b := byte('A'); b <= 'Z'; b++ {
					cl[b+'a'-'A'] = cl[b+'a'-'A'] || cl[b]
				}
			}
			if negada {
				for b := range cl {
					cl[b] = !cl[b]
				}
			}
			return cl, i + 1, true
		case c == '-' && previo >= 0 && i+1 < len(texto) && texto[i+1] != ']':
			i++
			if texto[i] == '\\' {
				if i++; i >= len(texto) {
					return nil, 0, false
				}
			}
			for b := previo; b <= int(texto[i]); b++ {
				cl[b] = true
			}
			previo = -1
		case c == '[' && i+1 < len(texto) && texto[i+1] == ':':
			cierre := strings.IndexByte(texto[i+2:], ']')
			if cierre < 0 {
				return nil, 0, false
			}
			nombre, esNombre := strings.CutSuffix(texto[i+2:i+2+cierre], ":")
			if !esNombre {
				cl[c], previo = true, int(c)
				break
			}
			pertenece, hay := clasesPosix[nombre]
			if !hay {
				return nil, 0, false
			}
			for b := range 128 {
				cl[b] = cl[b] || pertenece(byte(b))
			}
			i += 2 + cierre
			previo = -1
		default:
			if c == '\\' {
				if i++; i >= len(texto) {
					return nil, 0, false
				}
				c = texto[i]
			}
			cl[c], previo = true, int(c)
		}
		i++
	}
}

// clasesPosix are the named classes, over ASCII alone as in Git.
var clasesPosix = map[string]func(byte) bool{
	"alnum":  func(c byte) bool { return esLetra(c) || esCifra(c) },
	"alpha":  esLetra,
	"blank":  func(c byte) bool { return c == ' ' || c == '\t' },
	"cntrl":  func(c byte) bool { return c < 0x20 || c == 0x7f },
	"digit":  esCifra,
	"graph":  func(c byte) bool { return c > ' ' && c < 0x7f },
	"lower":  func(c byte) bool { return 'a' <= c && c <= 'z' },
	"print":  func(c byte) bool { return c >= ' ' && c < 0x7f },
	"punct":  func(c byte) bool { return c > ' ' && c < 0x7f && !esLetra(c) && !esCifra(c) },
	"space":  func(c byte) bool { return c == ' ' || ('\t' <= c && c <= '\r') },
	"upper":  func(c byte) bool { return 'A' <= c && c <= 'Z' },
	"xdigit": func(c byte) bool { return esCifra(c) || ('a' <= c|0x20 && c|0x20 <= 'f') },
}

func esLetra(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func esCifra(c byte) bool { return '0' <= c && c <= '9' }
