package algebra

import (
	"io"
	"slices"
	"strings"
)

// Evidencia maps relations to bags of facts (lenguaje §1). It is immutable and
// safe for concurrent use; [LeerEvidencia] builds one. The zero value has no
// relations.
type Evidencia struct {
	relaciones []*Relacion // in order of arrival
	indice     map[string]*Relacion
}

// Relacion returns the relation with that name, or nil when the evidence does
// not bring it: an empty one and an absent one are different things.
func (e *Evidencia) Relacion(nombre string) *Relacion { return e.indice[nombre] }

// Relaciones returns the relations in order of arrival. Do not modify it.
func (e *Evidencia) Relaciones() []*Relacion { return e.relaciones }

// AppendJSON appends the evidence as canonical JSON, relations and fields by
// code point, rows in order of arrival, the «clave» node first where there is
// one: what entrada_sha256 signs (proyecto §7).
func (e *Evidencia) AppendJSON(b []byte) []byte {
	b, _ = e.volcar(b, func(b []byte) ([]byte, error) { return b, nil })
	return b
}

// WriteJSON writes what [Evidencia.AppendJSON] appends, a piece at a time. The
// error is w's.
func (e *Evidencia) WriteJSON(w io.Writer) error {
	const trozo = 32 << 10
	b, err := e.volcar(make([]byte, 0, 2*trozo), func(b []byte) ([]byte, error) {
		if len(b) < trozo {
			return b, nil
		}
		_, err := w.Write(b)
		return b[:0], err
	})
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}

// volcar appends the evidence, handing over what there is after each row.
func (e *Evidencia) volcar(b []byte, pasar func([]byte) ([]byte, error)) ([]byte, error) {
	orden := slices.Clone(e.relaciones)
	slices.SortFunc(orden, func(a, b *Relacion) int { return strings.Compare(a.Nombre, b.Nombre) })
	b = append(b, '{')
	for i, r := range orden {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(AppendTexto(b, r.Nombre), ':', '[')
		if r.clave != nil {
			b = append(b, `["clave",[`...)
			for k, c := range r.clave {
				if k > 0 {
					b = append(b, ',')
				}
				b = AppendTexto(b, c)
			}
			b = append(b, "]]"...)
		}
		for f := range r.n {
			if f > 0 || r.clave != nil {
				b = append(b, ',')
			}
			var err error
			if b, err = pasar(r.AppendFila(b, f)); err != nil {
				return b, err
			}
		}
		b = append(b, ']')
	}
	return append(b, '}'), nil
}

// Relacion is a bag of facts in columns. It is immutable.
type Relacion struct {
	Nombre string

	n      int
	clave  []string
	campos []campoLeido
	indice map[string]int32 // nil while a look over campos is as quick
	// formas are the distinct sets of fields rows have, each by code point of
	// the name; formaDe tells each row's, and is nil when all have the first.
	formas  [][]int32
	formaDe []int32
}

// Largo returns the number of rows.
func (r *Relacion) Largo() int { return r.n }

// Clave returns the fields of the uniqueness key, nil when none was declared.
func (r *Relacion) Clave() []string { return r.clave }

// Campos returns the names of the fields any row has, in order of appearance.
func (r *Relacion) Campos() []string {
	nombres := make([]string, len(r.campos))
	for i := range r.campos {
		nombres[i] = r.campos[i].nombre
	}
	return nombres
}

// Valor returns a row's field and whether the row has it.
func (r *Relacion) Valor(fila int, campo string) (Valor, bool) {
	i, ok := r.buscar(campo)
	if !ok {
		return nil, false
	}
	return r.campos[i].valor(fila)
}

// pocosCampos is up to how many fields are looked for one by one.
const pocosCampos = 8

// buscar returns the place of a field.
func (r *Relacion) buscar(campo string) (int32, bool) {
	if r.indice != nil {
		i, ok := r.indice[campo]
		return i, ok
	}
	for i := range r.campos {
		if r.campos[i].nombre == campo {
			return int32(i), true
		}
	}
	return 0, false
}

// nuevoCampo adds a field.
func (r *Relacion) nuevoCampo(c campoLeido) int32 {
	i := int32(len(r.campos))
	r.campos = append(r.campos, c)
	switch {
	case r.indice != nil:
		r.indice[c.nombre] = i
	case len(r.campos) > pocosCampos:
		r.indice = make(map[string]int32, 2*pocosCampos)
		for k := range r.campos {
			r.indice[r.campos[k].nombre] = int32(k)
		}
	}
	return i
}

// CamposDeFila returns the names of the fields a row has, by code point.
func (r *Relacion) CamposDeFila(fila int) []string {
	forma := r.forma(fila)
	nombres := make([]string, len(forma))
	for i, c := range forma {
		nombres[i] = r.campos[c].nombre
	}
	return nombres
}

func (r *Relacion) forma(fila int) []int32 {
	if r.formaDe == nil {
		return r.formas[0]
	}
	return r.formas[r.formaDe[fila]]
}

// AppendFila appends a row as a JSON object, its fields by code point.
func (r *Relacion) AppendFila(b []byte, fila int) []byte {
	b = append(b, '{')
	for i, c := range r.forma(fila) {
		if i > 0 {
			b = append(b, ',')
		}
		campo := &r.campos[c]
		b = append(AppendTexto(b, campo.nombre), ':')
		v, _ := campo.valor(fila)
		b = AppendJSON(b, v)
	}
	return append(b, '}')
}

// bytes estimates what the relation's columns occupy.
func (r *Relacion) bytes() int64 {
	total := int64(r.n) * 4
	for i := range r.campos {
		total += r.campos[i].bytes()
	}
	return total
}

// porNombre sorts fields by code point of their names.
func (r *Relacion) porNombre(campos []int32) {
	slices.SortFunc(campos, func(i, j int32) int { return strings.Compare(r.campos[i].nombre, r.campos[j].nombre) })
}
