package host_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// hechosDe returns a relation's facts as JSON texts.
func hechosDe(t *testing.T, p *host.Proyecto, pedido host.PedidoHechos) map[string][]string {
	t.Helper()
	h, err := p.Hechos(context.Background(), pedido)
	if err != nil {
		t.Fatal(err)
	}
	var crudo map[string][]json.RawMessage
	if err := json.Unmarshal(h.AppendJSON(nil), &crudo); err != nil {
		t.Fatal(err)
	}
	fs := map[string][]string{}
	for r, filas := range crudo {
		for _, f := range filas {
			fs[r] = append(fs[r], string(f))
		}
	}
	return fs
}

func TestHechosDeCasosUsoYSombras(t *testing.T) {
	p, _ := archivos{
		"catalogos/a.oracle": medidaSobre("d.a", "uno", ""),
		"catalogos/b.oracle": medidaSobre("d.b", "dos", ""),
		"corpus/1.caso":      caso("1", "d.a", "falso_verde", unaConX),
		"corpus/2.caso":      caso("2", "d.a", "verde_correcto", unaConX),
		"corpus/3.caso":      caso("3", "null", "falso_verde", unaConX),
		"corpus/4.caso":      caso("4", "d.perdida", "falso_verde", unaConX),
		"corpus/5.caso":      caso("5", "d.b", "falso_verde\n    espera: sin_evidencia", unaVacia),
		"oracle.json":        `{"esquema":"oracle.proyecto/v1","sombra":{"d.a":{"desde":"2026-08-01","porque":"x","cota":5},"d.b":{"desde":"2026-10-31","porque":""},"d.z":{"desde":"2026-10-30","porque":"x"}}}`,
	}.en(t, host.Opciones{Ahora: func() time.Time { return time.Date(2026, 10, 31, 23, 0, 0, 0, time.UTC) }})
	fs := hechosDe(t, p, host.PedidoHechos{Evidencia: `{"uno":[{"x":1},{"x":2}]}`})
	const cola = `,"procedencia":"observada","espera":`
	for relacion, want := range map[string][]string{
		"caso": {
			`{"id":"1","medida":"d.a","etiqueta":"falso_verde"` + cola + `"no_verde","obtenido":"rojo","se_pone_como_debe":true,"medida_existe":true,"es_heredado":false,"declara_de_donde_salio":true}`,
			`{"id":"2","medida":"d.a","etiqueta":"verde_correcto"` + cola + `"verde","obtenido":"rojo","se_pone_como_debe":false,"medida_existe":true,"es_heredado":false,"declara_de_donde_salio":true}`,
			`{"id":"3","medida":"","etiqueta":"falso_verde"` + cola + `"no_verde","obtenido":"","se_pone_como_debe":true,"medida_existe":false,"es_heredado":false,"declara_de_donde_salio":true}`,
			`{"id":"4","medida":"d.perdida","etiqueta":"falso_verde"` + cola + `"no_verde","obtenido":"","se_pone_como_debe":true,"medida_existe":false,"es_heredado":false,"declara_de_donde_salio":true}`,
			`{"id":"5","medida":"d.b","etiqueta":"falso_verde"` + cola + `"sin_evidencia","obtenido":"error","se_pone_como_debe":false,"medida_existe":true,"es_heredado":false,"declara_de_donde_salio":true}`,
		},
		"medida_en_uso": {
			`{"medida":"d.a","es_heredada":false,"casos_que_la_evaluan":2,"mutantes_que_le_sobreviven":-1}`,
			`{"medida":"d.b","es_heredada":false,"casos_que_la_evaluan":0,"mutantes_que_le_sobreviven":-1}`,
		},
		"sombra": {
			`{"medida":"d.a","desde":"2026-08-01","porque":"x","dias":91,"medida_existe":true,"valor":2,"cota":5,"tiene_cota":true,"evaluada":true,"esta_en_verde":false}`,
			`{"medida":"d.b","desde":"2026-10-31","porque":"","dias":0,"medida_existe":true,"valor":0,"cota":0,"tiene_cota":false,"evaluada":false,"esta_en_verde":false}`,
			`{"medida":"d.z","desde":"2026-10-30","porque":"x","dias":1,"medida_existe":false,"valor":0,"cota":0,"tiene_cota":false,"evaluada":false,"esta_en_verde":false}`,
		},
	} {
		if d := cmp.Diff(want, fs[relacion]); d != "" {
			t.Errorf("%s: %s", relacion, d)
		}
	}
	fs = hechosDe(t, p, host.PedidoHechos{Mutantes: []host.Mutante{{Medida: "d.a", Cambio: "x", Conductuales: 1}, {Medida: "d.a", Cambio: "y"}, {Medida: "d.b", Cambio: "z", Rechazos: 1}}})
	if got := strings.Join(fs["medida_en_uso"], "\n"); !strings.Contains(got, `"casos_que_la_evaluan":2,"mutantes_que_le_sobreviven":1`) || !strings.Contains(got, `"casos_que_la_evaluan":0,"mutantes_que_le_sobreviven":0`) {
		t.Error(got)
	}
	if len(fs["mutante"]) != 3 || len(fs["paso"]) != 0 {
		t.Errorf("%q", fs["mutante"])
	}
	if fs = hechosDe(t, p, host.PedidoHechos{Traza: true}); len(fs["paso"]) != 2 {
		t.Errorf("%q", fs["paso"])
	}
}

func TestHechosConCorpusIlegible(t *testing.T) {
	p, _ := archivos{"corpus/1.caso": "x"}.en(t, host.Opciones{})
	_, err := p.Hechos(context.Background(), host.PedidoHechos{})
	exigir(t, err, host.ProyectoInvalido, "corpus/1.caso: línea 1, columna 1")
}
