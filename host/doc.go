// Package host is what is on disk and the judgements over it: the project, its
// sources of measures, the effective catalog, and the answers of
// oracle_catalogo_efectivo, oracle_evaluar and oracle_juzgar.
//
// A [Proyecto] is fixed once, by [Abrir]. Every call reads the tree again,
// through one reading that remembers all it looked at, and looks at it again
// before answering: an answer never mixes two states of the tree. Failures are
// [*Error], with one of the contract's closed codes, the place and the way to
// mend it; the only other error is that of a cancelled context. Nothing partial
// is ever returned, and nothing here writes.
//
// Everything exported is safe for concurrent use. It implements especificación
// «proyecto», and of «codigos» sections 1, 2, 3 and 5.
package host
