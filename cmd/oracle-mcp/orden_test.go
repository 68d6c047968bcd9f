package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestMain lets the scripts run the program itself, in a process of its own.
func TestMain(m *testing.M) {
	caja.SiSoyCaja()
	testscript.Main(m, map[string]func(){"oracle-mcp": main})
}

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestOrdenes(t *testing.T) {
	proyectos := filepath.Join(casa.Raiz(t), "fixtures", "proyectos")
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("PROYECTOS", proyectos)
			return nil
		},
		// A dynamic binary cannot run itself again once confined; the gate
		// builds static ones.
		Condition: func(cond string) (bool, error) {
			if cond != "estatico" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			info, ok := debug.ReadBuildInfo()
			return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "CGO_ENABLED", Value: "0"}), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			// sale N oracle-mcp …: runs it and checks its exit code.
			"sale": func(ts *testscript.TestScript, neg bool, args []string) {
				err := ts.Exec(args[1], args[2:]...)
				got := "0"
				if err != nil {
					got = strings.TrimPrefix(err.Error(), "exit status ")
				}
				if got != args[0] {
					ts.Fatalf("exit %s, want %s", got, args[0])
				}
			},
			// repite archivo veces antes texto después: makes a file of the text many
			// times between two others.
			"repite": func(ts *testscript.TestScript, neg bool, args []string) {
				n := 0
				for _, c := range args[1] {
					n = n*10 + int(c-'0')
				}
				ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.ReplaceAll(args[2], `\n`, "\n")+strings.Repeat(args[3], n)+args[4]), 0o644))
			},
		},
	})
}

func TestInterrumpida(t *testing.T) {
	ctx, parar := context.WithCancel(context.Background())
	parar()
	raiz := filepath.Join(casa.Raiz(t), "fixtures", "proyectos", "tienda")
	var salida, errores strings.Builder
	codigo := ejecutar(ctx, []string{"evaluar", "--encierro", "no", "--proyecto", raiz, "existencias.saldo_no_negativo", "--con", filepath.Join(raiz, "evidencia", "octubre-en-orden.json")},
		mundo{entrada: os.Stdin, salida: &salida, errores: &errores, entorno: func(string) string { return "" }})
	if codigo != salidaInterrumpida || salida.Len() > 0 {
		t.Errorf("exit %d with %q", codigo, salida.String())
	}
}

func TestColorSoloEnTerminal(t *testing.T) {
	v := &vista{color: true}
	if got := v.pintar(rojo, "x"); got != "\x1b[31;1mx\x1b[0m" {
		t.Errorf("got %q", got)
	}
	f, err := os.Create(filepath.Join(t.TempDir(), "salida"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m := mundo{salida: f, errores: f, entorno: os.Getenv}
	if m.mirar(); m.color || m.barra {
		t.Error("a file is not a terminal")
	}
}
