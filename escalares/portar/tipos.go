package portar

import "github.com/oracle-mcp/oracle-mcp/escalares/portar/python"

// tipo is what is known of a value without running anything. It only spares
// helpers: whatever is not sure is desconocido.
type tipo uint8

const (
	desconocido tipo = iota
	noBooleano       // anything but a boolean
	numero           // an integer or a float
	entero
	flotante
	texto
	booleano
	lista
	tupla
	diccionario
	ninguno
)

func (t tipo) esNumero() bool { return t == numero || t == entero || t == flotante }

// comoNumero reports whether a value of the type needs nothing to be used as a
// number where Python would.
func (t tipo) comoNumero() bool { return t != desconocido && t != booleano }

// unir is what is known of a value that is of one type or of the other.
func unir(a, b tipo) tipo {
	switch {
	case a == b:
		return a
	case a.esNumero() && b.esNumero():
		return numero
	case a.comoNumero() && b.comoNumero():
		return noBooleano
	default:
		return desconocido
	}
}

// ambito is a scope: a function, a lambda or a comprehension.
type ambito struct {
	padre    *ambito
	variable map[string]tipo
	definido map[string]bool // functions defined inside
}

func (p *portador) abrir(nombres ...string) func() {
	p.ambito = &ambito{padre: p.ambito, variable: map[string]tipo{}, definido: map[string]bool{}}
	for _, n := range nombres {
		p.ambito.variable[n] = desconocido
	}
	return func() { p.ambito = p.ambito.padre }
}

// buscar returns what is known of a variable, and whether it is one.
func (p *portador) buscar(n string) (tipo, bool) {
	for a := p.ambito; a != nil; a = a.padre {
		if t, ok := a.variable[n]; ok {
			return t, true
		}
	}
	if t, ok := p.tipos[n]; ok {
		return t, true
	}
	_, hay := p.constantes[n]
	return desconocido, hay
}

// esLocal reports whether a name is a variable or function of an open scope.
func (p *portador) esLocal(n string) bool {
	for a := p.ambito; a != nil; a = a.padre {
		if _, ok := a.variable[n]; ok {
			return true
		}
	}
	return false
}

// tipo infers the type of an expression.
func (p *portador) tipo(e python.Expr) tipo {
	switch e := e.(type) {
	case *python.Numero:
		if e.Flotante {
			return flotante
		}
		return entero
	case *python.Texto, *python.Formateado:
		return texto
	case *python.Constante:
		if e.Valor == "None" {
			return ninguno
		}
		return booleano
	case *python.Secuencia:
		if e.Clase == "list" {
			return lista
		}
		return tupla
	case *python.Diccionario:
		return diccionario
	case *python.Comprension:
		if e.Clase == "dict" {
			return diccionario
		}
		return lista
	case *python.Comparacion:
		return booleano
	case *python.Unario:
		if e.Op == "not" {
			return booleano
		}
		if t := p.tipo(e.Valor); t.esNumero() {
			return t
		}
		return numero
	case *python.Logico:
		t := p.tipo(e.Valores[0])
		for _, v := range e.Valores[1:] {
			t = unir(t, p.tipo(v))
		}
		return t
	case *python.Condicional:
		return unir(p.tipo(e.Entonces), p.tipo(e.Sino))
	case *python.Nombre:
		if n, deMath := p.math[e.Id]; deMath && n != "" && !p.esLocal(e.Id) {
			return flotante
		}
		t, _ := p.buscar(e.Id)
		return t
	case *python.Atributo:
		if n, ok := e.Valor.(*python.Nombre); ok && p.esMath(n) {
			return flotante // pi, e, tau
		}
	case *python.Binario:
		return p.tipoBinario(e)
	case *python.Llamada:
		return p.tipoLlamada(e)
	}
	return desconocido
}

func (p *portador) tipoBinario(e *python.Binario) tipo {
	a, b := p.tipo(e.Izq), p.tipo(e.Der)
	if a == booleano {
		a = entero
	}
	if b == booleano {
		b = entero
	}
	switch e.Op {
	case "/":
		return flotante
	case "//", "%", "-":
		switch {
		case a == entero && b == entero:
			return entero
		case a == flotante || b == flotante:
			return flotante
		}
		return numero
	case "**":
		if a.esNumero() {
			return a
		}
		return numero
	}
	switch {
	case a == entero && b == entero:
		return entero
	case a.esNumero() && b.esNumero():
		if a == flotante || b == flotante {
			return flotante
		}
		return numero
	case a == texto || b == texto:
		return texto
	case e.Op == "+" && a == b && (a == lista || a == tupla):
		return a
	}
	return noBooleano
}

// deTipo are the types of what some functions return.
var deTipo = map[string]tipo{
	"len": entero, "int": entero, "float": flotante, "str": texto, "bool": booleano, "abs": numero,
	"sum": noBooleano, "isinstance": booleano, "any": booleano, "all": booleano, "ord": entero, "chr": texto,
	"list": lista, "sorted": lista, "tuple": tupla, "dict": diccionario, "round": numero,
}

func (p *portador) tipoLlamada(e *python.Llamada) tipo {
	switch f := e.Funcion.(type) {
	case *python.Nombre:
		if p.esLocal(f.Id) || p.funciones[f.Id] != nil {
			return desconocido
		}
		if n, deMath := p.math[f.Id]; deMath {
			return tipoDeMath(n)
		}
		if f.Id == "min" || f.Id == "max" {
			return p.tipoExtremo(e)
		}
		return deTipo[f.Id]
	case *python.Atributo:
		if n, ok := f.Valor.(*python.Nombre); ok && p.esMath(n) {
			return tipoDeMath(f.Nombre)
		}
		switch f.Nombre {
		case "upper", "lower", "strip", "lstrip", "rstrip", "replace", "join", "removeprefix", "removesuffix":
			return texto
		case "split":
			return lista
		case "startswith", "endswith":
			return booleano
		case "find", "rfind", "count":
			return entero
		}
	}
	return desconocido
}

// tipoExtremo is the type of min or max of several arguments.
func (p *portador) tipoExtremo(e *python.Llamada) tipo {
	if len(e.Args) < 2 {
		return desconocido
	}
	t := p.tipo(e.Args[0].Valor)
	for _, a := range e.Args[1:] {
		if a.Nombre != "" || a.Estrellas > 0 {
			return desconocido
		}
		t = unir(t, p.tipo(a.Valor))
	}
	return t
}

func tipoDeMath(n string) tipo {
	switch n {
	case "floor", "ceil", "trunc":
		return entero
	case "isclose", "isnan", "isinf", "isfinite":
		return booleano
	case "prod":
		return numero
	default:
		return flotante
	}
}

// esMath reports whether a name is the module math here.
func (p *portador) esMath(n *python.Nombre) bool {
	f, ok := p.math[n.Id]
	return ok && f == "" && !p.esLocal(n.Id)
}
