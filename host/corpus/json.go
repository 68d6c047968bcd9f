package corpus

import (
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

// LeerJSON reads a case from a JSON object with the fields of a «.caso» and no
// other. The error is *[estricto.Error], with the JSON path.
func LeerJSON(texto []byte) (*Caso, error) {
	v, err := estricto.Leer(texto)
	if err != nil {
		return nil, err
	}
	m, err := v.Objeto(
		[]string{"id", "fecha", "origen", "titulo", "etiqueta", "sintoma", "como_se_detecto", "medida", "evidencia", "leccion"},
		[]string{"procedencia", "espera", "estado_sin_medida", "resuelto", "limite_humano", "sin_medida_todavia"})
	if err != nil {
		return nil, err
	}
	c := &Caso{}
	for _, x := range []struct {
		clave    string
		donde    *string
		opciones []string
	}{
		{"id", &c.ID, nil}, {"fecha", &c.Fecha, nil}, {"titulo", &c.Titulo, nil},
		{"procedencia", &c.Procedencia, procede}, {"etiqueta", &c.Etiqueta, etiquetas},
		{"espera", &c.Espera, []string{string(EsperaSinEvidencia)}},
		{"sintoma", &c.Sintoma, nil}, {"como_se_detecto", &c.ComoSeDetecto, detectado},
		{"estado_sin_medida", &c.EstadoSin, nil}, {"resuelto", &c.Resuelto, nil},
		{"limite_humano", &c.LimiteHumano, nil}, {"sin_medida_todavia", &c.SinMedidaAun, nil},
		{"leccion", &c.Leccion, nil},
	} {
		campo, hay := m[x.clave]
		if !hay {
			continue
		}
		if *x.donde, err = campo.Texto(); err != nil {
			return nil, err
		}
		if x.opciones != nil && !slices.Contains(x.opciones, *x.donde) {
			return nil, campo.Error("«%s» no es un valor de %s: %s", algebra.Citar(*x.donde), x.clave, strings.Join(x.opciones, ", "))
		}
	}
	if !IDValido(c.ID) {
		return nil, m["id"].Error("«%s» no es un id de caso: minúsculas y cifras separadas por guiones, con alguna cifra", algebra.Citar(c.ID))
	}
	if c.Espera != "" && c.Etiqueta == VerdeCorrecto {
		return nil, m["espera"].Error("un caso verde_correcto espera verde: no lleva «espera»")
	}
	if !m["medida"].EsNulo() {
		if c.Medida, err = m["medida"].Texto(); err != nil {
			return nil, err
		}
		if !algebra.IDValido(c.Medida) {
			return nil, m["medida"].Error("«%s» no es el id de una medida", algebra.Citar(c.Medida))
		}
	}
	origen, err := m["origen"].Miembros()
	if err != nil {
		return nil, err
	}
	if len(origen) == 0 {
		return nil, m["origen"].Error("el origen tiene al menos un par")
	}
	for _, o := range origen {
		c.Origen = append(c.Origen, Par{o.Clave, o.Valor.Crudo()})
	}
	relaciones, err := m["evidencia"].Miembros()
	if err != nil {
		return nil, err
	}
	if len(relaciones) == 0 {
		return nil, m["evidencia"].Error("la evidencia tiene al menos una relación")
	}
	for _, r := range relaciones {
		x, err := relacionDe(r)
		if err != nil {
			return nil, err
		}
		c.Evidencia = append(c.Evidencia, x)
	}
	return c.terminar(), nil
}

func relacionDe(m estricto.Miembro) (Relacion, error) {
	r := Relacion{Nombre: m.Clave}
	filas, err := m.Valor.Elementos()
	if err != nil {
		return r, err
	}
	for i, f := range filas {
		if i == 0 && f.EsLista() {
			if r.Clave, err = claveDe(f); err != nil {
				return r, err
			}
			continue
		}
		ms, err := f.Miembros()
		if err != nil {
			return r, err
		}
		pares := make([]Par, 0, len(ms))
		for _, p := range ms {
			pares = append(pares, Par{p.Clave, p.Valor.Crudo()})
		}
		r.Filas = append(r.Filas, pares)
	}
	return r, nil
}

// claveDe reads ["clave", [campo, …]].
func claveDe(v estricto.Valor) ([]string, error) {
	es, err := v.Elementos()
	if err != nil {
		return nil, err
	}
	if len(es) == 2 {
		if s, err := es[0].Texto(); err == nil && s == "clave" {
			campos, err := es[1].Textos()
			if err == nil && len(campos) == 0 {
				err = es[1].Error("la clave tiene al menos un campo")
			}
			return campos, err
		}
	}
	return nil, v.Error(`se esperaba ["clave", [campo, …]]`)
}
