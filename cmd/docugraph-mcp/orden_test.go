package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

// TestMain lets the scripts run the program itself, in a process of its own.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"docugraph-mcp": main})
}

func TestOrdenes(t *testing.T) {
	arboles := filepath.Join(casa.Raiz(t), "fixtures", "docugraph")
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("ARBOLES", arboles)
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// sale N docugraph-mcp …: runs it and checks its exit code.
			"sale": func(ts *testscript.TestScript, _ bool, args []string) {
				codigo := "0"
				if err := ts.Exec(args[1], args[2:]...); err != nil {
					codigo = strings.TrimPrefix(err.Error(), "exit status ")
				}
				if codigo != args[0] {
					ts.Fatalf("exit %s, want %s", codigo, args[0])
				}
			},
			// cadena directorio n: n documents, each depending on the next.
			"cadena": func(ts *testscript.TestScript, _ bool, args []string) {
				n, err := strconv.Atoi(args[1])
				ts.Check(err)
				ts.Check(os.MkdirAll(ts.MkAbs(args[0]), 0o755))
				for i := range n {
					texto := "---\nid: N-" + strconv.Itoa(i) + "\n"
					if i+1 < n {
						texto += "depends_on: N-" + strconv.Itoa(i+1) + "\n"
					}
					ts.Check(os.WriteFile(filepath.Join(ts.MkAbs(args[0]), strconv.Itoa(i)+".md"), []byte(texto+"---\n"), 0o644))
				}
			},
		},
	})
}

func TestInterrumpida(t *testing.T) {
	ctx, parar := context.WithCancel(t.Context())
	parar()
	var salida, errores strings.Builder
	codigo := ejecutar(ctx, []string{"validar", "--encierro=no", "--workspace", filepath.Join(casa.Raiz(t), "fixtures", "docugraph", "demo-repo")},
		mundo{entrada: strings.NewReader(""), salida: &salida, errores: &errores, entorno: func(string) string { return "" }})
	if codigo != salidaInterrumpida || salida.Len() > 0 {
		t.Errorf("exit %d with %q", codigo, salida.String())
	}
}
