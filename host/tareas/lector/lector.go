// Package lector is the read-only view of a directory tree that the tracker and
// its Git reader work through (especificacion/proyecto.md §1, §7).
//
// [Lector] is everything they may ask of a disk. [DeRaiz] answers it over an
// *os.Root: nothing outside the root is reachable, a file is opened only after
// it was seen to be a regular one, and no call waits on a FIFO or a device. A
// caller that signs what a consultation read wraps a Lector and notes each
// answer; the names, the bytes and the listings all pass through it.
//
// A Lector made by DeRaiz is safe for concurrent use.
package lector

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
)

var (
	// ErrTope says that a file or a listing is larger than the caller's cap.
	ErrTope = errors.New("supera el tope")
	// ErrNoRegular says that the name is not a regular file: a directory, a
	// symbolic link, a FIFO, a socket or a device.
	ErrNoRegular = errors.New("no es un archivo regular")
	// ErrCambio says that the name became another file while it was being opened.
	ErrCambio = errors.New("cambió mientras se abría")
)

// Archivo is an open regular file, for reading only. ReadAt may be called from
// several goroutines at once.
type Archivo interface {
	io.Reader
	io.ReaderAt
	io.Seeker
	io.Closer
	Stat() (fs.FileInfo, error)
}

// Lector reads one directory tree. Routes are relative to its root, with "/"
// between components, and "." is the root itself.
type Lector interface {
	// Lstat describes the name without following a final symbolic link.
	Lstat(ruta string) (fs.FileInfo, error)
	// Readlink returns the target text of a symbolic link.
	Readlink(ruta string) (string, error)
	// ReadDir lists a directory, sorted by name, byte by byte. More than tope
	// entries is ErrTope and no list.
	ReadDir(ruta string, tope int) ([]fs.DirEntry, error)
	// ReadFile reads a regular file whole. More than tope bytes is ErrTope and
	// no bytes; anything but a regular file is ErrNoRegular.
	ReadFile(ruta string, tope int64) ([]byte, error)
	// Open opens a regular file, for what is read by pieces: attachments that
	// are only hashed, Git objects. Anything else is ErrNoRegular.
	Open(ruta string) (Archivo, error)
}

// DeRaiz returns the Lector of an open root. The root stays the caller's to close.
func DeRaiz(raiz *os.Root) Lector { return deRaiz{raiz} }

type deRaiz struct{ raiz *os.Root }

var _ Lector = deRaiz{}

func (l deRaiz) Lstat(ruta string) (fs.FileInfo, error) { return l.raiz.Lstat(ruta) }

func (l deRaiz) Readlink(ruta string) (string, error) { return l.raiz.Readlink(ruta) }

func (l deRaiz) Open(ruta string) (Archivo, error) {
	f, _, err := l.abrir(ruta)
	if err != nil {
		return nil, err
	}
	return f, nil
}

// abrir never opens what Lstat did not show to be regular: opening a FIFO or a
// device can block or have effects. O_NONBLOCK covers the moment in between,
// and the comparison of both descriptions covers a name that was swapped. The
// components before the last are opened by the root, as directories or not at all.
func (l deRaiz) abrir(ruta string) (*os.File, fs.FileInfo, error) {
	antes, err := l.raiz.Lstat(ruta)
	if err != nil {
		return nil, nil, err
	}
	if !antes.Mode().IsRegular() {
		return nil, nil, &fs.PathError{Op: "open", Path: ruta, Err: ErrNoRegular}
	}
	f, err := l.raiz.OpenFile(ruta, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	abierto, err := f.Stat()
	if err == nil && (!abierto.Mode().IsRegular() || !os.SameFile(antes, abierto)) {
		err = &fs.PathError{Op: "open", Path: ruta, Err: ErrCambio}
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, abierto, nil
}

func (l deRaiz) ReadFile(ruta string, tope int64) ([]byte, error) {
	f, info, err := l.abrir(ruta)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info.Size() > tope {
		return nil, &fs.PathError{Op: "read", Path: ruta, Err: ErrTope}
	}
	// The size is a hint: a file that grows is still cut at the cap. One byte of
	// room more than it takes makes a read that falls short the last one.
	datos := make([]byte, 0, info.Size()+1)
	for {
		hueco := cap(datos) - len(datos)
		n, err := f.Read(datos[len(datos):cap(datos)])
		datos = datos[:len(datos)+n]
		switch {
		case int64(len(datos)) > tope:
			return nil, &fs.PathError{Op: "read", Path: ruta, Err: ErrTope}
		case err == io.EOF || (err == nil && n < hueco):
			return datos, nil
		case err != nil:
			return nil, err
		case len(datos) == cap(datos):
			datos = append(datos, 0)[:len(datos)]
		}
	}
}

// lote is how many directory entries are asked for at a time.
const lote = 1024

func (l deRaiz) ReadDir(ruta string, tope int) ([]fs.DirEntry, error) {
	d, err := l.raiz.OpenFile(ruta, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	var todas []fs.DirEntry
	for {
		parte, err := d.ReadDir(lote)
		todas = append(todas, parte...)
		if len(todas) > tope {
			return nil, &fs.PathError{Op: "readdir", Path: ruta, Err: ErrTope}
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(todas, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return todas, nil
}
