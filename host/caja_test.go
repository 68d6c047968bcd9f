package host_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/host"
)

func TestMain(m *testing.M) {
	caja.SiSoyCaja()
	os.Exit(m.Run())
}

const desvio = `def desvio(a, b = 0):
    if a > 1000:
        fail("demasiado")
    return a - b if a > b else b - a

escalar("desvio", desvio)
`

// conDesvio names a scalar of the project.
var conDesvio = strings.Replace(strings.Replace(verdeSiVacia, "p.x > 0", "desvio(p.x, 10) > 5", 1), "d.vacia", "d.desvio", 1)

func confiado() host.Opciones { return host.Opciones{Caja: host.CajaConfinada(cajaDePrueba, nil)} }

func TestEscalaresConfiadas(t *testing.T) {
	p, dir := archivos{"escalares.star": desvio, "catalogos/a.oracle": conDesvio, "catalogos/b.oracle": verdeSiVacia,
		"corpus/1.caso": caso("1", "d.desvio", "falso_verde", "        pieza: x\n            1\n            8\n")}.en(t, confiado())
	e := evaluar(t, p, pedidoDeID("d.desvio", `{"pieza":[{"x":1},{"x":8},{"x":16}]}`))
	if e.Juicio.Veredicto.CantidadDeTestigos() != 2 {
		t.Errorf("%s", e.AppendJSON(nil))
	}
	if r := juzgar(t, p, `{"pieza":[{"x":10}]}`); r.OK || len(r.Medidas) != 2 {
		t.Errorf("%s", r.AppendJSON(nil))
	}
	c := efectivo(t, p)
	if c.Medidas[0].Fijacion != host.FijadaPorEvidencia {
		t.Errorf("%s", c.Medidas[0].Fijacion)
	}
	// Authorized, the file is part of what the answer depends on.
	if want := huellaAMano(t, dir, "catalogos/a.oracle", "catalogos/b.oracle", "corpus/1.caso", "escalares.star"); c.HuellaProyecto != want {
		t.Errorf("%s, a mano %s", c.HuellaProyecto, want)
	}
	_, err := p.Evaluar(context.Background(), pedidoDeID("d.desvio", `{"pieza":[{"x":5000}]}`))
	exigir(t, err, host.EvaluacionFallo, "escalar: ", "desvio", "demasiado")
}

func TestEscalaresConfiadasQueNoSirven(t *testing.T) {
	for _, c := range []struct {
		nombre, texto string
		codigo        host.Codigo
		contiene      string
	}{
		{"no compila", "def f(:\n", host.CatalogoInvalido, "CATALOGO_INVALIDO — escalares.star: "},
		{"declara mal", "escalar(1, 2)\n", host.CatalogoInvalido, "CATALOGO_INVALIDO — escalares.star: "},
		{"tapa una interna", "def f(a):\n    return a\n\nescalar(\"mas\", f)\n", host.CatalogoInvalido, "CATALOGO_INVALIDO — escalares.star: "},
		{"no la declara", "", host.MedidaInvalida, "desvio"},
		{"no es UTF-8", "\xff", host.CatalogoInvalido, "CATALOGO_INVALIDO — escalares.star: "},
		{"más de un MiB", strings.Repeat("#", 1<<20+1), host.ProyectoInvalido, "escalares.star pesa más de 1048576 bytes"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := archivos{"escalares.star": c.texto}.en(t, confiado())
			_, err := p.Evaluar(context.Background(), pedidoDeTexto(conDesvio, `{"pieza":[]}`))
			exigir(t, err, c.codigo, c.contiene)
			// Who does not name it never opens it.
			evaluar(t, p, pedidoDeTexto(verdeSiVacia, `{"pieza":[]}`))
		})
	}
	t.Run("es un enlace", func(t *testing.T) {
		p, dir := archivos{}.en(t, confiado())
		if err := os.Symlink("/etc/hosts", dir+"/escalares.star"); err != nil {
			t.Fatal(err)
		}
		_, err := p.Evaluar(context.Background(), pedidoDeTexto(conDesvio, `{"pieza":[]}`))
		exigir(t, err, host.ProyectoInvalido, "escalares.star: es un enlace simbólico")
	})
	t.Run("sólo python", func(t *testing.T) {
		p, _ := archivos{"escalares.py": ""}.en(t, confiado())
		_, err := p.Evaluar(context.Background(), pedidoDeTexto(conDesvio, `{"pieza":[]}`))
		exigir(t, err, host.EscalaresNoAutorizadas, "escalares.py", "portar")
	})
}
