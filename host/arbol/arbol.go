package arbol

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Topes bounds what is read. A field at zero or below means the default.
type Topes struct {
	BytesPorArchivo       int64 // 4 MiB
	ArchivosPorDirectorio int   // 20,000, under one directory at any depth
}

func (t Topes) completos() Topes {
	if t.BytesPorArchivo <= 0 {
		t.BytesPorArchivo = 4 << 20
	}
	if t.ArchivosPorDirectorio <= 0 {
		t.ArchivosPorDirectorio = 20_000
	}
	return t
}

// Error is something in the tree that cannot be read or must not be there.
type Error struct {
	Ruta   string // slash-separated, relative to the root; "." is the root
	Motivo string // in Spanish, without a final period
	// Correccion is how whoever keeps the tree mends it, a sentence in Spanish.
	Correccion string
	causa      error
}

// Error returns the path and the reason.
func (e *Error) Error() string { return e.Ruta + ": " + e.Motivo }

// Unwrap returns the system's error, nil when there was none.
func (e *Error) Unwrap() error { return e.causa }

// Arbol is a tree whose root was resolved once. Safe for concurrent use.
type Arbol struct {
	raiz  *os.Root
	ruta  string
	topes Topes
}

// Abrir resolves a directory, symbolic links in its own path included, and
// opens it. The error is *[Error] with the path as given.
func Abrir(ruta string, topes Topes) (*Arbol, error) {
	fisica, err := filepath.Abs(ruta)
	if err == nil {
		fisica, err = filepath.EvalSymlinks(fisica)
	}
	if err != nil {
		return nil, deSistema(ruta, err)
	}
	info, err := os.Stat(fisica)
	if err != nil {
		return nil, deSistema(ruta, err)
	}
	if !info.IsDir() {
		return nil, noEsDirectorio(ruta)
	}
	raiz, err := os.OpenRoot(fisica)
	if err != nil {
		return nil, deSistema(ruta, err)
	}
	return &Arbol{raiz: raiz, ruta: fisica, topes: topes.completos()}, nil
}

// Ruta returns the absolute path of the root, without symbolic links.
func (a *Arbol) Ruta() string { return a.ruta }

// Directorio fails unless a path is a directory, reached without links. What it
// holds is not looked at. The error is *[Error].
func (a *Arbol) Directorio(ruta string) error {
	info, err := a.mirar(ruta)
	if err == nil && !info.IsDir() {
		err = noEsDirectorio(ruta)
	}
	return err
}

// Raiz returns the confined root, for whoever reads under rules of its own. It
// is the tree's: do not close it.
func (a *Arbol) Raiz() *os.Root { return a.raiz }

// Absoluta returns the absolute path of a path of the tree.
func (a *Arbol) Absoluta(ruta string) string { return filepath.Join(a.ruta, filepath.FromSlash(ruta)) }

// Close releases the root.
func (a *Arbol) Close() error { return a.raiz.Close() }

// deSistema names a failed operation without the absolute path the system
// puts in its own message.
func deSistema(ruta string, err error) *Error {
	motivo, correccion := "no se puede leer", "revisá que se pueda leer."
	var numero syscall.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist):
		motivo, correccion = "no existe", "crealo, o corregí lo que lo nombra."
	case errors.Is(err, fs.ErrPermission):
		motivo, correccion = "no se puede leer: permiso denegado", "dale permiso de lectura al usuario que corre el programa."
	case errors.As(err, &numero):
		motivo = "no se puede leer: " + numero.Error()
	}
	return &Error{Ruta: ruta, Motivo: motivo, Correccion: correccion, causa: err}
}

// mirar looks at a path without following links, at any of its components.
func (a *Arbol) mirar(ruta string) (fs.FileInfo, error) {
	if !fs.ValidPath(ruta) {
		return nil, &Error{Ruta: ruta, Motivo: "no es una ruta relativa dentro de la raíz", Correccion: "usá una ruta relativa, sin «..»."}
	}
	for i, r := range ruta {
		if r != '/' {
			continue
		}
		info, err := a.raiz.Lstat(ruta[:i])
		if err != nil {
			return nil, deSistema(ruta[:i], err)
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return nil, enlace(ruta[:i])
		}
	}
	info, err := a.raiz.Lstat(ruta)
	if err != nil {
		return nil, deSistema(ruta, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		return nil, enlace(ruta)
	}
	return info, nil
}

func enlace(ruta string) *Error {
	return &Error{Ruta: ruta, Motivo: "es un enlace simbólico, y acá no se siguen",
		Correccion: "poné en su lugar el archivo o el directorio mismo, o sacalo de ahí."}
}

func noEsDirectorio(ruta string) *Error {
	return &Error{Ruta: ruta, Motivo: "no es un directorio", Correccion: "poné ahí un directorio, o corregí lo que lo nombra."}
}

func noEsRegular(ruta string) *Error {
	return &Error{Ruta: ruta, Motivo: "no es un archivo regular", Correccion: "sacalo de ahí: sólo se admiten archivos comunes y directorios."}
}

// abrir opens a path that mirar looked at. Between the two somebody may have
// put something else there: what was opened has to be what was looked at.
func (a *Arbol) abrir(ruta string, info fs.FileInfo) (*os.File, error) {
	f, err := a.raiz.OpenFile(ruta, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, deSistema(ruta, err)
	}
	abierto, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, deSistema(ruta, err)
	}
	if !os.SameFile(info, abierto) {
		f.Close()
		return nil, &Error{Ruta: ruta, Motivo: "cambió mientras se abría", Correccion: "reintentá cuando nadie esté escribiendo ahí."}
	}
	return f, nil
}

// leer returns the bytes of a regular file.
func (a *Arbol) leer(ruta string) ([]byte, error) {
	info, err := a.mirar(ruta)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, noEsRegular(ruta)
	}
	if info.Size() > a.topes.BytesPorArchivo {
		return nil, a.excedido(ruta)
	}
	f, err := a.abrir(ruta, info)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(b[len(b):cap(b)])
		b = b[:len(b)+n]
		switch {
		case int64(len(b)) > a.topes.BytesPorArchivo:
			return nil, a.excedido(ruta)
		case err == io.EOF:
			return b, nil
		case err != nil:
			return nil, deSistema(ruta, err)
		case len(b) == cap(b):
			b = slices.Grow(b, 512)
		}
	}
}

func (a *Arbol) excedido(ruta string) *Error {
	return &Error{Ruta: ruta, Motivo: fmt.Sprintf("pesa más de %d bytes, que es el tope por archivo", a.topes.BytesPorArchivo),
		Correccion: "partilo en varios archivos, sin perder nada de lo que dice: ese tope no se sube."}
}

// entrada is one file of a listing.
type entrada struct {
	ruta       string
	directorio bool
}

// listar returns every file and directory under dir, sorted by path.
func (a *Arbol) listar(dir string) ([]entrada, error) {
	info, err := a.mirar(dir)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return nil, noEsDirectorio(dir)
	}
	var todas []entrada
	archivos, directorios := 0, 0
	pendientes := []string{dir}
	for len(pendientes) > 0 {
		d := pendientes[len(pendientes)-1]
		pendientes = pendientes[:len(pendientes)-1]
		propias, err := a.listarUno(d)
		if err != nil {
			return nil, err
		}
		for _, e := range propias {
			if e.directorio {
				directorios++
				pendientes = append(pendientes, e.ruta)
			} else {
				archivos++
			}
		}
		if max(archivos, directorios) > a.topes.ArchivosPorDirectorio {
			return nil, a.demasiados(dir)
		}
		todas = append(todas, propias...)
	}
	slices.SortFunc(todas, func(x, y entrada) int { return cmp.Compare(x.ruta, y.ruta) })
	return todas, nil
}

func (a *Arbol) demasiados(dir string) *Error {
	return &Error{Ruta: dir, Motivo: fmt.Sprintf("tiene más de %d archivos, que es el tope por directorio", a.topes.ArchivosPorDirectorio),
		Correccion: "dejá ahí sólo lo que es del proyecto, o juntá en un archivo lo que hoy está en varios, sin perder nada de lo que dicen: ese tope no se sube."}
}

// listarUno returns what one directory holds. Of several things that must not
// be there it names the first by path, so the error does not depend on the
// order of the file system.
func (a *Arbol) listarUno(dir string) ([]entrada, error) {
	info, err := a.mirar(dir)
	if err != nil {
		return nil, err
	}
	f, err := a.abrir(dir, info)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var propias []entrada
	var malo *Error
	for {
		tanda, err := f.ReadDir(1024)
		for _, d := range tanda {
			ruta := path.Join(dir, d.Name())
			tipo := d.Type()
			var e *Error
			switch {
			case tipo&fs.ModeSymlink != 0:
				e = enlace(ruta)
			case tipo.IsDir() || tipo.IsRegular():
				propias = append(propias, entrada{ruta, tipo.IsDir()})
			default:
				e = noEsRegular(ruta)
			}
			if e != nil && (malo == nil || strings.Compare(e.Ruta, malo.Ruta) < 0) {
				malo = e
			}
		}
		if len(propias) > 2*a.topes.ArchivosPorDirectorio {
			return nil, a.demasiados(dir)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, deSistema(dir, err)
		}
	}
	if malo != nil {
		return nil, malo
	}
	return propias, nil
}
