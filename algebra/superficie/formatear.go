package superficie

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// nota is how one line that was read is printed.
type nota struct {
	renglon int // where it was
	sangria int
	texto   string
	orden   int  // among the lines of its block, whatever order they came in
	nombres bool // a line of «requiere» with names, that joins the next one
	error   error
}

func (l *lector) anotarTexto(r Renglon, sangria int, texto string) {
	if l.anota {
		l.notas = append(l.notas, nota{renglon: r.Numero, sangria: sangria, texto: texto})
	}
}

func (l *lector) anotarImpresa(r Renglon, sangria int, imprimir func() (string, error)) {
	if l.anota {
		s, err := imprimir()
		l.notas = append(l.notas, nota{renglon: r.Numero, sangria: sangria, texto: s, error: err})
	}
}

func (l *lector) anotar(r Renglon, sangria int, n algebra.Nodo) {
	l.anotarImpresa(r, sangria, func() (string, error) {
		if n.Cabeza() == "de" {
			return parImpreso("de", n)
		}
		return lineaImpresa(n, l.plantilla)
	})
}

func (l *lector) anotarPar(r Renglon, sangria int, palabra string, n algebra.Nodo) {
	l.anotarImpresa(r, sangria, func() (string, error) { return parImpreso(palabra, n) })
}

// anotarColumna notes a line of «agrupar:»; keys are printed before aggregates.
func (l *lector) anotarColumna(r Renglon, sangria int, palabra string, n algebra.Nodo) {
	l.anotarImpresa(r, sangria, func() (string, error) { return columnaImpresa(palabra, n, l.plantilla) })
	if l.anota && palabra == "agregado" {
		l.notas[len(l.notas)-1].orden = 1
	}
}

// anotarArgumento notes a line of an invocation by name; they are printed in
// the order of the parameters.
func (l *lector) anotarArgumento(r Renglon, sangria int, param string, n algebra.Nodo, tipo tipoDeParametro, orden int) {
	l.anotarImpresa(r, sangria, func() (string, error) {
		s, err := valorImpreso(n, tipo, l.plantilla)
		return param + " " + s, err
	})
	if l.anota {
		l.notas[len(l.notas)-1].orden = orden
	}
}

func (l *lector) anotarRequiere(r Renglon, sangria int, entradas []pieza) {
	l.anotarImpresa(r, sangria, func() (string, error) {
		return requiereImpreso(lista(lugar{}, entradas...).nodo.Hijos(), l.plantilla)
	})
	if l.anota {
		l.notas[len(l.notas)-1].nombres = entradas[0].nodo.Cabeza() != "filas"
	}
}

// ordenarNotas puts the lines noted since desde in the order they are printed.
func (l *lector) ordenarNotas(desde int) {
	if l.anota {
		slices.SortStableFunc(l.notas[desde:], func(a, b nota) int { return a.orden - b.orden })
	}
}

// errFormato says that formatting would have changed what the text says. It is
// a fault of this package, and the text is left alone.
var errFormato = errors.New("el texto formateado no dice lo mismo que el original: no se toca")

// Formatear returns the text in its one printed form: what [Imprimir] gives,
// with the comments, the «sintaxis» line and the invocations of macros as they
// were written. A comment goes with the line below it, at its indentation, and
// so does one blank line next to a comment; other blank lines go. Lines of an
// invocation by name come out in the order of the parameters. The errors are
// those of [Leer], since a text that does not read is not formatted, and
// *[ErrorDeImpresion] for a number that is not finite.
func Formatear(texto []byte, macros *macro.Tabla, lim algebra.LimitesAlgebra) ([]byte, error) {
	antes, err := Leer(texto, macros, lim)
	if err != nil {
		return nil, err
	}
	l, err := nuevoLector(texto, macros, lim)
	if err != nil {
		return nil, err
	}
	l.anota = true
	if _, err := l.leer(); err != nil {
		return nil, err
	}
	for _, n := range l.notas {
		if n.error != nil {
			return nil, n.error
		}
	}
	sueltos, err := comentarios(texto)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	arriba := repartir(sueltos, l.notas)
	for i := 0; i < len(l.notas); i++ {
		n := l.notas[i]
		comentados := arriba[n.renglon]
		for n.nombres && i+1 < len(l.notas) && l.notas[i+1].nombres {
			i++
			comentados = append(comentados, arriba[l.notas[i].renglon]...)
			n.texto += ", " + strings.TrimPrefix(l.notas[i].texto, "requiere ")
		}
		escribirComentarios(&b, comentados, n.sangria)
		escribirRenglon(&b, n.sangria, n.texto)
	}
	for _, s := range arriba[despuesDeTodo] {
		sangria := 0
		if s.sangria >= pasoDeSangria {
			sangria = pasoDeSangria
		}
		escribirComentarios(&b, []suelto{s}, sangria)
	}
	despues, err := Leer(b.Bytes(), macros, lim)
	if err != nil || !antes.Forma().Igual(despues.Forma()) || !mismosComentarios(sueltos, b.Bytes()) {
		return nil, errFormato
	}
	return b.Bytes(), nil
}

// suelto is a comment, or a blank line when its text is empty.
type suelto struct {
	renglon, sangria int
	texto            string
}

// comentarios returns the comments of a text and, between two things one of
// which is a comment, one blank line if there was any.
func comentarios(texto []byte) ([]suelto, error) {
	r, err := NuevosRenglones(texto, algebra.TopeDeTexto)
	if err != nil {
		return nil, err
	}
	var todos []suelto
	var blanco *suelto
	previoEsComentario, alPrincipio := false, true
	for {
		l, hay := r.VerCrudo()
		if !hay {
			return todos, nil
		}
		r.TomarCrudo()
		if l.Vacio() {
			blanco = &suelto{renglon: l.Numero}
			continue
		}
		esComentario := l.Comentario()
		if blanco != nil && !alPrincipio && (esComentario || previoEsComentario) {
			todos = append(todos, *blanco)
		}
		if esComentario {
			todos = append(todos, suelto{l.Numero, l.primero(), strings.TrimRight(l.Texto[l.primero():], " \t\r")})
		}
		blanco, previoEsComentario, alPrincipio = nil, esComentario, false
	}
}

// despuesDeTodo is the key of what comes after the last line.
const despuesDeTodo = 0

// repartir gives each comment to the first line below it, by number.
func repartir(sueltos []suelto, notas []nota) map[int][]suelto {
	var renglones []int
	for _, n := range notas {
		renglones = append(renglones, n.renglon)
	}
	slices.Sort(renglones)
	arriba := map[int][]suelto{}
	for _, s := range sueltos {
		i, _ := slices.BinarySearch(renglones, s.renglon)
		clave := despuesDeTodo
		if i < len(renglones) {
			clave = renglones[i]
		}
		arriba[clave] = append(arriba[clave], s)
	}
	return arriba
}

func escribirComentarios(b *bytes.Buffer, sueltos []suelto, sangria int) {
	for _, s := range sueltos {
		if s.texto == "" {
			// Two blank lines meet when the line between them was not kept.
			if b.Len() > 0 && !bytes.HasSuffix(b.Bytes(), []byte("\n\n")) {
				b.WriteByte('\n')
			}
			continue
		}
		escribirRenglon(b, sangria, s.texto)
	}
}

func escribirRenglon(b *bytes.Buffer, sangria int, texto string) {
	b.WriteString(strings.Repeat(" ", sangria))
	b.WriteString(texto)
	b.WriteByte('\n')
}

// mismosComentarios reports whether a text has the given comments, in any
// order: lines that move take theirs along.
func mismosComentarios(sueltos []suelto, texto []byte) bool {
	otros, err := comentarios(texto)
	if err != nil {
		return false
	}
	textos := func(s []suelto) []string {
		var t []string
		for _, x := range s {
			if x.texto != "" {
				t = append(t, x.texto)
			}
		}
		slices.Sort(t)
		return t
	}
	return slices.Equal(textos(sueltos), textos(otros))
}
