//go:build unix

package docugraph

import (
	"os"
	"syscall"
)

// abrirSinEsperar opens for reading without waiting: a file that became a pipe since its directory was listed must not hang the
// load.
func abrirSinEsperar(dir *os.Root, nombre string) (*os.File, error) {
	return dir.OpenFile(nombre, os.O_RDONLY|syscall.O_NONBLOCK, 0)
}
