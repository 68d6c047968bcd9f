package docugraph_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// codigos is the table of especificacion/docugraph.md §3.
var codigos = map[docugraph.Codigo]docugraph.Nivel{
	"FRONTMATTER_INVALID": "error", "ID_MISSING": "error", "ID_INVALID": "error", "ID_DUPLICATE": "error", "DEPENDS_ON_INVALID": "error",
	"LINK_BROKEN": "error", "LINK_CYCLE": "error", "ENCODING_INVALID": "error", "FILE_TOO_LARGE": "error", "FILE_UNREADABLE": "error",
	"DEPENDS_ON_DUPLICATE": "aviso", "DOC_LINK_BROKEN": "aviso", "DOC_ANCHOR_BROKEN": "aviso", "FRONTMATTER_MISSING": "aviso",
	"SYMLINK_SKIPPED": "aviso", "ORPHAN": "aviso",
}

func TestUnNegativoPorCodigo(t *testing.T) {
	dirs, err := os.ReadDir(fixtures + "/negativos")
	if err != nil {
		t.Fatal(err)
	}
	faltan := map[docugraph.Codigo]bool{}
	for c, nivel := range codigos {
		faltan[c] = true
		if c.Nivel() != nivel {
			t.Errorf("%s es %s, y en la tabla es %s", c, c.Nivel(), nivel)
		}
	}
	for _, d := range dirs {
		delete(faltan, docugraph.Codigo(d.Name()))
		t.Run(d.Name(), func(t *testing.T) {
			dir := filepath.Join(fixtures, "negativos", d.Name())
			esperado, err := os.ReadFile(filepath.Join(dir, "esperado.txt"))
			if err != nil {
				t.Fatal(err)
			}
			informe := cargar(t, preparar(t, dir)).Informe("")
			if d := cmp.Diff(string(esperado), lugares(informe)); d != "" {
				t.Errorf("(-esperado +obtenido):\n%s", d)
			}
			if informe.Valid != (len(informe.Errors) == 0) || informe.Valid == (codigos[docugraph.Codigo(d.Name())] == "error") {
				t.Errorf("valid es %t con %d errores", informe.Valid, len(informe.Errors))
			}
			for _, h := range informe.Hallazgos() {
				if h.Mensaje == "" || strings.ContainsAny(h.Mensaje, "\n\r") {
					t.Errorf("el mensaje de %+v no es un renglón", h)
				}
			}
		})
	}
	for c := range faltan {
		t.Errorf("falta un negativo para %s", c)
	}
}

// lugares writes the findings as «path:line: code node», a line each.
func lugares(i *docugraph.Informe) string {
	var b strings.Builder
	for _, h := range i.Hallazgos() {
		b.WriteString(strings.TrimSpace(fmt.Sprintf("%s:%d: %s %s", h.Ruta, h.Linea, h.Codigo, h.Nodo)) + "\n")
	}
	return b.String()
}

func TestMensajesDeCiclo(t *testing.T) {
	i := cargar(t, fixtures+"/negativos/LINK_CYCLE/arbol").Informe("")
	esperado := []string{
		"ciclo: S-1 → S-1",
		"ciclo: C-1 → C-2 → C-3 → C-1; se enredan 4 documentos: C-1, C-2, C-3, C-4",
	}
	var obtenido []string
	for _, h := range i.Errors {
		obtenido = append(obtenido, h.Mensaje)
	}
	if d := cmp.Diff(esperado, obtenido); d != "" {
		t.Errorf("(-esperado +obtenido):\n%s", d)
	}
}

func TestSugerencia(t *testing.T) {
	i := cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol").Informe("")
	if m := i.Errors[0].Mensaje; !strings.Contains(m, `"BE-20"`) {
		t.Errorf("no sugiere BE-20 para BE-2O: %s", m)
	}
	if m := i.Errors[1].Mensaje; strings.Contains(m, "parecido") {
		t.Errorf("sugiere algo para NADA-QUE-VER: %s", m)
	}
}
