package host_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/base"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
)

// baseComoPropia returns the base catalog and its cases as a project's own.
func baseComoPropia() archivos {
	as := archivos{"oracle.json": `{"esquema":"oracle.proyecto/v1","id":"oracle"}`}
	for _, a := range append(base.Catalogo(), base.Corpus()...) {
		as[a.Ruta[len("oracle:/"):]] = string(a.Texto)
	}
	return as
}

func TestBaseCarga(t *testing.T) {
	p, _ := baseComoPropia().en(t, host.Opciones{})
	c := efectivo(t, p)
	for _, m := range c.Medidas {
		if m.Fijacion != host.FijadaPorEvidencia {
			t.Errorf("%s: %s", m.ID(), m.Fijacion)
		}
	}
}

// TestBaseSeJuzgaASiMisma reifies the base catalog with its cases and judges it
// with itself.
func TestBaseSeJuzgaASiMisma(t *testing.T) {
	p, _ := baseComoPropia().en(t, host.Opciones{})
	h, err := p.Hechos(context.Background(), host.PedidoHechos{Traza: true})
	if err != nil {
		t.Fatal(err)
	}
	r, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: string(h.AppendJSON(nil))})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Medidas {
		if m.Medida.ID == "meta.ninguna_medida_se_fija_solo_con_evidencia_fabricada" {
			continue // its cases are written, not observed, and say so
		}
		if !m.Satisface() {
			j := m
			t.Errorf("%s: %s %s", m.Medida.ID, m.Veredicto.Estado, primerTestigo(&j))
		}
	}
	for _, n := range r.NoJuzgaron {
		t.Errorf("%s: %s", n.ID, n.Motivo)
	}
	if len(r.NoAplicadas) > 0 {
		t.Errorf("%v", r.NoAplicadas)
	}
}

func primerTestigo(j *host.Juicio) string {
	if j.Veredicto.CantidadDeTestigos() == 0 {
		return ""
	}
	return string(j.Veredicto.AppendTestigo(nil, 0))
}

// TestBaseEnLasDosPolaridades: every base measure has a case that expects green
// and one that does not, all of them printed in their only form.
func TestBaseEnLasDosPolaridades(t *testing.T) {
	verdes, otros := map[string]int{}, map[string]int{}
	for _, a := range base.Corpus() {
		c, err := corpus.Leer(a.Texto)
		if err != nil {
			t.Fatalf("%s: %v", a.Ruta, err)
		}
		if b, err := c.AppendTexto(nil); err != nil || string(b) != string(a.Texto) {
			t.Errorf("%s no está en su forma única (%v): %s", a.Ruta, err, cmp.Diff(string(a.Texto), string(b)))
		}
		if c.Expectativa() == corpus.EsperaVerde {
			verdes[c.Medida]++
		} else {
			otros[c.Medida]++
		}
	}
	for _, a := range base.Catalogo() {
		m, err := superficie.LeerMedida(a.Texto, macro.Estandar(), escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatalf("%s: %v", a.Ruta, err)
		}
		if verdes[m.ID] == 0 || otros[m.ID] == 0 {
			t.Errorf("%s: %d casos en verde y %d que no", m.ID, verdes[m.ID], otros[m.ID])
		}
		if m.Ambito == algebra.SinDeclarar || m.Umbral.Segun == algebra.SinDeclarar || m.Umbral.Porque == "" {
			t.Errorf("%s no declara todo", m.ID)
		}
	}
}
