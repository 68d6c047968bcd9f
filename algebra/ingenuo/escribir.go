package ingenuo

import (
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// escribir spells a condition as the surface does (lenguaje §6 «Impresor»),
// for the name of a missing entry of «requiere».
func escribir(x algebra.Expr) string {
	switch x := x.(type) {
	case *algebra.Literal:
		return string(algebra.AppendJSON(nil, x.Valor))
	case *algebra.Campo:
		return x.Alias + "." + x.Nombre
	case *algebra.HechoDe:
		return "hecho(" + x.Alias + ")"
	case *algebra.Col:
		return x.Nombre
	case *algebra.Comparacion:
		return operando(x.Izq, esCondicion) + " " + string(x.Op) + " " + operando(x.Der, esCondicion)
	case *algebra.Logico:
		if x.Op == "no" {
			return "no " + operando(x.Operandos[0], func(o algebra.Expr) bool { return esCondicion(o) && !esNegacion(o) })
		}
		var partes []string
		for _, o := range x.Operandos {
			partes = append(partes, operando(o, func(o algebra.Expr) bool { return esLogico(o) && !esNegacion(o) }))
		}
		return strings.Join(partes, " "+x.Op+" ")
	default:
		return escribirLlamada(x.(*algebra.Llamada))
	}
}

func escribirLlamada(x *algebra.Llamada) string {
	if signo, fuerza := signoDe(x); signo != "" {
		izq := func(o algebra.Expr) bool { _, f := signoDe(o); return esCondicion(o) || f < fuerza }
		der := func(o algebra.Expr) bool { _, f := signoDe(o); return esCondicion(o) || f <= fuerza }
		return operando(x.Args[0], izq) + " " + signo + " " + operando(x.Args[1], der)
	}
	var partes []string
	for _, a := range x.Args {
		partes = append(partes, escribir(a))
	}
	return x.Escalar.Nombre + "(" + strings.Join(partes, ", ") + ")"
}

// operando spells x, between parentheses when they are due.
func operando(x algebra.Expr, debidos func(algebra.Expr) bool) string {
	if debidos(x) {
		return "(" + escribir(x) + ")"
	}
	return escribir(x)
}

func esLogico(x algebra.Expr) bool {
	_, ok := x.(*algebra.Logico)
	return ok
}

func esNegacion(x algebra.Expr) bool {
	l, ok := x.(*algebra.Logico)
	return ok && l.Op == "no"
}

func esCondicion(x algebra.Expr) bool {
	_, ok := x.(*algebra.Comparacion)
	return ok || esLogico(x)
}

// signoDe returns the sign of an arithmetic call and how tightly it binds;
// what is not one binds the tightest.
func signoDe(x algebra.Expr) (string, int) {
	const suelta, fuerte, primario = 1, 2, 3
	if l, ok := x.(*algebra.Llamada); ok && len(l.Args) == 2 {
		switch l.Escalar.Nombre {
		case "mas":
			return "+", suelta
		case "menos":
			return "-", suelta
		case "por":
			return "*", fuerte
		}
	}
	return "", primario
}
