package tareas

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// Tracker is one audited reading of tareas/: every record in it is valid. It is
// immutable. Of each task it keeps everything but the text, which Ver reads again.
type Tracker struct {
	l         lector.Lector
	tareas    []Tarea // ascending id
	porID     map[string]*Tarea
	sha256    map[string]string // of each document, by id
	recorrido *recorrido
}

// Abrir walks and audits tareas/ under l (especificacion/tareas.md §2). It
// fails closed: with no tareas/ the error is TRACKER_AUSENTE, with any problem
// it is TRACKER_INVALIDO and names them all. Any other error is the context's.
func Abrir(ctx context.Context, l lector.Lector) (*Tracker, error) {
	info, err := l.Lstat(dirTracker)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, errAusente()
	case err != nil:
		return nil, errInvalido([]problema{{dirTracker, "no se puede mirar: " + causa(err)}})
	case info.Mode()&fs.ModeSymlink != 0:
		return nil, errInvalido([]problema{{dirTracker, "es un enlace simbólico: tiene que ser una carpeta del proyecto"}})
	case !info.IsDir():
		return nil, errAusente()
	}
	r, err := recorrer(ctx, l)
	if err != nil {
		return nil, err
	}
	t := &Tracker{l: l, recorrido: r, sha256: map[string]string{}}
	problemas := r.problemas
	peso := 0
	for _, id := range r.carpetas {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		tarea, suma, malos := leerDocumento(l, id)
		for _, m := range malos {
			problemas = append(problemas, problema{tarea.Ruta, m})
		}
		if len(malos) > 0 {
			continue
		}
		tarea.Cuerpo = ""
		if peso += tarea.pesa(); peso > topeMetadatos {
			problemas = append(problemas, problema{dirTracker, "los títulos y los campos de todas las tareas pesan más de 64 MiB"})
			break
		}
		t.tareas = append(t.tareas, tarea)
		t.sha256[id] = suma
	}
	if len(problemas) > 0 {
		slices.SortStableFunc(problemas, func(a, b problema) int { return strings.Compare(a.ruta, b.ruta) })
		return nil, errInvalido(problemas)
	}
	t.porID = make(map[string]*Tarea, len(t.tareas))
	for i := range t.tareas {
		t.porID[t.tareas[i].ID] = &t.tareas[i]
	}
	return t, nil
}

// topeMetadatos bounds what is kept of all the tasks together, in bytes.
const topeMetadatos = 64 << 20

// completa returns a task with its text, which has to be the audited one.
func (t *Tracker) completa(tarea *Tarea) (*Tarea, error) {
	entera, suma, malos := leerDocumento(t.l, tarea.ID)
	if len(malos) == 0 && suma != t.sha256[tarea.ID] {
		malos = []string{"cambió mientras se leía"}
	}
	if len(malos) > 0 {
		return nil, errInvalido([]problema{{tarea.Ruta, malos[0]}})
	}
	return &entera, nil
}

// leerDocumento reads a task from its folder.
func leerDocumento(l lector.Lector, id string) (t Tarea, suma string, problemas []string) {
	ruta := dirTracker + "/" + id + "/" + documento
	defer func() { t.ID, t.Ruta = id, ruta }()
	datos, err := l.ReadFile(ruta, topeDocumento)
	if errors.Is(err, lector.ErrNoRegular) {
		// A link may be readable through the system; here it never is.
		if info, e := l.Lstat(ruta); e == nil && info.Mode()&fs.ModeSymlink != 0 {
			return t, "", []string{"es un enlace simbólico: el documento de una tarea es un archivo"}
		}
		return t, "", []string{"no es un archivo regular"}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return t, "", []string{"falta: toda carpeta de tarea tiene un TAREA.md"}
	case errors.Is(err, lector.ErrTope):
		return t, "", []string{"pesa más de 2 MiB"}
	case err != nil:
		return t, "", []string{"no se puede leer: " + causa(err)}
	}
	t, problemas = leerTarea(datos)
	s := sha256.Sum256(datos)
	return t, hex.EncodeToString(s[:]), problemas
}

// Filtro narrows a listing. Its zero value is the open tasks.
type Filtro struct {
	Estado   Estado  // "" means Abierta
	Etiqueta *string // nil means any
}

// Listar returns the tasks a filter keeps, without their texts: higher priority
// first, and by id among equals. The slice is never nil.
func (t *Tracker) Listar(f Filtro) []Resumen {
	estado := cmp.Or(f.Estado, Abierta)
	lista := []Resumen{}
	for i := range t.tareas {
		tarea := &t.tareas[i]
		if tarea.Estado != estado {
			continue
		}
		if f.Etiqueta != nil && !slices.ContainsFunc(tarea.Etiquetas, func(e string) bool { return plegar(e) == plegar(*f.Etiqueta) }) {
			continue
		}
		lista = append(lista, tarea.Resumen())
	}
	slices.SortStableFunc(lista, func(a, b Resumen) int {
		return cmp.Or(b.Prioridad.Cmp(a.Prioridad), strings.Compare(a.ID, b.ID))
	})
	return lista
}
