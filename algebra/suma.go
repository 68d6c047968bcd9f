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
	flotantes big.Int // in units of 2^-1074, the smallest float
}

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

// derramar moves the floats to the integer, where any sum is exact.
func (s *suma) derramar(f float64) {
	e := s.aparte()
	for _, x := range []float64{s.mayor, s.menor, f} {
		e.flotantes.Add(&e.flotantes, enUnidades(x))
	}
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

// exacta returns the whole sum.
func (s *suma) exacta() *big.Rat {
	n := s.enteros()
	n.Lsh(n, -unidad)
	n.Add(n, enUnidades(s.mayor))
	n.Add(n, enUnidades(s.menor))
	if s.exceso != nil {
		n.Add(n, &s.exceso.flotantes)
	}
	return new(big.Rat).SetFrac(n, new(big.Int).Lsh(big.NewInt(1), -unidad))
}
