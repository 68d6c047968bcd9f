package host_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
)

// medidaSobre is a measure that counts the rows of a relation with x over 0.
func medidaSobre(id, relacion, ambito string) string {
	return fmt.Sprintf("medida %s:\n    de %s f\n    donde f.x > 0\n    resumen contar(1)\n    umbral <= 0 porque \"ninguna\"\n%s    alcance \"nada más\"\n", id, relacion, ambito)
}

func juzgar(t *testing.T, p *host.Proyecto, evidencia string, ids ...string) *host.Juzgado {
	t.Helper()
	r, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: evidencia, IDs: ids, SoloObjetos: true})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var catalogoDePrueba = archivos{
	"catalogos/a.oracle": medidaSobre("d.a", "uno", ""),
	"catalogos/b.oracle": medidaSobre("d.b", "dos", "    requiere testigo\n"),
	"catalogos/c.oracle": strings.Replace(medidaSobre("d.c", "tres", ""), "resumen contar(1)", "resumen max(f.n)", 1),
	"oracle.json":        `{"esquema":"oracle.proyecto/v1","sombra":{"d.a":{"desde":"2026-01-01","porque":"deuda","cota":1}}}`,
}

func TestJuzgar(t *testing.T) {
	p, _ := catalogoDePrueba.en(t, host.Opciones{})
	for _, c := range []struct {
		nombre, evidencia string
		ok                bool
		medidas           string
		noAplicadas       string
		noJuzgaron        string
	}{
		{"todo verde", `{"uno":[{"x":0}],"dos":[{"x":0}],"tres":[{"x":0,"n":1}],"testigo":[{}]}`, true, "d.a=verde d.b=verde d.c=verde", "", ""},
		{"un rojo perdonado", `{"uno":[{"x":1}]}`, true, "d.a=rojo", "d.b:dos d.c:tres", ""},
		{"un rojo que supera su cota", `{"uno":[{"x":1},{"x":2}]}`, false, "d.a=rojo", "d.b:dos d.c:tres", ""},
		{"sin evidencia no se perdona", `{"dos":[]}`, false, "d.b=sin_evidencia", "d.a:uno d.c:tres", ""},
		{"una falla", `{"uno":[],"tres":[{"x":"texto"}]}`, false, "d.a=verde", "d.b:dos", "d.c"},
		{"un valor que no es número", `{"tres":[{"x":1,"n":"a"}]}`, false, "", "d.a:uno d.b:dos", "d.c"},
		{"nada aplica", `{}`, false, "", "d.a:uno d.b:dos d.c:tres", ""},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			r := juzgar(t, p, c.evidencia)
			var ms, na, nj []string
			for _, m := range r.Medidas {
				ms = append(ms, m.Medida.ID+"="+string(m.Veredicto.Estado))
			}
			for _, n := range r.NoAplicadas {
				na = append(na, n.ID+":"+strings.Join(n.Faltan, ","))
			}
			for _, n := range r.NoJuzgaron {
				nj = append(nj, n.ID)
			}
			got := fmt.Sprint(r.OK, ms, na, nj)
			want := fmt.Sprint(c.ok, strings.Fields(c.medidas), strings.Fields(c.noAplicadas), strings.Fields(c.noJuzgaron))
			if got != want {
				t.Errorf("%s\nse esperaba %s", got, want)
			}
			if len(ms) == 0 && len(nj) == 0 && len(r.Advertencias) != 1 {
				t.Errorf("%q", r.Advertencias)
			}
		})
	}
}

func TestJuzgarJSON(t *testing.T) {
	p, dir := catalogoDePrueba.en(t, host.Opciones{})
	r := juzgar(t, p, `{"uno":[{"x":1}],"tres":[{"x":true}]}`)
	want := `{"esquema":"oracle.mcp/juzgar/v1","oracle_version":"0.0.0-prueba","proyecto":"` + dir + `","entrada_sha256":"` + suma(`{"evidencia":{"tres":[{"x":true}],"uno":[{"x":1}]}}`) + `","ok":false,` +
		`"medidas":[{"id":"d.a","estado":"rojo","valor":1,"umbral":{"operador":"<=","valor":0,"segun":"sin_declarar","porque":"ninguna"},"sombra":{"desde":"2026-01-01","porque":"deuda","cota":1,"perdona":true},"testigos":[{"f":{"x":1}}],"testigos_omitidos":0,"alcance":"nada más"}],` +
		`"no_aplicadas":[{"id":"d.b","faltan":["dos"]}],"no_juzgaron":[{"id":"d.c","motivo":"`
	got := string(r.AppendJSON(nil))
	if !strings.HasPrefix(got, want) || !strings.HasSuffix(got, `"}],"advertencias":[]}`) {
		t.Errorf("%s", cmp.Diff(want, got))
	}
}

func TestJuzgarPorIDs(t *testing.T) {
	p, _ := catalogoDePrueba.en(t, host.Opciones{})
	const ev = `{"uno":[],"dos":[{"x":0}],"testigo":[{}]}`
	r := juzgar(t, p, ev, "d.b", "d.a")
	if !r.OK || len(r.Medidas) != 2 || r.Medidas[0].Medida.ID != "d.a" || len(r.NoAplicadas) != 0 {
		t.Errorf("%s", r.AppendJSON(nil))
	}
	if want := suma(`{"evidencia":{"dos":[{"x":0}],"testigo":[{}],"uno":[]},"ids":["d.a","d.b"]}`); r.EntradaSHA256 != want {
		t.Error(r.EntradaSHA256)
	}
	for _, c := range []struct {
		exacto string
		ids    []string
	}{
		{"MEDIDA_DESCONOCIDA — «d.z» no aparece en las fuentes seleccionadas; consultá oracle_catalogo_efectivo sin ids.", []string{"d.a", "d.z"}},
		{"MEDIDA_NO_APLICABLE — «d.c» requiere las relaciones tres, no presentes en la evidencia.", []string{"d.c", "d.a"}},
		{"ARGUMENTOS_INVALIDOS — $.ids: []; se esperaba una lista no vacía de ids dominio.nombre, sin repetir.", []string{}},
		{`ARGUMENTOS_INVALIDOS — $.ids[1]: "d.a"; se esperaba `, []string{"d.a", "d.a"}},
		{`ARGUMENTOS_INVALIDOS — $.ids[0]: "D"; se esperaba `, []string{"D"}},
	} {
		_, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: ev, IDs: c.ids})
		if err == nil || !strings.HasPrefix(err.Error(), c.exacto) {
			t.Errorf("%v", err)
		}
	}
}

// TestJuzgarIgualConCualquierCantidadDeHilos compares bytes over many measures,
// some of which fail.
func TestJuzgarIgualConCualquierCantidadDeHilos(t *testing.T) {
	as := archivos{}
	for i := range 60 {
		as[fmt.Sprintf("catalogos/m%02d.oracle", i)] = medidaSobre(fmt.Sprintf("d.m%02d", i), fmt.Sprintf("r%d", i%7), "")
	}
	const ev = `{"r0":[{"x":1}],"r1":[{"x":0}],"r2":[],"r3":[{"x":"a"}],"r4":[{"x":2.5},{"x":1}],"r5":[{}]}`
	var primera string
	for _, hilos := range []int{1, 2, 8} {
		p, dir := as.en(t, host.Opciones{Hilos: hilos})
		s := strings.ReplaceAll(string(juzgar(t, p, ev).AppendJSON(nil)), dir, "RAIZ")
		if primera == "" {
			primera = s
		}
		if s != primera {
			t.Error(cmp.Diff(primera, s))
		}
	}
}

func TestPasosDeLlamada(t *testing.T) {
	as := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", ""), "catalogos/b.oracle": medidaSobre("d.b", "uno", "")}
	const ev = `{"uno":[{"x":1},{"x":2}]}`
	p, _ := as.en(t, host.Opciones{})
	total := int64(0)
	for _, m := range juzgar(t, p, ev).Medidas {
		total += m.Veredicto.Pasos
	}
	p, _ = as.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{PasosDeLlamada: total}})
	juzgar(t, p, ev)
	p, _ = as.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{PasosDeLlamada: total - 1}})
	_, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: ev})
	if want := fmt.Sprintf("LIMITE_DE_ALGEBRA — pasos_de_llamada: se observó %d y el límite activo es %d.", total, total-1); err == nil || !strings.HasPrefix(err.Error(), want+"\ncampo: $.evidencia, $.ids\ncorrección: ") {
		t.Errorf("%v", err)
	}
}

// TestLimiteDeUnaMedida: a limit in one sends it to no_juzgaron, and the rest
// go on.
func TestLimiteDeUnaMedida(t *testing.T) {
	p, _ := archivos{
		"catalogos/a.oracle": medidaSobre("d.a", "uno", ""),
		"catalogos/b.oracle": strings.Replace(medidaSobre("d.b", "uno", ""), "    de uno f\n", "    de uno f\n    unir uno g\n", 1),
	}.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{ProductoCartesiano: 3}})
	r := juzgar(t, p, `{"uno":[{"x":0},{"x":0}]}`)
	if r.OK || len(r.Medidas) != 1 || len(r.NoJuzgaron) != 1 || !strings.HasPrefix(r.NoJuzgaron[0].Motivo, "producto_cartesiano: ") {
		t.Errorf("%s", r.AppendJSON(nil))
	}
}

func TestAvance(t *testing.T) {
	p, _ := catalogoDePrueba.en(t, host.Opciones{Hilos: 1})
	var vistos []string
	_, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{"uno":[],"dos":[]}`,
		Avance: func(h, t int) { vistos = append(vistos, fmt.Sprintf("%d/%d", h, t)) }})
	if err != nil || strings.Join(vistos, " ") != "1/2 2/2" {
		t.Error(vistos, err)
	}
}

// TestSimultaneas: how many evaluations one call has going is bounded by the
// memory all of them may take.
func TestSimultaneas(t *testing.T) {
	for _, c := range []struct {
		memoria int64
		quiere  int
	}{{0, 8}, {799, 7}, {800, 8}, {2000, 8}, {199, 1}, {200, 2}, {99, 1}, {1, 1}} {
		p, _ := archivos{}.en(t, host.Opciones{Hilos: 8, Memoria: c.memoria, Limites: algebra.LimitesAlgebra{MemoriaDeOperacion: 100}})
		if got := p.Simultaneas(); got != c.quiere {
			t.Errorf("%d bytes: %d at once, want %d", c.memoria, got, c.quiere)
		}
	}
}

// TestJuzgarSueltaLosTestigos: an answer keeps the witnesses it shows, or the
// ones it was asked to, and not the million each measure may have.
func TestJuzgarSueltaLosTestigos(t *testing.T) {
	p, _ := archivos{
		"catalogos/a.oracle": strings.Replace(medidaSobre("d.a", "uno", ""), " f\n", " f\n    unir uno g\n", 1),
	}.en(t, host.Opciones{})
	ev := `{"uno":[{"x":1}` + strings.Repeat(`,{"x":1}`, 99) + `]}`
	for _, c := range []struct{ pedidos, quedan int }{{0, 5}, {4, 5}, {6, 6}, {200, 200}} {
		r, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: ev, Testigos: c.pedidos})
		if err != nil {
			t.Fatal(err)
		}
		v := r.Medidas[0].Veredicto
		if b := v.Bytes(); v.CantidadDeTestigos() != 10_000 || b > int64(256+2*4*c.quedan) {
			t.Errorf("%d asked for: %d witnesses in %d bytes", c.pedidos, v.CantidadDeTestigos(), b)
		}
		if got := string(v.AppendTestigo(nil, c.quedan-1)); got != `{"f":{"x":1},"g":{"x":1}}` {
			t.Errorf("%d asked for: the last is %s", c.pedidos, got)
		}
	}
}
