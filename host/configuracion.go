package host

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

// Versions this program implements (lenguaje, head).
const (
	VersionAlgebra  = "1.0"
	VersionSintaxis = "0.7"
)

// EsquemaProyecto is the value of «esquema» in oracle.json.
const EsquemaProyecto = "oracle.proyecto/v1"

// Configuracion is oracle.json. The zero value is that of a project without
// the file: only its own catalog, no shadows (proyecto §2).
type Configuracion struct {
	ID           string // logical identity, "" when it declares none
	CatalogoBase bool
	Perfiles     []string
	Bibliotecas  []string
	Sombras      []Sombra // ordered by measure
}

// Sombra forgives a measure's red since a date and for a reason. Cota is nil
// when there is no bound.
type Sombra struct {
	Medida, Desde, Porque string
	Cota                  *algebra.Entero
}

// Sombra returns the shadow of a measure, nil when it has none.
func (c *Configuracion) Sombra(id string) *Sombra {
	for i := range c.Sombras {
		if c.Sombras[i].Medida == id {
			return &c.Sombras[i]
		}
	}
	return nil
}

// LeerConfiguracion reads the text of oracle.json. The error is
// *[estricto.Error], with the JSON path.
func LeerConfiguracion(texto []byte) (*Configuracion, error) {
	v, err := estricto.Leer(texto)
	if err != nil {
		return nil, err
	}
	m, err := v.Objeto([]string{"esquema"}, []string{"algebra", "sintaxis", "catalogo_base", "perfiles", "bibliotecas", "sombra", "id"})
	if err != nil {
		return nil, err
	}
	if s, err := m["esquema"].Texto(); err != nil {
		return nil, err
	} else if s != EsquemaProyecto {
		return nil, m["esquema"].Error("se esperaba «%s»; llegó «%s»", EsquemaProyecto, algebra.Citar(s))
	}
	c := &Configuracion{}
	if x, ok := m["algebra"]; ok {
		if err := versionCompatible(x, "el álgebra", VersionAlgebra, algebraCompatible); err != nil {
			return nil, err
		}
	}
	if x, ok := m["sintaxis"]; ok {
		if err := versionCompatible(x, "la sintaxis", VersionSintaxis, sintaxisCompatible); err != nil {
			return nil, err
		}
	}
	if x, ok := m["catalogo_base"]; ok {
		if c.CatalogoBase, err = x.Booleano(); err != nil {
			return nil, err
		}
	}
	if x, ok := m["perfiles"]; ok {
		if c.Perfiles, err = x.Textos(); err != nil {
			return nil, err
		}
	}
	if x, ok := m["bibliotecas"]; ok {
		if c.Bibliotecas, err = x.Textos(); err != nil {
			return nil, err
		}
	}
	if x, ok := m["id"]; ok {
		if c.ID, err = x.TextoNoVacio(); err != nil {
			return nil, err
		}
	}
	if x, ok := m["sombra"]; ok {
		if c.Sombras, err = leerSombras(x); err != nil {
			return nil, err
		}
	}
	return c, nil
}

func leerSombras(v estricto.Valor) ([]Sombra, error) {
	ms, err := v.Miembros()
	if err != nil {
		return nil, err
	}
	sombras := make([]Sombra, 0, len(ms))
	for _, m := range ms {
		if !algebra.IDValido(m.Clave) {
			return nil, m.Valor.Error("«%s» no es el id de una medida", algebra.Citar(m.Clave))
		}
		campos, err := m.Valor.Objeto([]string{"desde", "porque"}, []string{"cota"})
		if err != nil {
			return nil, err
		}
		s := Sombra{Medida: m.Clave}
		if s.Desde, err = campos["desde"].Texto(); err != nil {
			return nil, err
		}
		if _, err := time.Parse(time.DateOnly, s.Desde); err != nil {
			return nil, campos["desde"].Error("se esperaba una fecha AAAA-MM-DD; llegó «%s»", algebra.Citar(s.Desde))
		}
		if s.Porque, err = campos["porque"].Texto(); err != nil {
			return nil, err
		}
		if x, ok := campos["cota"]; ok {
			n, err := x.Entero()
			if err != nil {
				return nil, err
			}
			s.Cota = &n
		}
		sombras = append(sombras, s)
	}
	ordenarPor(sombras, func(s Sombra) string { return s.Medida })
	return sombras, nil
}

var formaDeVersion = regexp.MustCompile(`^(0|[1-9][0-9]{0,5})\.(0|[1-9][0-9]{0,5})$`)

// partesDeVersion splits MAYOR.MENOR.
func partesDeVersion(s string) (mayor, menor int, ok bool) {
	if !formaDeVersion.MatchString(s) {
		return 0, 0, false
	}
	a, b, _ := strings.Cut(s, ".")
	mayor, _ = strconv.Atoi(a)
	menor, _ = strconv.Atoi(b)
	return mayor, menor, true
}

// sintaxisCompatible reports whether this program reads what was written for
// that version: same major, and a minor not newer than ours.
func sintaxisCompatible(pedida string) bool { return compatible(pedida, VersionSintaxis) }

// algebraCompatible is the same for the algebra, which also takes 0.x up to
// 0.8: ours is stricter and never trades one verdict for another.
func algebraCompatible(pedida string) bool {
	mayor, menor, ok := partesDeVersion(pedida)
	return compatible(pedida, VersionAlgebra) || ok && mayor == 0 && menor <= 8
}

func compatible(pedida, nuestra string) bool {
	mayor, menor, ok := partesDeVersion(pedida)
	mia, hasta, _ := partesDeVersion(nuestra)
	return ok && mayor == mia && menor <= hasta
}

func versionCompatible(v estricto.Valor, que, nuestra string, sirve func(string) bool) error {
	s, err := v.Texto()
	if err != nil {
		return err
	}
	if _, _, ok := partesDeVersion(s); !ok {
		return v.Error("se esperaba una versión MAYOR.MENOR; llegó «%s»", algebra.Citar(s))
	}
	if !sirve(s) {
		return v.Error("%s pedida es %s y la de este programa es %s: son incompatibles", que, s, nuestra)
	}
	return nil
}
