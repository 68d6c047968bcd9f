// Package caja runs a project's escalares.star where it can do no harm
// (especificación «escalares» §4, «seguridad» §2): in children of this same
// binary that gave up files, network, memory and time before reading a byte of
// it. Calls travel by whole columns.
//
// The binary's main calls [SiSoyCaja] before anything else. An operation that
// needs external scalars calls [Abrir], which starts one child, loads the file
// and returns a [Caja]; [Caja.Escalares] are then declared scalars like any
// other; [Caja.Cerrar], or the end of the context, ends every child. A child
// that dies is replaced by the next call, and there are never more than
// [Config].Hijos. Nothing is kept from one operation to another.
//
// A Caja is safe for concurrent use. What its children answer is not trusted:
// it is checked like any input.
package caja
