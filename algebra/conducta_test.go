package algebra_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
)

func TestMismaConducta(t *testing.T) {
	const fin = `,["umbral","<=",2,""],["alcance","a"]]`
	const todas = `["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1]` + fin
	const porK = `["medida","d.m",["desde",["de","p","p"],["agrupar",[["k",["campo","p","k"]]],[["s","suma",["campo","p","n"]]]]],["resumen","contar",1]` + fin
	const porKMedia = `["medida","d.m",["desde",["de","p","p"],["agrupar",[["k",["campo","p","k"]]],[["s","promedio",["campo","p","n"]]]]],["resumen","contar",1]` + fin
	const par = `["medida","d.m",["desde",["unir",["de","p","p"],["de","q","q"]]],["resumen","contar",1]` + fin
	const parAlReves = `["medida","d.m",["desde",["unir",["de","q","q"],["de","p","p"]]],["resumen","contar",1]` + fin
	suma := func(f, expr string) string {
		return `["medida","d.m",["desde",["de","p","p"]],["resumen","` + f + `",` + expr + `]` + fin
	}
	donde := func(c string) string {
		return `["medida","d.m",["desde",["de","p","p"],["donde",` + c + `]],["resumen","contar",1]` + fin
	}
	conAlias := `["medida","d.m",["desde",["de","p","otro"]],["resumen","contar",1]` + fin
	exige := `["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral",">=",0,""],["requiere","falta"],["alcance","a"]]`
	// Both are red with the same witness; a boolean and a number share no family.
	maximo := `["medida","d.m",["desde",["de","p","p"]],["resumen","max",["==",1,1]],["umbral","==",false,""],["alcance","a"]]`
	cuenta := `["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","==",0,""],["alcance","a"]]`
	casos := []struct {
		nombre, una, otra     string
		evidencia, evidencia2 string // the second, "" for the same one
		misma                 bool
	}{
		{"itself", todas, todas, `{"p":[{"n":1},{"n":2}]}`, "", true},
		{"another reading of it", todas, todas, `{"p":[{"n":1,"t":"a"},{"n":2}]}`, `{"p":[{"t":"a","n":1},{"n":2}]}`, true},
		{"in another order", todas, todas, `{"p":[{"n":1},{"n":2}]}`, `{"p":[{"n":2},{"n":1}]}`, true},
		{"the multiplicity counts", todas, todas, `{"p":[{"n":1},{"n":2},{"n":2}]}`, `{"p":[{"n":1},{"n":1},{"n":2}]}`, false},
		{"1 and 1.0 in a fact", todas, todas, `{"p":[{"n":1}]}`, `{"p":[{"n":1.0}]}`, true},
		{"1 and true in a fact", todas, todas, `{"p":[{"n":1}]}`, `{"p":[{"n":true}]}`, false},
		{"another field", todas, todas, `{"p":[{"n":1}]}`, `{"p":[{"m":1}]}`, false},
		{"one field more", todas, todas, `{"p":[{"n":1}]}`, `{"p":[{"n":1,"m":1}]}`, false},
		{"an empty fact", todas, todas, `{"p":[{}]}`, `{"p":[{"m":1}]}`, false},
		{"a text that runs into the next", todas, todas, `{"p":[{"a":"x","b":"y"}]}`, `{"p":[{"a":"xb","b":""}]}`, false},
		{"another alias", todas, conAlias, `{"p":[{"n":1}]}`, "", false},
		{"another alias, no rows", todas, conAlias, `{"p":[]}`, "", true},
		{"other rows, as many", donde(`["==",["campo","p","n"],1]`), donde(`["==",["campo","p","n"],2]`), `{"p":[{"n":1},{"n":2}]}`, "", false},
		{"other rows that say the same", donde(`["==",["campo","p","n"],1]`), donde(`["!=",["campo","p","n"],1]`), `{"p":[{"n":1},{"n":2}]}`, `{"p":[{"n":1},{"n":1},{"n":1}]}`, false},
		{"groups that say the same", porK, porKMedia, `{"p":[{"k":"a","n":1},{"k":"b","n":2}]}`, "", true},
		{"groups that do not", porK, porKMedia, `{"p":[{"k":"a","n":1},{"k":"b","n":2},{"k":"b","n":3}]}`, "", false},
		{"groups in another order", porK, porK, `{"p":[{"k":"a","n":1},{"k":"b","n":2}]}`, `{"p":[{"k":"b","n":2},{"k":"a","n":1}]}`, true},
		{"a group without key", porK, porK, `{"p":[{"n":1}]}`, `{"p":[{"k":"","n":1}]}`, false},
		{"the sides of a product", par, parAlReves, `{"p":[{"n":1},{"n":2}],"q":[{"m":1},{"m":2}]}`, "", true},
		{"values 3 and 3.0", suma("suma", `["campo","p","n"]`), suma("promedio", `["campo","p","n"]`), `{"p":[{"n":3}]}`, "", true},
		{"values 3 and 1.5", suma("suma", `["campo","p","n"]`), suma("promedio", `["campo","p","n"]`), `{"p":[{"n":3},{"n":0}]}`, "", false},
		{"values true and 1", maximo, cuenta, `{"p":[{"n":3}]}`, "", false},
		{"no evidence and no evidence", exige, exige, `{"p":[{"n":1}]}`, `{"p":[{"n":2}]}`, true},
		{"no evidence and zero rows", exige, todas, `{"p":[]}`, "", false},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			if c.evidencia2 == "" {
				c.evidencia2 = c.evidencia
			}
			una, err := evaluarTexto(t, c.una, c.evidencia)
			if err != nil {
				t.Fatal(err)
			}
			otra, err := evaluarTexto(t, c.otra, c.evidencia2)
			if err != nil {
				t.Fatal(err)
			}
			if una.MismaConducta(otra) != c.misma || otra.MismaConducta(una) != c.misma {
				t.Errorf("same conduct is not %v", c.misma)
			}
			if una.Bytes() <= 0 {
				t.Errorf("it takes %d bytes", una.Bytes())
			}
		})
	}
	// Over one reading of the evidence rows are told by their place alone.
	m := cargarForma(t, donde(`["==",["campo","p","n"],1]`))
	otra := cargarForma(t, donde(`[">",["campo","p","n"],1]`))
	e, err := algebra.LeerEvidencia(`{"p":[{"n":1},{"n":2}]}`, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := algebra.Evaluar(t.Context(), m, e, algebra.LimitesAlgebra{})
	b, _ := algebra.Evaluar(t.Context(), otra, e, algebra.LimitesAlgebra{})
	d, _ := algebra.Evaluar(t.Context(), m, e, algebra.LimitesAlgebra{})
	if a.MismaConducta(b) || !a.MismaConducta(d) {
		t.Error("rows of one reading are confused")
	}
}

func cargarForma(t *testing.T, forma string) *algebra.Medida {
	t.Helper()
	n, err := algebra.LeerNodo([]byte(forma), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func evaluarTexto(t *testing.T, forma, evidencia string) (*algebra.Veredicto, error) {
	t.Helper()
	e, err := algebra.LeerEvidencia(evidencia, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	return algebra.Evaluar(t.Context(), cargarForma(t, forma), e, algebra.LimitesAlgebra{})
}
