package algebra

import (
	"bytes"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendJSON appends the value as canonical JSON: exact integers, floats with
// the fewest digits that recover them and always a «.» or an «e», texts with
// nothing escaped but quotes, backslashes and controls (proyecto §7, codigos
// §3). A fact is an object with its fields by code point.
func AppendJSON(b []byte, v Valor) []byte {
	switch x := v.(type) {
	case Entero:
		if x.grande != nil {
			return x.grande.Append(b, 10)
		}
		return strconv.AppendInt(b, x.chico, 10)
	case Flotante:
		return AppendFlotante(b, float64(x))
	case Texto:
		return AppendTexto(b, string(x))
	case Booleano:
		return strconv.AppendBool(b, bool(x))
	case Hecho:
		if x.relacion == nil {
			return append(b, "{}"...)
		}
		return x.relacion.AppendFila(b, x.fila)
	default:
		return append(b, "null"...)
	}
}

// AppendTexto appends s as a JSON string.
func AppendTexto(b []byte, s string) []byte {
	// The only error is invalid UTF-8, which no reader of ours lets in; what
	// it would append then is still a valid string.
	b, _ = jsontext.AppendQuote(b, s)
	return b
}

// AppendFlotante appends a finite float: shortest digits, «1.0» with its
// decimal, an exponent when the decimal one is below -4 or at least 16.
func AppendFlotante(b []byte, f float64) []byte {
	inicio := len(b)
	b = strconv.AppendFloat(b, f, 'e', -1, 64)
	e := bytes.IndexByte(b[inicio:], 'e')
	if e < 0 {
		return b // not finite: only a rejected form can hold it
	}
	exp, _ := strconv.Atoi(string(b[inicio+e+1:]))
	if exp < -4 || exp >= 16 {
		return b
	}
	b = strconv.AppendFloat(b[:inicio], f, 'f', -1, 64)
	if bytes.IndexByte(b[inicio:], '.') < 0 {
		b = append(b, ".0"...)
	}
	return b
}

// AppendJSON appends the form as compact JSON.
func (n Nodo) AppendJSON(b []byte) []byte {
	if n.hoja != nil {
		return AppendJSON(b, n.hoja)
	}
	b = append(b, '[')
	for i, h := range n.hijos {
		if i > 0 {
			b = append(b, ',')
		}
		b = h.AppendJSON(b)
	}
	return append(b, ']')
}

// String returns the form as compact JSON.
func (n Nodo) String() string { return string(n.AppendJSON(nil)) }
