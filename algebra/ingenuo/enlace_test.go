package ingenuo_test

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const (
	modulo = "github.com/oracle-mcp/oracle-mcp"
	propio = modulo + "/algebra/ingenuo"
	corre  = modulo + "/fixtures/correr"
)

// TestNingunBinarioLoEnlaza proves that the plain evaluator is in no program
// but the runner of vectors, and that it leans on the forms alone.
func TestNingunBinarioLoEnlaza(t *testing.T) {
	salida, err := exec.Command("go", "list", "-e", "-deps", "-json=ImportPath,Name,Imports,Deps", modulo+"/...").Output()
	if err != nil {
		t.Fatal(err)
	}
	type paquete struct {
		ImportPath, Name string
		Imports, Deps    []string
	}
	programas, visto := 0, false
	for d := json.NewDecoder(strings.NewReader(string(salida))); ; {
		var p paquete
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(p.ImportPath, modulo) {
			continue
		}
		if p.Name == "main" {
			programas++
		}
		if p.ImportPath == propio {
			visto = true
			for _, i := range p.Imports {
				if strings.Contains(i, ".") && i != modulo+"/algebra" {
					t.Errorf("imports %s", i)
				}
			}
		}
		if p.ImportPath != corre && (slices.Contains(p.Deps, propio) || slices.Contains(p.Imports, propio)) {
			t.Errorf("%s links the plain evaluator", p.ImportPath)
		}
	}
	if !visto || programas == 0 {
		t.Fatalf("go list told of %d programs and of the package itself: %t", programas, visto)
	}
}
