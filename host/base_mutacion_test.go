package host_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/mutacion"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/host/base"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
)

// conducta is what a verdict shows: state, value and witnesses as a bag.
func conducta(t *testing.T, m *algebra.Medida, ev *algebra.Evidencia) (string, error) {
	t.Helper()
	v, err := algebra.Evaluar(context.Background(), m, ev, algebra.LimitesAlgebra{})
	if err != nil {
		return "", err
	}
	var testigos []string
	for i := range v.CantidadDeTestigos() {
		testigos = append(testigos, string(v.AppendTestigo(nil, i)))
	}
	slices.Sort(testigos)
	return string(v.Estado) + " " + string(algebra.AppendJSON(nil, v.Valor)) + " " + strings.Join(testigos, "\n"), nil
}

// TestBaseSinSobrevivientes: every mutant of every base measure is told from
// the original, by its conduct, in some case; or reads a field that makes the
// algebra itself refuse it.
func TestBaseSinSobrevivientes(t *testing.T) {
	evidencias := map[string][]*algebra.Evidencia{}
	for _, a := range base.Corpus() {
		c, err := corpus.Leer(a.Texto)
		if err != nil {
			t.Fatal(err)
		}
		ev, err := algebra.LeerEvidencia(c.JSON(), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
		if err != nil {
			t.Fatal(err)
		}
		evidencias[c.Medida] = append(evidencias[c.Medida], ev)
	}
	total, detectados := 0, 0
	for _, a := range base.Catalogo() {
		m, err := superficie.LeerMedida(a.Texto, macro.Estandar(), escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatal(err)
		}
		var originales []string
		for _, ev := range evidencias[m.ID] {
			s, err := conducta(t, m, ev)
			if err != nil {
				t.Fatalf("%s: %v", m.ID, err)
			}
			originales = append(originales, s)
		}
		for mutante := range mutacion.Todos(m) {
			total++
			x, err := algebra.Cargar(mutante.Forma(), escalares.Internas(), algebra.LimitesAlgebra{})
			if err != nil {
				t.Errorf("%s: %s no carga: %v", m.ID, mutante.ID, err)
				continue
			}
			detectado, rechazo := false, error(nil)
			for i, ev := range evidencias[m.ID] {
				s, err := conducta(t, x, ev)
				if err != nil {
					rechazo = err
					continue
				}
				detectado = detectado || s != originales[i]
			}
			switch {
			case detectado:
				detectados++
			case rechazo != nil && strings.HasPrefix(mutante.ID, "campo:"), rechazo != nil && strings.HasPrefix(mutante.ID, "fuente:"):
				// A field of another family, or one the relation lacks, is an
				// error on any row: the algebra rejects it whatever the case.
			default:
				t.Errorf("%s: %s sobrevive (%v)", m.ID, mutante.ID, rechazo)
			}
		}
	}
	if detectados == 0 || detectados*10 < total*7 {
		t.Errorf("%d mutantes detectados por conducta de %d", detectados, total)
	}
}
