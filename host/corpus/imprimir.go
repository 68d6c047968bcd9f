package corpus

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

var formaDeNombre = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// AppendTexto appends the only printed form of the case. The error says what a
// «.caso» has no way to write.
func (c *Caso) AppendTexto(b []byte) ([]byte, error) {
	im := impresor{b: b}
	im.linea("caso ", c.ID, ":")
	im.linea("    fecha: ", cita(c.Fecha))
	im.linea("    origen:")
	for _, p := range c.Origen {
		im.nombre("el origen", p.Nombre)
		im.linea("        ", p.Nombre, ": ", string(appendValor(nil, p.Valor)))
	}
	im.quizas("procedencia", c.Procedencia)
	im.linea("    titulo: ", cita(c.Titulo))
	im.linea("    etiqueta: ", c.Etiqueta)
	im.quizas("espera", c.Espera)
	im.prosa("sintoma", c.Sintoma)
	im.linea("    como_se_detecto: ", c.ComoSeDetecto)
	if c.Medida == "" {
		im.linea("    medida: null")
	} else {
		im.linea("    medida: ", c.Medida)
	}
	im.quizas("estado_sin_medida", c.EstadoSin)
	for _, p := range []struct{ nombre, texto string }{{"resuelto", c.Resuelto}, {"limite_humano", c.LimiteHumano}, {"sin_medida_todavia", c.SinMedidaAun}} {
		if p.texto != "" {
			im.prosa(p.nombre, p.texto)
		}
	}
	im.linea("    evidencia:")
	for _, r := range c.Evidencia {
		im.relacion(r)
	}
	im.prosa("leccion", c.Leccion)
	return im.b, im.err
}

type impresor struct {
	b   []byte
	err error
}

func (im *impresor) linea(partes ...string) {
	for _, p := range partes {
		im.b = append(im.b, p...)
	}
	im.b = append(im.b, '\n')
}

func (im *impresor) quizas(nombre, valor string) {
	if valor != "" {
		im.linea("    ", nombre, ": ", valor)
	}
}

func (im *impresor) prosa(nombre, texto string) {
	im.linea("    ", nombre, ":")
	for l := range strings.SplitSeq(texto, "\n") {
		im.linea("        ", l)
	}
}

func (im *impresor) nombre(que, s string) {
	if im.err == nil && !formaDeNombre.MatchString(s) {
		im.err = fmt.Errorf("un .caso no puede decir %s «%s»", que, algebra.Citar(s))
	}
}

func cita(s string) string { return string(algebra.AppendTexto(nil, s)) }

// relacion prints a table when every row has the same fields in the same order
// and their names can be written in a header; else row by row.
func (im *impresor) relacion(r Relacion) {
	im.nombre("la relación", r.Nombre)
	for _, k := range r.Clave {
		im.nombre("la clave", k)
	}
	cabeza := "        " + r.Nombre + ":"
	if r.Clave != nil {
		cabeza += " clave(" + strings.Join(r.Clave, ", ") + ")"
	}
	campos := columnas(r.Filas)
	if campos != nil {
		if r.Clave != nil {
			cabeza += ";"
		}
		cabeza += " " + strings.Join(campos, ", ")
	}
	im.linea(cabeza)
	for _, f := range r.Filas {
		b := []byte("            ")
		if campos == nil {
			b = append(b, "fila {"...)
		}
		for i, p := range f {
			if i > 0 {
				b = append(b, ", "...)
			}
			if campos == nil {
				b = append(algebra.AppendTexto(b, p.Nombre), ": "...)
			}
			b = appendValor(b, p.Valor)
		}
		if campos == nil {
			b = append(b, '}')
		}
		im.b = append(append(im.b, b...), '\n')
	}
}

// columnas returns the fields all rows share, nil when they are not a table.
func columnas(filas [][]Par) []string {
	if len(filas) == 0 || len(filas[0]) == 0 {
		return nil
	}
	var campos []string
	for _, p := range filas[0] {
		if !formaDeNombre.MatchString(p.Nombre) {
			return nil
		}
		campos = append(campos, p.Nombre)
	}
	for _, f := range filas[1:] {
		if !slices.EqualFunc(f, campos, func(p Par, c string) bool { return p.Nombre == c }) {
			return nil
		}
	}
	return campos
}

// appendValor appends a JSON value in its only printed form: a space after each
// comma and colon, numbers and texts as algebra writes them.
func appendValor(b []byte, crudo jsontext.Value) []byte {
	return appendDe(b, jsontext.NewDecoder(bytes.NewBuffer(crudo), jsontext.AllowDuplicateNames(true)))
}

func appendDe(b []byte, d *jsontext.Decoder) []byte {
	switch k := d.PeekKind(); k {
	case '[', '{':
		d.ReadToken()
		b = append(b, byte(k))
		for n := 0; d.PeekKind() != ']' && d.PeekKind() != '}'; n++ {
			if n > 0 {
				b = append(b, ", "...)
			}
			b = appendDe(b, d)
			if k == '{' {
				b = appendDe(append(b, ": "...), d)
			}
		}
		d.ReadToken()
		if k == '[' {
			return append(b, ']')
		}
		return append(b, '}')
	default:
		v, err := d.ReadValue()
		if err != nil {
			return b // crudo was read as JSON before: there is no such value
		}
		return appendEscalar(b, v)
	}
}

func appendEscalar(b []byte, v jsontext.Value) []byte {
	switch v.Kind() {
	case '"':
		s, err := jsontext.AppendUnquote(nil, v)
		if err != nil {
			return append(b, v...)
		}
		return algebra.AppendTexto(b, string(s))
	case '0':
		n, err := algebra.LeerNumero(string(v), algebra.LimitesAlgebra{})
		if f, ok := n.(algebra.Flotante); err != nil || ok && math.IsInf(float64(f), 0) {
			return append(b, v...) // too large to be a number here: as it came
		}
		return algebra.AppendJSON(b, n)
	default:
		return append(b, v...)
	}
}
