package arbol_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/arbol"
)

func sembrar(t *testing.T, dir string, archivos map[string]string) {
	t.Helper()
	for ruta, texto := range archivos {
		escribir(t, filepath.Join(dir, ruta), texto)
	}
}

func escribir(t *testing.T, ruta, texto string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(ruta), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ruta, []byte(texto), 0o644); err != nil {
		t.Fatal(err)
	}
}

func abrir(t *testing.T, dir string, topes arbol.Topes) *arbol.Arbol {
	t.Helper()
	a, err := arbol.Abrir(dir, topes)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Close() })
	return a
}

func TestListarEnOrdenYLeer(t *testing.T) {
	dir := t.TempDir()
	sembrar(t, dir, map[string]string{"c/b/2.x": "dos", "c/a.x": "uno", "c/b.x": "tres", "fuera": "no"})
	a := abrir(t, dir, arbol.Topes{})
	l := arbol.NuevaLectura()
	got, hay, err := l.Listar(a, "c")
	if err != nil || !hay {
		t.Fatal(hay, err)
	}
	if d := cmp.Diff([]string{"c/a.x", "c/b.x", "c/b/2.x"}, got); d != "" {
		t.Error(d)
	}
	if b, err := l.Archivo(a, "c/b/2.x"); err != nil || string(b) != "dos" {
		t.Errorf("%q %v", b, err)
	}
	if _, hay, err := l.Listar(a, "nada"); hay || err != nil {
		t.Errorf("un directorio ausente: %v %v", hay, err)
	}
	if _, hay, err := l.ArchivoSiHay(a, "nada"); hay || err != nil {
		t.Errorf("un archivo ausente: %v %v", hay, err)
	}
}

// TestLoQueNoPuedeEstar looks at everything that must be an error with its
// path, never an empty listing.
func TestLoQueNoPuedeEstar(t *testing.T) {
	for _, c := range []struct {
		nombre, ruta, motivo string
		preparar             func(t *testing.T, dir string)
	}{
		{"enlace adentro", "c/b/e.x", "enlace simbólico", func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"c/b/a.x": ""})
			enlazar(t, "a.x", filepath.Join(dir, "c/b/e.x"))
		}},
		{"enlace a un directorio", "c/b", "enlace simbólico", func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"c/a.x": "", "otro/a.x": ""})
			enlazar(t, "../otro", filepath.Join(dir, "c/b"))
		}},
		{"el directorio es un enlace", "c", "enlace simbólico", func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"otro/a.x": ""})
			enlazar(t, "otro", filepath.Join(dir, "c"))
		}},
		{"enlace que sale de la raíz", "c/e.x", "enlace simbólico", func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"c/a.x": ""})
			enlazar(t, "/etc/passwd", filepath.Join(dir, "c/e.x"))
		}},
		{"tubería con nombre", "c/t.x", "no es un archivo regular", func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"c/a.x": ""})
			if err := syscall.Mkfifo(filepath.Join(dir, "c/t.x"), 0o644); err != nil {
				t.Fatal(err)
			}
		}},
		{"un archivo en lugar del directorio", "c", "no es un directorio", func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"c": ""})
		}},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			dir := t.TempDir()
			c.preparar(t, dir)
			_, hay, err := arbol.NuevaLectura().Listar(abrir(t, dir, arbol.Topes{}), "c")
			var e *arbol.Error
			if hay || !errors.As(err, &e) || e.Ruta != c.ruta || !strings.Contains(e.Motivo, c.motivo) {
				t.Errorf("%v %v", hay, err)
			}
		})
	}
}

func enlazar(t *testing.T, destino, ruta string) {
	t.Helper()
	if err := os.Symlink(destino, ruta); err != nil {
		t.Fatal(err)
	}
}

func TestRutasQueSalen(t *testing.T) {
	dir := t.TempDir()
	sembrar(t, dir, map[string]string{"r/a": "x", "secreto": "no"})
	enlazar(t, "..", filepath.Join(dir, "r/arriba"))
	a := abrir(t, filepath.Join(dir, "r"), arbol.Topes{})
	for _, ruta := range []string{"../secreto", "/etc/passwd", "arriba/secreto", "./a", "a/../a", ""} {
		if b, err := arbol.NuevaLectura().Archivo(a, ruta); err == nil {
			t.Errorf("%q se leyó: %q", ruta, b)
		}
	}
}

func TestTopes(t *testing.T) {
	dir := t.TempDir()
	sembrar(t, dir, map[string]string{"c/1.x": "12345", "c/s/2.x": "123456"})
	l := arbol.NuevaLectura()
	a := abrir(t, dir, arbol.Topes{BytesPorArchivo: 5, ArchivosPorDirectorio: 2})
	if _, err := l.Archivo(a, "c/1.x"); err != nil {
		t.Error(err)
	}
	var e *arbol.Error
	if _, err := l.Archivo(a, "c/s/2.x"); !errors.As(err, &e) || e.Ruta != "c/s/2.x" {
		t.Errorf("un byte de más: %v", err)
	}
	if _, _, err := l.Listar(a, "c"); err != nil {
		t.Error(err)
	}
	sembrar(t, dir, map[string]string{"c/s/3.x": ""})
	if _, _, err := l.Listar(a, "c"); !errors.As(err, &e) || e.Ruta != "c" {
		t.Errorf("un archivo de más: %v", err)
	}
}

func TestCierre(t *testing.T) {
	cambios := map[string]func(t *testing.T, dir string){
		"otro contenido":       func(t *testing.T, dir string) { sembrar(t, dir, map[string]string{"c/a.x": "otra"}) },
		"un archivo de más":    func(t *testing.T, dir string) { sembrar(t, dir, map[string]string{"c/z.x": ""}) },
		"un archivo de menos":  func(t *testing.T, dir string) { os.Remove(filepath.Join(dir, "c/b.x")) },
		"aparece el que faltó": func(t *testing.T, dir string) { sembrar(t, dir, map[string]string{"conf": "{}"}) },
		"aparece el que se buscó": func(t *testing.T, dir string) {
			sembrar(t, dir, map[string]string{"star": ""})
		},
		"pasa a ser un enlace": func(t *testing.T, dir string) {
			os.Remove(filepath.Join(dir, "c/a.x"))
			enlazar(t, "b.x", filepath.Join(dir, "c/a.x"))
		},
	}
	for nombre, cambiar := range cambios {
		t.Run(nombre, func(t *testing.T) {
			dir := t.TempDir()
			sembrar(t, dir, map[string]string{"c/a.x": "uno", "c/b.x": "dos"})
			a := abrir(t, dir, arbol.Topes{})
			l := arbol.NuevaLectura()
			l.Listar(a, "c")
			l.Archivo(a, "c/a.x")
			l.ArchivoSiHay(a, "conf")
			l.Existe(a, "star")
			quieto, err := l.Cerrar(context.Background(), nil)
			if err != nil || !quieto.Estable() || len(quieto.Antes) != 64 {
				t.Fatalf("%+v %v", quieto, err)
			}
			cambiar(t, dir)
			movido, err := l.Cerrar(context.Background(), nil)
			if err != nil || movido.Estable() || movido.Antes != quieto.Antes {
				t.Errorf("%+v %v", movido, err)
			}
		})
	}
}

// TestCierreNoMiraLoAjeno: what the call did not look at may change.
func TestCierreNoMiraLoAjeno(t *testing.T) {
	dir := t.TempDir()
	sembrar(t, dir, map[string]string{"c/a.x": "uno", "d/a.x": "uno"})
	a := abrir(t, dir, arbol.Topes{})
	l := arbol.NuevaLectura()
	l.Listar(a, "c")
	sembrar(t, dir, map[string]string{"d/a.x": "dos", "e": ""})
	if c, err := l.Cerrar(context.Background(), nil); err != nil || !c.Estable() {
		t.Errorf("%+v %v", c, err)
	}
}

func TestCerrarMuestraLosBytesEnOrden(t *testing.T) {
	dir := t.TempDir()
	sembrar(t, dir, map[string]string{"b": "2", "a/x": "1", "c": "3"})
	a := abrir(t, dir, arbol.Topes{})
	l := arbol.NuevaLectura()
	for _, r := range []string{"c", "b", "a/x"} {
		l.Archivo(a, r)
	}
	var got []string
	l.Cerrar(context.Background(), func(ruta string, b []byte) {
		rel, _ := filepath.Rel(a.Ruta(), ruta)
		got = append(got, fmt.Sprintf("%s=%s", rel, b))
	})
	if d := cmp.Diff([]string{"a/x=1", "b=2", "c=3"}, got); d != "" {
		t.Error(d)
	}
}

func TestCerrarSeCancela(t *testing.T) {
	dir := t.TempDir()
	sembrar(t, dir, map[string]string{"a": "1"})
	l := arbol.NuevaLectura()
	l.Archivo(abrir(t, dir, arbol.Topes{}), "a")
	ctx, cancelar := context.WithCancel(context.Background())
	cancelar()
	if _, err := l.Cerrar(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestIdaYVuelta: a file that changed while it was being read twice, and was put
// back, is not one state of the tree.
func TestIdaYVuelta(t *testing.T) {
	dir := t.TempDir()
	escribir := func(texto string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "a"), []byte(texto), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	escribir("uno")
	a, err := arbol.Abrir(dir, arbol.Topes{})
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	for _, vuelve := range []bool{false, true} {
		l := arbol.NuevaLectura()
		for _, texto := range []string{"uno", "dos", "uno"} {
			if texto == "dos" && !vuelve {
				continue
			}
			escribir(texto)
			if _, err := l.Archivo(a, "a"); err != nil {
				t.Fatal(err)
			}
		}
		c, err := l.Cerrar(context.Background(), nil)
		if err != nil || c.Estable() == vuelve {
			t.Errorf("changed: %v; stable: %v, %v", vuelve, c.Estable(), err)
		}
	}
}
