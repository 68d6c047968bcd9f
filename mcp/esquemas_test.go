package mcp_test

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// esquema is a published tool as an independent JSON Schema validator sees it.
type esquema struct {
	entrada, salida *jsonschema.Schema
}

var esquemas = sync.OnceValues(func() (map[string]esquema, error) {
	var ds []struct {
		Name                      string
		InputSchema, OutputSchema json.RawMessage
	}
	if err := json.Unmarshal(contrato.Definiciones(), &ds); err != nil {
		return nil, err
	}
	r := map[string]esquema{}
	for _, d := range ds {
		entrada, err := compilar(d.Name+"/entrada.json", d.InputSchema)
		if err != nil {
			return nil, err
		}
		salida, err := compilar(d.Name+"/salida.json", d.OutputSchema)
		if err != nil {
			return nil, err
		}
		r[d.Name] = esquema{entrada, salida}
	}
	return r, nil
})

func compilar(nombre string, crudo json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(crudo))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(nombre, doc); err != nil {
		return nil, err
	}
	return c.Compile(nombre)
}

// cumple reports whether a raw value satisfies a schema.
func cumple(s *jsonschema.Schema, crudo []byte) bool {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(crudo))
	return err == nil && s.Validate(v) == nil
}

// codigosDelContrato are the closed domain codes of the contract's table.
var codigosDelContrato = strings.Fields(`ARGUMENTOS_INVALIDOS PROYECTO_INVALIDO CATALOGO_INVALIDO MEDIDA_DESCONOCIDA
	MEDIDA_NO_EFECTIVA MEDIDA_NO_APLICABLE MEDIDA_INVALIDA EVIDENCIA_INVALIDA EVIDENCIA_INCOMPLETA CASO_REPETIDO
	ESCALARES_NO_AUTORIZADAS TRACKER_AUSENTE TRACKER_INVALIDO TAREA_NO_ENCONTRADA ID_AMBIGUO LIMITE_DE_ALGEBRA
	PROYECTO_CAMBIO_DURANTE_LA_CONSULTA EVALUACION_FALLO`)

// mensaje is any line of either side.
type mensaje struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  string          `json:"method"`
	Params  struct {
		Name      string                     `json:"name"`
		Arguments json.RawMessage            `json:"arguments"`
		Meta      map[string]json.RawMessage `json:"_meta"`
	} `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type resultado struct {
	ResultType string          `json:"resultType"`
	Content    json.RawMessage `json:"content"`
	Structured json.RawMessage `json:"structuredContent"`
	IsError    *bool           `json:"isError"`
}

// revisarSalida checks what the contract says of every conversation: the framing,
// the shape of results in each era, and that the published schemas, the argument
// checks and the answers agree. deOracle says that the tools are the contract's.
func revisarSalida(t *testing.T, deOracle bool, entrada []string, salida string) {
	t.Helper()
	pedidos := map[string]mensaje{}
	for _, linea := range entrada {
		var m mensaje
		if json.Unmarshal([]byte(linea), &m) == nil && m.ID != nil && m.Method != "" {
			if _, repetido := pedidos[string(m.ID)]; repetido {
				m.Method = "" // two requests with one id: no telling which is answered
			}
			pedidos[string(m.ID)] = m
		}
	}
	for linea := range strings.Lines(salida) {
		var m mensaje
		if err := json.Unmarshal([]byte(linea), &m); err != nil || m.JSONRPC != "2.0" || !strings.HasSuffix(linea, "}\n") {
			t.Errorf("not one JSON-RPC object on a line: %q", linea)
			continue
		}
		if m.Result == nil {
			continue
		}
		pedido, ok := pedidos[string(m.ID)]
		if !ok {
			t.Errorf("a result for an id nobody sent: %s", linea)
			continue
		}
		var r resultado
		if err := json.Unmarshal(m.Result, &r); err != nil {
			t.Errorf("%v: %s", err, linea)
			continue
		}
		if pedido.Method != "" {
			want := ""
			if esModerno(pedido) {
				want = "complete"
			}
			if r.ResultType != want {
				t.Errorf("resultType %q, want %q: %s", r.ResultType, want, linea)
			}
		}
		if pedido.Method == "tools/call" {
			revisarLlamada(t, deOracle, pedido, r)
		}
	}
}

func esModerno(m mensaje) bool {
	for k := range m.Params.Meta {
		if strings.HasPrefix(k, "io.modelcontextprotocol/") {
			return true
		}
	}
	return m.Method == "server/discover"
}

var primeraLinea = regexp.MustCompile(`^([A-Z_]+) — .+`)

func revisarLlamada(t *testing.T, deOracle bool, pedido mensaje, r resultado) {
	t.Helper()
	var bloques []struct{ Type, Text string }
	if err := json.Unmarshal(r.Content, &bloques); err != nil || len(bloques) != 1 || bloques[0].Type != "text" {
		t.Errorf("not one text block: %s", r.Content)
		return
	}
	texto := bloques[0].Text
	switch {
	case r.IsError == nil:
		t.Errorf("isError is not written: %s", texto)
		return
	case *r.IsError && r.Structured != nil:
		t.Errorf("an error with structuredContent: %s", texto)
	case !*r.IsError && r.Structured != nil && texto != string(r.Structured):
		t.Errorf("text and structuredContent differ:\n%s\n%s", texto, r.Structured)
	}
	codigo := ""
	if *r.IsError {
		if g := primeraLinea.FindStringSubmatch(texto); g == nil || !slices.Contains(codigosDelContrato, g[1]) {
			t.Errorf("an error outside the contract: %s", texto)
		} else {
			codigo = g[1]
		}
	}
	if !deOracle {
		return
	}
	es, err := esquemas()
	if err != nil {
		t.Fatal(err)
	}
	e, ok := es[pedido.Params.Name]
	if !ok {
		t.Errorf("a result from a tool that is not the contract's: %s", pedido.Params.Name)
		return
	}
	args := pedido.Params.Arguments
	if args == nil {
		args = json.RawMessage("{}")
	}
	if !*r.IsError && !cumple(e.salida, r.Structured) {
		t.Errorf("%s: a success outside its outputSchema: %s", pedido.Params.Name, texto)
	}
	if !cumple(e.entrada, args) && codigo != contrato.CodigoArgumentos && codigo != "EVIDENCIA_INVALIDA" {
		t.Errorf("%s: arguments outside the schema were let in: %s", pedido.Params.Name, args)
	}
}
