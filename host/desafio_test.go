package host_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
	"github.com/oracle-mcp/oracle-mcp/host"
)

func desafiar(t testing.TB, p *host.Proyecto, pedido host.PedidoDesafiar) *host.Desafio {
	t.Helper()
	pedido.SoloObjetos = true
	d, err := p.Desafiar(context.Background(), pedido)
	if err != nil {
		t.Fatal(err)
	}
	cierra(t, d)
	return d
}

// cierra fails unless the counts of a challenge close and its conclusion is the
// one they say.
func cierra(t testing.TB, d *host.Desafio) {
	t.Helper()
	m, c := d.Mutacion, d.Casos
	sobreviven, rechazados := 0, 0
	for _, n := range m.NoDetectados {
		switch n.Estado {
		case "sobrevivio":
			sobreviven++
		case "rechazado_por_el_algebra":
			rechazados++
		default:
			t.Errorf("%s is %q", n.ID, n.Estado)
		}
	}
	if m.Generados != m.Detectados+m.Rechazados+sobreviven || m.Rechazados != rechazados || m.Sobrevivientes() != sobreviven {
		t.Errorf("%d generated, %d detected, %d rejected, %d survived", m.Generados, m.Detectados, m.Rechazados, sobreviven)
	}
	if c.Total != c.DelProyecto+c.Efimeros || c.Total != c.EsperanVerde+c.EsperanRojo {
		t.Errorf("%+v", c)
	}
	var quiere host.Conclusion
	switch {
	case len(d.Discordancias) > 0:
		quiere = host.OriginalNoReproduce
	case c.EsperanVerde == 0 || c.EsperanRojo == 0:
		quiere = host.FaltanPolaridades
	case m.Generados == 0:
		quiere = host.SinMutantes
	case sobreviven > 0:
		quiere = host.Sobrevivientes
	case rechazados > 0:
		quiere = host.SinSobrevivientesConRechazos
	default:
		quiere = host.TodosDetectadosPorConducta
	}
	if d.Conclusion != quiere {
		t.Errorf("%s; its counts say %s", d.Conclusion, quiere)
	}
	if (quiere == host.OriginalNoReproduce || quiere == host.FaltanPolaridades) && m.Generados+len(m.NoDetectados) > 0 {
		t.Errorf("%s, and it mutated", quiere)
	}
}

func efimero(id string, espera algebra.Estado, evidencia string) host.CasoEfimero {
	return host.CasoEfimero{ID: id, Espera: espera, Evidencia: evidencia}
}

// conTexto is a measure one of whose mutants compares a text with a number.
const conTexto = `medida d.t:
    de uno f
    donde f.x > 0 y f.t == "a"
    resumen contar(1)
    umbral <= 0 porque "ninguna"
    requiere uno
    alcance "nada más"
`

func TestConclusiones(t *testing.T) {
	rojoYVerde := []host.CasoEfimero{efimero("r", algebra.Rojo, `{"uno":[{"x":1}]}`), efimero("v", algebra.Verde, `{"uno":[{"x":0}]}`)}
	fijan := []host.CasoEfimero{
		efimero("r", algebra.Rojo, `{"uno":[{"x":1,"t":"a"}]}`),
		efimero("v1", algebra.Verde, `{"uno":[{"x":0,"t":"a"}]}`),
		efimero("v2", algebra.Verde, `{"uno":[{"x":1,"t":"b"}]}`),
		efimero("s", algebra.SinEvidencia, `{"uno":[]}`),
	}
	casos := []struct {
		nombre, texto string
		casos         []host.CasoEfimero
		quiere        host.Conclusion
		detectados    int
		noDetectados  []string // id and state
	}{
		{"no cases", medidaSobre("d.a", "uno", ""), nil, host.FaltanPolaridades, 0, nil},
		{"one polarity", medidaSobre("d.a", "uno", ""), rojoYVerde[:1], host.FaltanPolaridades, 0, nil},
		{"the other", medidaSobre("d.a", "uno", ""), rojoYVerde[1:], host.FaltanPolaridades, 0, nil},
		{"without evidence is not green", conTexto, []host.CasoEfimero{fijan[1], fijan[3]}, host.Sobrevivientes, 7, []string{
			"aflojar_umbral sobrevivio", "aflojar_cota_superior sobrevivio", "vaciar_tuberia_si_cero_aprueba sobrevivio",
			"alejar_limite_de_defecto sobrevivio", "expresion:comparador@2.2.1.2:==→!= sobrevivio", "agregado:3.1:contar→suma(0) sobrevivio",
			"campo:2.2.1.1.1.2:x→t rechazado_por_el_algebra", "campo:2.2.1.2.1.2:t→x rechazado_por_el_algebra"}},
		{"not reproduced", medidaSobre("d.a", "uno", ""), append(slices.Clone(rojoYVerde), efimero("x", algebra.Verde, `{"uno":[{"x":3}]}`)), host.OriginalNoReproduce, 0, nil},
		{"survivors", medidaSobre("d.a", "uno", ""), []host.CasoEfimero{efimero("r", algebra.Rojo, `{"uno":[{"x":5},{"x":6}]}`), rojoYVerde[1]}, host.Sobrevivientes, 6, []string{
			"aflojar_umbral sobrevivio", "aflojar_cota_superior sobrevivio", "alejar_limite_de_defecto sobrevivio"}},
		{"rejections", conTexto, fijan, host.SinSobrevivientesConRechazos, 13, []string{
			"campo:2.2.1.1.1.2:x→t rechazado_por_el_algebra", "campo:2.2.1.2.1.2:t→x rechazado_por_el_algebra"}},
		// Without «requiere» the first case raises and the second is noticed.
		{"rejected in one and detected in another", conTexto, append([]host.CasoEfimero{efimero("nada", algebra.SinEvidencia, `{}`)}, fijan...), host.SinSobrevivientesConRechazos, 13, []string{
			"campo:2.2.1.1.1.2:x→t rechazado_por_el_algebra", "campo:2.2.1.2.1.2:t→x rechazado_por_el_algebra"}},
		{"rejected where the other would notice", conTexto, append([]host.CasoEfimero{efimero("nada", algebra.SinEvidencia, `{}`)}, fijan[:3]...), host.SinSobrevivientesConRechazos, 11, []string{
			"quitar_requiere rechazado_por_el_algebra", "quitar_requisitos_de_evidencia rechazado_por_el_algebra",
			"campo:2.2.1.1.1.2:x→t rechazado_por_el_algebra", "campo:2.2.1.2.1.2:t→x rechazado_por_el_algebra"}},
		{"all", medidaSobre("d.a", "uno", ""), rojoYVerde, host.TodosDetectadosPorConducta, 9, nil},
	}
	p, _ := archivos{}.en(t, host.Opciones{})
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(c.texto)}, Casos: c.casos})
			var no []string
			for _, n := range d.Mutacion.NoDetectados {
				no = append(no, n.ID+" "+n.Estado)
				if n.Cambio == "" || n.Forma().Igual(d.Medida.Canonica()) {
					t.Errorf("%s: %q", n.ID, n.Cambio)
				}
			}
			if d.Conclusion != c.quiere || d.Mutacion.Detectados != c.detectados || !slices.Equal(no, c.noDetectados) {
				t.Errorf("%s, %d detected, and not\n%s", d.Conclusion, d.Mutacion.Detectados, strings.Join(no, "\n"))
			}
		})
	}
}

// A measure whose value is not a number is challenged like any other.
func TestDesafiarTextos(t *testing.T) {
	p, _ := archivos{}.en(t, host.Opciones{})
	texto := strings.Replace(medidaSobre("d.a", "uno", ""), "contar(1)\n    umbral <= 0", "max(f.t)\n    umbral == \"b\"", 1)
	d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(texto)}, Casos: []host.CasoEfimero{
		efimero("v", algebra.Verde, `{"uno":[{"x":1,"t":"b"},{"x":1,"t":"a"}]}`), efimero("r", algebra.Rojo, `{"uno":[{"x":1,"t":"a"}]}`),
	}})
	if d.Mutacion.Generados == 0 || d.Mutacion.Detectados == 0 {
		t.Errorf("%s", d.AppendJSON(nil))
	}
}

func TestDiscordancias(t *testing.T) {
	p, _ := archivos{
		"corpus/1.caso": caso("c-1", "d.t", "falso_verde", "        uno: x, t\n            0, \"a\"\n"),
		"corpus/2.caso": caso("c-2", "d.t", "verde_correcto", "        uno: x, t\n            null, \"a\"\n"),
		"corpus/3.caso": caso("c-3", "d.t", "falso_rojo", "        uno:\n"),
		"corpus/4.caso": caso("c-4", "d.otra", "falso_rojo", "        uno:\n"),
	}.en(t, host.Opciones{})
	d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(conTexto)}, Casos: []host.CasoEfimero{
		efimero("e-1", algebra.SinEvidencia, `{"uno":[{"x":1,"t":"a"}]}`),
		efimero("e-2", algebra.Verde, `{"uno":[]}`),
		efimero("e-3", algebra.Rojo, `{"uno":[{"x":"a","t":"a"}]}`),
		efimero("e-4", algebra.Rojo, `{"uno":[]}`),
		efimero("e-5", algebra.Rojo, `{"uno":[{"x":1,"t":"a"}]}`),
		efimero("e-6", algebra.SinEvidencia, `{"uno":[{"x":0,"t":"a"}]}`),
	}})
	quiere := []host.Discordancia{
		{"c-1", algebra.Rojo, "verde"}, {"c-2", algebra.Verde, "error"},
		{"e-1", algebra.Rojo, "rojo"}, {"e-2", algebra.Verde, "sin_evidencia"}, {"e-3", algebra.Rojo, "error"},
		{"e-4", algebra.Rojo, "sin_evidencia"}, {"e-6", algebra.Rojo, "verde"},
	}
	if d2 := cmp.Diff(quiere, d.Discordancias); d2 != "" || d.Conclusion != host.OriginalNoReproduce {
		t.Error(d.Conclusion, d2)
	}
	if want := (host.CuentaDeCasos{Total: 9, DelProyecto: 3, Efimeros: 6, EsperanVerde: 2, EsperanRojo: 7}); d.Casos != want {
		t.Errorf("%+v", d.Casos)
	}
	todas := strings.Join(d.Advertencias, "\n")
	for _, s := range []string{"no demuestra corrección semántica", "sin_evidencia, que en las discordancias se publica como rojo: «e-1», «e-6»",
		"el caso «c-2» dio error: EVIDENCIA_INVALIDA", "el caso «e-3» dio error: familias"} {
		if !strings.Contains(todas, s) {
			t.Errorf("%q is not in\n%s", s, todas)
		}
	}
	if strings.Contains(todas, "ningún caso vino del proyecto") {
		t.Error(todas)
	}
}

func TestDesafiarJSON(t *testing.T) {
	p, dir := archivos{"corpus/1.caso": caso("c-1", "d.a", "falso_verde", "        uno: clave(k); x, k\n            5, \"ñ<\"\n            6.50, \"b\"\n")}.en(t, host.Opciones{})
	d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(medidaSobre("d.a", "uno", ""))}, Casos: []host.CasoEfimero{
		efimero("a", algebra.Verde, `{ "uno" : [ {"x":0 , "k":"z"} ] }`),
	}})
	suma := sha256.Sum256([]byte(`{"casos":[{"espera":"verde","evidencia":{"uno":[{"k":"z","x":0}]},"id":"a"},` +
		`{"espera":"no_verde","evidencia":{"uno":[["clave",["k"]],{"k":"ñ<","x":5},{"k":"b","x":6.5}]},"id":"c-1"}],"medida":` + canonicaDeA + `}`))
	want := `{"esquema":"oracle.mcp/desafio/v1","oracle_version":"0.0.0-prueba","proyecto":"` + dir + `","entrada_sha256":"` + hex.EncodeToString(suma[:]) +
		`","medida":"d.a","conclusion":"sobrevivientes","casos":{"total":2,"del_proyecto":1,"efimeros":1,"esperan_verde":1,"esperan_rojo":1},"discordancias":[],` +
		`"mutacion":{"generados":9,"detectados_por_conducta":6,"rechazados_por_el_algebra":0,"no_detectados":[` +
		`{"id":"aflojar_umbral","cambio":"afloja el umbral al valor siguiente: <= 1 en vez de <= 0","estado":"sobrevivio"},` +
		`{"id":"aflojar_cota_superior","cambio":"sube la cota: <= 1 en vez de <= 0","estado":"sobrevivio"},` +
		`{"id":"alejar_limite_de_defecto","cambio":"en el donde del paso 1, un defecto tiene que ser mayor para contar: f.x > 1 en vez de f.x > 0","estado":"sobrevivio"}]},` +
		`"advertencias":["la mutación no demuestra corrección semántica: dice qué cambios de la medida distinguen estos casos, y nada más"]}`
	if d := cmp.Diff(want, string(d.AppendJSON(nil))); d != "" {
		t.Error(d)
	}
	sin := desafiar(t, p, host.PedidoDesafiar{SinProyecto: true, Medida: host.Candidata{Texto: []byte(medidaSobre("d.a", "uno", ""))}})
	if sin.Casos.Total != 0 || sin.Conclusion != host.FaltanPolaridades || len(sin.Advertencias) != 2 {
		t.Errorf("%s", sin.AppendJSON(nil))
	}
}

// TestFirmaDeLoQueNoSeLee: evidence of the project that is no evidence is
// signed as well.
func TestFirmaDeLoQueNoSeLee(t *testing.T) {
	firmas := map[string]bool{}
	for _, filas := range []string{"null", "[]", "1"} {
		p, _ := archivos{"corpus/1.caso": caso("c-1", "d.a", "falso_verde", "        uno: x\n            "+filas+"\n")}.en(t, host.Opciones{})
		firmas[desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(medidaSobre("d.a", "uno", ""))}}).EntradaSHA256] = true
	}
	if len(firmas) != 3 {
		t.Errorf("%d fingerprints", len(firmas))
	}
}

func TestRechazosAlDesafiar(t *testing.T) {
	texto := host.Candidata{Texto: []byte(medidaSobre("d.a", "uno", ""))}
	uno := caso("c-1", "d.a", "falso_verde", "        uno:\n")
	casos := []struct {
		nombre  string
		as      archivos
		pedido  host.PedidoDesafiar
		codigo  host.Codigo
		mensaje string
	}{
		{"two of the call", nil, host.PedidoDesafiar{Medida: texto, Casos: []host.CasoEfimero{efimero("a", algebra.Rojo, `{}`), efimero("a", algebra.Verde, `{}`)}},
			host.CasoRepetido, "«a» aparece en $.casos[0] y $.casos[1]; ninguno tiene precedencia."},
		{"the call and the corpus", archivos{"corpus/x/1.caso": uno}, host.PedidoDesafiar{Medida: texto, Casos: []host.CasoEfimero{efimero("c-1", algebra.Rojo, `{}`)}},
			host.CasoRepetido, "«c-1» aparece en corpus/x/1.caso y la llamada; ninguno tiene precedencia."},
		{"two of the corpus", archivos{"corpus/1.caso": uno, "corpus/2.caso": uno}, host.PedidoDesafiar{Medida: texto}, host.CasoRepetido, "corpus/1.caso y corpus/2.caso"},
		{"a case that does not read", archivos{"corpus/1.caso": "caso 1:\n"}, host.PedidoDesafiar{Medida: texto}, host.ProyectoInvalido, ": corpus/1.caso: línea 2, columna 1: "},
		{"a differential that does not read", archivos{"diferencial/1.json": "{}"}, host.PedidoDesafiar{Medida: texto}, host.ProyectoInvalido, ": diferencial/1.json: "},
		{"evidence of the second case", nil, host.PedidoDesafiar{Medida: texto, Casos: []host.CasoEfimero{efimero("a", algebra.Rojo, `{}`), efimero("b", algebra.Rojo, `{"z":[{"x":1},{"x":null}]}`)}},
			host.EvidenciaInvalida, "$.casos[1].evidencia.z[1]: "},
		{"a key in the evidence", nil, host.PedidoDesafiar{Medida: texto, SoloObjetos: true, Casos: []host.CasoEfimero{efimero("a", algebra.Rojo, `{"uno":[["clave",["x"]]]}`)}},
			host.EvidenciaInvalida, "$.casos[0].evidencia.uno"},
		{"rows over the limit", nil, host.PedidoDesafiar{Medida: texto, Casos: []host.CasoEfimero{efimero("a", algebra.Rojo, `{"uno":[`+strings.Repeat(`{},`, 100_000)+`{}]}`)}},
			host.LimiteDeAlgebra, "filas_por_relacion"},
		{"unknown", nil, host.PedidoDesafiar{Medida: host.Candidata{ID: "d.no"}}, host.MedidaDesconocida, "«d.no»"},
		{"a text that does not read", nil, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte("medida d.a\n")}}, host.MedidaInvalida, "línea 1"},
		{"a measure before a case", archivos{"corpus/1.caso": "caso 1:\n"}, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte("medida d.a\n")}}, host.MedidaInvalida, "línea 1"},
		{"a broken catalog", archivos{"catalogos/b.oracle": "medida"}, host.PedidoDesafiar{Medida: host.Candidata{ID: "d.a"}}, host.CatalogoInvalido, "catalogos/b.oracle"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := c.as.con(nil).en(t, host.Opciones{})
			_, err := p.Desafiar(context.Background(), c.pedido)
			exigir(t, err, c.codigo, c.mensaje)
		})
	}
	// By text the catalog does not count, unless a differential speaks of it.
	p, _ := archivos{"catalogos/b.oracle": "medida"}.en(t, host.Opciones{})
	desafiar(t, p, host.PedidoDesafiar{Medida: texto})
}

func TestDesafiarConDiferenciales(t *testing.T) {
	as := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")})
	p, dir := as.en(t, host.Opciones{})
	archivos{"diferencial/x.json": grupos(frescura(t, ".")), "diferencial/sub/y.json": escenarios(frescura(t, "."))}.sembrar(t, dir)
	for _, c := range []host.Candidata{{ID: "d.a"}, {Texto: []byte(medidaSobre("d.a", "uno", ""))}} {
		d := desafiar(t, p, host.PedidoDesafiar{Medida: c})
		if d.Conclusion != host.Sobrevivientes || d.Casos.DelProyecto != 4 || len(d.Mutacion.NoDetectados) != 1 {
			t.Errorf("%s", d.AppendJSON(nil))
		}
	}
	_, err := p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{ID: "d.a"}, Casos: []host.CasoEfimero{efimero("sub/y.json#e1", algebra.Rojo, `{}`)}})
	exigir(t, err, host.CasoRepetido, "«sub/y.json#e1» aparece en diferencial/sub/y.json y la llamada")

	// A candidate is not what the differential was obtained from, and may
	// disagree with it.
	otra := strings.Replace(medidaSobre("d.a", "uno", ""), "<= 0", "<= 1", 1)
	if d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(otra)}}); d.Conclusion != host.OriginalNoReproduce {
		t.Errorf("%s", d.AppendJSON(nil))
	}
	archivos{"catalogos/a.oracle": otra}.sembrar(t, dir)
	_, err = p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{ID: "d.a"}})
	exigir(t, err, host.ProyectoInvalido, "diferencial/sub/y.json: está vencido: la huella del catálogo no coincide")
	archivos{"catalogos/a.oracle": "medida"}.sembrar(t, dir)
	_, err = p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(otra)}})
	exigir(t, err, host.CatalogoInvalido, "catalogos/a.oracle")
	desafiar(t, p, host.PedidoDesafiar{SinProyecto: true, Medida: host.Candidata{Texto: []byte(otra)}})
}

// losProyectos challenges every effective measure of the example projects.
func losProyectos(t *testing.T, op host.Opciones, ver func(d *host.Desafio)) {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join(casa.Raiz(t), "fixtures", "proyectos", "*", host.DirCatalogos))
	if err != nil || len(dirs) < 3 {
		t.Fatal(dirs, err)
	}
	for _, dir := range dirs {
		p, err := host.Abrir(filepath.Dir(dir), op)
		if err != nil {
			t.Fatal(err)
		}
		c, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		if err != nil {
			t.Fatal(dir, err)
		}
		for _, m := range c.Medidas {
			ver(desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{ID: m.ID()}}))
		}
		p.Close()
	}
}

func TestDesafiarIgualConCualquierCantidadDeHilos(t *testing.T) {
	var primera []string
	for _, hilos := range []int{1, 2, 8} {
		var todas []string
		losProyectos(t, host.Opciones{Hilos: hilos}, func(d *host.Desafio) { todas = append(todas, string(d.AppendJSON(nil))) })
		if primera == nil {
			primera = todas
		}
		if d := cmp.Diff(primera, todas); d != "" {
			t.Error(d)
		}
	}
	if len(primera) < 20 {
		t.Errorf("%d measures", len(primera))
	}
}

// muchas is the JSON of so many rows with x from 0 to 6.
func muchas(n int) string {
	var b strings.Builder
	b.WriteString(`{"uno":[`)
	for i := range n {
		fmt.Fprintf(&b, `{"x":%d,"t":"a"},`, i%7)
	}
	return strings.TrimSuffix(b.String(), ",") + `]}`
}

// TestPasosDeLlamadaAlDesafiar: the budget of the call is exact, and the same
// in any number of goroutines.
func TestPasosDeLlamadaAlDesafiar(t *testing.T) {
	pedido := host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(conTexto)}, Casos: []host.CasoEfimero{
		efimero("r", algebra.Rojo, muchas(50)), efimero("r2", algebra.Rojo, muchas(30)), efimero("v", algebra.Verde, `{"uno":[{"x":0,"t":"a"}]}`),
	}}
	minimo := func(hilos int) int64 {
		bajo, alto := int64(1), int64(1)<<20 // fails at bajo
		for alto-bajo > 1 {
			medio := (bajo + alto) / 2
			p, _ := archivos{}.en(t, host.Opciones{Hilos: hilos, Limites: algebra.LimitesAlgebra{PasosDeLlamada: medio}})
			_, err := p.Desafiar(context.Background(), pedido)
			if err == nil {
				alto = medio
				continue
			}
			exigir(t, err, host.LimiteDeAlgebra, fmt.Sprintf("pasos_de_llamada: se observó %d y el límite activo es %d.", medio+1, medio))
			bajo = medio
		}
		return alto
	}
	uno := minimo(1)
	if cuatro := minimo(4); cuatro != uno || uno < 100 {
		t.Errorf("%d steps alone, %d in four", uno, cuatro)
	}
}

// A limit is an error in the measure itself and a rejection in a mutant.
func TestLimitesAlDesafiar(t *testing.T) {
	producto := strings.Replace(medidaSobre("d.a", "uno", ""), "    de uno f\n    donde f.x > 0\n", "    de uno f\n    unir dos g\n    donde f.x == g.y\n    donde f.x > 0\n", 1)
	casos := []host.CasoEfimero{
		efimero("r", algebra.Rojo, `{"uno":[{"x":1},{"x":0}],"dos":[{"y":1},{"y":2}]}`),
		efimero("v", algebra.Verde, `{"uno":[{"x":0}],"dos":[{"y":0}]}`),
	}
	correr := func(limite int64) *host.Desafio {
		p, _ := archivos{}.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{ProductoCartesiano: limite}})
		return desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(producto)}, Casos: casos})
	}
	// By key one pair comes out; without the filter, four.
	sobra, justo := correr(4), correr(3)
	if sobra.Mutacion.Rechazados >= justo.Mutacion.Rechazados || justo.Mutacion.Rechazados == 0 {
		t.Errorf("%d rejected with room, %d without", sobra.Mutacion.Rechazados, justo.Mutacion.Rechazados)
	}
	p, _ := archivos{}.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{PasosDeOperacion: 2}})
	d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(producto)}, Casos: casos})
	if len(d.Discordancias) != 2 || d.Discordancias[0].Obtenido != "error" {
		t.Errorf("%s", d.AppendJSON(nil))
	}
}

// TestMutanteQueNoCarga: one deeper than the limit is a rejection in every case.
func TestMutanteQueNoCarga(t *testing.T) {
	p, _ := archivos{
		"catalogos/a.oracle": medidaSobre("d.a", "uno", ""),
		"corpus/1.caso":      caso("c-1", "d.a", "falso_verde", "        uno: x\n            1\n"),
		"corpus/2.caso":      caso("c-2", "d.a", "verde_correcto", "        uno: x\n            0\n"),
	}.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{ProfundidadExpresion: 2}})
	d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{ID: "d.a"}})
	if n := d.Mutacion.NoDetectados; len(n) != 1 || n[0].ID != "negar_filtro" || n[0].Estado != "rechazado_por_el_algebra" || d.Mutacion.Detectados != 8 {
		t.Errorf("%s", d.AppendJSON(nil))
	}
}

// TestMutantesDeMas: how many mutants a text may ask for is bounded.
func TestMutantesDeMas(t *testing.T) {
	var b strings.Builder
	for i := range 1500 {
		fmt.Fprintf(&b, " o f.c%d > 0", i)
	}
	texto := strings.Replace(medidaSobre("d.a", "uno", ""), "f.x > 0", "f.x > 0"+b.String(), 1)
	p, _ := archivos{}.en(t, host.Opciones{})
	_, err := p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(texto)}, Casos: []host.CasoEfimero{
		efimero("r", algebra.SinEvidencia, `{"uno":[]}`), efimero("v", algebra.Verde, `{"uno":[]}`)}})
	if err != nil {
		t.Fatal(err) // not reproduced: it does not get to mutate
	}
	texto = strings.Replace(texto, "    alcance", "    requiere dos\n    alcance", 1)
	_, err = p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(texto)}, Casos: []host.CasoEfimero{
		efimero("s", algebra.SinEvidencia, `{"uno":[]}`), efimero("v", algebra.Verde, `{"uno":[],"dos":[{}]}`)}})
	exigir(t, err, host.LimiteDeAlgebra, "pasos_de_llamada")
}

// TestSinLugarParaGuardar: with no room to keep evidence and verdicts they are
// obtained again, and nothing changes.
func TestSinLugarParaGuardar(t *testing.T) {
	as := archivos{"catalogos/a.oracle": conTexto}
	for i := range 12 {
		filas := ""
		for k := range 300 {
			filas += fmt.Sprintf("            %d, \"a\"\n", min(i, (i+k)%7))
		}
		etiqueta := "falso_verde"
		if i == 0 {
			etiqueta = "verde_correcto"
		}
		as[fmt.Sprintf("corpus/%d.caso", i)] = caso(fmt.Sprintf("c-%d", i), "d.t", etiqueta, "        uno: x, t\n"+filas)
	}
	raiz := map[int64]string{}
	for _, memoria := range []int64{0, 200_000, 40_000} {
		p, dir := as.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{MemoriaDeOperacion: memoria}})
		d := desafiar(t, p, host.PedidoDesafiar{Medida: host.Candidata{ID: "d.t"}})
		if d.Mutacion.Generados == 0 {
			t.Fatalf("%s", d.AppendJSON(nil))
		}
		raiz[memoria] = strings.ReplaceAll(string(d.AppendJSON(nil)), dir, "RAIZ")
	}
	if raiz[0] != raiz[200_000] || raiz[0] != raiz[40_000] {
		t.Error(cmp.Diff(raiz[0], raiz[40_000]))
	}
}

func TestAvanceAlDesafiar(t *testing.T) {
	p, _ := archivos{}.en(t, host.Opciones{Hilos: 3})
	var m sync.Mutex
	vistos := map[int]bool{}
	total := 0
	d, err := p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(conTexto)},
		Casos: []host.CasoEfimero{efimero("r", algebra.Rojo, muchas(8)), efimero("v", algebra.Verde, `{"uno":[{"x":0,"t":"a"}]}`)},
		Avance: func(h, n int) {
			m.Lock()
			defer m.Unlock()
			vistos[h], total = true, n
		}})
	if err != nil {
		t.Fatal(err)
	}
	if total != d.Mutacion.Generados || len(vistos) != total || !vistos[1] || !vistos[total] {
		t.Errorf("%v of %d", vistos, total)
	}
}

func TestCancelarUnDesafio(t *testing.T) {
	p, _ := archivos{}.en(t, host.Opciones{Hilos: 2})
	ctx, parar := context.WithCancel(context.Background())
	_, err := p.Desafiar(ctx, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(conTexto)},
		Casos:  []host.CasoEfimero{efimero("r", algebra.Rojo, muchas(20)), efimero("v", algebra.Verde, `{"uno":[{"x":0,"t":"a"}]}`)},
		Avance: func(int, int) { parar() }})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestDesafiarMientrasCambia(t *testing.T) {
	var dir string
	p, d := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", ""), "corpus/1.caso": caso("c-1", "d.a", "falso_verde", "        uno:\n")}.en(t, host.Opciones{
		EntreFirmas: func() { os.Remove(filepath.Join(dir, "corpus/1.caso")) }})
	dir = d
	_, err := p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{ID: "d.a"}})
	exigir(t, err, host.ProyectoCambio)
}

// BenchmarkDesafio: sixty-odd mutants over 200 cases of 1,000 rows.
func BenchmarkDesafio(b *testing.B) {
	p, _ := archivos{}.en(b, host.Opciones{})
	pedido := desafioGrande()
	for b.Loop() {
		d, err := p.Desafiar(context.Background(), pedido)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(d.Mutacion.Generados), "mutantes")
		b.ReportMetric(float64(len(d.Mutacion.NoDetectados)), "no_detectados")
	}
}

// BenchmarkCancelarUnDesafio: from the cancellation to the return, in the middle
// of a product of a million pairs and of the mutants of a challenge.
func BenchmarkCancelarUnDesafio(b *testing.B) {
	p, _ := archivos{}.en(b, host.Opciones{})
	pares := strings.Replace(medidaSobre("d.a", "uno", ""), "    de uno f\n    donde f.x > 0\n", "    de uno f\n    unir uno g\n    donde f.x + g.x > 3 y f.x < 7\n", 1)
	casos := []host.CasoEfimero{efimero("r", algebra.Rojo, muchas(1000)), efimero("v", algebra.Verde, `{"uno":[{"x":0}]}`)}
	var espera time.Duration
	for b.Loop() {
		ctx, parar := context.WithCancel(context.Background())
		var desde time.Time
		var una sync.Once
		_, err := p.Desafiar(ctx, host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(pares)}, Casos: casos, Avance: func(int, int) {
			una.Do(func() { desde = time.Now(); parar() })
		}})
		espera = max(espera, time.Since(desde))
		if !errors.Is(err, context.Canceled) {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(espera.Microseconds())/1000, "ms-la-peor")
}

// desafioGrande is the challenge whose time is promised.
func desafioGrande() host.PedidoDesafiar {
	texto := strings.Replace(medidaSobre("d.a", "uno", ""), "f.x > 0",
		`f.x > 3 y f.y < 900 y f.y != f.z y (f.z >= 10 o f.w != 7) y f.v <= 5 y no f.t == "b"`, 1)
	var casos []host.CasoEfimero
	for c := range 200 {
		var b strings.Builder
		b.WriteString(`{"uno":[`)
		for i := range 1000 {
			x, coma := (i*7+c)%11, ","
			if c%2 == 0 {
				x %= 3
			}
			if i == 999 {
				coma = ""
			}
			fmt.Fprintf(&b, `{"x":%d,"y":%d,"z":%d,"w":%d,"v":%d,"t":"%c"}%s`, x, i, i%40, i%9, i%13, 'a'+i%3, coma)
		}
		espera := algebra.Rojo
		if c%2 == 0 {
			espera = algebra.Verde
		}
		casos = append(casos, efimero(fmt.Sprint(c), espera, b.String()+`]}`))
	}
	return host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(texto)}, Casos: casos}
}

// cajaRota has one scalar, which breaks with a number over a hundred.
type cajaRota struct{}

func (cajaRota) Close() error { return nil }

func (cajaRota) Buscar(nombre string) *algebra.Escalar {
	if nombre != "rompe" {
		return nil
	}
	return &algebra.Escalar{Nombre: nombre, Min: 1, Max: 1, Aplicar: func(_ *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
		for i := range args[0].Largo() {
			if x, ok := args[0].Valor(i).(algebra.Entero); ok && x.Bits() > 6 {
				panic("rota")
			}
		}
		return args[0]
	}}
}

// TestUnaFallaPropiaNoEsRechazo: a panic inside is nobody's rejection nor any
// case's error: the challenge fails.
func TestUnaFallaPropiaNoEsRechazo(t *testing.T) {
	p, _ := archivos{host.ArchivoEscalares: "x"}.en(t, host.Opciones{Caja: func(context.Context, string, []byte, algebra.LimitesAlgebra) (host.CajaAbierta, error) {
		return cajaRota{}, nil
	}})
	texto := strings.Replace(medidaSobre("d.a", "uno", ""), "f.x > 0", "f.x > 0 y rompe(f.y) > 0", 1)
	verde := efimero("v", algebra.Verde, `{"uno":[{"x":0,"y":1}]}`)
	pedir := func(roja string) error {
		_, err := p.Desafiar(context.Background(), host.PedidoDesafiar{Medida: host.Candidata{Texto: []byte(texto)}, Casos: []host.CasoEfimero{efimero("r", algebra.Rojo, roja), verde}})
		return err
	}
	if err := pedir(`{"uno":[{"x":1,"y":1}]}`); err != nil {
		t.Fatal(err)
	}
	// Only the mutant that reads x in the place of y breaks.
	for _, roja := range []string{`{"uno":[{"x":500,"y":1}]}`, `{"uno":[{"x":1,"y":500}]}`} {
		exigir(t, pedir(roja), host.EvaluacionFallo, "error_interno")
	}
}
