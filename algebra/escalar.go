package algebra

import "fmt"

// Escalar is a declared scalar function (especificación «escalares»): what an
// expression may call. It is immutable.
type Escalar struct {
	Nombre             string
	Min, Max           int    // arity; Max is -1 when it takes any number
	Unidad             string // unit of what it returns, "" undeclared
	UnidadesArgumentos []string
	// Procedencia is [ProcedenciaInterna] for the built-in ones, which spend no
	// steps beyond their node; any other may spend steps of its own.
	Procedencia string

	// Aplicar computes the function for every row of the batch and returns a
	// column of l.N() rows. A row that fails is told to [Lote.Fallar]; what
	// the column holds there and after does not matter.
	Aplicar func(l *Lote, args []*Columna) *Columna
}

// ProcedenciaInterna is the provenance of the built-in scalars.
const ProcedenciaInterna = "oracle"

// Escalares tells which scalars a measure may call. Implementations must be
// safe for concurrent use.
type Escalares interface {
	// Buscar returns the scalar with that name, or nil.
	Buscar(nombre string) *Escalar
}

// aridad says how many arguments the scalar takes.
func (e *Escalar) aridad() string {
	switch {
	case e.Max < 0:
		return fmt.Sprintf("lleva %d argumentos o más", e.Min)
	case e.Min == e.Max:
		return fmt.Sprintf("lleva %d argumentos", e.Min)
	default:
		return fmt.Sprintf("lleva entre %d y %d argumentos", e.Min, e.Max)
	}
}
