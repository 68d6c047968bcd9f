package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// conversar serves the lines in this process and returns what came out, sorted:
// answers may come in any order.
func conversar(t *testing.T, s mcp.Servidor, registro *slog.Logger, lineas ...string) []string {
	t.Helper()
	var salida bytes.Buffer
	if err := s.Servir(t.Context(), strings.NewReader(strings.Join(lineas, "\n")+"\n"), &salida, registro); err != nil {
		t.Fatal(err)
	}
	rs := strings.Split(strings.TrimSuffix(salida.String(), "\n"), "\n")
	slices.Sort(rs)
	return rs
}

func TestServidorPideDefiniciones(t *testing.T) {
	for nombre, definiciones := range map[string]string{
		"of one tool of two": `[{"name":"a"}]`,
		"of none":            `[]`,
		"not JSON":           `[{"name":"a"},{"name":"b"}`,
		"not an array":       `{"name":"a"}`,
		"not objects":        `["a","b"]`,
		"the same twice":     `[{"name":"a"},{"name":"a"},{"name":"b"}]`,
	} {
		s := mcp.Servidor{Nombre: "x", Version: "1", Definiciones: json.RawMessage(definiciones), Herramientas: []mcp.Herramienta{{Nombre: "a"}, {Nombre: "b"}}}
		in := strings.NewReader("{}\n")
		var out bytes.Buffer
		err := s.Servir(t.Context(), in, &out, nil)
		if err == nil || out.Len() > 0 || in.Len() != 3 {
			t.Errorf("definitions %s: %v, %q, %d bytes left to read", nombre, err, &out, in.Len())
		}
		if mal := strings.HasPrefix(nombre, "not "); err != nil && mal != strings.HasPrefix(err.Error(), "definiciones de herramientas: ") {
			t.Errorf("definitions %s: %v", nombre, err)
		}
	}
}

// The tools are listed in the order of their definitions, with every byte of them
// but the white space, and those not served left out.
func TestServidorListaEnOrden(t *testing.T) {
	s := mcp.Servidor{
		Nombre: "x", Version: "1",
		Definiciones: json.RawMessage(`[ {"name": "z", "b": 1.0, "a": "<&>á"}, {"name": "m"}, {"inputSchema": {"type": "object"}, "name": "a"} ]`),
		Herramientas: []mcp.Herramienta{{Nombre: "a"}, {Nombre: "z"}},
	}
	got := conversar(t, s, nil, strings.TrimSpace(abrirSesion), `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"method":"prompts/list"}`)
	want := []string{
		`{"jsonrpc":"2.0","id":"ini","result":{"capabilities":{"tools":{}},"protocolVersion":"2025-11-25","serverInfo":{"name":"x","version":"1"}}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"z","b":1.0,"a":"<&>á"},{"inputSchema":{"type":"object"},"name":"a"}]}}`,
		`{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"método no soportado: prompts/list"}}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// With every tool served, the list is the contract's array and nothing else, in
// both eras.
func TestServidorPublicaElContratoEntero(t *testing.T) {
	var hs []mcp.Herramienta
	for _, n := range []string{contrato.Tareas, contrato.Juzgar, contrato.Desafiar, contrato.Evaluar, contrato.CatalogoEfectivo} {
		hs = append(hs, mcp.Herramienta{Nombre: n})
	}
	got := conversar(t, mcp.Oracle("1", hs...), nil, strings.TrimSpace(abrirSesion),
		`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, `{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{`+metaModerna+`}}`)
	var lista bytes.Buffer
	if err := json.Compact(&lista, contrato.Definiciones()); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`{"jsonrpc":"2.0","id":1,"result":{"tools":` + lista.String() + `}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"oracle-mcp","version":"1"}},"ttlMs":0,"cacheScope":"public","tools":` + lista.String() + `}}`,
	}
	if d := cmp.Diff(want, got[1:]); d != "" {
		t.Error(d)
	}
}

func conPrompts() mcp.Servidor {
	return mcp.Servidor{
		Nombre: "x", Version: "1", Definiciones: json.RawMessage(`[]`),
		Prompts: []mcp.Prompt{{
			Nombre: "saludo", Descripcion: "Saluda.",
			Argumentos: []mcp.ArgumentoDePrompt{{Nombre: "a", Descripcion: "A quién.", Obligatorio: true}, {Nombre: "b"}},
			Obtener: func(_ context.Context, args map[string]string) (string, error) {
				switch args["a"] {
				case "nadie":
					return "", errors.New("no hay nadie")
				case "pánico":
					panic("susto")
				}
				return fmt.Sprint("hola ", args["a"], len(args)), nil
			},
		}},
	}
}

func TestServidorPrompts(t *testing.T) {
	obtener := func(id, params string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","method":"prompts/get","params":` + params + `}`
	}
	var log bytes.Buffer
	got := conversar(t, conPrompts(), slog.New(slog.NewTextHandler(&log, nil)), strings.TrimSpace(abrirSesion),
		`{"jsonrpc":"2.0","id":"a1","method":"prompts/list"}`,
		`{"jsonrpc":"2.0","id":"a2","method":"prompts/list","params":{`+metaModerna+`}}`,
		obtener("b1", `{"name":"saludo","arguments":{"a":"vos"}}`),
		obtener("b2", `{"name":"saludo","arguments":{"a":"vos","b":""},`+metaModerna+`}`),
		obtener("c1", `{"name":"saludo","arguments":{"a":"nadie"}}`),
		obtener("c2", `{"name":"saludo","arguments":{"a":"pánico"}}`),
		obtener("d1", `{"name":"saludo"}`),
		obtener("d2", `{"name":"saludo","arguments":{"a":5}}`),
		obtener("d3", `{"name":"saludo","arguments":{"a":"x","a":"y"}}`),
		obtener("d4", `{"name":"saludo","arguments":{"a":"x","c\u0000":"y"}}`),
		obtener("d5", `{"name":"saludo","arguments":[]}`),
		obtener("d6", `{"name":"saludo","arguments":{},"arguments":{}}`),
		obtener("e1", `{"name":"otro"}`), obtener("e2", `{}`), obtener("e3", `{"name":5}`),
		`{"jsonrpc":"2.0","id":"f","method":"prompts/get"}`,
	)
	lista := `"prompts":[{"arguments":[{"name":"a","description":"A quién.","required":true},{"name":"b"}],"description":"Saluda.","name":"saludo"}]`
	servidor := `"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"x","version":"1"}}`
	mal := func(id, detalle string) string {
		return `{"jsonrpc":"2.0","id":"` + id + `","error":{"code":-32602,"message":"prompts/get inválido: ` + detalle + `"}}`
	}
	want := []string{
		`{"jsonrpc":"2.0","id":"a1","result":{` + lista + `}}`,
		`{"jsonrpc":"2.0","id":"a2","result":{"resultType":"complete",` + servidor + `,"ttlMs":0,"cacheScope":"public",` + lista + `}}`,
		`{"jsonrpc":"2.0","id":"b1","result":{"description":"Saluda.","messages":[{"role":"user","content":{"type":"text","text":"hola vos1"}}]}}`,
		`{"jsonrpc":"2.0","id":"b2","result":{"resultType":"complete",` + servidor + `,"description":"Saluda.","messages":[{"role":"user","content":{"type":"text","text":"hola vos2"}}]}}`,
		mal("c1", "no hay nadie"), mal("c2", "falló por dentro"),
		mal("d1", "falta el argumento a"), mal("d2", "argumento inválido: a"), mal("d3", "argumento inválido: a"), mal("d4", `argumento inválido: c\\u0000`),
		mal("d5", "arguments tiene que ser un objeto, una sola vez"), mal("d6", "arguments tiene que ser un objeto, una sola vez"),
		mal("e1", "prompt desconocido: otro"), mal("e2", "name tiene que ser un texto, una sola vez"), mal("e3", "name tiene que ser un texto, una sola vez"),
		mal("f", "name tiene que ser un texto, una sola vez"),
		`{"jsonrpc":"2.0","id":"ini","result":{"capabilities":{"prompts":{},"tools":{}},"protocolVersion":"2025-11-25","serverInfo":{"name":"x","version":"1"}}}`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(log.String(), "susto") {
		t.Errorf("the panic left no trace: %s", &log)
	}
}

// Before initialize there are no prompts either.
func TestServidorPromptsAntesDeInitialize(t *testing.T) {
	got := conversar(t, conPrompts(), nil, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
	want := []string{`{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"pedido JSON-RPC inválido: prompts/list antes de initialize"}}`}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// errorConDatos is the error of a server whose contract wants structuredContent.
type errorConDatos struct{}

func (errorConDatos) Error() string                 { return "CODIGO: mensaje" }
func (errorConDatos) Codigo() string                { return "CODIGO" }
func (errorConDatos) Estructurado() json.RawMessage { return json.RawMessage(`{"code":"CODIGO"}`) }

func TestServidorErrorEstructurado(t *testing.T) {
	s := mcp.Servidor{
		Nombre: "x", Version: "1", Definiciones: json.RawMessage(`[{"name":"a"}]`),
		Validar: func(_ string, args json.RawMessage) error {
			if string(args) != "{}" {
				return errorDePrueba("ARGUMENTOS_INVALIDOS — $: otra cosa.")
			}
			return nil
		},
		Herramientas: []mcp.Herramienta{{Nombre: "a", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
			return mcp.Resultado{}, fmt.Errorf("por fuera: %w", errorConDatos{})
		}}},
	}
	got := conversar(t, s, nil, strings.TrimSpace(abrirSesion), strings.TrimSpace(llamar(1, "a", `{}`, false)), strings.TrimSpace(llamar(2, "a", `{"b":1}`, false)))
	want := []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"CODIGO: mensaje"}],"structuredContent":{"code":"CODIGO"},"isError":true}}`,
		`{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"ARGUMENTOS_INVALIDOS — $: otra cosa."}],"isError":true}}`,
	}
	if d := cmp.Diff(want, got[1:]); d != "" {
		t.Error(d)
	}
}

// Every tool reads its own arguments, and refuses what its schema does.
func TestServidorCadaHerramientaLee(t *testing.T) {
	proyecto := t.TempDir()
	if err := os.Mkdir(filepath.Join(proyecto, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	p, err := host.Abrir(proyecto, host.Opciones{Version: "1"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	for _, h := range mcp.Herramientas(p) {
		_, err := h.Llamar(t.Context(), json.RawMessage(`{"de_mas":1}`), func(int, int) {})
		if _, ok := errors.AsType[*contrato.Invalido](err); !ok {
			t.Errorf("%s: %v", h.Nombre, err)
		}
	}
}

// A tool that does not stop when told is not waited for, and that is said.
func TestServidorNoEsperaALasQueNoParan(t *testing.T) {
	// The first Notify of a process leaves a goroutine behind: out of the bubble.
	senales := make(chan os.Signal, 1)
	signal.Notify(senales, syscall.SIGPIPE)
	signal.Stop(senales)
	synctest.Test(t, func(t *testing.T) {
		nunca := make(chan struct{})
		s := mcp.Servidor{
			Nombre: "x", Version: "1", Definiciones: json.RawMessage(`[{"name":"a"}]`),
			Herramientas: []mcp.Herramienta{{Nombre: "a", Llamar: func(context.Context, json.RawMessage, mcp.Avance) (mcp.Resultado, error) {
				<-nunca
				return mcp.Resultado{}, nil
			}}},
		}
		var salida, log bytes.Buffer
		inicio := time.Now()
		err := s.Servir(t.Context(), strings.NewReader(llamar(1, "a", `{}`, true)), &salida, slog.New(slog.NewTextHandler(&log, nil)))
		if d := time.Since(inicio); err != nil || d != 2500*time.Millisecond {
			t.Errorf("%v after %s", err, d)
		}
		if salida.Len() > 0 || !strings.Contains(log.String(), "sin responder") || !strings.Contains(log.String(), "sin terminar") {
			t.Errorf("%s\n%s", &salida, &log)
		}
		close(nunca)
	})
}

// A quiet conversation leaves nothing in the log, at the level a person runs with.
func TestServidorCallaCuandoTodoVaBien(t *testing.T) {
	var log bytes.Buffer
	s := servidorDePrueba()
	conversar(t, s, slog.New(slog.NewTextHandler(&log, nil)), strings.TrimSpace(abrirSesion), strings.TrimSpace(llamar(1, "eco", `{}`, true)), "x")
	if log.Len() > 0 {
		t.Errorf("log: %s", &log)
	}
}
