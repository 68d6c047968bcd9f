// Package algebra is the language core: exact values, canonical forms, the
// evidence read into columns, the operators, the limits and the verdict.
//
// A measure arrives as a canonical form ([Nodo], read by [LeerNodo] from JSON
// or by package superficie from text), is checked once by [Cargar] into an
// immutable [Medida], and is run by [Evaluar] against an [Evidencia] read by
// [LeerEvidencia]. The result is a [Veredicto]: one of three states, the
// value, and the rows that reached the end of the pipeline.
//
// Every expression is compiled to one expr program whose leaves and operators
// are functions over columns; the program runs once for each batch of rows.
// Nothing of the user's is ever handed to a native operator of expr.
//
// All forms, values and evidence are immutable once built and safe for
// concurrent use; evaluations share nothing. There are no globals that change,
// no clock and no randomness in a result. Limits are an argument
// ([LimitesAlgebra]) whose zero value is the specification's table.
//
// It implements especificación «lenguaje», sections 1 to 5 and 9.
package algebra
