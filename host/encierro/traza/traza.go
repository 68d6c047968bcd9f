// Package traza reads what strace saw of a server and tells what it should not
// have done (especificación «seguridad» §4): opening to write, a socket, a
// change to the tree, or executing anything but its own box.
//
// It only reads text: whoever tests runs strace with [Argumentos] and hands
// the file to [Faltas].
package traza

import (
	"fmt"
	"slices"
	"strings"
)

// Argumentos returns the arguments for strace to write in archivo what the
// program and its children do that [Faltas] looks at.
func Argumentos(archivo string, programa ...string) []string {
	return append([]string{"-f", "-qq", "-s", "256", "-e", "trace=%file,%network,%process,%desc,io_uring_setup,memfd_create", "-o", archivo, "--"}, programa...)
}

// prohibidas are the calls that must not be made with any arguments.
var prohibidas = []string{
	"creat", "mkdir", "mkdirat", "mknod", "mknodat", "unlink", "unlinkat", "rmdir", "rename", "renameat", "renameat2",
	"link", "linkat", "symlink", "symlinkat", "truncate", "ftruncate", "chmod", "fchmod", "fchmodat", "fchmodat2",
	"chown", "fchown", "lchown", "fchownat", "utime", "utimes", "utimensat", "futimesat", "setxattr", "lsetxattr", "fsetxattr",
	"removexattr", "lremovexattr", "fremovexattr", "mount", "umount2", "pivot_root", "chroot", "swapon", "acct",
	"socket", "socketpair", "bind", "connect", "listen", "accept", "accept4", "sendto", "sendmsg", "sendmmsg",
	"memfd_create", "io_uring_setup", "fallocate", "copy_file_range", "execveat", "openat2",
}

// escribe are the flags of an opening that write or create.
var escribe = []string{"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND", "O_TMPFILE"}

// Faltas returns the lines of a trace that show something a server must not
// do, whether or not the kernel let it. ejecutables are the paths it may
// execute; the first execve of the trace, which starts it, is not looked at.
func Faltas(traza []byte, ejecutables ...string) []string {
	var faltas []string
	primera := true
	lineas := 0
	for l := range strings.Lines(string(traza)) {
		lineas++
		l = strings.TrimRight(l, "\n")
		llamada, args, hay := partir(l)
		if !hay {
			continue
		}
		switch llamada {
		case "open", "openat":
			if slices.ContainsFunc(escribe, func(b string) bool { return strings.Contains(banderas(args), b) }) {
				faltas = append(faltas, l)
			}
		case "execve":
			if primera {
				primera = false
			} else if !slices.Contains(ejecutables, entreComillas(args)) {
				faltas = append(faltas, l)
			}
		default:
			if slices.Contains(prohibidas, llamada) {
				faltas = append(faltas, l)
			}
		}
	}
	if primera {
		faltas = append(faltas, fmt.Sprintf("la traza no muestra que el programa haya empezado (%d líneas)", lineas))
	}
	return faltas
}

// partir takes the call and its arguments off a line of «strace -f -o».
func partir(l string) (llamada, args string, hay bool) {
	l = strings.TrimLeft(l, "0123456789 ")
	if strings.HasPrefix(l, "<... ") || strings.HasPrefix(l, "+++") || strings.HasPrefix(l, "---") {
		return "", "", false // the end of a call already seen, an exit, a signal
	}
	llamada, args, hay = strings.Cut(l, "(")
	return llamada, args, hay
}

// banderas returns the arguments without the quoted path, where a name could
// look like a flag.
func banderas(args string) string {
	if i := strings.LastIndexByte(args, '"'); i >= 0 {
		return args[i:]
	}
	return args
}

func entreComillas(args string) string {
	_, resto, ok := strings.Cut(args, `"`)
	if !ok {
		return ""
	}
	dentro, _, _ := strings.Cut(resto, `"`)
	return dentro
}
