package docugraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// directoriosOmitidos are never entered, and neither are hidden ones (especificacion/docugraph.md §2).
var directoriosOmitidos = map[string]bool{"node_modules": true, "vendor": true, "build": true, "dist": true, "target": true, "out": true}

// Cargar reads every Markdown file below raiz, in path order and without following symbolic links, and returns the tree. A document
// that cannot be read is a finding, not a failure: Cargar fails only if the root itself cannot be listed, if ctx is done
// (errors.Is(err, ctx.Err())) or with a [*LimiteError] if the tree has more documents or entries than lim allows. raiz stays open
// and is not used after Cargar returns.
func Cargar(ctx context.Context, raiz *os.Root, lim Limites) (*Arbol, error) {
	lim = lim.conOmision()
	r := recorrido{ctx: ctx, lim: lim}
	if err := r.entrar(raiz, ".", 0); err != nil {
		return nil, err
	}
	slices.Sort(r.rutas)
	documentos, err := leerTodos(ctx, raiz, r.rutas, lim)
	if err != nil {
		return nil, err
	}
	ojo := mirador{raiz: raiz, clases: map[string]Existencia{".": EsDirectorio}}
	return Armar(ctx, documentos, r.hallazgos, ojo.existe)
}

// recorrido walks the directories, one at a time.
type recorrido struct {
	ctx       context.Context
	lim       Limites
	rutas     []string
	hallazgos []Hallazgo
	entradas  int
}

// entrar lists dir, whose path from the root is ruta.
func (r *recorrido) entrar(dir *os.Root, ruta string, nivel int) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	f, err := dir.Open(".")
	if err != nil {
		return r.ilegible(ruta, nivel, err)
	}
	entradas, err := f.ReadDir(-1)
	f.Close()
	if err != nil {
		return r.ilegible(ruta, nivel, err)
	}
	if r.entradas += len(entradas); r.entradas > r.lim.Entradas {
		return &LimiteError{Nombre: "entradas", Observado: int64(r.entradas), Limite: int64(r.lim.Entradas)}
	}
	slices.SortFunc(entradas, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
	for _, e := range entradas {
		nombre := e.Name()
		if strings.HasPrefix(nombre, ".") || directoriosOmitidos[nombre] && !e.Type().IsRegular() {
			continue
		}
		su := path.Join(ruta, nombre)
		esMarkdown := strings.EqualFold(path.Ext(nombre), ".md")
		switch {
		case e.Type()&fs.ModeSymlink != 0:
			r.hallar(EnlaceSimbolico, su, "es un enlace simbólico: no se sigue")
		case !e.IsDir() && !esMarkdown:
		case !nombreEscribible(nombre):
			r.hallar(ArchivoIlegible, su, "el nombre lleva caracteres de control o no es UTF-8: cambialo")
		case e.IsDir():
			if err := r.bajar(dir, nombre, su, nivel+1); err != nil {
				return err
			}
		case !e.Type().IsRegular():
			r.hallar(ArchivoIlegible, su, "no es un archivo común")
		default:
			if r.rutas = append(r.rutas, su); len(r.rutas) > r.lim.Documentos {
				return &LimiteError{Nombre: "documentos", Observado: int64(len(r.rutas)), Limite: int64(r.lim.Documentos)}
			}
		}
	}
	return nil
}

func (r *recorrido) bajar(dir *os.Root, nombre, ruta string, nivel int) error {
	if nivel > r.lim.Profundidad {
		r.hallar(ArchivoIlegible, ruta, fmt.Sprintf("hay más de %d directorios anidados: no se entra", r.lim.Profundidad))
		return nil
	}
	sub, err := dir.OpenRoot(nombre)
	if err != nil {
		return r.ilegible(ruta, nivel, err)
	}
	defer sub.Close()
	return r.entrar(sub, ruta, nivel)
}

// ilegible turns a directory that cannot be listed into a finding, unless it is the root.
func (r *recorrido) ilegible(ruta string, nivel int, err error) error {
	if nivel == 0 {
		return fmt.Errorf("no se puede leer la raíz: %w", motivo(err))
	}
	r.hallar(ArchivoIlegible, ruta, "no se puede leer el directorio: "+motivo(err).Error())
	return nil
}

func (r *recorrido) hallar(c Codigo, ruta, mensaje string) {
	r.hallazgos = append(r.hallazgos, Hallazgo{Codigo: c, Mensaje: mensaje, Ruta: rutaEscribible(ruta), Linea: 1})
}

// motivo drops the path from an error of the operating system: the finding already has it, and relative to the root.
func motivo(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func nombreEscribible(nombre string) bool {
	return utf8.ValidString(nombre) && !strings.ContainsFunc(nombre, unicode.IsControl)
}

// rutaEscribible shows a path that has control characters or is no UTF-8 with those replaced, so that one finding is one line.
func rutaEscribible(ruta string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(ruta, string(utf8.RuneError)))
}

// leerTodos opens the files one after another, so that the total is counted in path order, and parses them in parallel.
func leerTodos(ctx context.Context, raiz *os.Root, rutas []string, lim Limites) ([]*Documento, error) {
	type tarea struct {
		i     int
		datos []byte
	}
	documentos := make([]*Documento, len(rutas))
	tareas := make(chan tarea, 64)
	var espera sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		espera.Go(func() {
			for t := range tareas {
				documentos[t.i] = Leer(rutas[t.i], t.datos, lim)
			}
		})
	}
	l := lectorDeArchivos{raiz: raiz, lim: lim}
	for i, ruta := range rutas {
		if ctx.Err() != nil {
			break
		}
		datos, mal := l.leer(ruta)
		if mal != nil {
			documentos[i] = &Documento{Ruta: ruta, Hallazgos: []Hallazgo{*mal}}
			continue
		}
		tareas <- tarea{i, datos}
	}
	close(tareas)
	espera.Wait()
	l.soltar()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return documentos, nil
}

// lectorDeArchivos reads whole files in path order, keeping the directory of the last one open: opening through *os.Root walks the
// path anew each time.
type lectorDeArchivos struct {
	raiz   *os.Root
	lim    Limites
	total  int64
	nombre string // of the open directory
	dir    *os.Root
}

func (l *lectorDeArchivos) soltar() {
	if l.dir != nil {
		l.dir.Close()
		l.dir = nil
	}
}

func (l *lectorDeArchivos) leer(ruta string) ([]byte, *Hallazgo) {
	mal := func(c Codigo, mensaje string) ([]byte, *Hallazgo) {
		return nil, &Hallazgo{Codigo: c, Mensaje: mensaje, Ruta: ruta, Linea: 1}
	}
	if dir := path.Dir(ruta); l.dir == nil || l.nombre != dir {
		l.soltar()
		sub, err := l.raiz.OpenRoot(dir)
		if err != nil {
			return mal(ArchivoIlegible, "no se puede leer: "+motivo(err).Error())
		}
		l.dir, l.nombre = sub, dir
	}
	f, err := abrirSinEsperar(l.dir, path.Base(ruta))
	if err != nil {
		return mal(ArchivoIlegible, "no se puede leer: "+motivo(err).Error())
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return mal(ArchivoIlegible, "no es un archivo común")
	}
	tope := min(l.lim.BytesPorArchivo, l.lim.BytesTotales-l.total)
	if info.Size() <= tope {
		datos := make([]byte, 0, info.Size()+1)
		datos, err = leerHasta(f, datos, tope+1)
		if err != nil {
			return mal(ArchivoIlegible, "no se puede leer: "+motivo(err).Error())
		}
		if int64(len(datos)) <= tope {
			l.total += int64(len(datos))
			return datos, nil
		}
	}
	if tope < l.lim.BytesPorArchivo {
		return mal(ArchivoGrande, fmt.Sprintf("con este archivo los documentos pasan de %d bytes en total: no se lee", l.lim.BytesTotales))
	}
	return mal(ArchivoGrande, fmt.Sprintf("el archivo pasa de %d bytes: partilo en varios documentos", l.lim.BytesPorArchivo))
}

// leerHasta appends what f holds to datos, at most tope bytes.
func leerHasta(f io.Reader, datos []byte, tope int64) ([]byte, error) {
	for int64(len(datos)) < tope {
		if len(datos) == cap(datos) {
			datos = append(datos, 0)[:len(datos)]
		}
		n, err := f.Read(datos[len(datos):cap(datos)])
		datos = datos[:len(datos)+n]
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	return datos, nil
}

// mirador answers what stands at a path, looking at each once. Not safe for concurrent use.
type mirador struct {
	raiz   *os.Root
	clases map[string]Existencia
}

// maxRuta is more than any path a file system takes.
const maxRuta = 4096

// existe looks at ruta and, before, at each directory above it: below a symbolic link nothing is looked at.
func (m *mirador) existe(ruta string) Existencia {
	if c, ya := m.clases[ruta]; ya {
		return c
	}
	if len(ruta) > maxRuta || !fs.ValidPath(ruta) {
		return NoExiste
	}
	clase := EsDirectorio
	for i := 0; i <= len(ruta) && clase == EsDirectorio; i++ {
		if i == len(ruta) || ruta[i] == '/' {
			clase = m.mirar(ruta[:i])
			if i < len(ruta) && clase == EsArchivo {
				return NoExiste // a file has nothing below
			}
		}
	}
	return clase
}

func (m *mirador) mirar(ruta string) Existencia {
	if c, ya := m.clases[ruta]; ya {
		return c
	}
	clase := EsArchivo
	info, err := m.raiz.Lstat(ruta)
	switch {
	case errors.Is(err, fs.ErrNotExist) || strings.ContainsRune(ruta, 0):
		clase = NoExiste
	case err != nil:
		clase = NoSeSabe
	case info.Mode()&fs.ModeSymlink != 0:
		clase = EsEnlace
	case info.IsDir():
		clase = EsDirectorio
	}
	m.clases[ruta] = clase
	return clase
}
