// Package diferencial holds the differentials of a project: evidence judged
// once by an independent implementation, with the fingerprints that tell
// whether what was judged is still what there is.
//
// [Leer] reads a file in either of its two shapes, scenarios or groups, into
// one list of [Caso]; [Frescura.Vigente] compares the fingerprints. Everything
// is immutable once read and safe for concurrent use (especificación «proyecto»
// §5).
package diferencial

import (
	"strconv"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

// Esquema is the value of «esquema» in a differential.
const Esquema = "oracle.diferencial/v1"

// Diferencial is a file of them.
type Diferencial struct {
	// Casos are what each measure was said to do, ordered as the file has
	// them. A scenario where a measure raised is not a case of that measure.
	Casos []Caso

	// Medidas are the ids the file uses, in order and without repeats.
	Medidas []string

	// Declaradas are the canonical forms the file brings for measures that may
	// be in no catalog.
	Declaradas map[string]algebra.Nodo

	Frescura Frescura
}

// Caso is one evidence and whether a measure was satisfied by it.
type Caso struct {
	Medida    string
	ID        string // the scenario's or the index, unique for the measure
	OK        bool
	Evidencia string // JSON
}

// Leer reads a differential. lim bounds the declared forms. The error is
// *[estricto.Error], with the JSON path.
func Leer(texto []byte, lim algebra.LimitesAlgebra) (*Diferencial, error) {
	v, err := estricto.Leer(texto)
	if err != nil {
		return nil, err
	}
	ms, err := v.Miembros()
	if err != nil {
		return nil, err
	}
	d := &Diferencial{Declaradas: map[string]algebra.Nodo{}}
	grupos := false
	for _, m := range ms {
		grupos = grupos || m.Clave == "grupos"
	}
	var m map[string]estricto.Valor
	if grupos {
		m, err = v.Objeto([]string{"esquema", "frescura", "grupos"}, []string{"origen", "medidas_declaradas"})
	} else {
		m, err = v.Objeto([]string{"esquema", "origen", "mundos", "frescura", "medidas", "escenarios"}, []string{"medidas_declaradas"})
	}
	if err != nil {
		return nil, err
	}
	if s, err := m["esquema"].Texto(); err != nil {
		return nil, err
	} else if s != Esquema {
		return nil, m["esquema"].Error("se esperaba «%s»; llegó «%s»", Esquema, algebra.Citar(s))
	}
	if d.Frescura, err = leerFrescura(m["frescura"]); err != nil {
		return nil, err
	}
	if x, hay := m["medidas_declaradas"]; hay {
		if err := d.leerDeclaradas(x, lim); err != nil {
			return nil, err
		}
	}
	if grupos {
		return d, d.leerGrupos(m["grupos"])
	}
	return d, d.leerEscenarios(m)
}

func (d *Diferencial) leerDeclaradas(v estricto.Valor, lim algebra.LimitesAlgebra) error {
	ms, err := v.Miembros()
	if err != nil {
		return err
	}
	for _, m := range ms {
		n, err := algebra.LeerNodo(m.Valor.Crudo(), lim)
		if err != nil {
			return m.Valor.Error("no es una forma canónica: %s", algebra.Citar(err.Error()))
		}
		d.Declaradas[m.Clave] = n
	}
	return nil
}

// polaridades tells which of the two were seen.
type polaridades struct{ verde, rojo bool }

func (p *polaridades) ver(ok bool) {
	p.verde = p.verde || ok
	p.rojo = p.rojo || !ok
}

func (p polaridades) exigir(v estricto.Valor, de string) error {
	if p.verde && p.rojo {
		return nil
	}
	return v.Error("%s no trae las dos polaridades", de)
}

func (d *Diferencial) leerGrupos(v estricto.Valor) error {
	ms, err := v.Miembros()
	if err != nil {
		return err
	}
	if len(ms) == 0 {
		return v.Error("no trae ningún grupo")
	}
	for _, m := range ms {
		if !algebra.IDValido(m.Clave) {
			return m.Valor.Error("«%s» no es el id de una medida", algebra.Citar(m.Clave))
		}
		d.Medidas = append(d.Medidas, m.Clave)
		es, err := m.Valor.Elementos()
		if err != nil {
			return err
		}
		var p polaridades
		visto := map[string]bool{}
		for i, e := range es {
			campos, err := e.Objeto([]string{"evidencia", "esperado_ok"}, []string{"id"})
			if err != nil {
				return err
			}
			c := Caso{Medida: m.Clave, ID: strconv.Itoa(i), Evidencia: string(campos["evidencia"].Crudo())}
			if x, hay := campos["id"]; hay {
				if c.ID, err = x.TextoNoVacio(); err != nil {
					return err
				}
			}
			if visto[c.ID] {
				return e.Error("el id «%s» se repite", algebra.Citar(c.ID))
			}
			visto[c.ID] = true
			if c.OK, err = campos["esperado_ok"].Booleano(); err != nil {
				return err
			}
			p.ver(c.OK)
			d.Casos = append(d.Casos, c)
		}
		if err := p.exigir(m.Valor, "el grupo"); err != nil {
			return err
		}
	}
	return nil
}

func (d *Diferencial) leerEscenarios(m map[string]estricto.Valor) error {
	var err error
	if d.Medidas, err = m["medidas"].Textos(); err != nil {
		return err
	}
	porMedida := map[string]*polaridades{}
	for _, id := range d.Medidas {
		if !algebra.IDValido(id) {
			return m["medidas"].Error("«%s» no es el id de una medida", algebra.Citar(id))
		}
		porMedida[id] = &polaridades{}
	}
	es, err := m["escenarios"].Elementos()
	if err != nil {
		return err
	}
	mundos, err := m["mundos"].Entero()
	if err != nil {
		return err
	}
	if n, ok := mundos.Int64(); !ok || n != int64(len(es)) {
		return m["mundos"].Error("dice %s y los escenarios son %d", algebra.Citar(mundos.String()), len(es))
	}
	var global polaridades
	visto := map[string]bool{}
	for _, e := range es {
		campos, err := e.Objeto([]string{"id", "evidencia", "referencia_ok", "oracle_al_generar"}, nil)
		if err != nil {
			return err
		}
		id, err := campos["id"].TextoNoVacio()
		if err != nil {
			return err
		}
		if visto[id] {
			return campos["id"].Error("el id «%s» se repite", algebra.Citar(id))
		}
		visto[id] = true
		ok, err := campos["referencia_ok"].Booleano()
		if err != nil {
			return err
		}
		global.ver(ok)
		generar, err := campos["oracle_al_generar"].Objeto([]string{"global_ok", "por_medida"}, nil)
		if err != nil {
			return err
		}
		if _, err := generar["global_ok"].Booleano(); err != nil {
			return err
		}
		dichos, err := generar["por_medida"].Miembros()
		if err != nil {
			return err
		}
		for _, x := range dichos {
			p := porMedida[x.Clave]
			if p == nil {
				return x.Valor.Error("«%s» no está en «medidas»", algebra.Citar(x.Clave))
			}
			ok, levanta, err := dicho(x.Valor)
			if err != nil {
				return err
			}
			if levanta {
				continue
			}
			p.ver(ok)
			d.Casos = append(d.Casos, Caso{Medida: x.Clave, ID: id, OK: ok, Evidencia: string(campos["evidencia"].Crudo())})
		}
	}
	if err := global.exigir(m["escenarios"], "la referencia"); err != nil {
		return err
	}
	for _, id := range d.Medidas {
		if err := porMedida[id].exigir(m["escenarios"], "«"+algebra.Citar(id)+"»"); err != nil {
			return err
		}
	}
	return nil
}

// dicho reads what was said of a measure: a boolean, or {ok, valor?, levanta?}.
func dicho(v estricto.Valor) (ok, levanta bool, err error) {
	if !v.EsObjeto() {
		ok, err = v.Booleano()
		return ok, false, err
	}
	m, err := v.Objeto(nil, []string{"ok", "valor", "levanta"})
	if err != nil {
		return false, false, err
	}
	if x, hay := m["levanta"]; hay && !x.EsNulo() {
		// Either a flag or the name of what was raised.
		if s, err := x.Texto(); err == nil {
			levanta = s != ""
		} else if levanta, err = x.Booleano(); err != nil {
			return false, false, err
		}
	}
	x, hay := m["ok"]
	switch {
	case hay && x.EsNulo() && levanta:
		return false, true, nil
	case hay:
		ok, err = x.Booleano()
		return ok, levanta, err
	case !levanta:
		return false, false, v.Error("falta la clave «ok»")
	}
	return false, true, nil
}
