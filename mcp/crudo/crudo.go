// Package crudo reads JSON one level at a time, without decoding what lies below.
//
// The wire and the argument checks both need to look at an object's members,
// repeated keys included, and hand the values on exactly as they came.
// [CadaMiembro] and [CadaElemento] do that for an object and an array, without
// keeping anything; [Miembros] keeps the members asked for. [Texto] decodes a string
// refusing what a Go string cannot hold; [Cita] quotes a foreign value in a message.
//
// Every returned slice aliases the input: callers must not modify either. All
// functions are pure and safe for concurrent use.
package crudo

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// CitaMaxima is the longest quotation, in code points, that a message carries
// (codigos.md §1).
const CitaMaxima = 120

// Errors of [CadaMiembro] and [CadaElemento] for another kind of value.
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
// repeated ones too: those with one of the names given, or all when none is. The
// errors are those of [CadaMiembro].
func Miembros(raw []byte, claves ...string) ([]Miembro, error) {
	var ms []Miembro
	err := CadaMiembro(raw, juntar(&ms, claves))
	return ms, err
}

// LeerMiembros reads the object that comes next in d, as [Miembros] does.
func LeerMiembros(d *jsontext.Decoder, claves ...string) ([]Miembro, error) {
	var ms []Miembro
	err := recorrer(d, juntar(&ms, claves))
	return ms, err
}

func juntar(ms *[]Miembro, claves []string) func(string, json.RawMessage) error {
	return func(clave string, valor json.RawMessage) error {
		if len(claves) == 0 || slices.Contains(claves, clave) {
			*ms = append(*ms, Miembro{Clave: clave, Valor: valor})
		}
		return nil
	}
}

// CadaMiembro calls f with each member of the object raw, in the order they were
// written, until f fails. The error is f's, [ErrNoObjeto] for another kind of value,
// or the syntax error.
func CadaMiembro(raw []byte, f func(clave string, valor json.RawMessage) error) error {
	d := Decoder(raw)
	if d.PeekKind() != '{' {
		return ErrNoObjeto
	}
	if err := recorrer(d, f); err != nil {
		return err
	}
	return Final(d)
}

func recorrer(d *jsontext.Decoder, f func(string, json.RawMessage) error) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		clave, err := d.ReadToken()
		if err != nil {
			return err
		}
		nombre := clave.String()
		valor, err := d.ReadValue()
		if err != nil {
			return err
		}
		if err := f(nombre, json.RawMessage(valor)); err != nil {
			return err
		}
	}
	_, err := d.ReadToken() // '}', or the syntax error PeekKind ran into
	return err
}

// CadaElemento calls f with each element of the array raw, until f fails. The error
// is f's, [ErrNoLista] for another kind of value, or the syntax error.
func CadaElemento(raw []byte, f func(i int, valor json.RawMessage) error) error {
	d := Decoder(raw)
	if d.PeekKind() != '[' {
		return ErrNoLista
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for i := 0; d.PeekKind() != ']' && d.PeekKind() != jsontext.KindInvalid; i++ {
		valor, err := d.ReadValue()
		if err != nil {
			return err
		}
		if err := f(i, json.RawMessage(valor)); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	return Final(d)
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
		// Controls, and what hides or turns around the text beside it.
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) {
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
	if r > 0xffff {
		return fmt.Sprintf(`\U%08x`, r)
	}
	return fmt.Sprintf(`\u%04x`, r)
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
