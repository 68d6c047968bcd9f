// Package arbol reads a directory tree that is not to be trusted.
//
// An [Arbol] is a root resolved once and opened with [os.Root]: no path, link
// nor «..» leaves it. Symbolic links are not followed at all: a file or a
// directory that is one is an error, and so is a directory that holds one.
//
// A [Lectura] is what one call reads. It remembers a digest of every file,
// listing and absence the call looked at, and [Lectura.Cerrar] looks at all of
// it again: two different signatures mean that the call may have mixed two
// states of the tree (especificación «proyecto» §1 and §7, stability).
//
// Both are safe for concurrent use. Nothing here writes.
package arbol
