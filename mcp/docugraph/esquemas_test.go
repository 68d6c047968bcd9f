package docugraph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/oracle-mcp/oracle-mcp/mcp/docugraph"
)

type definicion struct {
	Name        string          `json:"name"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations struct {
		ReadOnlyHint bool `json:"readOnlyHint"`
	} `json:"annotations"`
}

func definiciones(t testing.TB) []definicion {
	t.Helper()
	var ds []definicion
	if err := json.Unmarshal(docugraph.Definiciones(), &ds); err != nil {
		t.Fatal(err)
	}
	return ds
}

// TestValidarEsElEsquema holds the hand-written checks against the published schemas, with an independent validator, over every
// combination of members each well or badly formed.
func TestValidarEsElEsquema(t *testing.T) {
	valores := []string{`"BE-02"`, `""`, `"json"`, `"mermaid"`, `"dot"`, `0`, `5`, `5.0`, `1e1`, `10000`, `10001`, `-1`, `1.5`, `1e400`, `-0`, `null`, `true`, `[]`, `{}`, `["BE-02"]`}
	orden := []string{"get_task_context", "validate_traceability", "get_dependency_graph", "list_tasks", "get_acceptance_criteria", "analyze_impact"}
	for i, d := range definiciones(t) {
		if d.Name != orden[i] || !d.Annotations.ReadOnlyHint {
			t.Errorf("tool %d is %s, want %s, read-only", i, d.Name, orden[i])
		}
		esquema := compilar(t, d)
		var propiedades struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		if err := json.Unmarshal(d.InputSchema, &propiedades); err != nil {
			t.Fatal(err)
		}
		claves := []string{"otra"}
		for k := range propiedades.Properties {
			claves = append(claves, k)
		}
		casos := []string{`{}`, `[]`, `null`, `"x"`}
		for _, k := range claves {
			for _, v := range valores {
				casos = append(casos, fmt.Sprintf(`{%q:%s}`, k, v))
				for _, k2 := range claves {
					for _, v2 := range valores {
						if k != k2 {
							casos = append(casos, fmt.Sprintf(`{%q:%s,%q:%s}`, k, v, k2, v2), fmt.Sprintf(`{%q:%s,%q:%s,"taskId":"X"}`, k, v, k2, v2))
						}
					}
				}
			}
		}
		aceptados := 0
		for _, caso := range casos {
			if repetida(caso) {
				continue
			}
			instancia, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(caso)))
			if err != nil {
				t.Fatal(err)
			}
			segunEsquema := esquema.Validate(instancia)
			segunNosotros := docugraph.Validar(d.Name, json.RawMessage(caso))
			if (segunEsquema == nil) != (segunNosotros == nil) {
				t.Errorf("%s %s: the schema says %v, we say %v", d.Name, caso, segunEsquema, segunNosotros)
			}
			if segunNosotros == nil {
				aceptados++
				continue
			}
			var dominio interface{ Codigo() string }
			if !errors.As(segunNosotros, &dominio) || dominio.Codigo() != "INVALID_ARGUMENT" {
				t.Errorf("%s %s: %v", d.Name, caso, segunNosotros)
			}
		}
		if aceptados == 0 || aceptados == len(casos) {
			t.Errorf("%s: %d of %d accepted", d.Name, aceptados, len(casos))
		}
	}
}

// repetida says whether an object repeats a key: that is refused, and no schema can say so.
func repetida(caso string) bool { return bytes.Count([]byte(caso), []byte(`"taskId":`)) > 1 }

func TestClaveRepetida(t *testing.T) {
	if err := docugraph.Validar("get_task_context", json.RawMessage(`{"taskId":"A","taskId":"A"}`)); err == nil {
		t.Error("a repeated key was accepted")
	}
}

func compilar(t *testing.T, d definicion) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(d.InputSchema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("mem:/"+d.Name, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("mem:/" + d.Name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}
