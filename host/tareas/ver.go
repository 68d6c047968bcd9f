package tareas

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

var reArgumentoID = regexp.MustCompile(`^[a-zA-Z0-9][a-zA-Z0-9_-]*$`)

// largoFecha is how long AAAAMMDD-HHMMSS is.
const largoFecha = len("20060102-150405")

// sufijo returns what follows the date of an id, or "".
func sufijo(id string) string {
	if len(id) <= largoFecha {
		return ""
	}
	return id[largoFecha+1:]
}

// Ver returns the task that id names: by its whole id, by a prefix of it or by
// its whole suffix. A whole id wins over being the prefix of another. It fails
// with ARGUMENTOS_INVALIDOS, TAREA_NO_ENCONTRADA or ID_AMBIGUO, and with
// TRACKER_INVALIDO if the document is no longer the audited one.
func (t *Tracker) Ver(id string) (*Tarea, error) {
	if !reArgumentoID.MatchString(id) {
		return nil, errArgumento(campoID, "«"+citar(id)+"»",
			"un id de tarea, un prefijo o un sufijo entero, con letras, números, «_» y «-», que empiece con letra o número",
			"usá el id de la tarea, o un prefijo o sufijo suyo.")
	}
	if tarea, ok := t.porID[id]; ok {
		return t.completa(tarea)
	}
	var hay []*Tarea
	for i := range t.tareas {
		if candidata := t.tareas[i].ID; strings.HasPrefix(candidata, id) || sufijo(candidata) == id {
			hay = append(hay, &t.tareas[i])
		}
	}
	switch len(hay) {
	case 0:
		return nil, t.errNoEncontrada(id)
	case 1:
		return t.completa(hay[0])
	}
	return nil, errAmbiguo(id, hay)
}

func (t *Tracker) errNoEncontrada(id string) error {
	correccion := "usá un id de los que da la acción listar."
	if p := t.parecidas(id); len(p) > 0 {
		correccion = "revisá el id; se le parecen: " + strings.Join(p, ", ") + "."
	}
	return &Error{codigo: CodigoNoEncontrada,
		mensaje: fmt.Sprintf("no se encontró ninguna tarea con prefijo «%s».", citar(id)),
		remedio: rechazo.Remedio{Campo: campoID, Correccion: correccion}}
}

func errAmbiguo(id string, hay []*Tarea) error {
	mensaje := func(ids string) string {
		return fmt.Sprintf("el prefijo «%s» coincide con %d tareas: %s.", citar(id), len(hay), ids)
	}
	var b strings.Builder
	for i, tarea := range hay {
		// A single cause stays under its cap; what does not fit is counted.
		if len(mensaje(b.String()))+len(tarea.ID)+200 > maxMensaje {
			fmt.Fprintf(&b, ", y otras %d", len(hay)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(tarea.ID)
	}
	return &Error{codigo: CodigoAmbiguo, mensaje: mensaje(b.String()),
		remedio: rechazo.Remedio{Campo: campoID, Correccion: "escribí más del id, hasta que nombre una sola."}}
}

// campoID is the argument that names a task.
const campoID = "$.id"

// maxParecidas is how many suggestions a miss comes with.
const maxParecidas = 3

// parecidas returns up to three ids that look like the argument: closest first,
// by id among equals. An id looks like it when it contains it, or when a third
// of its letters or fewer would have to change in the id, its suffix, or its
// first letters.
func (t *Tracker) parecidas(id string) []string {
	ids := make([]string, len(t.tareas))
	for i := range t.tareas {
		ids[i] = t.tareas[i].ID
	}
	return rechazo.Cercanos(strings.ToLower(id), ids, maxParecidas, distanciaDeID)
}

// distanciaDeID is how far what was asked for is from an id: from the whole of
// it, its first letters or its suffix.
func distanciaDeID(id, c string) int {
	d := min(rechazo.Distancia(id, c), rechazo.Distancia(id, c[:min(len(c), len(id))]))
	if s := sufijo(c); s != "" {
		d = min(d, rechazo.Distancia(id, s))
		if len(id) >= 3 && strings.Contains(s, id) {
			d = min(d, 1)
		}
	}
	return d
}
