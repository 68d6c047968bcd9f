package algebra

import (
	"bytes"
	"slices"
	"strings"
)

// constructor builds a relation row by row.
type constructor struct {
	r      *Relacion
	fila   []int32 // the fields of the row being read, in order
	previa []int32 // those of the row before
	formas map[string]int32
	// comunes is empty until prever; then each column of texts has one, and
	// the others nil.
	comunes []*textosComunes
}

func (c *constructor) empezar() { c.previa, c.fila = c.fila, c.previa[:0] }

// previsto guesses the field from its place: rows tend to repeat their order.
func (c *constructor) previsto(crudo []byte) (int32, bool) {
	if k := len(c.fila); k < len(c.previa) {
		i := c.previa[k]
		if campo := &c.r.campos[i]; campo.llano && string(crudo[1:len(crudo)-1]) == campo.nombre {
			c.fila = append(c.fila, i)
			return i, true
		}
	}
	return 0, false
}

func (c *constructor) campo(nombre string, crudo []byte) int32 {
	i, ok := c.r.buscar(nombre)
	if !ok {
		i = c.r.nuevoCampo(campoLeido{nombre: nombre, llano: bytes.IndexByte(crudo, '\\') < 0})
	}
	c.fila = append(c.fila, i)
	return i
}

// cerrar ends the row and notes which set of fields it has.
func (c *constructor) cerrar() {
	r := c.r
	fila := r.n
	r.n++
	if fila > 0 && slices.Equal(c.fila, c.previa) {
		if r.formaDe != nil {
			r.formaDe = append(r.formaDe, r.formaDe[fila-1])
		}
		return
	}
	orden := slices.Clone(c.fila)
	r.porNombre(orden)
	id := c.forma(orden)
	if r.formaDe == nil && id != 0 {
		r.formaDe = make([]int32, fila, fila+1)
	}
	if r.formaDe != nil {
		r.formaDe = append(r.formaDe, id)
	}
}

// forma returns the place of a set of fields among the relation's, adding it if
// it is new.
func (c *constructor) forma(orden []int32) int32 {
	r := c.r
	if len(r.formas) == 0 {
		r.formas = [][]int32{orden}
		return 0
	}
	var b []byte
	clave := func(forma []int32) string {
		b = b[:0]
		for _, i := range forma {
			b = append(b, byte(i), byte(i>>8), byte(i>>16), byte(i>>24))
		}
		return string(b)
	}
	if c.formas == nil {
		c.formas = map[string]int32{}
	}
	if len(r.formas) == 1 {
		c.formas[clave(r.formas[0])] = 0
	}
	k := clave(orden)
	id, ok := c.formas[k]
	if !ok {
		id = int32(len(r.formas))
		r.formas = append(r.formas, orden)
		c.formas[k] = id
	}
	return id
}

// filasDeMuestra is how many rows a relation has before its columns are prepared
// for many more.
const filasDeMuestra = 256

// prever makes room in the columns for the rows still to come, so that they are
// not copied again and again while they grow: as many as objects seem to start
// in what is left of the relation's text. It is a guess, and a hostile text may
// make it too high, but not beyond the rows that fit in so many bytes.
func (c *constructor) prever(resto string) {
	if fin := strings.IndexByte(resto, ']'); fin >= 0 {
		resto = resto[:fin]
	}
	const campoMasCorto = len(`"a":1,`)
	n := min(strings.Count(resto, "{"), len(resto)/(campoMasCorto*len(c.r.campos)+1))
	c.comunes = make([]*textosComunes, len(c.r.campos))
	for i := range c.r.campos {
		campo := &c.r.campos[i]
		if campo.columna == nil || campo.filas != nil {
			continue
		}
		campo.columna.prever(n)
		if campo.columna.Clase == ClaseTextos {
			c.comunes[i] = &textosComunes{}
		}
	}
}

// textosComunes remembers some of the texts a column had, so that equal ones are
// kept as one: whoever goes over the column then looks at few places of memory
// instead of at the whole evidence.
type textosComunes struct {
	vistos   [64]string
	aciertos int // less one for each miss
}

// comun returns a text equal to s, an earlier one if it is at hand. A nil
// receiver remembers none.
func (t *textosComunes) comun(s string) string {
	const rinde = -256 // misses ahead of hits: the texts are all different
	if t == nil || len(s) == 0 || t.aciertos < rinde {
		return s
	}
	n := len(s)
	visto := &t.vistos[(n+int(s[0])*3+int(s[n/2])*5+int(s[n-1])*7)%len(t.vistos)]
	if *visto == s {
		t.aciertos++
		return *visto
	}
	t.aciertos--
	*visto = s
	return s
}

// terminar gives every field its final layout.
func (c *constructor) terminar() *Relacion {
	for i := range c.r.campos {
		c.r.campos[i].terminar(c.r.n)
	}
	return c.r
}
