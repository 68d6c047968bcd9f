package arbol

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"slices"
	"sync"
)

// clase is what was asked about a path.
type clase uint8

const (
	claseArchivo    clase = iota // its bytes
	claseListado                 // what a directory holds
	claseDirectorio              // what it holds right below it
	claseExistencia              // only whether it is there
)

// vista is one thing a call looked at.
type vista struct {
	arbol *Arbol
	ruta  string
	clase clase
}

// Lectura is what one call reads of one or more trees. The zero value is not
// ready: use [NuevaLectura]. It keeps digests, never the bytes.
type Lectura struct {
	mu     sync.Mutex
	vistas map[vista][sha256.Size]byte
}

// NuevaLectura returns a reading that has looked at nothing.
func NuevaLectura() *Lectura { return &Lectura{vistas: map[vista][sha256.Size]byte{}} }

// anotar remembers the digest of what was seen. Seen twice and different, what
// is kept is neither: however the tree ends, the call mixed two states of it.
func (l *Lectura) anotar(v vista, d [sha256.Size]byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if antes, ya := l.vistas[v]; ya && antes != d {
		d = sha256.Sum256(append(antes[:], d[:]...))
	}
	l.vistas[v] = d
}

// Archivo returns the bytes of a regular file. The error is *[Error].
func (l *Lectura) Archivo(a *Arbol, ruta string) ([]byte, error) {
	b, err := a.leer(ruta)
	l.anotar(vista{a, ruta, claseArchivo}, digestoDeArchivo(b, err))
	return b, err
}

// ArchivoSiHay is Archivo for a file that may not be there.
func (l *Lectura) ArchivoSiHay(a *Arbol, ruta string) (b []byte, hay bool, err error) {
	b, err = l.Archivo(a, ruta)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	return b, err == nil, err
}

// Listar returns the files under a directory, at any depth, sorted by path
// from the root. hay is false when the directory is not there.
func (l *Lectura) Listar(a *Arbol, dir string) (rutas []string, hay bool, err error) {
	es, err := a.listar(dir)
	l.anotar(vista{a, dir, claseListado}, digestoDeListado(es, err))
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, false, nil
		}
		return nil, false, err
	}
	for _, e := range es {
		if !e.directorio {
			rutas = append(rutas, e.ruta)
		}
	}
	return rutas, true, nil
}

// Directorios returns the names of the directories right under dir, sorted.
// The rest of what it holds is looked at by whoever reads it.
func (l *Lectura) Directorios(a *Arbol, dir string) ([]string, error) {
	es, err := a.listarUno(dir)
	slices.SortFunc(es, func(x, y entrada) int { return cmp.Compare(x.ruta, y.ruta) })
	l.anotar(vista{a, dir, claseDirectorio}, digestoDeListado(es, err))
	var rutas []string
	for _, e := range es {
		if e.directorio {
			rutas = append(rutas, e.ruta)
		}
	}
	return rutas, err
}

// Existe reports whether a path is there, without opening it. A symbolic link
// is an error.
func (l *Lectura) Existe(a *Arbol, ruta string) (bool, error) {
	_, err := a.mirar(ruta)
	l.anotar(vista{a, ruta, claseExistencia}, digestoDeExistencia(err))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// Archivos returns the absolute paths of the files read so far, sorted.
func (l *Lectura) Archivos() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var rutas []string
	for v := range l.vistas {
		if v.clase == claseArchivo {
			rutas = append(rutas, v.arbol.Absoluta(v.ruta))
		}
	}
	slices.Sort(rutas)
	return rutas
}

// Cierre is the result of looking again at everything a call read.
type Cierre struct {
	// Antes and Despues are the two signatures, in hexadecimal.
	Antes, Despues string
}

// Estable reports whether nothing changed.
func (c Cierre) Estable() bool { return c.Antes == c.Despues }

// Cerrar looks again at everything that was read and signs both times. Each
// file that can be read is handed to ver, ordered by absolute path, with the
// bytes it has now; ver may be nil and must not keep the slice. The error is
// only that of ctx.
func (l *Lectura) Cerrar(ctx context.Context, ver func(absoluta string, b []byte)) (Cierre, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	orden := make([]vista, 0, len(l.vistas))
	for v := range l.vistas {
		orden = append(orden, v)
	}
	slices.SortFunc(orden, func(x, y vista) int {
		return cmp.Or(cmp.Compare(x.arbol.Absoluta(x.ruta), y.arbol.Absoluta(y.ruta)), cmp.Compare(x.clase, y.clase))
	})
	antes, despues := sha256.New(), sha256.New()
	for i, v := range orden {
		if i%64 == 0 && ctx.Err() != nil {
			return Cierre{}, ctx.Err()
		}
		absoluta := v.arbol.Absoluta(v.ruta)
		rotulo := append([]byte(absoluta), 0, byte('0'+v.clase), 0)
		var ahora [sha256.Size]byte
		switch v.clase {
		case claseArchivo:
			b, err := v.arbol.leer(v.ruta)
			ahora = digestoDeArchivo(b, err)
			if err == nil && ver != nil {
				ver(absoluta, b)
			}
		case claseListado:
			ahora = digestoDeListado(v.arbol.listar(v.ruta))
		case claseDirectorio:
			es, err := v.arbol.listarUno(v.ruta)
			slices.SortFunc(es, func(x, y entrada) int { return cmp.Compare(x.ruta, y.ruta) })
			ahora = digestoDeListado(es, err)
		default:
			_, err := v.arbol.mirar(v.ruta)
			ahora = digestoDeExistencia(err)
		}
		primera := l.vistas[v]
		antes.Write(rotulo)
		antes.Write(primera[:])
		despues.Write(rotulo)
		despues.Write(ahora[:])
	}
	return Cierre{hex.EncodeToString(antes.Sum(nil)), hex.EncodeToString(despues.Sum(nil))}, nil
}

func digestoDeArchivo(b []byte, err error) [sha256.Size]byte {
	if err != nil {
		return sha256.Sum256([]byte("error\x00" + err.Error()))
	}
	return sha256.Sum256(b)
}

func digestoDeListado(es []entrada, err error) [sha256.Size]byte {
	if err != nil {
		return sha256.Sum256([]byte("error\x00" + err.Error()))
	}
	var b []byte
	for _, e := range es {
		b = append(append(b, e.ruta...), 0)
		if e.directorio {
			b = append(b, '/')
		}
		b = append(b, 0)
	}
	return sha256.Sum256(b)
}

func digestoDeExistencia(err error) [sha256.Size]byte {
	if err != nil {
		return sha256.Sum256([]byte("error\x00" + err.Error()))
	}
	return sha256.Sum256([]byte("existe"))
}
