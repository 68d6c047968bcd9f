package macro

import (
	"fmt"
	"regexp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Cabeza is the first element of the canonical form of a macro.
const Cabeza = "defmacro"

// CabezaDeHueco is the first element of a hole, ["$", parameter].
const CabezaDeHueco = "$"

var (
	formaDeNombre    = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)
	formaDeParametro = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
)

// NombreValido reports whether s is spelled as the name of a macro: an
// identifier where «-» may follow the first character.
func NombreValido(s string) bool { return formaDeNombre.MatchString(s) }

// Reservada reports whether s is a word of the language, which no macro may
// take as its name.
func Reservada(s string) bool {
	switch s {
	case "medida", "defmacro", "guarda", "sintaxis", "desde", "de", "unir", "donde", "sin",
		"agrupar", "clave", "agregado", "resumen", "umbral", "segun", "porque", "requiere",
		"filas", "ambito", "alcance", "campo", "hecho", "col", "y", "o", "no", "true", "false",
		"null", "contar", "suma", "promedio", "min", "max", "mas", "menos", "por", "cerca",
		"contiene", "sin_declarar":
		return true
	}
	return false
}

// Guarda is a condition on the arguments of an invocation.
type Guarda struct {
	Condicion algebra.Nodo // may have holes
	Mensaje   string       // what to tell when it does not hold
}

// Macro is a declared macro. It is immutable; only [Declarar] builds one.
type Macro struct {
	nombre     string
	parametros []string
	indice     map[string]int
	guardas    []Guarda
	plantilla  algebra.Nodo
	canonica   algebra.Nodo
}

// Nombre returns the macro's name.
func (m *Macro) Nombre() string { return m.nombre }

// Parametros returns the parameters in order; the first one is the id of the
// measure. The slice is the macro's own: do not change it.
func (m *Macro) Parametros() []string { return m.parametros }

// Guardas returns the guards in order. Do not change the slice.
func (m *Macro) Guardas() []Guarda { return m.guardas }

// Plantilla returns the template, with its holes.
func (m *Macro) Plantilla() algebra.Nodo { return m.plantilla }

// Canonica returns the ["defmacro", …] form the macro was declared with.
func (m *Macro) Canonica() algebra.Nodo { return m.canonica }

// Hueco returns the parameter a node is a hole for, and whether it is one.
func Hueco(n algebra.Nodo) (parametro string, ok bool) {
	if n.Largo() != 2 || n.Cabeza() != CabezaDeHueco {
		return "", false
	}
	return n.Hijo(1).Texto()
}

// Declarar checks the canonical form of a macro and returns it. A parameter
// that is repeated or that nothing uses, an unknown hole, and a name that is a
// word of the language are refused, as any other shape is: the error is
// *[algebra.ErrorDeCarga] with the canonical path inside the form, or
// *[algebra.LimiteError] for nodes over lim (lenguaje §7).
func Declarar(n algebra.Nodo, lim algebra.LimitesAlgebra) (*Macro, error) {
	lim = lim.Completos()
	if total := n.Contar(lim.NodosDeMedida); total > lim.NodosDeMedida {
		return nil, &algebra.LimiteError{Nombre: algebra.LimiteNodosDeMedida, Observado: total, Limite: lim.NodosDeMedida}
	}
	if !n.EsLista() || n.Cabeza() != Cabeza || n.Largo() != 5 {
		return nil, errorEn(nil, `se esperaba ["defmacro", nombre, [parámetro…], [["guarda", expr, mensaje]…], plantilla]`)
	}
	m := &Macro{canonica: n, plantilla: n.Hijo(4), indice: map[string]int{}}
	var ok bool
	if m.nombre, ok = n.Hijo(1).Texto(); !ok || !NombreValido(m.nombre) {
		return nil, errorEn(algebra.Ruta{1}, "el nombre de una macro lleva letras sin acento, dígitos, «_» y «-», y no empieza con dígito ni «-»")
	}
	if Reservada(m.nombre) {
		return nil, errorEn(algebra.Ruta{1}, "«%s» es una palabra del lenguaje: una macro no puede llamarse así", m.nombre)
	}
	if err := m.leerParametros(n.Hijo(2)); err != nil {
		return nil, err
	}
	if err := m.leerGuardas(n.Hijo(3)); err != nil {
		return nil, err
	}
	if !m.plantilla.EsLista() || m.plantilla.Cabeza() == "" || m.plantilla.Cabeza() == Cabeza || m.plantilla.Cabeza() == CabezaDeHueco {
		return nil, errorEn(algebra.Ruta{4}, "la plantilla tiene que ser una medida o la invocación de otra macro")
	}
	usado := make([]bool, len(m.parametros))
	if err := m.revisarHuecos(n.Hijo(3), algebra.Ruta{3}, usado); err != nil {
		return nil, err
	}
	if err := m.revisarHuecos(m.plantilla, algebra.Ruta{4}, usado); err != nil {
		return nil, err
	}
	for i, u := range usado {
		if !u {
			return nil, errorEn(algebra.Ruta{2, i}, "el parámetro «%s» no se usa", algebra.Citar(m.parametros[i]))
		}
	}
	return m, nil
}

func (m *Macro) leerParametros(n algebra.Nodo) error {
	if !n.EsLista() || n.Largo() == 0 {
		return errorEn(algebra.Ruta{2}, "se esperaba la lista de parámetros, con el id adelante")
	}
	for i, h := range n.Hijos() {
		p, ok := h.Texto()
		if !ok || !formaDeParametro.MatchString(p) {
			return errorEn(algebra.Ruta{2, i}, "un parámetro lleva letras sin acento, dígitos y «_», y no empieza con dígito")
		}
		if _, repetido := m.indice[p]; repetido {
			return errorEn(algebra.Ruta{2, i}, "el parámetro «%s» se repite", algebra.Citar(p))
		}
		m.indice[p] = i
		m.parametros = append(m.parametros, p)
	}
	return nil
}

func (m *Macro) leerGuardas(n algebra.Nodo) error {
	if !n.EsLista() {
		return errorEn(algebra.Ruta{3}, "se esperaba la lista de guardas, que puede ser vacía")
	}
	for i, h := range n.Hijos() {
		if !h.EsLista() || h.Cabeza() != "guarda" || h.Largo() != 3 {
			return errorEn(algebra.Ruta{3, i}, `se esperaba ["guarda", condición, mensaje]`)
		}
		mensaje, ok := h.Hijo(2).Texto()
		if !ok || mensaje == "" {
			return errorEn(algebra.Ruta{3, i, 2}, "el mensaje de una guarda es un texto no vacío")
		}
		m.guardas = append(m.guardas, Guarda{h.Hijo(1), mensaje})
	}
	return nil
}

// revisarHuecos marks the parameters the holes of n use.
func (m *Macro) revisarHuecos(n algebra.Nodo, ruta algebra.Ruta, usado []bool) error {
	if n.Cabeza() == CabezaDeHueco {
		p, ok := Hueco(n)
		if !ok {
			return errorEn(ruta, `un hueco se escribe ["$", parámetro]`)
		}
		i, existe := m.indice[p]
		if !existe {
			return errorEn(ruta, "el hueco «$%s» no es un parámetro de la macro", algebra.Citar(p))
		}
		usado[i] = true
		return nil
	}
	for i, h := range n.Hijos() {
		// One path is shared by the walk; errorEn copies it into a text.
		if err := m.revisarHuecos(h, append(ruta, i), usado); err != nil {
			return err
		}
	}
	return nil
}

func errorEn(ruta algebra.Ruta, formato string, args ...any) error {
	return &algebra.ErrorDeCarga{Clase: algebra.ClaseForma, Ruta: ruta.String(), Motivo: fmt.Sprintf(formato, args...)}
}
