package diferencial_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/diferencial"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

var (
	sesenta  = strings.Repeat("a", 64)
	frescura = `{"algoritmo":"sha256","raiz_fuentes":".","fuentes":{"emisor":["a","b/"],"referencia":"c"},"configuracion":{},"huellas":{"emisor":"` + sesenta + `","referencia":"` + sesenta + `","catalogo":"` + sesenta + `","configuracion":"` + sesenta + `"}}`

	grupos = `{"esquema":"oracle.diferencial/v1","frescura":` + frescura + `,"grupos":{"a.b":[{"id":"x","evidencia":{"u":[]},"esperado_ok":true},{"evidencia":{},"esperado_ok":false}]}}`

	escenarios = `{"esquema":"oracle.diferencial/v1","origen":{},"mundos":2,"frescura":` + frescura + `,"medidas":["a.b","a.c"],"escenarios":[` +
		`{"id":"e1","evidencia":{},"referencia_ok":true,"oracle_al_generar":{"global_ok":true,"por_medida":{"a.b":true,"a.c":{"ok":false,"valor":3}}}},` +
		`{"id":"e2","evidencia":{},"referencia_ok":false,"oracle_al_generar":{"global_ok":false,"por_medida":{"a.b":{"ok":false},"a.c":{"ok":true,"levanta":false}}}}]}`
)

func TestLeer(t *testing.T) {
	d, err := diferencial.Leer([]byte(grupos), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]diferencial.Caso{{Medida: "a.b", ID: "x", OK: true, Evidencia: `{"u":[]}`}, {Medida: "a.b", ID: "1", Evidencia: `{}`}}, d.Casos); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"a", "b"}, d.Frescura.Emisor); diff != "" {
		t.Error(diff)
	}
	d, err = diferencial.Leer([]byte(escenarios), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	want := []diferencial.Caso{{Medida: "a.b", ID: "e1", OK: true, Evidencia: `{}`}, {Medida: "a.c", ID: "e1", Evidencia: `{}`},
		{Medida: "a.b", ID: "e2", Evidencia: `{}`}, {Medida: "a.c", ID: "e2", OK: true, Evidencia: `{}`}}
	if diff := cmp.Diff(want, d.Casos); diff != "" {
		t.Error(diff)
	}
}

func TestRechaza(t *testing.T) {
	for _, c := range []struct{ nombre, ruta, base, viejo, nuevo string }{
		{"esquema", "$.esquema", grupos, "oracle.diferencial/v1", "otro"},
		{"clave de más", "$.mas", grupos, `"grupos"`, `"mas":1,"grupos"`},
		{"sin frescura", "$", grupos, `"frescura":` + frescura + `,`, ``},
		{"una sola polaridad", `$.grupos["a.b"]`, grupos, `"esperado_ok":false`, `"esperado_ok":true`},
		{"grupo vacío", "$.grupos", grupos, `{"a.b":[{"id":"x","evidencia":{"u":[]},"esperado_ok":true},{"evidencia":{},"esperado_ok":false}]}`, `{}`},
		{"id de medida", "$.grupos.a", grupos, `"a.b":[`, `"a":[`},
		{"ids repetidos", `$.grupos["a.b"][1]`, grupos, `{"evidencia":{},"esp`, `{"id":"x","evidencia":{},"esp`},
		{"mundos", "$.mundos", escenarios, `"mundos":2`, `"mundos":3`},
		{"medida que no se anunció", `$.escenarios[0].oracle_al_generar.por_medida["a.z"]`, escenarios, `{"a.b":true`, `{"a.z":true,"a.b":true`},
		{"escenario repetido", "$.escenarios[1].id", escenarios, `"e2"`, `"e1"`},
		{"polaridad global", "$.escenarios", escenarios, `"referencia_ok":false`, `"referencia_ok":true`},
		{"polaridad de una medida", "$.escenarios", escenarios, `"a.b":{"ok":false}`, `"a.b":{"ok":true}`},
		{"sin ok", `$.escenarios[0].oracle_al_generar.por_medida["a.c"]`, escenarios, `{"ok":false,"valor":3}`, `{"valor":3}`},
		{"algoritmo", "$.frescura.algoritmo", grupos, "sha256", "md5"},
		{"raíz", "$.frescura.raiz_fuentes", grupos, `"."`, `"../.."`},
		{"ruta que sale", "$.frescura.fuentes.emisor", grupos, `"b/"`, `"../b"`},
		{"ruta absoluta", "$.frescura.fuentes.referencia", grupos, `"c"`, `"/etc"`},
		{"huella", "$.frescura.huellas.emisor", grupos, `"emisor":"` + sesenta, `"emisor":"A` + sesenta[1:]},
		{"configuración", "$.frescura.configuracion", grupos, `"configuracion":{}`, `"configuracion":[]`},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			texto := strings.Replace(c.base, c.viejo, c.nuevo, 1)
			if texto == c.base {
				t.Fatal("el reemplazo no cambió nada")
			}
			_, err := diferencial.Leer([]byte(texto), algebra.LimitesAlgebra{})
			var e *estricto.Error
			if !errors.As(err, &e) || e.Ruta != c.ruta {
				t.Errorf("%v", err)
			}
		})
	}
}

func FuzzLeer(f *testing.F) {
	f.Add([]byte(grupos))
	f.Add([]byte(escenarios))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := diferencial.Leer(b, algebra.LimitesAlgebra{})
		if err == nil && len(d.Casos) == 0 {
			t.Fatal("se leyó sin un solo caso")
		}
	})
}
