package contrato

import (
	"encoding/json"
	"errors"
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
	o := abierto{lugar: l, valores: make(map[string]json.RawMessage, len(ps))}
	err := crudo.CadaMiembro(l.valor, func(clave string, valor json.RawMessage) error {
		aqui := l.en(clave, valor)
		if !slices.ContainsFunc(ps, func(p propiedad) bool { return p.nombre == clave }) {
			return aqui.invalido("que no estuviera", "sacala o corregí el nombre: se admite "+nombres(ps)+".")
		}
		if o.valores[clave] != nil {
			return aqui.invalido("una sola vez", "dejá una sola aparición de esa propiedad.")
		}
		o.valores[clave] = valor
		return nil
	})
	if _, nuestro := errors.AsType[*Invalido](err); nuestro {
		return o, err
	}
	if err != nil {
		return o, l.invalido("un objeto", "mandá un objeto JSON con "+nombres(ps)+".")
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
	var ids []string
	vistos := map[string]bool{}
	err := crudo.CadaElemento(l.valor, func(i int, valor json.RawMessage) error {
		aqui := l.enIndice(i, valor)
		id, err := aqui.id()
		if err != nil {
			return err
		}
		if vistos[id] {
			return aqui.invalido("un id sin repetir", "nombrá cada id una sola vez.")
		}
		vistos[id] = true
		ids = append(ids, id)
		return nil
	})
	if _, nuestro := errors.AsType[*Invalido](err); nuestro {
		return nil, err
	}
	if err != nil || len(ids) == 0 {
		return nil, l.invalido("una lista con al menos un id", "nombrá los ids que querés, o sacá la propiedad para pedirlos todos.")
	}
	return ids, nil
}
