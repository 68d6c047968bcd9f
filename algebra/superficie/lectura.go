package superficie

import (
	"errors"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// Lectura is what a text says. It is immutable.
type Lectura struct {
	forma algebra.Nodo
	macro *macro.Macro
}

// Forma returns the canonical form: of the measure, expanded and as it is
// published, or the ["defmacro", …] of a macro.
func (l *Lectura) Forma() algebra.Nodo { return l.forma }

// EsMacro reports whether the text declares a macro.
func (l *Lectura) EsMacro() bool { return l.macro != nil }

// Macro returns the macro the text declares, nil when it is a measure.
func (l *Lectura) Macro() *macro.Macro { return l.macro }

// Posicion returns the line and column the node at a canonical path (indices
// joined by dots, "" the root) came from. For what a macro made, it is the
// nearest argument.
func (l *Lectura) Posicion(ruta string) (linea, columna int) { return 1, 1 }

// Leer reads a text of at most algebra.TopeDeTexto bytes.
func Leer(texto []byte, macros *macro.Tabla, lim algebra.LimitesAlgebra) (*Lectura, error) {
	return nil, errPendiente
}

// LeerMedida is [Leer] followed by algebra.Cargar, with the place of what does
// not load. A text that declares a macro is *[ErrorDeSintaxis].
func LeerMedida(texto []byte, macros *macro.Tabla, esc algebra.Escalares, lim algebra.LimitesAlgebra) (*algebra.Medida, error) {
	return nil, errPendiente
}

// Imprimir returns the text of a canonical form, a measure or a macro.
func Imprimir(n algebra.Nodo) (string, error) { return "", errPendiente }

// ImprimirExpr returns the text of an expression alone.
func ImprimirExpr(n algebra.Nodo) (string, error) { return "", errPendiente }

// Formatear returns a text in its one printed form.
func Formatear(texto []byte, macros *macro.Tabla, lim algebra.LimitesAlgebra) ([]byte, error) {
	return nil, errPendiente
}

var errPendiente = errors.New("pendiente")
