//go:build !unix

package docugraph

import "os"

// abrirSinEsperar opens for reading.
func abrirSinEsperar(dir *os.Root, nombre string) (*os.File, error) { return dir.Open(nombre) }
