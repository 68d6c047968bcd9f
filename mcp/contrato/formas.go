package contrato

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// propiedad is a member a closed object may have.
type propiedad struct {
	nombre      string
	obligatoria bool
	forma       string // what its value must be, for the message when it is absent
}

// abierto is a closed object already opened: its members by name.
type abierto struct {
	lugar
	valores map[string]json.RawMessage
}

// miembro returns the place of a member; its valor is nil when absent.
func (o abierto) miembro(nombre string) lugar { return o.en(nombre, o.valores[nombre]) }

// abrir checks that l is an object whose members are among ps, none twice, with
// the required ones there. The first fault in the order written wins; absences
// come after, in the schema's order.
func (l lugar) abrir(ps ...propiedad) (abierto, error) {
	ms, err := crudo.Miembros(l.valor)
	if err != nil {
		return abierto{}, l.invalido("un objeto", "mandá un objeto JSON con "+nombres(ps)+".")
	}
	o := abierto{lugar: l, valores: make(map[string]json.RawMessage, len(ms))}
	for _, m := range ms {
		aqui := l.en(m.Clave, m.Valor)
		if !slices.ContainsFunc(ps, func(p propiedad) bool { return p.nombre == m.Clave }) {
			return o, aqui.invalido("que no estuviera", "sacala o corregí el nombre: se admite "+nombres(ps)+".")
		}
		if o.valores[m.Clave] != nil {
			return o, aqui.invalido("una sola vez", "dejá una sola aparición de esa propiedad.")
		}
		o.valores[m.Clave] = m.Valor
	}
	for _, p := range ps {
		if p.obligatoria && o.valores[p.nombre] == nil {
			return o, o.miembro(p.nombre).invalido(p.forma, "agregá la propiedad, que es obligatoria.")
		}
	}
	return o, nil
}

func nombres(ps []propiedad) string {
	var ns []string
	for _, p := range ps {
		ns = append(ns, p.nombre)
	}
	return strings.Join(ns, ", ")
}

func (l lugar) texto() (string, error) {
	s, ok := crudo.Texto(l.valor)
	if !ok {
		return "", l.invalido("un texto", "mandá una cadena JSON de texto Unicode completo.")
	}
	return s, nil
}

func (l lugar) booleano() (bool, error) {
	switch crudo.Tipo(l.valor) {
	case 't':
		return true, nil
	case 'f':
		return false, nil
	}
	return false, l.invalido("true o false", "mandá un booleano JSON, sin comillas.")
}

// uno checks that l is one of a closed set of texts.
func (l lugar) uno(admitidos ...string) (string, error) {
	s, ok := crudo.Texto(l.valor)
	if ok && slices.Contains(admitidos, s) {
		return s, nil
	}
	if len(admitidos) == 1 {
		return "", l.invalido(admitidos[0], "poné ese valor, tal cual está escrito.")
	}
	return "", l.invalido("uno de "+strings.Join(admitidos, ", "), "elegí uno de esos valores, tal cual está escrito.")
}

// patronDeID is the pattern the schemas publish for the id of a measure.
var patronDeID = regexp.MustCompile(`^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$`)

func (l lugar) id() (string, error) {
	s, ok := crudo.Texto(l.valor)
	if !ok || !patronDeID.MatchString(s) {
		return "", l.invalido("un id de medida, como dominio.nombre",
			"usá minúsculas, dígitos y guiones bajos, en dos partes o más separadas por puntos.")
	}
	return s, nil
}

// ids checks a list of at least one id, none repeated.
func (l lugar) ids() ([]string, error) {
	es, err := crudo.Elementos(l.valor)
	if err != nil || len(es) == 0 {
		return nil, l.invalido("una lista con al menos un id", "nombrá los ids que querés, o sacá la propiedad para pedirlos todos.")
	}
	ids := make([]string, 0, len(es))
	for i, e := range es {
		aqui := l.enIndice(i, e)
		id, err := aqui.id()
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	vistos := make(map[string]bool, len(ids))
	for i, id := range ids {
		if vistos[id] {
			return nil, l.enIndice(i, es[i]).invalido("un id sin repetir", "nombrá cada id una sola vez.")
		}
		vistos[id] = true
	}
	return ids, nil
}
