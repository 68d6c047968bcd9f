package estrella

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.starlark.net/starlark"
)

// cargador collects what a file declares while it loads.
type cargador struct {
	archivo  string
	vistas   map[string]bool // reserved or already declared
	externas []Declaracion
	cerrado  bool
}

// maxAridad bounds the parameters of a scalar.
const maxAridad = 255

// escalar is the built-in that declares a scalar (escalares §2).
func (c *cargador) escalar(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
	if c.cerrado {
		return nil, fmt.Errorf("escalar: sólo se declara al cargar el archivo")
	}
	var (
		nombre, unidad string
		funcion        starlark.Value
		unidades       starlark.Value = starlark.Tuple{}
	)
	err := starlark.UnpackArgs("escalar", args, kwargs,
		"nombre", &nombre, "funcion", &funcion, "unidad?", &unidad, "unidades_argumentos?", &unidades)
	if err != nil {
		return nil, c.error(t, traducir(err.Error()))
	}
	d := Declaracion{Nombre: nombre, Unidad: unidad}
	switch {
	case !nombreValido(nombre):
		return nil, c.error(t, fmt.Sprintf("escalar: «%s» no es un nombre: minúsculas sin acento, cifras y «_», y empieza con una letra", recortarCita(nombre)))
	case c.vistas[nombre]:
		return nil, c.error(t, fmt.Sprintf("escalar: «%s» ya está declarada o es una palabra del lenguaje", nombre))
	case unidad != "" && !unidadValida(unidad):
		return nil, c.error(t, fmt.Sprintf("escalar «%s»: la unidad tiene que ser un texto de una línea", nombre))
	}
	f, ok := funcion.(*starlark.Function)
	if !ok {
		return nil, c.error(t, fmt.Sprintf("escalar «%s»: se esperaba una función escrita con def o lambda; llegó %s", nombre, NombreDeTipo(funcion.Type())))
	}
	if motivo := d.firma(f); motivo != "" {
		return nil, c.error(t, fmt.Sprintf("escalar «%s»: %s", nombre, motivo))
	}
	if motivo := d.unidades(unidades); motivo != "" {
		return nil, c.error(t, fmt.Sprintf("escalar «%s»: %s", nombre, motivo))
	}
	c.vistas[nombre] = true
	c.externas = append(c.externas, d)
	return starlark.None, nil
}

// error places a fault at the call of escalar.
func (c *cargador) error(t *starlark.Thread, motivo string) error {
	e := &Error{Motivo: motivo}
	for i := range t.CallStackDepth() {
		if pos := t.CallFrame(i).Pos; pos.Filename() == c.archivo && pos.Line > 0 {
			e.Linea, e.Columna = int(pos.Line), int(pos.Col)
			break
		}
	}
	return e
}

// firma takes the arity from the function's parameters.
func (d *Declaracion) firma(f *starlark.Function) string {
	switch {
	case f.HasKwargs():
		return "no puede llevar «**»"
	case f.NumParams() > maxAridad:
		return fmt.Sprintf("lleva %d parámetros y puede llevar %d", f.NumParams(), maxAridad)
	}
	d.funcion = f
	posicionales := f.NumParams()
	if f.HasVarargs() {
		posicionales--
	}
	posicionales -= f.NumKwonlyParams()
	for i := range posicionales {
		if f.ParamDefault(i) == nil {
			d.Min++
		}
	}
	for i := posicionales; i < posicionales+f.NumKwonlyParams(); i++ {
		if f.ParamDefault(i) == nil {
			nombre, _ := f.Param(i)
			return fmt.Sprintf("el parámetro «%s» es obligatorio y sólo se pasa por nombre", nombre)
		}
	}
	d.Max = posicionales
	if f.HasVarargs() {
		d.Max = -1
	}
	return ""
}

// unidades takes the units of the arguments: none, or one for each parameter.
func (d *Declaracion) unidades(v starlark.Value) string {
	const forma = "unidades_argumentos tiene que ser una tupla o lista de textos no vacíos de una línea"
	lista, ok := v.(starlark.Sequence)
	if !ok || (v.Type() != "tuple" && v.Type() != "list") {
		return forma
	}
	n := lista.Len()
	if n == 0 {
		return ""
	}
	if d.Max < 0 {
		return "una función variádica no lleva unidades_argumentos"
	}
	if n != d.Max {
		return fmt.Sprintf("unidades_argumentos trae %d y la función lleva %d argumentos", n, d.Max)
	}
	it := lista.Iterate()
	defer it.Done()
	var x starlark.Value
	for it.Next(&x) {
		u, ok := starlark.AsString(x)
		if !ok || !unidadValida(u) {
			return forma
		}
		d.UnidadesArgumentos = append(d.UnidadesArgumentos, u)
	}
	return ""
}

// nombreValido reports whether s is ^[a-z][a-z0-9_]*$ and of a sensible length.
func nombreValido(s string) bool {
	if s == "" || len(s) > 128 || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	for _, c := range []byte(s) {
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '_') {
			return false
		}
	}
	return true
}

// unidadValida reports whether s is one line of something that can be read.
func unidadValida(s string) bool {
	return strings.TrimSpace(s) != "" && len(s) <= 128 && utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
	})
}

// recortarCita shortens what a message quotes.
func recortarCita(s string) string {
	if r := []rune(recortar(s)); len(r) > 120 {
		return string(r[:120]) + "…"
	}
	return recortar(s)
}
