// Package escalares holds the scalar functions an expression may call: the
// registry they are declared in and the five built-in ones.
//
// A [Registro] is immutable and safe for concurrent use; [Internas] is the one
// with «mas», «menos», «por», «cerca» and «contiene», written in Go over whole
// columns. A project's own scalars are added with [Registro.Con].
//
// It implements especificación «escalares», section 1.
package escalares
