package docugraph_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

func TestQueSeLee(t *testing.T) {
	dir := t.TempDir()
	doc := func(id string) string { return "---\nid: " + id + "\n---\n" }
	escribir(t, dir, []string{
		"b.md", "a.MD", "c.Md", "d.markdown", "e.txt", ".oculto.md", ".git/f.md", "node_modules/g.md", "x/vendor/h.md", "build/i.md", "dist/j.md",
		"target/k.md", "out/l.md", "salida/m.md", "raro.md/n.md", "con espacio/ñandú.md", "x/build.md",
	}, map[string]string{
		"b.md": doc("B"), "a.MD": doc("A"), "c.Md": doc("C"), "d.markdown": doc("D"), "e.txt": doc("E"), ".oculto.md": doc("O"), ".git/f.md": doc("F"),
		"node_modules/g.md": doc("G"), "x/vendor/h.md": doc("H"), "build/i.md": doc("I"), "dist/j.md": doc("J"), "target/k.md": doc("K"), "out/l.md": doc("L"),
		"salida/m.md": doc("M"), "raro.md/n.md": doc("N"), "con espacio/ñandú.md": doc("Ñ"), "x/build.md": doc("BU"),
	})
	// Read one by one: nothing may depend on how many processors there are.
	for _, procesadores := range []int{1, 2, 8} {
		previo := runtime.GOMAXPROCS(procesadores)
		var rutas []string
		for _, d := range cargar(t, dir).Documentos() {
			rutas = append(rutas, d.Ruta+" "+d.ID)
		}
		runtime.GOMAXPROCS(previo)
		esperado := []string{"a.MD A", "b.md B", "c.Md C", "con espacio/ñandú.md Ñ", "raro.md/n.md N", "salida/m.md M", "x/build.md BU"}
		if d := cmp.Diff(esperado, rutas); d != "" {
			t.Errorf("con %d procesadores (-esperado +obtenido):\n%s", procesadores, d)
		}
	}
}

func TestLoQueNoSePuedeLeer(t *testing.T) {
	dir := t.TempDir()
	escribir(t, dir, []string{"a.md"}, map[string]string{"a.md": "---\nid: A\n---\n"})
	// A pipe that nobody writes to: opening it to read would wait for ever.
	if err := syscall.Mkfifo(filepath.Join(dir, "cola.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, nombre := range []string{"con\nsalto.md", "no-utf8\xff.md"} {
		if err := os.WriteFile(filepath.Join(dir, nombre), []byte("---\nid: X\n---\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "mal\tdir"), 0o755); err != nil {
		t.Fatal(err)
	}
	esperado := "cola.md:1: FILE_UNREADABLE\ncon\uFFFDsalto.md:1: FILE_UNREADABLE\nmal\uFFFDdir:1: FILE_UNREADABLE\nno-utf8\uFFFD.md:1: FILE_UNREADABLE\n"
	a := cargar(t, dir)
	if d := cmp.Diff(esperado, lugares(a.Informe(""))); d != "" {
		t.Errorf("(-esperado +obtenido):\n%s", d)
	}
	if n := len(a.Omitidos()); n != 4 {
		t.Errorf("%d omitidos, se esperaban 4", n)
	}
}

func TestNoSaleDeLaRaiz(t *testing.T) {
	base := t.TempDir()
	escribir(t, base, []string{"secreto.md", "raiz/a.md"}, map[string]string{
		"secreto.md": "---\nid: SECRETO\n---\n# Secreto\n",
		"raiz/a.md":  "---\nid: A\ndepends_on: [SECRETO]\n---\n[x](../secreto.md) [y](dir/secreto.md) [z](enlace.md)\n",
	})
	for enlace, destino := range map[string]string{"dir": "..", "enlace.md": "../secreto.md"} {
		if err := os.Symlink(destino, filepath.Join(base, "raiz", enlace)); err != nil {
			t.Fatal(err)
		}
	}
	esperado := "a.md:5: DOC_LINK_BROKEN A\na.md:5: DOC_LINK_BROKEN A\na.md:5: DOC_LINK_BROKEN A\na.md:3: LINK_BROKEN A\n" +
		"dir:1: SYMLINK_SKIPPED\nenlace.md:1: SYMLINK_SKIPPED\n"
	i := cargar(t, filepath.Join(base, "raiz")).Informe("")
	if d := cmp.Diff(esperado, lugares(i)); d != "" {
		t.Errorf("(-esperado +obtenido):\n%s", d)
	}
	for _, h := range i.Warnings[:3] {
		if !strings.Contains(h.Mensaje, "no se puede comprobar") {
			t.Errorf("dice otra cosa que «no se puede comprobar»: %s", h.Mensaje)
		}
	}
}

func TestCancelar(t *testing.T) {
	ctx, cancelar := context.WithCancel(t.Context())
	a := cargar(t, fixtures+"/demo-repo")
	cancelar()
	raiz, err := os.OpenRoot(fixtures + "/demo-repo")
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	pruebas := map[string]func() error{
		"Cargar":   func() error { _, err := docugraph.Cargar(ctx, raiz, docugraph.Limites{}); return err },
		"Armar":    func() error { _, err := docugraph.Armar(ctx, a.Documentos(), nil, nil); return err },
		"Contexto": func() error { _, err := a.Contexto(ctx, "BE-02", 5); return err },
		"Impacto":  func() error { _, err := a.Impacto(ctx, "BE-02", 5); return err },
		"Grafo":    func() error { _, err := a.Grafo(ctx); return err },
		"Hechos":   func() error { _, err := a.Hechos(ctx, docugraph.Limites{}); return err },
	}
	for nombre, f := range pruebas {
		if err := f(); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", nombre, err)
		}
	}
}

func TestRaizIlegible(t *testing.T) {
	dir := t.TempDir()
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	raiz.Close()
	if _, err := docugraph.Cargar(t.Context(), raiz, docugraph.Limites{}); err == nil {
		t.Error("una raíz que no se puede listar no es un árbol vacío")
	}
}

func TestArbolVacio(t *testing.T) {
	a := cargar(t, t.TempDir())
	if i := a.Informe("/x"); !i.Valid || i.NodeCount != 0 || i.Errors == nil || i.Warnings == nil || i.WorkspacePath != "/x" {
		t.Errorf("%+v", i)
	}
}
