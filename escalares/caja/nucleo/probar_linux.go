package nucleo

import (
	"errors"
	"fmt"
	"path/filepath"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Probar tries each thing a confined process must be unable to do and tells
// what the kernel answered. Every trial leaves nothing behind when it
// succeeds: it uses names that do not exist, files without a name and
// descriptors it closes. raiz is a directory the process may read, "" in a box,
// which may read none.
func Probar(raiz string) []Prueba {
	ausente := ".prueba-de-encierro-inexistente"
	dentro := filepath.Join("/", raiz, ausente)
	ps := []Prueba{
		intentar("leer fuera de las raíces", func() error { return abrir("/", unix.O_RDONLY|unix.O_DIRECTORY) }),
		intentar("leer la lista de usuarios", func() error { return abrir("/etc/passwd", unix.O_RDONLY) }),
		intentar("crear un archivo sin nombre en /tmp", func() error { return abrir("/tmp", unix.O_TMPFILE|unix.O_WRONLY) }),
		intentar("abrir para escribir /dev/null", func() error { return abrir("/dev/null", unix.O_WRONLY) }),
		intentar("crear un archivo en la raíz", func() error { return abrir(dentro+"/x", unix.O_CREAT|unix.O_EXCL|unix.O_WRONLY) }),
		intentar("crear un directorio", func() error { return unix.Mkdir(dentro+"/x", 0o700) }),
		intentar("borrar un archivo", func() error { return unix.Unlink(dentro) }),
		intentar("borrar un directorio", func() error { return unix.Rmdir(dentro) }),
		intentar("renombrar", func() error { return unix.Rename(dentro, dentro+"2") }),
		intentar("enlazar", func() error { return unix.Link(dentro, dentro+"2") }),
		intentar("crear un enlace simbólico", func() error { return unix.Symlink("x", dentro+"/x") }),
		intentar("truncar", func() error { return unix.Truncate(dentro, 0) }),
		intentar("cambiar permisos", func() error { return unix.Chmod(dentro, 0o600) }),
		intentar("cambiar de dueño", func() error { return unix.Chown(dentro, -1, -1) }),
		intentar("cambiar fechas", func() error { return unix.UtimesNanoAt(unix.AT_FDCWD, dentro, nil, 0) }),
		intentar("escribir atributos extendidos", func() error { return unix.Setxattr(dentro, "user.x", []byte("x"), 0) }),
		intentar("crear una tubería con nombre", func() error { return unix.Mkfifo(dentro+"/x", 0o600) }),
	}
	for _, s := range []struct {
		que                  string
		fam, tipo, protocolo int
	}{
		{que: "abrir un socket TCP", fam: unix.AF_INET, tipo: unix.SOCK_STREAM},
		{que: "abrir un socket TCP sobre IPv6", fam: unix.AF_INET6, tipo: unix.SOCK_STREAM},
		{que: "abrir un socket UDP", fam: unix.AF_INET, tipo: unix.SOCK_DGRAM},
		{que: "abrir un socket MPTCP", fam: unix.AF_INET, tipo: unix.SOCK_STREAM, protocolo: unix.IPPROTO_MPTCP},
		{que: "abrir un socket unix", fam: unix.AF_UNIX, tipo: unix.SOCK_STREAM},
		{que: "abrir un socket netlink", fam: unix.AF_NETLINK, tipo: unix.SOCK_RAW},
	} {
		ps = append(ps, intentar(s.que, func() error { return cerrando(unix.Socket(s.fam, s.tipo|unix.SOCK_CLOEXEC, s.protocolo)) }))
	}
	return append(ps,
		intentar("crear un archivo en memoria", func() error { return cerrando(unix.MemfdCreate("x", unix.MFD_CLOEXEC)) }),
		intentar("abrir un anillo de io_uring", func() error { return cruda(unix.SYS_IO_URING_SETUP, 0, 0, 0) }),
		intentar("cargar un programa bpf", func() error { return cruda(unix.SYS_BPF, 0xffff, 0, 0) }),
		intentar("espiar otro proceso", func() error { return cruda(unix.SYS_PTRACE, 0xffff, 0, 0) }),
		intentar("montar", func() error { return unix.Mount("x", dentro, "x", 0, "") }),
		intentar("cambiar de espacio de nombres", func() error { return unix.Unshare(0) }),
		intentar("cambiar de raíz", func() error { return unix.Chroot(dentro) }),
		intentar("cambiar de usuario", func() error { return cruda(unix.SYS_SETUID, uintptr(unix.Getuid()), 0, 0) }),
		probarSenal(),
		probarEjecucion(),
	)
}

// intentar runs one trial. Only the two errors a filter or Landlock answers
// with are denials; any other answer means the call got through.
func intentar(que string, f func() error) Prueba {
	err := f()
	p := Prueba{Que: que, Negada: errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES) || errors.Is(err, unix.ENOSYS)}
	if err == nil {
		p.Detalle = "se pudo"
	} else {
		p.Detalle = err.Error()
	}
	return p
}

func abrir(ruta string, banderas int) error {
	return cerrando(unix.Open(ruta, banderas|unix.O_CLOEXEC, 0o600))
}

func cerrando(fd int, err error) error {
	if err == nil {
		unix.Close(fd)
	}
	return err
}

func cruda(n, a, b, c uintptr) error {
	if _, _, e := unix.Syscall(n, a, b, c); e != 0 {
		return e
	}
	return nil
}

// probarSenal tries to signal whoever started this process.
func probarSenal() Prueba {
	const que = "mandar una señal a otro proceso"
	otro := unix.Getppid()
	if otro <= 0 && unix.Getpid() != 1 {
		otro = 1 // a box may not even ask who its parent is
	}
	if otro <= 0 {
		return Prueba{Que: que, Negada: true, Detalle: "no hay otro proceso a la vista"}
	}
	return intentar(que, func() error { return unix.Kill(otro, 0) })
}

// probarEjecucion tries to run another program, a harmless one.
func probarEjecucion() Prueba {
	const que = "ejecutar otro programa"
	if !puedeTenerHijos() {
		return Prueba{Que: que, Negada: true, Detalle: "no puede crear procesos"}
	}
	var ultimo error
	for _, p := range []string{"/bin/true", "/usr/bin/true", "/bin/busybox"} {
		pid, err := syscall.ForkExec(p, []string{"true"}, &syscall.ProcAttr{Files: []uintptr{0, 1, 2}})
		if err == nil {
			var w syscall.WaitStatus
			_, _ = syscall.Wait4(pid, &w, 0, nil)
			return Prueba{Que: que, Detalle: "se pudo: " + p}
		}
		if errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) {
			ultimo = err
			continue
		}
		return Prueba{Que: que, Negada: errors.Is(err, unix.EPERM) || errors.Is(err, unix.EACCES), Detalle: fmt.Sprintf("%s: %v", p, err)}
	}
	return Prueba{Que: que, Negada: true, Detalle: fmt.Sprintf("no hay otro programa con qué probarlo: %v", ultimo)}
}

// puedeTenerHijos reports whether the filter lets a process start another:
// vfork's cheaper sibling with an impossible mix of flags gets EINVAL from the
// kernel and EPERM from a filter.
func puedeTenerHijos() bool {
	_, _, e := unix.RawSyscall6(unix.SYS_CLONE, unix.CLONE_SIGHAND|uintptr(unix.SIGCHLD), 0, 0, 0, 0, uintptr(unsafe.Pointer(nil)))
	return e == unix.EINVAL
}
