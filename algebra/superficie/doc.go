// Package superficie reads and prints the surface of the language, «.oracle»
// text: one measure, one invocation of a macro, or one macro.
//
// [Leer] turns a text into a [Lectura]: the expanded canonical form and, in a
// side table, the line and column each of its nodes came from. [LeerMedida]
// also loads it. [Imprimir] turns a canonical form back into text, and
// [Formatear] puts a text in its one printed form keeping its comments.
//
// An error of reading is *[ErrorDeSintaxis], with line, column, the line and a
// caret; a form that reads and does not load, or a macro's guard that does not
// hold, is *[ErrorDeDeclaracion], which adds the place to the cause; a budget
// exceeded is *algebra.LimiteError. Nothing partial is ever returned.
//
// The line scanner, [Renglones] and [Cursor], is what the readers of other
// line-oriented files of a project are built on; see [Renglones].
//
// Reading takes time proportional to the text. Everything returned is
// immutable and safe for concurrent use, but for the scanner, which belongs to
// one goroutine. The grammar is in grammar.txt.
//
// It implements especificación «lenguaje», sections 6 and 7.
package superficie
