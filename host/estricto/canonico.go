package estricto

import (
	"math"
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// AppendCanonico appends the value as canonical JSON: keys by code point, no
// spaces, numbers as [algebra.AppendJSON] writes them (proyecto §7). The error
// is *[Error], for a number that is too large to be one.
func (v Valor) AppendCanonico(b []byte) ([]byte, error) {
	switch v.crudo.Kind() {
	case '{':
		ms, err := v.Miembros()
		if err != nil {
			return nil, err
		}
		slices.SortFunc(ms, func(x, y Miembro) int {
			if x.Clave < y.Clave {
				return -1
			}
			return 1
		})
		b = append(b, '{')
		for i, m := range ms {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(algebra.AppendTexto(b, m.Clave), ':')
			if b, err = m.Valor.AppendCanonico(b); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	case '[':
		es, err := v.Elementos()
		if err != nil {
			return nil, err
		}
		b = append(b, '[')
		for i, e := range es {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = e.AppendCanonico(b); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	case '"':
		s, err := v.Texto()
		return algebra.AppendTexto(b, s), err
	case '0':
		n, err := v.Numero()
		if err != nil {
			return nil, err
		}
		if f, ok := n.(algebra.Flotante); ok && math.IsInf(float64(f), 0) {
			return nil, v.Error("el número no es finito")
		}
		return algebra.AppendJSON(b, n), nil
	default:
		return append(b, v.crudo...), nil
	}
}
