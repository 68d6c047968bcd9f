package estrella

import (
	"regexp"
	"strings"
	"sync"
)

// frase turns one of Starlark's messages into Spanish.
type frase struct {
	patron *regexp.Regexp
	texto  string
}

// frases are the messages people meet most; the rest is quoted as it is.
var frases = sync.OnceValue(func() []frase {
	var fs []frase
	for _, f := range [][2]string{
		{`^undefined: (\S+).*$`, "«$1» no está definido"},
		{`^function (\S+) called recursively$`, "la función «$1» se llama a sí misma: no hay recursión"},
		{`^(\S+): got (\d+) arguments?, want at most (\d+)$`, "«$1» lleva $3 argumentos como máximo; llegaron $2"},
		{`^(\S+): missing argument for (\S+)$`, "«$1»: falta el argumento «$2»"},
		{`^(\S+): for parameter (\S+): got (\S+), want float or int$`, "«$1»: el argumento «$2» tiene que ser float o int; llegó $3"},
		{`^(\S+): for parameter (\S+): got (\S+), want (\S+)$`, "«$1»: el argumento «$2» tiene que ser $4; llegó $3"},
		{`^(\S+): unexpected keyword argument "?(\w+)"?.*$`, "«$1» no lleva un argumento «$2»"},
		{`^function (\S+) missing (\d+) arguments? \((.+)\)$`, "a «$1» le faltan $2 argumentos: $3"},
		{`^unknown binary op: (\S+) (\S+) (\S+)$`, "no se puede hacer $1 $2 $3"},
		{`^unknown unary op: (\S+) ?(\S+)$`, "no se puede hacer $1 $2"},
		{`^(\S+) not implemented for (\S+)$`, "no hay «$1» entre $2"},
		{`^(\S+) (\S+) (\S+) not implemented$`, "no se puede comparar $1 $2 $3"},
		{`^floating-point division by zero$|^floored division by zero$|^integer modulo by zero$|^floating-point modulo by zero$|^division by zero$`, "división por cero"},
		{`^key (.+) not in dict$`, "no está la clave $1"},
		{`^index (.+) out of range(.*)$`, "índice $1 fuera de rango$2"},
		{`^(\S+) has no \.(\w+) (field or method|attribute).*$`, "$1 no tiene «.$2»"},
		{`^cannot load (\S+): (.+)$`, "no se puede cargar $1: $2"},
		{`^cannot insert into frozen hash table$|^cannot \S+ (?:to )?frozen .*$`, "no se puede modificar un valor congelado"},
		{`^fail: (?s:(.*))$`, "$1"},
		{`^this Starlark dialect does not support (.+)$`, "acá no hay $1"},
		{`^excessive nesting$`, "demasiado anidado"},
		{`^load: name (\S+) not found in module (\S+)$`, "«$2» no trae «$1»"},
		{`^int too large to convert to float$`, "el entero es demasiado grande para un flotante"},
	} {
		fs = append(fs, frase{regexp.MustCompile(f[0]), f[1]})
	}
	return fs
})

// traducir says one of Starlark's messages in Spanish, shortened.
func traducir(s string) string {
	s = recortar(s)
	if s == "" {
		return "falló sin decir por qué"
	}
	if t, ok := traducirSintaxis(s); ok {
		return t
	}
	for _, f := range frases() {
		if f.patron.MatchString(s) {
			if t := strings.TrimSpace(f.patron.ReplaceAllString(s, f.texto)); t != "" {
				return t
			}
			return "falló sin decir por qué"
		}
	}
	return s
}

// NombreDeTipo names a Starlark type in Spanish, for messages.
func NombreDeTipo(tipo string) string {
	switch tipo {
	case "NoneType":
		return "None"
	case "bool":
		return "un booleano"
	case "int":
		return "un entero"
	case "float":
		return "un flotante"
	case "string":
		return "un texto"
	case "bytes":
		return "bytes"
	case "list":
		return "una lista"
	case "tuple":
		return "una tupla"
	case "dict":
		return "un diccionario"
	case "function", "builtin_function_or_method":
		return "una función"
	default:
		return "un valor de tipo " + tipo
	}
}
