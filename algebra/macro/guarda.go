package macro

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// exigir evaluates one guard on an empty row, with the holes replaced.
func (t *Tabla) exigir(m *Macro, g Guarda, s *sustitucion, lim algebra.LimitesAlgebra) error {
	cond, err := s.en(g.Condicion)
	if err != nil {
		return err
	}
	e := evaluador{lim: lim}
	v, err := e.valor(cond, 0)
	if err == nil {
		if b, ok := v.(algebra.Booleano); !ok {
			err = fmt.Errorf("no es booleana: da %s", citar(v))
		} else if !bool(b) {
			return errorEn(nil, "%s (guarda de la macro «%s»)", algebra.Citar(g.Mensaje), algebra.Citar(m.nombre))
		}
	}
	if err != nil {
		var limite *algebra.LimiteError
		if errors.As(err, &limite) {
			return limite
		}
		return errorEn(nil, "la guarda de la macro «%s» no se puede evaluar: %s", algebra.Citar(m.nombre), err)
	}
	return nil
}

// evaluador computes an expression on a row without aliases or columns.
type evaluador struct{ lim algebra.LimitesAlgebra }

func (e *evaluador) valor(n algebra.Nodo, prof int64) (algebra.Valor, error) {
	if !n.EsLista() {
		if f, ok := n.Hoja().(algebra.Flotante); ok && (math.IsInf(float64(f), 0) || math.IsNaN(float64(f))) {
			return nil, errors.New("un número no es finito")
		}
		return n.Hoja(), nil
	}
	if prof++; prof > e.lim.ProfundidadExpresion {
		return nil, &algebra.LimiteError{Nombre: algebra.LimiteProfundidad, Observado: prof, Limite: e.lim.ProfundidadExpresion}
	}
	cabeza := n.Cabeza()
	switch {
	case cabeza == "campo" || cabeza == "hecho":
		return nil, errors.New("lee una fila, y una guarda se evalúa sin filas")
	case cabeza == "col":
		return algebra.Nulo{}, nil
	}
	args := make([]algebra.Valor, 0, n.Largo())
	for _, h := range n.Hijos()[min(1, n.Largo()):] {
		v, err := e.valor(h, prof)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	switch {
	case algebra.Comparador(cabeza).Valido():
		return comparar(algebra.Comparador(cabeza), args)
	case cabeza == "y" || cabeza == "o" || cabeza == "no":
		return logico(cabeza, args)
	default:
		return nil, fmt.Errorf("no hay operador «%s»", algebra.Citar(cabeza))
	}
}

// logico combines booleans; every operand was already evaluated.
func logico(op string, args []algebra.Valor) (algebra.Valor, error) {
	if op == "no" && len(args) != 1 || op != "no" && len(args) < 2 {
		return nil, fmt.Errorf("«%s» no lleva %d operandos", op, len(args))
	}
	r := op == "y"
	for _, a := range args {
		b, ok := a.(algebra.Booleano)
		switch {
		case !ok:
			return nil, fmt.Errorf("un operando de «%s» no es booleano: %s", op, citar(a))
		case op == "no":
			r = !bool(b)
		case op == "y":
			r = r && bool(b)
		default:
			r = r || bool(b)
		}
	}
	return algebra.Booleano(r), nil
}

// comparar applies the rule of the comparators (lenguaje §3).
func comparar(op algebra.Comparador, args []algebra.Valor) (algebra.Valor, error) {
	if len(args) != 2 {
		return nil, fmt.Errorf("«%s» lleva exactamente dos operandos", op)
	}
	a, b := args[0], args[1]
	fa, fb := a.Familia(), b.Familia()
	switch {
	case fa == algebra.FamiliaNula || fb == algebra.FamiliaNula:
		return nil, errors.New("compara un nulo")
	case fa != fb:
		return nil, fmt.Errorf("compara %s con %s: %s %s %s", fa, fb, citar(a), op, citar(b))
	}
	igualdad := op == algebra.Igual || op == algebra.Distinto
	var c int
	switch x := a.(type) {
	case algebra.Texto:
		c = strings.Compare(string(x), string(b.(algebra.Texto)))
	case algebra.Booleano:
		c = numero(x) - numero(b.(algebra.Booleano))
	default:
		if igualdad && (esFlotante(a) || esFlotante(b)) {
			return nil, fmt.Errorf("la igualdad con un flotante no se puede afirmar: %s %s %s", citar(a), op, citar(b))
		}
		c = racional(a).Cmp(racional(b))
	}
	var r bool
	switch op {
	case algebra.Igual:
		r = c == 0
	case algebra.Distinto:
		r = c != 0
	case algebra.Menor:
		r = c < 0
	case algebra.MenorIgual:
		r = c <= 0
	case algebra.Mayor:
		r = c > 0
	default:
		r = c >= 0
	}
	return algebra.Booleano(r), nil
}

func numero(b algebra.Booleano) int {
	if b {
		return 1
	}
	return 0
}

func esFlotante(v algebra.Valor) bool { _, ok := v.(algebra.Flotante); return ok }

// racional returns the exact value of a finite number.
func racional(v algebra.Valor) *big.Rat {
	if e, ok := v.(algebra.Entero); ok {
		return new(big.Rat).SetInt(e.Big())
	}
	return new(big.Rat).SetFloat64(float64(v.(algebra.Flotante)))
}

func citar(v algebra.Valor) string { return algebra.Citar(string(algebra.AppendJSON(nil, v))) }
