package host_test

import (
	"context"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

func TestRemedioDeLimite(t *testing.T) {
	for _, nombre := range algebra.NombresDeLimites() {
		var porOmision algebra.LimitesAlgebra
		if !porOmision.Fijar(nombre, 1) {
			t.Fatal(nombre)
		}
		e := host.ErrLimite(&algebra.LimiteError{Nombre: nombre, Observado: 2, Limite: 1}, "$.x")
		if r := e.Remedio(); r.Campo != "$.x" || !strings.HasSuffix(r.Correccion, "con --limite "+nombre+"=valor.") {
			t.Errorf("%s: %+v", nombre, r)
		}
	}
	// The mend does not promise what the start cannot give.
	for nombre, techo := range map[string]int64{algebra.LimiteProfundidad: 512, algebra.LimiteExpansiones: 64, algebra.LimiteFilasPorRelacion: 10_000_000} {
		for limite, sePuede := range map[int64]bool{techo - 1: true, techo: false} {
			e := host.ErrLimite(&algebra.LimiteError{Nombre: nombre, Observado: limite + 1, Limite: limite}, "$.x")
			if got := strings.Contains(e.Remedio().Correccion, "=valor"); got != sePuede {
				t.Errorf("%s at %d: %s", nombre, limite, e)
			}
		}
	}
}

func TestRemedioDeDesconocida(t *testing.T) {
	muchas := []string{"a.uno", "a.dos", "a.tres", "b.uno", "b.dos", "b.tres"}
	for _, c := range []struct {
		id        string
		efectivas []string
		want      string
	}{
		{"a.unos", muchas, "revisá el id; se le parecen: a.uno, a.dos, b.uno."},
		{"otra.cosa_distinta", muchas, "nombrá una de las 6 efectivas: oracle_catalogo_efectivo las lista."},
		{"otra.cosa_distinta", muchas[:5], "nombrá una efectiva: las que hay son a.uno, a.dos, a.tres, b.uno, b.dos."},
		{"a.uno", nil, "el proyecto no tiene ninguna medida efectiva: hay que escribirla en catalogos/ antes de nombrarla."},
	} {
		if got := host.ErrDesconocida("$.medida.id", c.id, c.efectivas).Remedio(); got != (rechazo.Remedio{Campo: "$.medida.id", Correccion: c.want}) {
			t.Errorf("%s: %+v", c.id, got)
		}
	}
}

// The place is the one the caller wrote, not the one of the sorted list.
func TestCampoDeIDs(t *testing.T) {
	p, _ := archivos{"catalogos/a.oracle": verdeSiVacia}.en(t, host.Opciones{})
	for _, err := range []error{
		errorDe(p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{"z.z", "b.ninguna"}})),
		errorDe(p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: "{}", IDs: []string{"z.z", "b.ninguna"}})),
	} {
		if e := exigir(t, err, host.MedidaDesconocida, "«b.ninguna»"); e.Remedio().Campo != "$.ids[1]" {
			t.Error(e)
		}
	}
}

// A first line of any length leaves room for the field and the mend.
func TestErrorLargo(t *testing.T) {
	largo := strings.Repeat("ñ", 5000)
	e := host.NuevoError(host.MedidaInvalida, largo, rechazo.Remedio{Campo: largo, Correccion: largo})
	s := e.Error()
	if len(s) > 4<<10 || strings.Count(s, "\n") != 2 || !strings.Contains(s, "\ncampo: ñ") || !strings.Contains(s, "…\ncorrección: ñ") {
		t.Errorf("%d bytes: %.100s", len(s), s)
	}
	if want := "MEDIDA_INVALIDA — " + e.Mensaje() + "\n"; !strings.HasPrefix(s, want) {
		t.Error("the first line is not the message")
	}
}

func errorDe[T any](_ T, err error) error { return err }
