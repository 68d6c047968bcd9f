package host

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// ManifiestoDeBiblioteca is the file that makes a directory a library.
const ManifiestoDeBiblioteca = "oracle-biblioteca.toml"

// EsquemaBiblioteca is the value of «esquema» in a manifest.
const EsquemaBiblioteca = "oracle.biblioteca/v1"

// Manifiesto is oracle-biblioteca.toml (proyecto §3).
type Manifiesto struct {
	ID, Version       string
	Catalogos, Macros []string // directories, relative to the manifest's
	Corpus            []string
	Relaciones        []string
	Requiere          []string // relations whoever selects it has to know
}

// manifiestoCrudo is the manifest as TOML has it.
type manifiestoCrudo struct {
	Esquema        string `toml:"esquema"`
	ID             string `toml:"id"`
	Version        string `toml:"version"`
	Algebra        string `toml:"algebra"`
	Sintaxis       string `toml:"sintaxis"`
	DatosSolamente bool   `toml:"datos_solamente"`
	Contenido      struct {
		Catalogos  any `toml:"catalogos"`
		Corpus     any `toml:"corpus"`
		Relaciones any `toml:"relaciones"`
		Macros     any `toml:"macros"`
	} `toml:"contenido"`
	Requiere struct {
		Relaciones []string `toml:"relaciones"`
	} `toml:"requiere"`
	Certificacion struct {
		Mutantes any `toml:"mutantes"`
	} `toml:"certificacion"`
}

// LeerManifiesto reads a manifest. The error says in Spanish what is wrong.
func LeerManifiesto(texto []byte) (*Manifiesto, error) {
	d := toml.NewDecoder(bytes.NewReader(texto)).DisallowUnknownFields()
	var c manifiestoCrudo
	if err := d.Decode(&c); err != nil {
		var falta *toml.StrictMissingError
		var mal *toml.DecodeError
		switch {
		case errors.As(err, &falta) && len(falta.Errors) > 0:
			f, k := falta.Errors[0].Position()
			return nil, fmt.Errorf("clave desconocida «%s» en línea %d, columna %d", algebra.Citar(strings.Join(falta.Errors[0].Key(), ".")), f, k)
		case errors.As(err, &mal):
			f, k := mal.Position()
			return nil, fmt.Errorf("TOML inválido en línea %d, columna %d: %s", f, k, algebra.Citar(mal.Error()))
		default:
			return nil, fmt.Errorf("TOML inválido: %s", algebra.Citar(err.Error()))
		}
	}
	switch {
	case c.Esquema != EsquemaBiblioteca:
		return nil, fmt.Errorf("esquema tiene que ser «%s» y es «%s»", EsquemaBiblioteca, algebra.Citar(c.Esquema))
	case !formaDeNombreDeFuente.MatchString(c.ID):
		return nil, fmt.Errorf("id no es un nombre de biblioteca: «%s»", algebra.Citar(c.ID))
	case strings.TrimSpace(c.Version) == "":
		return nil, errors.New("falta version")
	case !c.DatosSolamente:
		return nil, errors.New("datos_solamente tiene que ser true: una biblioteca no trae código")
	case !algebraCompatible(c.Algebra):
		return nil, fmt.Errorf("pide el álgebra «%s» y la de este programa es %s", algebra.Citar(c.Algebra), VersionAlgebra)
	case !sintaxisCompatible(c.Sintaxis):
		return nil, fmt.Errorf("pide la sintaxis «%s» y la de este programa es %s", algebra.Citar(c.Sintaxis), VersionSintaxis)
	}
	m := &Manifiesto{ID: c.ID, Version: c.Version, Requiere: c.Requiere.Relaciones}
	for _, x := range []struct {
		clave, porOmision string
		v                 any
		donde             *[]string
	}{
		{"catalogos", DirCatalogos, c.Contenido.Catalogos, &m.Catalogos},
		{"corpus", "", c.Contenido.Corpus, &m.Corpus},
		{"relaciones", "", c.Contenido.Relaciones, &m.Relaciones},
		{"macros", "", c.Contenido.Macros, &m.Macros},
	} {
		if x.v == nil {
			if x.porOmision != "" {
				*x.donde = []string{x.porOmision}
			}
			continue
		}
		lista, esLista := x.v.([]any)
		if !esLista {
			lista = []any{x.v}
		}
		for _, e := range lista {
			s, ok := e.(string)
			s = strings.TrimSuffix(s, "/")
			if !ok || !fs.ValidPath(s) || s == "." {
				return nil, fmt.Errorf("contenido.%s tiene que ser un directorio de la biblioteca, o una lista de ellos", x.clave)
			}
			*x.donde = append(*x.donde, s)
		}
	}
	return m, nil
}

// biblioteca reads the library with that id among the roots given at start.
func (q *consulta) biblioteca(id string) ([]*Entrada, error) {
	type instalada struct {
		a   *arbol.Arbol
		dir string
		m   *Manifiesto
	}
	var halladas []instalada
	for _, a := range q.p.bibliotecas {
		dirs, err := q.l.Directorios(a, ".")
		if err != nil {
			return nil, q.deArbol(a, err)
		}
		for _, dir := range dirs {
			ruta := path.Join(dir, ManifiestoDeBiblioteca)
			texto, hay, err := q.l.ArchivoSiHay(a, ruta)
			if err != nil {
				return nil, q.deArbol(a, err)
			}
			if !hay {
				continue
			}
			m, err := LeerManifiesto(texto)
			if err != nil {
				// Its id cannot be trusted, so nobody can tell it is not the one.
				return nil, ErrCatalogo(a.Absoluta(ruta), err.Error(),
					rechazo.Remedio{Campo: citarRuta(a.Absoluta(ruta)), Correccion: "corregí ese manifiesto, poné una versión que sirva acá, o sacá la biblioteca de esa raíz."}).por(err)
			}
			if m.ID == id {
				halladas = append(halladas, instalada{a, dir, m})
			}
		}
	}
	switch len(halladas) {
	case 0:
		return nil, q.seleccion("bibliotecas", id, "no existe en ninguna raíz de bibliotecas dada al arrancar",
			"corregí o sacá ese nombre; si la biblioteca está en otro lado, quien arranca el programa agrega su raíz con --raiz-bibliotecas.")
	case 1:
	default:
		return nil, q.seleccion("bibliotecas", id, "está en más de un lugar de las raíces de bibliotecas y ninguno tiene precedencia",
			"dejá esa biblioteca en un solo lugar de las raíces, o sacala de oracle.json.")
	}
	b := halladas[0]
	o := Origen{DeBiblioteca, id}
	q.participa(b.a, path.Join(b.dir, ManifiestoDeBiblioteca))
	if err := q.soloDatos(b.a, b.dir); err != nil {
		return nil, err
	}
	g := q.nuevaLengua()
	for _, d := range b.m.Macros {
		archivos, err := q.contenido(b.a, b.dir, d, "macros")
		if err != nil {
			return nil, err
		}
		if err := g.conMacros(comoMacros(archivos)); err != nil {
			return nil, err
		}
	}
	var todas []*Entrada
	for _, d := range b.m.Catalogos {
		archivos, err := q.contenido(b.a, b.dir, d, "catalogos")
		if err != nil {
			return nil, err
		}
		es, err := g.entradas(o, archivos)
		if err != nil {
			return nil, err
		}
		todas = append(todas, es...)
	}
	return todas, nil
}

// contenido reads a directory the manifest names, which has to be there.
func (q *consulta) contenido(a *arbol.Arbol, dir, sub, clave string) ([]archivoDeFuente, error) {
	d := path.Join(dir, sub)
	if hay, err := q.l.Existe(a, d); err != nil {
		return nil, q.deArbol(a, err)
	} else if !hay {
		manifiesto := a.Absoluta(path.Join(dir, ManifiestoDeBiblioteca))
		return nil, ErrCatalogo(manifiesto, fmt.Sprintf("contenido.%s nombra «%s», que no existe", clave, algebra.Citar(sub)),
			rechazo.Remedio{Campo: citarRuta(manifiesto) + ", contenido." + clave, Correccion: "creá ese directorio en la biblioteca, o sacalo del manifiesto."})
	}
	return q.archivosDe(a, d, esMedida, absoluta)
}

// soloDatos rejects a library that carries anything that could be executed. It
// is a list of what may be there, so that a kind of code nobody thought of is
// not let in; and whatever its name, a file may not be a program.
func (q *consulta) soloDatos(a *arbol.Arbol, dir string) error {
	rutas, _, err := q.l.Listar(a, dir)
	if err != nil {
		return q.deArbol(a, err)
	}
	for _, r := range rutas {
		switch strings.ToLower(path.Ext(r)) {
		case ".oracle", ".json", ".caso", ".relacion", ".toml", ".md", ".txt", "":
			b, err := q.l.Archivo(a, r)
			if err != nil {
				return q.deArbol(a, err)
			}
			if !pareceProgramaEjecutable(b) {
				continue
			}
		}
		return ErrCatalogo(a.Absoluta(r), "una biblioteca es sólo datos y éste es un archivo de otra clase: se rechaza entera",
			rechazo.Remedio{Campo: citarRuta(a.Absoluta(r)), Correccion: "sacá ese archivo de la biblioteca, o la biblioteca de $.bibliotecas en oracle.json."})
	}
	return nil
}

// pareceProgramaEjecutable looks for the marks systems know programs by.
func pareceProgramaEjecutable(b []byte) bool {
	for _, marca := range []string{"#!", "\x7fELF", "MZ", "\xfe\xed\xfa", "\xce\xfa\xed\xfe", "\xcf\xfa\xed\xfe", "\xca\xfe\xba\xbe", "\x00asm"} {
		if bytes.HasPrefix(b, []byte(marca)) {
			return true
		}
	}
	return bytes.IndexByte(b, 0) >= 0
}
