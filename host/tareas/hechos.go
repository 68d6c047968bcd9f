package tareas

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math/big"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// EsquemaHechos names the seven relations and their fields.
const EsquemaHechos = "oracle.tareas.hechos/v1"

// Hechos is the tracker as evidence: seven relations, always all of them, in a
// fixed order and with no null anywhere (especificacion/tareas.md §3). Every
// slice is non-nil.
type Hechos struct {
	Tareas      []HechoTarea      `json:"tarea_seguimiento"`
	Cierres     []HechoCierre     `json:"tarea_cierre_medida"`
	Archivos    []HechoArchivo    `json:"archivo_seguimiento"`
	Referencias []HechoReferencia `json:"referencia_seguimiento"`
	Omisiones   []HechoOmision    `json:"omision_seguimiento"`
	Lectura     []HechoLectura    `json:"lectura_seguimiento"`
	Commits     []HechoCommit     `json:"commit_seguimiento"`
}

// HechoTarea is one task, as it declares itself. By id.
type HechoTarea struct {
	ID                 string   `json:"id"`
	Titulo             string   `json:"titulo"`
	EstadoDeclarado    Estado   `json:"estado_declarado"`
	PrioridadDeclarada *big.Int `json:"prioridad_declarada"`
	Ruta               string   `json:"ruta"`
	Sha256Documento    string   `json:"sha256_documento"`
}

// HechoCierre is one measure a task says it closes with. By task and measure.
type HechoCierre struct {
	TareaID string `json:"tarea_id"`
	Medida  string `json:"medida"`
}

// HechoArchivo is one file of the tracker, on the disk or only in Git. By route.
type HechoArchivo struct {
	TareaID       string `json:"tarea_id"` // "" for what is beside the tasks
	Ruta          string `json:"ruta"`
	Clase         string `json:"clase"` // auxiliar, documento or adjunto
	Tipo          string `json:"tipo"`  // regular, enlace, especial or ausente
	TamanoBytes   int64  `json:"tamano_bytes"`
	Existe        bool   `json:"existe"`
	GitComprobado bool   `json:"git_comprobado"`
	EnIndice      bool   `json:"en_indice"`
	EnHead        bool   `json:"en_head"`
	Ignorado      bool   `json:"ignorado"`
	Indice        string `json:"indice"`
	Trabajo       string `json:"trabajo"`
}

// HechoReferencia is one reference of a Markdown file. By route, line and place.
type HechoReferencia struct {
	TareaID          string    `json:"tarea_id"`
	Origen           string    `json:"origen"`
	Linea            int       `json:"linea"`
	DestinoDeclarado string    `json:"destino_declarado"`
	Clase            Clase     `json:"clase"`
	Estado           Presencia `json:"estado"`
}

// HechoOmision is something that could not be looked into. By route, line and
// reason, without repeats. The line is 0 when it is of no line.
type HechoOmision struct {
	Ruta   string `json:"ruta"`
	Linea  int    `json:"linea"`
	Motivo string `json:"motivo"`
}

// HechoLectura is the reading itself: one row.
type HechoLectura struct {
	Esquema  string `json:"esquema"`
	Completa bool   `json:"completa"` // there are no omissions
	// Git is no_solicitado, sin_repositorio or comprobado; "" for a repository
	// that is there and could not be read, which is then an omission.
	Git  string `json:"git"`
	Head string `json:"head"`
}

// HechoCommit is one commit behind HEAD, newest first.
type HechoCommit struct {
	Sha           string `json:"sha"`
	Asunto        string `json:"asunto"`
	NombraTarea   bool   `json:"nombra_tarea"`
	TareaNombrada string `json:"tarea_nombrada"`
	TareaExiste   bool   `json:"tarea_existe"`
	EstadoDeTarea Estado `json:"estado_de_la_tarea"`
	EsCierre      bool   `json:"es_cierre"`
}

// The values of HechoLectura.Git.
const (
	gitNoSolicitado   = "no_solicitado"
	gitSinRepositorio = "sin_repositorio"
	gitComprobado     = "comprobado"
)

const (
	claseAuxiliar  = "auxiliar"
	claseDocumento = "documento"
	claseAdjunto   = "adjunto"
)

const (
	// topeMarkdown is how many bytes of Markdown one call reads for references.
	topeMarkdown = 64 << 20
	// topeReferencias is what a relation of evidence may have (lenguaje.md §9).
	topeReferencias = 100_000
	// topeAvisos is how many omissions one file's references may come to.
	topeAvisos = 1000
)

// reAsunto takes the task a commit names: «<id>: resumen».
var reAsunto = regexp.MustCompile(`^([0-9]{8}-[0-9]{6}(?:-[a-z0-9_-]+)*):[ \t]+(.*)$`)

// Git is how a call asks for the repository: the zero value does not ask.
type Git struct {
	Pedido bool
	// Repositorio is what Descubrir found at start, seen through the call's
	// recorder; nil when there is none.
	Repositorio *repositorio.Repositorio
}

// Hechos extracts the tracker's evidence. The only errors are the context's:
// what cannot be looked into is an omission.
func (t *Tracker) Hechos(ctx context.Context, g Git) (*Hechos, error) {
	h := &Hechos{Tareas: []HechoTarea{}, Cierres: []HechoCierre{}, Archivos: []HechoArchivo{},
		Referencias: []HechoReferencia{}, Omisiones: []HechoOmision{}, Commits: []HechoCommit{}}
	for _, o := range t.recorrido.omitidas {
		h.omitir(o.Ruta, 0, o.Motivo)
	}
	for i := range t.tareas {
		tarea := &t.tareas[i]
		h.Tareas = append(h.Tareas, HechoTarea{tarea.ID, tarea.Titulo, tarea.Estado, tarea.Prioridad, tarea.Ruta, t.sha256[tarea.ID]})
		medidas := slices.Sorted(slices.Values(tarea.CierraCon))
		for _, m := range medidas {
			h.Cierres = append(h.Cierres, HechoCierre{tarea.ID, m})
		}
	}
	infos, perdidos, err := t.archivos(ctx, h)
	if err != nil {
		return nil, err
	}
	if err := t.referencias(ctx, h); err != nil {
		return nil, err
	}
	lectura := HechoLectura{Esquema: EsquemaHechos, Git: gitNoSolicitado}
	switch {
	case g.Pedido && g.Repositorio == nil:
		lectura.Git = gitSinRepositorio
	case g.Pedido:
		if lectura.Git, lectura.Head, err = t.conGit(ctx, h, g.Repositorio, infos, perdidos); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(h.Omisiones, func(a, b HechoOmision) int {
		return cmp.Or(strings.Compare(a.Ruta, b.Ruta), cmp.Compare(a.Linea, b.Linea), strings.Compare(a.Motivo, b.Motivo))
	})
	h.Omisiones = slices.Compact(h.Omisiones)
	lectura.Completa = len(h.Omisiones) == 0
	h.Lectura = []HechoLectura{lectura}
	return h, nil
}

func (h *Hechos) omitir(ruta string, linea int, motivo string) {
	h.Omisiones = append(h.Omisiones, HechoOmision{ruta, linea, motivo})
}

// archivos fills in the rows of what is on the disk, and returns what Git's
// reader needs of them, and the routes that were listed and could not be looked at.
func (t *Tracker) archivos(ctx context.Context, h *Hechos) (infos []repositorio.Archivo, perdidos map[string]bool, err error) {
	perdidos = map[string]bool{}
	for _, e := range t.recorrido.entradas {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		info, err := t.l.Lstat(e.ruta)
		if err != nil {
			h.omitir(e.ruta, 0, motivoIlegible)
			perdidos[e.ruta] = true
			continue
		}
		fila := HechoArchivo{TareaID: e.tarea, Ruta: e.ruta, Clase: claseDe(e.ruta, e.tarea), Existe: true, Tipo: "especial"}
		switch {
		case info.Mode().IsRegular():
			fila.Tipo, fila.TamanoBytes = "regular", info.Size()
		case info.Mode()&fs.ModeSymlink != 0:
			fila.Tipo = "enlace"
		}
		h.Archivos = append(h.Archivos, fila)
		infos = append(infos, repositorio.Archivo{Ruta: e.ruta, Info: info})
	}
	return infos, perdidos, nil
}

func claseDe(ruta, tarea string) string {
	switch {
	case tarea == "":
		return claseAuxiliar
	case ruta == dirTracker+"/"+tarea+"/"+documento:
		return claseDocumento
	}
	return claseAdjunto
}

// tareaDe returns the id of the task a route lies in, or "".
func tareaDe(ruta string) string {
	resto := strings.TrimPrefix(ruta, dirTracker+"/")
	id, _, hay := strings.Cut(resto, "/")
	if !hay || !reID.MatchString(id) {
		return ""
	}
	return id
}

func (t *Tracker) referencias(ctx context.Context, h *Hechos) error {
	leidos := 0
	for _, e := range t.recorrido.entradas {
		if err := ctx.Err(); err != nil {
			return err
		}
		if ext := strings.ToLower(path.Ext(e.ruta)); ext != ".md" && ext != ".markdown" {
			continue
		}
		if e.tipo&fs.ModeSymlink != 0 {
			h.omitir(e.ruta, 0, motivoEnlace)
			continue
		}
		datos, err := t.l.ReadFile(e.ruta, topeDocumento)
		switch {
		case errors.Is(err, lector.ErrTope):
			h.omitir(e.ruta, 0, motivoGrande)
			continue
		case errors.Is(err, lector.ErrNoRegular):
			h.omitir(e.ruta, 0, motivoEspecial)
			continue
		case err != nil:
			h.omitir(e.ruta, 0, motivoIlegible)
			continue
		case !utf8.Valid(datos):
			h.omitir(e.ruta, 0, motivoNoUTF8)
			continue
		}
		if leidos += len(datos); leidos > topeMarkdown {
			h.omitir(e.ruta, 0, motivoTope)
			leidos -= len(datos)
			continue
		}
		t.referenciasDe(h, e, datos)
	}
	return nil
}

func (t *Tracker) referenciasDe(h *Hechos, e entrada, datos []byte) {
	enlaces, avisos := leerReferencias(datos)
	if len(h.Referencias)+len(enlaces) > topeReferencias {
		h.omitir(e.ruta, 0, motivoTope)
		return
	}
	if len(avisos) > topeAvisos {
		h.omitir(e.ruta, 0, motivoTope)
		avisos = avisos[:topeAvisos]
	}
	for _, a := range avisos {
		h.omitir(e.ruta, a.linea, a.motivo)
	}
	for _, en := range enlaces {
		fila := HechoReferencia{TareaID: e.tarea, Origen: e.ruta, Linea: en.linea, DestinoDeclarado: en.destino,
			Clase: clasificar(en.destino), Estado: NoComprobado}
		if fila.Clase == ClaseLocal {
			var motivo string
			if fila.Estado, motivo = resolver(t.l, e.ruta, en.destino); motivo != "" {
				h.omitir(e.ruta, en.linea, motivo)
			}
		}
		h.Referencias = append(h.Referencias, fila)
	}
}

// conGit adds what the repository says, and returns how it went.
func (t *Tracker) conGit(ctx context.Context, h *Hechos, r *repositorio.Repositorio, infos []repositorio.Archivo, perdidos map[string]bool) (git, head string, err error) {
	p := repositorio.Pedido{Proyecto: t.l, Dir: dirTracker, Archivos: infos}
	for _, o := range t.recorrido.omitidas {
		p.Salvo = append(p.Salvo, o.Ruta)
	}
	inf, err := r.Leer(ctx, p)
	if err != nil {
		return "", "", err
	}
	for _, o := range inf.Omisiones {
		h.omitir(legible(o.Ruta), 0, o.Motivo)
	}
	if !inf.Abierto {
		return "", "", nil
	}
	// With a repository of its own, the tracker is not the project's repository's.
	if !t.recorrido.anidado {
		h.conEstados(inf.Estados, perdidos)
	}
	for _, c := range inf.Commits {
		fila := HechoCommit{Sha: c.Sha, Asunto: c.Asunto}
		if m := reAsunto.FindStringSubmatch(c.Asunto); m != nil {
			fila.NombraTarea, fila.TareaNombrada = true, m[1]
			fila.EsCierre = strings.TrimSpace(m[2]) == "done"
			if tarea, ok := t.porID[m[1]]; ok {
				fila.TareaExiste, fila.EstadoDeTarea = true, tarea.Estado
			}
		}
		h.Commits = append(h.Commits, fila)
	}
	return gitComprobado, inf.Head, nil
}

// conEstados puts Git's word on each row, and adds the rows of what only Git has.
func (h *Hechos) conEstados(estados map[string]repositorio.Estado, perdidos map[string]bool) {
	poner := func(f *HechoArchivo, e repositorio.Estado) {
		f.GitComprobado, f.EnIndice, f.EnHead, f.Ignorado = e.Comprobado, e.EnIndice, e.EnHead, e.Ignorado
		f.Indice, f.Trabajo = e.Indice, e.Trabajo
	}
	enDisco := map[string]bool{}
	for i := range h.Archivos {
		f := &h.Archivos[i]
		enDisco[f.Ruta] = true
		poner(f, estados[f.Ruta])
	}
	for ruta, e := range estados {
		if enDisco[ruta] || perdidos[ruta] {
			continue
		}
		if !utf8.ValidString(ruta) {
			h.omitir(legible(ruta), 0, motivoNombre)
			continue
		}
		tarea := tareaDe(ruta)
		f := HechoArchivo{TareaID: tarea, Ruta: ruta, Clase: claseDe(ruta, tarea), Tipo: "ausente"}
		poner(&f, e)
		h.Archivos = append(h.Archivos, f)
	}
	slices.SortFunc(h.Archivos, func(a, b HechoArchivo) int { return strings.Compare(a.Ruta, b.Ruta) })
}

// esAusencia says that a name is not there, be it that a component before it is
// no directory.
func esAusencia(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ENAMETOOLONG)
}
