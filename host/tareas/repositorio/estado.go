package repositorio

import (
	"errors"
	"io/fs"
	"time"

	"github.com/go-git/go-git/v6/plumbing"
	"github.com/go-git/go-git/v6/plumbing/filemode"
	"github.com/go-git/go-git/v6/plumbing/format/index"
)

// Estado is what Git says of one path.
type Estado struct {
	// Comprobado is false when it could not be told for certain: everything else
	// is then zero, and an Omision says why.
	Comprobado bool
	EnIndice   bool
	EnHead     bool
	Ignorado   bool
	// Indice and Trabajo are the two letters of git status --porcelain=v2, "."
	// for no change, "?" and "!" in both for untracked and ignored.
	Indice, Trabajo string
}

// Letters that are not a change's own.
const (
	letraIgual    = "."
	letraSinCtrl  = "?"
	letraIgnorada = "!"
)

// Why a path comes out unchecked, or checked with a warning.
const (
	motivoRenombrado = "renombrado_posible"
	motivoPorAgregar = "agregado_sin_contenido"
	motivoSubmodulo  = "submodulo"
	motivoExclusion  = "exclusion_no_leida"
)

// hoja is a file as HEAD has it.
type hoja struct {
	modo filemode.FileMode
	hash plumbing.Hash
}

// examen compares HEAD, index and working tree for the paths of one directory.
type examen struct {
	indice *indice
	head   map[string]hoja // of the directory, by path from the working tree's root
	comp   *comparador
	ign    *ignorador
	a      ajustes
}

// ver returns the state of a path named from the working tree's root; info is
// nil when it is not there. motivo says why the state is not checked.
func (x *examen) ver(ruta string, info fs.FileInfo) (e Estado, motivo string) {
	h, enHead := x.head[ruta]
	e = Estado{Comprobado: true, EnHead: enHead, Indice: letraIgual, Trabajo: letraIgual}
	if letras, hay := x.indice.conflicto(ruta); hay {
		e.EnIndice = true
		e.Indice, e.Trabajo = letras[:1], letras[1:]
		return e, ""
	}
	entrada := x.indice.normal(ruta)
	if entrada == nil {
		if enHead {
			e.Indice = "D"
		}
		return x.sinControl(e, ruta, info)
	}
	e.EnIndice = true
	if esEnlaceGit(entrada.Mode) {
		return Estado{}, motivoSubmodulo
	}
	e.Indice = letraDeIndice(entrada, h, enHead)
	trabajo, err := x.trabajo(ruta, entrada, info)
	if err != nil {
		var no errNoSeSabe
		if errors.As(err, &no) {
			return Estado{}, string(no)
		}
		return Estado{}, motivoIlegible
	}
	e.Trabajo = trabajo
	return e, ""
}

// sinControl finishes the state of a path the index does not have.
func (x *examen) sinControl(e Estado, ruta string, info fs.FileInfo) (Estado, string) {
	if info == nil && x.ign.lugar.trasEnlace(ruta) {
		return e, ""
	}
	letra := letraSinCtrl
	switch x.ign.de(ruta) {
	case siIgnorado:
		e.Ignorado = true
		letra = letraIgnorada
	case noSeSabe:
		return Estado{}, motivoExclusion
	}
	// Git lists neither what is gone nor FIFOs, sockets and devices.
	if info == nil {
		return e, ""
	}
	if !info.Mode().IsRegular() && info.Mode()&fs.ModeSymlink == 0 {
		return e, ""
	}
	e.Trabajo = letra
	if e.Indice == letraIgual {
		e.Indice = letra
	}
	return e, ""
}

func letraDeIndice(e *index.Entry, h hoja, enHead bool) string {
	switch {
	case e.IntentToAdd && enHead:
		return "D"
	case e.IntentToAdd:
		return letraIgual
	case !enHead:
		return "A"
	case tipo(e.Mode) != tipo(h.modo):
		return "T"
	case canonico(e.Mode) != canonico(h.modo) || !e.Hash.Equal(h.hash):
		return "M"
	}
	return letraIgual
}

// canonico drops the permission bits old trees may have.
func canonico(m filemode.FileMode) filemode.FileMode {
	if m == filemode.Deprecated {
		return filemode.Regular
	}
	return m
}

func tipo(m filemode.FileMode) filemode.FileMode { return m & 0o170000 }

// trabajo compares an index entry with the file, in Git's order: what it is,
// what stat says, and the content only when stat leaves it open.
func (x *examen) trabajo(ruta string, e *index.Entry, info fs.FileInfo) (string, error) {
	switch {
	case x.indice.asumido[ruta]:
		return letraIgual, nil
	case e.SkipWorktree && (info == nil || !x.a.disperso):
		return letraIgual, nil
	case info == nil:
		return "D", nil
	case e.IntentToAdd:
		return "A", nil
	}
	esEnlace := info.Mode()&fs.ModeSymlink != 0
	switch {
	case e.Mode == filemode.Symlink && !esEnlace:
		if info.Mode().IsRegular() && !x.a.enlaces {
			break
		}
		return "T", nil
	case e.Mode != filemode.Symlink && esEnlace:
		return "T", nil
	case !esEnlace && !info.Mode().IsRegular():
		return "M", nil
	case !esEnlace && x.a.modo && (e.Mode == filemode.Executable) != (info.Mode()&0o100 != 0):
		return "M", nil
	}
	if x.a.mismoStat(e, info, x.indice.cuando) {
		return letraIgual, nil
	}
	if e.Size != 0 && e.Size != uint32(info.Size()) {
		return "M", nil
	}
	igual := false
	if esEnlace {
		l, rel := x.comp.lugar.de(ruta)
		destino, err := l.Readlink(rel)
		if err != nil {
			return "", err
		}
		igual = x.comp.sumaDeEnlace(destino).Equal(e.Hash)
	} else {
		var err error
		if igual, err = x.comp.igual(ruta, e.Hash); err != nil {
			return "", err
		}
	}
	if igual {
		return letraIgual, nil
	}
	return "M", nil
}

// mismoStat says that stat alone shows the file to be the one that was put in
// the index. One modified in the very second the index was written may have
// changed after, and is never taken for it.
func (a ajustes) mismoStat(e *index.Entry, info fs.FileInfo, escrito time.Time) bool {
	s, ok := leerStat(info)
	m := info.ModTime()
	if !ok || e.Size != uint32(info.Size()) || e.ModifiedAt.Unix() != m.Unix() {
		return false
	}
	if n := e.ModifiedAt.Nanosecond(); n != 0 && n != m.Nanosecond() {
		return false
	}
	if e.ModifiedAt.Unix() >= escrito.Unix() {
		return false
	}
	if a.statMinimo {
		return true
	}
	if a.ctime && e.CreatedAt.Unix() != s.ctime.Unix() {
		return false
	}
	return e.Inode == s.ino && e.UID == s.uid && e.GID == s.gid
}
