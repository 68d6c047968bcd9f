package python

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Leer reads a file. The error is an *[Error].
func Leer(fuente []byte) (*Modulo, error) {
	s := strings.TrimPrefix(string(fuente), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	l := &lexico{s: s}
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return nil, &Error{Pos{1, 1}, "el archivo no es UTF-8"}
	}
	if err := l.todo(false); err != nil {
		return nil, err
	}
	p := &lector{fichas: l.fichas}
	var cuerpo []Sentencia
	if err := p.proteger(func() {
		for p.f().clase != fin {
			cuerpo = append(cuerpo, p.sentencia()...)
		}
	}); err != nil {
		return nil, err
	}
	return &Modulo{Cuerpo: cuerpo, Comentarios: l.comentarios}, nil
}

// lector turns tokens into statements. Faults travel as panics of *Error up to
// proteger.
type lector struct {
	fichas []ficha
	i      int
	hondo  int
}

// maxHondo bounds the recursion.
const maxHondo = 200

func (p *lector) proteger(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(*Error)
			if !ok {
				panic(r)
			}
			err = e
		}
	}()
	f()
	return nil
}

func (p *lector) fallar(pos Pos, formato string, a ...any) {
	panic(&Error{pos, fmt.Sprintf(formato, a...)})
}

// bajar counts a level of nesting; call what it returns on the way out.
func (p *lector) bajar() func() {
	if p.hondo++; p.hondo > maxHondo {
		p.fallar(p.f().Pos, "demasiado anidado")
	}
	return func() { p.hondo-- }
}

func (p *lector) f() ficha { return p.fichas[p.i] }

func (p *lector) tomar() ficha {
	f := p.fichas[p.i]
	if f.clase != fin {
		p.i++
	}
	return f
}

// es reports whether the next token is that sign or word.
func (p *lector) es(s string) bool {
	f := p.f()
	return (f.clase == signo || f.clase == nombre) && f.valor == s
}

// si takes the next token when it is that sign or word.
func (p *lector) si(s string) bool {
	if p.es(s) {
		p.i++
		return true
	}
	return false
}

func (p *lector) exigir(s string) Pos {
	f := p.f()
	if !p.si(s) {
		p.fallar(f.Pos, "se esperaba «%s»; llegó %s", s, f)
	}
	return f.Pos
}

// reservadas are the words that cannot be a name.
var reservadas = func() map[string]bool {
	m := make(map[string]bool)
	for _, s := range strings.Fields("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield") {
		m[s] = true
	}
	return m
}()

func (p *lector) nombre() ficha {
	f := p.f()
	if f.clase != nombre || reservadas[f.valor] {
		p.fallar(f.Pos, "se esperaba un nombre; llegó %s", f)
	}
	p.i++
	return f
}

func (p *lector) finDeRenglon() {
	if p.si(";") {
		if p.f().clase == renglon {
			p.i++
		}
		return
	}
	if f := p.f(); f.clase == renglon {
		p.i++
	} else if f.clase != fin {
		p.fallar(f.Pos, "se esperaba el final del renglón; llegó %s", f)
	}
}

// sinTraduccion says why a word that begins a statement has no translation.
var sinTraduccion = map[string]string{
	"while":    "no hay «while»: usá «for» sobre un rango con tope",
	"try":      "no hay «try»: una escalar que falla es un error de evaluación",
	"with":     "no hay «with»: una escalar no abre nada",
	"class":    "no hay clases: usá funciones y diccionarios",
	"async":    "no hay funciones asíncronas",
	"del":      "no hay «del»",
	"global":   "no hay «global»: una función no cambia el estado del módulo",
	"nonlocal": "no hay «nonlocal»: una función no cambia las variables de otra",
	"yield":    "no hay generadores: devolvé una lista",
	"await":    "no hay «await»",
}

// sentencia takes one line, or one compound statement.
func (p *lector) sentencia() []Sentencia {
	defer p.bajar()()
	f := p.f()
	if f.clase == sangra {
		p.fallar(f.Pos, "sangría inesperada")
	}
	if f.clase == renglon {
		p.i++
		return nil
	}
	if f.clase == nombre {
		if motivo := sinTraduccion[f.valor]; motivo != "" {
			p.saltear()
			for p.es("except") || p.es("finally") || p.es("else") {
				p.saltear()
			}
			return []Sentencia{&NoPortable{f.Pos, motivo}}
		}
		switch f.valor {
		case "def":
			return []Sentencia{p.funcion(nil)}
		case "if":
			return []Sentencia{p.condicion()}
		case "for":
			return []Sentencia{p.para()}
		case "match":
			if s := p.fichas[p.i+1]; s.clase == nombre || s.clase == numero || s.clase == texto {
				p.saltear()
				return []Sentencia{&NoPortable{f.Pos, "no hay «match»: usá if y elif"}}
			}
		}
	}
	if p.es("@") {
		return []Sentencia{p.decorada()}
	}
	var ss []Sentencia
	for {
		ss = append(ss, p.simple()...)
		if !p.si(";") {
			break
		}
		if p.f().clase == renglon {
			break
		}
	}
	p.finDeRenglon()
	return ss
}

// saltear passes over a line and the block it opens, if any.
func (p *lector) saltear() {
	for p.f().clase != renglon && p.f().clase != fin {
		p.i++
	}
	p.tomar()
	if p.f().clase != sangra {
		return
	}
	for n := 0; p.f().clase != fin; {
		switch p.tomar().clase {
		case sangra:
			n++
		case desangra:
			if n--; n == 0 {
				return
			}
		}
	}
}

func (p *lector) bloque() []Sentencia {
	p.exigir(":")
	if p.f().clase != renglon {
		var ss []Sentencia
		for {
			ss = append(ss, p.simple()...)
			if !p.si(";") || p.f().clase == renglon {
				break
			}
		}
		p.finDeRenglon()
		return ss
	}
	p.i++
	if f := p.tomar(); f.clase != sangra {
		p.fallar(f.Pos, "se esperaba un bloque con sangría")
	}
	var ss []Sentencia
	for p.f().clase != desangra && p.f().clase != fin {
		ss = append(ss, p.sentencia()...)
	}
	p.tomar()
	return ss
}

func (p *lector) decorada() Sentencia {
	pos := p.f().Pos
	var ds []Expr
	for p.si("@") {
		ds = append(ds, p.expresion())
		p.finDeRenglon()
	}
	if !p.es("def") {
		p.saltear()
		return &NoPortable{pos, "sólo se decoran funciones"}
	}
	return p.funcion(ds)
}

func (p *lector) funcion(ds []Expr) Sentencia {
	pos := p.exigir("def")
	n := p.nombre()
	if p.es("[") {
		p.fallar(p.f().Pos, "no hay parámetros de tipo")
	}
	p.exigir("(")
	ps := p.parametros(")", true)
	p.exigir(")")
	if p.si("->") {
		p.expresion()
	}
	return &Funcion{pos, n.valor, ps, ds, p.bloque()}
}

// parametros takes parameters up to cierre, which is left.
func (p *lector) parametros(cierre string, anotados bool) []Parametro {
	var ps []Parametro
	solo := false
	for !p.es(cierre) {
		f := p.f()
		q := Parametro{Pos: f.Pos, SoloNombre: solo}
		switch {
		case p.si("/"):
			// Positional-only: scalars are only called by position anyway.
			if !p.si(",") && !p.es(cierre) {
				p.exigir(",")
			}
			continue
		case p.si("**"):
			q.Estrellas = 2
		case p.si("*"):
			q.Estrellas = 1
			solo = true
		}
		if q.Estrellas != 1 || !p.es(",") {
			q.Nombre = p.nombre().valor
			if anotados && p.si(":") {
				p.expresionDeArgumento()
			}
			if p.si("=") {
				q.Defecto = p.expresion()
			}
		}
		ps = append(ps, q)
		if !p.si(",") {
			break
		}
	}
	return ps
}

func (p *lector) condicion() Sentencia {
	s := &Si{Pos: p.tomar().Pos, Condicion: p.expresion()}
	s.Cuerpo = p.bloque()
	switch {
	case p.es("elif"):
		s.Sino = []Sentencia{p.condicionElif()}
	case p.si("else"):
		s.Sino = p.bloque()
	}
	return s
}

func (p *lector) condicionElif() Sentencia {
	defer p.bajar()()
	return p.condicion()
}

func (p *lector) para() Sentencia {
	s := &Para{Pos: p.exigir("for"), Destino: p.destinos()}
	p.exigir("in")
	s.Iterable = p.expresiones()
	s.Cuerpo = p.bloque()
	if p.si("else") {
		s.ConSino = true
		p.bloque()
	}
	return s
}

// simple takes a statement of one line; annotations alone give none.
func (p *lector) simple() []Sentencia {
	f := p.f()
	if f.clase == nombre {
		if motivo := sinTraduccion[f.valor]; motivo != "" {
			for p.f().clase != renglon && p.f().clase != fin && !p.es(";") {
				p.i++
			}
			return []Sentencia{&NoPortable{f.Pos, motivo}}
		}
		switch f.valor {
		case "pass", "break", "continue":
			p.i++
			return []Sentencia{&Simple{f.Pos, f.valor}}
		case "return":
			p.i++
			s := &Retorno{Pos: f.Pos}
			if !p.acaba() {
				s.Valor = p.expresiones()
			}
			return []Sentencia{s}
		case "raise":
			p.i++
			s := &Lanzar{Pos: f.Pos}
			if !p.acaba() {
				s.Valor = p.expresion()
				if p.si("from") {
					p.expresion()
				}
			}
			return []Sentencia{s}
		case "assert":
			p.i++
			s := &Afirmar{Pos: f.Pos, Condicion: p.expresion()}
			if p.si(",") {
				s.Mensaje = p.expresion()
			}
			return []Sentencia{s}
		case "import", "from":
			return p.importar()
		}
	}
	return p.asignacion()
}

// acaba reports whether the line ends here.
func (p *lector) acaba() bool {
	return p.f().clase == renglon || p.f().clase == fin || p.es(";")
}

func (p *lector) importar() []Sentencia {
	pos := p.f().Pos
	var ss []Sentencia
	punteado := func() string {
		var b strings.Builder
		for p.es(".") || p.es("...") {
			b.WriteString(p.tomar().valor)
		}
		if b.Len() > 0 && p.es("import") {
			return b.String()
		}
		b.WriteString(p.nombre().valor)
		for p.si(".") {
			b.WriteString("." + p.nombre().valor)
		}
		return b.String()
	}
	alias := func(porOmision string) string {
		if p.si("as") {
			return p.nombre().valor
		}
		return porOmision
	}
	if p.si("import") {
		for {
			m := punteado()
			ss = append(ss, &Importar{Pos: pos, Modulo: m, Alias: alias(m)})
			if !p.si(",") {
				return ss
			}
		}
	}
	p.exigir("from")
	m := punteado()
	p.exigir("import")
	if p.si("*") {
		return []Sentencia{&NoPortable{pos, "no se porta «import *»: nombrá lo que se usa"}}
	}
	abre := p.si("(")
	for {
		n := p.nombre()
		ss = append(ss, &Importar{Pos: pos, Modulo: m, Nombre: n.valor, Alias: alias(n.valor)})
		if !p.si(",") || abre && p.es(")") {
			break
		}
	}
	if abre {
		p.exigir(")")
	}
	return ss
}

func (p *lector) asignacion() []Sentencia {
	pos := p.f().Pos
	e := p.expresiones()
	for _, op := range []string{"+=", "-=", "*=", "/=", "//=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>=", "@="} {
		if p.si(op) {
			return []Sentencia{&Aumento{pos, e, strings.TrimSuffix(op, "="), p.expresiones()}}
		}
	}
	if p.si(":") {
		p.expresion()
		if !p.si("=") {
			return nil // an annotation and nothing else
		}
		return []Sentencia{&Asignacion{pos, []Expr{e}, p.expresiones()}}
	}
	if !p.es("=") {
		return []Sentencia{&Suelta{pos, e}}
	}
	s := &Asignacion{Pos: pos, Destinos: []Expr{e}}
	for p.si("=") {
		s.Valor = p.expresiones()
		if p.es("=") {
			s.Destinos = append(s.Destinos, s.Valor)
		}
	}
	return []Sentencia{s}
}
