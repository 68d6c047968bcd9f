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

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/mcp"
)

// A fault of the program that something below contained leaves its trace on the
// log, and not in the answer (seguridad §1).
func TestServidorAnotaLaFallaContenida(t *testing.T) {
	var log bytes.Buffer
	s := mcp.Servidor{Nombre: "x", Version: "1", Definiciones: json.RawMessage(`[{"name":"a"}]`), Herramientas: []mcp.Herramienta{
		{Nombre: "a", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{}, fmt.Errorf("envuelta: %w", &algebra.ErrorInterno{Causa: errors.New("la causa"), Traza: "donde fue"})
		}},
	}}
	rs := conversar(t, s, slog.New(slog.NewTextHandler(&log, nil)),
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a",`+metaModerna+`}}`)
	if len(rs) != 1 || !strings.Contains(rs[0], `"isError":true`) || strings.Contains(rs[0], "donde fue") {
		t.Errorf("got %s", rs)
	}
	if l := log.String(); !strings.Contains(l, "la causa") || !strings.Contains(l, "donde fue") {
		t.Errorf("the log has %q", l)
	}
}
