package superficie

import (
	"math"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// claseDeExpr is what decides whether an expression needs parentheses.
type claseDeExpr uint8

const (
	claseAtomo       claseDeExpr = iota // literal, field, column, call
	claseProducto                       // por
	claseSuma                           // mas, menos
	claseComparacion                    // a comparator
	claseNegacion                       // no
	claseLogica                         // y, o
)

func claseDe(n algebra.Nodo) claseDeExpr {
	cabeza, largo := n.Cabeza(), n.Largo()
	switch {
	case cabeza == "por" && largo == 3:
		return claseProducto
	case (cabeza == "mas" || cabeza == "menos") && largo == 3:
		return claseSuma
	case algebra.Comparador(cabeza).Valido():
		return claseComparacion
	case cabeza == "no":
		return claseNegacion
	case cabeza == "y" || cabeza == "o":
		return claseLogica
	}
	return claseAtomo
}

func exprImpresa(n algebra.Nodo, plantilla bool) (string, error) {
	b, err := appendExpr(nil, n, plantilla)
	return string(b), err
}

// appendExpr appends the text of an expression. Logic inside logic, a
// comparison or logic under «no», and either as an operand of anything
// tighter, take parentheses, even where the reader would not need them;
// arithmetic takes the ones it needs.
func appendExpr(b []byte, n algebra.Nodo, plantilla bool) ([]byte, error) {
	if !n.EsLista() {
		return appendLiteral(b, n)
	}
	if _, esHueco := macro.Hueco(n); esHueco {
		s, err := nombreImpreso(n)
		if err == nil && !plantilla {
			err = noSeDice(n, "un hueco en lugar de una expresión sólo va en una macro")
		}
		return append(b, s...), err
	}
	p := impresorDeExpr{b, n, plantilla}
	var err error
	switch clase, cabeza := claseDe(n), n.Cabeza(); clase {
	case claseLogica:
		err = p.logica(cabeza)
	case claseNegacion:
		err = p.negacion()
	case claseComparacion:
		err = p.infija(cabeza, claseSuma, claseSuma)
	case claseSuma, claseProducto:
		err = p.infija(map[string]string{"mas": "+", "menos": "-", "por": "*"}[cabeza], clase, clase-1)
	default:
		return appendAtomo(b, n, plantilla)
	}
	return p.b, err
}

// impresorDeExpr appends the operands of one node.
type impresorDeExpr struct {
	b         []byte
	n         algebra.Nodo
	plantilla bool
}

// operando appends child i, between parentheses when it is looser than tope.
func (p *impresorDeExpr) operando(i int, tope claseDeExpr) (err error) {
	h := p.n.Hijo(i)
	suelto := claseDe(h) > tope
	if suelto {
		p.b = append(p.b, '(')
	}
	p.b, err = appendExpr(p.b, h, p.plantilla)
	if suelto {
		p.b = append(p.b, ')')
	}
	return err
}

func (p *impresorDeExpr) logica(op string) error {
	if p.n.Largo() < 3 {
		return noSeDice(p.n, "«%s» lleva dos operandos o más", op)
	}
	for i := 1; i < p.n.Largo(); i++ {
		if i > 1 {
			p.b = append(p.b, " "+op+" "...)
		}
		if err := p.operando(i, claseNegacion); err != nil {
			return err
		}
	}
	return nil
}

func (p *impresorDeExpr) negacion() error {
	if p.n.Largo() != 2 {
		return noSeDice(p.n, "«no» lleva un operando")
	}
	p.b = append(p.b, "no "...)
	if claseDe(p.n.Hijo(1)) == claseNegacion {
		return p.operando(1, claseNegacion)
	}
	return p.operando(1, claseSuma)
}

// infija appends two operands around a sign.
func (p *impresorDeExpr) infija(signo string, izq, der claseDeExpr) error {
	if p.n.Largo() != 3 {
		return noSeDice(p.n, "«%s» lleva dos operandos", signo)
	}
	if err := p.operando(1, izq); err != nil {
		return err
	}
	p.b = append(p.b, " "+signo+" "...)
	return p.operando(2, der)
}

func appendLiteral(b []byte, n algebra.Nodo) ([]byte, error) {
	if f, ok := n.Hoja().(algebra.Flotante); ok && (math.IsInf(float64(f), 0) || math.IsNaN(float64(f))) {
		return b, noSeDice(n, "un número que no es finito")
	}
	if _, ok := n.Hoja().(algebra.Hecho); ok {
		return b, noSeDice(n, "un hecho no es un literal")
	}
	return n.AppendJSON(b), nil
}

// appendAtomo appends a field, a fact, a column or a call.
func appendAtomo(b []byte, n algebra.Nodo, plantilla bool) ([]byte, error) {
	cabeza, largo := n.Cabeza(), n.Largo()
	switch {
	case cabeza == "campo" && largo == 3:
		alias, err := nombreImpreso(n.Hijo(1))
		if err != nil {
			return b, err
		}
		nombre, err := nombreImpreso(n.Hijo(2))
		return append(b, alias+"."+nombre...), err
	case (cabeza == "hecho" || cabeza == "col") && largo == 2:
		s, err := nombreImpreso(n.Hijo(1))
		if cabeza == "col" && esColumnaASecas(s) {
			return append(b, s...), err
		}
		return append(b, cabeza+"("+s+")"...), err
	case cabeza == "campo" || cabeza == "hecho" || cabeza == "col" || largo == 0:
		return b, noSeDice(n, "no es una expresión")
	}
	nombre, err := nombreImpreso(n.Hijo(0))
	if err != nil {
		return b, err
	}
	switch nombre {
	case "true", "false", "null":
		return b, noSeDice(n, "una llamada a un literal")
	}
	b = append(b, nombre+"("...)
	for i := 1; i < largo; i++ {
		if i > 1 {
			b = append(b, ", "...)
		}
		if b, err = appendExpr(b, n.Hijo(i), plantilla); err != nil {
			return b, err
		}
	}
	return append(b, ')'), nil
}

// esColumnaASecas reports whether a column is read back from its bare name. A
// hole in the place of its name is not, and neither are the words of an
// expression.
func esColumnaASecas(s string) bool {
	switch s {
	case "y", "o", "no", "true", "false", "null":
		return false
	}
	return s != "" && s[0] != '$'
}
