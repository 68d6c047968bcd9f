package host

import (
	"context"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// EsquemaTareas is the value of «esquema» in an answer of oracle_tareas.
const EsquemaTareas = "oracle.mcp/tareas/v1"

// DirTareas is where the tracker is, relative to the root.
const DirTareas = "tareas"

// AbrirGit finds the repository the project is in, going up from its root, for
// [Proyecto.Tareas] to be able to look at it. It is called at most once, at
// start, before the process is confined; where there is none it does nothing.
func (p *Proyecto) AbrirGit() error {
	r, err := repositorio.Descubrir(p.Raiz())
	if err != nil {
		return ErrProyecto(p.Raiz(), err.Error(), rechazo.Remedio{Correccion: "revisá el repositorio Git en el que está el proyecto: sin poder leerlo no se arranca."}).por(err)
	}
	p.git = r
	return nil
}

// RutasDeGit returns what a confinement has to leave readable, besides the
// root, for the repository to be read: directories with all they hold, and
// single files.
func (p *Proyecto) RutasDeGit() (directorios, archivos []string) { return p.git.Rutas() }

// Tareas is the answer of oracle_tareas.
type Tareas struct {
	Version   string
	Proyecto  string
	Accion    tareas.Accion
	Resultado *tareas.Resultado

	resultado []byte
}

// Tareas answers oracle_tareas (contract, «oracle_tareas»). It loads neither
// the catalog nor the configuration. The error is *[tareas.Error], *[Error] for
// a tree that moved, or the context's.
func (p *Proyecto) Tareas(ctx context.Context, c tareas.Consulta) (*Tareas, error) {
	var registro lector.Registro
	raiz := registro.Sobre("proyecto", lector.DeRaiz(p.arbol.Raiz()), deTareas)
	repo := p.git.Con(func(nombre string, l lector.Lector) lector.Lector {
		firma := repositorio.EsReferencia
		if !strings.HasPrefix(nombre, "git") {
			firma = func(string) bool { return false } // ignore files above the root
		}
		return registro.Sobre(nombre, l, firma)
	})
	r, fallo := tareas.Consultar(ctx, raiz, repo, c)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if p.op.EntreFirmas != nil {
		p.op.EntreFirmas()
	}
	antes, despues, err := registro.Cerrar(ctx)
	switch {
	case err != nil:
		return nil, err
	case antes != despues:
		return nil, ErrCambio(antes, despues)
	case fallo != nil:
		return nil, fallo
	}
	t := &Tareas{Version: p.op.Version, Proyecto: p.Raiz(), Accion: c.Accion, Resultado: r}
	if t.resultado, err = r.JSON(); err != nil {
		return nil, errInterno(err).por(err)
	}
	return t, nil
}

// deTareas tells the routes whose stability a consultation answers for
// (proyecto §7).
func deTareas(ruta string) bool {
	return ruta == DirTareas || strings.HasPrefix(ruta, DirTareas+"/")
}

// AppendJSON appends the answer as the contract's v1 object.
func (t *Tareas) AppendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("esquema", EsquemaTareas)
	o.texto("oracle_version", t.Version)
	o.texto("proyecto", t.Proyecto)
	o.texto("accion", string(t.Accion))
	o.clave("resultado")
	o.b = append(o.b, t.resultado...)
	return o.cerrar()
}
