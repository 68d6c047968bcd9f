package macro_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/fixtures/procesador"
)

func nodo(t testing.TB, texto string) algebra.Nodo {
	t.Helper()
	n, err := algebra.LeerNodo([]byte(texto), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatalf("%s: %v", texto, err)
	}
	return n
}

func declarar(t testing.TB, texto string) *macro.Macro {
	t.Helper()
	m, err := macro.Declarar(nodo(t, texto), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatalf("%s: %v", texto, err)
	}
	return m
}

func tabla(t testing.TB, macros ...string) *macro.Tabla {
	t.Helper()
	tb := macro.Estandar()
	for _, texto := range macros {
		var err error
		if tb, err = tb.Con(declarar(t, texto)); err != nil {
			t.Fatal(err)
		}
	}
	return tb
}

func TestEstandar(t *testing.T) {
	quiero := []string{"ninguno", "ninguno-par", "ninguno-par-requiere", "ninguno-requiere", "peor", "peor-requiere"}
	if d := cmp.Diff(quiero, macro.Estandar().Nombres()); d != "" {
		t.Error(d)
	}
	comunes := []string{"porque", "segun", "ambito", "alcance"}
	parametros := map[string][]string{
		"ninguno":     {"id", "relacion", "alias", "predicado"},
		"ninguno-par": {"id", "relacion", "aliasA", "aliasB", "predicado"},
		"peor":        {"id", "relacion", "alias", "expresion", "tolerancia"},
	}
	for _, nombre := range quiero {
		m := macro.Estandar().Buscar(nombre)
		if d := cmp.Diff(append(parametros[strings.TrimSuffix(nombre, "-requiere")], comunes...), m.Parametros()); d != "" {
			t.Errorf("%s: %s", nombre, d)
		}
	}
	archivos, err := filepath.Glob("estandar/*")
	if err != nil || len(archivos) != len(quiero) {
		t.Fatalf("%v %v", archivos, err)
	}
	for _, a := range archivos {
		texto, err := os.ReadFile(a)
		if err != nil || !json.Valid(texto) {
			t.Errorf("%s: %v", a, err)
		}
		m := declarar(t, string(texto))
		if m.Nombre()+".json" != filepath.Base(a) {
			t.Errorf("%s declara «%s»", a, m.Nombre())
		}
	}
}

func TestExpandir(t *testing.T) {
	const comun = `"x","contrato","universal","a"]`
	casos := []struct{ nombre, invocacion, quiero string }{
		{"ninguno", `["ninguno","d.m","p","a",true,` + comun,
			`["medida","d.m",["desde",["de","p","a"],["donde",true]],["resumen","contar",1],["umbral","<=",0,"x","contrato"],["ambito","universal"],["alcance","a"]]`},
		{"ninguno-par", `["ninguno-par","d.m","p","a","b",["<",["campo","a","x"],["campo","b","x"]],` + comun,
			`["medida","d.m",["desde",["unir",["de","p","a"],["de","p","b"]],["donde",["<",["campo","a","x"],["campo","b","x"]]]],["resumen","contar",1],["umbral","<=",0,"x","contrato"],["ambito","universal"],["alcance","a"]]`},
		{"peor-requiere", `["peor-requiere","d.m","p","a",["campo","a","x"],3,` + comun,
			`["medida","d.m",["desde",["de","p","a"],["donde",[">",["campo","a","x"],3]]],["resumen","max",["campo","a","x"]],["umbral","<=",3,"x","contrato"],["requiere","p"],["ambito","universal"],["alcance","a"]]`},
		{"sin ámbito", `["ninguno","d.m","p","a",true,"x","contrato","n"]`,
			`["medida","d.m",["desde",["de","p","a"],["donde",true]],["resumen","contar",1],["umbral","<=",0,"x","contrato"],["ambito","sin_declarar"],["alcance","n"]]`},
		{"sin segun ni ámbito", `["ninguno","d.m","p","a",true,"x","n"]`,
			`["medida","d.m",["desde",["de","p","a"],["donde",true]],["resumen","contar",1],["umbral","<=",0,"x","sin_declarar"],["ambito","sin_declarar"],["alcance","n"]]`},
		{"dos vueltas", `["dos","d.m","p"]`,
			`["medida","d.m",["desde",["de","p","p"],["donde",["==","p","p"]]],["resumen","contar",1],["umbral","<=",0,"w","tanteo"],["ambito","universal"],["alcance","n"]]`},
		{"una medida no se toca", `["medida","ninguno"]`, `["medida","ninguno"]`},
		{"sólo la raíz se expande", `["otra",["ninguno","d.m"]]`, `["otra",["ninguno","d.m"]]`},
	}
	tb := tabla(t, `["defmacro","dos",["id","r"],[],["ninguno",["$","id"],["$","r"],["$","r"],["==",["$","r"],["$","r"]],"w","tanteo","universal","n"]]`)
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			n, err := tb.Expandir(nodo(t, c.invocacion), algebra.LimitesAlgebra{})
			if err != nil {
				t.Fatal(err)
			}
			if n.String() != c.quiero {
				t.Error(cmp.Diff(c.quiero, n.String()))
			}
		})
	}
	var ninguna *macro.Tabla
	n := nodo(t, casos[0].invocacion)
	if igual, err := ninguna.Expandir(n, algebra.LimitesAlgebra{}); err != nil || !igual.Igual(n) {
		t.Error("una tabla nula no expande nada:", err)
	}
}

// rutaDe returns the path of an error of loading and whether it is one.
func rutaDe(err error) (string, bool) {
	var e *algebra.ErrorDeCarga
	if errors.As(err, &e) {
		return e.Ruta, true
	}
	return "", false
}

func TestExpandirMal(t *testing.T) {
	casos := []struct{ nombre, invocacion string }{
		{"tres argumentos de menos", `["ninguno","d.m","p","a","x","n"]`},
		{"uno de más", `["ninguno","d.m","p","a",true,"x","contrato","universal","a","b"]`},
		{"sin argumentos", `["ninguno"]`},
		{"uno de menos sin ámbito que omitir", `["corta","d.m"]`},
		{"guarda", `["ninguno-par","d.m","p","a","a",true,"x","contrato","universal","a"]`},
	}
	tb := tabla(t, `["defmacro","corta",["id","r"],[],["ninguno",["$","id"],["$","r"],"a",true,"x","n"]]`)
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := tb.Expandir(nodo(t, c.invocacion), algebra.LimitesAlgebra{})
			if ruta, ok := rutaDe(err); !ok || ruta != "" {
				t.Errorf("llegó %T %v", err, err)
			}
		})
	}
}

func TestDeclarar(t *testing.T) {
	const plantilla = `["medida",["$","id"]]`
	casos := []struct{ nombre, texto, ruta string }{
		{"otra cosa", `["medida"]`, ""},
		{"una hoja", `"defmacro"`, ""},
		{"falta la plantilla", `["defmacro","m",["id"],[]]`, ""},
		{"nombre que no es texto", `["defmacro",1,["id"],[],` + plantilla + `]`, "1"},
		{"nombre con guion adelante", `["defmacro","-m",["id"],[],` + plantilla + `]`, "1"},
		{"palabra del lenguaje", `["defmacro","medida",["id"],[],` + plantilla + `]`, "1"},
		{"sin parámetros", `["defmacro","m",[],[],` + plantilla + `]`, "2"},
		{"parámetro con guion", `["defmacro","m",["id","a-b"],[],` + plantilla + `]`, "2.1"},
		{"parámetro repetido", `["defmacro","m",["id","id"],[],` + plantilla + `]`, "2.1"},
		{"parámetro sin usar", `["defmacro","m",["id","a"],[],` + plantilla + `]`, "2.1"},
		{"guardas que no son lista", `["defmacro","m",["id"],"g",` + plantilla + `]`, "3"},
		{"guarda sin mensaje", `["defmacro","m",["id"],[["guarda",true]],` + plantilla + `]`, "3.0"},
		{"mensaje vacío", `["defmacro","m",["id"],[["guarda",true,""]],` + plantilla + `]`, "3.0.2"},
		{"hueco desconocido en una guarda", `["defmacro","m",["id"],[["guarda",["==",["$","x"],1],"g"]],` + plantilla + `]`, "3.0.1.1"},
		{"hueco desconocido", `["defmacro","m",["id"],[],["medida",["$","id"],["f",["$","x"]]]]`, "4.2.1"},
		{"hueco mal formado", `["defmacro","m",["id"],[],["medida",["$","id"],["$"]]]`, "4.2"},
		{"plantilla que es una hoja", `["defmacro","m",["id"],[],"medida"]`, "4"},
		{"plantilla que es un hueco", `["defmacro","m",["id"],[],["$","id"]]`, "4"},
		{"plantilla que es una macro", `["defmacro","m",["id"],[],["defmacro",["$","id"]]]`, "4"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := macro.Declarar(nodo(t, c.texto), algebra.LimitesAlgebra{})
			if ruta, ok := rutaDe(err); !ok || ruta != c.ruta {
				t.Errorf("queríamos %q y llegó %q: %v", c.ruta, ruta, err)
			}
		})
	}
	n := nodo(t, `["defmacro","m",["id"],[],["medida",["$","id"]]]`)
	for _, tope := range []int64{n.Contar(1000), n.Contar(1000) - 1} {
		_, err := macro.Declarar(n, algebra.LimitesAlgebra{NodosDeMedida: tope})
		var limite *algebra.LimiteError
		if errors.As(err, &limite) != (tope < n.Contar(1000)) {
			t.Errorf("con %d nodos: %v", tope, err)
		}
	}
}

func TestNoTapa(t *testing.T) {
	antes := macro.Estandar()
	_, err := antes.Con(declarar(t, `["defmacro","ninguno",["id"],[],["medida",["$","id"]]]`))
	if _, ok := rutaDe(err); !ok {
		t.Errorf("llegó %v", err)
	}
	despues, err := antes.Con(declarar(t, `["defmacro","nueva",["id"],[],["medida",["$","id"]]]`))
	if err != nil || despues.Buscar("nueva") == nil || antes.Buscar("nueva") != nil {
		t.Error("la tabla cambió en su lugar, o no trae la nueva:", err)
	}
}

// cadena returns macros that expand one into the next, n of them.
func cadena(n int) []string {
	var m []string
	for i := 1; i <= n; i++ {
		plantilla := fmt.Sprintf(`["m%d",["$","id"]]`, i+1)
		if i == n {
			plantilla = `["medida",["$","id"]]`
		}
		m = append(m, fmt.Sprintf(`["defmacro","m%d",["id"],[],%s]`, i, plantilla))
	}
	return m
}

func TestLimites(t *testing.T) {
	quiere := func(err error, nombre string, observado, tope int64) {
		t.Helper()
		var limite *algebra.LimiteError
		if !errors.As(err, &limite) || limite.Nombre != nombre || limite.Observado != observado || limite.Limite != tope {
			t.Errorf("queríamos %s %d sobre %d, llegó %v", nombre, observado, tope, err)
		}
	}
	invocacion := nodo(t, `["m1","d.m"]`)
	if _, err := tabla(t, cadena(16)...).Expandir(invocacion, algebra.LimitesAlgebra{}); err != nil {
		t.Error("dieciséis vueltas:", err)
	}
	_, err := tabla(t, cadena(17)...).Expandir(invocacion, algebra.LimitesAlgebra{})
	quiere(err, algebra.LimiteExpansiones, 17, 16)
	_, err = tabla(t, `["defmacro","m1",["id"],[],["m1",["$","id"]]]`).Expandir(invocacion, algebra.LimitesAlgebra{ExpansionesMaximas: 3})
	quiere(err, algebra.LimiteExpansiones, 4, 3)

	tb := tabla(t, `["defmacro","doble",["id","x"],[],["medida",["$","id"],["$","x"],["$","x"]]]`)
	doble := nodo(t, `["doble","d.m",["f",1]]`) // expands into 9 nodes
	if n, err := tb.Expandir(doble, algebra.LimitesAlgebra{NodosDeMedida: 9}); err != nil || n.Contar(100) != 9 {
		t.Error("nueve nodos:", err)
	}
	_, err = tb.Expandir(doble, algebra.LimitesAlgebra{NodosDeMedida: 8})
	quiere(err, algebra.LimiteNodosDeMedida, 9, 8)
}

// TestExplosion expands macros that double their argument in every round. It
// has to be refused before it is built.
func TestExplosion(t *testing.T) {
	var macros []string
	for i := 1; i <= 60; i++ {
		macros = append(macros, fmt.Sprintf(`["defmacro","e%d",["id","x"],[],["e%d",["$","id"],["f",["$","x"],["$","x"]]]]`, i, i+1))
	}
	inicio := procesador.Usado()
	_, err := tabla(t, macros...).Expandir(nodo(t, `["e1","d.m",1]`), algebra.LimitesAlgebra{ExpansionesMaximas: 64})
	var limite *algebra.LimiteError
	if !errors.As(err, &limite) || limite.Nombre != algebra.LimiteNodosDeMedida {
		t.Errorf("llegó %v", err)
	}
	// One round whose template repeats the hole thousands of times.
	ancha := `["defmacro","ancha",["id","x"],[],["medida",["$","id"]` + strings.Repeat(`,["$","x"]`, 6000) + `]]`
	_, err = tabla(t, ancha).Expandir(nodo(t, `["ancha","d.m",["f"`+strings.Repeat(",1", 10000)+`]]`), algebra.LimitesAlgebra{})
	if !errors.As(err, &limite) || limite.Nombre != algebra.LimiteNodosDeMedida {
		t.Errorf("llegó %v", err)
	}
	if d := procesador.Usado() - inicio; d > time.Second {
		t.Errorf("tardó %v", d)
	}
}

// afirma is a scalar that returns its argument.
type afirma struct{}

func (afirma) Buscar(nombre string) *algebra.Escalar {
	if nombre != "afirma" {
		return nil
	}
	return &algebra.Escalar{Nombre: nombre, Min: 1, Max: 1, Aplicar: func(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna { return args[0] }}
}

func TestGuardas(t *testing.T) {
	casos := []struct{ cond, x, quiero string }{
		{`["!=",["$","x"],"b"]`, `"a"`, ""},
		{`["!=",["$","x"],"b"]`, `"b"`, "no vale"},
		{`["<",["$","x"],9007199254740993]`, `9007199254740992`, ""},
		{`["<",["$","x"],9007199254740993]`, `9007199254740993.0`, ""},
		{`["y",["no",["==",["$","x"],1]],["<",["$","x"],3]]`, `2`, ""},
		{`["o",true,["$","x"]]`, `"a"`, "no se puede evaluar"},
		{`["y",false,["==",["$","x"],1]]`, `null`, "no se puede evaluar"},
		{`["==",["$","x"],1]`, `1.0`, "no se puede evaluar"},
		{`["==",["$","x"],1]`, `"1"`, "no se puede evaluar"},
		{`["$","x"]`, `1`, "no se puede evaluar"},
		{`["$","x"]`, `true`, ""},
		{`["$","x"]`, `["campo","p","y"]`, "no se puede evaluar"},
		{`["==",["$","x"],1]`, `["col","y"]`, "no se puede evaluar"},
		{`["==",["$","x"],1]`, `["hecho","y"]`, "no se puede evaluar"},
		{`["no",["$","x"],["$","x"]]`, `true`, "no se puede evaluar"},
		{`["afirma",["$","x"]]`, `true`, ""},
		{`["afirma",["$","x"]]`, `false`, "no vale"},
		{`["afirma",["$","x"]]`, `1`, "no se puede evaluar"},
		{`["otra",["$","x"]]`, `1`, "no se puede evaluar"},
	}
	for _, c := range casos {
		t.Run(c.cond+" con "+c.x, func(t *testing.T) {
			tb := tabla(t, `["defmacro","m",["id","x"],[["guarda",`+c.cond+`,"no vale"]],["medida",["$","id"],["$","x"]]]`).ConEscalares(afirma{})
			_, err := tb.Expandir(nodo(t, `["m","d.m",`+c.x+`]`), algebra.LimitesAlgebra{})
			var carga *algebra.ErrorDeCarga
			switch {
			case c.quiero == "":
				if err != nil {
					t.Error(err)
				}
			case !errors.As(err, &carga) || !strings.Contains(carga.Motivo, c.quiero):
				t.Errorf("queríamos %q, llegó %T %v", c.quiero, err, err)
			}
		})
	}
	// A scalar nobody declared keeps its name, so that whoever serves can tell
	// it from one that may not run.
	tb := tabla(t, `["defmacro","m",["id"],[["guarda",["ajena",["$","id"]],"no vale"]],["medida",["$","id"]]]`)
	_, err := tb.Expandir(nodo(t, `["m","d.m"]`), algebra.LimitesAlgebra{})
	var carga *algebra.ErrorDeCarga
	if !errors.As(err, &carga) || carga.Clase != algebra.ClaseEscalarDesconocida || carga.Nombre != "ajena" {
		t.Errorf("llegó %v", err)
	}
	var limite *algebra.LimiteError
	hondo := strings.Repeat(`["no",`, 65) + "true" + strings.Repeat("]", 65)
	tb = tabla(t, `["defmacro","m",["id","x"],[["guarda",["$","x"],"no vale"]],["medida",["$","id"]]]`)
	if _, err := tb.Expandir(nodo(t, `["m","d.m",`+hondo+`]`), algebra.LimitesAlgebra{}); !errors.As(err, &limite) || limite.Nombre != algebra.LimiteProfundidad {
		t.Errorf("llegó %v", err)
	}
}

// TestMuchasGuardas gives a long argument to thousands of guards: their nodes
// are counted together.
func TestMuchasGuardas(t *testing.T) {
	guarda := `["guarda",["$","x"],"no vale"]`
	tb := tabla(t, `["defmacro","m",["id","x"],[`+guarda+strings.Repeat(","+guarda, 2000)+`],["medida",["$","id"]]]`)
	inicio := procesador.Usado()
	_, err := tb.Expandir(nodo(t, `["m","d.m",["y"`+strings.Repeat(",true", 9000)+`]]`), algebra.LimitesAlgebra{})
	var limite *algebra.LimiteError
	if !errors.As(err, &limite) || limite.Nombre != algebra.LimiteNodosDeMedida || limite.Observado <= limite.Limite {
		t.Errorf("llegó %v", err)
	}
	if d := procesador.Usado() - inicio; d > time.Second {
		t.Errorf("tardó %v", d)
	}
}

// FuzzExpandir checks that no form makes a declaration or an expansion panic,
// and that what comes out keeps to the limits.
func FuzzExpandir(f *testing.F) {
	for _, nombre := range macro.Estandar().Nombres() {
		f.Add(macro.Estandar().Buscar(nombre).Canonica().String(), `["`+nombre+`","d.m","p","a","b",true,"x","contrato","universal","n"]`)
		f.Add(`["defmacro","m",["id","x"],[["guarda",["!=",["$","x"],1],"g"]],["`+nombre+`",["$","id"],["$","x"],["f",["$","x"]],true,"x","n"]]`, `["m","d.m","p"]`)
	}
	f.Fuzz(func(t *testing.T, declaracion, invocacion string) {
		lim := algebra.LimitesAlgebra{NodosDeMedida: 200, ExpansionesMaximas: 5}
		tb := macro.Estandar()
		if n, err := algebra.LeerNodo([]byte(declaracion), lim); err == nil {
			if m, err := macro.Declarar(n, lim); err == nil {
				if otra, err := tb.Con(m); err == nil {
					tb = otra
				}
			}
		}
		n, err := algebra.LeerNodo([]byte(invocacion), lim)
		if err != nil {
			return
		}
		forma, traza, err := tb.ExpandirConTraza(n, lim)
		if err != nil {
			var carga *algebra.ErrorDeCarga
			var limite *algebra.LimiteError
			if !errors.As(err, &carga) && !errors.As(err, &limite) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if forma.Contar(1000) > 200 || tb.Buscar(forma.Cabeza()) != nil {
			t.Fatal(forma)
		}
		var recorrer func(n algebra.Nodo, ruta algebra.Ruta)
		recorrer = func(n algebra.Nodo, ruta algebra.Ruta) {
			traza.Origen(ruta)
			for i, h := range n.Hijos() {
				recorrer(h, ruta.Hija(i))
			}
		}
		recorrer(forma, nil)
	})
}

func TestTraza(t *testing.T) {
	tb := tabla(t, `["defmacro","dos",["id","r"],[],["ninguno",["$","id"],["$","r"],"a",["==",["$","r"],["f",["$","r"]]],"w","n"]]`)
	casos := []struct {
		invocacion string
		ruta       algebra.Ruta
		origen     string
	}{
		{`["ninguno","d.m","p","a",["==",1,["f",2]],"x","n"]`, algebra.Ruta{2, 2, 1, 2, 1}, "4.2.1"},
		{`["ninguno","d.m","p","a",["==",1,["f",2]],"x","n"]`, algebra.Ruta{2, 2, 1}, "4"},
		{`["ninguno","d.m","p","a",true,"x","n"]`, algebra.Ruta{2, 1, 2}, "3"},
		{`["ninguno","d.m","p","a",true,"x","n"]`, algebra.Ruta{4, 2}, ""},
		{`["ninguno","d.m","p","a",true,"x","n"]`, algebra.Ruta{4}, "5"},
		{`["ninguno","d.m","p","a",true,"x","n"]`, algebra.Ruta{6, 1}, "6"},
		{`["dos","d.m",["f",1]]`, algebra.Ruta{2, 2, 1, 2, 1, 1}, "2.1"},
		{`["dos","d.m",["f",1]]`, algebra.Ruta{2, 2, 1, 2}, "2"},
		{`["medida","d.m",1]`, algebra.Ruta{2}, "2"},
	}
	for _, c := range casos {
		_, traza, err := tb.ExpandirConTraza(nodo(t, c.invocacion), algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatal(err)
		}
		if origen := traza.Origen(c.ruta).String(); origen != c.origen {
			t.Errorf("%s en %s: queríamos %q, llegó %q", c.invocacion, c.ruta, c.origen, origen)
		}
	}
}

func ExampleTabla_Expandir() {
	n, _ := algebra.LeerNodo([]byte(`["peor", "obra.desvio", "muro", "m", ["campo", "m", "desvio"], 2,
		"la norma admite dos centímetros", "contrato", "universal", "no ve lo que nadie midió"]`), algebra.LimitesAlgebra{})
	medida, err := macro.Estandar().Expandir(n, algebra.LimitesAlgebra{})
	fmt.Println(medida, err)
	// Output:
	// ["medida","obra.desvio",["desde",["de","muro","m"],["donde",[">",["campo","m","desvio"],2]]],["resumen","max",["campo","m","desvio"]],["umbral","<=",2,"la norma admite dos centímetros","contrato"],["ambito","universal"],["alcance","no ve lo que nadie midió"]] <nil>
}
