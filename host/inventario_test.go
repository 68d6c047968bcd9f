package host_test

import (
	"context"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
)

// What fails in a trial is told of the call, not of the measure around it.
func TestErrorDePrueba(t *testing.T) {
	uno, texto := algebra.Valor(algebra.NuevoEntero(1)), algebra.Valor(algebra.Texto("a"))
	for _, c := range []struct {
		nombre  string
		args    []algebra.Valor
		pasos   int64
		codigo  host.Codigo
		primera string
		corrige string
	}{
		{"cerca", []algebra.Valor{uno}, 0, host.MedidaInvalida, "prueba: «cerca» lleva 2 argumentos", "«oracle-mcp escalares listar» dice"},
		{"nada", []algebra.Valor{uno}, 0, host.MedidaInvalida, "«nada» en la llamada.", "«oracle-mcp escalares listar» dice"},
		{"cerca", []algebra.Valor{uno, texto}, 0, host.EvaluacionFallo, "cerca lleva dos números", "llamala con argumentos que admita"},
		{"cerca", []algebra.Valor{uno, uno}, 1, host.LimiteDeAlgebra, "pasos_de_operacion", "probala con argumentos que le den menos trabajo"},
	} {
		lim := algebra.LimitesAlgebra{PasosDeOperacion: c.pasos}
		p, _ := archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{Limites: lim})
		_, _, err := p.ProbarEscalar(context.Background(), c.nombre, c.args)
		e := exigir(t, err, c.codigo, "")
		r := e.Remedio()
		if !strings.Contains(e.Mensaje(), c.primera) || strings.Contains(e.Error(), "2.2.1") || strings.Contains(e.Error(), "$.") {
			t.Errorf("%s", e)
		}
		if r.Campo != "la escalar y sus argumentos" || !strings.HasPrefix(r.Correccion, c.corrige) {
			t.Errorf("%+v", r)
		}
	}
}
