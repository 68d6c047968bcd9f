package estrella

import (
	"errors"
	"testing"

	"go.starlark.net/resolve"
	"go.starlark.net/starlark"
	"go.starlark.net/syntax"
)

// Sources that do not load, and what their author reads.
func TestSintaxisEnCastellano(t *testing.T) {
	for fuente, quiero := range map[string]string{
		"x = ":                           "se esperaba una expresión; llegó el fin del archivo",
		"def f(:\n  pass":                "se esperaba ')'; llegó ':'",
		"x = (1":                         "se esperaba ')'; llegó el fin del archivo",
		"x = [1 2]":                      "se esperaba ']'; llegó un entero",
		"def f():\nreturn 1":             "se esperaba más sangría; llegó return",
		"x = 'a":                         "el texto no termina: falta la comilla que lo cierra",
		"x = 'a\n'":                      "el texto no termina en su línea: falta la comilla que lo cierra",
		"x = 1 $ 2":                      "acá no va '$'",
		"def f():\n    x\n  y":           "la sangría no coincide con la de ninguna línea de afuera",
		"x = 0x":                         "un número mal escrito",
		"x = 017":                        "un octal se escribe 0o17",
		`x = '\q'`:                       `no hay un escape \q`,
		"x = 1 < 2 < 3":                  "«<» y «<» no se encadenan: poné paréntesis",
		"f(a.b=1)":                       "un argumento con nombre se escribe nombre=valor",
		"load(x)":                        "lo primero que lleva load es un texto entre comillas",
		"load('math.star')":              "load tiene que traer algo",
		"load('math.star', x=y)":         "el nombre que load trae va entre comillas",
		"load('math.star', '_a')":        "load: «_a» empieza con guión bajo, y esos no se traen",
		"break":                          "«break» fuera de un lazo",
		"return 1":                       "un return fuera de una función",
		"if True:\n  x = 1":              "un if fuera de una función",
		"def f():\n  load('a','b')":      "load va suelto en el archivo, no adentro de otra cosa",
		"x = 1\nx = 2":                   "«x» ya tiene valor: no se vuelve a asignar",
		"def f(indent, indent):\n  pass": "el parámetro «indent» está repetido",
		"1 = 2":                          "no se puede asignar ahí",
		"len(a=1, a=2)":                  `el argumento "a" está repetido`,
		"len(*[], *[])":                  "«*» va una sola vez",
		"len(a=1, 2)":                    "ese argumento no va después de uno con nombre",
		"def f(a=1, b):\n  pass":         "ese parámetro no va después de uno opcional",
		"def f(*):\n  pass":              "después de un * suelto van parámetros con nombre",
		"y = noesta":                     "«noesta» no está definido",
	} {
		_, _, err := starlark.SourceProgramOptions(&syntax.FileOptions{}, "e.star", fuente, func(s string) bool { _, ok := starlark.Universe[s]; return ok })
		mensaje := ""
		var uno syntax.Error
		var varios resolve.ErrorList
		switch {
		case errors.As(err, &uno):
			mensaje = uno.Msg
		case errors.As(err, &varios):
			mensaje = varios[0].Msg
		}
		if dice := traducir(mensaje); dice != quiero {
			t.Errorf("%q: %q says %q, want %q", fuente, mensaje, dice, quiero)
		}
	}
}
