package host_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
)

const verdeSiVacia = `medida d.vacia:
    de pieza p
    donde p.x > 0
    resumen contar(1)
    umbral <= 0 segun contrato porque "ninguna"
    alcance "no ve nada más"
`

const conRequiere = `medida d.requiere:
    de pieza p
    sin excepcion e donde e.id == p.id
    resumen contar(1)
    umbral <= 0 porque "ninguna"
    requiere zona
    alcance "no ve nada más"
`

func pedidoDeTexto(texto, evidencia string) host.PedidoEvaluar {
	return host.PedidoEvaluar{Medida: host.Candidata{Texto: []byte(texto)}, Evidencia: evidencia, SoloObjetos: true}
}

func pedidoDeID(id, evidencia string) host.PedidoEvaluar {
	return host.PedidoEvaluar{Medida: host.Candidata{ID: id}, Evidencia: evidencia, SoloObjetos: true}
}

func evaluar(t *testing.T, p *host.Proyecto, pedido host.PedidoEvaluar) *host.Evaluacion {
	t.Helper()
	e, err := p.Evaluar(context.Background(), pedido)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func TestEvaluarPorTexto(t *testing.T) {
	p, dir := archivos{"relaciones/pieza.relacion": "relacion pieza:\n    id: texto\n    x: entero cm\n    alcance \"\"\n"}.en(t, host.Opciones{})
	e := evaluar(t, p, pedidoDeTexto(verdeSiVacia, `{"pieza":[{"x":1,"id":"b"},{"x":2},{"x":3},{"x":4},{"x":5},{"x":6.50}]}`))
	const canonica = `["medida","d.vacia",["desde",["de","pieza","p"],["donde",[">",["campo","p","x"],0]]],["resumen","contar",1],["umbral","<=",0,"ninguna","contrato"],["alcance","no ve nada más"]]`
	suma := sha256.Sum256([]byte(`{"evidencia":{"pieza":[{"id":"b","x":1},{"x":2},{"x":3},{"x":4},{"x":5},{"x":6.5}]},"medida":` + canonica + `}`))
	want := `{"esquema":"oracle.mcp/evaluacion/v2","oracle_version":"0.0.0-prueba","proyecto":"` + dir + `","entrada_sha256":"` + hex.EncodeToString(suma[:]) +
		`","medida":"d.vacia","estado":"rojo","valor":6,"umbral":{"operador":"<=","valor":0,"segun":"contrato","porque":"ninguna"},"sombra":null,` +
		`"testigos":[{"p":{"id":"b","x":1}},{"p":{"x":2}},{"p":{"x":3}},{"p":{"x":4}},{"p":{"x":5}}],"testigos_omitidos":1,"alcance":"no ve nada más",` +
		`"alcance_derivado":["p (pieza): no lee id"],"advertencias":[]}`
	if d := cmp.Diff(want, string(e.AppendJSON(nil))); d != "" {
		t.Error(d)
	}
}

func TestEvaluarTresEstados(t *testing.T) {
	p, _ := archivos{}.en(t, host.Opciones{})
	for _, c := range []struct {
		texto, evidencia string
		estado           algebra.Estado
		advertencias     int // besides the one of no declared relations
	}{
		{verdeSiVacia, `{"pieza":[{"x":0}]}`, algebra.Verde, 0},
		{verdeSiVacia, `{"pieza":[]}`, algebra.Verde, 1},
		{verdeSiVacia, `{"pieza":[{"x":1}]}`, algebra.Rojo, 0},
		{conRequiere, `{"pieza":[{"id":1}],"excepcion":[{"id":1}],"zona":[{}]}`, algebra.Verde, 0},
		{conRequiere, `{"pieza":[{"id":1}],"excepcion":[],"zona":[{}]}`, algebra.Rojo, 1},
		{conRequiere, `{"pieza":[{"id":1}],"excepcion":[{"id":1}],"zona":[]}`, algebra.SinEvidencia, 0},
		{conRequiere, `{"pieza":[{"id":1}]}`, algebra.SinEvidencia, 1},
		{conRequiere, `{}`, algebra.SinEvidencia, 2},
	} {
		e := evaluar(t, p, pedidoDeTexto(c.texto, c.evidencia))
		if e.Juicio.Veredicto.Estado != c.estado || len(e.Advertencias) != c.advertencias+1 {
			t.Errorf("%s: %s %q", c.evidencia, e.Juicio.Veredicto.Estado, e.Advertencias)
		}
	}
}

func TestSombra(t *testing.T) {
	p, _ := archivos{
		"catalogos/a.oracle": verdeSiVacia,
		"oracle.json":        `{"esquema":"oracle.proyecto/v1","sombra":{"d.vacia":{"desde":"2026-01-01","porque":"deuda","cota":2}}}`,
	}.en(t, host.Opciones{})
	for _, c := range []struct{ evidencia, sombra string }{
		{`{"pieza":[{"x":1},{"x":1}]}`, `"cota":2,"perdona":true}`},
		{`{"pieza":[{"x":1},{"x":1},{"x":1}]}`, `"cota":2,"perdona":false}`},
		{`{"pieza":[]}`, `"cota":2,"perdona":false}`},
	} {
		s := string(evaluar(t, p, pedidoDeID("d.vacia", c.evidencia)).AppendJSON(nil))
		if !strings.Contains(s, `"sombra":{"desde":"2026-01-01","porque":"deuda",`+c.sombra) {
			t.Errorf("%s", s)
		}
	}
	// A candidate by text is not the measure in shadow, whatever its id.
	if s := string(evaluar(t, p, pedidoDeTexto(verdeSiVacia, `{"pieza":[{"x":1}]}`)).AppendJSON(nil)); !strings.Contains(s, `"sombra":null`) {
		t.Error(s)
	}
}

func TestEvaluarRechaza(t *testing.T) {
	p, _ := archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{Limites: algebra.LimitesAlgebra{FilasPorRelacion: 2}})
	const maximo = "medida d.max:\n    de pieza p\n    resumen max(p.id)\n    umbral <= \"z\" porque \"x\"\n    alcance \"y\"\n"
	for _, c := range []struct {
		nombre, exacto string
		pedido         host.PedidoEvaluar
	}{
		{"desconocida", "MEDIDA_DESCONOCIDA — «d.otra» no aparece en las fuentes seleccionadas; consultá oracle_catalogo_efectivo sin ids.", pedidoDeID("d.otra", `{}`)},
		{"relación que no es lista", "EVIDENCIA_INVALIDA — $.evidencia.pieza: ", pedidoDeID("d.vacia", `{"pieza":{}}`)},
		{"fila que no es objeto", "EVIDENCIA_INVALIDA — $.evidencia.pieza[1]: ", pedidoDeID("d.vacia", `{"pieza":[{},7]}`)},
		{"nulo en otra relación", "EVIDENCIA_INVALIDA — $.evidencia.otra[0]: ", pedidoDeID("d.vacia", `{"pieza":[],"otra":[{"a":null}]}`)},
		{"nodo clave", "EVIDENCIA_INVALIDA — $.evidencia.pieza[0]: ", pedidoDeID("d.vacia", `{"pieza":[["clave",["id"]]]}`)},
		{"relación ausente", "EVALUACION_FALLO — relacion_ausente: ", pedidoDeID("d.vacia", `{}`)},
		{"límite", "LIMITE_DE_ALGEBRA — filas_por_relacion: se observó 3 y el límite activo es 2.", pedidoDeID("d.vacia", `{"pieza":[{},{},{}]}`)},
		{"valor que no es número", "EVALUACION_FALLO — valor_no_numerico: ", pedidoDeTexto(maximo, `{"pieza":[{"id":"a"}]}`)},
		{"texto que no se lee", "MEDIDA_INVALIDA — texto: se esperaba ", pedidoDeTexto("medida x:\n", `{}`)},
		{"texto que no carga", "MEDIDA_INVALIDA — texto: ", pedidoDeTexto(strings.Replace(verdeSiVacia, "p.x > 0", "nada(p.x) > 0", 1), `{}`)},
		{"la medida gana a la evidencia", "MEDIDA_INVALIDA — ", pedidoDeTexto("", `[]`)},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := p.Evaluar(context.Background(), c.pedido)
			if err == nil || !strings.HasPrefix(err.Error(), c.exacto) {
				t.Errorf("%v", err)
			}
		})
	}
	libre := pedidoDeTexto(maximo, `{"pieza":[{"id":"a"}]}`)
	libre.ValorLibre = true
	if e := evaluar(t, p, libre); e.Juicio.Veredicto.Valor != algebra.Texto("a") {
		t.Errorf("%v", e.Juicio.Veredicto.Valor)
	}
}

func TestEscalaresQueNoEstan(t *testing.T) {
	conEscalar := strings.Replace(verdeSiVacia, "p.x > 0", "desvio(p.x) > 0", 1)
	for _, c := range []struct {
		nombre   string
		archivos archivos
		codigo   host.Codigo
		contiene string
	}{
		{"sin archivo", archivos{}, host.MedidaInvalida, "desvio"},
		{"sin autorizar", archivos{"escalares.star": "esto no es starlark"}, host.EscalaresNoAutorizadas, "ESCALARES_NO_AUTORIZADAS — escalares.star es código externo; autorizalo en la configuración de arranque del servidor, no en esta llamada."},
		{"python", archivos{"escalares.py": "x"}, host.EscalaresNoAutorizadas, "ESCALARES_NO_AUTORIZADAS — escalares.py es código externo; autorizalo en la configuración de arranque del servidor, no en esta llamada.\ncampo: escalares.py\ncorrección: acá no se ejecuta Python"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := c.archivos.en(t, host.Opciones{})
			_, err := p.Evaluar(context.Background(), pedidoDeTexto(conEscalar, `{"pieza":[]}`))
			exigir(t, err, c.codigo, c.contiene)
			// A measure that does not name it works all the same.
			evaluar(t, p, pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`))
		})
	}
	p, _ := archivos{"escalares.star": "x", "catalogos/a.oracle": verdeSiVacia, "catalogos/b.oracle": strings.Replace(conEscalar, "d.vacia", "d.otra", 1)}.en(t, host.Opciones{})
	_, err := p.Evaluar(context.Background(), pedidoDeID("d.vacia", `{"pieza":[]}`))
	exigir(t, err, host.EscalaresNoAutorizadas)
}

func TestCatalogoInvalido(t *testing.T) {
	malo := strings.Replace(verdeSiVacia, "donde p.x > 0", "donde p.x = 0", 1)
	for _, c := range []struct {
		nombre   string
		archivos archivos
		contiene []string
	}{
		{"sintaxis", archivos{"catalogos/x/b.oracle": malo}, []string{"CATALOGO_INVALIDO — catalogos/x/b.oracle: línea 3, columna 15: ", "No se devolvió un catálogo parcial."}},
		{"JSON", archivos{"catalogos/b.json": `["medida","d.x"]`}, []string{"CATALOGO_INVALIDO — catalogos/b.json: "}},
		{"repetida", archivos{"catalogos/z.oracle": verdeSiVacia}, []string{"«d.vacia»", "catalogos/a.oracle", "catalogos/z.oracle"}},
		{"macro", archivos{"macros/m.oracle": "defmacro x(id):\n"}, []string{"CATALOGO_INVALIDO — macros/m.oracle: "}},
		{"macro que tapa", archivos{"macros/m.json": `["defmacro","ninguno",["id"],[],["medida",["$","id"]]]`}, []string{"CATALOGO_INVALIDO — macros/m.json: ", "ninguno"}},
		{"límite", archivos{"catalogos/b.json": strings.Repeat("[", 500) + strings.Repeat("]", 500)}, []string{"CATALOGO_INVALIDO — catalogos/b.json: profundidad_expresion"}},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := c.archivos.con(archivos{"catalogos/a.oracle": verdeSiVacia}).en(t, host.Opciones{})
			_, err := p.Evaluar(context.Background(), pedidoDeID("d.vacia", `{"pieza":[]}`))
			exigir(t, err, host.CatalogoInvalido, c.contiene...)
		})
	}
	// By text the catalog is not loaded, so a broken one does not matter.
	p, _ := archivos{"catalogos/x/b.oracle": malo}.en(t, host.Opciones{})
	evaluar(t, p, pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`))
}

func TestRelacionesInvalidas(t *testing.T) {
	for nombre, as := range map[string]archivos{
		"sintaxis":  {"relaciones/a.relacion": "relacion a:\n"},
		"reservada": {"relaciones/a.relacion": "relacion caso:\n    id: texto\n    alcance \"x\"\n"},
		"JSON":      {"relaciones/a.json": `["relacion"]`},
		"repetida": {"relaciones/a.relacion": "relacion a:\n    id: texto\n    alcance \"x\"\n",
			"relaciones/b.relacion": "relacion a:\n    id: texto\n    alcance \"x\"\n"},
	} {
		t.Run(nombre, func(t *testing.T) {
			p, _ := as.en(t, host.Opciones{})
			_, err := p.Evaluar(context.Background(), pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`))
			exigir(t, err, host.ProyectoInvalido, "relaciones/", p.Raiz())
		})
	}
}

func TestConfinamiento(t *testing.T) {
	for _, c := range []struct{ nombre, ruta, destino string }{
		{"oracle.json", "oracle.json", "otro.json"},
		{"catalogos adentro", "catalogos/e.oracle", "a.oracle"},
		{"catalogos, un directorio", "catalogos/e", "../fuera"},
		{"macros", "macros", "fuera"},
		{"relaciones", "relaciones/e.relacion", "/etc/hosts"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, dir := archivos{"catalogos/a.oracle": verdeSiVacia, "otro.json": `{"esquema":"oracle.proyecto/v1"}`, "fuera/x.oracle": ""}.en(t, host.Opciones{})
			ruta := filepath.Join(dir, c.ruta)
			if err := os.MkdirAll(filepath.Dir(ruta), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(c.destino, ruta); err != nil {
				t.Fatal(err)
			}
			_, err := p.Evaluar(context.Background(), pedidoDeID("d.vacia", `{"pieza":[]}`))
			exigir(t, err, host.ProyectoInvalido, "enlace simbólico", c.ruta)
		})
	}
}

func TestCambiaDurante(t *testing.T) {
	for _, c := range []struct {
		nombre string
		pedido host.PedidoEvaluar
		cambia archivos
		avisa  bool
	}{
		{"catálogo, por id", pedidoDeID("d.vacia", `{"pieza":[]}`), archivos{"catalogos/a.oracle": verdeSiVacia + "# más\n"}, true},
		{"archivo nuevo, por id", pedidoDeID("d.vacia", `{"pieza":[]}`), archivos{"catalogos/n.oracle": ""}, true},
		{"falló y cambió", pedidoDeID("d.otra", `{"pieza":[]}`), archivos{"catalogos/n.oracle": ""}, true},
		{"relaciones", pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`), archivos{"relaciones/x.relacion": ""}, true},
		{"oracle.json aparece", pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`), archivos{"oracle.json": ""}, true},
		{"corpus, que no se leyó", pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`), archivos{"corpus/x.caso": ""}, false},
		{"bytes del catálogo, por texto", pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`), archivos{"catalogos/a.oracle": "x"}, false},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			var dir string
			var p *host.Proyecto
			p, dir = archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{EntreFirmas: func() { c.cambia.sembrar(t, dir) }})
			_, err := p.Evaluar(context.Background(), c.pedido)
			if !c.avisa {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			e := exigir(t, err, host.ProyectoCambio)
			var a, b string
			campos := strings.Fields(e.Mensaje())
			a, b = campos[2], strings.TrimSuffix(campos[5], ";")
			if len(a) != 64 || len(b) != 64 || a == b {
				t.Errorf("%s", e)
			}
		})
	}
}

func TestCancelar(t *testing.T) {
	p, _ := archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{})
	ctx, cancelar := context.WithCancel(context.Background())
	cancelar()
	if _, err := p.Evaluar(ctx, pedidoDeID("d.vacia", `{"pieza":[]}`)); err != context.Canceled {
		t.Error(err)
	}
}
