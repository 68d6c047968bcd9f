package contrato

import (
	"encoding/json"
	"strconv"

	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// CodigoArgumentos is the code of every [*Invalido].
const CodigoArgumentos = "ARGUMENTOS_INVALIDOS"

// Invalido says what is wrong with an argument, and where.
type Invalido struct {
	Ruta       string // JSON path from "$"
	Recibido   string // the value, quoted for a message; "ausente" if there is none
	Forma      string // what was expected
	Correccion string // how to mend the call
}

// Codigo returns [CodigoArgumentos].
func (e *Invalido) Codigo() string { return CodigoArgumentos }

// Error returns the contract's text: one line with code, place, value and form,
// then the field and the mend.
func (e *Invalido) Error() string {
	return rechazo.Texto(CodigoArgumentos, e.Ruta+": "+e.Recibido+"; se esperaba "+e.Forma+".",
		rechazo.Remedio{Campo: e.Ruta, Correccion: e.Correccion}, "")
}

// lugar is a place in the arguments and the raw value there, nil when absent.
type lugar struct {
	ruta  string
	valor json.RawMessage
}

func (l lugar) invalido(forma, correccion string) error {
	recibido := "ausente"
	if l.valor != nil {
		recibido = crudo.CitaJSON(l.valor)
	}
	return &Invalido{Ruta: l.ruta, Recibido: recibido, Forma: forma, Correccion: correccion}
}

// en returns the place of a member of the object at l.
func (l lugar) en(clave string, valor json.RawMessage) lugar {
	return lugar{ruta: l.ruta + paso(clave), valor: valor}
}

// enIndice returns the place of an element of the list at l.
func (l lugar) enIndice(i int, valor json.RawMessage) lugar {
	return lugar{ruta: l.ruta + "[" + strconv.Itoa(i) + "]", valor: valor}
}

// paso writes one member step of a JSON path: .name, or ["any text"] cut and with
// its controls escaped like every quotation.
func paso(clave string) string {
	simple := clave != ""
	for i, r := range clave {
		letra := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		simple = simple && (letra || i > 0 && r >= '0' && r <= '9')
	}
	if simple {
		return "." + crudo.Cita(clave)
	}
	return "[" + crudo.CitaJSON(crudo.AppendTexto(nil, clave)) + "]"
}
