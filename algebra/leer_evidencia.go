package algebra

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// OpcionesDeEvidencia says how evidence is read. The zero value is the one for
// files and cases.
type OpcionesDeEvidencia struct {
	// SinClave refuses the «clave» node at the head of a relation: by MCP the
	// schema admits only objects.
	SinClave bool
}

// LeerEvidencia decodes evidence from JSON text straight into columns and
// validates every relation, used or not, before anything is measured (lenguaje
// §1). The error is *[ErrorDeEvidencia], the first in the order of the text, or
// *[LimiteError] for rows, integers and texts over lim. Nothing partial is
// returned. The evidence keeps the text: a string as it is, bytes in a copy.
func LeerEvidencia[T ~string | ~[]byte](texto T, lim LimitesAlgebra, op OpcionesDeEvidencia) (*Evidencia, error) {
	return leerEvidencia(string(texto), lim, op)
}

func leerEvidencia(texto string, lim LimitesAlgebra, op OpcionesDeEvidencia) (*Evidencia, error) {
	l := lectorDeEvidencia{
		dec:    jsontext.NewDecoder(strings.NewReader(texto), jsontext.AllowDuplicateNames(true)),
		texto:  texto,
		lim:    lim.Completos(),
		op:     op,
		lugar:  ErrorDeEvidencia{Fila: -1},
		salida: &Evidencia{indice: map[string]*Relacion{}},
	}
	if err := l.evidencia(); err != nil {
		var limite *LimiteError
		var invalida *ErrorDeEvidencia
		if errors.As(err, &limite) || errors.As(err, &invalida) {
			return nil, err
		}
		linea, columna := posicion(texto, int(l.dec.InputOffset()))
		return nil, l.error("%s, en la línea %d, columna %d del JSON", motivoDeJSON(err), linea, columna)
	}
	return l.salida, nil
}

type lectorDeEvidencia struct {
	dec    *jsontext.Decoder
	texto  string
	lim    LimitesAlgebra
	op     OpcionesDeEvidencia
	lugar  ErrorDeEvidencia // where we are
	salida *Evidencia

	constructor constructor // of the relation being read; its scratch is reused
}

// error says what is wrong with the place being read.
func (l *lectorDeEvidencia) error(formato string, args ...any) error {
	e := l.lugar
	e.Motivo = fmt.Sprintf(formato, args...)
	return &e
}

func (l *lectorDeEvidencia) evidencia() error {
	if k := l.dec.PeekKind(); k != '{' {
		if err := l.valido(); err != nil {
			return err
		}
		return l.error("se esperaba un objeto de relaciones; llegó %s", nombreDeClase(k))
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return err
	}
	for l.dec.PeekKind() != '}' {
		crudo, err := l.dec.ReadValue()
		if err != nil {
			return err
		}
		nombre, err := l.textoDe(crudo)
		if err != nil {
			return err
		}
		l.lugar = ErrorDeEvidencia{Relacion: nombre, Fila: -1}
		if l.salida.indice[nombre] != nil {
			return l.error("la relación «%s» se repite", Citar(nombre))
		}
		r, err := l.relacion(nombre)
		if err != nil {
			return err
		}
		l.salida.relaciones = append(l.salida.relaciones, r)
		l.salida.indice[nombre] = r
		l.lugar = ErrorDeEvidencia{Fila: -1}
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return err
	}
	if _, err := l.dec.ReadToken(); !errors.Is(err, io.EOF) {
		return l.error("sobra texto después de la evidencia")
	}
	return nil
}

// valido reports the syntax error that a peek hides, if there is one.
func (l *lectorDeEvidencia) valido() error {
	if l.dec.PeekKind() == 0 {
		_, err := l.dec.ReadToken()
		if err == nil {
			err = io.ErrUnexpectedEOF
		}
		return err
	}
	return nil
}

func nombreDeClase(k jsontext.Kind) string {
	switch k {
	case 'n':
		return "null"
	case 't', 'f':
		return "un booleano"
	case '"':
		return "un texto"
	case '0':
		return "un número"
	case '[':
		return "una lista"
	case '{':
		return "un objeto"
	default:
		return "algo que no es JSON"
	}
}

// textoDe returns the text of a raw JSON string that was just read, sharing
// the evidence's own copy when nothing in it is escaped.
func (l *lectorDeEvidencia) textoDe(crudo jsontext.Value) (string, error) {
	if bytes.IndexByte(crudo, '\\') >= 0 {
		s, err := jsontext.AppendUnquote(nil, crudo)
		return string(s), err
	}
	fin := int(l.dec.InputOffset())
	return l.texto[fin-len(crudo)+1 : fin-1], nil
}

func (l *lectorDeEvidencia) relacion(nombre string) (*Relacion, error) {
	if k := l.dec.PeekKind(); k != '[' {
		if err := l.valido(); err != nil {
			return nil, err
		}
		return nil, l.error("se esperaba una lista de hechos; llegó %s", nombreDeClase(k))
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return nil, err
	}
	c := &l.constructor
	c.r, c.fila, c.previa, c.comunes = &Relacion{Nombre: nombre}, c.fila[:0], c.previa[:0], nil
	clear(c.formas)
	if l.dec.PeekKind() == '[' && !l.op.SinClave {
		clave, err := l.clave()
		if err != nil {
			return nil, err
		}
		c.r.clave = clave
	}
	for l.dec.PeekKind() != ']' {
		l.lugar.Fila = c.r.n
		if int64(c.r.n) >= l.lim.FilasPorRelacion {
			return nil, &LimiteError{LimiteFilasPorRelacion, int64(c.r.n) + 1, l.lim.FilasPorRelacion}
		}
		if err := l.fila(c); err != nil {
			return nil, err
		}
		if c.r.n == filasDeMuestra {
			c.prever(l.texto[l.dec.InputOffset():])
		}
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return nil, err
	}
	r := c.terminar()
	return r, l.unicidad(r)
}

// clave reads the node ["clave", [campo, …]].
func (l *lectorDeEvidencia) clave() ([]string, error) {
	const forma = `el nodo clave es ["clave", [campo, …]], con al menos un campo, textos no vacíos y sin repetir`
	crudo, err := l.dec.ReadValue()
	if err != nil {
		return nil, err
	}
	n, err := LeerNodo(crudo, l.lim)
	if err != nil || n.Largo() != 2 || n.Cabeza() != "clave" || n.Hijo(1).Largo() == 0 {
		return nil, l.error("%s", forma)
	}
	var campos []string
	visto := map[string]bool{}
	for _, h := range n.Hijo(1).Hijos() {
		s, ok := h.Texto()
		if !ok || s == "" || visto[s] {
			return nil, l.error("%s", forma)
		}
		visto[s] = true
		campos = append(campos, s)
	}
	return campos, nil
}

func (l *lectorDeEvidencia) fila(c *constructor) error {
	if k := l.dec.PeekKind(); k != '{' {
		if err := l.valido(); err != nil {
			return err
		}
		return l.error("se esperaba un hecho (un objeto de campos); llegó %s", nombreDeClase(k))
	}
	if _, err := l.dec.ReadToken(); err != nil {
		return err
	}
	c.empezar()
	for l.dec.PeekKind() != '}' {
		crudo, err := l.dec.ReadValue()
		if err != nil {
			return err
		}
		i, ok := c.previsto(crudo)
		if !ok {
			nombre, err := l.textoDe(crudo)
			if err != nil {
				return err
			}
			i = c.campo(nombre, crudo)
		}
		if !c.r.campos[i].presente(c.r.n) {
			return l.error("el campo «%s» se repite en el hecho", Citar(c.r.campos[i].nombre))
		}
		if err := l.valor(c, i); err != nil {
			return err
		}
	}
	_, err := l.dec.ReadToken()
	c.cerrar()
	return err
}

// valor reads a field's value into its column.
func (l *lectorDeEvidencia) valor(c *constructor, i int32) error {
	k := l.dec.PeekKind()
	switch k {
	case '{', '[', 'n':
		return l.error("el campo «%s» es %s; un campo es un número, un texto o un booleano", Citar(c.r.campos[i].nombre), nombreDeClase(k))
	}
	crudo, err := l.dec.ReadValue()
	if err != nil {
		return err
	}
	campo := &c.r.campos[i]
	col := campo.columna
	if col == nil {
		col = &Columna{} // of no class: nothing takes the short way in
	}
	switch k {
	case '"':
		s, err := l.textoDe(crudo)
		if err != nil {
			return err
		}
		if int64(len(s)) > l.lim.TamanoDeValor {
			return &LimiteError{LimiteTamanoDeValor, int64(len(s)), l.lim.TamanoDeValor}
		}
		if col.Clase == ClaseTextos {
			if int(i) < len(c.comunes) {
				s = c.comunes[i].comun(s)
			}
			col.Textos = append(col.Textos, s)
			return nil
		}
		campo.agregar(Texto(s))
	case 't', 'f':
		campo.agregar(Booleano(k == 't'))
	default:
		if n, ok := enteroCorto(crudo); ok && l.lim.BitsDeEntero >= 64 {
			if col.Clase == ClaseEnteros {
				col.Enteros = append(col.Enteros, n)
			} else {
				campo.agregar(NuevoEntero(n))
			}
			return nil
		}
		fin := int(l.dec.InputOffset())
		s := l.texto[fin-len(crudo) : fin]
		if col.Clase == ClaseFlotantes && bytes.IndexByte(crudo, '.') >= 0 {
			if f, err := strconv.ParseFloat(s, 64); err == nil {
				col.Flotantes = append(col.Flotantes, f)
				return nil
			}
		}
		v, err := leerNumero(s, l.lim.BitsDeEntero)
		if err != nil {
			return err
		}
		if f, ok := v.(Flotante); ok && math.IsInf(float64(f), 0) {
			return l.error("el campo «%s» trae un flotante que no es finito: %s", Citar(campo.nombre), Citar(s))
		}
		campo.agregar(v)
	}
	return nil
}

// enteroCorto decodes an integer of up to 18 digits.
func enteroCorto(crudo []byte) (int64, bool) {
	cifras := crudo
	if cifras[0] == '-' {
		cifras = cifras[1:]
	}
	if len(cifras) > 18 {
		return 0, false
	}
	var n int64
	for _, c := range cifras {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	if len(cifras) != len(crudo) {
		n = -n
	}
	return n, true
}

// unicidad checks the declared key of a relation.
func (l *lectorDeEvidencia) unicidad(r *Relacion) error {
	if r.clave == nil {
		return nil
	}
	vistas := make(map[string]int, r.n)
	var b []byte
	for f := range r.n {
		l.lugar.Fila = f
		b = b[:0]
		for _, campo := range r.clave {
			v, ok := r.Valor(f, campo)
			if !ok {
				return l.error("falta el campo «%s» de la clave (%s) de «%s»", Citar(campo), citarLista(r.clave), Citar(r.Nombre))
			}
			b = appendClave(b, v)
		}
		if otra, ok := vistas[string(b)]; ok {
			return l.error("la clave (%s) de «%s» se repite: la fila %d trae la misma combinación que la %d", citarLista(r.clave), Citar(r.Nombre), f, otra)
		}
		vistas[string(b)] = f
	}
	return nil
}
