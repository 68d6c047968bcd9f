package ingenuo_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/ingenuo"
	"github.com/oracle-mcp/oracle-mcp/escalares"
)

// correr evaluates a measure, given its pipeline and what follows, and spells
// what it comes to.
func correr(t *testing.T, tuberia, resto, evidencia string, lim algebra.LimitesAlgebra) string {
	t.Helper()
	m, e := abrir(t, tuberia, resto, evidencia)
	v, err := ingenuo.Evaluar(t.Context(), m, e, lim)
	var limite *algebra.LimiteError
	var evaluacion *algebra.ErrorDeEvaluacion
	switch {
	case errors.As(err, &limite):
		return fmt.Sprintf("%s %d/%d", limite.Nombre, limite.Observado, limite.Limite)
	case errors.As(err, &evaluacion):
		return string(evaluacion.Clase)
	case err != nil:
		return err.Error()
	}
	partes := []string{v.Estado, string(algebra.AppendJSON(nil, v.Valor))}
	if v.Falta != "" {
		partes = append(partes, v.Falta)
	}
	for _, w := range v.Testigos {
		partes = append(partes, string(w.AppendJSON(nil)))
	}
	return strings.Join(partes, " ") + fmt.Sprintf(" %d", v.Pasos)
}

func abrir(t *testing.T, tuberia, resto, evidencia string) (*algebra.Medida, *algebra.Evidencia) {
	t.Helper()
	var z algebra.LimitesAlgebra
	if resto == "" {
		resto = `["resumen", "contar", 1], ["umbral", "<=", 0, ""]`
	}
	n, err := algebra.LeerNodo([]byte(`["medida", "d.m", ["desde", `+tuberia+`], `+resto+`, ["alcance", "a"]]`), z)
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, escalares.Internas(), z)
	if err != nil {
		t.Fatal(err)
	}
	e, err := algebra.LeerEvidencia([]byte(evidencia), z, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	return m, e
}

func TestEvaluar(t *testing.T) {
	type lim = algebra.LimitesAlgebra
	const (
		dePQ   = `["unir", ["de", "p", "a"], ["de", "q", "b"]]`
		clave  = dePQ + `, ["donde", ["==", ["campo", "a", "n"], ["campo", "b", "n"]]]`
		sinQ   = `["de", "p", "a"], ["sin", ["de", "q", "b"], ["==", ["campo", "a", "n"], ["campo", "b", "n"]]]`
		tres   = `{"p":[{"n":1},{"n":2},{"n":3}],"q":[{"n":3},{"n":1}]}`
		sumaDe = `["resumen", "suma", ["campo", "a", "n"]], ["umbral", "<=", 0, ""]`
	)
	casos := []struct {
		nombre, tuberia, resto, evidencia string
		lim                               lim
		espera                            string
	}{
		{"a row is its facts by alias, by code point", dePQ, "", `{"p":[{"😀":1,"\uffee":2}],"q":[{}]}`, lim{},
			"rojo 1 {\"a\":{\"\uffee\":2,\"😀\":1},\"b\":{}} 0"},
		{"literals, fields, comparison and logic each take a step", `["de", "p", "a"], ["donde", ["no", ["==", ["campo", "a", "n"], 2]]]`, "", tres, lim{},
			`rojo 2 {"a":{"n":1}} {"a":{"n":3}} 12`},
		{"contar takes none", `["de", "p", "a"]`, "", tres, lim{}, `rojo 3 {"a":{"n":1}} {"a":{"n":2}} {"a":{"n":3}} 0`},
		{"steps at the limit", `["de", "p", "a"]`, sumaDe, tres, lim{PasosDeOperacion: 3}, `rojo 6 {"a":{"n":1}} {"a":{"n":2}} {"a":{"n":3}} 3`},
		{"steps past it", `["de", "p", "a"]`, sumaDe, tres, lim{PasosDeOperacion: 2}, "pasos_de_operacion 3/2"},
		{"the step comes before its own error", `["de", "p", "a"], ["donde", ["==", null, 1]]`, "", tres, lim{PasosDeOperacion: 2}, "pasos_de_operacion 3/2"},
		{"and after its operands'", `["de", "p", "a"], ["donde", ["no", ["==", null, 1]]]`, "", tres, lim{PasosDeOperacion: 3}, "nulo"},

		{"an absent relation at the left wins", `["unir", ["de", "x", "a"], ["unir", ["de", "p", "b"], ["de", "p", "c"]]]`, "", tres, lim{ProductoCartesiano: 1}, "relacion_ausente"},
		{"a product at the left wins", `["unir", ["unir", ["de", "p", "b"], ["de", "p", "c"]], ["de", "x", "a"]]`, "", tres, lim{ProductoCartesiano: 8}, "producto_cartesiano 9/8"},
		{"product at the limit", dePQ + `, ["donde", false]`, "", tres, lim{ProductoCartesiano: 6}, "verde 0 6"},
		{"product past it", dePQ + `, ["donde", ["==", null, 1]]`, "", tres, lim{ProductoCartesiano: 5}, "producto_cartesiano 6/5"},
		{"pairs of sin at the limit", sinQ, "", tres, lim{ProductoCartesiano: 6}, `rojo 1 {"a":{"n":2}} 18`},
		{"pairs of sin past it", sinQ, "", tres, lim{ProductoCartesiano: 5}, "producto_cartesiano 6/5"},
		{"sin wants its relation even without rows", `["de", "p", "a"], ["sin", ["de", "q", "b"], true]`, "", `{"p":[]}`, lim{}, "relacion_ausente"},

		{"a join by key charges each side and each row", clave, "", tres, lim{}, `rojo 2 {"a":{"n":1},"b":{"n":1}} {"a":{"n":3},"b":{"n":3}} 7`},
		{"either way round", dePQ + `, ["donde", ["==", ["campo", "b", "n"], ["campo", "a", "n"]]]`, "", tres, lim{ProductoCartesiano: 2, PasosDeOperacion: 7}, `rojo 2 {"a":{"n":1},"b":{"n":1}} {"a":{"n":3},"b":{"n":3}} 7`},
		{"its product is the rows it makes", clave, "", tres, lim{ProductoCartesiano: 1}, "producto_cartesiano 2/1"},
		{"product before step", clave, "", tres, lim{ProductoCartesiano: 1, PasosDeOperacion: 6}, "producto_cartesiano 2/1"},
		{"its steps", clave, "", tres, lim{PasosDeOperacion: 6}, "pasos_de_operacion 7/6"},
		{"its sides are charged at once", clave, "", `{"p":[{"n":1.5}],"q":[{"n":1}]}`, lim{PasosDeOperacion: 1}, "pasos_de_operacion 2/1"},
		{"nothing with an empty side", clave, "", `{"p":[{"n":1.5}],"q":[]}`, lim{PasosDeOperacion: 1}, "verde 0 0"},
		{"the error at its place in the product", clave, "", `{"p":[{"n":1},{}],"q":[{"n":1},{"n":"x"}]}`, lim{}, "familias"},
		{"a row before the error counts against the limit", clave, "", `{"p":[{"n":1}],"q":[{"n":1},{"n":"x"}]}`, lim{PasosDeOperacion: 3}, "pasos_de_operacion 4/3"},
		{"an inner product is a product", `["unir", ` + dePQ + `, ["de", "q", "c"]], ["donde", ["==", ["campo", "a", "n"], ["campo", "c", "n"]]]`, "", tres, lim{ProductoCartesiano: 5}, "producto_cartesiano 6/5"},
		{"an equality of one side is a product", dePQ + `, ["donde", ["==", ["campo", "a", "n"], ["campo", "a", "n"]]]`, "", tres, lim{ProductoCartesiano: 5}, "producto_cartesiano 6/5"},
		{"so is one in a conjunction", dePQ + `, ["donde", ["y", ["==", ["campo", "a", "n"], ["campo", "b", "n"]], true]]`, "", tres, lim{ProductoCartesiano: 5}, "producto_cartesiano 6/5"},

		{"null before families", `["de", "p", "a"], ["donde", ["==", ["hecho", "a"], null]]`, "", tres, lim{}, "nulo"},
		{"families before floats", `["de", "p", "a"], ["donde", ["==", "x", 1.5]]`, "", tres, lim{}, "familias"},
		{"facts do not compare", `["de", "p", "a"], ["donde", ["==", ["hecho", "a"], ["hecho", "a"]]]`, "", tres, lim{}, "familias"},
		{"an operand's own error before the truth of the one at its left", `["de", "p", "a"], ["donde", ["y", 1, ["==", null, 1]]]`, "", tres, lim{}, "nulo"},
		{"a step runs over all rows before the next", `["de", "p", "a"], ["donde", ["<", ["campo", "a", "n"], 3]], ["donde", null]`, "", `{"p":[{"n":1},{"n":"x"}]}`, lim{}, "familias"},
		{"rows before nodes", `["de", "p", "a"], ["donde", ["y", ["<", ["campo", "a", "n"], 3], ["<", ["campo", "a", "m"], 3]]]`, "", `{"p":[{"n":1,"m":"x"},{"m":1}]}`, lim{}, "familias"},
		{"the alias of sin does not outlive it", `["de", "p", "a"], ["sin", ["de", "q", "b"], false], ["donde", ["==", ["campo", "b", "n"], 1]]`, "", tres, lim{}, "alias_ausente"},
		{"no alias after agrupar", `["de", "p", "a"], ["agrupar", [], []], ["donde", ["campo", "_", "n"]]`, "", tres, lim{}, "alias_ausente"},

		{"a key keeps the first of equals", `["de", "p", "a"], ["agrupar", [["k", ["campo", "a", "n"]]], [["c", "contar", null]]]`, "", `{"p":[{"n":1.0},{"n":true},{"n":1},{}]}`, lim{},
			`rojo 3 {"_":{"c":2,"k":1.0}} {"_":{"c":1,"k":true}} {"_":{"c":1,"k":null}} 4`},
		{"a negative zero is the zero", `["de", "p", "a"], ["agrupar", [["k", ["campo", "a", "n"]]], []]`, "", `{"p":[{"n":0},{"n":-0.0},{"n":0.0}]}`, lim{}, `rojo 1 {"_":{"k":0}} 3`},
		{"beyond 64 bits", `["de", "p", "a"], ["agrupar", [["k", ["campo", "a", "n"]]], []]`, "", `{"p":[{"n":1180591620717411303424},{"n":1180591620717411303424.0},{"n":1180591620717411303425}]}`, lim{}, `rojo 2 {"_":{"k":1180591620717411303424}} {"_":{"k":1180591620717411303425}} 39`},
		{"a key that is a fact", `["de", "p", "a"], ["agrupar", [["k", ["hecho", "a"]], ["l", ["==", null, 1]]], []]`, "", tres, lim{}, "clave_no_escalar"},
		{"an unacceptable value at its row", `["de", "p", "a"], ["agrupar", [], [["s", "suma", ["campo", "a", "n"]], ["m", "min", ["==", null, 1]]]]`, "", `{"p":[{"n":"x"}]}`, lim{}, "agregado"},
		{"sums finish after all rows", `["de", "p", "a"], ["agrupar", [["k", ["campo", "a", "k"]]], [["s", "suma", ["campo", "a", "n"]]]]`, "", `{"p":[{"k":1,"n":1e308},{"k":1,"n":1e308},{"k":2,"n":"x"}]}`, lim{}, "agregado"},
		{"a sum that is not finite", `["de", "p", "a"]`, sumaDe, `{"p":[{"n":1e308},{"n":1e308}]}`, lim{}, "no_finito"},
		{"only the final sum counts", `["de", "p", "a"]`, sumaDe, `{"p":[{"n":1e308},{"n":1e308},{"n":-1e308}]}`, lim{}, `rojo 1e+308 {"a":{"n":1e+308}} {"a":{"n":1e+308}} {"a":{"n":-1e+308}} 3`},
		{"the least float", `["de", "p", "a"]`, sumaDe, `{"p":[{"n":5e-324},{"n":5e-324},{"n":0}]}`, lim{}, `rojo 1e-323 {"a":{"n":5e-324}} {"a":{"n":5e-324}} {"a":{"n":0}} 3`},
		{"bits of a sum at the limit", `["de", "p", "a"]`, sumaDe, `{"p":[{"n":8},{"n":7}]}`, lim{BitsDeEntero: 4}, `rojo 15 {"a":{"n":8}} {"a":{"n":7}} 2`},
		{"bits of a sum past it", `["de", "p", "a"]`, sumaDe, `{"p":[{"n":8},{"n":8}]}`, lim{BitsDeEntero: 4}, "bits_de_entero 5/4"},
		{"booleans add up", `["de", "p", "a"]`, sumaDe, `{"p":[{"n":true},{"n":2},{"n":false}]}`, lim{}, `rojo 3 {"a":{"n":true}} {"a":{"n":2}} {"a":{"n":false}} 3`},
		{"an average is a float", `["de", "p", "a"]`, `["resumen", "promedio", ["campo", "a", "n"]], ["umbral", "<", 2.5, ""]`, `{"p":[{"n":true},{"n":2}]}`, lim{}, `verde 1.5 {"a":{"n":true}} {"a":{"n":2}} 2`},
		{"an average past the floats", `["de", "p", "a"]`, `["resumen", "promedio", ["por", ["campo", "a", "n"], ["campo", "a", "n"]]], ["umbral", "<", 2.5, ""]`, `{"p":[{"n":1` + strings.Repeat("0", 200) + `}]}`, lim{}, "no_finito"},
		{"of equal extremes the integer stays", `["de", "p", "a"]`, `["resumen", "max", ["campo", "a", "n"]], ["umbral", ">=", 2, ""]`, `{"p":[{"n":2.0},{"n":2}]}`, lim{}, `verde 2 {"a":{"n":2.0}} {"a":{"n":2}} 2`},
		{"an extreme of one family", `["de", "p", "a"]`, `["resumen", "max", ["campo", "a", "n"]], ["umbral", ">=", 2, ""]`, `{"p":[{"n":2.0},{"n":true}]}`, lim{}, "agregado"},
		{"the threshold compares last", `["de", "p", "a"]`, `["resumen", "max", ["campo", "a", "n"]], ["umbral", "==", 2, ""]`, `{"p":[{"n":2.0}]}`, lim{}, "igualdad_flotante"},

		{"bits at the limit", `["de", "p", "a"], ["donde", ["==", ["por", ["campo", "a", "n"], 5], 15]]`, "", `{"p":[{"n":3}]}`, lim{BitsDeEntero: 4}, `rojo 1 {"a":{"n":3}} 5`},
		{"bits past it", `["de", "p", "a"], ["donde", ["==", ["por", ["campo", "a", "n"], -6], 15]]`, "", `{"p":[{"n":3}]}`, lim{BitsDeEntero: 4}, "bits_de_entero 5/4"},
		{"a text at the limit", `["de", "p", "a"], ["donde", ["==", ["mas", ["campo", "a", "n"], "ñ"], "xñ"]]`, "", `{"p":[{"n":"x"}]}`, lim{TamanoDeValor: 3}, `rojo 1 {"a":{"n":"x"}} 5`},
		{"a text past it", `["de", "p", "a"], ["donde", ["==", ["mas", ["campo", "a", "n"], "ñ"], "xñ"]]`, "", `{"p":[{"n":"x"}]}`, lim{TamanoDeValor: 2}, "tamano_de_valor 3/2"},
		{"an integer too large for a float", `["de", "p", "a"], ["donde", ["<", ["cerca", ["campo", "a", "n"], 0.5], 1]]`, "", `{"p":[{"n":1` + strings.Repeat("0", 400) + `}]}`, lim{}, "no_finito"},
		{"the nearest float of an integer", `["de", "p", "a"], ["donde", ["<=", ["mas", ["campo", "a", "n"], 0.0], 9007199254740992]]`, "", `{"p":[{"n":9007199254740993}]}`, lim{}, `rojo 1 {"a":{"n":9007199254740993}} 5`},
		{"a boolean is not a number", `["de", "p", "a"], ["donde", ["<", ["menos", true, 1], 1]]`, "", tres, lim{}, "escalar"},
		{"a null is no argument", `["de", "p", "a"], ["donde", ["contiene", null, "x"]]`, "", tres, lim{}, "escalar"},
		{"the needle is bytes", `["de", "p", "a"], ["donde", ["contiene", "ñandú", "and"]]`, "", `{"p":[{}]}`, lim{}, `rojo 1 {"a":{}} 3`},

		{"conditions run over all rows of all entries", `["de", "x", "a"]`, `["resumen", "contar", 1], ["umbral", "<=", 0, ""], ["requiere", "z", ["filas", "q", "r", ["==", ["campo", "r", "n"], 3]]]`, `{"q":[{"n":3},{"n":"x"}]}`, lim{}, "familias"},
		{"the first missing is named", `["de", "x", "a"]`, `["resumen", "contar", 1], ["umbral", "<=", 0, ""], ["requiere", ["filas", "q", "r", ["==", ["campo", "r", "n"], 7]], "z"]`, tres, lim{}, `sin_evidencia 0 q con r.n == 7 6`},
		{"a condition is spelled as the surface does", `["de", "x", "a"]`,
			`["resumen", "contar", 1], ["umbral", "<=", 0, ""], ["requiere", ["filas", "z", "r", ["y", ["o", true, ["no", ["no", ["==", ["campo", "r", "n"], -7.0]]]], ["contiene", "a\"b", ["mas", "x", "y"]], [">", ["menos", 1, ["menos", 2, ["por", ["mas", 3, 4], 5]]], ["cerca", ["no", true], null]]]]]`, tres, lim{},
			`sin_evidencia 0 z con (true o no no (r.n == -7.0)) y contiene("a\"b", "x" + "y") y 1 - (2 - (3 + 4) * 5) > cerca(no true, null) 0`},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			if dio := correr(t, c.tuberia, c.resto, c.evidencia, c.lim); dio != c.espera {
				t.Errorf("got  %s\nwant %s", dio, c.espera)
			}
		})
	}
}

func TestCancelar(t *testing.T) {
	fila := strings.Repeat(`,{"n":1}`, 300)[1:]
	m, e := abrir(t, `["unir", ["de", "p", "a"], ["de", "p", "b"]]`, "", `{"p":[`+fila+`]}`)
	ctx, cancelar := context.WithCancel(t.Context())
	cancelar()
	if _, err := ingenuo.Evaluar(ctx, m, e, algebra.LimitesAlgebra{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestMemoria(t *testing.T) {
	fila := strings.Repeat(`,{"n":1}`, 1000)[1:]
	m, e := abrir(t, `["unir", ["de", "p", "a"], ["de", "p", "b"]]`, "", `{"p":[`+fila+`]}`)
	_, err := ingenuo.Evaluar(t.Context(), m, e, algebra.LimitesAlgebra{MemoriaDeOperacion: 1 << 20})
	var limite *algebra.LimiteError
	if !errors.As(err, &limite) || limite.Nombre != algebra.LimiteMemoriaDeOperacion || limite.Observado <= limite.Limite {
		t.Errorf("got %v", err)
	}
}
