// Package tareas reads a project's task tracker, tareas/, and never writes it
// (especificacion/tareas.md; contract, «oracle_tareas»).
//
// [Consultar] answers one call: it audits the whole tracker, failing closed with
// every problem it has, and then lists, shows, searches or extracts facts. The
// answer is a [Resultado], with its JSON form ([Resultado.JSON]) and one for a
// person at a terminal ([Imprimir]). [Abrir] does the audit alone and gives a
// [Tracker] with the four actions as methods. What the caller can mend is an
// [*Error] with the contract's code and text.
//
// The facts are seven relations, [Hechos]: what the tasks declare, the files
// there are, the references they make, the commits behind HEAD, and, by name,
// all that could not be looked into. Markdown is goldmark's to parse. Git is
// package repositorio's to read, without running anything.
//
// Everything is read through a [Lector], so that the caller can sign what a
// call looked at (package lector, Registro). No symbolic link is followed, only
// regular files are opened, and every list, text and depth has a cap: passing
// one is a problem or an omission, never a shorter answer.
//
// Results are immutable plain values, the same for the same bytes on disk. Every
// function may be called from several goroutines at once.
package tareas
