// Package macro declares macros and expands their invocations, on canonical
// forms: it neither reads nor prints text.
//
// A macro is ["defmacro", name, [parameter…], [["guarda", expr, message]…],
// template], with holes ["$", parameter]. [Declarar] checks one and returns a
// [Macro]; a [Tabla] is an immutable set of them, and [Tabla.Expandir] turns
// an invocation [name, id, argument…] into the measure it says, by
// substitution, before anything downstream sees it. [Estandar] is the table
// of the six embedded macros, kept as data in estandar/.
//
// Expansion counts nodes before building them, so nothing grows past
// nodos_de_medida on the way to being refused. Everything here is immutable
// and safe for concurrent use.
//
// It implements especificación «lenguaje», section 7.
package macro
