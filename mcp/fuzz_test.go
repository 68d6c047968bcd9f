package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// FuzzCompuerta holds that whatever a client sends, a valid ping behind it is
// answered, and every line that comes out is one JSON-RPC object.
func FuzzCompuerta(f *testing.F) {
	for _, c := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}` + "\n" + `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"eco","arguments":{"a":1}}}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"panico",` + metaModerna + `}}`,
		`{"jsonrpc":"2.0","id":2,"method":"server/discover","params":{` + metaModerna + `}}` + "\n[]\n\n{",
		`{"jsonrpc":"2.0","id":3,"method":"shutdown"}` + "\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}`,
		`{"jsonrpc":"2.0","id":"\ud800","method":"tools/list","params":{"_meta":{"progressToken":1e400}}}`,
		"\xff\x00\r\n\"", `{"id":1,"id":{}}`, strings.Repeat("[", 600), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"avanza","_meta":{"progressToken":"a"}}}`,
	} {
		f.Add([]byte(c))
	}
	s := servidorDePrueba()
	s.Herramientas = sinLasQueEsperan(s.Herramientas)
	s.Definiciones = json.RawMessage(`[{"name":"eco"},{"name":"texto"},{"name":"avanza"},{"name":"panico"},{"name":"falla"},{"name":"dominio"},{"name":"lista"},{"name":"rota"}]`)
	f.Fuzz(func(t *testing.T, datos []byte) {
		if bytes.Contains(datos, []byte("exit")) || bytes.Contains(datos, []byte(`\u`)) && bytes.Contains(datos, []byte("method")) {
			t.Skip("may ask to leave")
		}
		id := `"sonda"`
		for i := 0; bytes.Contains(datos, []byte(id)); i++ {
			id = fmt.Sprintf(`"sonda%d"`, i)
		}
		entrada := string(datos) + "\n" + `{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}` + "\n"
		var salida, log bytes.Buffer
		registro := slog.New(slog.NewTextHandler(&log, nil))
		if err := s.Servir(context.Background(), strings.NewReader(entrada), &salida, registro); err != nil && !errors.Is(err, mcp.ErrSalidaSinApagado) {
			t.Fatal(err)
		}
		if strings.Contains(log.String(), "sin responder") || strings.Contains(log.String(), "sin terminar") {
			t.Errorf("something was left unanswered: %s", log.String())
		}
		contestada := 0
		for linea := range strings.Lines(salida.String()) {
			var m mensaje
			if err := json.Unmarshal([]byte(linea), &m); err != nil || m.JSONRPC != "2.0" || !strings.HasSuffix(linea, "}\n") {
				t.Errorf("not one JSON-RPC object on a line: %q", linea)
			}
			if string(m.ID) == id {
				contestada++
			}
		}
		if contestada != 1 {
			t.Errorf("the ping was answered %d times:\n%s", contestada, salida.String())
		}
	})
}

func sinLasQueEsperan(hs []mcp.Herramienta) []mcp.Herramienta {
	var r []mcp.Herramienta
	for _, h := range hs {
		if h.Nombre != "espera" && h.Nombre != "suelta" {
			r = append(r, h)
		}
	}
	return r
}
