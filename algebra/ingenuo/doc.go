// Package ingenuo is the plain evaluator: it walks the forms row by row,
// straight from the specification, and exists so that the evaluator by columns
// of package algebra can be held against something too simple to be wrong in
// the same way. Tests and fixtures/correr import it; no binary does.
//
// [Evaluar] takes a loaded measure and its evidence and returns a [Veredicto]
// or the first error: *[algebra.ErrorDeEvaluacion], *[algebra.LimiteError] or
// the context's. It shares with algebra only the forms, the value types and
// the errors: comparison, truth, arithmetic, aggregates, group keys, the names
// of missing conditions and the account of steps are written again here.
//
// Nothing is kept between calls, so it is safe for concurrent use. It knows
// the five built-in scalars and no other.
//
// It implements especificación «lenguaje», sections 3 to 5 and 9, and
// «escalares», section 1.
package ingenuo
