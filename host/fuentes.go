package host

import (
	"context"
	"fmt"
	"path"
	"regexp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/base"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

// consulta is the state of one call: what it reads, and what it read so far.
type consulta struct {
	ctx       context.Context
	p         *Proyecto
	l         *arbol.Lectura
	conf      *Configuracion
	lengua    *lengua // standard macros and the project's own
	embebidos []base.Archivo
	// participan are the files the fingerprint of the project covers, by
	// absolute path.
	participan map[string]bool
}

// participa notes that a file is one the fingerprint covers.
func (q *consulta) participa(a *arbol.Arbol, ruta string) { q.participan[a.Absoluta(ruta)] = true }

// consultar starts a call: oracle.json and macros/ are always read.
func (p *Proyecto) consultar(ctx context.Context, l *arbol.Lectura) (*consulta, error) {
	q := &consulta{ctx: ctx, p: p, l: l, participan: map[string]bool{}}
	if hay, err := l.Existe(p.arbol, DirCatalogos); err != nil || !hay {
		if err == nil {
			err = sinCatalogos("no existe")
		}
		return nil, p.errorDeArbol(err)
	}
	var err error
	if q.conf, err = p.configuracion(l); err != nil {
		return nil, err
	}
	q.participa(p.arbol, ArchivoConfiguracion)
	q.lengua = q.nuevaLengua()
	archivos, err := q.archivosDe(p.arbol, DirMacros, esMedida, relativa)
	if err == nil {
		err = q.lengua.conMacros(comoMacros(archivos))
	}
	if err != nil {
		q.cerrar()
		return nil, err
	}
	return q, nil
}

// cerrar releases what the call holds.
func (q *consulta) cerrar() { q.lengua.escalares.cerrar() }

// nuevaLengua returns a language with the standard macros alone. All the
// languages of one call share its scalars.
func (q *consulta) nuevaLengua() *lengua {
	g := &lengua{lim: q.p.Limites()}
	if q.lengua != nil {
		g.escalares = q.lengua.escalares
	} else {
		g.escalares = q.p.escalaresDe(q.ctx, q.l)
	}
	g.macros = macro.Estandar().ConEscalares(g.escalares)
	return g
}

// relativa and absoluta are the two ways a file on disk is shown.
func relativa(_ *arbol.Arbol, ruta string) string { return ruta }

func absoluta(a *arbol.Arbol, ruta string) string { return a.Absoluta(ruta) }

// archivosDe reads the files under a directory that sirve accepts, by path. A
// directory that is not there has none.
func (q *consulta) archivosDe(a *arbol.Arbol, dir string, sirve func(string) bool, mostrar func(*arbol.Arbol, string) string) ([]archivoDeFuente, error) {
	rutas, _, err := q.l.Listar(a, dir)
	if err != nil {
		return nil, q.deArbol(a, err)
	}
	var archivos []archivoDeFuente
	for i, r := range rutas {
		if i%64 == 0 && q.ctx.Err() != nil {
			return nil, q.ctx.Err()
		}
		if !sirve(r) {
			continue
		}
		b, err := q.l.Archivo(a, r)
		if err != nil {
			return nil, q.deArbol(a, err)
		}
		q.participa(a, r)
		archivos = append(archivos, archivoDeFuente{nombre: r, fuente: mostrar(a, r), texto: b})
	}
	return archivos, nil
}

// deArbol gives its code to a failure of reading a tree. Of an installed one
// the absolute path is shown, since the project's root would not find it.
func (q *consulta) deArbol(a *arbol.Arbol, err error) error {
	e, ok := err.(*arbol.Error)
	if !ok || a == q.p.arbol {
		return q.p.errorDeArbol(err)
	}
	ruta := citarRuta(a.Absoluta(e.Ruta))
	return ErrProyecto(q.p.Raiz(), ruta+": "+e.Motivo, rechazo.Remedio{Campo: ruta, Correccion: e.Correccion}).por(err)
}

func comoMacros(archivos []archivoDeFuente) []archivoDeMacro {
	var ms []archivoDeMacro
	for _, a := range archivos {
		ms = append(ms, archivoDeMacro{fuente: a.fuente, nombre: a.nombre, texto: a.texto})
	}
	return ms
}

// catalogo loads every selected source and decides what is effective. One that
// does not load leaves no catalog at all (proyecto §3).
func (q *consulta) catalogo() (*Catalogo, error) {
	var todas []*Entrada
	if q.conf.CatalogoBase {
		es, err := q.embebidas(Origen{DeCatalogoBase, IDDelBase}, base.Catalogo())
		if err != nil {
			return nil, err
		}
		todas = append(todas, es...)
	}
	for _, nombre := range q.conf.Perfiles {
		es, err := q.perfil(nombre)
		if err != nil {
			return nil, err
		}
		todas = append(todas, es...)
	}
	for _, id := range q.conf.Bibliotecas {
		es, err := q.biblioteca(id)
		if err != nil {
			return nil, err
		}
		todas = append(todas, es...)
	}
	archivos, err := q.archivosDe(q.p.arbol, DirCatalogos, esMedida, relativa)
	if err != nil {
		return nil, err
	}
	propias, err := q.lengua.entradas(Origen{Clase: DelProyecto}, archivos)
	if err != nil {
		return nil, err
	}
	return nuevoCatalogo(q.p.Raiz(), q.conf.ID, append(todas, propias...))
}

// embebidas reads a source embedded in the program.
func (q *consulta) embebidas(o Origen, archivos []base.Archivo) ([]*Entrada, error) {
	var af []archivoDeFuente
	for _, a := range archivos {
		af = append(af, archivoDeFuente{nombre: a.Ruta, fuente: a.Ruta, texto: a.Texto})
	}
	q.embebidos = append(q.embebidos, archivos...)
	return q.nuevaLengua().entradas(o, af)
}

var formaDeNombreDeFuente = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]*$`)

// perfil reads a profile: embedded, or a directory of one of the roots given at
// start.
func (q *consulta) perfil(nombre string) ([]*Entrada, error) {
	if !formaDeNombreDeFuente.MatchString(nombre) {
		return nil, q.seleccion("perfiles", nombre, "no es un nombre de perfil: oracle.json elige por nombre, nunca por ruta",
			"poné el nombre del perfil; dónde está lo dice quien arranca el programa, con --raiz-perfiles.")
	}
	o := Origen{DePerfil, nombre}
	embebido := base.Perfil(nombre)
	var donde []*arbol.Arbol
	for _, a := range q.p.perfiles {
		hay, err := q.l.Existe(a, nombre)
		if err != nil {
			return nil, q.deArbol(a, err)
		}
		if hay {
			donde = append(donde, a)
		}
	}
	n := len(donde)
	if embebido != nil {
		n++
	}
	switch {
	case n == 0:
		return nil, q.seleccion("perfiles", nombre, "no existe en ninguna raíz de perfiles dada al arrancar",
			"corregí o sacá ese nombre; si el perfil está en otro lado, quien arranca el programa agrega su raíz con --raiz-perfiles.")
	case n > 1:
		return nil, q.seleccion("perfiles", nombre, "está en más de una raíz de perfiles y ninguna tiene precedencia",
			"dejá ese perfil en una sola raíz, o sacalo de oracle.json.")
	case embebido != nil:
		return q.embebidas(o, embebido)
	}
	a := donde[0]
	dir := path.Join(nombre, DirCatalogos)
	archivos, err := q.archivosDe(a, dir, esMedida, absoluta)
	if err != nil {
		return nil, err
	}
	if hay, err := q.l.Existe(a, dir); err != nil || !hay {
		return nil, q.seleccion("perfiles", nombre, "no tiene catalogos/", "creá catalogos/ en el perfil, o sacalo de oracle.json.")
	}
	return q.nuevaLengua().entradas(o, archivos)
}

// seleccion rejects a name of oracle.json that does not select one source.
func (q *consulta) seleccion(clave, nombre, motivo, correccion string) error {
	return ErrProyecto(q.p.Raiz(), fmt.Sprintf("%s: «%s» %s en $.%s", ArchivoConfiguracion, algebra.Citar(nombre), motivo, clave),
		rechazo.Remedio{Campo: ArchivoConfiguracion + ", $." + clave, Correccion: correccion})
}

// declaradas reads the relations the project declares.
func (q *consulta) declaradas() (*relaciones.Declaradas, error) {
	archivos, err := q.archivosDe(q.p.arbol, DirRelaciones, func(r string) bool {
		x := path.Ext(r)
		return x == ".relacion" || x == ".json"
	}, relativa)
	if err != nil {
		return nil, err
	}
	var rs []*relaciones.Relacion
	fuente := map[string]string{}
	for _, a := range archivos {
		r, err := q.relacion(a)
		if err != nil {
			motivo, detalle := partir(err.Error())
			return nil, ErrProyecto(q.p.Raiz(), citarRuta(a.fuente)+": "+motivo, deLectura(a.fuente, err)).con(detalle).por(err)
		}
		if otra := fuente[r.Nombre]; otra != "" {
			return nil, ErrProyecto(q.p.Raiz(), fmt.Sprintf("%s: la relación «%s» ya se declara en %s", citarRuta(a.fuente), algebra.Citar(r.Nombre), citarRuta(otra)),
				rechazo.Remedio{Campo: citarRuta(a.fuente), Correccion: "dejá esa relación en uno solo de los dos archivos."})
		}
		fuente[r.Nombre] = a.fuente
		rs = append(rs, r)
	}
	return relaciones.NuevasDeclaradas(rs)
}

func (q *consulta) relacion(a archivoDeFuente) (*relaciones.Relacion, error) {
	if path.Ext(a.nombre) == ".relacion" {
		return relaciones.Leer(a.texto, relaciones.EsDelLenguaje)
	}
	n, err := algebra.LeerNodo(a.texto, q.p.Limites())
	if err != nil {
		return nil, err
	}
	return relaciones.DeNodo(n, relaciones.EsDelLenguaje)
}
