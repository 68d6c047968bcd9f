package ingenuo

import (
	"math"
	"math/big"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// acumulador is one aggregate over the rows seen so far (lenguaje §4).
type acumulador struct {
	funcion  algebra.Funcion
	cantidad int64
	suma     big.Int       // exact, in units of 2^-1074
	flotante bool          // some addend was a float
	extremo  algebra.Valor // the least or the greatest; see preferido among equals
}

// bitsDeUnidad makes of 2^-bitsDeUnidad the least float above zero, of which
// every finite float and every integer is a whole multiple.
const bitsDeUnidad = 1074

// enUnidades is the exact value of a number or a boolean in units of
// 2^-bitsDeUnidad.
func enUnidades(v algebra.Valor) *big.Int {
	r := exacto(v)
	n := new(big.Int).Lsh(r.Num(), bitsDeUnidad)
	return n.Quo(n, r.Denom())
}

// sobre is the correctly rounded quotient of the exact sum by n.
func (a *acumulador) sobre(n int64) float64 {
	divisor := new(big.Int).Lsh(big.NewInt(n), bitsDeUnidad)
	f, _ := new(big.Rat).SetFrac(&a.suma, divisor).Float64()
	return f
}

// acumular evaluates the aggregate's expression on one row and takes the
// value; «contar» does not evaluate it.
func (c *corrida) acumular(a *acumulador, x algebra.Expr, en entorno) error {
	if a.funcion == algebra.Contar {
		a.cantidad++
		return c.vuelta()
	}
	v, err := c.evaluar(x, en)
	if err != nil {
		return err
	}
	if err := c.recorrer(largo(v)); err != nil {
		return err
	}
	a.cantidad++
	if a.funcion == algebra.Suma || a.funcion == algebra.Promedio {
		return a.sumar(v)
	}
	return a.elegir(v)
}

func (a *acumulador) sumar(v algebra.Valor) error {
	switch v.Familia() {
	case algebra.FamiliaNumero, algebra.FamiliaBooleana:
	default:
		return falla(algebra.ClaseAgregado, "«%s» no admite un %s", a.funcion, v.Familia())
	}
	a.flotante = a.flotante || esFlotante(v)
	a.suma.Add(&a.suma, enUnidades(v))
	return nil
}

func (a *acumulador) elegir(v algebra.Valor) error {
	switch v.Familia() {
	case algebra.FamiliaNula, algebra.FamiliaHecho:
		return falla(algebra.ClaseAgregado, "«%s» no admite un %s", a.funcion, v.Familia())
	}
	if a.extremo == nil {
		a.extremo = v
		return nil
	}
	if v.Familia() != a.extremo.Familia() {
		return falla(algebra.ClaseAgregado, "«%s» mezcla un %s con un %s", a.funcion, a.extremo.Familia(), v.Familia())
	}
	n := orden(v, a.extremo)
	if a.funcion == algebra.Minimo && n < 0 || a.funcion == algebra.Maximo && n > 0 || n == 0 && preferido(v, a.extremo) {
		a.extremo = v
	}
	return nil
}

// preferido says whether v is kept rather than an equal w, so that the result
// is the same whatever the order of the rows (lenguaje §1): an integer rather
// than a float, 0.0 rather than -0.0.
func preferido(v, w algebra.Valor) bool {
	switch {
	case !esFlotante(w):
		return false
	case !esFlotante(v):
		return true
	default:
		return math.Signbit(float64(w.(algebra.Flotante))) && !math.Signbit(float64(v.(algebra.Flotante)))
	}
}

// terminar gives the aggregate's value; over no rows, the integer 0.
func (a *acumulador) terminar(lim algebra.LimitesAlgebra) (algebra.Valor, error) {
	switch {
	case a.cantidad == 0:
		return algebra.NuevoEntero(0), nil
	case a.funcion == algebra.Contar:
		return algebra.NuevoEntero(a.cantidad), nil
	case a.funcion == algebra.Suma && !a.flotante:
		return entero(new(big.Int).Rsh(&a.suma, bitsDeUnidad), lim)
	case a.funcion == algebra.Suma:
		return finito(a.sobre(1))
	case a.funcion == algebra.Promedio:
		return finito(a.sobre(a.cantidad))
	default:
		return a.extremo, nil
	}
}
