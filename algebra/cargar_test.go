package algebra_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
)

// cargar loads a measure written as canonical JSON.
func cargar(texto string, lim algebra.LimitesAlgebra) (*algebra.Medida, error) {
	n, err := algebra.LeerNodo([]byte(texto), lim)
	if err != nil {
		return nil, err
	}
	return algebra.Cargar(n, escalares.Internas(), lim)
}

// debeCargar is cargar for measures that must load.
func debeCargar(t testing.TB, texto string) *algebra.Medida {
	t.Helper()
	m, err := cargar(texto, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatalf("%s: %v", texto, err)
	}
	return m
}

// medida writes a measure around a pipeline.
func medida(tuberia, resumen, umbral string) string {
	return fmt.Sprintf(`["medida","d.m",["desde",%s],["resumen",%s],["umbral",%s,"p","contrato"],["alcance","a"]]`, tuberia, resumen, umbral)
}

const dePP = `["de","p","p"]`

func TestCargarRechaza(t *testing.T) {
	donde := func(e string) string { return medida(dePP+`,["donde",`+e+`]`, `"contar",1`, `"<=",0`) }
	casos := []struct{ nombre, texto, ruta string }{
		{"no es lista", `1`, ""},
		{"le falta el alcance", `["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",0,""]]`, ""},
		{"id sin dominio", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), "d.m", "m", 1), "1"},
		{"tubería sin fuente", `["medida","d.m",["desde"],["resumen","contar",1],["umbral","<=",0,""],["alcance","a"]]`, "2"},
		{"relación vacía", medida(`["de","","p"]`, `"contar",1`, `"<=",0`), "2.1.1"},
		{"alias reservado", medida(`["de","p","_"]`, `"contar",1`, `"<=",0`), "2.1.2"},
		{"alias repetido", medida(`["unir",["de","p","a"],["de","q","a"]]`, `"contar",1`, `"<=",0`), "2.1.2.2"},
		{"unir con tres", medida(`["unir",["de","p","a"],["de","q","b"],["de","q","c"]]`, `"contar",1`, `"<=",0`), "2.1"},
		{"paso desconocido", medida(dePP+`,["con",1]`, `"contar",1`, `"<=",0`), "2.2"},
		{"sin con alias activo", medida(dePP+`,["sin",["de","q","p"],true]`, `"contar",1`, `"<=",0`), "2.2.1.2"},
		{"sin con unir", medida(dePP+`,["sin",["unir",["de","q","s"],["de","q","t"]],true]`, `"contar",1`, `"<=",0`), "2.2.1"},
		{"columna repetida", medida(dePP+`,["agrupar",[["n",1]],[["n","contar",1]]]`, `"contar",1`, `"<=",0`), "2.2.2.0.0"},
		{"agregado desconocido", medida(dePP+`,["agrupar",[],[["n","mediana",1]]]`, `"contar",1`, `"<=",0`), "2.2.2.0.1"},
		{"clave con tres", medida(dePP+`,["agrupar",[["n",1,2]],[]]`, `"contar",1`, `"<=",0`), "2.2.1.0"},
		{"resumen desconocido", medida(dePP, `"moda",1`, `"<=",0`), "3.1"},
		{"comparador desconocido", medida(dePP, `"contar",1`, `"=",0`), "4.1"},
		{"límite nulo", medida(dePP, `"contar",1`, `"<=",null`), "4.2"},
		{"límite lista", medida(dePP, `"contar",1`, `"<=",[]`), "4.2"},
		{"límite infinito", medida(dePP, `"contar",1`, `"<=",1e999`), "4.2"},
		{"literal infinito", donde(`["<",["campo","p","x"],-1e999]`), "2.2.1.2"},
		{"comparador con tres", donde(`["==",1,2,3]`), "2.2.1"},
		{"y con uno", donde(`["y",true]`), "2.2.1"},
		{"no con dos", donde(`["no",true,true]`), "2.2.1"},
		{"campo con un texto", donde(`["campo","p"]`), "2.2.1"},
		{"campo con número", donde(`["campo","p",1]`), "2.2.1.2"},
		{"hecho sin alias", donde(`["hecho"]`), "2.2.1"},
		{"lista vacía", donde(`[]`), "2.2.1"},
		{"cabeza que no es texto", donde(`[1,2]`), "2.2.1"},
		{"escalar desconocida", donde(`["==",["raiz",1],1]`), "2.2.1.1"},
		{"aridad de escalar", donde(`["==",["mas",1],1]`), "2.2.1.1"},
		{"hueco de macro", donde(`["$","x"]`), "2.2.1"},
		{"requiere repite", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["requiere","q","q"],["alcance"`, 1), "5.2"},
		{"requiere lee una columna", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["requiere",["filas","q","r",["==",["col","x"],1]]],["alcance"`, 1), "5.1.3.1"},
		{"requiere lee otro alias", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["requiere",["filas","q","r",["==",["campo","p","x"],1]]],["alcance"`, 1), "5.1.3.1.1"},
		{"requiere no booleana", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["requiere",["filas","q","r",["y",true,["campo","r","x"]]]],["alcance"`, 1), "5.1.3"},
		{"ambito desconocido", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["ambito","mundial"],["alcance"`, 1), "5.1"},
		{"orden de los finales", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["ambito","universal"],["requiere","q"],["alcance"`, 1), "6"},
		{"alcance vacío", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance","a"]`, `["alcance",""]`, 1), "5.1"},
		{"segun desconocido", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `"contrato"`, `"corazonada"`, 1), "4.4"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := cargar(c.texto, algebra.LimitesAlgebra{})
			var e *algebra.ErrorDeCarga
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a load error", err)
			}
			if e.Ruta != c.ruta {
				t.Errorf("path %q, want %q (%v)", e.Ruta, c.ruta, e)
			}
		})
	}
}

func TestCargarNombraLaEscalar(t *testing.T) {
	_, err := cargar(medida(dePP, `"max",["penetracion",1]`, `"<=",0`), algebra.LimitesAlgebra{})
	var e *algebra.ErrorDeCarga
	if !errors.As(err, &e) || e.Clase != algebra.ClaseEscalarDesconocida || e.Nombre != "penetracion" {
		t.Fatalf("got %#v", err)
	}
}

func TestCanonicaPublicada(t *testing.T) {
	casos := []struct{ entra, sale string }{
		{`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",0,"x"],["alcance","a"]]`,
			`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",0,"x","sin_declarar"],["alcance","a"]]`},
		{`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",1.0,"x","tanteo"],["requiere"],["ambito","sin_declarar"],["alcance","a"]]`,
			`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",1.0,"x","tanteo"],["alcance","a"]]`},
		{`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",0,"x","tanteo"],["requiere","q",["filas","z","r",true]],["ambito","universal"],["alcance","a"]]`,
			`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",0,"x","tanteo"],["requiere","q",["filas","z","r",true]],["ambito","universal"],["alcance","a"]]`},
	}
	for _, c := range casos {
		if sale := debeCargar(t, c.entra).Canonica().String(); sale != c.sale {
			t.Errorf("got  %s\nwant %s", sale, c.sale)
		}
	}
}

func TestLeerNodoRechaza(t *testing.T) {
	casos := map[string]string{
		"vacío":              ``,
		"dos formas":         `[] []`,
		"objeto":             `["a",{"b":1}]`,
		"truncado":           `["a"`,
		"coma de más":        `["a",]`,
		"NaN":                `[NaN]`,
		"UTF-8 inválido":     "[\"\xff\"]",
		"sustituto suelto":   `["\ud800"]`,
		"marca de orden":     "\ufeff[]",
		"número mal escrito": `[01]`,
		"más de un mega":     `["` + strings.Repeat("a", algebra.TopeDeTexto) + `"]`,
	}
	for nombre, texto := range casos {
		_, err := algebra.LeerNodo([]byte(texto), algebra.LimitesAlgebra{})
		var e *algebra.ErrorDeCarga
		if !errors.As(err, &e) {
			t.Errorf("%s: got %v, want a load error", nombre, err)
		}
	}
}

func TestRelaciones(t *testing.T) {
	m := debeCargar(t, medida(`["unir",["de","q","a"],["de","p","b"]],["sin",["de","z","s"],false],["sin",["de","q","t"],false]`, `"contar",1`, `"<=",0`))
	if got := fmt.Sprint(m.Relaciones()); got != "[q p z]" {
		t.Errorf("got %s", got)
	}
}
