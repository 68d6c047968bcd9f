package host

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// Places of a project, relative to its root (proyecto §1).
const (
	ArchivoConfiguracion = "oracle.json"
	DirCatalogos         = "catalogos"
	DirCorpus            = "corpus"
	DirDiferencial       = "diferencial"
	DirRelaciones        = "relaciones"
	DirMacros            = "macros"
	ArchivoEscalares     = "escalares.star"
	archivoPython        = "escalares.py"
)

// Opciones is what the start of the process decides, and no call may change.
// The zero value is a server without roots of profiles and libraries, without
// scalars and with the default limits.
type Opciones struct {
	Version string // published as oracle_version

	RaicesPerfiles    []string // directories of «nombre/catalogos/»
	RaicesBibliotecas []string // directories of «*/oracle-biblioteca.toml»
	PermitirRaizPadre bool     // differentials may sign the parent directory

	Limites algebra.LimitesAlgebra
	Topes   arbol.Topes
	Hilos   int // goroutines that judge at once; 0 means one for each processor

	// Memoria is how many bytes the evaluations of one call may take together.
	// Each may take memoria_de_operacion, so it bounds how many run at once; 0
	// does not.
	Memoria int64

	// Caja runs the project's scalars. Nil means that nobody authorized them:
	// the file is then never opened.
	Caja Caja

	// Ahora tells the date the shadows' age is counted to. It is only called
	// for the facts «sombra»; nil means they are counted as of day 0.
	Ahora func() time.Time

	// EntreFirmas, when not nil, runs between reading the tree and signing it
	// again. Tests use it to change the tree under a call.
	EntreFirmas func()
}

// Caja opens the box that runs a project's scalars (escalares §4). archivo is
// the name that errors show. The error is *[algebra.LimiteError], or anything
// else for a file that does not compile or declares badly.
type Caja func(ctx context.Context, archivo string, fuente []byte, lim algebra.LimitesAlgebra) (CajaAbierta, error)

// CajaAbierta is an open box; Close ends its process.
type CajaAbierta interface {
	algebra.Escalares
	Close() error
}

// Proyecto is a project fixed at start. Safe for concurrent use.
type Proyecto struct {
	arbol       *arbol.Arbol
	padre       *arbol.Arbol             // nil unless differentials may sign it
	git         *repositorio.Repositorio // nil unless AbrirGit found one
	perfiles    []*arbol.Arbol
	bibliotecas []*arbol.Arbol
	op          Opciones
}

// ErrSinProyecto says that none of the three places gave a root.
var ErrSinProyecto = errors.New("no hay proyecto: pasá --proyecto <ruta>, fijá ORACLE_PROYECTO o parate en un directorio con catalogos/")

// Resolver applies the rule that picks the root (proyecto §1): the value of
// --proyecto, else that of ORACLE_PROYECTO, else the current directory when it
// has catalogos/. The error is [ErrSinProyecto] when none serves.
func Resolver(bandera, entorno, actual string) (string, error) {
	switch {
	case bandera != "":
		return bandera, nil
	case entorno != "":
		return entorno, nil
	}
	if actual != "" {
		if info, err := os.Lstat(filepath.Join(actual, DirCatalogos)); err == nil && info.IsDir() {
			return actual, nil
		}
	}
	return "", ErrSinProyecto
}

// Abrir fixes a project at a root, and the roots of profiles and libraries. It
// fails with PROYECTO_INVALIDO when one is not a directory, or the project has
// no catalogos/. It does not read any measure.
func Abrir(ruta string, op Opciones) (*Proyecto, error) {
	a, err := arbol.Abrir(ruta, op.Topes)
	if err != nil {
		return nil, deArranque(err)
	}
	p := &Proyecto{arbol: a, op: op}
	if err := a.Directorio(DirCatalogos); err != nil {
		p.Close()
		if errors.Is(err, fs.ErrNotExist) {
			err = sinCatalogos("no existe, y es lo único que un proyecto tiene que tener")
		}
		return nil, p.errorDeArbol(err)
	}
	for _, grupo := range []struct {
		rutas []string
		donde *[]*arbol.Arbol
	}{{op.RaicesPerfiles, &p.perfiles}, {op.RaicesBibliotecas, &p.bibliotecas}} {
		for _, r := range grupo.rutas {
			x, err := arbol.Abrir(r, op.Topes)
			if err != nil {
				p.Close()
				return nil, deArranque(err)
			}
			*grupo.donde = append(*grupo.donde, x)
		}
	}
	if op.PermitirRaizPadre {
		if p.padre, err = arbol.Abrir(filepath.Dir(a.Ruta()), op.Topes); err != nil {
			p.Close()
			return nil, deArranque(err)
		}
	}
	return p, nil
}

// deArranque rejects a root that cannot be opened.
func deArranque(err error) error {
	var e *arbol.Error
	if errors.As(err, &e) {
		return ErrProyecto(e.Ruta, e.Motivo, rechazo.Remedio{Campo: citarRuta(e.Ruta), Correccion: e.Correccion}).por(err)
	}
	return ErrProyecto("la raíz", err.Error(), rechazo.Remedio{Correccion: "revisá que la raíz se pueda leer."}).por(err)
}

// sinCatalogos says that the one directory a project has to have is not there.
func sinCatalogos(motivo string) *arbol.Error {
	return &arbol.Error{Ruta: DirCatalogos + "/", Motivo: motivo,
		Correccion: "creá " + DirCatalogos + "/ en la raíz (puede estar vacío), o arrancá en la raíz de un proyecto."}
}

// Close releases the roots.
func (p *Proyecto) Close() error {
	err := errors.Join(p.arbol.Close(), p.git.Close())
	if p.padre != nil {
		err = errors.Join(err, p.padre.Close())
	}
	for _, a := range append(append([]*arbol.Arbol(nil), p.perfiles...), p.bibliotecas...) {
		err = errors.Join(err, a.Close())
	}
	return err
}

// Raiz returns the canonical path of the root, as every answer shows it.
func (p *Proyecto) Raiz() string { return p.arbol.Ruta() }

// Arbol returns the tree, for whoever reads other things of the same project.
func (p *Proyecto) Arbol() *arbol.Arbol { return p.arbol }

// Limites returns the active limits, every one set.
func (p *Proyecto) Limites() algebra.LimitesAlgebra { return p.op.Limites.Completos() }

// errorDeArbol turns an error of reading the project's tree into its code.
func (p *Proyecto) errorDeArbol(err error) error {
	if e, ok := errors.AsType[*arbol.Error](err); ok {
		return ErrProyecto(p.Raiz(), citarRuta(e.Ruta)+": "+e.Motivo, rechazo.Remedio{Campo: citarRuta(e.Ruta), Correccion: e.Correccion}).por(err)
	}
	return ErrProyecto(p.Raiz(), err.Error(), rechazo.Remedio{Correccion: "revisá que la raíz se pueda leer."}).por(err)
}

// configuracion reads oracle.json.
func (p *Proyecto) configuracion(l *arbol.Lectura) (*Configuracion, error) {
	texto, hay, err := l.ArchivoSiHay(p.arbol, ArchivoConfiguracion)
	if err != nil {
		return nil, p.errorDeArbol(err)
	}
	if !hay {
		return &Configuracion{}, nil
	}
	c, err := LeerConfiguracion(texto)
	if err != nil {
		var e *estricto.Error
		if errors.As(err, &e) {
			return nil, ErrProyecto(p.Raiz(), fmt.Sprintf("%s: %s en %s", ArchivoConfiguracion, e.Motivo, e.Ruta), deLectura(ArchivoConfiguracion, err)).por(err)
		}
		return nil, ErrProyecto(p.Raiz(), ArchivoConfiguracion+": "+err.Error(), deLectura(ArchivoConfiguracion, err)).por(err)
	}
	return c, nil
}

// Estable runs one call: f reads the tree through the reading it is given, and
// what it read is looked at again before its result counts. If it changed, f's
// result and f's failure alike are PROYECTO_CAMBIO_DURANTE_LA_CONSULTA (proyecto
// §7). ver, which may be nil, is handed every file read, as in
// [arbol.Lectura.Cerrar].
func Estable[T any](ctx context.Context, p *Proyecto, f func(l *arbol.Lectura) (T, error), ver func(absoluta string, b []byte)) (T, error) {
	var nada T
	l := arbol.NuevaLectura()
	r, fallo := f(l)
	if err := ctx.Err(); err != nil {
		return nada, err
	}
	if p.op.EntreFirmas != nil {
		p.op.EntreFirmas()
	}
	c, err := l.Cerrar(ctx, ver)
	switch {
	case err != nil:
		return nada, err
	case !c.Estable():
		return nada, ErrCambio(c.Antes, c.Despues)
	case fallo != nil:
		return nada, fallo
	}
	return r, nil
}
