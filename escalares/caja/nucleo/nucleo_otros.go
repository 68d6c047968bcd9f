//go:build !linux

package nucleo

import (
	"fmt"
	"runtime/debug"
)

// VersionDeLandlock returns 0: only Linux has Landlock.
func VersionDeLandlock() int { return 0 }

// HaySeccomp returns false: only Linux has seccomp.
func HaySeccomp() bool { return false }

// EncerrarRutas returns [ErrNoDisponible].
func EncerrarRutas(r Rutas) error {
	return fmt.Errorf("Landlock: %w", ErrNoDisponible)
}

// Filtrar returns [ErrNoDisponible].
func Filtrar(permitidas []string, lectura bool, clonado Clonado) error {
	return fmt.Errorf("seccomp: %w", ErrNoDisponible)
}

// CerrarAlEjecutar returns [ErrNoDisponible]; this program opens everything
// with close-on-exec already.
func CerrarAlEjecutar() error { return fmt.Errorf("close_range: %w", ErrNoDisponible) }

// Acotar sets the limits the Go runtime itself keeps: the stack and the
// collector's target.
func Acotar(l Limites) error {
	debug.SetMaxStack(l.Pila)
	debug.SetMemoryLimit(l.Memoria / 4 * 3)
	return nil
}

// Probar has nothing to try outside Linux.
func Probar(raiz string) []Prueba { return nil }
