package algebra

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// Sums of floats of any exponents, against integers, with the carries taken at
// the end and in the middle.
func TestExpansionEsExacta(t *testing.T) {
	azar := rand.New(rand.NewPCG(3, 4))
	for ronda := range 300 {
		e, quiero := &expansion{}, new(big.Int)
		for i := range 1 + azar.IntN(400) {
			f := math.Float64frombits(azar.Uint64())
			switch azar.IntN(6) {
			case 0:
				f = math.Copysign(math.MaxFloat64, f)
			case 1:
				f = math.Copysign(math.SmallestNonzeroFloat64, f)
			}
			if !esFinito(f) {
				continue
			}
			if i%100 == 50 {
				e.sumandos = maximoSinAcarreo - 1
			}
			e.sumar(f)
			quiero.Add(quiero, enUnidades(f))
		}
		if n := e.unidades(); n.Cmp(quiero) != 0 {
			t.Fatalf("round %d: %v, want %v", ronda, n, quiero)
		}
	}
}

// The quotient is the one exact rationals round to, also where floats are
// subnormal or end.
func TestCocienteRedondeaUnaVez(t *testing.T) {
	azar := rand.New(rand.NewPCG(5, 6))
	unidades := new(big.Int).Lsh(big.NewInt(1), -unidad)
	for range 20000 {
		n := new(big.Int).SetUint64(azar.Uint64() >> azar.UintN(64))
		n.Lsh(n, azar.UintN(2200))
		n.Add(n, big.NewInt(int64(azar.IntN(3))-1))
		if azar.IntN(2) == 0 {
			n.Neg(n)
		}
		d := 1 + azar.Int64()>>azar.UintN(63)
		quiero, _ := new(big.Rat).SetFrac(n, new(big.Int).Mul(unidades, big.NewInt(d))).Float64()
		if f := cociente(n, d); f != quiero {
			t.Fatalf("%v / %d: %v, want %v", n, d, f, quiero)
		}
	}
}
