package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

// TestLaEvidenciaSaleDeLosArboles holds the evidence of the example project against what «hechos» writes about its trees: each is
// the tree in order with the files of its own directory on top.
func TestLaEvidenciaSaleDeLosArboles(t *testing.T) {
	fixtures := filepath.Join(casa.Raiz(t), "fixtures")
	manual := filepath.Join(fixtures, "docugraph", "manual")
	for _, nombre := range []string{"en-orden", "con-faltas", "sin-casillas"} {
		arbol := t.TempDir()
		capas := []string{"en-orden"}
		if nombre != "en-orden" {
			capas = append(capas, nombre)
		}
		for _, capa := range capas {
			encimar(t, arbol, filepath.Join(manual, capa))
		}
		var salida, errores strings.Builder
		m := mundo{entrada: strings.NewReader(""), salida: &salida, errores: &errores, entorno: func(string) string { return "" }}
		if codigo := ejecutar(t.Context(), []string{"hechos", "--encierro=no", "--workspace", arbol}, m); codigo != salidaBien || errores.Len() > 0 {
			t.Fatalf("exit %d: %s", codigo, errores.String())
		}
		guardada, err := os.ReadFile(filepath.Join(fixtures, "proyectos", "documentacion", "evidencia", "manual-"+nombre+".json"))
		if err != nil {
			t.Fatal(err)
		}
		var esperada, obtenida map[string][]map[string]any
		if err := json.Unmarshal(guardada, &esperada); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(salida.String()), &obtenida); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(esperada, obtenida); d != "" {
			t.Errorf("%s (-guardada +obtenida):\n%s", nombre, d)
		}
	}
}

// encimar copies a tree over another.
func encimar(t *testing.T, destino, origen string) {
	t.Helper()
	err := filepath.WalkDir(origen, func(ruta string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relativa, err := filepath.Rel(origen, ruta)
		if err != nil {
			return err
		}
		datos, err := os.ReadFile(ruta)
		if err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(destino, relativa)), 0o755); err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(destino, relativa), datos, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestHechosHaciaJuzgar runs the line the README of the example project documents, with both programs as they are shipped.
func TestHechosHaciaJuzgar(t *testing.T) {
	raiz := casa.Raiz(t)
	bin := t.TempDir()
	construir := exec.Command("go", "build", "-o", bin, "./cmd/docugraph-mcp", "./cmd/oracle-mcp")
	construir.Dir, construir.Env = raiz, append(os.Environ(), "CGO_ENABLED=0")
	if salida, err := construir.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, salida)
	}
	leeme, err := os.ReadFile(filepath.Join(raiz, "fixtures", "proyectos", "documentacion", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	linea := regexp.MustCompile(`(?m)^    (docugraph-mcp hechos .* \| oracle-mcp juzgar .*)$`).FindSubmatch(leeme)
	if linea == nil {
		t.Fatal("the README does not have the line")
	}
	conFaltas := t.TempDir()
	for _, capa := range []string{"en-orden", "con-faltas"} {
		encimar(t, conFaltas, filepath.Join(raiz, "fixtures", "docugraph", "manual", capa))
	}
	for _, c := range []struct {
		arbol, dice string
		codigo      int
	}{
		{"fixtures/docugraph/manual/en-orden", "EN REGLA", 0},
		{conFaltas, "NO ESTÁ EN REGLA", 1},
	} {
		cmd := exec.Command("sh", "-c", strings.Replace(string(linea[1]), "fixtures/docugraph/manual/en-orden", c.arbol, 1))
		cmd.Dir = raiz
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		salida, err := cmd.CombinedOutput()
		if codigo := cmd.ProcessState.ExitCode(); codigo != c.codigo || !strings.Contains(string(salida), c.dice) {
			t.Errorf("%s: exit %d (%v)\n%s", c.arbol, codigo, err, salida)
		}
	}
}
