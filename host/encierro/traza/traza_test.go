package traza_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/encierro/traza"
)

func TestFaltas(t *testing.T) {
	const empieza = `100 execve("/usr/bin/oracle-mcp", ["oracle-mcp"], 0x7ffd) = 0` + "\n"
	for _, c := range []struct {
		nombre, traza string
		quiere        []string
	}{
		{"nada", empieza + `100 openat(AT_FDCWD, "/a/O_WRONLY", O_RDONLY|O_CLOEXEC) = 3` + "\n" + `100 +++ exited with 0 +++` + "\n", nil},
		{"la caja", empieza + `101 execve("/proc/self/exe", ["caja"], 0xc0 /* 0 vars */) = 0` + "\n", nil},
		{"traza vacía", "", []string{"la traza no muestra que el programa haya empezado (0 líneas)"}},
		{"escribe", empieza + `100 openat(AT_FDCWD, "/a", O_WRONLY|O_CREAT, 0644) = 3` + "\n", []string{`100 openat(AT_FDCWD, "/a", O_WRONLY|O_CREAT, 0644) = 3`}},
		{"escribe y se lo niegan", empieza + `100 openat(AT_FDCWD, "/a", O_RDWR) = -1 EACCES` + "\n", []string{`100 openat(AT_FDCWD, "/a", O_RDWR) = -1 EACCES`}},
		{"a medias", empieza + `100 openat(AT_FDCWD, "/a", O_RDWR <unfinished ...>` + "\n" + `100 <... openat resumed>) = 3` + "\n", []string{`100 openat(AT_FDCWD, "/a", O_RDWR <unfinished ...>`}},
		{"socket", empieza + `100 socket(AF_INET, SOCK_STREAM, 0) = 3` + "\n", []string{`100 socket(AF_INET, SOCK_STREAM, 0) = 3`}},
		{"otro programa", empieza + `100 execve("/bin/sh", ["sh"], 0) = 0` + "\n", []string{`100 execve("/bin/sh", ["sh"], 0) = 0`}},
		{"borra", empieza + `100 unlinkat(AT_FDCWD, "/a", 0) = 0` + "\n", []string{`100 unlinkat(AT_FDCWD, "/a", 0) = 0`}},
	} {
		if d := cmp.Diff(c.quiere, traza.Faltas([]byte(c.traza), "/proc/self/exe")); d != "" {
			t.Errorf("%s: %s", c.nombre, d)
		}
	}
}
