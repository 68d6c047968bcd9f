package host

import (
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"sync"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// escalaresDeProyecto are the scalars a project's measures may call: the
// built-in ones, and those of its file if the start authorized them. The file
// is not opened until a measure names one that is not built in (escalares §3).
type escalaresDeProyecto struct {
	ctx      context.Context
	p        *Proyecto
	l        *arbol.Lectura
	internas algebra.Escalares

	una     sync.Once
	abierta CajaAbierta
	fallo   error // why the box could not be opened, an *Error
}

func (p *Proyecto) escalaresDe(ctx context.Context, l *arbol.Lectura) *escalaresDeProyecto {
	return &escalaresDeProyecto{ctx: ctx, p: p, l: l, internas: escalares.Internas()}
}

// Buscar implements [algebra.Escalares].
func (e *escalaresDeProyecto) Buscar(nombre string) *algebra.Escalar {
	if x := e.internas.Buscar(nombre); x != nil {
		return x
	}
	if e.p.op.Caja == nil {
		return nil
	}
	e.una.Do(e.abrir)
	if e.abierta == nil {
		return nil
	}
	return e.abierta.Buscar(nombre)
}

func (e *escalaresDeProyecto) abrir() {
	fuente, hay, err := e.l.ArchivoSiHay(e.p.arbol, ArchivoEscalares)
	if err != nil {
		e.fallo = e.p.errorDeArbol(err)
		return
	}
	if !hay {
		return
	}
	if len(fuente) > topeDeEscalares {
		e.fallo = ErrProyecto(e.p.Raiz(), fmt.Sprintf("%s pesa más de %d bytes", ArchivoEscalares, topeDeEscalares),
			rechazo.Remedio{Campo: ArchivoEscalares, Correccion: "achicalo: ese tope no se sube."})
		return
	}
	e.abierta, err = e.p.op.Caja(e.ctx, ArchivoEscalares, fuente, e.p.Limites())
	if err != nil {
		e.abierta = nil
		var limite *algebra.LimiteError
		var interno *algebra.ErrorInterno
		switch {
		case errors.As(err, &limite):
			e.fallo = ErrLimite(limite, ArchivoEscalares)
		case errors.As(err, &interno):
			e.fallo = errInterno(interno.Causa).por(err)
		case e.ctx.Err() != nil:
			e.fallo = e.ctx.Err()
		default:
			motivo, dibujo := partir(err.Error())
			e.fallo = ErrCatalogo(ArchivoEscalares, motivo, deLectura(ArchivoEscalares, err)).con(dibujo).por(err)
		}
	}
}

// topeDeEscalares is how many bytes the file may have (escalares §2).
const topeDeEscalares = 1 << 20

// cerrar ends the box's process, if one was started.
func (e *escalaresDeProyecto) cerrar() {
	if e.abierta != nil {
		e.abierta.Close()
	}
}

// falta tells why an unknown scalar is not known: nil when no file could have
// declared it.
func (e *escalaresDeProyecto) falta() error {
	if e.fallo != nil {
		return e.fallo
	}
	if e.abierta != nil {
		return nil
	}
	for _, archivo := range []string{ArchivoEscalares, archivoPython} {
		hay, err := e.l.Existe(e.p.arbol, archivo)
		if err != nil {
			return e.p.errorDeArbol(err)
		}
		if !hay {
			continue
		}
		if archivo == archivoPython {
			return ErrEscalares(archivo, "acá no se ejecuta Python: portalo con «oracle-mcp escalares portar escalares.py > escalares.star», revisalo, y que quien arranca el programa autorice ése con --confiar-escalares.")
		}
		return ErrEscalares(archivo, "ninguna llamada lo autoriza: pedí que quien arranca el programa lo haga con --confiar-escalares, o usá medidas que no llamen a las suyas.")
	}
	return nil
}

// lengua reads measures with one set of macros and scalars.
type lengua struct {
	macros    *macro.Tabla
	escalares *escalaresDeProyecto
	lim       algebra.LimitesAlgebra
}

// medidaDeArchivo reads a measure from a file of a catalog, by its extension:
// the surface, or the canonical form or an invocation in JSON.
func (g *lengua) medidaDeArchivo(nombre string, texto []byte) (*algebra.Medida, error) {
	if path.Ext(nombre) == ".json" {
		return g.medidaJSON(texto)
	}
	return superficie.LeerMedida(texto, g.macros, g.escalares, g.lim)
}

func (g *lengua) medidaJSON(texto []byte) (*algebra.Medida, error) {
	n, err := algebra.LeerNodo(texto, g.lim)
	if err != nil {
		return nil, err
	}
	if n, err = g.macros.Expandir(n, g.lim); err != nil {
		return nil, err
	}
	return algebra.Cargar(n, g.escalares, g.lim)
}

// formaDeEscalar is how the name of a scalar is spelled (escalares §2). No file
// can declare another.
var formaDeEscalar = regexp.MustCompile(`^[a-z][a-z0-9_]{0,127}$`)

// desconocida returns the error that explains an unknown scalar, when that is
// what err is about and something explains it.
func (g *lengua) desconocida(err error) error {
	if g.escalares.fallo != nil {
		return g.escalares.fallo
	}
	var carga *algebra.ErrorDeCarga
	if errors.As(err, &carga) && carga.Clase == algebra.ClaseEscalarDesconocida && formaDeEscalar.MatchString(carga.Nombre) {
		return g.escalares.falta()
	}
	return nil
}

// errorDeArchivo gives its code to a failure of reading a file of a catalog.
func (g *lengua) errorDeArchivo(fuente string, err error) error {
	if e := g.desconocida(err); e != nil {
		return e
	}
	motivo, dibujo := partir(err.Error())
	return ErrCatalogo(fuente, motivo, deLectura(fuente, err)).con(dibujo).por(err)
}

// errorDeTexto gives its code to a failure of reading a candidate, which the
// argument campo brought.
func (g *lengua) errorDeTexto(err error, campo string) error {
	if e := g.desconocida(err); e != nil {
		return e
	}
	var limite *algebra.LimiteError
	if errors.As(err, &limite) {
		return ErrLimite(limite, campo)
	}
	const quien = "texto"
	r := deLectura(campo, err)
	_, dibujo := partir(err.Error())
	var sintaxis *superficie.ErrorDeSintaxis
	if errors.As(err, &sintaxis) {
		return ErrMedida(quien, fmt.Sprintf("se esperaba %s; llegó '%s'", sintaxis.Esperado, sintaxis.Llego), lugar(sintaxis.Linea, sintaxis.Columna), r).con(dibujo).por(err)
	}
	var declara *superficie.ErrorDeDeclaracion
	if errors.As(err, &declara) {
		return ErrMedida(quien, declara.Causa.Motivo, lugar(declara.Linea, declara.Columna), r).con(dibujo).por(err)
	}
	var carga *algebra.ErrorDeCarga
	if errors.As(err, &carga) {
		ruta := carga.Ruta
		if ruta == "" {
			ruta = "la raíz de la forma"
		}
		return ErrMedida(quien, carga.Motivo, ruta, r).por(err)
	}
	return ErrMedida(quien, err.Error(), "el texto", r).por(err)
}

func lugar(linea, columna int) string { return fmt.Sprintf("línea %d, columna %d", linea, columna) }

// archivoDeMacro is a macro still to be read.
type archivoDeMacro struct {
	fuente string
	nombre string
	texto  []byte
}

// conMacros adds macros to a table. One may expand to another, so files are
// read in rounds until none is left; when a round gets nowhere, the first that
// failed in order of path is the error.
func (g *lengua) conMacros(archivos []archivoDeMacro) error {
	for len(archivos) > 0 {
		var quedan []archivoDeMacro
		var primera error
		for _, a := range archivos {
			m, err := g.macroDeArchivo(a)
			var t *macro.Tabla
			if err == nil {
				t, err = g.macros.Con(m)
			}
			if err != nil {
				quedan = append(quedan, a)
				if primera == nil {
					primera = g.errorDeArchivo(a.fuente, err)
				}
				continue
			}
			g.macros = t
		}
		if len(quedan) == len(archivos) {
			return primera
		}
		archivos = quedan
	}
	return nil
}

func (g *lengua) macroDeArchivo(a archivoDeMacro) (*macro.Macro, error) {
	if path.Ext(a.nombre) == ".json" {
		n, err := algebra.LeerNodo(a.texto, g.lim)
		if err != nil {
			return nil, err
		}
		return macro.Declarar(n, g.lim)
	}
	s, err := superficie.Leer(a.texto, g.macros, g.lim)
	if err != nil {
		return nil, err
	}
	if !s.EsMacro() {
		return nil, &algebra.ErrorDeCarga{Clase: algebra.ClaseForma, Motivo: "se esperaba una macro (defmacro) y llegó una medida"}
	}
	return s.Macro(), nil
}
