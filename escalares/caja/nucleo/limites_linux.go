package nucleo

import (
	"fmt"
	"math"
	"runtime/debug"

	"golang.org/x/sys/unix"
)

// Acotar sets the resource limits of a box, in the order of seguridad §2: the
// stack, the collector's target, address space, processor, and no file may
// grow, nothing beyond 16 descriptors, no core.
func Acotar(l Limites) error {
	debug.SetMaxStack(l.Pila)
	debug.SetMemoryLimit(l.Memoria / 4 * 3)
	usado, err := espacioUsado()
	if err != nil {
		return fmt.Errorf("medir el espacio reservado: %w", err)
	}
	for _, r := range []struct {
		cual  int
		valor uint64
	}{
		{unix.RLIMIT_AS, usado + uint64(l.Memoria)},
		{unix.RLIMIT_CPU, l.CPU},
		{unix.RLIMIT_FSIZE, 0},
		{unix.RLIMIT_NOFILE, 16},
		{unix.RLIMIT_CORE, 0},
	} {
		if err := unix.Prlimit(0, r.cual, &unix.Rlimit{Cur: r.valor, Max: r.valor}, nil); err != nil {
			return fmt.Errorf("RLIMIT %d: %w", r.cual, err)
		}
	}
	return nil
}

// espacioUsado returns how much address space the process has reserved, to
// the next 4 MiB. A confined process cannot read /proc, so it measures: under
// a limit far above what is used, the largest empty region that still fits
// tells how much is taken.
func espacioUsado() (uint64, error) {
	const techo, grano = uint64(1) << 45, uint64(4) << 20
	var antes unix.Rlimit
	if err := unix.Prlimit(0, unix.RLIMIT_AS, nil, &antes); err != nil {
		return 0, err
	}
	limite := min(techo, antes.Max, antes.Cur)
	if err := unix.Prlimit(0, unix.RLIMIT_AS, &unix.Rlimit{Cur: limite, Max: antes.Max}, nil); err != nil {
		return 0, err
	}
	// Invariant: a region of bajo fits, one of alto does not.
	bajo, alto := uint64(0), limite
	for alto-bajo > grano {
		medio := bajo + (alto-bajo)/2/grano*grano
		if medio == bajo {
			break
		}
		if cabe(medio) {
			bajo = medio
		} else {
			alto = medio
		}
	}
	if bajo == 0 || limite > math.MaxInt64 {
		return 0, unix.ENOMEM
	}
	return limite - bajo, nil
}

// cabe maps and unmaps an empty region of n bytes.
func cabe(n uint64) bool {
	const nada = unix.MAP_PRIVATE | unix.MAP_ANON | unix.MAP_NORESERVE
	p, _, e := unix.RawSyscall6(unix.SYS_MMAP, 0, uintptr(n), unix.PROT_NONE, nada, ^uintptr(0), 0)
	if e != 0 {
		return false
	}
	unix.RawSyscall(unix.SYS_MUNMAP, p, uintptr(n), 0)
	return true
}
