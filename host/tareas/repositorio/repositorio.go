// Package repositorio reads, and never writes, the Git repository that holds a
// project: what Git says of some files, and the commits behind HEAD
// (especificacion/tareas.md §3).
//
// [Descubrir] looks once, at start, for the repository above a directory, and
// opens what may be read of it; [Repositorio.Rutas] names those places for the
// confinement. [Repositorio.Leer] answers for the files of one directory. It
// runs no process, follows no link, and takes no lock: the index is read whole
// and left as it was.
//
// Objects, references, configuration and index are read by go-git; what a
// commit or a tree says is decoded here, so as not to link its OpenPGP. What
// go-git was measured to get wrong is done here too: the patterns of
// .gitignore, the line-ending conversions, and the comparison of an index
// entry with the file it stands for, which follows Git's own order (what stat
// says first, the content only when stat is not enough). What cannot be read
// for certain is an [Omision] with its name, and the files it touches come out
// unchecked; a state is never guessed.
//
// Only the repository's own configuration counts: the user's and the machine's
// are outside what may be read, and an ignore file they name is not seen.
//
// A Repositorio is immutable and safe for concurrent use.
package repositorio

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// Omision names something that could not be read for certain.
type Omision struct {
	// Ruta is relative to the project's root for its files, and starts with
	// ".git" for what belongs to the repository.
	Ruta   string
	Motivo string
}

// Repositorio is what may be read of a Git repository.
type Repositorio struct {
	prefijo  string // of the project inside the working tree: "" or "a/b"
	gitdir   lector.Lector
	comun    lector.Lector // the same as gitdir but in a linked working tree
	enlazado bool
	padres   []padre
	dirs     []string // what has to be readable
	archivos []string
	cerrar   []io.Closer
	fallo    *Omision
}

// padre is a directory from the working tree's root down to the project's,
// this one left out; only the rule files at its top are ever asked for.
type padre struct {
	dir string // relative to the working tree's root: "" or "a/b"
	l   lector.Lector
}

// Why a repository that was found is not read.
const (
	motivoEnlace     = "enlace_simbolico"
	motivoGitdir     = "gitdir_ajeno"
	motivoArbol      = "arbol_de_trabajo_ajeno"
	motivoIlegible   = "ilegible"
	motivoDesnudo    = "sin_arbol_de_trabajo"
	topeArchivoChico = 1 << 20
)

// Descubrir looks for the repository that holds raiz, an absolute path without
// symbolic links, going up from it. With none it returns nil and no error. One
// that exists and may not be read is returned too, and says so at each Leer.
// The error is only for a raiz that is not absolute.
func Descubrir(raiz string) (*Repositorio, error) {
	if !filepath.IsAbs(raiz) {
		return nil, fmt.Errorf("repositorio: %q no es una ruta absoluta", raiz)
	}
	raiz = filepath.Clean(raiz)
	for dir := raiz; ; dir = filepath.Dir(dir) {
		info, err := os.Lstat(filepath.Join(dir, ".git"))
		switch {
		case err == nil && info.IsDir() && !esGitdir(filepath.Join(dir, ".git")):
			// Git goes on looking past a .git that is not a repository.
		case err == nil:
			return abrir(raiz, dir, info), nil
		case !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission):
			return &Repositorio{fallo: &Omision{".git", motivoIlegible}}, nil
		}
		if dir == filepath.Dir(dir) {
			return nil, nil
		}
	}
}

// esGitdir is Git's own test: a HEAD, the objects and the references.
func esGitdir(dir string) bool {
	if _, err := os.Lstat(filepath.Join(dir, "HEAD")); err != nil {
		return false
	}
	comun := dir
	if datos, err := leerChico(filepath.Join(dir, "commondir")); err == nil {
		comun = relativo(dir, strings.TrimSpace(string(datos)))
	}
	for _, d := range []string{"objects", "refs"} {
		if info, err := os.Stat(filepath.Join(comun, d)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func relativo(base, ruta string) string {
	if filepath.IsAbs(ruta) {
		return filepath.Clean(ruta)
	}
	return filepath.Join(base, ruta)
}

// leerChico reads a small file at start; nothing but a regular one is opened.
func leerChico(ruta string) ([]byte, error) {
	raiz, err := os.OpenRoot(filepath.Dir(ruta))
	if err != nil {
		return nil, err
	}
	defer raiz.Close()
	return lector.DeRaiz(raiz).ReadFile(filepath.Base(ruta), topeArchivoChico)
}

// abrir opens the repository whose .git is in dir.
func abrir(raiz, dir string, info fs.FileInfo) *Repositorio {
	r := &Repositorio{}
	rel, err := filepath.Rel(dir, raiz)
	if err != nil {
		return &Repositorio{fallo: &Omision{".git", motivoIlegible}}
	}
	if rel != "." {
		r.prefijo = filepath.ToSlash(rel)
	}
	gitdir, comun, motivo := ubicar(dir, info)
	if motivo != "" {
		return &Repositorio{fallo: &Omision{".git", motivo}}
	}
	r.enlazado = gitdir != comun
	if r.gitdir, err = r.abrirRaiz(gitdir); err == nil {
		r.comun = r.gitdir
		r.dirs = append(r.dirs, gitdir)
		if r.enlazado {
			r.comun, err = r.abrirRaiz(comun)
			r.dirs = append(r.dirs, comun)
		}
	}
	partes := strings.Split(r.prefijo, "/")
	for i := 0; err == nil && r.prefijo != "" && i < len(partes); i++ {
		p := padre{dir: strings.Join(partes[:i], "/")}
		abs := filepath.Join(dir, filepath.FromSlash(p.dir))
		if p.l, err = r.abrirRaiz(abs); err != nil {
			break
		}
		r.padres = append(r.padres, p)
		reglas := filepath.Join(abs, ".gitignore")
		if info, e := os.Lstat(reglas); e == nil && info.Mode().IsRegular() {
			r.archivos = append(r.archivos, reglas)
		}
	}
	if err != nil {
		r.Close()
		return &Repositorio{fallo: &Omision{".git", motivoIlegible}}
	}
	return r
}

func (r *Repositorio) abrirRaiz(dir string) (lector.Lector, error) {
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	r.cerrar = append(r.cerrar, raiz)
	return lector.DeRaiz(raiz), nil
}

// ubicar finds the repository's directories. A .git that is a file can name any
// place, and the project is not trusted: the place it names has to name this
// working tree back, from where the project cannot write it.
func ubicar(dir string, info fs.FileInfo) (gitdir, comun, motivo string) {
	punto := filepath.Join(dir, ".git")
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return "", "", motivoEnlace
	case info.IsDir():
		gitdir = punto
	case info.Mode().IsRegular():
		datos, err := leerChico(punto)
		destino, ok := strings.CutPrefix(strings.TrimRight(string(datos), "\r\n"), "gitdir: ")
		if err != nil || !ok {
			return "", "", motivoIlegible
		}
		if gitdir, err = filepath.EvalSymlinks(relativo(dir, destino)); err != nil || !esGitdir(gitdir) {
			return "", "", motivoIlegible
		}
	default:
		return "", "", motivoIlegible
	}
	comun = gitdir
	if datos, err := leerChico(filepath.Join(gitdir, "commondir")); err == nil {
		if comun, err = filepath.EvalSymlinks(relativo(gitdir, strings.TrimSpace(string(datos)))); err != nil {
			return "", "", motivoIlegible
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", "", motivoIlegible
	}
	if comun != gitdir {
		if filepath.Dir(gitdir) != filepath.Join(comun, "worktrees") {
			return "", "", motivoGitdir
		}
		datos, err := leerChico(filepath.Join(gitdir, "gitdir"))
		if err != nil || !mismo(relativo(gitdir, strings.TrimSpace(string(datos))), punto) {
			return "", "", motivoGitdir
		}
		return gitdir, comun, ""
	}
	datos, err := leerChico(filepath.Join(gitdir, "config"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", "", motivoIlegible
	}
	cfg, err := decodificar(datos)
	if err != nil {
		return "", "", motivoIlegible
	}
	arbolDeclarado, hay := cfg.texto("core", "worktree")
	desnudo, _ := cfg.booleano("core", "bare")
	switch {
	case hay && !mismo(relativo(gitdir, arbolDeclarado), dir):
		return "", "", motivoArbol
	case !hay && !info.IsDir():
		return "", "", motivoGitdir
	case !hay && desnudo:
		return "", "", motivoDesnudo
	}
	return gitdir, comun, ""
}

func mismo(a, b string) bool {
	ia, ea := os.Stat(a)
	ib, eb := os.Stat(b)
	return ea == nil && eb == nil && os.SameFile(ia, ib)
}

// Rutas returns the absolute paths that a confinement has to leave readable, the
// project's root apart: the repository's directory and the one a linked working
// tree shares, with all they hold; and, one by one, the .gitignore files from
// the working tree's root down to the project's. A nil Repositorio has none.
func (r *Repositorio) Rutas() (directorios, archivos []string) {
	if r == nil {
		return nil, nil
	}
	return slices.Clone(r.dirs), slices.Clone(r.archivos)
}

// Envoltura replaces a Lector by another that notes what goes through it. The
// name tells the trees of a repository apart: "git", "git-comun", "padre:a/b".
type Envoltura func(nombre string, l lector.Lector) lector.Lector

// Con returns the repository seen through the envelope, for one call: HEAD, the
// references, the configuration, the index and the ignore files are then read
// with ReadFile and ReadDir, and objects (whose name is their own digest) with
// Open. A nil Repositorio stays nil.
func (r *Repositorio) Con(e Envoltura) *Repositorio {
	if r == nil || r.fallo != nil {
		return r
	}
	c := *r
	c.cerrar = nil
	c.gitdir = e("git", r.gitdir)
	c.comun = c.gitdir
	if r.enlazado {
		c.comun = e("git-comun", r.comun)
	}
	c.padres = slices.Clone(r.padres)
	for i := range c.padres {
		c.padres[i].l = e("padre:"+c.padres[i].dir, c.padres[i].l)
	}
	return &c
}

// EsReferencia says whether a route of a "git" or "git-comun" tree is one of
// the references, which are what a stability check signs of a repository: the
// objects are named by their own digest, and Git may rewrite the index without
// anything having changed.
func EsReferencia(ruta string) bool {
	return ruta == "HEAD" || ruta == "packed-refs" || ruta == "shallow" || strings.HasPrefix(ruta, "refs/")
}

// Close closes what Descubrir opened. A nil Repositorio closes nothing.
func (r *Repositorio) Close() error {
	if r == nil {
		return nil
	}
	var errs []error
	for _, c := range r.cerrar {
		errs = append(errs, c.Close())
	}
	return errors.Join(errs...)
}
