package lector_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

func abrir(t *testing.T) (string, lector.Lector) {
	t.Helper()
	dir := t.TempDir()
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raiz.Close() })
	return dir, lector.DeRaiz(raiz)
}

func escribir(t *testing.T, dir, nombre, texto string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, nombre), []byte(texto), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestTopes(t *testing.T) {
	dir, l := abrir(t)
	for _, n := range []string{"c", "a", "b"} {
		escribir(t, dir, n, "12345")
	}
	if b, err := l.ReadFile("a", 5); err != nil || string(b) != "12345" {
		t.Errorf("at the cap: %q %v", b, err)
	}
	if b, err := l.ReadFile("a", 4); !errors.Is(err, lector.ErrTope) || b != nil {
		t.Errorf("past the cap: %q %v", b, err)
	}
	lista, err := l.ReadDir(".", 3)
	if err != nil || len(lista) != 3 || lista[0].Name() != "a" || lista[2].Name() != "c" {
		t.Errorf("at the cap: %v %v", lista, err)
	}
	if lista, err := l.ReadDir(".", 2); !errors.Is(err, lector.ErrTope) || lista != nil {
		t.Errorf("past the cap: %v %v", lista, err)
	}
}

func TestSoloRegulares(t *testing.T) {
	dir, l := abrir(t)
	escribir(t, dir, "f", "x")
	os.Symlink("f", filepath.Join(dir, "enlace"))
	os.Symlink("/etc/passwd", filepath.Join(dir, "afuera"))
	os.Mkdir(filepath.Join(dir, "d"), 0o755)
	if err := syscall.Mkfifo(filepath.Join(dir, "tubo"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, n := range []string{"enlace", "afuera", "d", "tubo"} {
		if _, err := l.ReadFile(n, 100); !errors.Is(err, lector.ErrNoRegular) {
			t.Errorf("ReadFile(%s): %v", n, err)
		}
		if _, err := l.Open(n); !errors.Is(err, lector.ErrNoRegular) {
			t.Errorf("Open(%s): %v", n, err)
		}
	}
	// A FIFO or a file in the place of a directory: neither a hang nor a file.
	for _, n := range []string{"tubo/x", "f/x", "tubo/x/y"} {
		if _, err := l.ReadFile(n, 100); err == nil {
			t.Errorf("ReadFile(%s) worked", n)
		}
		if _, err := l.ReadDir(n, 100); err == nil {
			t.Errorf("ReadDir(%s) worked", n)
		}
	}
	if _, err := l.ReadDir("tubo", 100); err == nil {
		t.Error("a FIFO was listed")
	}
	for _, n := range []string{"../x", "/etc/passwd", "afuera/x"} {
		if _, err := l.ReadFile(n, 100); err == nil {
			t.Errorf("ReadFile(%s) worked", n)
		}
	}
	if _, err := l.ReadFile("no", 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
	if _, err := l.ReadDir("f", 10); err == nil {
		t.Error("a file was listed")
	}
	if d, err := l.Readlink("afuera"); err != nil || d != "/etc/passwd" {
		t.Errorf("Readlink: %q %v", d, err)
	}
}

func TestRegistro(t *testing.T) {
	for nombre, c := range map[string]struct {
		mira, cambia func(t *testing.T, dir string, l lector.Lector)
		si           bool
	}{
		"lo que no se miró": {func(*testing.T, string, lector.Lector) {}, func(t *testing.T, dir string, _ lector.Lector) { escribir(t, dir, "f", "z") }, false},
		"un archivo": {func(_ *testing.T, _ string, l lector.Lector) { l.ReadFile("f", 9) },
			func(t *testing.T, dir string, _ lector.Lector) { escribir(t, dir, "f", "y") }, true},
		"el mismo texto": {func(_ *testing.T, _ string, l lector.Lector) { l.ReadFile("f", 9) },
			func(t *testing.T, dir string, _ lector.Lector) { escribir(t, dir, "f", "x") }, false},
		"una ausencia": {func(_ *testing.T, _ string, l lector.Lector) { l.Lstat("no") },
			func(t *testing.T, dir string, _ lector.Lector) { escribir(t, dir, "no", "y") }, true},
		"un listado": {func(_ *testing.T, _ string, l lector.Lector) { l.ReadDir(".", 9) },
			func(t *testing.T, dir string, _ lector.Lector) { os.Remove(filepath.Join(dir, "f")) }, true},
		"un enlace": {func(_ *testing.T, _ string, l lector.Lector) { l.Readlink("e") },
			func(t *testing.T, dir string, _ lector.Lector) {
				os.Remove(filepath.Join(dir, "e"))
				os.Symlink("otro", filepath.Join(dir, "e"))
			}, true},
		"por partes": {func(t *testing.T, _ string, l lector.Lector) {
			f, err := l.Open("f")
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := io.Copy(io.Discard, f); err != nil {
				t.Fatal(err)
			}
		}, func(t *testing.T, dir string, _ lector.Lector) { escribir(t, dir, "f", "y") }, true},
		"lo que no se firma": {func(_ *testing.T, _ string, l lector.Lector) { l.ReadFile("sin-firma", 9); l.Open("sin-firma") },
			func(t *testing.T, dir string, _ lector.Lector) { escribir(t, dir, "sin-firma", "y") }, false},
	} {
		t.Run(nombre, func(t *testing.T) {
			dir, l := abrir(t)
			escribir(t, dir, "f", "x")
			escribir(t, dir, "sin-firma", "x")
			os.Symlink("f", filepath.Join(dir, "e"))
			var r lector.Registro
			c.mira(t, dir, r.Sobre("a", l, func(ruta string) bool { return ruta != "sin-firma" }))
			c.cambia(t, dir, l)
			antes, despues, err := r.Cerrar(t.Context())
			if err != nil || len(antes) != 64 || (antes != despues) != c.si {
				t.Errorf("%s %s %v", antes, despues, err)
			}
		})
	}
}
