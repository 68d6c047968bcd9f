package docugraph_test

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the conversations expect with what the server says")

const fixtures = "../../fixtures/docugraph"

// plazo is how long a whole conversation may take before it fails.
const plazo = 60 * time.Second

// binario is the command, built as it is shipped.
var binario = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "docugraph-mcp-prueba-")
	if err != nil {
		return "", err
	}
	ruta := filepath.Join(dir, "docugraph-mcp")
	cmd := exec.Command("go", "build", "-o", ruta, "../../cmd/docugraph-mcp")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if salida, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(salida))
	}
	return ruta, nil
})

func TestMain(m *testing.M) {
	codigo := m.Run()
	if ruta, err := binario(); err == nil {
		_ = os.RemoveAll(filepath.Dir(ruta))
	}
	os.Exit(codigo)
}

// servidor returns the command that serves a tree of the fixtures, not started.
func servidor(t testing.TB, arbol string) *exec.Cmd {
	t.Helper()
	ruta, err := binario()
	if err != nil {
		t.Fatalf("building the command: %v", err)
	}
	return exec.Command(ruta, "--workspace", arbol)
}

// TestConversaciones runs testdata/conversaciones/*.txtar: raw lines in, raw lines out. The comment of a file says what it fixes and
// which tree of fixtures/docugraph is the workspace; stderr stays empty unless a field stderr says otherwise. In entrada, ⟪moderna⟫ is the _meta of a modern request; in salida, ⟪raíz⟫ is
// the workspace and ⟪versión⟫ the server's version. Lines are sent one at a time, each once the one before was answered.
func TestConversaciones(t *testing.T) {
	archivos, err := filepath.Glob("testdata/conversaciones/*.txtar")
	if err != nil || len(archivos) < 12 {
		t.Fatalf("%d conversations, %v", len(archivos), err)
	}
	for _, archivo := range archivos {
		t.Run(strings.TrimSuffix(filepath.Base(archivo), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(archivo)
			if err != nil {
				t.Fatal(err)
			}
			m := regexp.MustCompile(`(?m)^workspace: (\S+)$`).FindSubmatch(a.Comment)
			if m == nil || len(a.Files) != 2 || a.Files[0].Name != "entrada" || a.Files[1].Name != "salida" {
				t.Fatal("a conversation has a workspace, an entrada and a salida")
			}
			arbol := filepath.Join(fixtures, string(m[1]))
			antes := retrato(t, arbol)
			salida, errores := conversar(t, arbol, string(a.Files[0].Data))
			if callado := !bytes.Contains(a.Comment, []byte("\nstderr: ")); callado && errores != "" {
				t.Errorf("stderr: %s", errores)
			}
			if d := cmp.Diff(antes, retrato(t, arbol)); d != "" {
				t.Errorf("the tree changed (-before +after):\n%s", d)
			}
			raiz, err := filepath.Abs(arbol)
			if err != nil {
				t.Fatal(err)
			}
			salida = strings.ReplaceAll(salida, raiz, "⟪raíz⟫")
			salida = regexp.MustCompile(`("name":"docugraph-mcp","version":")[^"]+`).ReplaceAllString(salida, "${1}⟪versión⟫")
			if *update {
				a.Files[1].Data = []byte(salida)
				if err := os.WriteFile(archivo, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if d := cmp.Diff(strings.Split(string(a.Files[1].Data), "\n"), strings.Split(salida, "\n")); d != "" {
				t.Errorf("stdout (-want +got):\n%s", d)
			}
		})
	}
}

const metaModerna = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`

// conversar runs a whole conversation and returns what the process wrote. It must end with 0.
func conversar(t *testing.T, arbol, entrada string) (salida, errores string) {
	t.Helper()
	cmd := servidor(t, arbol)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer time.AfterFunc(plazo, func() { _ = cmd.Process.Kill() }).Stop()
	lector := nuevoLector(out)
	var stdout strings.Builder
	for linea := range strings.Lines(strings.ReplaceAll(entrada, "⟪moderna⟫", metaModerna)) {
		if _, err := io.WriteString(in, linea); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(linea, `"id":`) {
			stdout.WriteString(lector.linea(t))
		}
	}
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	stdout.WriteString(lector.resto(t))
	if err := cmd.Wait(); err != nil {
		t.Errorf("the process ended with %v", err)
	}
	return stdout.String(), stderr.String()
}
