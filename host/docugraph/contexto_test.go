package docugraph_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

func TestContextoContraElEscritoAMano(t *testing.T) {
	arboles := map[string]*docugraph.Arbol{
		"primera vez": cargar(t, fixtures+"/demo-repo"),
		"segunda vez": cargar(t, fixtures+"/demo-repo"),
	}
	rutas, contenido := leerArbol(t, fixtures+"/demo-repo")
	for semilla := range uint64(5) {
		r := slices.Clone(rutas)
		rand.New(rand.NewPCG(semilla, 1)).Shuffle(len(r), func(i, j int) { r[i], r[j] = r[j], r[i] })
		dir := t.TempDir()
		escribir(t, dir, r, contenido)
		arboles["creado en otro orden: "+r[0]] = cargar(t, dir)
	}
	for nombre, a := range arboles {
		for archivo, maxDepth := range map[string]int{"BE-02.md": docugraph.ProfundidadPorOmision, "BE-02_profundidad-1.md": 1} {
			esperado, err := os.ReadFile(filepath.Join(fixtures, "esperado", archivo))
			if err != nil {
				t.Fatal(err)
			}
			p, err := a.Contexto(t.Context(), "BE-02", maxDepth)
			if err != nil {
				t.Fatalf("%s, %s: %v", nombre, archivo, err)
			}
			if d := cmp.Diff(string(esperado), p.Markdown()); d != "" {
				t.Errorf("%s, %s (-esperado +obtenido):\n%s", nombre, archivo, d)
			}
		}
		if i := a.Informe(""); !i.Valid || len(i.Warnings) > 0 || i.NodeCount != 13 || i.EdgeCount != 17 {
			t.Errorf("%s: el repositorio de demostración no está limpio: %+v", nombre, i)
		}
	}
}

func TestContextoFallaCerrado(t *testing.T) {
	for _, c := range []struct {
		nombre, arbol, id string
		maxDepth          int
		codigo            docugraph.Codigo // "" means a bundle
	}{
		{"no existe", "../demo-repo", "BE-99", 5, docugraph.TareaNoEncontrada},
		{"vacío", "../demo-repo", "", 5, docugraph.TareaNoEncontrada},
		{"profundidad negativa", "../demo-repo", "BE-02", -1, docugraph.ArgumentoInvalido},
		{"profundidad de más", "../demo-repo", "BE-02", 10_001, docugraph.ArgumentoInvalido},
		{"profundidad justa", "../demo-repo", "BE-02", 10_000, ""},
		{"cero", "../demo-repo", "BE-02", 0, ""},
		{"ciclo propio", "LINK_CYCLE/arbol", "C-1", 5, docugraph.GrafoConCiclo},
		{"ciclo ajeno", "LINK_CYCLE/arbol", "L-1", 0, docugraph.GrafoConCiclo},
		{"rota a un salto", "LINK_BROKEN/arbol", "BE-01", 1, docugraph.EnlaceRoto},
		{"rota más allá de lo pedido", "LINK_BROKEN/arbol", "BE-01", 0, ""},
		{"la tarea está repetida", "ID_DUPLICATE/arbol", "X-1", 5, docugraph.IDRepetido},
		{"algo alcanzable está repetido", "ID_DUPLICATE/arbol", "Y-1", 5, docugraph.IDRepetido},
		{"no se entiende de qué depende", "DEPENDS_ON_INVALID/arbol", "A-1", 5, docugraph.DependsOnInvalido},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, err := cargar(t, filepath.Join(fixtures, "negativos", c.arbol)).Contexto(t.Context(), c.id, c.maxDepth)
			if c.codigo == "" {
				if err != nil || p == nil {
					t.Fatalf("se esperaba un paquete: %v", err)
				}
				return
			}
			var e *docugraph.ErrorHerramienta
			if !errors.As(err, &e) || e.Codigo != c.codigo || p != nil {
				t.Fatalf("paquete %v, error %v; se esperaba %s", p, err, c.codigo)
			}
		})
	}
}

func TestContextoTruncado(t *testing.T) {
	for _, c := range []struct {
		maxDepth, documentos int
		truncado             bool
	}{{0, 1, true}, {1, 5, true}, {2, 8, true}, {3, 9, false}, {4, 9, false}} {
		p, err := cargar(t, fixtures+"/demo-repo").Contexto(t.Context(), "BE-02", c.maxDepth)
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Inclusiones) != c.documentos || p.Truncado != c.truncado {
			t.Errorf("maxDepth %d: %d documentos, truncado %t; se esperaba %d, %t", c.maxDepth, len(p.Inclusiones), p.Truncado, c.documentos, c.truncado)
		}
	}
	// A broken dependency past the depth asked for also stayed outside.
	p, err := cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol").Contexto(t.Context(), "BE-01", 0)
	if err != nil || !p.Truncado {
		t.Errorf("paquete %+v, error %v; se esperaba truncado", p, err)
	}
}
