package pagina_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/oracle-mcp/oracle-mcp/cmd/oracle-mcp/pagina"
	"github.com/oracle-mcp/oracle-mcp/host"
)

// verificacion is that of testdata/proyecto, which has one of each.
func verificacion(t *testing.T) *host.Verificacion {
	t.Helper()
	p, err := host.Abrir(filepath.Join("testdata", "proyecto"), host.Opciones{Version: "0.0.0-prueba"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Verificar(context.Background(), host.PedidoVerificar{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func escribir(t *testing.T, r *host.Verificacion) string {
	t.Helper()
	var b bytes.Buffer
	if err := pagina.Escribir(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestPagina(t *testing.T) {
	r := verificacion(t)
	s := escribir(t, r)
	if s != escribir(t, r) {
		t.Error("two pages of one verification differ")
	}
	raiz, err := html.Parse(strings.NewReader(s))
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	var anclas []string
	var recorrer func(n *html.Node)
	recorrer = func(n *html.Node) {
		for _, a := range n.Attr {
			switch {
			case a.Key == "id" && ids[a.Val]:
				t.Errorf("the id %s comes twice", a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"), a.Key == "aria-labelledby":
				anclas = append(anclas, strings.TrimPrefix(a.Val, "#"))
			case a.Key == "href", a.Key == "src", a.Key == "style", a.Key == "srcset", strings.HasPrefix(a.Key, "on"):
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			}
		}
		switch n.Data {
		case "link", "img", "iframe", "object", "embed", "base":
			t.Errorf("<%s>", n.Data)
		}
		for h := n.FirstChild; h != nil; h = h.NextSibling {
			recorrer(h)
		}
	}
	recorrer(raiz)
	for _, a := range anclas {
		if !ids[a] {
			t.Errorf("nothing has the id %s", a)
		}
	}
	for _, externo := range []string{"http://", "https://", "//cdn", "@import", "url("} {
		if strings.Contains(s, externo) {
			t.Errorf("the page has %q", externo)
		}
	}
	for _, parte := range []string{
		"✘ No está en regla", "5 medidas y 8 casos (3 discordancias); 22 mutantes: 3 libres, 2 rechazados por el álgebra",
		"&lt;script&gt;alert(1)&lt;/script&gt;", "Qué dejan libre sus casos: 3", "afloja el umbral al valor siguiente: &lt;= 1 en vez de &lt;= 0",
		"umbral &lt;= <del>0</del>", "umbral &lt;= <ins>1</ins>", "Qué fijan sus casos: 8 mutantes detectados", "Los que rechaza el álgebra: 2",
		"espera no verde, dio verde", "… y 2 más", "hueco declarado: h-1", "reclama a.noesta, que no es efectiva", "✘ SIN CASOS", "✘ FALTA UNA POLARIDAD",
		`aria-label="testigos"`, "ninguna medida efectiva mira el catálogo mismo",
	} {
		if !strings.Contains(s, parte) {
			t.Errorf("the page lacks %q", parte)
		}
	}
	if strings.Contains(s, "<script>alert") || strings.Contains(s, "<b>de acá") {
		t.Error("a text came through as markup")
	}
	// The verdict is the first thing said.
	cuerpo := s[strings.Index(s, "<body>"):]
	if i, j := strings.Index(cuerpo, "<h1>"), strings.Index(cuerpo, "<h2"); i < 0 || i > j {
		t.Error("it does not open with the verdict")
	}
}

// TestPolitica: the policy admits the page's own style and script, and nothing
// else.
func TestPolitica(t *testing.T) {
	s := escribir(t, verificacion(t))
	politica := html.UnescapeString(regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]+)"`).FindStringSubmatch(s)[1])
	for _, etiqueta := range []string{"style", "script"} {
		texto := regexp.MustCompile("(?s)<"+etiqueta+">(.*?)</"+etiqueta+">").FindAllStringSubmatch(s, -1)
		if len(texto) != 1 {
			t.Fatalf("%d of <%s>", len(texto), etiqueta)
		}
		suma := sha256.Sum256([]byte(texto[0][1]))
		if want := etiqueta + "-src 'sha256-" + base64.StdEncoding.EncodeToString(suma[:]) + "'"; !strings.Contains(politica, want) {
			t.Errorf("%q is not in %q", want, politica)
		}
	}
	if !strings.HasPrefix(politica, "default-src 'none';") {
		t.Error(politica)
	}
}

// TestEnRegla: a project in order, with the catalog judged too.
func TestEnRegla(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "proyecto"))); err != nil {
		t.Fatal(err)
	}
	for _, x := range []string{"catalogos/discorda.oracle", "catalogos/libre.oracle", "catalogos/polo.oracle", "catalogos/sola.oracle",
		"corpus/d-1.caso", "corpus/d-2.caso", "corpus/d-3.caso", "corpus/l-1.caso", "corpus/l-2.caso", "corpus/p-1.caso", "corpus/h-1.caso", "corpus/x-1.caso"} {
		if err := os.Remove(filepath.Join(dir, x)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "oracle.json"), []byte(`{"esquema":"oracle.proyecto/v1","catalogo_base":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := host.Abrir(dir, host.Opciones{})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Verificar(context.Background(), host.PedidoVerificar{})
	if err != nil {
		t.Fatal(err)
	}
	s := escribir(t, r)
	for _, parte := range []string{"El catálogo mismo", "✔ HEREDADA", "✔ FIJA", "meta.toda_medida_esta_ejercitada", "Fuera de regla (0)"} {
		if !strings.Contains(s, parte) {
			t.Errorf("the page lacks %q", parte)
		}
	}
}
