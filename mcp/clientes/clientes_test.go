// Package clientes_test drives real MCP clients against the command, as anyone's
// agent would: the SDK's for Go, the two lines of the one for TypeScript, and the
// Inspector from its command line. The ones that are not Go are installed by
// `npm ci` in this directory; the tests fail where it was not run.
package clientes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

const plazo = 2 * time.Minute

var (
	binario             = sync.OnceValues(func() (string, error) { return compilar("oracle-mcp") })
	binarioDeDocumentos = sync.OnceValues(func() (string, error) { return compilar("docugraph-mcp") })
)

// compilar builds one of the commands and returns where it is.
func compilar(comando string) (string, error) {
	dir, err := os.MkdirTemp("", comando+"-clientes-")
	if err != nil {
		return "", err
	}
	ruta := filepath.Join(dir, comando)
	cmd := exec.Command("go", "build", "-o", ruta, "../../cmd/"+comando)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	return ruta, cmd.Run()
}

// servidor returns the command line of the server, over an empty project.
func servidor(t *testing.T) []string {
	t.Helper()
	ruta, err := binario()
	if err != nil {
		t.Fatal(err)
	}
	proyecto := t.TempDir()
	if err := os.Mkdir(filepath.Join(proyecto, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	return []string{ruta, "--proyecto", proyecto}
}

const medida = `medida prueba.chicos:
    de fila f
    donde f.n < 10
    resumen contar(1)
    umbral <= 0 segun contrato porque "una razón"
    requiere fila
    ambito universal
    alcance "un alcance"
`

func argumentos(evidencia any) map[string]any {
	return map[string]any{"medida": map[string]any{"texto": medida, "formato": "oracle"}, "evidencia": evidencia}
}

// TestClienteGo drives the SDK's Go client in both eras.
func TestClienteGo(t *testing.T) {
	for _, version := range []string{"2025-11-25", "2026-07-28"} {
		t.Run(version, func(t *testing.T) {
			ctx, cancelar := context.WithTimeout(t.Context(), plazo)
			defer cancelar()
			linea := servidor(t)
			cmd := exec.Command(linea[0], linea[1:]...)
			var errores bytes.Buffer
			cmd.Stderr = &errores
			cliente := sdk.NewClient(&sdk.Implementation{Name: "go", Version: "1"}, nil)
			sesion, err := cliente.Connect(ctx, &sdk.CommandTransport{Command: cmd}, &sdk.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			if got := sesion.InitializeResult().ProtocolVersion; got != version {
				t.Errorf("negotiated %s", got)
			}
			if n := sesion.InitializeResult().ServerInfo.Name; n != "oracle-mcp" {
				t.Errorf("the server is %q", n)
			}
			lista, err := sesion.ListTools(ctx, nil)
			if err != nil {
				t.Fatal(err)
			}
			publicadas(t, lista.Tools)
			for _, c := range []struct {
				evidencia any
				estado    string
			}{
				{map[string]any{"fila": []any{map[string]any{"n": 10}}}, "verde"},
				{map[string]any{"fila": []any{map[string]any{"n": 1}}}, "rojo"},
				{map[string]any{}, "sin_evidencia"},
			} {
				r, err := sesion.CallTool(ctx, &sdk.CallToolParams{Name: contrato.Evaluar, Arguments: argumentos(c.evidencia)})
				if err != nil {
					t.Fatal(err)
				}
				if e, _ := r.StructuredContent.(map[string]any); e["estado"] != c.estado || r.IsError {
					t.Errorf("got %v, want %s", r.StructuredContent, c.estado)
				}
			}
			r, err := sesion.CallTool(ctx, &sdk.CallToolParams{Name: contrato.Evaluar, Arguments: map[string]any{}})
			if err != nil {
				t.Fatal(err)
			}
			if !r.IsError || r.StructuredContent != nil || !strings.HasPrefix(r.Content[0].(*sdk.TextContent).Text, "ARGUMENTOS_INVALIDOS — ") {
				t.Errorf("bad arguments: %+v", r)
			}
			if _, err := sesion.CallTool(ctx, &sdk.CallToolParams{Name: "oracle_proponer"}); err == nil || !strings.Contains(err.Error(), "herramienta desconocida: oracle_proponer") {
				t.Errorf("unknown tool: %v", err)
			}
			if err := sesion.Close(); err != nil {
				t.Error(err)
			}
			if errores.Len() > 0 {
				t.Errorf("stderr: %s", &errores)
			}
		})
	}
}

// publicadas holds that the tools listed are the contract's, in its order, and
// their schemas what it publishes.
func publicadas(t *testing.T, tools []*sdk.Tool) {
	t.Helper()
	var delContrato []*sdk.Tool
	if err := json.Unmarshal(contrato.Definiciones(), &delContrato); err != nil {
		t.Fatal(err)
	}
	i := 0
	for _, tool := range tools {
		for i < len(delContrato) && delContrato[i].Name != tool.Name {
			i++
		}
		if i == len(delContrato) {
			t.Fatalf("%s is not in the contract, or is out of order", tool.Name)
		}
		if d := cmp.Diff(delContrato[i], tool); d != "" {
			t.Errorf("%s (-contract +listed):\n%s", tool.Name, d)
		}
	}
	if len(tools) == 0 {
		t.Error("no tool is listed")
	}
}

// ejecutar runs a program of node_modules with the Node that is there too.
func ejecutar(t *testing.T, args ...string) []byte {
	t.Helper()
	ctx, cancelar := context.WithTimeout(t.Context(), plazo)
	defer cancelar()
	bin, err := filepath.Abs("node_modules/.bin")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(bin, "node")); err != nil {
		t.Fatalf("the clients are not installed: run `npm ci` in mcp/clientes (%v)", err)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(bin, args[0]), args[1:]...)
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	var errores bytes.Buffer
	cmd.Stderr = &errores
	salida, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v\n%s%s", args[0], err, salida, &errores)
	}
	return salida
}

// visto is what recorrido.mjs prints.
type visto struct {
	Era      string
	Servidor struct{ Name string }
	// Capacidades stays raw: it must be exactly what the contract says.
	Capacidades  json.RawMessage
	Herramientas []string
	Estados      []string
	Textos       bool
	Invalido     struct {
		IsError    bool
		Texto      string
		Structured any
	}
	Desconocida struct {
		Code    int
		Message string
	}
	Juntas []int
}

// TestClienteTypeScript drives both lines of the TypeScript SDK. The client checks
// each result against the tool's outputSchema.
func TestClienteTypeScript(t *testing.T) {
	for _, c := range []struct {
		nombre, era string
		orden       []string
	}{
		{"v1", "legacy", []string{"node", "sdk-v1.mjs"}},
		{"v2 legacy", "legacy", []string{"node", "sdk-v2.mjs", "legacy"}},
		{"v2 negotiating", "modern", []string{"node", "sdk-v2.mjs", "auto"}},
		{"v2 pinned", "modern", []string{"node", "sdk-v2.mjs", "2026-07-28"}},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			var v visto
			salida := ejecutar(t, append(c.orden, servidor(t)...)...)
			if err := json.Unmarshal(salida, &v); err != nil {
				t.Fatalf("%v: %s", err, salida)
			}
			if v.Era != c.era || v.Servidor.Name != "oracle-mcp" || string(v.Capacidades) != `{"tools":{}}` || !v.Textos {
				t.Errorf("%s", salida)
			}
			if d := cmp.Diff([]string{"verde", "rojo", "sin_evidencia"}, v.Estados); d != "" {
				t.Error(d)
			}
			if !v.Invalido.IsError || v.Invalido.Structured != nil || !strings.HasPrefix(v.Invalido.Texto, "ARGUMENTOS_INVALIDOS — $.medida.id: ") {
				t.Errorf("bad arguments: %+v", v.Invalido)
			}
			if v.Desconocida.Code != -32602 || !strings.HasSuffix(v.Desconocida.Message, "tools/call inválido: herramienta desconocida: oracle_proponer") {
				t.Errorf("unknown tool: %+v", v.Desconocida)
			}
			for i, n := range v.Juntas {
				if n != i {
					t.Errorf("call %d of those at once got the answer of %d", i, n)
				}
			}
			if len(v.Juntas) != 50 || len(v.Herramientas) == 0 {
				t.Errorf("%s", salida)
			}
		})
	}
}

// TestInspector drives the Inspector's command line.
func TestInspector(t *testing.T) {
	base := append([]string{"mcp-inspector", "--cli"}, servidor(t)...)
	var lista struct{ Tools []*sdk.Tool }
	salida := ejecutar(t, append(base, "--method", "tools/list")...)
	if err := json.Unmarshal(salida, &lista); err != nil {
		t.Fatalf("%v: %s", err, salida)
	}
	publicadas(t, lista.Tools)

	m, err := json.Marshal(map[string]any{"texto": medida, "formato": "oracle"})
	if err != nil {
		t.Fatal(err)
	}
	salida = ejecutar(t, append(base, "--method", "tools/call", "--tool-name", contrato.Evaluar,
		"--tool-arg", "medida="+string(m), "--tool-arg", `evidencia={"fila":[{"n":1},{"n":2}]}`)...)
	var r struct {
		StructuredContent struct {
			Estado string
			Valor  int
		}
		IsError *bool
	}
	if err := json.Unmarshal(salida, &r); err != nil {
		t.Fatalf("%v: %s", err, salida)
	}
	if r.StructuredContent.Estado != "rojo" || r.StructuredContent.Valor != 2 || r.IsError == nil || *r.IsError {
		t.Errorf("%s", salida)
	}
}
