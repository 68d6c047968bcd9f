package python

import (
	"strings"
)

// expresiones takes one expression, or several with commas as a tuple.
func (p *lector) expresiones() Expr {
	pos := p.f().Pos
	e := p.expresionOEstrella()
	if !p.es(",") {
		return e
	}
	t := &Secuencia{Pos: pos, Clase: "tuple", Elementos: []Expr{e}}
	for p.si(",") {
		if p.acaba() || p.es("=") || p.es(")") || p.es("]") || p.es("}") || p.es(":") {
			break
		}
		t.Elementos = append(t.Elementos, p.expresionOEstrella())
	}
	return t
}

// destinos takes what a «for» assigns to.
func (p *lector) destinos() Expr {
	pos := p.f().Pos
	uno := func() Expr {
		p.sinEstrella()
		return p.primario()
	}
	e := uno()
	if !p.es(",") {
		return e
	}
	t := &Secuencia{Pos: pos, Clase: "tuple", Elementos: []Expr{e}}
	for p.si(",") {
		if p.es("in") {
			break
		}
		t.Elementos = append(t.Elementos, uno())
	}
	return t
}

func (p *lector) sinEstrella() {
	if p.es("*") || p.es("**") {
		p.fallar(p.f().Pos, "no hay «*» para juntar lo que sobra: nombrá cada parte")
	}
}

func (p *lector) expresionOEstrella() Expr {
	p.sinEstrella()
	return p.expresion()
}

// expresionDeArgumento takes an annotation, which may begin with a star.
func (p *lector) expresionDeArgumento() Expr {
	p.si("*")
	return p.expresion()
}

func (p *lector) expresion() Expr {
	defer p.bajar()()
	f := p.f()
	switch {
	case p.es("lambda"):
		p.i++
		ps := p.parametros(":", false)
		p.exigir(":")
		return &Lambda{f.Pos, ps, p.expresion()}
	case p.es("yield") || p.es("await"):
		p.fallar(f.Pos, "%s", sinTraduccion[f.valor])
	}
	e := p.disyuncion()
	if p.es(":=") {
		p.fallar(p.f().Pos, "no hay «:=»: asigná en un renglón aparte")
	}
	if !p.si("if") {
		return e
	}
	c := &Condicional{Pos: e.Lugar(), Entonces: e, Si: p.disyuncion()}
	p.exigir("else")
	c.Sino = p.expresion()
	return c
}

func (p *lector) disyuncion() Expr { return p.logico("or", p.conjuncion) }

func (p *lector) conjuncion() Expr { return p.logico("and", p.negacion) }

func (p *lector) logico(op string, lado func() Expr) Expr {
	e := lado()
	if !p.es(op) {
		return e
	}
	l := &Logico{Pos: e.Lugar(), Op: op, Valores: []Expr{e}}
	for p.si(op) {
		l.Valores = append(l.Valores, lado())
	}
	return l
}

func (p *lector) negacion() Expr {
	defer p.bajar()()
	f := p.f()
	if p.si("not") {
		return &Unario{f.Pos, "not", p.negacion()}
	}
	return p.comparacion()
}

func (p *lector) comparacion() Expr {
	e := p.binario(0)
	c := &Comparacion{Pos: e.Lugar(), Izq: e}
	for {
		op := ""
		switch f := p.f(); {
		case f.clase == signo && (f.valor == "==" || f.valor == "!=" || f.valor == "<" || f.valor == "<=" || f.valor == ">" || f.valor == ">="):
			op = f.valor
			p.i++
		case p.si("in"):
			op = "in"
		case p.es("not") && p.fichas[p.i+1].clase == nombre && p.fichas[p.i+1].valor == "in":
			op = "not in"
			p.i += 2
		case p.si("is"):
			op = "is"
			if p.si("not") {
				op = "is not"
			}
		}
		if op == "" {
			break
		}
		c.Ops = append(c.Ops, op)
		c.Der = append(c.Der, p.binario(0))
	}
	if len(c.Ops) == 0 {
		return e
	}
	return c
}

// niveles are the binary operators, loosest first.
var niveles = [][]string{{"|"}, {"^"}, {"&"}, {"<<", ">>"}, {"+", "-"}, {"*", "/", "//", "%", "@"}}

func (p *lector) binario(nivel int) Expr {
	if nivel == len(niveles) {
		return p.unario()
	}
	e := p.binario(nivel + 1)
	for {
		op := ""
		for _, s := range niveles[nivel] {
			if f := p.f(); f.clase == signo && f.valor == s {
				op = s
			}
		}
		if op == "" {
			return e
		}
		p.i++
		e = &Binario{e.Lugar(), op, e, p.binario(nivel + 1)}
	}
}

func (p *lector) unario() Expr {
	defer p.bajar()()
	f := p.f()
	if f.clase == signo && (f.valor == "-" || f.valor == "+" || f.valor == "~") {
		p.i++
		return &Unario{f.Pos, f.valor, p.unario()}
	}
	e := p.primario()
	if f := p.f(); p.si("**") {
		return &Binario{f.Pos, "**", e, p.unario()}
	}
	return e
}

func (p *lector) primario() Expr {
	e := p.atomo()
	for {
		f := p.f()
		switch {
		case p.si("."):
			e = &Atributo{f.Pos, e, p.nombre().valor}
		case p.si("("):
			e = &Llamada{e.Lugar(), e, p.argumentos()}
			p.exigir(")")
		case p.si("["):
			e = p.indice(f.Pos, e)
			p.exigir("]")
		default:
			return e
		}
	}
}

func (p *lector) indice(pos Pos, e Expr) Expr {
	var partes [3]Expr
	n, cortes := 0, false
	for !p.es("]") {
		if p.si(":") {
			cortes = true
			if n++; n > 2 {
				p.fallar(pos, "un corte tiene hasta tres partes")
			}
			continue
		}
		if partes[n] != nil {
			p.fallar(p.f().Pos, "se esperaba «]»; llegó %s", p.f())
		}
		if partes[n] = p.expresionOEstrella(); p.es(",") {
			// A tuple as an index; annotations have many.
			t := &Secuencia{Pos: partes[n].Lugar(), Clase: "tuple", Elementos: []Expr{partes[n]}}
			for p.si(",") && !p.es("]") {
				t.Elementos = append(t.Elementos, p.expresionOEstrella())
			}
			partes[n] = t
		}
	}
	if cortes {
		return &Corte{pos, e, partes[0], partes[1], partes[2]}
	}
	if partes[0] == nil {
		p.fallar(p.f().Pos, "falta el índice")
	}
	return &Indice{pos, e, partes[0]}
}

func (p *lector) argumentos() []Argumento {
	var as []Argumento
	for !p.es(")") {
		a := Argumento{Pos: p.f().Pos}
		switch {
		case p.si("**"):
			a.Estrellas = 2
		case p.si("*"):
			a.Estrellas = 1
		case p.f().clase == nombre && p.fichas[p.i+1].clase == signo && p.fichas[p.i+1].valor == "=":
			a.Nombre = p.nombre().valor
			p.i++
		}
		a.Valor = p.expresion()
		if p.es("for") || p.es("async") {
			a.Valor = &Comprension{Pos: a.Valor.Lugar(), Clase: "generator", Elemento: a.Valor, Clausulas: p.clausulas()}
		}
		as = append(as, a)
		if !p.si(",") {
			break
		}
	}
	return as
}

func (p *lector) clausulas() []Clausula {
	var cs []Clausula
	for p.es("for") || p.es("async") {
		if p.es("async") {
			p.fallar(p.f().Pos, "no hay funciones asíncronas")
		}
		c := Clausula{Pos: p.exigir("for"), Destino: p.destinos()}
		p.exigir("in")
		c.Iterable = p.disyuncion()
		for p.si("if") {
			c.Condiciones = append(c.Condiciones, p.disyuncion())
			if p.es(":=") {
				p.fallar(p.f().Pos, "no hay «:=»: asigná en un renglón aparte")
			}
		}
		cs = append(cs, c)
	}
	return cs
}

func (p *lector) atomo() Expr {
	defer p.bajar()()
	f := p.f()
	switch f.clase {
	case numero:
		p.i++
		return &Numero{f.Pos, f.valor, f.flota}
	case texto, formateado:
		return p.textos()
	case nombre:
		switch f.valor {
		case "None", "True", "False":
			p.i++
			return &Constante{f.Pos, f.valor}
		}
		return &Nombre{f.Pos, p.nombre().valor}
	}
	switch {
	case p.si("..."):
		return &Constante{f.Pos, "..."}
	case p.si("("):
		return p.parentesis(f.Pos)
	case p.si("["):
		return p.lista(f.Pos)
	case p.si("{"):
		return p.llaves(f.Pos)
	}
	p.fallar(f.Pos, "se esperaba una expresión; llegó %s", f)
	return nil
}

func (p *lector) parentesis(pos Pos) Expr {
	if p.si(")") {
		return &Secuencia{Pos: pos, Clase: "tuple"}
	}
	if p.es("yield") {
		p.fallar(p.f().Pos, "%s", sinTraduccion["yield"])
	}
	e := p.expresiones()
	if p.es("for") || p.es("async") {
		e = &Comprension{Pos: pos, Clase: "generator", Elemento: e, Clausulas: p.clausulas()}
	}
	p.exigir(")")
	return e
}

func (p *lector) lista(pos Pos) Expr {
	s := &Secuencia{Pos: pos, Clase: "list"}
	for !p.es("]") {
		s.Elementos = append(s.Elementos, p.expresionOEstrella())
		if len(s.Elementos) == 1 && (p.es("for") || p.es("async")) {
			c := &Comprension{Pos: pos, Clase: "list", Elemento: s.Elementos[0], Clausulas: p.clausulas()}
			p.exigir("]")
			return c
		}
		if !p.si(",") {
			break
		}
	}
	p.exigir("]")
	return s
}

func (p *lector) llaves(pos Pos) Expr {
	d := &Diccionario{Pos: pos}
	s := &Secuencia{Pos: pos, Clase: "set"}
	for !p.es("}") {
		if p.si("**") {
			d.Claves, d.Valores = append(d.Claves, nil), append(d.Valores, p.expresion())
		} else {
			e := p.expresionOEstrella()
			if p.si(":") {
				v := p.expresion()
				if p.es("for") || p.es("async") {
					c := &Comprension{Pos: pos, Clase: "dict", Elemento: e, Valor: v, Clausulas: p.clausulas()}
					p.exigir("}")
					return c
				}
				d.Claves, d.Valores = append(d.Claves, e), append(d.Valores, v)
			} else {
				if p.es("for") || p.es("async") {
					c := &Comprension{Pos: pos, Clase: "set", Elemento: e, Clausulas: p.clausulas()}
					p.exigir("}")
					return c
				}
				s.Elementos = append(s.Elementos, e)
			}
		}
		if !p.si(",") {
			break
		}
	}
	p.exigir("}")
	if len(s.Elementos) > 0 {
		if len(d.Valores) > 0 {
			p.fallar(pos, "mezcla un conjunto y un diccionario")
		}
		return s
	}
	return d
}

// textos takes adjacent strings, which are one.
func (p *lector) textos() Expr {
	pos := p.f().Pos
	var partes []Expr
	con := false
	for p.f().clase == texto || p.f().clase == formateado {
		f := p.tomar()
		if f.clase == texto {
			partes = append(partes, &Texto{f.Pos, f.valor})
			continue
		}
		con = true
		partes = append(partes, p.formateado(f)...)
	}
	if con {
		return &Formateado{pos, partes}
	}
	var b strings.Builder
	for _, x := range partes {
		b.WriteString(x.(*Texto).Valor)
	}
	return &Texto{pos, b.String()}
}

// formateado takes the inside of an f-string apart.
func (p *lector) formateado(f ficha) []Expr {
	defer p.bajar()()
	var partes []Expr
	var literal strings.Builder
	cerrar := func() {
		if literal.Len() == 0 {
			return
		}
		v, motivo := decodificar(literal.String(), f.crudo)
		if motivo != "" {
			p.fallar(f.Pos, "%s", motivo)
		}
		partes = append(partes, &Texto{f.Pos, v})
		literal.Reset()
	}
	s := f.valor
	for i := 0; i < len(s); {
		switch {
		case strings.HasPrefix(s[i:], "{{") || strings.HasPrefix(s[i:], "}}"):
			literal.WriteByte(s[i])
			i += 2
		case s[i] == '}':
			p.fallar(f.Pos, "sobra «}» en el texto")
		case s[i] == '\\' && i+1 < len(s) && !f.crudo:
			literal.WriteString(s[i : i+2])
			i += 2
		case s[i] != '{':
			literal.WriteByte(s[i])
			i++
		default:
			cerrar()
			h, n := p.hueco(f, s[i+1:])
			partes = append(partes, h)
			i += 1 + n
		}
	}
	cerrar()
	return partes
}

// hueco takes a replacement field from after its «{», and returns how many
// bytes it took with its «}».
func (p *lector) hueco(f ficha, s string) (Expr, int) {
	hasta, comilla := 0, byte(0)
	var abiertos []byte
busca:
	for ; hasta < len(s); hasta++ {
		c := s[hasta]
		switch {
		case comilla != 0:
			if c == comilla {
				comilla = 0
			}
		case c == '"' || c == '\'':
			comilla = c
		case c == '(' || c == '[' || c == '{':
			abiertos = append(abiertos, c)
		case len(abiertos) > 0 && (c == ')' || c == ']' || c == '}'):
			abiertos = abiertos[:len(abiertos)-1]
		case len(abiertos) == 0 && (c == '}' || c == ':' || c == '!' && !strings.HasPrefix(s[hasta:], "!=")):
			break busca
		}
	}
	if hasta >= len(s) {
		p.fallar(f.Pos, "falta cerrar «{» en el texto")
	}
	dentro := s[:hasta]
	if strings.HasSuffix(strings.TrimRight(dentro, " "), "=") {
		p.fallar(f.Pos, "no hay «{x=}» en los textos")
	}
	h := &Hueco{Pos: f.Pos, Valor: p.interior(f, dentro)}
	resto := s[hasta:]
	if strings.HasPrefix(resto, "!") {
		fin := strings.IndexAny(resto, ":}")
		if fin < 0 {
			p.fallar(f.Pos, "falta cerrar «{» en el texto")
		}
		h.Conversion = resto[1:fin]
		resto = resto[fin:]
	}
	if strings.HasPrefix(resto, ":") {
		fin := strings.IndexByte(resto, '}')
		if fin < 0 || strings.IndexByte(resto[:fin], '{') >= 0 {
			p.fallar(f.Pos, "no se porta un formato con «{» adentro")
		}
		h.Formato = resto[1:fin]
		resto = resto[fin:]
	}
	if !strings.HasPrefix(resto, "}") {
		p.fallar(f.Pos, "falta cerrar «{» en el texto")
	}
	return h, len(s) - len(resto) + 1
}

// interior reads the expression of a replacement field; its faults are placed
// at the string.
func (p *lector) interior(f ficha, s string) Expr {
	l := &lexico{s: s}
	if err := l.todo(true); err != nil {
		p.fallar(f.Pos, "%s", err.Motivo)
	}
	for i := range l.fichas {
		l.fichas[i].Pos = f.Pos
	}
	q := &lector{fichas: l.fichas, hondo: p.hondo}
	e := q.expresiones()
	if g := q.f(); g.clase != fin {
		p.fallar(f.Pos, "se esperaba el final de «{…}»; llegó %s", g)
	}
	return e
}
