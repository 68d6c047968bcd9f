package mcp_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/encierro/traza"
)

// TestTraza runs every conversation against the command under strace: no
// opening to write, no socket, no change to the tree and no program but the
// box, let by the kernel or not (seguridad §4). The gate sets MCP_TRAZA; it
// takes longer than the rest together.
func TestTraza(t *testing.T) {
	if os.Getenv("MCP_TRAZA") == "" {
		t.Skip("MCP_TRAZA is not set: fixtures/probar.sh sets it")
	}
	vistas := 0
	var conCaja atomic.Int32
	t.Cleanup(func() { // when the conversations, which run at once, are over
		if n := conCaja.Load(); n < 60 {
			t.Errorf("only %d conversations were seen starting a box", n)
		}
	})
	for _, c := range conversaciones(t) {
		if c.campos["servidor"] == "prueba" {
			continue
		}
		vistas++
		t.Run(strings.TrimSuffix(filepath.Base(c.ruta), ".txtar"), func(t *testing.T) {
			t.Parallel()
			raiz, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			proyecto := filepath.Join(raiz, "proyecto")
			c.tenderProyecto(t, proyecto)
			p := c.orden(proyecto)
			p.traza = filepath.Join(raiz, "traza")
			m := arrancar(t, p)
			m.escribir(strings.Join(c.entrada(t), ""))
			m.cerrarEntrada()
			m.terminar()
			b, err := os.ReadFile(p.traza)
			if err != nil {
				t.Fatalf("strace wrote nothing: %v", err)
			}
			if strings.Contains(string(b), `execve("/proc/self/exe"`) {
				conCaja.Add(1)
			}
			for _, falta := range traza.Faltas(b, "/proc/self/exe") {
				t.Error(falta)
			}
		})
	}
	if vistas < 60 {
		t.Errorf("only %d conversations were traced", vistas)
	}
}
