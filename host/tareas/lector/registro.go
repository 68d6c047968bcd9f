package lector

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
)

// Registro signs what one call looks at, to tell at its end whether the tree
// moved meanwhile (especificacion/proyecto.md §7, stability). It keeps digests,
// never bytes. Its zero value is ready, and it is safe for concurrent use.
type Registro struct {
	mu      sync.Mutex
	arboles map[string]Lector
	vistas  map[vista][sha256.Size]byte
}

// vista is one thing that was looked at, and how.
type vista struct {
	arbol, ruta string
	clase       claseDeVista
	tope        int64
}

type claseDeVista byte

const (
	vistaNombre claseDeVista = iota // what there is by that name
	vistaEnlace
	vistaListado
	vistaArchivo
	vistaFlujo // bytes read by pieces
)

// Sobre returns l with everything that goes through it noted under a name,
// which tells one tree from another. firma chooses the routes that are signed;
// nil is all of them. What fails is noted as that failure.
func (r *Registro) Sobre(nombre string, l Lector, firma func(ruta string) bool) Lector {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.arboles == nil {
		r.arboles, r.vistas = map[string]Lector{}, map[vista][sha256.Size]byte{}
	}
	r.arboles[nombre] = l
	return registrado{r, nombre, l, firma}
}

// anotar keeps the first digest of a thing: a second that differs must not hide it.
func (r *Registro) anotar(v vista, d [sha256.Size]byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ya := r.vistas[v]; !ya {
		r.vistas[v] = d
	}
}

// Cerrar looks again at everything that was noted, and returns both signatures
// in hexadecimal: equal when nothing changed. The only error is the context's.
func (r *Registro) Cerrar(ctx context.Context) (antes, despues string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	orden := make([]vista, 0, len(r.vistas))
	for v := range r.vistas {
		orden = append(orden, v)
	}
	slices.SortFunc(orden, func(a, b vista) int {
		return cmp.Or(strings.Compare(a.arbol, b.arbol), strings.Compare(a.ruta, b.ruta), cmp.Compare(a.clase, b.clase), cmp.Compare(a.tope, b.tope))
	})
	ha, hd := sha256.New(), sha256.New()
	for _, v := range orden {
		if err := ctx.Err(); err != nil {
			return "", "", err
		}
		primera, ahora := r.vistas[v], v.mirar(r.arboles[v.arbol])
		for _, h := range []hash.Hash{ha, hd} {
			fmt.Fprintf(h, "%s\x00%s\x00%d\x00%d\x00", v.arbol, v.ruta, v.clase, v.tope)
		}
		ha.Write(primera[:])
		hd.Write(ahora[:])
	}
	return hex.EncodeToString(ha.Sum(nil)), hex.EncodeToString(hd.Sum(nil)), nil
}

// mirar digests a thing as it is now.
func (v vista) mirar(l Lector) [sha256.Size]byte {
	switch v.clase {
	case vistaNombre:
		return deNombre(l.Lstat(v.ruta))
	case vistaEnlace:
		t, err := l.Readlink(v.ruta)
		return deBytes([]byte(t), err)
	case vistaListado:
		return deListado(l.ReadDir(v.ruta, int(v.tope)))
	case vistaArchivo:
		return deBytes(l.ReadFile(v.ruta, v.tope))
	}
	f, err := l.Open(v.ruta)
	if err != nil {
		return deBytes(nil, err)
	}
	defer f.Close()
	h := sha256.New()
	_, err = io.CopyN(h, f, v.tope)
	return deFlujo(h, err)
}

func deError(err error) [sha256.Size]byte {
	// The text of an error may carry the moment; what it is, does not.
	for _, e := range []error{fs.ErrNotExist, fs.ErrPermission, ErrTope, ErrNoRegular, ErrCambio} {
		if errors.Is(err, e) {
			return sha256.Sum256([]byte("error\x00" + e.Error()))
		}
	}
	return sha256.Sum256([]byte("error"))
}

func deBytes(b []byte, err error) [sha256.Size]byte {
	if err != nil {
		return deError(err)
	}
	return sha256.Sum256(b)
}

func deNombre(info fs.FileInfo, err error) [sha256.Size]byte {
	if err != nil {
		return deError(err)
	}
	s := info.Mode().String()
	if info.Mode().IsRegular() {
		s += fmt.Sprint(" ", info.Size())
	}
	return sha256.Sum256([]byte(s))
}

func deListado(lista []fs.DirEntry, err error) [sha256.Size]byte {
	if err != nil {
		return deError(err)
	}
	h := sha256.New()
	for _, d := range lista {
		fmt.Fprintf(h, "%s\x00%s\x00", d.Name(), d.Type())
	}
	return [sha256.Size]byte(h.Sum(nil))
}

func deFlujo(h hash.Hash, err error) [sha256.Size]byte {
	if err != nil {
		return deError(err)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// registrado is a Lector whose answers are noted.
type registrado struct {
	r      *Registro
	nombre string
	l      Lector
	firma  func(string) bool
}

var _ Lector = registrado{}

func (g registrado) anotar(ruta string, c claseDeVista, tope int64, d [sha256.Size]byte) {
	if g.firma == nil || g.firma(ruta) {
		g.r.anotar(vista{g.nombre, ruta, c, tope}, d)
	}
}

func (g registrado) Lstat(ruta string) (fs.FileInfo, error) {
	info, err := g.l.Lstat(ruta)
	g.anotar(ruta, vistaNombre, 0, deNombre(info, err))
	return info, err
}

func (g registrado) Readlink(ruta string) (string, error) {
	t, err := g.l.Readlink(ruta)
	g.anotar(ruta, vistaEnlace, 0, deBytes([]byte(t), err))
	return t, err
}

func (g registrado) ReadDir(ruta string, tope int) ([]fs.DirEntry, error) {
	lista, err := g.l.ReadDir(ruta, tope)
	g.anotar(ruta, vistaListado, int64(tope), deListado(lista, err))
	return lista, err
}

func (g registrado) ReadFile(ruta string, tope int64) ([]byte, error) {
	b, err := g.l.ReadFile(ruta, tope)
	g.anotar(ruta, vistaArchivo, tope, deBytes(b, err))
	return b, err
}

func (g registrado) Open(ruta string) (Archivo, error) {
	f, err := g.l.Open(ruta)
	if g.firma != nil && !g.firma(ruta) {
		return f, err
	}
	if err != nil {
		g.anotar(ruta, vistaFlujo, 0, deError(err))
		return nil, err
	}
	return &flujo{Archivo: f, g: g, ruta: ruta, h: sha256.New()}, nil
}

// flujo digests what is read of a file from its start on, and notes it when the
// file is closed. What is read out of order is not signed.
type flujo struct {
	Archivo
	g    registrado
	ruta string
	h    hash.Hash
	n    int64
}

func (f *flujo) Read(p []byte) (int, error) {
	n, err := f.Archivo.Read(p)
	f.h.Write(p[:n])
	f.n += int64(n)
	return n, err
}

func (f *flujo) Close() error {
	f.g.anotar(f.ruta, vistaFlujo, f.n, deFlujo(f.h, nil))
	return f.Archivo.Close()
}
