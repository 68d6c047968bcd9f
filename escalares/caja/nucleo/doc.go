// Package nucleo asks the kernel for the confinement that the server and the
// scalars' box share (especificación «seguridad» §1 and §2): Landlock over the
// file tree, a seccomp list of allowed calls, resource limits and closing what
// a child would inherit. It also tries each forbidden thing, so that a person
// can see the denial instead of believing it.
//
// Everything here acts on the whole process and cannot be undone. Call it
// early, from one goroutine.
package nucleo

import "errors"

// ErrNoDisponible says that the kernel, the container or the platform does not
// offer what was asked. Any other error of this package is a failure of
// something that is offered.
var ErrNoDisponible = errors.New("el núcleo no lo ofrece")

// Limites are the resource limits of a box. Every field must be positive.
type Limites struct {
	Pila    int    // bytes one goroutine's stack may take
	Memoria int64  // bytes of address space beyond what is already reserved
	CPU     uint64 // seconds of processor, soft and hard alike
}

// Prueba is one forbidden thing that was tried.
type Prueba struct {
	Que     string // what was tried, in Spanish
	Negada  bool   // the kernel refused it
	Detalle string // the kernel's answer, or why it could not be tried
}

// Rutas are the paths a confined process may still use.
type Rutas struct {
	Leer     []string // directories, everything below included
	Archivos []string // files it may read
	Ejecutar []string // files it may execute, and read
}

// Clonado says which new tasks a filter lets through.
type Clonado bool

// A box may only start threads; a server that trusts its scalars may also
// start the box.
const (
	SoloHilos Clonado = false
	Procesos  Clonado = true
)
