package algebra

import (
	"encoding/binary"
	"math"
	"math/big"
)

// limbosDeExpansion holds every finite float, in digits of 32 bits from 2^-1074
// up, and room above for the sum of 2^63 of them.
const limbosDeExpansion = 68

// maximoSinAcarreo is how many floats add up before a digit could overflow its
// 64 bits: each adds less than 2^32 to it.
const maximoSinAcarreo = 1 << 30

// expansion is an exact sum of floats of any exponents: adding one touches
// three digits, whatever was added before (Kulisch's accumulator, with the
// carries left for later). The zero value is 0.
type expansion struct {
	limbos   [limbosDeExpansion]int64
	sumandos int32 // since the carries were last taken
}

// sumar adds a finite float.
func (e *expansion) sumar(f float64) {
	const digito = 1<<32 - 1
	b := math.Float64bits(f)
	exp, mant := b>>52&0x7ff, b&(1<<52-1)
	if exp == 0 {
		exp = 1 // a subnormal
	} else {
		mant |= 1 << 52
	}
	i, d := (exp-1)/32, (exp-1)%32
	x0, x1, x2 := int64(mant<<d&digito), int64(mant>>(32-d)&digito), int64(mant>>(64-d))
	if b>>63 != 0 {
		x0, x1, x2 = -x0, -x1, -x2
	}
	l := e.limbos[i : i+3]
	l[0] += x0
	l[1] += x1
	l[2] += x2
	if e.sumandos++; e.sumandos == maximoSinAcarreo {
		e.acarrear()
	}
}

// acarrear leaves every digit but the last, which has the sign, in 32 bits.
func (e *expansion) acarrear() {
	e.sumandos = 0
	var lleva int64
	for i := range limbosDeExpansion - 1 {
		x := e.limbos[i] + lleva
		lleva = x >> 32
		e.limbos[i] = x - lleva<<32
	}
	e.limbos[limbosDeExpansion-1] += lleva
}

// unidades returns the sum in units of 2^-1074.
func (e *expansion) unidades() *big.Int {
	e.acarrear()
	const ultimo = limbosDeExpansion - 1
	var b [4 * ultimo]byte
	for i := range ultimo {
		binary.BigEndian.PutUint32(b[4*(ultimo-1-i):], uint32(e.limbos[i]))
	}
	n := new(big.Int).SetBytes(b[:])
	alto := big.NewInt(e.limbos[ultimo])
	return n.Add(n, alto.Lsh(alto, 32*ultimo))
}
