// Package corpus holds the cases of a project: evidence somebody kept together
// with what a measure has to say of it, and the story of why.
//
// [Leer] reads a «.caso» file, [LeerJSON] the same fields as a JSON object, and
// [Caso.AppendTexto] prints the only form there is. What is read is the
// surface: whether the evidence is valid is decided when it is evaluated.
// Cases are immutable once read (especificación «proyecto» §4).
package corpus

import (
	"regexp"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Espera is what a case expects of its measure.
type Espera string

// The expectations. [NoVerde] is met by both other states.
const (
	EsperaVerde        Espera = "verde"
	EsperaRojo         Espera = "rojo"
	EsperaSinEvidencia Espera = "sin_evidencia"
	NoVerde            Espera = "no_verde"
)

// Cumple reports whether a state is what was expected.
func (e Espera) Cumple(s algebra.Estado) bool {
	if e == NoVerde {
		return s == algebra.Rojo || s == algebra.SinEvidencia
	}
	return string(e) == string(s)
}

// VerdeCorrecto is the label of a case that expects green.
const VerdeCorrecto = "verde_correcto"

// Closed vocabularies, in the order messages show them.
var (
	etiquetas = []string{"falso_verde", "falso_rojo", "deuda_de_diseño", "medida_correcta_conclusion_errada", VerdeCorrecto}
	detectado = []string{"mutacion", "persona", "accidente", "herramienta_ajena", "observacion"}
	procede   = []string{"observada", "construida", "generada"}
)

// Caso is one case. Optional fields are "" when they are not there.
type Caso struct {
	ID             string
	Fecha          string
	Origen         []Par // at least one, in the order they are written
	Procedencia    string
	Titulo         string
	Etiqueta       string
	Espera         string // "" or «sin_evidencia»
	Sintoma        string
	ComoSeDetecto  string
	Medida         string // "" for «null», a declared gap
	EstadoSin      string
	Resuelto       string
	LimiteHumano   string
	SinMedidaAun   string
	Evidencia      []Relacion // at least one
	Leccion        string
	evidenciaCruda string
}

// Par is a name and a JSON value.
type Par struct {
	Nombre string
	Valor  jsontext.Value
}

// Relacion is a relation of a case's evidence.
type Relacion struct {
	Nombre string
	Clave  []string // nil without a uniqueness key
	Filas  [][]Par
}

var formaDeID = regexp.MustCompile(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

// IDValido reports whether s is spelled as the id of a case.
func IDValido(s string) bool {
	return formaDeID.MatchString(s) && slices.ContainsFunc([]byte(s), func(c byte) bool { return c >= '0' && c <= '9' })
}

// Expectativa returns what the case expects: green with the label
// «verde_correcto», sin_evidencia when it says so, else «not green».
func (c *Caso) Expectativa() Espera {
	switch {
	case c.Etiqueta == VerdeCorrecto:
		return EsperaVerde
	case c.Espera != "":
		return EsperaSinEvidencia
	default:
		return NoVerde
	}
}

// DeclaraDeDondeSalio reports whether «origen» brings «comando» or «registro»
// with a text that is not empty (codigos §5).
func (c *Caso) DeclaraDeDondeSalio() bool {
	for _, p := range c.Origen {
		if p.Nombre != "comando" && p.Nombre != "registro" || p.Valor.Kind() != '"' {
			continue
		}
		if s, err := jsontext.AppendUnquote(nil, p.Valor); err == nil && len(s) > 0 {
			return true
		}
	}
	return false
}

// JSON returns the case's evidence as JSON text, relations and fields in the
// order they were written.
func (c *Caso) JSON() string { return c.evidenciaCruda }

// terminar computes what is derived from the rest.
func (c *Caso) terminar() *Caso {
	b := []byte{'{'}
	for i, r := range c.Evidencia {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(algebra.AppendTexto(b, r.Nombre), ':', '[')
		n := 0
		if r.Clave != nil {
			b = append(b, `["clave",[`...)
			for k, campo := range r.Clave {
				if k > 0 {
					b = append(b, ',')
				}
				b = algebra.AppendTexto(b, campo)
			}
			b = append(b, "]]"...)
			n++
		}
		for _, f := range r.Filas {
			if n++; n > 1 {
				b = append(b, ',')
			}
			b = appendPares(b, f)
		}
		b = append(b, ']')
	}
	c.evidenciaCruda = string(append(b, '}'))
	return c
}

func appendPares(b []byte, ps []Par) []byte {
	b = append(b, '{')
	for i, p := range ps {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(algebra.AppendTexto(b, p.Nombre), ':'), p.Valor...)
	}
	return append(b, '}')
}

// AppendJSON appends the case as one JSON object, keys in the order of the
// specification; the optional ones only when they are there.
func (c *Caso) AppendJSON(b []byte) []byte {
	n := 0
	clave := func(k string) {
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = append(algebra.AppendTexto(b, k), ':')
	}
	texto := func(k, v string) {
		clave(k)
		b = algebra.AppendTexto(b, v)
	}
	quizas := func(k, v string) {
		if v != "" {
			texto(k, v)
		}
	}
	b = append(b, '{')
	texto("id", c.ID)
	texto("fecha", c.Fecha)
	clave("origen")
	b = appendPares(b, c.Origen)
	quizas("procedencia", c.Procedencia)
	texto("titulo", c.Titulo)
	texto("etiqueta", c.Etiqueta)
	quizas("espera", c.Espera)
	texto("sintoma", c.Sintoma)
	texto("como_se_detecto", c.ComoSeDetecto)
	clave("medida")
	if c.Medida == "" {
		b = append(b, "null"...)
	} else {
		b = algebra.AppendTexto(b, c.Medida)
	}
	quizas("estado_sin_medida", c.EstadoSin)
	quizas("resuelto", c.Resuelto)
	quizas("limite_humano", c.LimiteHumano)
	quizas("sin_medida_todavia", c.SinMedidaAun)
	clave("evidencia")
	b = append(b, c.JSON()...)
	texto("leccion", c.Leccion)
	return append(b, '}')
}
