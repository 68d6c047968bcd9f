// Package estricto reads JSON documents with a closed shape: every key known,
// none repeated, every type exact, and the JSON path of what is wrong in every
// error.
//
// [Leer] checks the syntax of the whole text once; a [Valor] is then walked
// with its methods, which never look at the syntax again. Values alias the
// text they were read from and are safe for concurrent use.
package estricto

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Error is a document that does not have its shape.
type Error struct {
	Ruta   string // JSON path, "$" is the document
	Motivo string // in Spanish, without a final period

	correccion string // "" when the reason says it all
}

// Correccion returns how to mend the document, a sentence in Spanish.
func (e *Error) Correccion() string {
	if e.correccion == "" {
		return "corregí esa parte del documento como dice el mensaje."
	}
	return e.correccion
}

// Error returns the path and the reason.
func (e *Error) Error() string { return e.Ruta + ": " + e.Motivo }

// Valor is a JSON value and its path. The zero value is not a value.
type Valor struct {
	crudo jsontext.Value
	ruta  string
}

// Miembro is a member of an object.
type Miembro struct {
	Clave string
	Valor Valor
}

// Leer checks that texto is one JSON value in UTF-8, without repeated keys nor
// lone surrogates, and returns it. The error is *[Error].
func Leer(texto []byte) (Valor, error) {
	d := jsontext.NewDecoder(bytes.NewBuffer(texto))
	crudo, err := d.ReadValue()
	if err == nil {
		crudo = crudo.Clone()
		if _, sobra := d.ReadToken(); !errors.Is(sobra, io.EOF) {
			err = errors.New("sobra texto después del valor")
		}
	}
	if err != nil {
		return Valor{}, deSintaxis(texto, d, err)
	}
	return Valor{crudo, "$"}, nil
}

func deSintaxis(texto []byte, d *jsontext.Decoder, err error) *Error {
	donde, ruta := d.InputOffset(), "$"
	motivo := err.Error()
	var sintaxis *jsontext.SyntacticError
	if errors.As(err, &sintaxis) {
		donde = sintaxis.ByteOffset
		for t := range sintaxis.JSONPointer.Tokens() {
			if _, e := strconv.Atoi(t); e == nil {
				ruta += "[" + t + "]"
				continue
			}
			ruta = Hija(ruta, t)
		}
		motivo = enCastellano(sintaxis.Err.Error())
	}
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		return &Error{ruta, "la clave se repite", "dejá una sola aparición de esa clave."}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		motivo = "el texto termina antes de tiempo"
	}
	antes := texto[:min(int(donde), len(texto))]
	linea := bytes.Count(antes, []byte{'\n'}) + 1
	columna := utf8.RuneCount(antes[bytes.LastIndexByte(antes, '\n')+1:]) + 1
	return &Error{ruta, fmt.Sprintf("JSON inválido en línea %d, columna %d: %s", linea, columna, motivo),
		fmt.Sprintf("corregí el JSON en la línea %d, columna %d.", linea, columna)}
}

// enCastellano tells why the text is not JSON. The reader's own words are not of
// its contract: what they do not name is told by its place alone.
func enCastellano(causa string) string {
	for _, x := range []struct{ dice, motivo string }{
		{"UTF-8", "hay bytes que no son UTF-8"},
		{"surrogate", "hay un sustituto UTF-16 suelto"},
		{"depth", "está anidado demasiado hondo"},
		{"escape", "hay un escape que JSON no tiene"},
		{"name must be", "una clave tiene que ser un texto entre comillas"},
		{"start of string", "una clave tiene que ser un texto entre comillas"},
		{"missing value", "falta el valor de la clave"},
		{"number", "hay un número mal escrito"},
		{"in string", "hay un texto mal escrito"},
	} {
		if strings.Contains(causa, x.dice) {
			return x.motivo
		}
	}
	return "no se esperaba lo que llegó"
}

// Hija returns the path of a member: «.clave», or «["clave"]» when the key is
// not a plain name.
func Hija(ruta, clave string) string {
	for i, r := range clave {
		letra := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letra && (i == 0 || r < '0' || r > '9') {
			return ruta + `["` + algebra.Citar(clave) + `"]`
		}
	}
	if clave == "" {
		return ruta + `[""]`
	}
	return ruta + "." + algebra.Citar(clave)
}

// Ruta returns the value's JSON path.
func (v Valor) Ruta() string { return v.ruta }

// Crudo returns the value's own text. Do not modify it.
func (v Valor) Crudo() []byte { return v.crudo }

// EsNulo reports whether the value is null.
func (v Valor) EsNulo() bool { return v.crudo.Kind() == 'n' }

// EsLista reports whether the value is an array.
func (v Valor) EsLista() bool { return v.crudo.Kind() == '[' }

// EsObjeto reports whether the value is an object.
func (v Valor) EsObjeto() bool { return v.crudo.Kind() == '{' }

// Error returns an error at the value's path.
func (v Valor) Error(formato string, args ...any) *Error {
	return &Error{Ruta: v.ruta, Motivo: fmt.Sprintf(formato, args...)}
}

func (v Valor) esperaba(que string) *Error {
	e := v.Error("se esperaba %s; llegó %s", que, algebra.Citar(string(v.crudo[:min(len(v.crudo), 512)])))
	e.correccion = "poné ahí " + que + "."
	return e
}

// Miembros returns the members of an object in the order they are written.
func (v Valor) Miembros() ([]Miembro, error) {
	if !v.EsObjeto() {
		return nil, v.esperaba("un objeto")
	}
	var ms []Miembro
	d := jsontext.NewDecoder(bytes.NewBuffer(v.crudo))
	d.ReadToken()
	for d.PeekKind() == '"' {
		t, err := d.ReadToken()
		if err != nil {
			return nil, v.Error("%s", err)
		}
		clave := t.String()
		crudo, err := d.ReadValue()
		if err != nil {
			return nil, v.Error("%s", err)
		}
		ms = append(ms, Miembro{clave, Valor{v.original(d, crudo), Hija(v.ruta, clave)}})
	}
	return ms, nil
}

// original returns the slice of v's own text that the decoder just read.
func (v Valor) original(d *jsontext.Decoder, crudo jsontext.Value) jsontext.Value {
	fin := int(d.InputOffset())
	return v.crudo[fin-len(crudo) : fin : fin]
}

// Elementos returns the elements of an array.
func (v Valor) Elementos() ([]Valor, error) {
	if !v.EsLista() {
		return nil, v.esperaba("una lista")
	}
	var es []Valor
	d := jsontext.NewDecoder(bytes.NewBuffer(v.crudo))
	d.ReadToken()
	for d.PeekKind() != ']' {
		crudo, err := d.ReadValue()
		if err != nil {
			return nil, v.Error("%s", err)
		}
		es = append(es, Valor{v.original(d, crudo), v.ruta + "[" + strconv.Itoa(len(es)) + "]"})
	}
	return es, nil
}

// Texto returns the text of a string.
func (v Valor) Texto() (string, error) {
	if v.crudo.Kind() != '"' {
		return "", v.esperaba("un texto")
	}
	b, err := jsontext.AppendUnquote(nil, v.crudo)
	if err != nil {
		return "", v.Error("%s", err)
	}
	return string(b), nil
}

// TextoNoVacio returns the text of a string that is not blank and fits a line.
func (v Valor) TextoNoVacio() (string, error) {
	s, err := v.Texto()
	if err == nil && (strings.TrimSpace(s) == "" || strings.ContainsAny(s, "\r\n")) {
		return "", v.esperaba("un texto no vacío, de un renglón")
	}
	return s, err
}

// Booleano returns a boolean.
func (v Valor) Booleano() (bool, error) {
	switch v.crudo.Kind() {
	case 't':
		return true, nil
	case 'f':
		return false, nil
	}
	return false, v.esperaba("true o false")
}

// Numero returns a number as the language reads it: an integer stays exact.
func (v Valor) Numero() (algebra.Valor, error) {
	if v.crudo.Kind() != '0' {
		return nil, v.esperaba("un número")
	}
	n, err := algebra.LeerNumero(string(v.crudo), algebra.LimitesAlgebra{})
	if err != nil {
		return nil, v.Error("%s", err)
	}
	return n, nil
}

// Entero returns an integer that is not negative.
func (v Valor) Entero() (algebra.Entero, error) {
	n, err := v.Numero()
	if e, ok := n.(algebra.Entero); err == nil && ok && e.Big().Sign() >= 0 {
		return e, nil
	}
	return algebra.Entero{}, v.esperaba("un entero mayor o igual que 0")
}

// Textos returns the texts of an array of distinct, not empty strings.
func (v Valor) Textos() ([]string, error) {
	es, err := v.Elementos()
	if err != nil {
		return nil, err
	}
	visto := map[string]bool{}
	var ts []string
	for _, e := range es {
		s, err := e.TextoNoVacio()
		if err != nil {
			return nil, err
		}
		if visto[s] {
			return nil, e.Error("«%s» se repite", algebra.Citar(s))
		}
		visto[s] = true
		ts = append(ts, s)
	}
	return ts, nil
}

// Objeto returns the members of an object by key. A key that is neither in
// obligatorias nor in opcionales, and an obligatory one that is missing, are
// errors.
func (v Valor) Objeto(obligatorias, opcionales []string) (map[string]Valor, error) {
	ms, err := v.Miembros()
	if err != nil {
		return nil, err
	}
	conocida := map[string]bool{}
	for _, c := range append(append([]string(nil), obligatorias...), opcionales...) {
		conocida[c] = true
	}
	porClave := make(map[string]Valor, len(ms))
	for _, m := range ms {
		if !conocida[m.Clave] {
			e := m.Valor.Error("clave desconocida; las que hay son %s", strings.Join(append(append([]string(nil), obligatorias...), opcionales...), ", "))
			e.correccion = "sacala, o corregí su nombre."
			return nil, e
		}
		porClave[m.Clave] = m.Valor
	}
	for _, c := range obligatorias {
		if _, ok := porClave[c]; !ok {
			e := v.Error("falta la clave «%s»", c)
			e.correccion = "agregá esa clave, que es obligatoria."
			return nil, e
		}
	}
	return porClave, nil
}
