package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

// What the guide shows is a project that works: every block of it is put where
// it belongs, and the project is judged.
func TestLaGuiaAnda(t *testing.T) {
	guia, err := os.ReadFile(filepath.Join(casa.Raiz(t), "docs", "guia.md"))
	if err != nil {
		t.Fatal(err)
	}
	raiz := t.TempDir()
	lugares := map[string]string{"medida": "catalogos/%d.oracle", "ninguno": "catalogos/%d.oracle", "relacion": "relaciones/%d.relacion",
		"defmacro": "macros/%d.oracle", "caso": "corpus/%d.caso", "load(\"math.star\",": "escalares.star"}
	puestos := map[string]int{}
	for i, m := range regexp.MustCompile("(?s)```[a-z]*\n(.*?)```").FindAllStringSubmatch(string(guia), -1) {
		palabra, _, _ := strings.Cut(m[1], " ")
		lugar, ok := lugares[palabra]
		if !ok {
			continue
		}
		if strings.Contains(lugar, "%d") {
			lugar = fmt.Sprintf(lugar, i)
		}
		ruta := filepath.Join(raiz, lugar)
		if err := os.MkdirAll(filepath.Dir(ruta), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ruta, []byte(m[1]), 0o644); err != nil {
			t.Fatal(err)
		}
		puestos[palabra]++
	}
	for palabra := range lugares {
		if puestos[palabra] == 0 {
			t.Errorf("the guide shows no %s", palabra)
		}
	}
	evidencia := filepath.Join(raiz, "evidencia.json")
	if err := os.WriteFile(evidencia, []byte(`{"movimiento": [{"id": "m1", "sku": "A1", "clase": "compra", "cantidad": 2, "costo": 5}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"catalogo"}, {"juzgar", "--con", evidencia}, {"escalares", "listar", "--confiar-escalares"},
		{"evaluar", "existencias.saldo_no_negativo", "--con", evidencia},
	} {
		var salida, errores strings.Builder
		codigo := ejecutar(t.Context(), append(args, "--proyecto", raiz, "--encierro", "no"),
			mundo{entrada: os.Stdin, salida: &salida, errores: &errores, entorno: func(string) string { return "" }})
		if codigo != salidaBien {
			t.Errorf("%v: exit %d\n%s%s", args, codigo, salida.String(), errores.String())
		}
	}
}
