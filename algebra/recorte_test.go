package algebra_test

import (
	"fmt"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// TestRecortar compares a verdict with what is left of it: the same witnesses in
// the same order up to where it was cut, the same count, and little memory.
func TestRecortar(t *testing.T) {
	const fin = `["resumen","contar",1],["umbral","<=",2,""],["alcance","a"]]`
	ev, err := algebra.LeerEvidencia(`{"p":`+filas(300, func(i int) string {
		return fmt.Sprintf(`{"n":%d,"k":"k%d"%s}`, i, i%150, map[bool]string{true: `,"extra":1.0`}[i%7 == 0])
	})+`,"q":[{"m":1},{"m":2}],"vacia":[]}`, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	agrupar := `["agrupar",[["k",["campo","p","k"]]],[["s","suma",["campo","p","n"]],["e","max",["campo","p","n"]]]]`
	for nombre, tuberia := range map[string]string{
		"a whole relation":         `["desde",["de","p","p"]],`,
		"a filter":                 `["desde",["de","p","p"],["donde",[">",["campo","p","n"],40]]],`,
		"a product":                `["desde",["unir",["de","p","p"],["de","q","q"]]],`,
		"groups":                   `["desde",["de","p","p"],` + agrupar + `],`,
		"groups and then a filter": `["desde",["de","p","p"],` + agrupar + `,["donde",[">",["col","s"],200]]],`,
		"no rows":                  `["desde",["de","vacia","p"]],`,
	} {
		t.Run(nombre, func(t *testing.T) {
			m := cargarForma(t, `["medida","d.m",`+tuberia+fin)
			v := debeEvaluar(t, m, ev)
			total := v.CantidadDeTestigos()
			for _, n := range []int{-1, 0, 1, 5, total - 1, total, total + 1} {
				r := v.Recortar(n)
				quedan := min(max(n, 0), total)
				if r.CantidadDeTestigos() != total || r.Estado != v.Estado || r.Valor != v.Valor || r.Pasos != v.Pasos {
					t.Errorf("cut at %d: %d witnesses of %d", n, r.CantidadDeTestigos(), total)
				}
				for i := range quedan {
					if got, want := string(r.AppendTestigo(nil, i)), string(v.AppendTestigo(nil, i)); got != want {
						t.Fatalf("cut at %d, witness %d: %s, want %s", n, i, got, want)
					}
					if got, want := fmt.Sprint(r.Testigo(i)[0].Hecho.Campos()), fmt.Sprint(v.Testigo(i)[0].Hecho.Campos()); got != want {
						t.Fatalf("cut at %d, witness %d: fields %s, want %s", n, i, got, want)
					}
				}
				if got, want := r.MismaConducta(v), quedan == total; got != want {
					t.Errorf("cut at %d: behaves the same: %v", n, got)
				}
				if otra := r.Recortar(1); otra.CantidadDeTestigos() != total {
					t.Errorf("cut at %d and again: %d witnesses of %d", n, otra.CantidadDeTestigos(), total)
				}
			}
			if b := v.Recortar(5).Bytes(); b > 1500 {
				t.Errorf("five witnesses take %d bytes, all of them %d", b, v.Bytes())
			}
		})
	}
	if v := debeEvaluar(t, cargarForma(t, `["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",2,""],["requiere","vacia"],["alcance","a"]]`), ev); v.Recortar(3).Estado != algebra.SinEvidencia {
		t.Error("no evidence does not change")
	}
}
