package portar

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/escalares/portar/python"
)

// llamada translates a call.
func (p *portador) llamada(e *python.Llamada) (string, int) {
	switch f := e.Funcion.(type) {
	case *python.Nombre:
		if p.esLocal(f.Id) || p.funciones[f.Id] != nil {
			return p.conArgumentos(f.Id, e), precPrimario
		}
		if n, ok := p.math[f.Id]; ok && n != "" {
			return p.deMath(e, n)
		}
		if _, hay := p.constantes[f.Id]; hay {
			return p.conArgumentos(f.Id, e), precPrimario
		}
		return p.integrada(e, f.Id)
	case *python.Atributo:
		if n, ok := f.Valor.(*python.Nombre); ok && p.esMath(n) {
			return p.deMath(e, f.Nombre)
		}
		return p.metodo(e, f)
	case *python.Lambda, *python.Llamada, *python.Indice:
		return p.conArgumentos(p.expr(e.Funcion, precPrimario), e), precPrimario
	}
	p.rechazar(e.Pos, "no se porta llamar a esto")
	return "None", precPrimario
}

// conArgumentos writes a call of one of the file's own functions.
func (p *portador) conArgumentos(f string, e *python.Llamada) string {
	var partes []string
	for _, a := range e.Args {
		partes = append(partes, p.argumento(a))
	}
	return f + "(" + strings.Join(partes, ", ") + ")"
}

func (p *portador) argumento(a python.Argumento) string {
	switch {
	case a.Estrellas == 2:
		p.rechazar(a.Pos, "no se porta «**» en una llamada")
	case a.Estrellas == 1:
		return "*" + p.expr(a.Valor, precO)
	case a.Nombre != "":
		return a.Nombre + " = " + p.expr(a.Valor, precCondicional)
	}
	return p.expr(a.Valor, precCondicional)
}

// recorrido translates an argument that is walked: a generator or a set of
// computed elements is a list.
func (p *portador) recorrido(e python.Expr) string {
	if c, ok := e.(*python.Comprension); ok && c.Clase != "dict" {
		if c.Clase == "set" {
			p.rechazar(c.Pos, "no se porta recorrer un conjunto: no tiene orden")
		}
		return p.comprension(c, "list")
	}
	return p.iterable(e)
}

// args takes a call's arguments apart: by position and by name. Others are
// refused.
func (p *portador) args(e *python.Llamada, min, max int, nombres ...string) ([]python.Expr, map[string]python.Expr, bool) {
	var pos []python.Expr
	con := map[string]python.Expr{}
	for _, a := range e.Args {
		switch {
		case a.Estrellas > 0:
			p.rechazar(a.Pos, "no se porta «*» en esta llamada")
			return nil, nil, false
		case a.Nombre == "":
			pos = append(pos, a.Valor)
		default:
			sabe := false
			for _, n := range nombres {
				sabe = sabe || n == a.Nombre
			}
			if !sabe {
				p.rechazar(a.Pos, "no se porta el argumento «%s»", a.Nombre)
				return nil, nil, false
			}
			con[a.Nombre] = a.Valor
		}
	}
	if len(pos) < min || max >= 0 && len(pos) > max {
		p.rechazar(e.Pos, "no se porta esta llamada con %d argumentos", len(pos))
		return nil, nil, false
	}
	return pos, con, true
}

func con(f string, args ...string) (string, int) {
	return f + "(" + strings.Join(args, ", ") + ")", precPrimario
}

// nada is what a refused call gives.
func nada() (string, int) { return "None", precPrimario }

// integrada translates a call of one of Python's own functions.
func (p *portador) integrada(e *python.Llamada, f string) (string, int) {
	una := func() (python.Expr, bool) {
		pos, _, ok := p.args(e, 1, 1)
		if !ok {
			return nil, false
		}
		return pos[0], true
	}
	switch f {
	case "len":
		x, ok := una()
		if !ok {
			return nada()
		}
		return p.largo(x)
	case "abs":
		if x, ok := una(); ok {
			return con("abs", p.num(x, 0))
		}
	case "int", "float":
		x, ok := una()
		if !ok {
			return nada()
		}
		if t := p.tipo(x); t.esNumero() || t == booleano {
			return con(f, p.expr(x, 0))
		}
		return con(p.ayuda(map[string]string{"int": "entero", "float": "flotante"}[f]), p.expr(x, 0))
	case "str":
		x, ok := una()
		if !ok {
			return nada()
		}
		if p.tipo(x) == texto {
			return p.expr(x, precPrimario), precPrimario
		}
		return con(p.ayuda("texto"), p.expr(x, 0))
	case "bool":
		if x, ok := una(); ok {
			return con("bool", p.expr(x, 0))
		}
	case "ord", "chr":
		if x, ok := una(); ok {
			return con(f, p.expr(x, 0))
		}
	case "any", "all", "reversed":
		if x, ok := una(); ok {
			return con(f, p.recorrido(x))
		}
	case "list", "tuple":
		if len(e.Args) == 0 {
			return con(f)
		}
		if x, ok := una(); ok {
			return con(f, p.recorrido(x))
		}
	case "dict":
		if len(e.Args) == 0 {
			return con(f)
		}
		p.rechazar(e.Pos, "no se porta dict(…): escribí el diccionario con llaves")
	case "range":
		pos, _, ok := p.args(e, 1, 3)
		if !ok {
			return nada()
		}
		var partes []string
		for _, x := range pos {
			partes = append(partes, p.num(x, 0))
		}
		return con(f, partes...)
	case "enumerate":
		pos, c, ok := p.args(e, 1, 2, "start")
		if !ok {
			return nada()
		}
		partes := []string{p.recorrido(pos[0])}
		if len(pos) == 2 {
			partes = append(partes, p.num(pos[1], 0))
		} else if c["start"] != nil {
			partes = append(partes, p.num(c["start"], 0))
		}
		return con(f, partes...)
	case "zip":
		pos, _, ok := p.args(e, 0, -1)
		if !ok {
			return nada()
		}
		var partes []string
		for _, x := range pos {
			partes = append(partes, p.recorrido(x))
		}
		return con(f, partes...)
	case "sorted":
		pos, c, ok := p.args(e, 1, 1, "key", "reverse")
		if !ok {
			return nada()
		}
		partes := []string{p.recorrido(pos[0])}
		if orden := p.orden(c["key"], elementosDe(pos[0])...); orden != "" {
			partes = append(partes, orden)
		}
		if c["reverse"] != nil {
			partes = append(partes, "reverse = "+p.expr(c["reverse"], 0))
		}
		return con(f, partes...)
	case "sum":
		pos, c, ok := p.args(e, 1, 2, "start")
		if !ok {
			return nada()
		}
		partes := []string{p.recorrido(pos[0])}
		if len(pos) == 2 {
			partes = append(partes, p.num(pos[1], 0))
		} else if c["start"] != nil {
			partes = append(partes, p.num(c["start"], 0))
		}
		return con(p.ayuda("suma"), partes...)
	case "min", "max":
		return p.extremo(e, f)
	case "round":
		pos, c, ok := p.args(e, 1, 2, "ndigits")
		if !ok {
			return nada()
		}
		if c["ndigits"] != nil {
			pos = append(pos, c["ndigits"])
		}
		if len(pos) == 1 {
			return con(p.ayuda("redondear"), p.expr(pos[0], 0))
		}
		return con(p.ayuda("redondear_a"), p.expr(pos[0], 0), p.expr(pos[1], 0))
	case "isinstance":
		return p.esDe(e)
	case "next":
		pos, _, ok := p.args(e, 2, 2)
		if !ok {
			return nada()
		}
		return con(p.ayuda("primero"), p.recorrido(pos[0]), p.expr(pos[1], 0))
	case "print":
		pos, _, ok := p.args(e, 0, -1)
		if !ok {
			return nada()
		}
		var partes []string
		for _, x := range pos {
			partes = append(partes, p.expr(x, 0))
		}
		return con(f, partes...)
	case "set", "frozenset":
		p.rechazar(e.Pos, "un conjunto sólo se porta a la derecha de «in» o dentro de len(…)")
	default:
		p.rechazar(e.Pos, "«%s» no está definida en el archivo y no se porta", f)
	}
	return nada()
}

// largo translates len, also of a set, which counts what is distinct.
func (p *portador) largo(x python.Expr) (string, int) {
	if s, ok := x.(*python.Secuencia); ok && s.Clase == "set" {
		return con("len", p.ayuda("unicos")+"("+p.tuplaDe(s)+")")
	}
	if c, ok := x.(*python.Comprension); ok && c.Clase == "set" {
		return con("len", p.ayuda("unicos")+"("+p.comprension(c, "list")+")")
	}
	if c, ok := x.(*python.Llamada); ok {
		if n, ok := c.Funcion.(*python.Nombre); ok && (n.Id == "set" || n.Id == "frozenset") && !p.esLocal(n.Id) && p.funciones[n.Id] == nil {
			pos, _, ok := p.args(c, 1, 1)
			if !ok {
				return nada()
			}
			return con("len", p.ayuda("unicos")+"("+p.recorrido(pos[0])+")")
		}
	}
	switch p.tipo(x) {
	case lista, tupla, diccionario:
		return con("len", p.expr(x, 0))
	}
	return con(p.ayuda("largo"), p.expr(x, 0))
}

// orden translates the key of min, max or sorted: without one, or with one
// that may give a boolean, what is compared is compared as Python does. It
// returns "" when nothing of that is needed.
func (p *portador) orden(clave python.Expr, comparados ...python.Expr) string {
	switch k := clave.(type) {
	case nil:
		sabe := len(comparados) > 0
		for _, c := range comparados {
			sabe = sabe && p.tipo(c).comoNumero()
		}
		if sabe {
			return ""
		}
		return "key = " + p.ayuda("num")
	case *python.Lambda:
		ps := p.parametros(k.Parametros)
		var nombres []string
		for _, q := range k.Parametros {
			nombres = append(nombres, q.Nombre)
		}
		defer p.abrir(nombres...)()
		return "key = lambda " + ps + ": " + p.num(k.Cuerpo, precCondicional)
	default:
		v := p.prefijo + "k"
		return "key = lambda " + v + ": " + p.ayuda("num") + "(" + p.expr(clave, precPrimario) + "(" + v + "))"
	}
}

// elementosDe returns what a display holds, nil for anything else.
func elementosDe(e python.Expr) []python.Expr {
	if s, ok := e.(*python.Secuencia); ok {
		return s.Elementos
	}
	return nil
}

// extremo translates min and max.
func (p *portador) extremo(e *python.Llamada, f string) (string, int) {
	if len(e.Args) == 1 && e.Args[0].Estrellas == 1 {
		return con(f, "*"+p.recorrido(e.Args[0].Valor), p.orden(nil))
	}
	pos, c, ok := p.args(e, 1, -1, "key", "default")
	if !ok {
		return nada()
	}
	comparados := pos
	if len(pos) == 1 {
		comparados = elementosDe(pos[0])
	}
	orden := p.orden(c["key"], comparados...)
	var partes []string
	if c["default"] != nil {
		if len(pos) != 1 {
			p.rechazar(e.Pos, "«default» va con una sola secuencia")
			return nada()
		}
		partes = []string{f, p.recorrido(pos[0]), p.expr(c["default"], 0)}
		f = p.ayuda("extremo")
	} else if len(pos) == 1 {
		partes = []string{p.recorrido(pos[0])}
	} else {
		for _, x := range pos {
			partes = append(partes, p.expr(x, 0))
		}
	}
	if orden != "" {
		partes = append(partes, orden)
	}
	return con(f, partes...)
}

// deStarlark are Starlark's names for the types isinstance is asked about.
var deStarlark = map[string][]string{
	"int": {"int", "bool"}, "float": {"float"}, "str": {"string"}, "bool": {"bool"},
	"list": {"list"}, "tuple": {"tuple"}, "dict": {"dict"}, "Number": {"int", "float", "bool"},
}

// esDe translates isinstance.
func (p *portador) esDe(e *python.Llamada) (string, int) {
	pos, _, ok := p.args(e, 2, 2)
	if !ok {
		return nada()
	}
	tipos := []python.Expr{pos[1]}
	if s, ok := pos[1].(*python.Secuencia); ok {
		tipos = s.Elementos
	}
	partes := []string{p.expr(pos[0], 0)}
	vistos := map[string]bool{}
	for _, t := range tipos {
		n, ok := t.(*python.Nombre)
		if !ok || deStarlark[n.Id] == nil || p.esLocal(n.Id) {
			p.rechazar(t.Lugar(), "isinstance sólo se porta con int, float, str, bool, list, tuple y dict")
			return nada()
		}
		for _, s := range deStarlark[n.Id] {
			if !vistos[s] {
				vistos[s] = true
				partes = append(partes, comillas(s))
			}
		}
	}
	return con(p.ayuda("es"), partes...)
}

// exactas are the functions of math that give the same bits everywhere, by
// their Starlark name.
var exactas = map[string]string{"sqrt": "sqrt", "fabs": "fabs", "copysign": "copysign", "fmod": "mod", "remainder": "remainder"}

// inexactas are those whose last digit depends on the library.
var inexactas = map[string]bool{
	"exp": true, "log": true, "pow": true, "hypot": true, "sin": true, "cos": true, "tan": true,
	"asin": true, "acos": true, "atan": true, "atan2": true, "sinh": true, "cosh": true, "tanh": true,
	"asinh": true, "acosh": true, "atanh": true, "gamma": true,
}

// deMath translates a call of a function of math.
func (p *portador) deMath(e *python.Llamada, f string) (string, int) {
	if f == "isclose" {
		pos, c, ok := p.args(e, 2, 2, "rel_tol", "abs_tol")
		if !ok {
			return nada()
		}
		partes := []string{p.expr(pos[0], 0), p.expr(pos[1], 0)}
		for _, n := range []string{"rel_tol", "abs_tol"} {
			if c[n] != nil {
				partes = append(partes, n+" = "+p.expr(c[n], 0))
			}
		}
		return con(p.ayuda("isclose"), partes...)
	}
	if f == "prod" {
		pos, c, ok := p.args(e, 1, 1, "start")
		if !ok {
			return nada()
		}
		partes := []string{p.recorrido(pos[0])}
		if c["start"] != nil {
			partes = append(partes, "start = "+p.num(c["start"], 0))
		}
		return con(p.ayuda("producto"), partes...)
	}
	pos, _, ok := p.args(e, 1, 2)
	if !ok {
		return nada()
	}
	var partes []string
	for _, x := range pos {
		partes = append(partes, p.num(x, 0))
	}
	p.conMath = true
	switch {
	case f == "floor" || f == "ceil":
		return con("math."+f, partes...)
	case f == "trunc":
		return con(p.ayuda("trunc"), p.expr(pos[0], 0))
	case f == "degrees":
		return "(" + p.num(pos[0], precProducto) + " * (180.0 / math.pi))", precPrimario
	case f == "radians":
		return "(" + p.num(pos[0], precProducto) + " * (math.pi / 180.0))", precPrimario
	case exactas[f] != "":
		return con(p.ayuda("finito"), "math."+exactas[f]+"("+strings.Join(partes, ", ")+")")
	case inexactas[f] && p.op.UltimoDigito:
		return con(p.ayuda("finito"), "math."+f+"("+strings.Join(partes, ", ")+")")
	case inexactas[f]:
		p.rechazar(e.Pos, "el último dígito de math.%s no es el mismo en Starlark que en Python", f)
	default:
		p.rechazar(e.Pos, "no se porta math.%s", f)
	}
	return nada()
}

// metodo translates a call of a method. The receiver's type is seldom known,
// so a name that both texts and lists have goes through a helper.
func (p *portador) metodo(e *python.Llamada, f *python.Atributo) (string, int) {
	x := func(prec int) string { return p.expr(f.Valor, prec) }
	igual := func(min, max int) (string, int) {
		pos, _, ok := p.args(e, min, max)
		if !ok {
			return nada()
		}
		var partes []string
		for _, a := range pos {
			partes = append(partes, p.expr(a, 0))
		}
		return con(x(precPrimario)+"."+f.Nombre, partes...)
	}
	ayudado := func(nombre string, min int, cola ...string) (string, int) {
		pos, _, ok := p.args(e, min, min)
		if !ok {
			return nada()
		}
		partes := []string{x(0)}
		for _, a := range pos {
			partes = append(partes, p.expr(a, 0))
		}
		return con(p.ayuda(nombre), append(partes, cola...)...)
	}
	conClave := func(min, max int) (string, int) {
		pos, _, ok := p.args(e, min, max)
		if !ok {
			return nada()
		}
		partes := []string{p.num(pos[0], 0)}
		for _, a := range pos[1:] {
			partes = append(partes, p.expr(a, 0))
		}
		return con(x(precPrimario)+"."+f.Nombre, partes...)
	}
	switch f.Nombre {
	case "get", "setdefault":
		return conClave(1, 2)
	case "items", "keys", "values", "clear":
		return igual(0, 0)
	case "append":
		return igual(1, 1)
	case "extend":
		pos, _, ok := p.args(e, 1, 1)
		if !ok {
			return nada()
		}
		return con(x(precPrimario)+".extend", p.recorrido(pos[0]))
	case "insert":
		return igual(2, 2)
	case "pop":
		if p.tipo(f.Valor) == diccionario {
			return conClave(1, 2)
		}
		return igual(0, 1)
	case "index":
		return ayudado("posicion", 1)
	case "count":
		return ayudado("contar", 1)
	case "find":
		return ayudado("buscar", 1)
	case "rfind":
		return ayudado("buscar", 1, "True")
	case "upper":
		return ayudado("caja", 0, "True")
	case "lower":
		return ayudado("caja", 0, "False")
	case "isdigit", "isalpha", "isalnum", "isupper", "islower":
		return ayudado("clase", 0, comillas(f.Nombre))
	case "startswith", "endswith", "removeprefix", "removesuffix", "partition", "rpartition":
		return igual(1, 1)
	case "strip", "lstrip", "rstrip":
		if len(e.Args) == 0 {
			return fmt.Sprintf("%s.%s(%s)", x(precPrimario), f.Nombre, p.ayuda("blancos")), precPrimario
		}
		return igual(1, 1)
	case "split":
		if len(e.Args) == 0 {
			return ayudado("partir", 0)
		}
		return igual(1, 2)
	case "replace":
		return igual(2, 2)
	case "join":
		pos, _, ok := p.args(e, 1, 1)
		if !ok {
			return nada()
		}
		return con(x(precPrimario)+".join", p.recorrido(pos[0]))
	}
	p.rechazar(e.Pos, "no se porta el método «%s»", f.Nombre)
	return nada()
}
