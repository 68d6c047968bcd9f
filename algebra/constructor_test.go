package algebra_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// TestEvidenciaLarga reads relations of many rows, past the place where their
// columns are prepared for more, and wants back exactly what was written.
func TestEvidenciaLarga(t *testing.T) {
	const largo = 2_000
	casos := map[string]func(i int) string{
		"pocos textos":      func(i int) string { return fmt.Sprintf(`{"t":"t%d"}`, i%5) },
		"textos distintos":  func(i int) string { return fmt.Sprintf(`{"t":"id%05d"}`, i) },
		"que se confunden":  func(i int) string { return fmt.Sprintf(`{"t":"a%cb%cc"}`, 'a'+i%7, 'a'+i/7%7) },
		"vacíos y escapes":  func(i int) string { return [...]string{`{"t":""}`, `{"t":"\n"}`, `{"t":"ñ"}`}[i%3] },
		"llaves y cierres":  func(i int) string { return fmt.Sprintf(`{"t":"%s]"}`, strings.Repeat("{", i%50)) },
		"cambia de familia": func(i int) string { return [...]string{`{"t":"x"}`, `{"t":7}`}[i/1000] },
		"llega otro campo":  func(i int) string { return [...]string{`{"a":"x"}`, `{"a":"x","b":"x"}`}[i/1000] },
		"se va un campo":    func(i int) string { return [...]string{`{"a":"x","b":true}`, `{"a":"x"}`}[i/1000] },
		"números y textos":  func(i int) string { return fmt.Sprintf(`{"n":%d,"t":"x","x":%d.5}`, i, i%9) },
	}
	for nombre, fila := range casos {
		t.Run(nombre, func(t *testing.T) {
			var filas []string
			for i := range largo {
				filas = append(filas, fila(i))
			}
			p := strings.Join(filas, ",")
			texto := `{"p":[` + p + `],"q":[` + p + `],"r":[]}`
			if got := string(debeLeer(t, texto).AppendJSON(nil)); got != texto {
				t.Errorf("it reads something else: %.300s", got)
			}
		})
	}
}

// TestMemoriaDeLeer wants what is taken to read evidence to stay in proportion
// to its text, also when the text is made to be mistaken for many more rows.
func TestMemoriaDeLeer(t *testing.T) {
	muestra := strings.Repeat(`{"a":"x","b":"x"},`, 300)
	casos := []struct {
		nombre, texto string
		veces         uint64
	}{
		{"filas iguales", `{"p":[` + strings.Repeat(`{"id":"p000001","n":900,"x":1.25,"tipo":"muro"},`, 20_000) + `{"id":"","n":1,"x":0.5,"tipo":""}]}`, 3},
		{"llaves en un texto", `{"p":[` + muestra + `{"a":"` + strings.Repeat("{", 900_000) + `"}]}`, 8},
		{"muchas relaciones", func() string {
			var b strings.Builder
			b.WriteByte('{')
			for i := range 200 {
				fmt.Fprintf(&b, `"p%d":[%s{"a":"","b":""}],`, i, muestra)
			}
			return b.String() + `"z":[]}`
		}(), 8},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			var antes, despues runtime.MemStats
			runtime.ReadMemStats(&antes)
			if _, err := algebra.LeerEvidencia(c.texto, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{}); err != nil {
				t.Fatal(err)
			}
			runtime.ReadMemStats(&despues)
			tomo := despues.TotalAlloc - antes.TotalAlloc
			t.Logf("%d bytes taken to read %d", tomo, len(c.texto))
			if tomo > c.veces*uint64(len(c.texto)) {
				t.Errorf("%d bytes taken to read %d, more than %d times it", tomo, len(c.texto), c.veces)
			}
		})
	}
}
