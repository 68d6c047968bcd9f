package host

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// ClaseOrigen says what kind of source a measure comes from (proyecto §3).
type ClaseOrigen string

// The four kinds.
const (
	DeCatalogoBase ClaseOrigen = "catalogo_base"
	DePerfil       ClaseOrigen = "perfil"
	DeBiblioteca   ClaseOrigen = "biblioteca"
	DelProyecto    ClaseOrigen = "proyecto"
)

// IDDelBase is the logical identity of the base catalog.
const IDDelBase = "oracle"

// Ambitos of a measure; the third is [algebra.SinDeclarar].
const (
	Universal = "universal"
	DelOrigen = "del_origen"
)

// Origen is where a measure comes from. ID is "" for the project's own.
type Origen struct {
	Clase ClaseOrigen
	ID    string
}

// String returns the origin as it is published: «catalogo_base:oracle»,
// «perfil:<id>», «biblioteca:<id>» or «proyecto».
func (o Origen) String() string {
	if o.Clase == DelProyecto {
		return string(o.Clase)
	}
	return string(o.Clase) + ":" + o.ID
}

// Propio reports whether the source is the project's own catalog.
func (o Origen) Propio() bool { return o.Clase == DelProyecto }

// Entrada is a measure of a selected source.
type Entrada struct {
	Medida *algebra.Medida
	Origen Origen
	// Fuente is the file as it is shown: relative to the project when it is in
	// it, absolute when it is installed, «oracle:/…» when embedded.
	Fuente       string
	FuenteSHA256 string
}

// ID returns the measure's id.
func (e *Entrada) ID() string { return e.Medida.ID }

// obliga decides whether a measure binds a project whose logical identity is
// identidad. It is the only place that decides it (proyecto §3).
func (e *Entrada) obliga(identidad string) bool {
	if e.Medida.Ambito != DelOrigen || e.Origen.Propio() {
		return true
	}
	return identidad != "" && identidad == e.Origen.ID
}

// Catalogo is the effective catalog of a project, and what was selected and
// does not bind here. It is immutable.
type Catalogo struct {
	proyecto   string
	efectivas  []*Entrada // by id
	descartada map[string]*Entrada
	efectiva   map[string]*Entrada
}

// Efectivas returns the measures that bind, ordered by id. Do not modify it.
func (c *Catalogo) Efectivas() []*Entrada { return c.efectivas }

// Buscar returns the effective measure that the argument campo names. The error is MEDIDA_NO_EFECTIVA when a
// selected source has it and it does not bind here, and MEDIDA_DESCONOCIDA when
// none has it.
func (c *Catalogo) Buscar(campo, id string) (*Entrada, error) {
	if e := c.efectiva[id]; e != nil {
		return e, nil
	}
	if e := c.descartada[id]; e != nil {
		return nil, ErrNoEfectiva(campo, id, e.Origen.String(), e.Medida.Ambito, c.proyecto)
	}
	return nil, ErrDesconocida(campo, id, c.ids())
}

// ids returns the ids of the measures that bind, in order.
func (c *Catalogo) ids() []string {
	var ids []string
	for _, e := range c.efectivas {
		ids = append(ids, e.ID())
	}
	return ids
}

// nuevoCatalogo decides what is effective. The error is CATALOGO_INVALIDO for
// an id in two places: none wins.
func nuevoCatalogo(proyecto, identidad string, todas []*Entrada) (*Catalogo, error) {
	c := &Catalogo{proyecto: proyecto, efectiva: map[string]*Entrada{}, descartada: map[string]*Entrada{}}
	visto := map[string]*Entrada{}
	for _, e := range todas {
		if otra := visto[e.ID()]; otra != nil {
			return nil, ErrCatalogo(e.Fuente, fmt.Sprintf("el id «%s» está en %s y en %s: ninguna fuente tiene precedencia", e.ID(), otra.lugar(), e.lugar()), e.deRepetida(otra))
		}
		visto[e.ID()] = e
		if e.obliga(identidad) {
			c.efectiva[e.ID()] = e
			c.efectivas = append(c.efectivas, e)
		} else {
			c.descartada[e.ID()] = e
		}
	}
	slices.SortFunc(c.efectivas, func(a, b *Entrada) int { return cmp.Compare(a.ID(), b.ID()) })
	return c, nil
}

// lugar names the entry's source and file.
func (e *Entrada) lugar() string { return e.Origen.String() + " (" + citarRuta(e.Fuente) + ")" }

// deRepetida tells how to mend an id that another entry has too. What is
// installed is not the project's to change, but to select.
func (e *Entrada) deRepetida(otra *Entrada) rechazo.Remedio {
	r := rechazo.Remedio{Campo: citarRuta(e.Fuente), Correccion: "dale otro id a una de las dos medidas, o sacá uno de los archivos."}
	switch propia, ajena := e.Origen.Propio(), otra.Origen.Propio(); {
	case !propia && !ajena:
		r.Correccion = "sacá una de las dos fuentes de " + ArchivoConfiguracion + "."
	case propia != ajena:
		r.Correccion = "dale otro id a la del proyecto, o sacá la otra fuente de " + ArchivoConfiguracion + "."
	}
	return r
}

// archivoDeFuente is a file of a source, already read.
type archivoDeFuente struct {
	nombre string // slash-separated; its extension says how to read it
	fuente string // as it is shown
	texto  []byte
}

// esMedida reports whether a file of catalogos/ holds a measure.
func esMedida(nombre string) bool {
	x := path.Ext(nombre)
	return x == ".oracle" || x == ".json"
}

// entradas reads every measure of a source, in the order of the files. One bad
// file leaves the source without any.
func (g *lengua) entradas(o Origen, archivos []archivoDeFuente) ([]*Entrada, error) {
	var todas []*Entrada
	for _, a := range archivos {
		if err := g.escalares.ctx.Err(); err != nil {
			return nil, err
		}
		m, err := g.medidaDeArchivo(a.nombre, a.texto)
		if err != nil {
			return nil, g.errorDeArchivo(a.fuente, err)
		}
		suma := sha256.Sum256(a.texto)
		todas = append(todas, &Entrada{Medida: m, Origen: o, Fuente: a.fuente, FuenteSHA256: hex.EncodeToString(suma[:])})
	}
	return todas, nil
}
