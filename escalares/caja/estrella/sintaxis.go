package estrella

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
)

// frasesDeSintaxis are all the messages of Starlark's scanner, parser and
// resolver (packages syntax and resolve), but for those that name something of
// the dialect's options, which are fixed.
var frasesDeSintaxis = sync.OnceValue(func() []frase {
	var fs []frase
	for _, f := range [][2]string{
		{`^got (.+) after expression, want EOF$`, "sobra $1 después de la expresión"},
		{`^got (.+), want (.+), for, or if$`, "se esperaba $2, for o if; llegó $1"},
		{`^got (.+), want (.+)$`, "se esperaba $2; llegó $1"},
		{`^invalid syntax$`, "sintaxis inválida"},
		{`^unexpected EOF in string$`, "el texto no termina: falta la comilla que lo cierra"},
		{`^unexpected newline in string$`, "el texto no termina en su línea: falta la comilla que lo cierra"},
		{`^unexpected (?:input character )?(.+)$`, "acá no va $1"},
		{`^unindent does not match any outer indentation level$`, "la sangría no coincide con la de ninguna línea de afuera"},
		{`^stray backslash in program$`, "una barra invertida suelta"},
		{`^invalid (hex|octal|binary|float|int) literal$`, "un número mal escrito"},
		{`^obsolete form of octal literal; use (.+)$`, "un octal se escribe $1"},
		{`^(?:string literal too short|string literal has invalid quotes)$`, "un texto mal escrito"},
		{`^truncated escape sequence (.*)$`, `el escape $1 está cortado`},
		{`^invalid escape sequence (.+)$`, "no hay un escape $1"},
		{`^non-ASCII (?:octal|hex) escape (\S+) .*$`, `el escape $1 no es ASCII: se escribe con \u`},
		{`^code point out of range: (\S+) .*$`, "no hay un carácter $1"},
		{`^invalid Unicode code point (.+)$`, "no hay un carácter $1"},
		{`^(\S+) does not associate with (\S+) \(use parens\)$`, "«$1» y «$2» no se encadenan: poné paréntesis"},
		{`^keyword argument must have form name=expr$`, "un argumento con nombre se escribe nombre=valor"},
		{`^first operand of load statement must be a string literal$`, "lo primero que lleva load es un texto entre comillas"},
		{`^load operand must be .*$`, `load lleva "nombre", o acá="nombre"`},
		{`^original name of loaded symbol must be quoted: .*$`, "el nombre que load trae va entre comillas"},
		{`^load statement must import at least 1 symbol$`, "load tiene que traer algo"},
		{`^(break|continue) not in a loop$`, "«$1» fuera de un lazo"},
		{`^(if statement|for loop|while loop|return statement) not within a function$`, "$1 fuera de una función"},
		{`^load statement within a (function|loop|conditional)$`, "load va suelto en el archivo, no adentro de otra cosa"},
		{`^load: empty identifier$`, "load: un nombre vacío"},
		{`^load: names with leading underscores are not exported: (.+)$`, "load: «$1» empieza con guión bajo, y esos no se traen"},
		{`^cannot reassign (?:top-level|global|local) (\S+).*$`, "«$1» ya tiene valor: no se vuelve a asignar"},
		{`^can't use (tuple|list) expression in augmented assignment$`, "una asignación con operador no lleva varios destinos"},
		{`^can't assign to (.+)$`, "no se puede asignar ahí"},
		{`^multiple (\*\*?)(args|kwargs| parameters) not allowed$`, "«$1» va una sola vez"},
		{`^(?:\*args|keyword argument|positional argument) may not follow (.+)$`, "ese argumento no va después de $1"},
		{`^keyword argument (.+) is repeated$`, "el argumento $1 está repetido"},
		{`^(\d+) (positional|keyword) arguments in call, limit is 255$`, "la llamada lleva $1 argumentos y no puede pasar de 255"},
		{`^(?:required|optional|\*) parameter may not follow (.+)$`, "ese parámetro no va después de $1"},
		{`^duplicate parameter: (.+)$`, "el parámetro «$1» está repetido"},
		{`^bare \* must be followed by keyword-only parameters$`, "después de un * suelto van parámetros con nombre"},
	} {
		fs = append(fs, frase{regexp.MustCompile(f[0]), f[1]})
	}
	return fs
})

// fichas are the parser's names of what is not written as it is called.
var fichas = map[string]string{
	"primary expression": "una expresión", "end of file": "el fin del archivo", "newline": "un fin de línea",
	"indent": "más sangría", "outdent": "menos sangría", "identifier": "un nombre", "int literal": "un entero",
	"float literal": "un flotante", "string literal": "un texto", "illegal token": "algo ilegible",
	"if statement": "un if", "for loop": "un for", "while loop": "un while", "return statement": "un return",
	"named": "uno con nombre", "optional": "uno opcional",
}

// traducirSintaxis says a message of the scanner, the parser or the resolver in
// Spanish, and reports whether it knows it. What a phrase puts between « and »
// is a name of the author's and stays as it is.
func traducirSintaxis(s string) (string, bool) {
	for _, f := range frasesDeSintaxis() {
		m := f.patron.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		var pares []string
		for i, g := range m[1:] {
			n := fmt.Sprintf("$%d", i+1)
			pares = append(pares, "«"+n+"»", "«"+g+"»")
			if t, ok := fichas[g]; ok {
				g = t
			}
			pares = append(pares, n, g)
		}
		return strings.NewReplacer(pares...).Replace(f.texto), true
	}
	return "", false
}
