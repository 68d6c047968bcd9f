package algebra

import (
	"math"
	"math/big"
	"math/bits"
)

// acumulador folds the values of one aggregate over one group. The zero value
// is ready for any aggregate but must always be used with the same one.
type acumulador struct {
	n      int64
	minmax Valor
	enteros
	flotantes
}

// enteros is an exact sum of integers: a 128-bit one, and what does not fit.
type enteros struct {
	bajo   uint64
	alto   int64
	grande *big.Int
}

func (s *enteros) sumar(n int64) {
	bajo, acarreo := bits.Add64(s.bajo, uint64(n), 0)
	s.bajo = bajo
	s.alto += n>>63 + int64(acarreo) // cannot overflow: 2^63 additions away
}

func (s *enteros) sumarGrande(n *big.Int) {
	if s.grande == nil {
		s.grande = new(big.Int)
	}
	s.grande.Add(s.grande, n)
}

func (s *enteros) total() *big.Int {
	t := new(big.Int).Lsh(big.NewInt(s.alto), 64)
	t.Add(t, new(big.Int).SetUint64(s.bajo))
	if s.grande != nil {
		t.Add(t, s.grande)
	}
	return t
}

// flotantes is an exact sum of floats: two floats that add up to it, as long
// as two are enough, and an integer count of the smallest float otherwise.
type flotantes struct {
	hubo       bool
	alto, bajo float64
	resto      *big.Int // in units of 2^-1074
}

// unidad is the exponent of the smallest positive float.
const unidad = -1074

func (s *flotantes) sumar(f float64) {
	s.hubo = true
	suma, error1 := dosSumas(s.alto, f)
	bajo, error2 := dosSumas(s.bajo, error1)
	// A NaN here means an intermediate overflow: the exact sum may be finite.
	if error2 != 0 || math.IsNaN(error2) {
		s.derramar(f)
		return
	}
	s.alto, s.bajo = suma, bajo
}

// derramar moves everything to the integer, where any sum is exact.
func (s *flotantes) derramar(f float64) {
	if s.resto == nil {
		s.resto = new(big.Int)
	}
	for _, x := range []float64{s.alto, s.bajo, f} {
		s.resto.Add(s.resto, enUnidades(x))
	}
	s.alto, s.bajo = 0, 0
}

// dosSumas returns the rounded sum and its exact error (Knuth's TwoSum).
func dosSumas(a, b float64) (suma, resto float64) {
	suma = a + b
	bb := suma - a
	resto = (a - (suma - bb)) + (b - bb)
	return suma, resto
}

// enUnidades returns a finite float as an integer count of units.
func enUnidades(f float64) *big.Int {
	mant, exp := math.Frexp(f)
	n := big.NewInt(int64(mant * (1 << 53)))
	if d := exp - 53 - unidad; d >= 0 {
		n.Lsh(n, uint(d))
	} else {
		n.Rsh(n, uint(-d)) // exact: a subnormal's low bits are zero
	}
	return n
}

// acepta reports whether an aggregate takes a value, or says why not.
func (a *acumulador) acepta(f Funcion, v Valor) error {
	fam := v.Familia()
	switch f {
	case Suma, Promedio:
		if fam != FamiliaNumero && fam != FamiliaBooleana {
			return fallo(ClaseAgregado, "%s recibió %s (%s); admite números y booleanos", f, citarValor(v), fam)
		}
	default:
		if fam == FamiliaNula || fam == FamiliaHecho {
			return fallo(ClaseAgregado, "%s recibió %s (%s); admite números, booleanos o textos", f, citarValor(v), fam)
		}
		if a.minmax != nil && a.minmax.Familia() != fam {
			return fallo(ClaseAgregado, "%s mezcla %s (%s) con %s (%s); admite una sola familia", f, citarValor(a.minmax), a.minmax.Familia(), citarValor(v), fam)
		}
	}
	return nil
}

// tomar folds a value the aggregate accepts.
func (a *acumulador) tomar(f Funcion, v Valor) {
	a.n++
	switch f {
	case Suma, Promedio:
		switch x := v.(type) {
		case Entero:
			if x.grande != nil {
				a.sumarGrande(x.grande)
			} else {
				a.enteros.sumar(x.chico)
			}
		case Flotante:
			a.flotantes.sumar(float64(x))
		case Booleano:
			a.enteros.sumar(int64(bit(bool(x))))
		}
	case Minimo:
		if a.minmax == nil || ordenDeFamilia(v, a.minmax) < 0 {
			a.minmax = v
		}
	case Maximo:
		if a.minmax == nil || ordenDeFamilia(v, a.minmax) > 0 {
			a.minmax = v
		}
	}
}

// terminar returns the aggregate's value; over no rows, the integer 0.
func (a *acumulador) terminar(f Funcion, lim *LimitesAlgebra) (Valor, error) {
	if f == Contar {
		return NuevoEntero(a.n), nil
	}
	if a.n == 0 {
		return NuevoEntero(0), nil
	}
	switch f {
	case Suma:
		return a.suma(lim)
	case Promedio:
		return a.promedio()
	default:
		return a.minmax, nil
	}
}

func (a *acumulador) suma(lim *LimitesAlgebra) (Valor, error) {
	if !a.hubo {
		if a.grande == nil && a.enteros.alto == int64(a.enteros.bajo)>>63 && lim.BitsDeEntero >= 64 {
			return NuevoEntero(int64(a.enteros.bajo)), nil
		}
		e := enteroPropio(a.total())
		if b := int64(e.Bits()); b > lim.BitsDeEntero {
			return nil, &LimiteError{LimiteBitsDeEntero, b, lim.BitsDeEntero}
		}
		return e, nil
	}
	if a.resto == nil && a.grande == nil && a.enteros == (enteros{}) {
		return finito(Suma, a.flotantes.alto+a.flotantes.bajo)
	}
	f, _ := a.exacta().Float64()
	return finito(Suma, f)
}

// exacta returns the sum of everything taken, exactly.
func (a *acumulador) exacta() *big.Rat {
	n := a.total()
	n.Lsh(n, -unidad)
	n.Add(n, enUnidades(a.flotantes.alto))
	n.Add(n, enUnidades(a.flotantes.bajo))
	if a.resto != nil {
		n.Add(n, a.resto)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), -unidad))
}

func (a *acumulador) promedio() (Valor, error) {
	var exacta *big.Rat
	if a.hubo {
		exacta = a.exacta()
	} else {
		exacta = new(big.Rat).SetInt(a.total())
	}
	f, _ := exacta.Quo(exacta, new(big.Rat).SetInt64(a.n)).Float64()
	return finito(Promedio, f)
}

func finito(que Funcion, f float64) (Valor, error) {
	if !esFinito(f) {
		return nil, fallo(ClaseNoFinito, "el resultado de %s no es finito", que)
	}
	return Flotante(f), nil
}
