package transporte

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// Error codes on the wire (transporte.md §3).
const (
	codigoJSON        = -32700
	codigoPedido      = -32600
	codigoMetodo      = -32601
	codigoParametros  = -32602
	codigoInterno     = -32603
	codigoDeVersion   = -32022
	anidamientoMaximo = 512
)

// falla is an error answer in the making. mensaje is complete; datos, when there
// are any, is the raw value of error.data.
type falla struct {
	codigo  int
	mensaje string
	datos   json.RawMessage
}

func pedidoInvalido(detalle string) *falla {
	return &falla{codigo: codigoPedido, mensaje: "pedido JSON-RPC inválido: " + detalle}
}

// especie is what a line turned out to be.
type especie int

const (
	especieSilencio     especie = iota // blank, a response, a notification that says nothing
	especieNotificacion                // an object without id, well formed
	especiePedido                      // an object with a valid id: a request, or a faulty one
	especieInvalida                    // not a message: answered with id null
)

// sobre is one decoded line. Its slices alias the line.
type sobre struct {
	especie especie
	id      json.RawMessage // as it came; only in a request
	metodo  string
	params  []crudo.Miembro // the members of params that mean something here, in order
	conPar  bool            // params is there, and is an object
	falla   *falla          // what is wrong with a request or an invalid line
}

// abrir tells what linea is. It never fails: the fault, when there is one, is
// part of what it is.
func abrir(linea []byte) sobre {
	if len(bytes.TrimLeft(linea, " \t\r\n")) == 0 {
		return sobre{especie: especieSilencio}
	}
	malo := func(detalle string) sobre {
		return sobre{especie: especieInvalida, falla: &falla{codigo: codigoJSON, mensaje: "JSON inválido: " + detalle}}
	}
	if !utf8.Valid(linea) {
		return malo("hay bytes que no son UTF-8")
	}
	if hondo(linea, anidamientoMaximo) {
		return malo("anidamiento mayor de " + strconv.Itoa(anidamientoMaximo))
	}
	var c campos
	d := crudo.Decoder(linea)
	objeto := d.PeekKind() == '{'
	var err error
	if objeto {
		err = c.leer(d)
	} else {
		_, err = d.ReadValue()
	}
	if err == nil {
		err = crudo.Final(d)
	}
	if err != nil {
		return malo(detalleDeSintaxis(err))
	}
	if !objeto {
		return sobre{especie: especieInvalida, falla: pedidoInvalido("el mensaje no es un objeto")}
	}
	return c.sobre()
}

// campos are the members of a message this protocol gives a meaning, raw. A nil
// value is an absent member.
type campos struct {
	version, id, metodo, resultado, fallo json.RawMessage
	params                                []crudo.Miembro
	conPar, parObjeto, parNulo            bool   // params is there; what it is
	repetida                              string // first member that came twice
}

func (c *campos) leer(d *jsontext.Decoder) error {
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		clave, err := d.ReadToken()
		if err != nil {
			return err
		}
		if err := c.leerMiembro(d, clave.String()); err != nil {
			return err
		}
	}
	_, err := d.ReadToken()
	return err
}

func (c *campos) leerMiembro(d *jsontext.Decoder, clave string) error {
	var destino *json.RawMessage
	repetida := false
	switch clave {
	case "jsonrpc":
		destino = &c.version
	case "id":
		destino = &c.id
	case "method":
		destino = &c.metodo
	case "result":
		destino = &c.resultado
	case "error":
		destino = &c.fallo
	case "params":
		repetida = c.conPar
		c.conPar = true
		if c.parObjeto = d.PeekKind() == '{'; c.parObjeto {
			ms, err := crudo.LeerMiembros(d, claveMeta, claveNombre, claveArgumentos, claveIDDePedido)
			c.params = ms
			c.marcar(clave, repetida)
			return err
		}
	}
	valor, err := d.ReadValue()
	if destino != nil {
		repetida = *destino != nil
		*destino = json.RawMessage(valor)
	}
	if clave == "params" && string(valor) == "null" {
		c.parNulo = true
	}
	c.marcar(clave, repetida)
	return err
}

func (c *campos) marcar(clave string, repetida bool) {
	if repetida && c.repetida == "" {
		c.repetida = clave
	}
}

// sobre applies the rows of transporte.md §3 that need nothing but the line. What
// an object without id says wrong is not answered, and is not obeyed either.
func (c *campos) sobre() sobre {
	if c.metodo == nil && (c.resultado != nil || c.fallo != nil) {
		return sobre{especie: especieSilencio}
	}
	metodo, textual := crudo.Texto(c.metodo)
	version, _ := crudo.Texto(c.version)
	esDos := version == "2.0"
	detalle := ""
	switch {
	case c.repetida != "":
		detalle = "clave repetida: " + c.repetida
	case c.version == nil:
		detalle = "falta jsonrpc"
	case !esDos:
		detalle = "jsonrpc debe ser \"2.0\" y es " + crudo.CitaJSON(c.version)
	case c.metodo == nil:
		detalle = "falta method"
	case !textual:
		detalle = "method no es un texto: " + crudo.CitaJSON(c.metodo)
	case metodo == "":
		detalle = "method está vacío"
	case c.conPar && !c.parObjeto && !c.parNulo && metodo != metodoLlamar:
		detalle = "params no es un objeto" // tools/call says it its own way
	}
	s := sobre{especie: especiePedido, id: c.id, metodo: metodo, params: c.params, conPar: c.parObjeto}
	switch t := crudo.Tipo(c.id); {
	case c.id == nil && detalle == "":
		s.especie = especieNotificacion
	case c.id == nil:
		s.especie = especieSilencio
	case c.repetida == "id", t != '"' && t != '0':
		s.especie, s.id = especieInvalida, nil
		if detalle == "" {
			detalle = "id no es un texto ni un número: " + crudo.CitaJSON(c.id)
		}
	}
	if detalle != "" {
		s.falla = pedidoInvalido(detalle)
	}
	return s
}

// hondo reports whether b nests deeper than max. b need not be valid JSON: what
// it says of invalid input does not matter, since both answers are -32700.
func hondo(b []byte, max int) bool {
	nivel := 0
	for i := 0; i < len(b); i++ {
		switch b[i] {
		case '"':
			for i++; i < len(b) && b[i] != '"'; i++ {
				if b[i] == '\\' {
					i++
				}
			}
		case '{', '[':
			if nivel++; nivel > max {
				return true
			}
		case '}', ']':
			nivel--
		}
	}
	return false
}

func detalleDeSintaxis(err error) string {
	if errors.Is(err, crudo.ErrSobra) {
		return "hay algo después del valor"
	}
	if errors.Is(err, io.ErrUnexpectedEOF) {
		return "el texto termina antes de cerrar el valor"
	}
	if s, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return "error de sintaxis en el byte " + strconv.FormatInt(s.ByteOffset, 10)
	}
	return "error de sintaxis"
}

// claveDeID returns what two ids share exactly when they are the same id: the
// decoded text, or the exact decimal value. raw is a valid JSON string or number.
func claveDeID(raw []byte) string {
	if s, ok := crudo.Texto(raw); ok {
		return "s" + s
	}
	if crudo.Tipo(raw) == '"' {
		return "r" + string(raw) // a lone surrogate: no text, only its spelling
	}
	return "n" + decimal(string(raw))
}

// decimal writes a JSON number as ±digits·10^exponent without zeros at either
// end. A number whose exponent does not fit 64 bits keeps its spelling.
func decimal(s string) string {
	signo := ""
	if r, ok := strings.CutPrefix(s, "-"); ok {
		signo, s = "-", r
	}
	mantisa, e, _ := strings.Cut(strings.ToLower(s), "e")
	entera, fraccion, _ := strings.Cut(mantisa, ".")
	digitos := strings.TrimLeft(entera+fraccion, "0")
	if digitos == "" {
		return "0"
	}
	exp := int64(0)
	if e != "" {
		var err error
		if exp, err = strconv.ParseInt(e, 10, 64); err != nil || exp > 1<<62 || exp < -1<<62 {
			return signo + s
		}
	}
	exp -= int64(len(fraccion))
	corto := strings.TrimRight(digitos, "0")
	return signo + corto + "e" + strconv.FormatInt(exp+int64(len(digitos)-len(corto)), 10)
}
