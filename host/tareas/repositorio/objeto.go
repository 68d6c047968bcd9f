package repositorio

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"

	"github.com/go-git/go-git/v6/plumbing"
	"github.com/go-git/go-git/v6/plumbing/filemode"
)

// The two objects that are looked into are decoded here: the library's package
// for them brings, to check signatures nobody asks about, a whole OpenPGP. A
// test holds both decoders to the same answer over any bytes.

var (
	errCommit = errors.New("commit mal formado")
	errArbol  = errors.New("árbol mal formado")
)

// commit is what is read of a commit object.
type commit struct {
	hash         plumbing.Hash
	arbol        plumbing.Hash
	padres       []plumbing.Hash
	fecha        int64  // of the committer, in seconds since 1970
	codificacion string // of the message
	mensaje      string
}

// entrada is one line of a tree object.
type entrada struct {
	nombre string
	modo   filemode.FileMode // one of the five Git tells apart
	hash   plumbing.Hash
}

// objeto reads a whole commit or tree, unless it is larger than any honest one,
// with the name its content has.
func (s *sesion) objeto(tipo plumbing.ObjectType, h plumbing.Hash) (plumbing.Hash, []byte, error) {
	if n, err := s.st.EncodedObjectSize(h); err != nil {
		return h, nil, err
	} else if n > topeObjeto {
		return h, nil, errObjetoGrande
	}
	o, err := s.st.EncodedObject(tipo, h)
	if err != nil {
		return h, nil, err
	}
	r, err := o.Reader()
	if err != nil {
		return h, nil, err
	}
	datos, err := io.ReadAll(io.LimitReader(r, topeObjeto+1))
	if err = errors.Join(err, r.Close()); err != nil {
		return h, nil, err
	}
	if len(datos) > topeObjeto {
		return h, nil, errObjetoGrande
	}
	return o.Hash(), datos, nil
}

// sinFecha is the date of a commit that does not tell it: before any other.
var sinFecha = time.Time{}.Unix()

// leerCommit decodes a commit. Headers out of their place are skipped, as Git
// skips them; only the names of other objects must be well formed.
func leerCommit(h plumbing.Hash, datos []byte) (*commit, error) {
	c := &commit{hash: h, fecha: sinFecha, codificacion: "UTF-8"}
	clave, valor, datos := encabezado(datos)
	if clave != "tree" {
		return nil, errCommit
	}
	var ok bool
	if c.arbol, ok = nombreDeObjeto(valor); !ok {
		return nil, errCommit
	}
	clave, valor, datos = encabezado(datos)
	for clave == "parent" {
		p, ok := nombreDeObjeto(valor)
		if !ok {
			return nil, errCommit
		}
		c.padres = append(c.padres, p)
		clave, valor, datos = encabezado(datos)
	}
	if clave == "author" {
		clave, valor, datos = encabezado(datos)
	}
	if clave == "committer" {
		c.fecha = fechaDe(valor)
		clave, valor, datos = encabezado(datos)
	}
	codificado := false
	for clave != "\n" {
		if clave == "encoding" && !codificado {
			c.codificacion, codificado = string(valor), true
		}
		clave, valor, datos = encabezado(datos)
	}
	c.mensaje = string(datos)
	return c, nil
}

// encabezado cuts the first line in its keyword and the rest. The keyword is
// "\n" for the empty line that ends the headers, and where there are no more.
// The lines that go on with a value have the empty one.
func encabezado(datos []byte) (clave string, valor, resto []byte) {
	linea, resto, _ := bytes.Cut(datos, []byte{'\n'})
	if len(linea) == 0 {
		return "\n", nil, resto
	}
	k, valor, _ := bytes.Cut(linea, []byte{' '})
	return string(k), valor, resto
}

func nombreDeObjeto(hex []byte) (plumbing.Hash, bool) {
	if len(hex) != 40 && len(hex) != 64 {
		return plumbing.Hash{}, false
	}
	return plumbing.FromHex(string(hex))
}

// fechaDe returns the date in "Name <mail> seconds zone".
func fechaDe(firma []byte) int64 {
	abre, cierra := bytes.LastIndexByte(firma, '<'), bytes.LastIndexByte(firma, '>')
	if abre < 0 || cierra < abre || cierra+2 >= len(firma) {
		return sinFecha
	}
	segundos, _, _ := bytes.Cut(firma[cierra+2:], []byte{' '})
	n, err := strconv.ParseInt(string(segundos), 10, 64)
	if err != nil {
		return sinFecha
	}
	return n
}

// leerArbol decodes a tree; ancho is how many bytes its names of objects have.
func leerArbol(ancho int, datos []byte) ([]entrada, error) {
	var t []entrada
	for len(datos) > 0 {
		modo, resto, _ := bytes.Cut(datos, []byte{' '})
		m, err := filemode.FromBytes(modo)
		nombre, resto, termina := bytes.Cut(resto, []byte{0})
		if err != nil || len(nombre) == 0 || !termina || len(resto) < ancho {
			return nil, errArbol
		}
		h, ok := plumbing.FromBytes(resto[:ancho])
		if !ok {
			return nil, errArbol
		}
		t = append(t, entrada{string(nombre), modoDeEntrada(m), h})
		datos = resto[ancho:]
	}
	return t, nil
}

// modoDeEntrada is the mode Git takes an entry to have.
func modoDeEntrada(m filemode.FileMode) filemode.FileMode {
	switch m & 0o170000 {
	case filemode.Dir:
		return filemode.Dir
	case filemode.Symlink:
		return filemode.Symlink
	case 0o100000:
		if m&0o111 != 0 {
			return filemode.Executable
		}
		return filemode.Regular
	default:
		return filemode.Submodule
	}
}
