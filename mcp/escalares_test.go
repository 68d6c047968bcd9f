package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A scalar that says it started and then turns for longer than any test waits.
const giraSinFin = `def gira(n):
    print("empezó")
    for i in range(n):
        pass
    return n

escalar("gira", gira)
`

const conGira = "medida prueba.gira:\\n    de fila f\\n    donde gira(f.n) > 0\\n    resumen contar(1)\\n    umbral <= 0 segun contrato porque \\\"x\\\"\\n    alcance \\\"y\\\"\\n"

// TestCancelarUnaEscalarQueGira cancels a call when its scalar is known to be
// running: no late answer, its child gone, and the next one served by the same
// server (transporte §4).
func TestCancelarUnaEscalarQueGira(t *testing.T) {
	proyecto := t.TempDir()
	if err := os.Mkdir(filepath.Join(proyecto, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(proyecto, "escalares.star"), []byte(giraSinFin), 0o644); err != nil {
		t.Fatal(err)
	}
	m := arrancar(t, proceso{args: []string{"--proyecto", proyecto, "--confiar-escalares",
		"--limite", "pasos_de_escalar=100000000", "--limite", "pasos_de_operacion=20000000000"}})
	evaluar := func(id int, n string) string {
		return llamar(id, "oracle_evaluar", `{"medida":{"texto":"`+conGira+`","formato":"oracle"},"evidencia":{"fila":[{"n":`+n+`}]}}`, true)
	}
	for id := range 3 {
		m.escribir(evaluar(id, "1000000000"))
		m.esperarEnErrores("empezó", id+1)
		m.escribir(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,%s}}`+"\n", id, metaModerna))
	}
	m.escribir(evaluar(9, "3"))
	m.esperar("9")
	for empezo := time.Now(); m.cmd != nil && len(m.hijos()) > 0; { // what was cancelled may still be ending
		if time.Since(empezo) > plazo {
			t.Fatalf("with nothing running, there are children: %v", m.hijos())
		}
		m.escribir(evaluar(9, "3"))
		m.esperar("9")
	}
	m.cerrarEntrada()
	if codigo := m.terminar(); codigo != 0 {
		t.Errorf("exit code %d", codigo)
	}
	for linea := range strings.Lines(m.salida()) {
		if !strings.Contains(linea, `"id":9,`) || !strings.Contains(linea, `"estado":"rojo","valor":1`) {
			t.Errorf("an answer nobody waits for: %s", linea)
		}
	}
}
