package mutacion

import (
	"math"
	"math/big"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// esNumero reports whether a value is an integer or a float.
func esNumero(v algebra.Valor) bool { return v != nil && v.Familia() == algebra.FamiliaNumero }

// correr returns the number one more (hacia 1) or one less (hacia -1). A float
// that one does not move is doubled or halved in that direction. It reports
// false when what comes out is not finite, or v is not a number.
func correr(v algebra.Valor, hacia int) (algebra.Valor, bool) {
	switch x := v.(type) {
	case algebra.Entero:
		return enteroMas(x, hacia), true
	case algebra.Flotante:
		f := float64(x)
		g := f + float64(hacia)
		if g == f {
			if g = f * 2; f > 0 != (hacia > 0) {
				g = f / 2
			}
		}
		return finito(g)
	}
	return nil, false
}

// vecino returns the next number in a direction: the integer, or the
// representable float. It reports false as correr does.
func vecino(v algebra.Valor, hacia int) (algebra.Valor, bool) {
	switch x := v.(type) {
	case algebra.Entero:
		return enteroMas(x, hacia), true
	case algebra.Flotante:
		return finito(math.Nextafter(float64(x), math.Inf(hacia)))
	}
	return nil, false
}

func enteroMas(x algebra.Entero, n int) algebra.Valor {
	return algebra.EnteroDe(new(big.Int).Add(x.Big(), big.NewInt(int64(n))))
}

func finito(f float64) (algebra.Valor, bool) {
	return algebra.Flotante(f), !math.IsInf(f, 0) && !math.IsNaN(f)
}

// aprueba reports whether n, 0 or 1, satisfies the threshold. A boolean limit
// counts as 0 or 1, and a text is satisfied by no number.
func (o *original) aprueba(n int64) bool {
	var c int // n against the limit
	switch x := o.limite.(type) {
	case algebra.Entero:
		c = big.NewInt(n).Cmp(x.Big())
	case algebra.Flotante:
		c = comparar(float64(n), float64(x))
	case algebra.Booleano:
		limite := 0.0
		if x {
			limite = 1
		}
		c = comparar(float64(n), limite)
	default:
		return false
	}
	switch o.op {
	case algebra.Igual:
		return c == 0
	case algebra.Distinto:
		return c != 0
	case algebra.Menor:
		return c < 0
	case algebra.MenorIgual:
		return c <= 0
	case algebra.Mayor:
		return c > 0
	default:
		return c >= 0
	}
}

func comparar(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// esCero reports whether the limit is the number 0.
func (o *original) esCero() bool {
	switch x := o.limite.(type) {
	case algebra.Entero:
		return x.Bits() == 0
	case algebra.Flotante:
		return x == 0
	}
	return false
}

// negado returns the comparator that holds when c does not.
func negado(c algebra.Comparador) algebra.Comparador {
	switch c {
	case algebra.Igual:
		return algebra.Distinto
	case algebra.Distinto:
		return algebra.Igual
	case algebra.Menor:
		return algebra.MayorIgual
	case algebra.MenorIgual:
		return algebra.Mayor
	case algebra.Mayor:
		return algebra.MenorIgual
	default:
		return algebra.Menor
	}
}
