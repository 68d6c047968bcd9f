package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// A tool does not lean on its server having looked at the arguments: called
// without one, it rejects what the schema does not let in.
func TestServidorNoHaceFaltaParaRechazar(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := host.Abrir(dir, host.Opciones{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, h := range []mcp.Herramienta{mcp.CatalogoEfectivo(p), mcp.Evaluar(p), mcp.Desafiar(p), mcp.Juzgar(p)} {
		for _, args := range []string{`{"otra":1}`, `[]`, `{"ids":[],"ids":[]}`} {
			r, err := h.Llamar(t.Context(), json.RawMessage(args), nil)
			if err == nil || !strings.HasPrefix(err.Error(), "ARGUMENTOS_INVALIDOS — $") || r.Estructurado != nil {
				t.Errorf("%s %s: %v %s", h.Nombre, args, err, r.Estructurado)
			}
		}
	}
}
