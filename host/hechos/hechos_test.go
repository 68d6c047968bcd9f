package hechos_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/host/hechos"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

func cargar(t *testing.T, texto string) *algebra.Medida {
	t.Helper()
	n, err := algebra.LeerNodo([]byte(texto), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// filas returns the facts of a relation, one JSON text each, in order.
func filas(t *testing.T, h *hechos.Hechos, relacion string) []string {
	t.Helper()
	var e map[string][]json.RawMessage
	if err := json.Unmarshal(h.AppendJSON(nil), &e); err != nil {
		t.Fatal(err)
	}
	fs := []string{}
	for _, f := range e[relacion] {
		fs = append(fs, string(f))
	}
	return fs
}

const medida = `["medida","meta.ejemplo",["desde",["unir",["de","caso","c"],["de","pieza","p"]],
	["donde",["y",[">",["campo","p","x"],1.5],["no",["==",["campo","c","id"],""]]]],
	["sin",["de","zona","z"],["==",["campo","z","id"],["campo","p","id"]]]],
	["resumen","max",["campo","p","x"]],["umbral","<",2.5,"p","tanteo"],["requiere","zona",["filas","pieza","r",["==",["campo","r","ok"],true]]],["ambito","universal"],["alcance","a"]]`

func TestMedidaReificada(t *testing.T) {
	h := hechos.Nuevos()
	h.Medida(cargar(t, medida))
	for relacion, want := range map[string][]string{
		"medida":         {`{"id":"meta.ejemplo","dominio":"meta","relacion":"caso","agregado":"max","comparador":"<","umbral":2.5,"umbral_op":"<","umbral_valor":2.5,"umbral_es_flotante":true,"porque":"p","segun":"tanteo","ambito":"universal","alcance":"a","pasos":2,"declara_requiere":true,"es_meta_por_el_nombre":true,"es_meta_por_lo_que_mide":true}`},
		"paso_de_medida": {`{"medida":"meta.ejemplo","indice":0,"ruta":"2.1","operador":"unir"}`, `{"medida":"meta.ejemplo","indice":1,"ruta":"2.2","operador":"donde"}`, `{"medida":"meta.ejemplo","indice":2,"ruta":"2.3","operador":"sin"}`},
		"fuente":         {`{"medida":"meta.ejemplo","ruta":"2.1.1","relacion":"caso","alias":"c"}`, `{"medida":"meta.ejemplo","ruta":"2.1.2","relacion":"pieza","alias":"p"}`, `{"medida":"meta.ejemplo","ruta":"2.3.1","relacion":"zona","alias":"z"}`},
		"requiere":       {`{"medida":"meta.ejemplo","indice":0,"relacion":"zona","con_condicion":false}`, `{"medida":"meta.ejemplo","indice":1,"relacion":"pieza","con_condicion":true}`},
		"dependencia_de_medida": {`{"medida":"meta.ejemplo","relacion":"caso","clase":"fuente","con_condicion":false}`, `{"medida":"meta.ejemplo","relacion":"pieza","clase":"fuente","con_condicion":false}`, `{"medida":"meta.ejemplo","relacion":"zona","clase":"fuente","con_condicion":false}`,
			`{"medida":"meta.ejemplo","relacion":"zona","clase":"requiere","con_condicion":false}`, `{"medida":"meta.ejemplo","relacion":"pieza","clase":"requiere","con_condicion":true}`},
	} {
		if d := cmp.Diff(want, filas(t, h, relacion)); d != "" {
			t.Errorf("%s: %s", relacion, d)
		}
	}
	terminos := filas(t, h, "termino")
	for _, want := range []string{
		`{"medida":"meta.ejemplo","ruta":"","padre":"","cabeza_padre":"","tipo":"lista","cabeza":"medida","texto":"","longitud":8}`,
		`{"medida":"meta.ejemplo","ruta":"0","padre":"","cabeza_padre":"medida","tipo":"texto","cabeza":"","texto":"medida","longitud":0}`,
		`{"medida":"meta.ejemplo","ruta":"2.2.1.1.2","padre":"2.2.1.1","cabeza_padre":">","tipo":"flotante","cabeza":"","texto":"1.5","longitud":0}`,
		`{"medida":"meta.ejemplo","ruta":"5.2.3.2","padre":"5.2.3","cabeza_padre":"==","tipo":"booleano","cabeza":"","texto":"true","longitud":0}`,
	} {
		if !strings.Contains(strings.Join(terminos, "\n"), want) {
			t.Errorf("falta %s", want)
		}
	}
	if n := int(cargar(t, medida).Canonica().Contar(10_000)); len(terminos) != n {
		t.Errorf("%d términos y %d nodos", len(terminos), n)
	}
	// One pair for each node and each of its ancestors.
	pares := 0
	var bajar func(algebra.Nodo, int)
	bajar = func(n algebra.Nodo, nivel int) {
		pares += nivel
		for _, x := range n.Hijos() {
			bajar(x, nivel+1)
		}
	}
	bajar(cargar(t, medida).Canonica(), 0)
	if h.Cantidad("ancestro") != pares {
		t.Errorf("%d ancestros; se esperaban %d", h.Cantidad("ancestro"), pares)
	}
}

func TestDeclaradasYLeidas(t *testing.T) {
	r, err := relaciones.Leer([]byte("relacion pieza:\n    id: texto\n    clase: texto\n    x: entero cm\n    variantes por clase:\n        a:\n            n: flotante sin_unidad\n    alcance \"\"\n"), nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := relaciones.NuevasDeclaradas([]*relaciones.Relacion{r})
	if err != nil {
		t.Fatal(err)
	}
	h := hechos.Nuevos()
	h.Declaradas(d)
	h.CamposLeidos(cargar(t, medida), d)
	for relacion, want := range map[string][]string{
		"relacion_declarada": {`{"relacion":"pieza","campos":4,"alcance":"","tiene_alcance":false,"variantes":1}`},
		"campo_declarado": {
			`{"relacion":"pieza","campo":"id","tipo":"texto","unidad":"sin_unidad","tiene_unidad":true,"es_magnitud":false,"es_sin_unidad":true,"variante":""}`,
			`{"relacion":"pieza","campo":"clase","tipo":"texto","unidad":"sin_unidad","tiene_unidad":true,"es_magnitud":false,"es_sin_unidad":true,"variante":""}`,
			`{"relacion":"pieza","campo":"x","tipo":"entero","unidad":"cm","tiene_unidad":true,"es_magnitud":true,"es_sin_unidad":false,"variante":""}`,
			`{"relacion":"pieza","campo":"n","tipo":"flotante","unidad":"sin_unidad","tiene_unidad":true,"es_magnitud":false,"es_sin_unidad":true,"variante":"a"}`,
		},
		"campo_leido": {
			`{"medida":"meta.ejemplo","relacion":"caso","campo":"id","origen":"lenguaje","existe":true}`,
			`{"medida":"meta.ejemplo","relacion":"pieza","campo":"id","origen":"declarada","existe":true}`,
			`{"medida":"meta.ejemplo","relacion":"pieza","campo":"x","origen":"declarada","existe":true}`,
			`{"medida":"meta.ejemplo","relacion":"pieza","campo":"ok","origen":"declarada","existe":false}`,
			`{"medida":"meta.ejemplo","relacion":"zona","campo":"id","origen":"sin_declarar","existe":false}`,
		},
	} {
		if d := cmp.Diff(want, filas(t, h, relacion)); d != "" {
			t.Errorf("%s: %s", relacion, d)
		}
	}
}

func TestTrazar(t *testing.T) {
	m := cargar(t, `["medida","d.a",["desde",["unir",["unir",["de","a","a"],["de","b","b"]],["de","c","c"]],
		["donde",["o",[">",["campo","a","x"],1],["y",[">",["campo","b","x"],0],["no",[">",["campo","c","x"],9]]]]],
		["sin",["de","a","z"],["y",["==",["campo","z","x"],["campo","a","x"]],[">",["campo","z","x"],2]]],
		["agrupar",[["k",["campo","a","x"]]],[["n","contar",["y",true,false]]]],
		["donde",["no",["y",[">",["col","n"],100],false]]]],
		["resumen","contar",1],["umbral","<=",0,""],["alcance","a"]]`)
	ev, err := algebra.LeerEvidencia(`{"a":[{"x":1},{"x":2},{"x":3}],"b":[{"x":0},{"x":1}],"c":[{"x":5}]}`, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	h := hechos.Nuevos()
	if err := h.Trazar(context.Background(), m, ev, escalares.Internas(), algebra.LimitesAlgebra{}); err != nil {
		t.Fatal(err)
	}
	for relacion, want := range map[string][]string{
		"producto": {`{"izquierda":3,"derecha":2,"salida":6}`, `{"izquierda":6,"derecha":1,"salida":6}`},
		"paso": {
			`{"t":1,"operador":"donde","filas_antes":6,"filas_despues":5}`,
			`{"t":2,"operador":"sin","filas_antes":5,"filas_despues":3}`,
			`{"t":3,"operador":"agrupar","filas_antes":3,"filas_despues":2}`,
			`{"t":4,"operador":"donde","filas_antes":2,"filas_despues":2}`,
		},
		// The one inside «contar» is never computed, so no row reached it.
		"nodo": {
			`{"cabeza":"o","declarados":2,"evaluados":2}`, `{"cabeza":"y","declarados":2,"evaluados":2}`, `{"cabeza":"no","declarados":1,"evaluados":1}`,
			`{"cabeza":"y","declarados":2,"evaluados":2}`,
			`{"cabeza":"no","declarados":1,"evaluados":1}`, `{"cabeza":"y","declarados":2,"evaluados":2}`,
		},
	} {
		if d := cmp.Diff(want, filas(t, h, relacion)); d != "" {
			t.Errorf("%s: %s", relacion, d)
		}
	}
}

// TestTodoLoReificadoSeLee: what is written is evidence, whatever was added.
func TestTodoLoReificadoSeLee(t *testing.T) {
	h := hechos.Nuevos()
	h.Medida(cargar(t, medida))
	h.Caso(hechos.Caso{ID: "1"})
	h.MedidaEnUso("d.a", true, 0, -1)
	h.Sombra(hechos.Sombra{Medida: "d.a"})
	cota := algebra.NuevoEntero(3)
	h.Sombra(hechos.Sombra{Medida: "d.a", Valor: algebra.Flotante(1), Cota: &cota})
	h.Mutante("d.a", "quitar_filtro", 2, 1)
	ev, err := algebra.LeerEvidencia(h.AppendJSON(nil), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	var nombres []string
	for _, r := range ev.Relaciones() {
		nombres = append(nombres, r.Nombre)
		if r.Largo() != h.Cantidad(r.Nombre) {
			t.Errorf("%s: %d", r.Nombre, r.Largo())
		}
	}
	if d := cmp.Diff(relaciones.DelLenguaje(), nombres); d != "" {
		t.Error(d)
	}
	if got := filas(t, h, "mutante"); fmt.Sprint(got) != `[{"id":"d.a·quitar_filtro","apunta_a":"d.a","cambio":"quitar_filtro","tipo":"medida","detecciones_conductuales":2,"rechazos_del_algebra":1}]` {
		t.Error(got)
	}
	if got := filas(t, h, "sombra"); !strings.Contains(got[0], `"valor":0,"cota":0,"tiene_cota":false,"evaluada":false`) || !strings.Contains(got[1], `"valor":1.0,"cota":3,"tiene_cota":true,"evaluada":true`) {
		t.Error(got)
	}
}
