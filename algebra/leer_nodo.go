package algebra

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// TopeDeTexto is how many bytes the text of a measure may have (lenguaje §6).
const TopeDeTexto = 1 << 20

// margenDeForma is how much deeper than an expression a whole canonical form
// nests: measure, pipeline, step, list of aggregates, aggregate; and a macro's
// template around them.
const margenDeForma = 12

// LeerNodo reads one canonical form from JSON text. Nesting is bounded before
// it is walked. The error is *[ErrorDeCarga] for what is not a form (objects,
// repeated or trailing values, bad UTF-8, a lone surrogate, a text over
// [TopeDeTexto]), and
// *[LimiteError] for nesting, nodes, integers and texts over lim.
func LeerNodo(texto []byte, lim LimitesAlgebra) (Nodo, error) {
	lim = lim.Completos()
	if len(texto) > TopeDeTexto {
		return Nodo{}, &ErrorDeCarga{Clase: ClaseForma, Motivo: fmt.Sprintf("el texto pesa %d bytes y una medida lleva a lo sumo %d", len(texto), TopeDeTexto)}
	}
	l := lectorDeNodos{dec: jsontext.NewDecoder(bytes.NewReader(texto)), lim: lim}
	n, err := l.nodo(0)
	if err == nil {
		if _, e := l.dec.ReadToken(); !errors.Is(e, io.EOF) {
			err = errors.New("sobra texto después de la forma")
		}
	}
	if err != nil {
		var limite *LimiteError
		if errors.As(err, &limite) {
			return Nodo{}, limite
		}
		linea, columna := posicion(string(texto), int(l.dec.InputOffset()))
		return Nodo{}, &ErrorDeCarga{Clase: ClaseForma, Motivo: fmt.Sprintf("JSON inválido en línea %d, columna %d: %s", linea, columna, motivoDeJSON(err))}
	}
	return n, nil
}

type lectorDeNodos struct {
	dec   *jsontext.Decoder
	lim   LimitesAlgebra
	nodos int64
}

func (l *lectorDeNodos) nodo(prof int64) (Nodo, error) {
	if l.nodos++; l.nodos > l.lim.NodosDeMedida {
		return Nodo{}, &LimiteError{LimiteNodosDeMedida, l.nodos, l.lim.NodosDeMedida}
	}
	switch l.dec.PeekKind() {
	case '[':
		if prof > l.lim.ProfundidadExpresion+margenDeForma {
			return Nodo{}, &LimiteError{LimiteProfundidad, l.lim.ProfundidadExpresion + 1, l.lim.ProfundidadExpresion}
		}
		if _, err := l.dec.ReadToken(); err != nil {
			return Nodo{}, err
		}
		var hijos []Nodo
		for l.dec.PeekKind() != ']' {
			h, err := l.nodo(prof + 1)
			if err != nil {
				return Nodo{}, err
			}
			hijos = append(hijos, h)
		}
		_, err := l.dec.ReadToken()
		return Lista(hijos...), err
	case '{':
		return Nodo{}, errors.New("una forma canónica no lleva objetos")
	default:
		crudo, err := l.dec.ReadValue()
		if err != nil {
			return Nodo{}, err
		}
		v, err := valorDeJSON(crudo, l.lim)
		return Nodo{hoja: v}, err
	}
}

// valorDeJSON decodes one valid JSON scalar. A float too large is infinite.
func valorDeJSON(crudo jsontext.Value, lim LimitesAlgebra) (Valor, error) {
	switch crudo.Kind() {
	case 'n':
		return Nulo{}, nil
	case 't':
		return Booleano(true), nil
	case 'f':
		return Booleano(false), nil
	case '"':
		s, err := jsontext.AppendUnquote(nil, crudo)
		if err != nil {
			return nil, err
		}
		if int64(len(s)) > lim.TamanoDeValor {
			return nil, &LimiteError{LimiteTamanoDeValor, int64(len(s)), lim.TamanoDeValor}
		}
		return Texto(s), nil
	default:
		return leerNumero(string(crudo), lim.BitsDeEntero)
	}
}

// LeerNumero decodes a number written as JSON writes them: without «.», «e» or
// «E» it is an exact integer, else a float, infinite when it overflows
// (lenguaje §1). The error is *[LimiteError] for an integer over bits_de_entero.
func LeerNumero(s string, lim LimitesAlgebra) (Valor, error) {
	return leerNumero(s, lim.Completos().BitsDeEntero)
}

// leerNumero is LeerNumero under a limit that is set.
func leerNumero(s string, maximo int64) (Valor, error) {
	for i := 0; i < len(s); i++ {
		if c := s[i]; c == '.' || c == 'e' || c == 'E' {
			f, err := strconv.ParseFloat(s, 64)
			if err != nil && !errors.Is(err, strconv.ErrRange) {
				return nil, err
			}
			return Flotante(f), nil
		}
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		e := NuevoEntero(n)
		if b := int64(e.Bits()); b > maximo {
			return nil, &LimiteError{LimiteBitsDeEntero, b, maximo}
		}
		return e, nil
	}
	// A lower bound of the bits from the count of digits alone, so a number of
	// millions of digits is refused without being computed.
	cifras := len(s)
	if s[0] == '-' {
		cifras--
	}
	if bits := int64(float64(cifras-1)*math.Log2(10)) + 1; bits > maximo {
		return nil, &LimiteError{LimiteBitsDeEntero, bits, maximo}
	}
	n, ok := new(big.Int).SetString(s, 10)
	if !ok {
		return nil, fmt.Errorf("«%s» no es un número", Citar(s))
	}
	if b := int64(n.BitLen()); b > maximo {
		return nil, &LimiteError{LimiteBitsDeEntero, b, maximo}
	}
	return enteroPropio(n), nil
}

// posicion returns the line and the column, from 1 and in code points, of the
// byte at desde.
func posicion(texto string, desde int) (linea, columna int) {
	previo := texto[:min(max(desde, 0), len(texto))]
	linea = strings.Count(previo, "\n") + 1
	columna = utf8.RuneCountInString(previo[strings.LastIndexByte(previo, '\n')+1:]) + 1
	return linea, columna
}

// motivoDeJSON says in Spanish why the JSON reader stopped.
func motivoDeJSON(err error) string {
	var sintaxis *jsontext.SyntacticError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "el texto termina antes de tiempo"
	}
	if !errors.As(err, &sintaxis) {
		return Citar(err.Error())
	}
	// The reader's own words are not of its contract: what they do not name is
	// told by its place alone.
	switch causa := sintaxis.Err.Error(); {
	case strings.Contains(causa, "UTF-8"):
		return "hay bytes que no son UTF-8"
	case strings.Contains(causa, "surrogate"):
		return "hay un sustituto UTF-16 suelto"
	case strings.Contains(causa, "depth"):
		return "está anidado demasiado hondo"
	case strings.Contains(causa, "escape"):
		return "hay un escape que JSON no tiene"
	case strings.Contains(causa, "number"):
		return "hay un número mal escrito"
	case strings.Contains(causa, "string"):
		return "hay un texto mal escrito"
	default:
		return "no se esperaba lo que llegó"
	}
}
