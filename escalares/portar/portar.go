// Package portar translates a file of scalars written in Python to the
// escalares.star that the box runs (especificación «escalares» §5).
//
// What it writes gives the same results as the original, value by value, or
// fails where it would not: what Starlark says differently is written with a
// helper that the ported file carries, and what it cannot say is refused with
// its line. [Portar] runs nothing and touches no file.
//
// These differences are left. A generator inside any, all, min, max or sum is
// computed whole, so it may fail on an element Python would not have reached.
// «**» over floats is the exact product rounded once, and C's pow, which Python
// calls, misses that in the last digit about once in a thousand. An
// intermediate infinity or NaN, which takes values near 1e308, compares in
// another way. And sum adds from left to right, as Python did before 3.12.
package portar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/escalares/portar/python"
)

// TamanoMaximo is how many bytes a file to port may have.
const TamanoMaximo = 1 << 20

// Opciones change what is refused. The zero value refuses whatever might
// differ.
type Opciones struct {
	// UltimoDigito accepts the functions of math whose last digit is not the
	// same in Go and in the C library: sin, exp, log, hypot and the like.
	UltimoDigito bool
}

// Rechazo is one thing that has no translation. Linea and Columna count from
// one, the column in code points.
type Rechazo struct {
	Linea, Columna int
	Motivo         string // in Spanish, without a final period
}

// Error says why a file was not ported: everything found, in order of line.
type Error struct {
	Archivo  string
	Rechazos []Rechazo
}

// Error returns a line for each refusal.
func (e *Error) Error() string {
	var b strings.Builder
	for i, r := range e.Rechazos {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s:%d:%d: %s", e.Archivo, r.Linea, r.Columna, r.Motivo)
	}
	return b.String()
}

// maxRechazos bounds what one error lists.
const maxRechazos = 100

// Portar translates a file; archivo is its name, for messages. The error is an
// *[Error].
func Portar(archivo string, fuente []byte, op Opciones) ([]byte, error) {
	uno := func(linea, columna int, motivo string) error {
		return &Error{archivo, []Rechazo{{linea, columna, motivo}}}
	}
	if len(fuente) > TamanoMaximo {
		return nil, uno(1, 1, fmt.Sprintf("el archivo tiene %d bytes y puede tener %d", len(fuente), TamanoMaximo))
	}
	m, err := python.Leer(fuente)
	if err != nil {
		e := err.(*python.Error)
		return nil, uno(e.Linea, e.Columna, e.Motivo)
	}
	p := &portador{
		op: op, archivo: archivo, modulo: m,
		funciones: map[string]*python.Funcion{}, constantes: map[string]python.Expr{},
		math: map[string]string{}, decoradores: map[string]bool{"escalar": true}, tipados: map[string]bool{},
		usados: map[string]bool{}, tipos: map[string]tipo{},
	}
	texto := p.todo()
	if len(p.rechazos) > 0 {
		slices.SortStableFunc(p.rechazos, func(a, b Rechazo) int {
			if a.Linea != b.Linea {
				return a.Linea - b.Linea
			}
			return a.Columna - b.Columna
		})
		p.rechazos = slices.Compact(p.rechazos)
		return nil, &Error{archivo, p.rechazos[:min(len(p.rechazos), maxRechazos)]}
	}
	return []byte(texto), nil
}

// portador is one translation.
type portador struct {
	op       Opciones
	archivo  string
	modulo   *python.Modulo
	prefijo  string
	rechazos []Rechazo

	funciones   map[string]*python.Funcion
	constantes  map[string]python.Expr
	math        map[string]string // name in the file → function of math, "" the module
	decoradores map[string]bool   // names that are the decorator
	tipados     map[string]bool   // names imported for annotations only
	usados      map[string]bool   // helpers
	conMath     bool
	tipos       map[string]tipo // of the constants

	b          strings.Builder
	comentario int // next comment to write
	ambito     *ambito
}

func (p *portador) rechazar(pos python.Pos, formato string, a ...any) {
	p.rechazos = append(p.rechazos, Rechazo{pos.Linea, pos.Columna, fmt.Sprintf(formato, a...)})
}

// ayuda marks a helper as used and returns its name.
func (p *portador) ayuda(nombre string) string {
	p.usados[nombre] = true
	return p.prefijo + nombre
}

// todo translates the module.
func (p *portador) todo() string {
	p.prefijo = p.elegirPrefijo()
	p.recorrer()
	p.sinRecursion()
	for i, s := range p.modulo.Cuerpo {
		p.sentenciaDeModulo(i, s)
	}
	p.comentariosHasta(1 << 30)

	ayuda, math := escribirAyudantes(p.usados, p.prefijo)
	var b strings.Builder
	fmt.Fprintf(&b, "# Portado de %s.\n", limpiar(p.archivo))
	if math || p.conMath {
		b.WriteString("load(\"math.star\", \"math\")\n")
	}
	b.WriteString(ayuda)
	b.WriteString("\n")
	b.WriteString(strings.TrimLeft(p.b.String(), "\n"))
	return b.String()
}

// limpiar makes one line of a name.
func limpiar(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

// elegirPrefijo finds one for the helpers that no name of the file begins with.
func (p *portador) elegirPrefijo() string {
	hay := map[string]bool{}
	recorrerNombres(p.modulo.Cuerpo, func(n string) { hay[n] = true })
	for i := 0; ; i++ {
		prefijo := "py_"
		if i > 0 {
			prefijo = fmt.Sprintf("py%d_", i)
		}
		libre := true
		for n := range hay {
			libre = libre && !strings.HasPrefix(n, prefijo)
		}
		if libre {
			return prefijo
		}
	}
}

// recorrer finds what the module declares before anything is written.
func (p *portador) recorrer() {
	vistos := map[string]bool{}
	declarar := func(pos python.Pos, n string) {
		if vistos[n] {
			p.rechazar(pos, "«%s» ya está definido: un nombre del módulo se asigna una sola vez", n)
		}
		vistos[n] = true
		p.nombrable(pos, n)
	}
	for _, s := range p.modulo.Cuerpo {
		if f, ok := s.(*python.Funcion); ok {
			p.funciones[f.Nombre] = f
		}
	}
	for _, s := range p.modulo.Cuerpo {
		if i, ok := s.(*python.Importar); ok {
			p.importar(i)
		}
	}
	for _, s := range p.modulo.Cuerpo {
		switch s := s.(type) {
		case *python.Funcion:
			declarar(s.Pos, s.Nombre)
		case *python.Asignacion:
			if p.esDeTipos(s) {
				continue
			}
			for _, d := range s.Destinos {
				for _, n := range nombresDe(d) {
					declarar(s.Pos, n)
					p.constantes[n] = nil
				}
				if n, ok := d.(*python.Nombre); ok {
					p.constantes[n.Id] = s.Valor
				}
			}
		}
	}
}

// nombrable rejects a name that Starlark keeps for itself.
func (p *portador) nombrable(pos python.Pos, n string) {
	if n == "load" || n == "escalar" && !p.decoradores[n] {
		p.rechazar(pos, "«%s» es una palabra de Starlark: cambiale el nombre", n)
	}
	for _, r := range n {
		// Starlark takes any letter but does not normalize it as Python does.
		if r > 127 && (r < 0xc0 || r > 0x17e || strings.ContainsRune("\u0132\u0133\u013f\u0140\u0149", r)) {
			p.rechazar(pos, "el nombre «%s» lleva una letra que se puede leer de dos maneras: cambialo", limpiar(n))
			break
		}
	}
}

// importar notes what an import brings: math, the decorator, or annotations.
func (p *portador) importar(s *python.Importar) {
	switch {
	case s.Modulo == "math" && s.Nombre == "":
		p.math[s.Alias] = ""
	case s.Modulo == "math":
		p.math[s.Alias] = s.Nombre
	case s.Modulo == "__future__" && s.Nombre != "":
	case s.Modulo == "typing" || s.Modulo == "typing_extensions" || s.Modulo == "collections.abc" || s.Modulo == "numbers" && s.Nombre == "":
		p.tipados[s.Alias] = true
	case s.Nombre == "escalar":
		p.decoradores[s.Alias] = true
	case s.Nombre == "" && p.decora(s.Alias):
	default:
		p.rechazar(s.Pos, "no se porta «import %s»: una escalar sólo puede usar math", s.Modulo)
	}
}

// esDeTipos reports whether an assignment only names a type for annotations.
func (p *portador) esDeTipos(s *python.Asignacion) bool {
	hay := false
	recorrerExpr(s.Valor, func(e python.Expr) {
		if n, ok := e.(*python.Nombre); ok && p.tipados[n.Id] {
			hay = true
		}
	})
	return hay
}

// sinRecursion rejects functions that reach themselves.
func (p *portador) sinRecursion() {
	llama := map[string][]string{}
	for n, f := range p.funciones {
		recorrerNombres(f.Cuerpo, func(otro string) {
			if p.funciones[otro] != nil {
				llama[n] = append(llama[n], otro)
			}
		})
	}
	for n, f := range p.funciones {
		vistas := map[string]bool{}
		var seguir func(string) bool
		seguir = func(x string) bool {
			for _, y := range llama[x] {
				if y == n {
					return true
				}
				if !vistas[y] {
					vistas[y] = true
					if seguir(y) {
						return true
					}
				}
			}
			return false
		}
		if seguir(n) {
			p.rechazar(f.Pos, "«%s» se llama a sí misma: en Starlark no hay recursión", n)
		}
	}
}

// decora reports whether a module is there for its decorator.
func (p *portador) decora(modulo string) bool {
	for _, f := range p.funciones {
		for _, d := range f.Decoradores {
			if c, ok := d.(*python.Llamada); ok {
				d = c.Funcion
			}
			if a, ok := d.(*python.Atributo); ok && a.Nombre == "escalar" {
				if n, ok := a.Valor.(*python.Nombre); ok && n.Id == modulo {
					return true
				}
			}
		}
	}
	return false
}
