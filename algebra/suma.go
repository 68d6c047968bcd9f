package algebra

import (
	"math"
	"math/big"
	"math/bits"
)

// suma is an exact sum of integers and floats, so that it does not depend on
// the order. The zero value is 0. It is small because there is one for each
// group: what only unusual sums need is kept aside, in exceso.
type suma struct {
	bajo         uint64 // the integers, a sum of 128 bits
	alto         int64
	mayor, menor float64 // the floats: two that add up to them, while two are enough
	exceso       *exceso
	hubo         bool // some float
}

// exceso is the part of a sum that does not fit the rest.
type exceso struct {
	enteros   big.Int
	flotantes *expansion // nil while there are none
}

// bytesDeExceso estimates what an exceso occupies, its integers of the limit's
// size or its floats.
const bytesDeExceso = 8*limbosDeExpansion + 96

// unidad is the exponent of the smallest positive float.
const unidad = -1074

func (s *suma) aparte() *exceso {
	if s.exceso == nil {
		s.exceso = &exceso{}
	}
	return s.exceso
}

func (s *suma) tomar(v Valor) {
	switch x := v.(type) {
	case Entero:
		if x.grande != nil {
			e := s.aparte()
			e.enteros.Add(&e.enteros, x.grande)
		} else {
			s.entero(x.chico)
		}
	case Flotante:
		s.flotante(float64(x))
	case Booleano:
		s.entero(int64(bit(bool(x))))
	}
}

func (s *suma) entero(n int64) {
	bajo, acarreo := bits.Add64(s.bajo, uint64(n), 0)
	s.bajo = bajo
	s.alto += n>>63 + int64(acarreo) // cannot overflow: 2^63 additions away
}

func (s *suma) flotante(f float64) {
	s.hubo = true
	mayor, resto := dosSumas(s.mayor, f)
	menor, pierde := dosSumas(s.menor, resto)
	// A NaN here is an overflow on the way: the exact sum may be finite.
	if pierde != 0 || math.IsNaN(pierde) {
		s.derramar(f)
		return
	}
	s.mayor, s.menor = mayor, menor
}

// derramar moves the floats to the expansion, where any sum is exact.
func (s *suma) derramar(f float64) {
	e := s.aparte()
	if e.flotantes == nil {
		e.flotantes = &expansion{}
	}
	e.flotantes.sumar(s.mayor)
	e.flotantes.sumar(s.menor)
	e.flotantes.sumar(f)
	s.mayor, s.menor = 0, 0
}

// dosSumas returns the rounded sum and its exact error (Knuth's TwoSum).
func dosSumas(a, b float64) (total, resto float64) {
	total = a + b
	bb := total - a
	resto = (a - (total - bb)) + (b - bb)
	return total, resto
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

// enteros returns the sum of the integers.
func (s *suma) enteros() *big.Int {
	t := new(big.Int).Lsh(big.NewInt(s.alto), 64)
	t.Add(t, new(big.Int).SetUint64(s.bajo))
	if s.exceso != nil {
		t.Add(t, &s.exceso.enteros)
	}
	return t
}

// unidades returns the whole sum in units of 2^-1074.
func (s *suma) unidades() *big.Int {
	n := s.enteros()
	n.Lsh(n, -unidad)
	n.Add(n, enUnidades(s.mayor))
	n.Add(n, enUnidades(s.menor))
	if s.exceso != nil && s.exceso.flotantes != nil {
		n.Add(n, s.exceso.flotantes.unidades())
	}
	return n
}

// cociente returns n units over d, correctly rounded once: the quotient has
// more bits than a float, and a last one that says whether there are others.
func cociente(n *big.Int, d int64) float64 {
	q, divisor := new(big.Int).Abs(n), big.NewInt(d)
	sobra := max(0, 66+divisor.BitLen()-q.BitLen())
	q.Lsh(q, uint(sobra))
	_, resto := q.QuoRem(q, divisor, new(big.Int))
	q.Lsh(q, 1)
	if resto.Sign() != 0 {
		q.SetBit(q, 0, 1)
	}
	x := new(big.Float).SetInt(q)
	f, _ := x.SetMantExp(x, unidad-sobra-1).Float64()
	if n.Sign() < 0 {
		return -f
	}
	return f
}
