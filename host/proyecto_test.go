package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// archivos is a project on disk: path to text.
type archivos map[string]string

// en returns a project with those files, opened.
func (as archivos) en(t testing.TB, op host.Opciones) (*host.Proyecto, string) {
	t.Helper()
	dir := t.TempDir()
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	as.sembrar(t, dir)
	if err := os.MkdirAll(filepath.Join(dir, host.DirCatalogos), 0o755); err != nil {
		t.Fatal(err)
	}
	if op.Version == "" {
		op.Version = "0.0.0-prueba"
	}
	p, err := host.Abrir(dir, op)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, dir
}

func (as archivos) sembrar(t testing.TB, dir string) {
	t.Helper()
	for ruta, texto := range as {
		completa := filepath.Join(dir, ruta)
		if err := os.MkdirAll(filepath.Dir(completa), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(completa, []byte(texto), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// con returns the same files and more.
func (as archivos) con(otros archivos) archivos {
	todos := archivos{}
	for _, x := range []archivos{as, otros} {
		for r, t := range x {
			todos[r] = t
		}
	}
	return todos
}

// exigir fails unless err has the code, and returns it.
func exigir(t testing.TB, err error, codigo host.Codigo, contiene ...string) *host.Error {
	t.Helper()
	var e *host.Error
	if !errors.As(err, &e) || e.Clase() != codigo {
		t.Fatalf("se esperaba %s; llegó %v", codigo, err)
	}
	for _, s := range contiene {
		if !strings.Contains(e.Error(), s) {
			t.Errorf("al mensaje le falta %q:\n%s", s, e)
		}
	}
	return e
}

func TestResolver(t *testing.T) {
	con, sin := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(con, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ bandera, entorno, actual, quiere string }{
		{"a", "b", con, "a"}, {"", "b", con, "b"}, {"", "", con, con}, {"", "", sin, ""}, {"", "", "", ""},
	} {
		got, err := host.Resolver(c.bandera, c.entorno, c.actual)
		if got != c.quiere || (err != nil) != (c.quiere == "") {
			t.Errorf("%+v: %q %v", c, got, err)
		}
		if err != nil && !errors.Is(err, host.ErrSinProyecto) {
			t.Error(err)
		}
	}
}

func TestAbrirLoQueNoSirve(t *testing.T) {
	dir := t.TempDir()
	archivos{"archivo": "", "sin/nada": "", "enlazado/x": "", "ok/catalogos/x": ""}.sembrar(t, dir)
	if err := os.Symlink("../sin", filepath.Join(dir, "enlazado/catalogos")); err != nil {
		t.Fatal(err)
	}
	for _, ruta := range []string{"archivo", "no-existe", "sin", "enlazado"} {
		_, err := host.Abrir(filepath.Join(dir, ruta), host.Opciones{})
		exigir(t, err, host.ProyectoInvalido)
	}
	_, err := host.Abrir(filepath.Join(dir, "ok"), host.Opciones{RaicesPerfiles: []string{filepath.Join(dir, "no-existe")}})
	exigir(t, err, host.ProyectoInvalido)
}

// TestRaizPorEnlace: the root itself may be reached by a link, and is shown
// without it.
func TestRaizPorEnlace(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	archivos{"real/catalogos/x": ""}.sembrar(t, dir)
	if err := os.Symlink("real", filepath.Join(dir, "alias")); err != nil {
		t.Fatal(err)
	}
	p, err := host.Abrir(filepath.Join(dir, "alias"), host.Opciones{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if p.Raiz() != filepath.Join(dir, "real") {
		t.Error(p.Raiz())
	}
}

func TestConfiguracionInvalida(t *testing.T) {
	for _, c := range []struct{ nombre, texto, ruta string }{
		{"no es JSON", `{`, "$"},
		{"no es objeto", `[]`, "$"},
		{"sin esquema", `{}`, "$"},
		{"otro esquema", `{"esquema":"oracle.proyecto/v2"}`, "$.esquema"},
		{"clave desconocida", `{"esquema":"oracle.proyecto/v1","catalogo":true}`, "$.catalogo"},
		{"clave repetida", `{"esquema":"oracle.proyecto/v1","id":"a","id":"b"}`, "$.id"},
		{"tipo", `{"esquema":"oracle.proyecto/v1","catalogo_base":"sí"}`, "$.catalogo_base"},
		{"null", `{"esquema":"oracle.proyecto/v1","catalogo_base":null}`, "$.catalogo_base"},
		{"álgebra mayor", `{"esquema":"oracle.proyecto/v1","algebra":"2.0"}`, "$.algebra"},
		{"álgebra menor nueva", `{"esquema":"oracle.proyecto/v1","algebra":"1.1"}`, "$.algebra"},
		{"álgebra vieja de más", `{"esquema":"oracle.proyecto/v1","algebra":"0.9"}`, "$.algebra"},
		{"versión mal escrita", `{"esquema":"oracle.proyecto/v1","algebra":"1"}`, "$.algebra"},
		{"sintaxis", `{"esquema":"oracle.proyecto/v1","sintaxis":"0.8"}`, "$.sintaxis"},
		{"perfil repetido", `{"esquema":"oracle.proyecto/v1","perfiles":["a","a"]}`, "$.perfiles[1]"},
		{"perfil vacío", `{"esquema":"oracle.proyecto/v1","perfiles":[""]}`, "$.perfiles[0]"},
		{"biblioteca no texto", `{"esquema":"oracle.proyecto/v1","bibliotecas":[1]}`, "$.bibliotecas[0]"},
		{"id vacío", `{"esquema":"oracle.proyecto/v1","id":" "}`, "$.id"},
		{"sombra sin porque", `{"esquema":"oracle.proyecto/v1","sombra":{"a.b":{"desde":"2026-01-01"}}}`, `$.sombra["a.b"]`},
		{"sombra con fecha mala", `{"esquema":"oracle.proyecto/v1","sombra":{"a.b":{"desde":"2026-02-30","porque":"x"}}}`, `$.sombra["a.b"].desde`},
		{"cota negativa", `{"esquema":"oracle.proyecto/v1","sombra":{"a.b":{"desde":"2026-01-01","porque":"x","cota":-1}}}`, `$.sombra["a.b"].cota`},
		{"cota flotante", `{"esquema":"oracle.proyecto/v1","sombra":{"a.b":{"desde":"2026-01-01","porque":"x","cota":1.0}}}`, `$.sombra["a.b"].cota`},
		{"sombra de nada", `{"esquema":"oracle.proyecto/v1","sombra":{"x":{"desde":"2026-01-01","porque":"x"}}}`, "$.sombra.x"},
		{"sobra texto", `{"esquema":"oracle.proyecto/v1"} 1`, "$"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := archivos{"oracle.json": c.texto}.en(t, host.Opciones{})
			_, err := p.Evaluar(context.Background(), pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`))
			e := exigir(t, err, host.ProyectoInvalido, "oracle.json", p.Raiz())
			if !strings.HasSuffix(e.Mensaje(), " en "+c.ruta+".") {
				t.Errorf("%s", e)
			}
		})
	}
}

func TestConfiguracionEntera(t *testing.T) {
	c, err := host.LeerConfiguracion([]byte(`{"esquema":"oracle.proyecto/v1","algebra":"0.8","sintaxis":"0.7","catalogo_base":true,
		"perfiles":["p"],"bibliotecas":["b"],"id":"yo","sombra":{"z.b":{"desde":"2026-01-01","porque":""},"a.b":{"desde":"2026-01-01","porque":"x","cota":12345678901234567890}}}`))
	if err != nil {
		t.Fatal(err)
	}
	if !c.CatalogoBase || c.ID != "yo" || len(c.Sombras) != 2 || c.Sombras[0].Medida != "a.b" || c.Sombra("a.b").Cota.String() != "12345678901234567890" || c.Sombra("z.b").Cota != nil || c.Sombra("x.x") != nil {
		t.Errorf("%+v", c)
	}
}

func FuzzLeerConfiguracion(f *testing.F) {
	f.Add([]byte(`{"esquema":"oracle.proyecto/v1","sombra":{"a.b":{"desde":"2026-01-01","porque":"x","cota":1}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := host.LeerConfiguracion(b)
		if (c == nil) == (err == nil) {
			t.Fatalf("%v %v", c, err)
		}
	})
}

func TestCodigosUnicos(t *testing.T) {
	visto := map[host.Codigo]bool{}
	for _, c := range host.Codigos() {
		if visto[c] || c == "" {
			t.Errorf("%q", c)
		}
		visto[c] = true
	}
	if len(visto) != 18 {
		t.Errorf("la tabla del contrato tiene 18 códigos y acá hay %d", len(visto))
	}
}
