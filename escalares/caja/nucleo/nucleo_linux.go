package nucleo

import (
	"errors"
	"fmt"
	"runtime"
	"syscall"

	seccomp "github.com/elastic/go-seccomp-bpf"
	"github.com/elastic/go-seccomp-bpf/arch"
	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// VersionDeLandlock returns the kernel's Landlock ABI, 0 when it has none.
func VersionDeLandlock() int {
	v, err := ll.LandlockGetABIVersion()
	if err != nil || v < 1 {
		return 0
	}
	return v
}

// HaySeccomp reports whether the kernel takes a seccomp filter.
func HaySeccomp() bool {
	if _, err := arch.GetInfo(""); err != nil {
		return false
	}
	return seccomp.Supported()
}

// EncerrarRutas leaves the process able to read only below the paths' Leer
// directories and its Archivos, and to execute only its Ejecutar files, for
// ever and with every right, scope and port the kernel's ABI can restrict
// (seguridad §1). A path that does not exist is an error. It returns
// [ErrNoDisponible] when the kernel has no Landlock.
func EncerrarRutas(r Rutas) error {
	if VersionDeLandlock() == 0 {
		return fmt.Errorf("Landlock: %w", ErrNoDisponible)
	}
	var reglas []landlock.Rule
	regla := func(derechos landlock.AccessFSSet, rutas []string) {
		if len(rutas) > 0 {
			reglas = append(reglas, landlock.PathAccess(derechos, rutas...))
		}
	}
	regla(ll.AccessFSReadFile|ll.AccessFSReadDir, r.Leer)
	regla(ll.AccessFSReadFile, r.Archivos)
	regla(ll.AccessFSReadFile|ll.AccessFSExecute, r.Ejecutar)
	// BestEffort drops only what this kernel's ABI does not know; that there is
	// an ABI was checked above, so it can never mean «nothing».
	if err := landlock.V11.BestEffort().Restrict(reglas...); err != nil {
		return fmt.Errorf("Landlock: %w", err)
	}
	return nil
}

// espacios are the flags of clone that make a new namespace.
const espacios = unix.CLONE_NEWNS | unix.CLONE_NEWCGROUP | unix.CLONE_NEWUTS | unix.CLONE_NEWIPC | unix.CLONE_NEWUSER | unix.CLONE_NEWPID | unix.CLONE_NEWNET

// Filtrar leaves the process able to make only the named system calls, in
// every thread; any other fails with EPERM. Names this architecture does not
// have are ignored. With lectura, files may be opened without any of the flags
// that write or create. It returns [ErrNoDisponible] when the kernel takes no
// filter.
func Filtrar(permitidas []string, lectura bool, clonado Clonado) error {
	info, err := arch.GetInfo("")
	if err != nil || !seccomp.Supported() {
		return fmt.Errorf("seccomp: %w", ErrNoDisponible)
	}
	var nombres []string
	for _, n := range permitidas {
		if _, hay := info.SyscallNames[n]; hay {
			nombres = append(nombres, n)
		}
	}
	grupos := []seccomp.SyscallGroup{{Action: seccomp.ActionAllow, Names: nombres}}
	var con []seccomp.NameWithConditions
	if lectura {
		const escribe = unix.O_WRONLY | unix.O_RDWR | unix.O_CREAT | unix.O_TRUNC | unix.O_APPEND | unix.O_TMPFILE&^unix.O_DIRECTORY
		con = append(con, condicionada(info, "openat", 2, seccomp.BitsNotSet, escribe)...)
		con = append(con, condicionada(info, "open", 1, seccomp.BitsNotSet, escribe)...)
	}
	if clonado == Procesos {
		con = append(con, condicionada(info, "clone", 0, seccomp.BitsNotSet, espacios)...)
	} else {
		con = append(con, condicionada(info, "clone", 0, seccomp.BitsSet, unix.CLONE_THREAD)...)
	}
	if len(con) > 0 {
		grupos = append(grupos, seccomp.SyscallGroup{Action: seccomp.ActionAllow, NamesWithCondtions: con})
	}
	if clonado == SoloHilos {
		// The C library retries with clone only when clone3 is not there at all.
		grupos = append(grupos, seccomp.SyscallGroup{Action: seccomp.ActionErrno | seccomp.Action(unix.ENOSYS), Names: []string{"clone3"}})
	}

	// TSYNC needs no_new_privs in the thread that asks.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err = seccomp.LoadFilter(seccomp.Filter{
		NoNewPrivs: true,
		Flag:       seccomp.FilterFlagTSync,
		Policy:     seccomp.Policy{DefaultAction: seccomp.ActionErrno, Syscalls: grupos},
	})
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	return nil
}

func condicionada(info *arch.Info, nombre string, arg uint32, op seccomp.Operation, valor uint64) []seccomp.NameWithConditions {
	if _, hay := info.SyscallNames[nombre]; !hay {
		return nil
	}
	return []seccomp.NameWithConditions{{
		Name:       nombre,
		Conditions: seccomp.ArgumentConditions{{Argument: arg, Operation: op, Value: valor}},
	}}
}

// CerrarAlEjecutar marks every descriptor from 3 on to be closed by the next
// execve, so a box gets its pipes and nothing else, whatever this process
// inherited.
func CerrarAlEjecutar() error {
	err := unix.CloseRange(3, ^uint(0)>>1&0xffffffff, unix.CLOSE_RANGE_CLOEXEC)
	if errors.Is(err, syscall.ENOSYS) {
		return fmt.Errorf("close_range: %w", ErrNoDisponible)
	}
	return err
}
