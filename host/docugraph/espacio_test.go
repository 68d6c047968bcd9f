package docugraph_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

func abrirEspacio(t *testing.T, dir string) *docugraph.Espacio {
	t.Helper()
	e, err := docugraph.AbrirEspacio(dir, docugraph.Limites{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	if err := e.Cargar(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEspacioValidar(t *testing.T) {
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	escribir(t, base, []string{"otro/b.md", "raiz/a.md", "raiz/sub/c.md", "raiz/.oculto/d.md"}, map[string]string{
		"otro/b.md": "---\nid: B\n---\n", "raiz/a.md": "---\nid: A\ndepends_on: C\n---\n",
		"raiz/sub/c.md": "---\nid: C\ndepends_on: A\n---\n", "raiz/.oculto/d.md": "---\nid: D\n---\n",
	})
	for enlace, destino := range map[string]string{
		"raiz/afuera": "../otro", "raiz/adentro": "sub", "atajo": "raiz", "raiz/colgado": "nada",
	} {
		if err := os.Symlink(destino, filepath.Join(base, enlace)); err != nil {
			t.Fatal(err)
		}
	}
	// The root itself may be given by way of a link.
	e := abrirEspacio(t, filepath.Join(base, "atajo"))
	if e.Ruta() != filepath.Join(base, "raiz") {
		t.Fatal(e.Ruta())
	}
	for _, c := range []struct {
		ruta, lugar string // lugar: under base, "" for an error
		codigo      docugraph.Codigo
		nodos       int
		errores     int
	}{
		{"", "raiz", "", 2, 1},
		{".", "raiz", "", 2, 1},
		{e.Ruta(), "raiz", "", 2, 1},
		{filepath.Join(base, "atajo"), "raiz", "", 2, 1},
		{"sub", "raiz/sub", "", 1, 1}, // on its own, A does not exist
		{"adentro", "raiz/sub", "", 1, 1},
		{"sub/../sub/", "raiz/sub", "", 1, 1},
		{filepath.Join(base, "atajo/sub"), "raiz/sub", "", 1, 1},
		{".oculto", "raiz/.oculto", "", 1, 0},
		{"..", "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{"../otro", "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{"afuera", "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{filepath.Join(base, "otro"), "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{"/no/existe", "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{"/", "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{"../raizal", "", docugraph.WorkspaceFueraDeRaiz, 0, 0},
		{"a.md", "", docugraph.ArgumentoInvalido, 0, 0},
		{"nada", "", docugraph.ArgumentoInvalido, 0, 0},
		{"colgado", "", docugraph.ArgumentoInvalido, 0, 0},
		{"con\x00nulo", "", docugraph.ArgumentoInvalido, 0, 0},
	} {
		i, err := e.Validar(t.Context(), c.ruta)
		if codigoDe(err) != c.codigo || err != nil && c.codigo == "" {
			t.Errorf("%q: %v, se esperaba %q", c.ruta, err, c.codigo)
			continue
		}
		if err == nil && (i.WorkspacePath != filepath.Join(base, c.lugar) || i.NodeCount != c.nodos || len(i.Errors) != c.errores) {
			t.Errorf("%q: %+v", c.ruta, i)
		}
	}
	ctx, cancelar := context.WithCancel(t.Context())
	cancelar()
	if _, err := e.Validar(ctx, "sub"); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelado: %v", err)
	}
}

func TestEspacioQueNoSeAbre(t *testing.T) {
	dir := t.TempDir()
	escribir(t, dir, []string{"a.md"}, map[string]string{"a.md": ""})
	for _, ruta := range []string{filepath.Join(dir, "nada"), filepath.Join(dir, "a.md")} {
		if _, err := docugraph.AbrirEspacio(ruta, docugraph.Limites{}); err == nil {
			t.Errorf("%s se abrió", ruta)
		}
	}
}
