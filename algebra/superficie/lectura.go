package superficie

import (
	"errors"
	"strconv"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// Lectura is what a text says. It is immutable.
type Lectura struct {
	forma algebra.Nodo
	macro *macro.Macro

	texto string
	raiz  pieza        // as written, with its places
	traza *macro.Traza // nil when nothing was expanded
	// quitado is the index of the «ambito» the expanded form had and this one
	// does not, 0 when none.
	quitado int
}

// Forma returns the canonical form: of the measure, expanded and as it is
// published, or the ["defmacro", …] of a macro.
func (l *Lectura) Forma() algebra.Nodo { return l.forma }

// EsMacro reports whether the text declares a macro.
func (l *Lectura) EsMacro() bool { return l.macro != nil }

// Macro returns the macro the text declares, nil when it is a measure.
func (l *Lectura) Macro() *macro.Macro { return l.macro }

// Invocacion returns the name of the macro the measure is an invocation of, ""
// when it is none.
func (l *Lectura) Invocacion() string {
	if l.traza == nil {
		return ""
	}
	return l.raiz.nodo.Cabeza()
}

// Posicion returns the line and column, from 1, that the node at a canonical
// path came from: indices joined by dots, "" the root. For what the text does
// not write, as what a macro made, it is the nearest thing it does.
func (l *Lectura) Posicion(ruta string) (linea, columna int) {
	linea, columna, _ = l.posicion(ruta)
	return linea, columna
}

func (l *Lectura) posicion(ruta string) (linea, columna int, renglon string) {
	var r algebra.Ruta
	if ruta != "" {
		for _, s := range strings.Split(ruta, ".") {
			i, err := strconv.Atoi(s)
			if err != nil {
				break
			}
			r = append(r, i)
		}
	}
	if l.traza != nil {
		if l.quitado > 0 && len(r) > 0 && r[0] >= l.quitado {
			r[0]++
		}
		r = l.traza.Origen(r)
	}
	en := l.raiz.buscar(r).en
	renglon, columna = renglonDe(l.texto, en.byte)
	return en.linea, columna, renglon
}

// declaracion gives a place to an error of loading.
func (l *Lectura) declaracion(causa *algebra.ErrorDeCarga) *ErrorDeDeclaracion {
	linea, columna, renglon := l.posicion(causa.Ruta)
	return &ErrorDeDeclaracion{Linea: linea, Columna: columna, Causa: causa, Renglon: renglon}
}

// Leer reads a text of at most algebra.TopeDeTexto bytes: a measure, an
// invocation of a macro of the table, or a macro. Nesting, nodes and the
// rounds and nodes of an expansion are bounded before they are walked. The
// error is *[ErrorDeSintaxis], *[ErrorDeDeclaracion] or *algebra.LimiteError;
// whether the measure loads is for [LeerMedida].
func Leer(texto []byte, macros *macro.Tabla, lim algebra.LimitesAlgebra) (*Lectura, error) {
	lim = lim.Completos()
	l, err := nuevoLector(texto, macros, lim)
	if err != nil {
		return nil, err
	}
	raiz, err := l.leer()
	if err != nil {
		return nil, err
	}
	if total := raiz.nodo.Contar(lim.NodosDeMedida); total > lim.NodosDeMedida {
		return nil, &algebra.LimiteError{Nombre: algebra.LimiteNodosDeMedida, Observado: total, Limite: lim.NodosDeMedida}
	}
	lectura := &Lectura{forma: raiz.nodo, texto: l.r.texto, raiz: raiz}
	switch raiz.nodo.Cabeza() {
	case "medida":
	case macro.Cabeza:
		lectura.macro, err = macro.Declarar(raiz.nodo, lim)
	default:
		err = lectura.expandir(macros, lim)
	}
	var causa *algebra.ErrorDeCarga
	switch {
	case errors.As(err, &causa):
		return nil, lectura.declaracion(causa)
	case err != nil:
		return nil, err
	}
	return lectura, nil
}

// expandir replaces the form of an invocation by what it says.
func (l *Lectura) expandir(macros *macro.Tabla, lim algebra.LimitesAlgebra) error {
	forma, traza, err := macros.ExpandirConTraza(l.raiz.nodo, lim)
	if err != nil {
		return err
	}
	l.traza = traza
	l.forma, l.quitado = normalizar(forma)
	return nil
}

// normalizar gives «umbral» its five elements and leaves out an «ambito» that
// is not declared, whose index it returns.
func normalizar(n algebra.Nodo) (algebra.Nodo, int) {
	quitado := 0
	var hijos []algebra.Nodo
	for i, h := range n.Hijos() {
		switch {
		case h.Cabeza() == "umbral" && h.Largo() == 4:
			h = algebra.Lista(append(append([]algebra.Nodo(nil), h.Hijos()...), algebra.HojaTexto(algebra.SinDeclarar))...)
		case h.Cabeza() == "ambito" && h.Largo() == 2:
			if s, _ := h.Hijo(1).Texto(); s == algebra.SinDeclarar {
				quitado = i
				continue
			}
		}
		hijos = append(hijos, h)
	}
	return algebra.Lista(hijos...), quitado
}

// LeerMedida is [Leer] followed by algebra.Cargar, whose error comes with its
// place as *[ErrorDeDeclaracion]. A text that declares a macro is
// *[ErrorDeSintaxis]. A nil esc declares no scalars.
func LeerMedida(texto []byte, macros *macro.Tabla, esc algebra.Escalares, lim algebra.LimitesAlgebra) (*algebra.Medida, error) {
	l, err := Leer(texto, macros, lim)
	if err != nil {
		return nil, err
	}
	if l.EsMacro() {
		linea, columna, renglon := l.posicion("")
		return nil, &ErrorDeSintaxis{Linea: linea, Columna: columna, Esperado: "una medida; las macros van en macros/", Llego: macro.Cabeza, Renglon: renglon}
	}
	m, err := algebra.Cargar(l.forma, esc, lim)
	var causa *algebra.ErrorDeCarga
	if errors.As(err, &causa) {
		return nil, l.declaracion(causa)
	}
	return m, err
}
