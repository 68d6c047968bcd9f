package tareas_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

func fecha(seg int64) time.Time { return time.Unix(seg, 0) }

func fifo(t testing.TB, ruta string) {
	t.Helper()
	if err := syscall.Mkfifo(ruta, 0o644); err != nil {
		t.Fatal(err)
	}
}

// proyecto writes a tree and returns its root. A name that ends in "/" is a
// directory, and a text that starts with "-> " is a symbolic link.
func proyecto(t testing.TB, archivos map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for ruta, texto := range archivos {
		abs := filepath.Join(dir, ruta)
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		switch {
		case ruta[len(ruta)-1] == '/':
			err = os.MkdirAll(abs, 0o755)
		case len(texto) > 3 && texto[:3] == "-> ":
			err = os.Symlink(texto[3:], abs)
		default:
			err = os.WriteFile(abs, []byte(texto), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// consultar runs a consultation over a directory, without a repository.
func consultar(t testing.TB, dir string, c tareas.Consulta) (*tareas.Resultado, error) {
	t.Helper()
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	return tareas.Consultar(context.Background(), lector.DeRaiz(raiz), nil, c)
}

// bien is consultar for what has to go well.
func bien(t testing.TB, dir string, c tareas.Consulta) *tareas.Resultado {
	t.Helper()
	r, err := consultar(t, dir, c)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// mal is consultar for what has to fail, with its code and its whole text.
func mal(t testing.TB, dir string, c tareas.Consulta) (codigo, texto string) {
	t.Helper()
	r, err := consultar(t, dir, c)
	var e *tareas.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v and error %v, want a coded error", r, err)
	}
	if r != nil {
		t.Errorf("there is a result beside the error")
	}
	return e.Codigo(), sinRemedio(t, e)
}

// sinRemedio returns the text of an error without the field and the mend, which
// it has to end with.
func sinRemedio(t testing.TB, err error) string {
	t.Helper()
	var e *tareas.Error
	if !errors.As(err, &e) {
		t.Fatalf("got error %v, want a coded one", err)
	}
	texto, hay := strings.CutSuffix(e.Error(), e.Remedio().Lineas())
	if r := e.Remedio(); !hay || r.Campo == "" || !strings.HasSuffix(r.Correccion, ".") {
		t.Errorf("it does not end with a field and a mend: %s", e)
	}
	return texto
}

func json(t testing.TB, r *tareas.Resultado) string {
	t.Helper()
	b, err := r.JSON()
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func p[T any](v T) *T { return &v }

func listar() tareas.Consulta         { return tareas.Consulta{Accion: tareas.AccionListar} }
func ver(id string) tareas.Consulta   { return tareas.Consulta{Accion: tareas.AccionVer, ID: &id} }
func buscar(s string) tareas.Consulta { return tareas.Consulta{Accion: tareas.AccionBuscar, Texto: &s} }
func hechos() tareas.Consulta         { return tareas.Consulta{Accion: tareas.AccionHechos} }
