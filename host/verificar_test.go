package host_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
	"github.com/oracle-mcp/oracle-mcp/host"
)

func verificar(t *testing.T, p *host.Proyecto) *host.Verificacion {
	t.Helper()
	r, err := p.Verificar(context.Background(), host.PedidoVerificar{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range r.Medidas {
		m := &r.Medidas[i]
		if g, d, re, s := m.Cuenta(); g != d+re+s || g != len(m.Mutantes) {
			t.Errorf("%s: %d generated, %d detected, %d rejected, %d survived", m.ID(), g, d, re, s)
		}
		for _, x := range m.Mutantes {
			// A rejection is never a detection.
			if x.Detectado() != (x.Conductuales > 0) || x.Sobrevive() != (x.Conductuales == 0 && x.Rechazos == 0) || x.Conductuales+x.Rechazos > len(m.Casos) {
				t.Errorf("%s: %+v", m.ID(), x)
			}
		}
	}
	return r
}

// fueraDeRegla are the measures out of order, with their conclusion.
func fueraDeRegla(r *host.Verificacion) (fuera []string) {
	for i := range r.Medidas {
		if m := &r.Medidas[i]; !m.EnRegla() {
			fuera = append(fuera, fmt.Sprintf("%s %s %s %d", m.ID(), m.Conclusion, m.Fijacion, m.Discordancias()))
		}
	}
	return fuera
}

func TestVerificarLosProyectos(t *testing.T) {
	for _, nombre := range []string{"tienda", "servicios", "museo"} {
		t.Run(nombre, func(t *testing.T) {
			p, err := host.Abrir(filepath.Join(casa.Raiz(t), "fixtures", "proyectos", nombre), host.Opciones{})
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			r := verificar(t, p)
			if !r.OK || len(r.Medidas) == 0 {
				t.Errorf("%v: %s", r.OK, fueraDeRegla(r))
			}
			for i := range r.Medidas {
				m := &r.Medidas[i]
				verde, otra := false, false
				for _, c := range m.Casos {
					verde, otra = verde || c.Espera == "verde", otra || c.Espera != "verde"
				}
				if !verde || !otra {
					t.Errorf("%s has one polarity", m.ID())
				}
			}
		})
	}
}

// TestVerificarElCatalogoBase: the measures over measures, as a project of their
// own: no mutant of any survives.
func TestVerificarElCatalogoBase(t *testing.T) {
	p, err := host.Abrir(filepath.Join("base", "datos"), host.Opciones{Ahora: func() time.Time { return time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC) }})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r := verificar(t, p)
	if len(r.Medidas) < 20 || fueraDeRegla(r) != nil || len(r.NoJuzgaron) > 0 || len(r.Catalogo) != len(r.Medidas) {
		t.Errorf("%d measures, out of order %q, could not judge %v", len(r.Medidas), fueraDeRegla(r), r.NoJuzgaron)
	}
	for i := range r.Medidas {
		m := &r.Medidas[i]
		if _, _, _, s := m.Cuenta(); s > 0 || len(m.Mutantes) == 0 {
			t.Errorf("%s: %d survive of %d", m.ID(), s, len(m.Mutantes))
		}
	}
}

// proyectoMalo has one measure of each kind of wrong.
func proyectoMalo() archivos {
	const verde, otra = "verde_correcto", "falso_verde"
	return archivos{
		"oracle.json":            `{"esquema":"oracle.proyecto/v1","catalogo_base":true}`,
		"catalogos/bien.oracle":  medidaSobre("d.bien", "uno", ""),
		"catalogos/libre.oracle": medidaSobre("d.libre", "uno", ""),
		"catalogos/mala.oracle":  medidaSobre("d.mala", "uno", ""),
		"catalogos/polo.oracle":  medidaSobre("d.polo", "uno", ""),
		"catalogos/sola.oracle":  medidaSobre("d.sola", "uno", ""),
		"catalogos/arnes.oracle": strings.Replace(medidaSobre("d.arnes", "medida", ""), "f.x > 0", "f.pasos > 99", 1),
		"corpus/b1.caso":         caso("b-1", "d.bien", otra, "        uno: x\n            1\n"),
		"corpus/b2.caso":         caso("b-2", "d.bien", verde, "        uno: x\n            0\n"),
		"corpus/l1.caso":         caso("l-1", "d.libre", otra, "        uno: x\n            5\n            6\n            7\n            8\n            9\n            10\n"),
		"corpus/l2.caso":         caso("l-2", "d.libre", verde, "        uno: x\n            0\n"),
		"corpus/m1.caso":         caso("m-1", "d.mala", otra, "        uno: x\n            0\n"),
		"corpus/m2.caso":         caso("m-2", "d.mala", verde, "        uno: x\n            \"a\"\n"),
		"corpus/p1.caso":         caso("p-1", "d.polo", otra, "        uno: x\n            1\n"),
		"corpus/h1.caso":         caso("h-1", "null", otra, "        uno:\n"),
		"corpus/x1.caso":         caso("x-1", "d.noesta", otra, "        uno:\n"),
	}
}

func TestVerificarLoQueEstaMal(t *testing.T) {
	p, _ := proyectoMalo().en(t, host.Opciones{})
	r := verificar(t, p)
	quiere := []string{
		"d.libre sobrevivientes evidencia 0", "d.mala original_no_reproduce evidencia 2",
		"d.polo faltan_polaridades evidencia 0", "d.sola faltan_polaridades sin_fijar 0",
	}
	if d := cmp.Diff(quiere, fueraDeRegla(r)); d != "" || r.OK {
		t.Error(r.OK, d)
	}
	var mal []string
	for i := range r.Catalogo {
		if !r.Catalogo[i].Satisface() {
			mal = append(mal, strings.TrimPrefix(r.Catalogo[i].Medida.ID, "meta."))
		}
	}
	for _, id := range []string{"toda_medida_esta_ejercitada", "todo_caso_se_pone_como_debe", "todo_caso_reclama_una_medida_que_existe"} {
		if !slices.Contains(mal, id) {
			t.Errorf("%s says nothing: %q", id, mal)
		}
	}
	if d := cmp.Diff([]host.CasoSuelto{{ID: "h-1", Origen: "corpus/h1.caso"}, {ID: "x-1", Origen: "corpus/x1.caso", Medida: "d.noesta"}}, r.Sueltos); d != "" {
		t.Error(d)
	}
	if len(r.Advertencias) != 1 || !strings.Contains(r.Advertencias[0], "«x-1»") {
		t.Errorf("%q", r.Advertencias)
	}
	for i := range r.Medidas {
		m := &r.Medidas[i]
		switch m.ID() {
		case "d.mala":
			if c := m.Casos[1]; c.Obtenido != "error" || !strings.Contains(c.Motivo, "familias") || c.Valor != nil || m.Casos[0].Obtenido != "verde" {
				t.Errorf("%+v", m.Casos)
			}
		case "d.libre":
			if c := m.Casos[0]; len(c.Testigos) != 5 || c.CuantosTestigos != 6 || string(c.Testigos[0]) != `{"f":{"x":5}}` {
				t.Errorf("%+v", c)
			}
			x := m.Mutantes[0]
			if x.ID != "aflojar_umbral" || !x.Sobrevive() {
				t.Fatalf("%+v", x)
			}
			cambian := 0
			for _, y := range x.Diferencia(m.Medida) {
				if y.Cambio != host.EnAmbos {
					cambian++
				}
			}
			if cambian != 2 {
				t.Errorf("%d lines change", cambian)
			}
		case "d.bien":
			// Every case counts, not the first that notices alone.
			if x := m.Mutantes[1]; x.ID != "invertir_comparador" || x.Conductuales != 2 || x.Rechazos != 0 {
				t.Errorf("%+v", x)
			}
		case "d.arnes":
			if m.Fijacion != host.FijadaPorArnes || m.Conclusion != host.FaltanPolaridades {
				t.Errorf("%s, %s", m.Fijacion, m.Conclusion)
			}
		}
	}
}

// TestVerificarJSON: the shape, on the smallest project that has everything.
func TestVerificarJSON(t *testing.T) {
	p, dir := archivos{
		"catalogos/a.oracle": strings.Replace(medidaSobre("d.a", "uno", ""), "    resumen", "    donde f.x > 1\n    resumen", 1),
		"corpus/1.caso":      caso("c-1", "d.a", "falso_verde", "        uno: x\n            2\n"),
		"corpus/2.caso":      caso("c-2", "d.a", "verde_correcto", "        uno: x\n            1\n"),
		"corpus/3.caso":      caso("c-3", "d.no", "falso_verde", "        uno:\n"),
	}.en(t, host.Opciones{})
	r := verificar(t, p)
	s := string(r.AppendJSON(nil))
	for _, parte := range []string{
		`{"esquema":"oracle.verificacion/v1","oracle_version":"0.0.0-prueba","proyecto":"` + dir + `","huella_proyecto":"` + r.HuellaProyecto + `","ok":false,"medidas":[{"id":"d.a","origen":"proyecto","fuente":"catalogos/a.oracle","fijacion":"evidencia","en_regla":false,"conclusion":"sobrevivientes","umbral":{"operador":"<=","valor":0,"segun":"sin_declarar","porque":"ninguna"},"alcance":"nada más","casos":[`,
		`{"id":"c-1","origen":"corpus/1.caso","espera":"no_verde","obtenido":"rojo","cumple":true,"valor":1,"testigos":[{"f":{"x":2}}],"testigos_omitidos":0}`,
		`{"id":"expresion:comparador@2.2.1:>→<=","cambio":"en el donde del paso 1, invierte una comparación: f.x <= 0 en vez de f.x > 0","destino":"detectado_por_conducta","casos_que_lo_notan":1,"casos_que_lo_rechazan":0}`,
		`"casos_sueltos":[{"id":"c-3","origen":"corpus/3.caso","medida":"d.no"}],"catalogo":[],"no_juzgaron":[],"advertencias":[`,
	} {
		if !strings.Contains(s, parte) {
			t.Errorf("%s\nis not in\n%s", parte, s)
		}
	}
	if n := strings.Count(s, `"destino":"sobrevivio","casos_que_lo_notan":0,"casos_que_lo_rechazan":0,"forma":["medida","d.a",`); n == 0 {
		t.Errorf("no survivor brings its form:\n%s", s)
	}
}

func TestVerificarIgualConCualquierCantidadDeHilos(t *testing.T) {
	var primera string
	for _, hilos := range []int{1, 2, 8} {
		p, dir := proyectoMalo().en(t, host.Opciones{Hilos: hilos})
		r := verificar(t, p)
		s := strings.NewReplacer(dir, "RAIZ", r.HuellaProyecto, "HUELLA").Replace(string(r.AppendJSON(nil)))
		if primera == "" {
			primera = s
		}
		if s != primera {
			t.Error(cmp.Diff(primera, s))
		}
	}
}

func TestVerificarFallaCerrado(t *testing.T) {
	for _, c := range []struct {
		nombre  string
		as      archivos
		codigo  host.Codigo
		mensaje string
	}{
		{"a case that does not read", archivos{"corpus/1.caso": "caso 1:\n"}, host.ProyectoInvalido, "corpus/1.caso"},
		{"a stale differential", archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", ""), "diferencial/x.json": "{}"}, host.ProyectoInvalido, "diferencial/x.json"},
		{"a measure that does not load", archivos{"catalogos/a.oracle": "medida"}, host.CatalogoInvalido, "catalogos/a.oracle"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := c.as.en(t, host.Opciones{})
			_, err := p.Verificar(context.Background(), host.PedidoVerificar{})
			exigir(t, err, c.codigo, c.mensaje)
		})
	}
	p, _ := archivos{}.en(t, host.Opciones{})
	if r := verificar(t, p); r.OK || len(r.Advertencias) != 2 {
		t.Errorf("an empty catalog is in order: %q", r.Advertencias)
	}
}

func TestVerificarAvanzaYSeCancela(t *testing.T) {
	p, _ := proyectoMalo().en(t, host.Opciones{Hilos: 2})
	var m sync.Mutex
	mayor, total := 0, 0
	r, err := p.Verificar(context.Background(), host.PedidoVerificar{Avance: func(h, n int) {
		m.Lock()
		defer m.Unlock()
		mayor, total = max(mayor, h), n
	}})
	if err != nil {
		t.Fatal(err)
	}
	suma := 0
	for i := range r.Medidas {
		suma += len(r.Medidas[i].Mutantes)
	}
	// d.mala has both polarities and does not get to mutate: it counts as done.
	if mayor != total || total <= suma || suma == 0 {
		t.Errorf("%d of %d, and there were %d", mayor, total, suma)
	}
	ctx, parar := context.WithCancel(context.Background())
	if _, err := p.Verificar(ctx, host.PedidoVerificar{Avance: func(int, int) { parar() }}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
