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
	p := impresorDeExpr{plantilla: plantilla}
	err := p.expr(n)
	return string(p.b), err
}

// impresorDeExpr appends an expression to b.
type impresorDeExpr struct {
	b          []byte
	plantilla  bool // holes may stand for expressions
	parentesis int  // open
}

// expr appends an expression. Logic inside logic, a comparison or logic under
// «no», and either as an operand of anything tighter, take parentheses, even
// where the reader would not need them; arithmetic takes the ones it needs.
func (p *impresorDeExpr) expr(n algebra.Nodo) error {
	if !n.EsLista() {
		return p.literal(n)
	}
	if _, esHueco := macro.Hueco(n); esHueco {
		if !p.plantilla {
			return noSeDice(n, "un hueco en lugar de una expresión sólo va en una macro")
		}
		return p.nombre(n)
	}
	switch clase, cabeza := claseDe(n), n.Cabeza(); clase {
	case claseLogica:
		return p.logica(n, cabeza)
	case claseNegacion:
		return p.negacion(n)
	case claseComparacion:
		return p.infija(n, cabeza, claseSuma, claseSuma)
	case claseSuma, claseProducto:
		return p.infija(n, map[string]string{"mas": "+", "menos": "-", "por": "*"}[cabeza], clase, clase-1)
	default:
		return p.atomo(n)
	}
}

func (p *impresorDeExpr) poner(s string) { p.b = append(p.b, s...) }

// nombre appends a name or a hole for one.
func (p *impresorDeExpr) nombre(n algebra.Nodo) error {
	s, err := nombreImpreso(n)
	p.poner(s)
	return err
}

// operando appends an operand, between parentheses when it is looser than tope.
func (p *impresorDeExpr) operando(n algebra.Nodo, tope claseDeExpr) error {
	if claseDe(n) <= tope {
		return p.expr(n)
	}
	if p.parentesis++; p.parentesis > topeDeParentesis {
		return noSeDice(n, "harían falta más de %d paréntesis anidados", topeDeParentesis)
	}
	p.poner("(")
	err := p.expr(n)
	p.poner(")")
	p.parentesis--
	return err
}

func (p *impresorDeExpr) logica(n algebra.Nodo, op string) error {
	if n.Largo() < 3 {
		return noSeDice(n, "«%s» lleva dos operandos o más", op)
	}
	for i, h := range n.Hijos()[1:] {
		if i > 0 {
			p.poner(" " + op + " ")
		}
		if err := p.operando(h, claseNegacion); err != nil {
			return err
		}
	}
	return nil
}

func (p *impresorDeExpr) negacion(n algebra.Nodo) error {
	if n.Largo() != 2 {
		return noSeDice(n, "«no» lleva un operando")
	}
	p.poner("no ")
	if claseDe(n.Hijo(1)) == claseNegacion {
		return p.expr(n.Hijo(1))
	}
	return p.operando(n.Hijo(1), claseSuma)
}

// infija appends two operands around a sign.
func (p *impresorDeExpr) infija(n algebra.Nodo, signo string, izq, der claseDeExpr) error {
	if n.Largo() != 3 {
		return noSeDice(n, "«%s» lleva dos operandos", signo)
	}
	if err := p.operando(n.Hijo(1), izq); err != nil {
		return err
	}
	p.poner(" " + signo + " ")
	return p.operando(n.Hijo(2), der)
}

func (p *impresorDeExpr) literal(n algebra.Nodo) error {
	switch v := n.Hoja().(type) {
	case algebra.Flotante:
		if math.IsInf(float64(v), 0) || math.IsNaN(float64(v)) {
			return noSeDice(n, "un número que no es finito")
		}
	case algebra.Hecho:
		return noSeDice(n, "un hecho no es un literal")
	}
	p.b = n.AppendJSON(p.b)
	return nil
}

// atomo appends a field, a fact, a column or a call.
func (p *impresorDeExpr) atomo(n algebra.Nodo) error {
	cabeza, largo := n.Cabeza(), n.Largo()
	switch {
	case cabeza == "campo" && largo == 3:
		if err := p.nombre(n.Hijo(1)); err != nil {
			return err
		}
		p.poner(".")
		return p.nombre(n.Hijo(2))
	case (cabeza == "hecho" || cabeza == "col") && largo == 2:
		if s, esTexto := n.Hijo(1).Texto(); cabeza == "col" && esTexto && esColumnaASecas(s) {
			return p.nombre(n.Hijo(1))
		}
		p.poner(cabeza + "(")
		err := p.nombre(n.Hijo(1))
		p.poner(")")
		return err
	case cabeza == "campo" || cabeza == "hecho" || cabeza == "col" || largo == 0:
		return noSeDice(n, "no es una expresión")
	case cabeza == "true" || cabeza == "false" || cabeza == "null":
		return noSeDice(n, "una llamada a un literal")
	}
	if err := p.nombre(n.Hijo(0)); err != nil {
		return err
	}
	p.poner("(")
	for i, h := range n.Hijos()[1:] {
		if i > 0 {
			p.poner(", ")
		}
		if err := p.expr(h); err != nil {
			return err
		}
	}
	p.poner(")")
	return nil
}

// esColumnaASecas reports whether a column is read back from its bare name.
func esColumnaASecas(s string) bool {
	switch s {
	case "y", "o", "no", "true", "false", "null":
		return false
	}
	return true
}
