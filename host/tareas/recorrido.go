package tareas

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// Caps of a tracker's tree. Passing one is a problem of the tracker, by name:
// a listing is never cut short in silence.
const (
	topeDirectorio  = 20_000
	topeEntradas    = 200_000
	topeProfundidad = 64
	topeSaltos      = 40
)

// auxiliares are the files a tracker may have beside its tasks.
var auxiliares = map[string]bool{"README.md": true, "README": true, ".gitignore": true, "etiquetas": true}

// Why something of the tree was left out, word for word as it is published.
const (
	motivoOculta      = "entrada_oculta"
	motivoRepositorio = "repositorio_anidado"
	motivoNombre      = "nombre_no_utf8"
	motivoTope        = "supera_el_tope"
	motivoIlegible    = "ilegible"
)

// problema is one thing that makes the tracker invalid.
type problema struct{ ruta, motivo string }

func (p problema) String() string { return mostrar(p.ruta, 2*maxCita) + ": " + p.motivo }

// Omitida names something of the tracker that was not looked into, and why.
type Omitida struct {
	Ruta   string `json:"ruta"`
	Motivo string `json:"motivo"`
}

// entrada is a name of the tree that is not a directory.
type entrada struct {
	ruta   string
	tarea  string // the id of the task it is in, or ""
	tipo   fs.FileMode
	oculta bool
}

// recorrido is what one walk over tareas/ found, every list in byte order of
// its routes.
type recorrido struct {
	carpetas  []string // ids of the folders that are tasks by their name
	entradas  []entrada
	omitidas  []Omitida
	problemas []problema
	anidado   bool // tareas/ is itself the root of a repository
}

// caminante walks the tree with one budget for the whole of it.
type caminante struct {
	ctx context.Context
	l   lector.Lector
	r   recorrido
	n   int
}

// errTopeTotal stops a walk that met more names than a tracker may have.
var errTopeTotal = errors.New("demasiadas entradas")

// recorrer walks tareas/ without following a link. The only errors are the
// context's: what is wrong with the tree is in problemas.
func recorrer(ctx context.Context, l lector.Lector) (*recorrido, error) {
	c := &caminante{ctx: ctx, l: l}
	err := c.raiz()
	if errors.Is(err, errTopeTotal) {
		c.problema(dirTracker, "tiene más de "+strconv.Itoa(topeEntradas)+" entradas")
		err = nil
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(c.r.entradas, func(a, b entrada) int { return strings.Compare(a.ruta, b.ruta) })
	slices.SortFunc(c.r.omitidas, func(a, b Omitida) int { return strings.Compare(a.Ruta, b.Ruta) })
	slices.SortFunc(c.r.problemas, func(a, b problema) int {
		return cmp.Or(strings.Compare(a.ruta, b.ruta), strings.Compare(a.motivo, b.motivo))
	})
	return &c.r, nil
}

func (c *caminante) problema(ruta, motivo string) {
	c.r.problemas = append(c.r.problemas, problema{ruta, motivo})
}

func (c *caminante) omitir(ruta, motivo string) {
	c.r.omitidas = append(c.r.omitidas, Omitida{Ruta: legible(ruta), Motivo: motivo})
}

// listar reads one directory against the budget; ok is false when it could not
// be read, which is then a problem already noted.
func (c *caminante) listar(dir string) (lista []fs.DirEntry, ok bool, err error) {
	if err := c.ctx.Err(); err != nil {
		return nil, false, err
	}
	lista, err = c.l.ReadDir(dir, topeDirectorio)
	switch {
	case errors.Is(err, lector.ErrTope):
		c.problema(dir, "tiene más de "+strconv.Itoa(topeDirectorio)+" entradas")
		return nil, false, nil
	case err != nil:
		c.problema(dir, "no se puede listar: "+causa(err))
		return nil, false, nil
	}
	if c.n += len(lista); c.n > topeEntradas {
		return nil, false, errTopeTotal
	}
	return lista, true, nil
}

func (c *caminante) raiz() error {
	lista, ok, err := c.listar(dirTracker)
	if !ok {
		return err
	}
	for _, d := range lista {
		nombre := d.Name()
		ruta := dirTracker + "/" + nombre
		oculta := strings.HasPrefix(nombre, ".") && nombre != ".gitignore"
		switch {
		case nombre == ".git":
			c.r.anidado = true
			c.omitir(dirTracker, motivoRepositorio)
		case oculta:
			c.suelta(ruta, "", d)
		case !utf8.ValidString(nombre):
			c.problema(ruta, "el nombre no es UTF-8")
		case d.IsDir() && reID.MatchString(nombre):
			c.r.carpetas = append(c.r.carpetas, nombre)
			if err := c.carpeta(nombre); err != nil {
				return err
			}
		case d.IsDir():
			c.problema(ruta, "la carpeta no se llama AAAAMMDD-HHMMSS, con un -sufijo opcional en minúsculas")
		case reID.MatchString(nombre) && d.Type()&fs.ModeSymlink != 0:
			c.problema(ruta, "es un enlace simbólico: una tarea es una carpeta")
		case !auxiliares[nombre]:
			c.problema(ruta, "archivo suelto no admitido: en tareas/ sólo van carpetas de tarea, README.md, README, .gitignore y etiquetas")
		default:
			c.suelta(ruta, "", d)
		}
	}
	return nil
}

// carpeta walks one task's folder.
func (c *caminante) carpeta(id string) error {
	type pendiente struct {
		dir   string
		nivel int
	}
	raiz := dirTracker + "/" + id
	pila := []pendiente{{raiz, 1}}
	for len(pila) > 0 {
		p := pila[len(pila)-1]
		pila = pila[:len(pila)-1]
		lista, ok, err := c.listar(p.dir)
		if err != nil {
			return err
		}
		if !ok {
			continue
		}
		if slices.ContainsFunc(lista, func(d fs.DirEntry) bool { return d.Name() == ".git" }) {
			c.omitir(p.dir, motivoRepositorio)
			continue
		}
		for _, d := range lista {
			ruta := p.dir + "/" + d.Name()
			oculta := strings.HasPrefix(d.Name(), ".")
			switch {
			case !d.IsDir() || oculta:
				c.suelta(ruta, id, d)
			case !utf8.ValidString(d.Name()):
				c.omitir(ruta, motivoNombre)
			case p.nivel >= topeProfundidad:
				c.problema(ruta, "está a más de "+strconv.Itoa(topeProfundidad)+" carpetas de profundidad")
			default:
				pila = append(pila, pendiente{ruta, p.nivel + 1})
			}
		}
	}
	return nil
}

// suelta notes a name that is not walked into: a file, a link, something
// special, or a hidden directory.
func (c *caminante) suelta(ruta, tarea string, d fs.DirEntry) {
	oculta := strings.HasPrefix(d.Name(), ".")
	switch {
	case !utf8.ValidString(d.Name()):
		c.omitir(ruta, motivoNombre)
	case d.IsDir():
		c.omitir(ruta, motivoOculta)
	default:
		c.r.entradas = append(c.r.entradas, entrada{ruta: ruta, tarea: tarea, tipo: d.Type(), oculta: oculta})
	}
	// Reading the document says by itself that it may not be a link.
	esDocumento := tarea != "" && ruta == dirTracker+"/"+tarea+"/"+documento
	if !oculta && !esDocumento && d.Type()&fs.ModeSymlink != 0 {
		if motivo := enlaceMalo(c.l, ruta); motivo != "" {
			c.problema(ruta, motivo)
		}
	}
}

// enlaceMalo says what is wrong with a symbolic link of the tracker: it may only
// lead to something that exists inside tareas/. Every component is read, none is
// followed by the system.
func enlaceMalo(l lector.Lector, enlace string) string {
	const (
		roto = "es un enlace simbólico roto"
		sale = "es un enlace simbólico que sale de tareas/"
	)
	pendientes := []string{path.Base(enlace)}
	actual, saltos := path.Dir(enlace), 0
	for len(pendientes) > 0 {
		parte := pendientes[0]
		pendientes = pendientes[1:]
		switch parte {
		case "", ".":
			continue
		case "..":
			if actual == dirTracker {
				return sale
			}
			actual = path.Dir(actual)
			continue
		}
		siguiente := actual + "/" + parte
		info, err := l.Lstat(siguiente)
		switch {
		case err != nil:
			return roto
		case info.Mode()&fs.ModeSymlink != 0:
			if saltos++; saltos > topeSaltos {
				return roto + ": da vueltas"
			}
			destino, err := l.Readlink(siguiente)
			if err != nil {
				return roto
			}
			if path.IsAbs(destino) {
				return sale
			}
			pendientes = append(strings.Split(destino, "/"), pendientes...)
		case !info.IsDir() && slices.ContainsFunc(pendientes, func(s string) bool { return s != "" && s != "." }):
			return roto
		default:
			actual = siguiente
		}
	}
	return ""
}

// causa says why the system refused, without the route it was asked for: that
// one is absolute in some errors, and the problem already names its own.
func causa(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		err = p.Err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "no existe"
	case errors.Is(err, fs.ErrPermission):
		return "sin permiso"
	case errors.Is(err, lector.ErrTope), errors.Is(err, lector.ErrNoRegular), errors.Is(err, lector.ErrCambio):
		return err.Error()
	}
	return citar(err.Error())
}
