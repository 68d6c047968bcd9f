package tareas

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
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
		return nil, errArgumento("$.id", "«"+citar(id)+"»",
			"un id de tarea, un prefijo o un sufijo entero, con letras, números, «_» y «-», que empiece con letra o número")
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
	e := &Error{codigo: CodigoNoEncontrada,
		mensaje: fmt.Sprintf("no se encontró ninguna tarea con prefijo «%s».", citar(id))}
	if p := t.parecidas(id); len(p) > 0 {
		e.detalles = []string{"$.id: parecidas: " + strings.Join(p, ", ") + "."}
	}
	return e
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
		detalles: []string{"$.id: escribí más del id, hasta que nombre una sola."}}
}

// maxParecidas is how many suggestions a miss comes with, and maxComparable the
// longest argument that is compared at all.
const (
	maxParecidas  = 3
	maxComparable = 200
)

// parecidas returns up to three ids that look like the argument: closest first,
// by id among equals. An id looks like it when it contains it, or when a third
// of its letters or fewer would have to change in the id, its suffix, or its
// first letters.
func (t *Tracker) parecidas(id string) []string {
	if len(id) > maxComparable {
		return nil
	}
	id = strings.ToLower(id)
	type cercana struct {
		id        string
		distancia int
	}
	var hay []cercana
	for i := range t.tareas {
		c := t.tareas[i].ID
		if len(c) > maxComparable {
			continue
		}
		d := min(distancia(id, c), distancia(id, c[:min(len(c), len(id))]))
		if s := sufijo(c); s != "" {
			d = min(d, distancia(id, s))
			if len(id) >= 3 && strings.Contains(s, id) {
				d = min(d, 1)
			}
		}
		if d <= max(1, len(id)/3) {
			hay = append(hay, cercana{c, d})
		}
	}
	slices.SortFunc(hay, func(a, b cercana) int {
		return cmp.Or(cmp.Compare(a.distancia, b.distancia), strings.Compare(a.id, b.id))
	})
	var ids []string
	for _, c := range hay[:min(len(hay), maxParecidas)] {
		ids = append(ids, c.id)
	}
	return ids
}

// distancia is how many bytes have to be put in, taken out or changed to turn
// one text into the other.
func distancia(a, b string) int {
	fila := make([]int, len(b)+1)
	for j := range fila {
		fila[j] = j
	}
	for i := range len(a) {
		diagonal := fila[0]
		fila[0] = i + 1
		for j := range len(b) {
			cambio := diagonal
			if a[i] != b[j] {
				cambio++
			}
			diagonal = fila[j+1]
			fila[j+1] = min(cambio, fila[j]+1, diagonal+1)
		}
	}
	return fila[len(b)]
}
