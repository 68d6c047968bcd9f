package repositorio

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// topeReglas caps a .gitignore, a .gitattributes or an info/exclude, in bytes.
const topeReglas = 1 << 20

// ignorado is what the ignore rules say of a path.
type ignorado int

const (
	noIgnorado ignorado = iota
	siIgnorado
	noSeSabe // a list of rules that could decide it cannot be read
)

// reglas is one list of rules; an unreadable one decides nothing and lets
// nothing below it decide.
type reglas struct {
	patrones []patron
	ilegible bool
}

// lugar finds which Lector reads a file of the working tree, and by what route
// there. Of the directories above the project only the rule files are asked for.
type lugar struct {
	r        *Repositorio
	proyecto lector.Lector
}

func (g lugar) de(ruta string) (lector.Lector, string) {
	if g.r.prefijo == "" {
		return g.proyecto, ruta
	}
	if rel, ok := strings.CutPrefix(ruta, g.r.prefijo+"/"); ok {
		return g.proyecto, rel
	}
	dir := path.Dir(ruta)
	if dir == "." {
		dir = ""
	}
	for _, p := range g.r.padres {
		if p.dir == dir {
			return p.l, path.Base(ruta)
		}
	}
	return nil, ""
}

// leerReglas reads a rule file of the working tree. Git does not follow one that
// is a symbolic link, and takes it for missing.
func (g lugar) leerReglas(ruta string) (datos []byte, hay bool, err error) {
	l, rel := g.de(ruta)
	if l == nil {
		return nil, false, nil
	}
	datos, err = l.ReadFile(rel, topeReglas)
	switch {
	case err == nil:
		return datos, true, nil
	case ausente(err), errors.Is(err, lector.ErrNoRegular):
		return nil, false, nil
	}
	return nil, false, err
}

// trasEnlace says that a path of the project lies beyond a symbolic link: for
// Git there is nothing there to have rules for.
func (g lugar) trasEnlace(ruta string) bool {
	l, rel := g.de(ruta)
	for i := range len(rel) {
		if rel[i] != '/' {
			continue
		}
		info, err := l.Lstat(rel[:i])
		if err != nil {
			return false
		}
		if info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}

// ignorador answers for paths of the working tree, keeping what it has read for
// the length of one call.
type ignorador struct {
	lugar     lugar
	a         ajustes
	exclude   reglas // info/exclude
	porDir    map[string]reglas
	dirs      map[string]ignorado
	omisiones []Omision
}

func nuevoIgnorador(g lugar, a ajustes) *ignorador {
	ig := &ignorador{lugar: g, a: a, porDir: map[string]reglas{}, dirs: map[string]ignorado{"": noIgnorado}}
	datos, err := g.r.comun.ReadFile("info/exclude", topeReglas)
	switch {
	case err == nil:
		ig.exclude.patrones = leerPatrones(datos, "", a.mayusculas)
	case !ausente(err):
		ig.exclude.ilegible = true
		ig.omisiones = append(ig.omisiones, Omision{".git/info/exclude", motivoIlegible})
	}
	return ig
}

func (ig *ignorador) reglasDe(dir string) reglas {
	if r, ok := ig.porDir[dir]; ok {
		return r
	}
	var r reglas
	ruta := path.Join(dir, ".gitignore")
	base := ""
	if dir != "" {
		base = dir + "/"
	}
	datos, hay, err := ig.lugar.leerReglas(ruta)
	switch {
	case err != nil:
		r.ilegible = true
		ig.omisiones = append(ig.omisiones, Omision{ig.lugar.r.desdeProyecto(ruta), motivoIlegible})
	case hay:
		r.patrones = leerPatrones(datos, base, ig.a.mayusculas)
	}
	ig.porDir[dir] = r
	return r
}

// de says whether a file is ignored: a directory above it that is takes all it
// holds with it, and then the deepest list with a rule for it, the last such rule.
func (ig *ignorador) de(ruta string) ignorado {
	dir := path.Dir(ruta)
	if dir == "." {
		dir = ""
	}
	if d := ig.deDir(dir); d != noIgnorado {
		return d
	}
	return ig.decidir(ruta, dir, false)
}

func (ig *ignorador) deDir(dir string) ignorado {
	if d, ok := ig.dirs[dir]; ok {
		return d
	}
	arriba := path.Dir(dir)
	if arriba == "." {
		arriba = ""
	}
	d := ig.deDir(arriba)
	if d == noIgnorado {
		d = ig.decidir(dir, arriba, true)
	}
	ig.dirs[dir] = d
	return d
}

func (ig *ignorador) decidir(ruta, dir string, esDir bool) ignorado {
	for d := dir; ; d = path.Dir(d) {
		if d == "." {
			d = ""
		}
		if r, decidido := ig.reglasDe(d).decidir(ruta, esDir); decidido {
			return r
		}
		if d == "" {
			break
		}
	}
	if r, decidido := ig.exclude.decidir(ruta, esDir); decidido {
		return r
	}
	if ig.a.excluye || ig.a.incluye {
		return noSeSabe
	}
	return noIgnorado
}

func (r reglas) decidir(ruta string, esDir bool) (ignorado, bool) {
	if r.ilegible {
		return noSeSabe, true
	}
	for i := len(r.patrones) - 1; i >= 0; i-- {
		if p := &r.patrones[i]; p.casa(ruta, esDir) {
			if p.negado {
				return noIgnorado, true
			}
			return siIgnorado, true
		}
	}
	return noIgnorado, false
}
