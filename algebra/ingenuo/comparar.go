package ingenuo

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// comparar applies a comparator to two values (lenguaje §3): nulls first, then
// families, then equality with floats, then the exact order.
func comparar(op algebra.Comparador, a, b algebra.Valor) (bool, error) {
	fa, fb := a.Familia(), b.Familia()
	switch {
	case fa == algebra.FamiliaNula || fb == algebra.FamiliaNula:
		return false, falla(algebra.ClaseNulo, "«%s» compara un nulo", op)
	case fa == algebra.FamiliaHecho || fb == algebra.FamiliaHecho || fa != fb:
		return false, falla(algebra.ClaseFamilias, "«%s» compara un %s con un %s", op, fa, fb)
	case (op == algebra.Igual || op == algebra.Distinto) && (esFlotante(a) || esFlotante(b)):
		return false, falla(algebra.ClaseIgualdadFlotante, "«%s» con un flotante", op)
	}
	n := orden(a, b)
	switch op {
	case algebra.Igual:
		return n == 0, nil
	case algebra.Distinto:
		return n != 0, nil
	case algebra.Menor:
		return n < 0, nil
	case algebra.MenorIgual:
		return n <= 0, nil
	case algebra.Mayor:
		return n > 0, nil
	default:
		return n >= 0, nil
	}
}

// largoComparado is how many bytes comparing two values goes over.
func largoComparado(a, b algebra.Valor) int64 {
	fa, fb := a.Familia(), b.Familia()
	switch {
	case fa == algebra.FamiliaTexto && fb == algebra.FamiliaTexto:
		return min(largo(a), largo(b))
	case fa == algebra.FamiliaTexto || fb == algebra.FamiliaTexto:
		return 0
	default:
		return largo(a) + largo(b)
	}
}

// largo is how many bytes going over a value is: those of a text, and
// 64 more than those of an integer past 64 bits.
func largo(v algebra.Valor) int64 {
	switch v := v.(type) {
	case algebra.Texto:
		return int64(len(v))
	case algebra.Entero:
		if n := v.Big(); !n.IsInt64() {
			return 64 + int64(n.BitLen()/8)
		}
	}
	return 0
}

func esFlotante(v algebra.Valor) bool {
	_, ok := v.(algebra.Flotante)
	return ok
}

// orden is negative, zero or positive as a is before, at or after b, both of
// one family that compares.
func orden(a, b algebra.Valor) int {
	switch a := a.(type) {
	case algebra.Texto:
		return strings.Compare(string(a), string(b.(algebra.Texto)))
	case algebra.Booleano:
		switch b := b.(algebra.Booleano); {
		case a == b:
			return 0
		case bool(b):
			return -1
		default:
			return 1
		}
	case algebra.Entero:
		if b, ok := b.(algebra.Entero); ok {
			return a.Big().Cmp(b.Big())
		}
	}
	return exacto(a).Cmp(exacto(b))
}

// exacto is the exact value of a number, or of a boolean as 0 or 1.
func exacto(v algebra.Valor) *big.Rat {
	switch v := v.(type) {
	case algebra.Entero:
		return new(big.Rat).SetInt(v.Big())
	case algebra.Flotante:
		return new(big.Rat).SetFloat64(float64(v))
	default:
		if v.(algebra.Booleano) {
			return big.NewRat(1, 1)
		}
		return new(big.Rat)
	}
}

// identidadDeClave spells a group key: the same for two values exactly when
// they have the same family and the same value (lenguaje §4).
func identidadDeClave(v algebra.Valor) string {
	switch v := v.(type) {
	case algebra.Entero:
		return "n" + v.String() + ";"
	case algebra.Flotante:
		f := float64(v)
		if f != math.Trunc(f) {
			return "f" + strconv.FormatFloat(f, 'x', -1, 64) + ";"
		}
		n, _ := big.NewFloat(f).Int(nil)
		return "n" + n.String() + ";"
	case algebra.Texto:
		return "t" + strconv.Quote(string(v)) + ";"
	case algebra.Booleano:
		return "b" + strconv.FormatBool(bool(v)) + ";"
	default:
		return "-;"
	}
}
