package tareas_test

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

const minima = "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"

// TestTopesDeReferencias has each bound on a Markdown text at n and at n+1.
func TestTopesDeReferencias(t *testing.T) {
	nota := "tareas/" + idUno + "/nota.md"
	for nombre, c := range map[string]struct {
		texto func(n int) string
		n     int
		omite string
		refs  int // at n
	}{
		"líneas":      {func(n int) string { return "[a](b)" + strings.Repeat("\n", n-1) + "x" }, 50_000, nota + ": markdown_de_muchas_lineas", 1},
		"marcas":      {func(n int) string { return "[a](b)" + strings.Repeat("!", n-2) }, 1000, nota + ": parrafo_demasiado_largo", 1},
		"anidamiento": {func(n int) string { return strings.Repeat("> ", n) + "[a](b)" }, 100, nota + ": markdown_demasiado_anidado", 1},
		"sangría":     {func(n int) string { return "[a](b)\n\n" + strings.Repeat(" ", n) + "x" }, 200, nota + ": markdown_demasiado_anidado", 1},
		"tamaño":      {func(n int) string { return "[a](b)" + strings.Repeat("x", n-6) }, 2 << 20, nota + ": mayor_de_2_mib", 1},
		"referencias": {func(n int) string {
			return strings.Repeat(strings.Repeat("[a](b)", 400)+"\n\n", n/400) + strings.Repeat("[a](b)", n%400)
		}, 100_000, nota + ": supera_el_tope", 100_000},
		"avisos": {func(n int) string { return strings.Repeat("<a href=x>\n\n", n) }, 1000, nota + ": supera_el_tope", 0},
	} {
		t.Run(nombre, func(t *testing.T) {
			m := unaTarea(minima)
			m[nota] = c.texto(c.n)
			h := bien(t, proyecto(t, m), hechos()).Hechos
			if len(h.Referencias) != c.refs || strings.Contains(strings.Join(omisiones(h), "\n"), c.omite) {
				t.Errorf("at %d: %d references, %d omissions", c.n, len(h.Referencias), len(h.Omisiones))
			}
			m[nota] = c.texto(c.n + 1)
			h = bien(t, proyecto(t, m), hechos()).Hechos
			if len(h.Referencias) != 0 || omisiones(h)[0] != c.omite {
				t.Errorf("at %d: %d references, omissions %v", c.n+1, len(h.Referencias), omisiones(h)[:1])
			}
		})
	}
}

func TestTopeDeProblemas(t *testing.T) {
	m := map[string]string{}
	for i := range 1001 {
		m[fmt.Sprintf("tareas/%04d.md", i)] = ""
	}
	dir := proyecto(t, m)
	_, texto := mal(t, dir, listar())
	lineas := strings.Split(texto, "\n")
	if len(lineas) != 1002 || lineas[0] != "TRACKER_INVALIDO — se detectaron 1001 registro(s) inválido(s) en tareas/:" || lineas[1001] != "  · y otros 1" {
		t.Errorf("%d lines, %q … %q", len(lineas), lineas[0], lineas[len(lineas)-1])
	}
	os.Remove(dir + "/tareas/0000.md")
	_, texto = mal(t, dir, listar())
	if lineas := strings.Split(texto, "\n"); len(lineas) != 1001 || strings.Contains(texto, "y otros") {
		t.Errorf("%d lines", len(lineas))
	}
}

// otroTexto gives another text from the second reading of a file on.
type otroTexto struct {
	lector.Lector
	ruta  string
	veces int
}

func (o *otroTexto) ReadFile(ruta string, tope int64) ([]byte, error) {
	datos, err := o.Lector.ReadFile(ruta, tope)
	if ruta == o.ruta {
		if o.veces++; o.veces > 1 {
			datos = append(datos, "\notra nota\n"...)
		}
	}
	return datos, err
}

func TestVerLoAuditado(t *testing.T) {
	raiz, err := os.OpenRoot(proyecto(t, unaTarea(minima)))
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	l := &otroTexto{Lector: lector.DeRaiz(raiz), ruta: "tareas/" + idUno + "/TAREA.md"}
	_, err = tareas.Consultar(t.Context(), l, nil, ver("juzgar"))
	const quiere = "TRACKER_INVALIDO — se detectaron 1 registro(s) inválido(s) en tareas/:\n  · tareas/" + idUno + "/TAREA.md: cambió mientras se leía"
	if sinRemedio(t, err) != quiere {
		t.Errorf("got %v", err)
	}
}

// seEsfuma lists a file that is no longer there when it is looked at.
type seEsfuma struct {
	lector.Lector
	ruta string
}

func (s seEsfuma) Lstat(ruta string) (fs.FileInfo, error) {
	if ruta == s.ruta {
		return nil, &fs.PathError{Op: "lstat", Path: ruta, Err: fs.ErrNotExist}
	}
	return s.Lector.Lstat(ruta)
}

func TestArchivoQueSeEsfuma(t *testing.T) {
	m := unaTarea(minima)
	m["tareas/"+idUno+"/x.txt"] = ""
	raiz, err := os.OpenRoot(proyecto(t, m))
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	r, err := tareas.Consultar(t.Context(), seEsfuma{lector.DeRaiz(raiz), "tareas/" + idUno + "/x.txt"}, nil, hechos())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"tareas/" + idUno + "/x.txt: ilegible"}, omisiones(r.Hechos)); d != "" || len(r.Hechos.Archivos) != 1 {
		t.Errorf("%s\n%+v", d, r.Hechos.Archivos)
	}
}
