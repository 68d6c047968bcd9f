// Package crudo reads JSON one level at a time, without decoding what lies below.
//
// The wire and the argument checks both need to look at an object's members,
// repeated keys included, and hand the values on exactly as they came. [Miembros]
// and [Elementos] do that for an object and an array; [Texto] decodes a string
// refusing what a Go string cannot hold; [Cita] quotes a foreign value in a message.
//
// Every returned slice aliases the input: callers must not modify either. All
// functions are pure and safe for concurrent use.
package crudo

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// CitaMaxima is the longest quotation, in code points, that a message carries
// (codigos.md §1).
const CitaMaxima = 120

// Errors of [Miembros] and [Elementos].
var (
	ErrNoObjeto = errors.New("no es un objeto")
	ErrNoLista  = errors.New("no es una lista")
)

// Miembro is one member of an object: its decoded name and its raw value.
type Miembro struct {
	Clave string
	Valor json.RawMessage
}

// Decoder returns a decoder over b that accepts what the project leaves to later
// layers: repeated names and escaped surrogates without a pair.
func Decoder(b []byte) *jsontext.Decoder {
	return jsontext.NewDecoder(bytes.NewBuffer(b), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// Miembros returns the members of the object raw in the order they were written,
// repeated ones too. The error is [ErrNoObjeto] for another kind of value, or the
// syntax error.
func Miembros(raw []byte) ([]Miembro, error) {
	d := Decoder(raw)
	if d.PeekKind() != '{' {
		return nil, ErrNoObjeto
	}
	ms, err := LeerMiembros(d)
	if err != nil {
		return nil, err
	}
	return ms, Final(d)
}

// LeerMiembros reads the object that comes next in d, as [Miembros] does.
func LeerMiembros(d *jsontext.Decoder) ([]Miembro, error) {
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var ms []Miembro
	for d.PeekKind() == '"' {
		clave, err := d.ReadToken()
		if err != nil {
			return nil, err
		}
		nombre := clave.String()
		valor, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		ms = append(ms, Miembro{Clave: nombre, Valor: json.RawMessage(valor)})
	}
	_, err := d.ReadToken() // '}', or the syntax error PeekKind ran into
	return ms, err
}

// Elementos returns the raw elements of the array raw. The error is [ErrNoLista]
// for another kind of value, or the syntax error.
func Elementos(raw []byte) ([]json.RawMessage, error) {
	d := Decoder(raw)
	if d.PeekKind() != '[' {
		return nil, ErrNoLista
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	var es []json.RawMessage
	for k := d.PeekKind(); k != ']' && k != jsontext.KindInvalid; k = d.PeekKind() {
		v, err := d.ReadValue()
		if err != nil {
			return nil, err
		}
		es = append(es, json.RawMessage(v))
	}
	if _, err := d.ReadToken(); err != nil {
		return nil, err
	}
	return es, Final(d)
}

// ErrSobra says that a value was followed by something else.
var ErrSobra = errors.New("hay algo después del valor")

// Final reports whether nothing but white space is left in d.
func Final(d *jsontext.Decoder) error {
	switch _, err := d.ReadToken(); {
	case err == io.EOF:
		return nil
	default:
		return ErrSobra
	}
}

// Tipo returns the kind of the raw value: '{', '[', '"', '0' (number), 't', 'f',
// 'n', or 0 when there is none.
func Tipo(raw []byte) byte {
	switch k := jsontext.Value(raw).Kind(); k {
	case jsontext.KindInvalid:
		return 0
	default:
		return byte(k)
	}
}

// Texto decodes the raw string. It reports false for another kind of value and
// for a string with a surrogate that lacks its pair, which no Go string can hold.
func Texto(raw []byte) (string, bool) {
	if Tipo(raw) != '"' {
		return "", false
	}
	b, err := jsontext.AppendUnquote(nil, bytes.TrimSpace(raw))
	return string(b), err == nil
}

// AppendTexto appends s as a JSON string, escaping only what the grammar requires:
// no <>&, U+2028 nor U+2029 (codigos.md §3). Bytes that are not UTF-8 become U+FFFD.
func AppendTexto(dst []byte, s string) []byte {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	dst, err := jsontext.AppendQuote(dst, s)
	if err != nil {
		panic("crudo: quoting valid UTF-8 failed: " + err.Error())
	}
	return dst
}

// Cita prepares a foreign text for a message: controls are escaped and it is cut
// to [CitaMaxima] code points, the last one an ellipsis when something was cut
// (codigos.md §1).
func Cita(s string) string {
	var piezas []string
	n := 0
	for _, r := range s {
		pieza := string(r) // bytes that are not UTF-8 become U+FFFD
		if unicode.IsControl(r) {
			pieza = escapar(r)
		}
		piezas = append(piezas, pieza)
		if n += utf8.RuneCountInString(pieza); n > CitaMaxima {
			break
		}
	}
	if n <= CitaMaxima {
		return strings.Join(piezas, "")
	}
	for n > CitaMaxima-1 {
		ultima := len(piezas) - 1
		n -= utf8.RuneCountInString(piezas[ultima])
		piezas = piezas[:ultima]
	}
	return strings.Join(piezas, "") + "…"
}

func escapar(r rune) string {
	const hex = "0123456789abcdef"
	return string([]byte{'\\', 'u', '0', '0', hex[r>>4&0xf], hex[r&0xf]})
}

// CitaJSON quotes a raw value as [Cita] does, without the white space around and
// between its tokens.
func CitaJSON(raw []byte) string {
	// The cut is known to fall within the first code points: compacting a huge
	// value to show a line of it would be work for nothing.
	const ventana = 64 * CitaMaxima
	if len(raw) <= ventana {
		var b bytes.Buffer
		if err := json.Compact(&b, raw); err == nil {
			return Cita(b.String())
		}
	}
	if len(raw) > ventana {
		raw = raw[:ventana]
	}
	return Cita(string(raw))
}
