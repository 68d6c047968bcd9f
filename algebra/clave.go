package algebra

import (
	"encoding/binary"
	"math"
	"math/big"
	"strings"
)

// appendClave appends the identity of a value as a key: two values are the
// same key when they have the same family and the same value, so 1 and 1.0
// merge and true and 1 do not (lenguaje §4 «agrupar», §1). No identity is a
// prefix of another, so those of several values can be joined.
func appendClave(b []byte, v Valor) []byte {
	switch x := v.(type) {
	case Entero:
		if x.grande != nil {
			return appendClaveGrande(b, x.grande)
		}
		return binary.BigEndian.AppendUint64(append(b, 'i'), uint64(x.chico))
	case Flotante:
		f := float64(x)
		if f != math.Trunc(f) {
			return binary.BigEndian.AppendUint64(append(b, 'f'), math.Float64bits(f))
		}
		if f >= -(1<<63) && f < 1<<63 {
			return binary.BigEndian.AppendUint64(append(b, 'i'), uint64(int64(f)))
		}
		n, _ := big.NewFloat(f).Int(nil)
		return appendClaveGrande(b, n)
	case Texto:
		b = binary.BigEndian.AppendUint32(append(b, 't'), uint32(len(x)))
		return append(b, x...)
	case Booleano:
		return append(b, 'b', bit(bool(x)))
	default:
		return append(b, 'n')
	}
}

func appendClaveGrande(b []byte, n *big.Int) []byte {
	signo := byte('+')
	if n.Sign() < 0 {
		signo = '-'
	}
	m := n.Bytes()
	b = binary.BigEndian.AppendUint32(append(b, 'g', signo), uint32(len(m)))
	return append(b, m...)
}

// citarLista joins names for a message.
func citarLista(nombres []string) string { return Citar(strings.Join(nombres, ", ")) }
