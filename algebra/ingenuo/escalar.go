package ingenuo

import (
	"math"
	"math/big"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// llamar applies one of the five built-in scalars (escalares §1).
func (c *corrida) llamar(nombre string, args []algebra.Valor) (algebra.Valor, error) {
	switch nombre {
	case "mas":
		if a, b, ok := textos(args); ok {
			return c.texto(a + b)
		}
		return c.aritmetica(nombre, args, (*big.Int).Add, func(a, b float64) float64 { return a + b })
	case "menos":
		return c.aritmetica(nombre, args, (*big.Int).Sub, func(a, b float64) float64 { return a - b })
	case "por":
		return c.aritmetica(nombre, args, (*big.Int).Mul, func(a, b float64) float64 { return a * b })
	case "cerca":
		distancia := func(z, a, b *big.Int) *big.Int { return z.Abs(z.Sub(a, b)) }
		return c.aritmetica(nombre, args, distancia, func(a, b float64) float64 { return math.Abs(a - b) })
	case "contiene":
		if texto, aguja, ok := textos(args); ok {
			return algebra.Booleano(strings.Contains(texto, aguja)), nil
		}
		return nil, rechazo(nombre, args)
	default:
		return nil, falla(algebra.ClaseEscalar, "el evaluador ingenuo sólo conoce las escalares internas, no «%s»", algebra.Citar(nombre))
	}
}

func rechazo(nombre string, args []algebra.Valor) error {
	var familias []string
	for _, a := range args {
		familias = append(familias, a.Familia().String())
	}
	return falla(algebra.ClaseEscalar, "«%s» no admite %s", nombre, strings.Join(familias, ", "))
}

func textos(args []algebra.Valor) (a, b string, ok bool) {
	x, okX := args[0].(algebra.Texto)
	y, okY := args[1].(algebra.Texto)
	return string(x), string(y), okX && okY
}

func (c *corrida) texto(s string) (algebra.Valor, error) {
	if n, tope := int64(len(s)), c.lim.TamanoDeValor; n > tope {
		return nil, &algebra.LimiteError{Nombre: algebra.LimiteTamanoDeValor, Observado: n, Limite: tope}
	}
	return algebra.Texto(s), nil
}

// aritmetica is exact on two integers; with a float, the integer goes to the
// nearest float first.
func (c *corrida) aritmetica(nombre string, args []algebra.Valor, enteros func(z, a, b *big.Int) *big.Int, flotantes func(a, b float64) float64) (algebra.Valor, error) {
	for _, a := range args {
		if a.Familia() != algebra.FamiliaNumero {
			return nil, rechazo(nombre, args)
		}
	}
	a, okA := args[0].(algebra.Entero)
	b, okB := args[1].(algebra.Entero)
	if okA && okB {
		return entero(enteros(new(big.Int), a.Big(), b.Big()), c.lim)
	}
	x, err := flotante(args[0])
	if err != nil {
		return nil, err
	}
	y, err := flotante(args[1])
	if err != nil {
		return nil, err
	}
	return finito(flotantes(x, y))
}

// flotante is the float nearest to a number.
func flotante(v algebra.Valor) (float64, error) {
	if f, ok := v.(algebra.Flotante); ok {
		return float64(f), nil
	}
	f, _ := exacto(v).Float64()
	_, err := finito(f)
	return f, err
}

func finito(f float64) (algebra.Valor, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, falla(algebra.ClaseNoFinito, "el resultado no es finito")
	}
	return algebra.Flotante(f), nil
}

func entero(n *big.Int, lim algebra.LimitesAlgebra) (algebra.Valor, error) {
	if bits, tope := int64(n.BitLen()), lim.BitsDeEntero; bits > tope {
		return nil, &algebra.LimiteError{Nombre: algebra.LimiteBitsDeEntero, Observado: bits, Limite: tope}
	}
	return algebra.EnteroDe(n), nil
}
