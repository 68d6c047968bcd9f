package contrato

import (
	"encoding/json"
	"errors"
	"regexp"

	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// Forms that more than one message names.
const (
	formaDeMedida    = `{"id": …} o {"texto": …, "formato": "oracle"}`
	formaDeEvidencia = "un objeto de relaciones, cada una una lista de filas"
	formatoOracle    = "oracle"
)

// Medida is the closed union that names a measure: an id of the effective catalog,
// or the text of one that is nowhere. Exactly one is given.
type Medida struct {
	ID       string // "" when PorTexto
	Texto    string
	PorTexto bool
}

// ArgumentosDeCatalogo are the arguments of oracle_catalogo_efectivo.
type ArgumentosDeCatalogo struct {
	IDs []string // nil: the index; otherwise distinct, at least one, in the order sent
}

// ArgumentosDeEvaluar are the arguments of oracle_evaluar.
type ArgumentosDeEvaluar struct {
	Medida    Medida
	Evidencia json.RawMessage // any value: not looked into
}

// ArgumentosDeDesafiar are the arguments of oracle_desafiar, defaults applied.
type ArgumentosDeDesafiar struct {
	Medida                  Medida
	UsarEvidenciaDeProyecto bool
	Casos                   []Caso
}

// Caso is an ephemeral case of a challenge.
type Caso struct {
	ID        string // not empty; may repeat, which has a code of its own
	Espera    string // "verde", "rojo" or "sin_evidencia"
	Evidencia json.RawMessage
}

// ArgumentosDeJuzgar are the arguments of oracle_juzgar.
type ArgumentosDeJuzgar struct {
	Evidencia json.RawMessage
	IDs       []string // nil: every applicable measure
}

// ArgumentosDeTareas are the arguments of oracle_tareas. Absent texts are nil.
type ArgumentosDeTareas struct {
	Accion                      string // "listar", "ver", "buscar" or "hechos"
	Estado, Etiqueta, ID, Texto *string
	Git                         bool
}

// LeerCatalogo checks and reads the arguments of oracle_catalogo_efectivo.
func LeerCatalogo(args json.RawMessage) (ArgumentosDeCatalogo, error) {
	var a ArgumentosDeCatalogo
	o, err := raiz(args).abrir(propiedad{nombre: "ids"})
	if err == nil {
		a.IDs, err = idsOpcionales(o)
	}
	return a, err
}

// LeerEvaluar checks and reads the arguments of oracle_evaluar.
func LeerEvaluar(args json.RawMessage) (ArgumentosDeEvaluar, error) {
	var a ArgumentosDeEvaluar
	o, err := raiz(args).abrir(
		propiedad{"medida", true, formaDeMedida},
		propiedad{"evidencia", true, formaDeEvidencia})
	if err != nil {
		return a, err
	}
	a.Evidencia = o.valores["evidencia"]
	a.Medida, err = leerMedida(o.miembro("medida"))
	return a, err
}

// LeerDesafiar checks and reads the arguments of oracle_desafiar.
func LeerDesafiar(args json.RawMessage) (ArgumentosDeDesafiar, error) {
	a := ArgumentosDeDesafiar{UsarEvidenciaDeProyecto: true}
	o, err := raiz(args).abrir(
		propiedad{"medida", true, formaDeMedida},
		propiedad{nombre: "usar_evidencia_del_proyecto"},
		propiedad{nombre: "casos"})
	if err != nil {
		return a, err
	}
	if a.Medida, err = leerMedida(o.miembro("medida")); err != nil {
		return a, err
	}
	if l := o.miembro("usar_evidencia_del_proyecto"); l.valor != nil {
		if a.UsarEvidenciaDeProyecto, err = l.booleano(); err != nil {
			return a, err
		}
	}
	if l := o.miembro("casos"); l.valor != nil {
		a.Casos, err = leerCasos(l)
	}
	return a, err
}

// LeerJuzgar checks and reads the arguments of oracle_juzgar.
func LeerJuzgar(args json.RawMessage) (ArgumentosDeJuzgar, error) {
	var a ArgumentosDeJuzgar
	o, err := raiz(args).abrir(
		propiedad{"evidencia", true, formaDeEvidencia},
		propiedad{nombre: "ids"})
	if err != nil {
		return a, err
	}
	a.Evidencia = o.valores["evidencia"]
	a.IDs, err = idsOpcionales(o)
	return a, err
}

// patronDeTarea is what may name a task (tareas.md §3).
var patronDeTarea = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]*$`)

// LeerTareas checks and reads the arguments of oracle_tareas. Besides the schema
// it asks for what each action needs: ver, an id; buscar, a text.
func LeerTareas(args json.RawMessage) (ArgumentosDeTareas, error) {
	a, err := leerTareas(args)
	if err != nil {
		return a, err
	}
	switch {
	case a.Accion == "ver" && a.ID == nil:
		return a, raiz(nil).en("id", nil).invalido("el id de una tarea, o un prefijo o sufijo suyo", "agregá id: la acción ver lo necesita.")
	case a.Accion == "ver" && !patronDeTarea.MatchString(*a.ID):
		return a, raiz(nil).en("id", crudo.AppendTexto(nil, *a.ID)).invalido(
			"letras sin tilde, dígitos, guiones y guiones bajos", "usá el id de la tarea, o un prefijo o sufijo suyo.")
	case a.Accion == "buscar" && a.Texto == nil:
		return a, raiz(nil).en("texto", nil).invalido("el texto a buscar", "agregá texto: la acción buscar lo necesita.")
	}
	return a, nil
}

func leerTareas(args json.RawMessage) (ArgumentosDeTareas, error) {
	var a ArgumentosDeTareas
	o, err := raiz(args).abrir(
		propiedad{"accion", true, "uno de listar, ver, buscar, hechos"},
		propiedad{nombre: "estado"}, propiedad{nombre: "etiqueta"},
		propiedad{nombre: "id"}, propiedad{nombre: "texto"}, propiedad{nombre: "git"})
	if err != nil {
		return a, err
	}
	if a.Accion, err = o.miembro("accion").uno("listar", "ver", "buscar", "hechos"); err != nil {
		return a, err
	}
	if l := o.miembro("estado"); l.valor != nil {
		estado, err := l.uno("ABIERTA", "CERRADA")
		if err != nil {
			return a, err
		}
		a.Estado = &estado
	}
	for _, t := range []struct {
		nombre  string
		destino **string
	}{{"etiqueta", &a.Etiqueta}, {"id", &a.ID}, {"texto", &a.Texto}} {
		if l := o.miembro(t.nombre); l.valor != nil {
			texto, err := l.texto()
			if err != nil {
				return a, err
			}
			*t.destino = &texto
		}
	}
	if l := o.miembro("git"); l.valor != nil {
		a.Git, err = l.booleano()
	}
	return a, err
}

func raiz(args json.RawMessage) lugar { return lugar{ruta: "$", valor: args} }

func idsOpcionales(o abierto) ([]string, error) {
	l := o.miembro("ids")
	if l.valor == nil {
		return nil, nil
	}
	return l.ids()
}

// leerMedida checks the union. Two sources at once are refused as such; otherwise
// the members present say which branch was meant.
func leerMedida(l lugar) (Medida, error) {
	var m Medida
	ms, err := crudo.Miembros(l.valor, "id", "texto", "formato")
	if err != nil {
		return m, l.invalido(formaDeMedida, "mandá un objeto con id, o con texto y formato.")
	}
	tiene := map[string]bool{}
	for _, x := range ms {
		tiene[x.Clave] = true
	}
	switch {
	case tiene["id"] && (tiene["texto"] || tiene["formato"]):
		return m, l.invalido("una sola fuente, "+formaDeMedida, "dejá id, o dejá texto y formato.")
	case tiene["id"]:
		o, err := l.abrir(propiedad{"id", true, "un id de medida, como dominio.nombre"})
		if err == nil {
			m.ID, err = o.miembro("id").id()
		}
		return m, err
	case tiene["texto"] || tiene["formato"]:
		o, err := l.abrir(propiedad{"texto", true, "el texto de una medida"}, propiedad{"formato", true, formatoOracle})
		if err != nil {
			return m, err
		}
		m.PorTexto = true
		if m.Texto, err = o.miembro("texto").texto(); err != nil {
			return m, err
		}
		_, err = o.miembro("formato").uno(formatoOracle)
		return m, err
	}
	return m, l.invalido(formaDeMedida, "mandá un objeto con id, o con texto y formato.")
}

func leerCasos(l lugar) ([]Caso, error) {
	casos := []Caso{}
	err := crudo.CadaElemento(l.valor, func(i int, valor json.RawMessage) error {
		c, err := leerCaso(l.enIndice(i, valor))
		casos = append(casos, c)
		return err
	})
	if _, nuestro := errors.AsType[*Invalido](err); nuestro {
		return nil, err
	}
	if err != nil {
		return nil, l.invalido("una lista de casos", "mandá una lista de objetos con id, espera y evidencia.")
	}
	return casos, nil
}

func leerCaso(l lugar) (Caso, error) {
	var c Caso
	o, err := l.abrir(
		propiedad{"id", true, "un texto no vacío"},
		propiedad{"espera", true, "uno de verde, rojo, sin_evidencia"},
		propiedad{"evidencia", true, formaDeEvidencia})
	if err != nil {
		return c, err
	}
	c.Evidencia = o.valores["evidencia"]
	id := o.miembro("id")
	if c.ID, err = id.texto(); err != nil {
		return c, err
	}
	if c.ID == "" {
		return c, id.invalido("un texto no vacío", "poné un nombre al caso.")
	}
	c.Espera, err = o.miembro("espera").uno("verde", "rojo", "sin_evidencia")
	return c, err
}
