package tareas_test

import (
	"github.com/go-json-experiment/json/jsontext"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
)

// FuzzTarea puts any bytes in a TAREA.md: the answer is a code, or a task and
// facts that are valid JSON and the same twice.
func FuzzTarea(f *testing.F) {
	for _, s := range []string{"# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n\n[a](b.md) ![c](<d e> 't') <http://x> [r][r]\n\n[r]: x\n",
		"#\tT\r\n* estado : cerrada\r\n* PRIORIDAD:-9\r\n- CIERRA CON: a.b, c.d\r\n- URL: ../x%20y\r\n", "\xef\xbb\xbf# T", "", "# \xff",
		"# T\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n<a href=x>\n> - 1. `[x](y)`\n```\n[z](w)\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, datos []byte) {
		dir := t.TempDir()
		base := filepath.Join(dir, "tareas", idUno)
		if err := os.MkdirAll(base, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(base, "TAREA.md"), datos, 0o644); err != nil {
			t.Fatal(err)
		}
		for _, q := range []tareas.Consulta{listar(), ver(idUno), buscar("a"), hechos()} {
			r, err := consultar(t, dir, q)
			if err != nil {
				if s := err.Error(); !strings.HasPrefix(s, "TRACKER_INVALIDO — ") || !utf8.ValidString(s) {
					t.Fatalf("%s: %q", q.Accion, s)
				}
				continue
			}
			uno := json(t, r)
			if !jsontext.Value(uno).IsValid() || strings.ContainsRune(uno, '\n') {
				t.Fatalf("%s: %s", q.Accion, uno)
			}
			if otra := json(t, bien(t, dir, q)); otra != uno {
				t.Fatalf("%s: two answers\n%s\n%s", q.Accion, uno, otra)
			}
			impreso(t, r)
			if r.Hechos != nil {
				for _, ref := range r.Hechos.Referencias {
					if ref.Linea < 1 || ref.Linea > strings.Count(string(datos), "\n")+1 {
						t.Fatalf("line %d", ref.Linea)
					}
				}
			}
		}
	})
}
