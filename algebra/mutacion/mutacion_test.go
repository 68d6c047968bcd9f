package mutacion_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/mutacion"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
	"github.com/oracle-mcp/oracle-mcp/fixtures/generar"
	"github.com/oracle-mcp/oracle-mcp/fixtures/vectores"
)

func cargar(t testing.TB, forma string) *algebra.Medida {
	t.Helper()
	n, err := algebra.LeerNodo([]byte(forma), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// medida is the form of a measure given its pipeline, summary and threshold.
func medida(tuberia, resumen, umbral, resto string) string {
	return fmt.Sprintf(`["medida","d.m",["desde",%s],["resumen",%s],["umbral",%s,""],%s["alcance","a"]]`, tuberia, resumen, umbral, resto)
}

// uno returns the form of the only mutant with that id, or "".
func uno(t *testing.T, m *algebra.Medida, id string) string {
	t.Helper()
	var forma string
	for x := range mutacion.Todos(m) {
		if x.ID != id {
			continue
		}
		if forma != "" {
			t.Errorf("%s comes twice", id)
		}
		forma = x.Forma().String()
	}
	return forma
}

func TestFronteras(t *testing.T) {
	const p = `["de","p","p"]`
	casos := []struct {
		nombre, tuberia, resumen, umbral, resto string
		id                                      string
		quiere                                  string // a part of the form; "" when there is none
	}{
		{"integer past 64 bits", p, `"contar",1`, `"<=",9223372036854775807`, "", "aflojar_umbral", `["umbral","<=",9223372036854775808,`},
		{"the next float down", p, `"contar",1`, `">",1.0`, "", "aflojar_umbral", `["umbral",">",0.9999999999999999,`},
		{"the next float up from zero", p, `"contar",1`, `"<",0.0`, "", "aflojar_umbral", `["umbral","<",5e-324,`},
		{"the largest float has no next", p, `"contar",1`, `"<",1.7976931348623157e308`, "", "aflojar_umbral", ""},
		{"a boolean has no next", p, `"contar",1`, `"<",true`, "", "aflojar_umbral", ""},
		{"a text has no next", p, `"max",["campo","p","t"]`, `"<","a"`, "", "aflojar_umbral", ""},
		{"equality has no side", p, `"contar",1`, `"!=",3`, "", "aflojar_umbral", ""},

		{"one more", p, `"contar",1`, `"<",0.5`, "", "aflojar_cota_superior", `["umbral","<",1.5,`},
		{"twice, where one does not move", p, `"contar",1`, `"<",1e16`, "", "aflojar_cota_superior", `["umbral","<",2e+16,`},
		{"one, at the last float it moves", p, `"contar",1`, `"<",9007199254740991.0`, "", "aflojar_cota_superior", `["umbral","<",9007199254740992.0,`},
		{"half, where negative", p, `"contar",1`, `"<",-1e16`, "", "aflojar_cota_superior", `["umbral","<",-5000000000000000.0,`},
		{"twice down, where negative", p, `"contar",1`, `">",-1e17`, "", "aflojar_cota_inferior", `["umbral",">",-2e+17,`},
		{"half down", p, `"contar",1`, `">=",1e300`, "", "aflojar_cota_inferior", `["umbral",">=",5e+299,`},
		{"not finite", p, `"contar",1`, `">=",-1.7e308`, "", "aflojar_cota_inferior", ""},
		{"not of a boolean", p, `"contar",1`, `">=",true`, "", "aflojar_cota_inferior", ""},
		{"not of an upper bound", p, `"contar",1`, `"<=",3`, "", "aflojar_cota_inferior", ""},

		{"zero approves a float", p, `"contar",1`, `"==",0.0`, "", "vaciar_tuberia_si_cero_aprueba", `["donde",false]]`},
		{"zero approves a boolean", p, `"contar",1`, `"==",false`, "", "vaciar_tuberia_si_cero_aprueba", `["donde",false]]`},
		{"zero is not the other boolean", p, `"contar",1`, `"==",true`, "", "vaciar_tuberia_si_cero_aprueba", ""},
		{"zero differs", p, `"contar",1`, `"!=",5`, "", "vaciar_tuberia_si_cero_aprueba", `["donde",false]]`},
		{"zero and a big integer", p, `"contar",1`, `">",-99999999999999999999999`, "", "vaciar_tuberia_si_cero_aprueba", `["donde",false]]`},
		{"zero and a text", p, `"contar",1`, `"!=","a"`, "", "vaciar_tuberia_si_cero_aprueba", ""},

		{"existence of one", p, `"contar",1`, `"<=",1`, "", "convertir_conteo_en_existencia", `["resumen","max",1]`},
		{"at most zero is existence already", p, `"contar",1`, `"<=",0.0`, "", "convertir_conteo_en_existencia", ""},
		{"but less than a float over it is not", p, `"contar",1`, `"<",0.5`, "", "convertir_conteo_en_existencia", `["resumen","max",1]`},
		{"nor at most false", p, `"contar",1`, `"<=",false`, "", "convertir_conteo_en_existencia", `["resumen","max",1]`},
		{"nothing approves", p, `"contar",1`, `"<",0`, "", "convertir_conteo_en_existencia", ""},
		{"the other way", p, `"contar",1`, `">=",0`, "", "convertir_conteo_en_existencia", ""},

		{"a sum of a literal", p, `"suma",true`, `"<=",2`, "", "suma_de_indicadores_por_maximo", `["resumen","max",true]`},
		{"a sum of a field is no predicate", p, `"suma",["campo","p","n"]`, `"<=",2`, "", "suma_de_indicadores_por_maximo", ""},
		{"a sum zero does not satisfy", p, `"suma",["no",true]`, `"<",0`, "", "suma_de_indicadores_por_maximo", ""},
		{"an average of a logical", p, `"promedio",["y",true,true]`, `"<",0.5`, "", "promedio_por_minimo", `["resumen","min",`},

		{"only what comes after the last agrupar", p + `,["donde",["<=",["campo","p","n"],1]],["agrupar",[["k",["campo","p","k"]]],[]],["donde",[">=",["col","k"],2]]`,
			`"contar",1`, `"<=",0`, "", "hacer_estricta_comparacion_interna", `["donde",[">",["col","k"],2]]`},
		{"filters before predicate", p + `,["donde",true]`, `"suma",["o",["==",1,1],false]`, `"<=",0`, "", "conservar_una_rama_de_disyuncion", `["resumen","suma",["==",1,1]]`},
		{"inside the condition first", p + `,["donde",["no",["o",true,false]]]`, `"suma",["o",false,true]`, `"<=",0`, "", "conservar_una_rama_de_disyuncion", `["donde",["no",true]]`},
		{"not of a maximum", p + `,["donde",["o",true,false]]`, `"max",1`, `"<=",0`, "", "conservar_una_rama_de_disyuncion", ""},
		{"inside a scalar too", p + `,["donde",["==",["mas",1,["y",true,false]],1]]`, `"contar",1`, `">",0`, "", "quitar_un_termino_de_conjuncion", `["donde",["==",["mas",1,true],1]]`},
		{"a number at the right", p + `,["donde",["y",["<",3,["campo","p","n"]],["<",["campo","p","n"],true],[">=",["campo","p","n"],10]]]`, `"contar",1`, `"<",2`, "",
			"alejar_limite_de_defecto", `[">=",["campo","p","n"],11]`},
		{"less, with less than", p + `,["donde",["<",["campo","p","n"],10]]`, `"contar",1`, `"<",2`, "", "alejar_limite_de_defecto", `["<",["campo","p","n"],9]`},
		{"the first that fits decides", p + `,["donde",["y",[">",["campo","p","n"],1.7e308],[">",["campo","p","n"],3]]]`, `"contar",1`, `"<",2`, "", "alejar_limite_de_defecto", ""},
		{"nearer", p + `,["donde",["<=",["campo","p","n"],10]]`, `"contar",1`, `">",2`, "", "acercar_limite_de_requisito", `["<=",["campo","p","n"],11]`},
		{"the first filter after the group", p + `,["donde",true],["agrupar",[],[]],["donde",["==",1,1]],["donde",["==",2,2]]`, `"contar",1`, `">",2`, "",
			"eliminar_filtro_de_requisito", `["donde",true],["agrupar",[],[]],["donde",["==",2,2]]]`},
		{"none after the group", p + `,["donde",true],["agrupar",[],[]]`, `"contar",1`, `">",2`, "", "eliminar_filtro_de_requisito", ""},
		{"a key, with a filter after", p + `,["agrupar",[["a",1],["b",2]],[]],["donde",true]`, `"contar",1`, `"<",2`, "", "quitar_clave_de_agrupamiento", ""},
		{"the last key of three", p + `,["agrupar",[["a",1],["b",2],["c",3]],[]]`, `"contar",1`, `"<",2`, "", "quitar_clave_de_agrupamiento", `["agrupar",[["a",1],["b",2]],[]]`},

		{"the right side first", `["unir",["de","p","a"],["de","q","b"]]`, `"contar",1`, `"<",2`, `["requiere","p","q"],`, "quitar_factor_no_observado_del_producto", `["desde",["de","p","a"]]`},
		{"the left side", `["unir",["unir",["de","p","a"],["de","r","c"]],["de","q","b"]],["donde",[">",["campo","b","n"],1]]`, `"contar",1`, `"<",2`, `["requiere","p","q","r"],`,
			"quitar_factor_no_observado_del_producto", `["desde",["de","q","b"],["donde"`},
		{"not with a condition", `["unir",["de","p","a"],["de","q","b"]],["donde",[">",["campo","a","n"],1]]`, `"contar",1`, `"<",2`, `["requiere",["filas","q","x",true]],`,
			"quitar_factor_no_observado_del_producto", ""},
		{"used by sin", `["unir",["de","p","a"],["de","q","b"]],["sin",["de","r","c"],["==",["campo","c","n"],["campo","b","n"]]]`, `"contar",1`, `"<",2`, `["requiere","q"],`,
			"quitar_factor_no_observado_del_producto", ""},
		{"used whole by the summary", `["unir",["de","p","a"],["de","q","b"]]`, `"contar",["hecho","b"]`, `"<",2`, `["requiere","q"],`,
			"quitar_factor_no_observado_del_producto", ""},
		{"not with groups", `["unir",["de","p","a"],["de","q","b"]],["agrupar",[],[]]`, `"contar",1`, `"<",2`, `["requiere","q"],`,
			"quitar_factor_no_observado_del_producto", ""},

		{"what sin reads does not count", p + `,["sin",["de","q","s"],["==",["campo","s","x"],["campo","p","y"]]]`, `"max",["campo","p","n"]`, `"<",2`, "", "campo:3.2.2:n→y", ""},
		{"a column nobody declares", p + `,["agrupar",[["k",1]],[]],["donde",["==",["col","z"],1]]`, `"max",["col","k"]`, `"<",2`, "", "campo:2.3.1.1.1:z→k", `["col","k"],1]`},
		{"literals in an aggregate that counts", p + `,["agrupar",[],[["k","contar",true]]]`, `"contar",1`, `"<",2`, "", "expresion:booleano@2.2.2.0.2", `["k","contar",false]`},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			m := cargar(t, medida(c.tuberia, c.resumen, c.umbral, c.resto))
			got := uno(t, m, c.id)
			if c.quiere == "" && got != "" || !strings.Contains(got, c.quiere) {
				t.Errorf("%s gives %q, want %q", c.id, got, c.quiere)
			}
		})
	}
}

func TestFrases(t *testing.T) {
	m := cargar(t, `["medida","d.m",["desde",["unir",["de","p","a"],["de","q","b"]],
		["donde",["y",["==",["campo","a","id"],["campo","b","ref"]],["no",[">=",["mas",["campo","a","n"],["por",2,["campo","b","n"]]],3]]]],
		["sin",["de","x","s"],["==",["campo","s","id"],["campo","a","id"]]],
		["agrupar",[["zona",["campo","a","id"]],["piso",["campo","a","n"]]],[["k","contar",1]]]],
		["resumen","contar",1],["umbral","<=",2,"",  "contrato"],["requiere","p"],["alcance","a"]]`)
	var got []string
	for x := range mutacion.Todos(m) {
		got = append(got, x.ID+": "+x.Cambio)
	}
	quiere := []string{
		"aflojar_umbral: afloja el umbral al valor siguiente: <= 3 en vez de <= 2",
		"invertir_comparador: invierte el umbral: > 2 en vez de <= 2",
		"quitar_filtro: quita todos los donde: pasan también las filas que se dejaban afuera",
		"quitar_requiere: quita requiere: la falta de evidencia deja de notarse",
		"negar_filtro: niega cada donde: pasan las filas que se dejaban afuera, y sólo ésas",
		"quitar_antijunta: quita todos los sin: lo exceptuado deja de exceptuarse",
		"aflojar_cota_superior: sube la cota: <= 3 en vez de <= 2",
		"quitar_requisitos_de_evidencia: no exige ninguna evidencia: una relación vacía se juzga como si alguien hubiera mirado",
		"vaciar_tuberia_si_cero_aprueba: agrega un donde false al final: no llega ninguna fila, y con cero aprueba",
		"convertir_conteo_en_existencia: cuenta si hay alguna fila en vez de cuántas hay",
		"quitar_clave_de_agrupamiento: agrupa sin la clave «piso»: grupos distintos se funden en uno",
		"fuente:2.1.1.1:p→q: el alias «a» sale de «q» en vez de «p»",
		"fuente:2.1.2.1:q→p: el alias «b» sale de «p» en vez de «q»",
		"expresion:logico@2.2.1:y→o: en el donde del paso 1, pone o donde decía y: a.id == b.ref y no (…)",
		"expresion:comparador@2.2.1.1:==→!=: en el donde del paso 1, invierte una comparación: a.id != b.ref en vez de a.id == b.ref",
		"expresion:quitar_no@2.2.1.2: en el donde del paso 1, quita un no: no (… >= 3)",
		"expresion:comparador@2.2.1.2.1:>=→<: en el donde del paso 1, invierte una comparación: mas(a.n, …) < 3 en vez de mas(a.n, …) >= 3",
		"agregado:3.1:contar→suma(0): en el resumen, usa suma(0), que siempre da cero, en vez de contar",
		"agregado:2.4.2.0.1:contar→suma(0): en el agregado «k» del paso 3, usa suma(0), que siempre da cero, en vez de contar",
		"campo:2.2.1.1.1.2:id→n: en el donde del paso 1, lee a.n en vez de a.id",
		"campo:2.2.1.1.2.2:ref→n: en el donde del paso 1, lee b.n en vez de b.ref",
		"campo:2.2.1.2.1.1.1.2:n→id: en el donde del paso 1, lee a.id en vez de a.n",
		"campo:2.2.1.2.1.1.2.2.2:n→ref: en el donde del paso 1, lee b.ref en vez de b.n",
		"campo:2.4.1.0.1.2:id→n: en la clave «zona» del paso 3, lee a.n en vez de a.id",
		"campo:2.4.1.1.1.2:n→id: en la clave «piso» del paso 3, lee a.id en vez de a.n",
	}
	if d := cmp.Diff(quiere, got); d != "" {
		t.Error(d)
	}
}

// comprobar holds what every mutant of every measure keeps.
func comprobar(t *testing.T, m *algebra.Medida, ids map[string]int) {
	t.Helper()
	antes := m.Canonica().String()
	formas := map[string]string{}
	for x := range mutacion.Todos(m) {
		nombre, _, _ := strings.Cut(x.ID, ":")
		ids[nombre]++
		forma := x.Forma().String()
		if otra := x.Forma().String(); otra != forma {
			t.Errorf("%s of %s is two forms:\n%s\n%s", x.ID, antes, forma, otra)
		}
		if forma == antes {
			t.Errorf("%s of %s changes nothing", x.ID, antes)
		}
		if ya, hay := formas[x.ID]; hay && ya != forma {
			t.Errorf("%s of %s is two mutants", x.ID, antes)
		}
		formas[x.ID] = forma
		if x.Cambio == "" || strings.ContainsAny(x.Cambio, "\n\r") || strings.HasSuffix(x.Cambio, ".") {
			t.Errorf("%s says %q", x.ID, x.Cambio)
		}
		n, err := algebra.LeerNodo([]byte(forma), algebra.LimitesAlgebra{})
		if err != nil || !n.Igual(x.Forma()) {
			t.Errorf("%s of %s is no canonical form: %v", x.ID, antes, err)
			continue
		}
		if otra, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{}); err == nil && !otra.Canonica().Igual(n) {
			t.Errorf("%s of %s loads as another form:\n%s\n%s", x.ID, antes, n, otra.Canonica())
		}
	}
	if despues := m.Canonica().String(); despues != antes {
		t.Errorf("the original changed:\n%s\n%s", antes, despues)
	}
}

func TestTodosLosVectores(t *testing.T) {
	ids := map[string]int{}
	archivos, err := filepath.Glob(filepath.Join(casa.Raiz(t), "fixtures", "vectores", "mutantes*.jsonl"))
	if err != nil || len(archivos) < 2 {
		t.Fatalf("%v, %v", archivos, err)
	}
	for _, a := range archivos {
		vs, err := vectores.Leer(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range vs {
			comprobar(t, cargar(t, string(v.Medida)), ids)
		}
	}
	// The thirty of the table and the four structural kinds: all are met.
	if len(ids) != 30+4 {
		t.Errorf("the vectors reach %d mutators: %v", len(ids), ids)
	}
}

func TestGenerados(t *testing.T) {
	ids := map[string]int{}
	for i := range uint64(1000) {
		m, err := algebra.Cargar(generar.Nuevo(11, i).Medida, escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatal(err)
		}
		comprobar(t, m, ids)
	}
}

func TestSeDetieneCuandoNoQuierenMas(t *testing.T) {
	m := cargar(t, medida(`["unir",["de","p","a"],["de","q","b"]],["donde",["y",true,[">",["campo","a","n"],["campo","a","m"]]]]`, `"contar",1`, `"<",2`, ""))
	total := 0
	for range mutacion.Todos(m) {
		total++
	}
	for n := 1; n <= total; n++ {
		van := 0
		for range mutacion.Todos(m) {
			if van++; van == n {
				break
			}
		}
		if van != n {
			t.Errorf("stopping at %d takes %d", n, van)
		}
	}
}

// Many mutants are gone over without building their forms.
func TestMuchosMutantesSinSusFormas(t *testing.T) {
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, `,["==",["campo","p","c%d"],1]`, i)
	}
	m := cargar(t, medida(`["de","p","p"],["donde",["o"`+b.String()+`]]`, `"contar",1`, `"<",2`, ""))
	n := 0
	for range mutacion.Todos(m) {
		n++
	}
	if n < 200*199 {
		t.Errorf("%d mutants", n)
	}
}

func FuzzTodos(f *testing.F) {
	f.Add([]byte{1, 2, 3})
	f.Fuzz(func(t *testing.T, datos []byte) {
		m, err := algebra.Cargar(generar.DeBytes(datos).Medida, escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil {
			t.Skip()
		}
		comprobar(t, m, map[string]int{})
	})
}

func ExampleTodos() {
	n, _ := algebra.LeerNodo([]byte(`["medida","stock.bajo",["desde",["de","saldo","s"],["donde",["<",["campo","s","n"],0]]],
		["resumen","contar",1],["umbral","==",0,"","contrato"],["alcance","no ve lo reservado"]]`), algebra.LimitesAlgebra{})
	m, _ := algebra.Cargar(n, nil, algebra.LimitesAlgebra{})
	for x := range mutacion.Todos(m) {
		fmt.Println(x.ID + ": " + x.Cambio)
	}
	// Output:
	// invertir_comparador: invierte el umbral: != 0 en vez de == 0
	// quitar_filtro: quita todos los donde: pasan también las filas que se dejaban afuera
	// negar_filtro: niega cada donde: pasan las filas que se dejaban afuera, y sólo ésas
	// igualdad_como_cota_superior: no exige el valor justo, alcanza con no pasarse: <= 0 en vez de == 0
	// igualdad_como_cota_inferior: no exige el valor justo, alcanza con llegar: >= 0 en vez de == 0
	// vaciar_tuberia_si_cero_aprueba: agrega un donde false al final: no llega ninguna fila, y con cero aprueba
	// expresion:comparador@2.2.1:<→>=: en el donde del paso 1, invierte una comparación: s.n >= 0 en vez de s.n < 0
	// agregado:3.1:contar→suma(0): en el resumen, usa suma(0), que siempre da cero, en vez de contar
}
