// Package hechos reifies a catalog, its cases and a traced evaluation as
// relations: the facts that measures over measures are written on.
//
// A [Hechos] gathers facts with one method for each kind and is written with
// [Hechos.AppendJSON], which is evidence like any other. Facts come from the
// very structures the evaluator works on, never from text. No field is ever
// null: what is missing is "", 0 or false (especificación «proyecto» §8,
// «codigos» §5). A Hechos belongs to one goroutine.
//
// «ancestro» grows with nodes times depth: a catalog of some hundreds of
// measures passes filas_por_relacion, and whoever judges its facts has to raise
// that limit at start.
package hechos

import (
	"strconv"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

// Hechos are facts in order of arrival. Use [Nuevos].
type Hechos struct {
	por map[string]*relacion
}

type relacion struct {
	campos []string
	filas  []byte // objects separated by commas
	n      int
}

// Nuevos returns every relation of the language, with no facts: an empty
// relation says that somebody looked.
func Nuevos() *Hechos {
	h := &Hechos{por: map[string]*relacion{}}
	for _, nombre := range relaciones.DelLenguaje() {
		h.por[nombre] = &relacion{campos: relaciones.CamposDelLenguaje(nombre)}
	}
	return h
}

// Cantidad returns how many facts a relation has.
func (h *Hechos) Cantidad(nombre string) int { return h.por[nombre].n }

// AppendJSON appends the facts as evidence, relations in the order of the
// specification and fields in that of their declaration.
func (h *Hechos) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, nombre := range relaciones.DelLenguaje() {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(algebra.AppendTexto(b, nombre), ':', '[')
		b = append(append(b, h.por[nombre].filas...), ']')
	}
	return append(b, '}')
}

// poner adds a fact: one value for each field, in order.
func (h *Hechos) poner(nombre string, valores ...any) {
	r := h.por[nombre]
	if len(valores) != len(r.campos) {
		panic("hechos: " + nombre + " lleva " + strconv.Itoa(len(r.campos)) + " campos")
	}
	b := r.filas
	if r.n++; r.n > 1 {
		b = append(b, ',')
	}
	for i, v := range valores {
		sep := byte(',')
		if i == 0 {
			sep = '{'
		}
		b = append(algebra.AppendTexto(append(b, sep), r.campos[i]), ':')
		switch x := v.(type) {
		case string:
			b = algebra.AppendTexto(b, x)
		case int:
			b = strconv.AppendInt(b, int64(x), 10)
		case bool:
			b = strconv.AppendBool(b, x)
		case algebra.Valor:
			b = algebra.AppendJSON(b, x)
		}
	}
	r.filas = append(b, '}')
}

// Medida adds what the language says of a measure: «medida», «paso_de_medida»,
// «fuente», «termino», «ancestro», «requiere» and «dependencia_de_medida».
func (h *Hechos) Medida(m *algebra.Medida) {
	primera := algebra.AliasDe(m.Fuente)[0].Relacion
	dominio, _, _ := strings.Cut(m.ID, ".")
	_, flotante := m.Umbral.Limite.(algebra.Flotante)
	op := string(m.Umbral.Op)
	h.poner("medida", m.ID, dominio, primera, string(m.Resumen.Funcion), op, m.Umbral.Limite, op, m.Umbral.Limite, flotante,
		m.Umbral.Porque, m.Umbral.Segun, m.Ambito, m.Alcance, len(m.Pasos), len(m.Requiere) > 0,
		dominio == "meta", relaciones.EsDelLenguaje(primera))
	forma := m.Canonica()
	const tuberia = 2
	for i, p := range forma.Hijo(tuberia).Hijos()[1:] {
		h.poner("paso_de_medida", m.ID, i, algebra.Ruta{tuberia, i + 1}.String(), p.Cabeza())
	}
	h.fuentes(m.ID, forma.Hijo(tuberia), algebra.Ruta{tuberia})
	h.terminos(m.ID, forma, nil, nil)
	for i, r := range m.Requiere {
		h.poner("requiere", m.ID, i, r.Relacion, r.Condicion != nil)
	}
	for _, r := range m.Relaciones() {
		h.poner("dependencia_de_medida", m.ID, r, "fuente", false)
	}
	for _, r := range m.Requiere {
		h.poner("dependencia_de_medida", m.ID, r.Relacion, "requiere", r.Condicion != nil)
	}
}

// fuentes adds every «de» of the sources and of the steps «sin». Nothing else
// of a pipeline may hold one: expressions are not walked.
func (h *Hechos) fuentes(id string, n algebra.Nodo, ruta algebra.Ruta) {
	switch n.Cabeza() {
	case "de":
		relacion, _ := n.Hijo(1).Texto()
		alias, _ := n.Hijo(2).Texto()
		h.poner("fuente", id, ruta.String(), relacion, alias)
	case "desde", "unir":
		for i, x := range n.Hijos() {
			h.fuentes(id, x, ruta.Hija(i))
		}
	case "sin":
		h.fuentes(id, n.Hijo(1), ruta.Hija(1))
	}
}

// ancestro is a node on the way from the root to the one being walked.
type ancestro struct{ ruta, cabeza string }

// terminos adds every node in preorder, and each with every one of its
// ancestors, the nearest first.
func (h *Hechos) terminos(id string, n algebra.Nodo, ruta algebra.Ruta, linea []ancestro) {
	tipo, texto := "lista", ""
	if !n.EsLista() {
		tipo, texto = tipoDe(n.Hoja()), literal(n.Hoja())
	}
	var padre ancestro
	if len(linea) > 0 {
		padre = linea[len(linea)-1]
	}
	propia, cabeza := ruta.String(), n.Cabeza()
	h.poner("termino", id, propia, padre.ruta, padre.cabeza, tipo, cabeza, texto, n.Largo())
	for i := len(linea) - 1; i >= 0; i-- {
		h.poner("ancestro", id, propia, linea[i].ruta, linea[i].cabeza, tipo, cabeza, padre.cabeza, texto)
	}
	linea = append(linea, ancestro{propia, cabeza})
	for i, x := range n.Hijos() {
		h.terminos(id, x, ruta.Hija(i), linea)
	}
}

func tipoDe(v algebra.Valor) string {
	switch v.(type) {
	case algebra.Booleano:
		return "booleano"
	case algebra.Entero:
		return "entero"
	case algebra.Flotante:
		return "flotante"
	case algebra.Texto:
		return "texto"
	default:
		return "ausente"
	}
}

// literal returns a leaf's text, or its JSON when it is not a text.
func literal(v algebra.Valor) string {
	if t, ok := v.(algebra.Texto); ok {
		return string(t)
	}
	return string(algebra.AppendJSON(nil, v))
}

// Declaradas adds «relacion_declarada» and «campo_declarado».
func (h *Hechos) Declaradas(d *relaciones.Declaradas) {
	for _, r := range d.Todas() {
		campos := len(r.Campos)
		for _, v := range r.Variantes {
			campos += len(v.Campos)
		}
		h.poner("relacion_declarada", r.Nombre, campos, r.Alcance, r.Alcance != "", len(r.Variantes))
		h.campos(r.Nombre, r.Campos, "")
		for _, v := range r.Variantes {
			h.campos(r.Nombre, v.Campos, v.Valor)
		}
	}
}

func (h *Hechos) campos(relacion string, cs []relaciones.Campo, variante string) {
	for _, c := range cs {
		sin := c.Unidad == relaciones.SinUnidad
		h.poner("campo_declarado", relacion, c.Nombre, string(c.Tipo), c.Unidad, c.Unidad != "", !sin, sin, variante)
	}
}

// CamposLeidos adds «campo_leido», once for each field of each relation.
func (h *Hechos) CamposLeidos(m *algebra.Medida, d *relaciones.Declaradas) {
	visto := map[[2]string]bool{}
	for _, a := range relaciones.AliasDe(m) {
		declarados, origen := d.Campos(a.Relacion)
		es := map[string]bool{}
		for _, c := range declarados {
			es[c] = true
		}
		for _, c := range a.Campos {
			if par := [2]string{a.Relacion, c}; !visto[par] {
				visto[par] = true
				h.poner("campo_leido", m.ID, a.Relacion, c, string(origen), es[c])
			}
		}
	}
}

// Caso is what a case says and what came of it.
type Caso struct {
	ID, Medida, Etiqueta, Procedencia string
	Espera                            string // verde, no_verde, sin_evidencia
	Obtenido                          string // verde, rojo, sin_evidencia, error, or "" when there was nothing to run
	SePoneComoDebe                    bool
	MedidaExiste                      bool
	EsHeredado                        bool
	DeclaraDeDondeSalio               bool
}

// Caso adds «caso».
func (h *Hechos) Caso(c Caso) {
	h.poner("caso", c.ID, c.Medida, c.Etiqueta, c.Procedencia, c.Espera, c.Obtenido, c.SePoneComoDebe, c.MedidaExiste, c.EsHeredado, c.DeclaraDeDondeSalio)
}

// MedidaEnUso adds «medida_en_uso». sobreviven is -1 when nobody mutated.
func (h *Hechos) MedidaEnUso(medida string, heredada bool, casos, sobreviven int) {
	h.poner("medida_en_uso", medida, heredada, casos, sobreviven)
}

// Sombra is a shadow and what its measure said, if it was evaluated.
type Sombra struct {
	Medida, Desde, Porque string
	Dias                  int
	MedidaExiste          bool
	Valor                 algebra.Valor   // a number; nil when it was not evaluated
	Cota                  *algebra.Entero // nil when there is none
	EnVerde               bool
}

// Sombra adds «sombra».
func (h *Hechos) Sombra(s Sombra) {
	var valor, cota algebra.Valor = algebra.Entero{}, algebra.Entero{}
	if s.Valor != nil {
		valor = s.Valor
	}
	if s.Cota != nil {
		cota = *s.Cota
	}
	h.poner("sombra", s.Medida, s.Desde, s.Porque, s.Dias, s.MedidaExiste, valor, cota, s.Cota != nil, s.Valor != nil, s.EnVerde)
}

// Mutante adds «mutante»: the two counts are of cases.
func (h *Hechos) Mutante(apuntaA, cambio string, conductuales, rechazos int) {
	h.poner("mutante", apuntaA+"·"+cambio, apuntaA, cambio, "medida", conductuales, rechazos)
}
