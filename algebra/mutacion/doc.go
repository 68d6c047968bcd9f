// Package mutacion makes the mutants of a measure: other measures, each one
// change away from its canonical form.
//
// [Todos] goes over them in the one order there is: the thirty mutators of the
// table, then the structural ones. Ids are fixed by the specification and are
// not deduplicated: two mutants may be the same form. A [Mutante] carries its
// id, a sentence in Spanish that says what changed, and the form, which is built
// when it is asked for, so that going over many costs little memory. A form need
// not load: whoever loads it counts a failure as the algebra's rejection.
//
// Everything is a pure function over immutable forms and safe for concurrent
// use. It implements especificación «mutacion», up to the challenge.
package mutacion
