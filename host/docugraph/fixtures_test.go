package docugraph_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

const fixtures = "../../fixtures/docugraph"

// cargar loads a directory, failing the test if that is not possible.
func cargar(t testing.TB, dir string) *docugraph.Arbol {
	t.Helper()
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	a, err := docugraph.Cargar(t.Context(), raiz, docugraph.Limites{})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// escribir makes a tree out of path → content, in the order given.
func escribir(t testing.TB, dir string, rutas []string, contenido map[string]string) {
	t.Helper()
	for _, r := range rutas {
		destino := filepath.Join(dir, filepath.FromSlash(r))
		if err := os.MkdirAll(filepath.Dir(destino), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(destino, []byte(contenido[r]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// leerArbol returns the regular files below dir, path → content, and their paths in order.
func leerArbol(t testing.TB, dir string) ([]string, map[string]string) {
	t.Helper()
	var rutas []string
	contenido := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		datos, err := os.ReadFile(filepath.Join(dir, p))
		rutas = append(rutas, p)
		contenido[p] = string(datos)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return rutas, contenido
}

// preparar returns the tree of a negative fixture, making first the files that fabricar.txt describes.
func preparar(t testing.TB, fixture string) string {
	t.Helper()
	receta, err := os.ReadFile(filepath.Join(fixture, "fabricar.txt"))
	if os.IsNotExist(err) {
		return filepath.Join(fixture, "arbol")
	} else if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	rutas, contenido := leerArbol(t, filepath.Join(fixture, "arbol"))
	escribir(t, dir, rutas, contenido)
	for _, renglon := range strings.Split(strings.TrimSpace(string(receta)), "\n") {
		nombre, bytesPedidos, ok := strings.Cut(renglon, " ")
		if !ok || strings.HasPrefix(renglon, "#") {
			continue
		}
		n, err := strconv.Atoi(bytesPedidos)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, nombre), bytes.Repeat([]byte("a"), n), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
