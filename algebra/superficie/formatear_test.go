package superficie_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

func TestFormatear(t *testing.T) {
	casos := []struct{ nombre, texto, quiero string }{
		{
			"espacios, paréntesis y formas largas",
			"medida  d.m:  \r\n    de\tp   p\r\n    donde (mas(p.a,1)>0)y(col(n)<2)\r\n    resumen   contar( 1 )\r\n    umbral <=0 segun sin_declarar porque \"\\u00f1\"\r\n    ambito sin_declarar\r\n    alcance  \"a\"",
			"medida d.m:\n    de p p\n    donde p.a + 1 > 0 y n < 2\n    resumen contar(1)\n    umbral <= 0 porque \"ñ\"\n    alcance \"a\"\n",
		},
		{
			"comentarios y renglones vacíos",
			"\n\n# arriba\n\n\n  # más  \nsintaxis 0.7\n\nmedida d.m:\n# de la fuente\n    de p p\n\n    donde true\n\n            # del resumen\n\n    resumen contar(1)\n    umbral <= 0 porque \"x\"\n    # del ámbito que se va\n    ambito sin_declarar\n    # del alcance\n    alcance \"a\"\n\n    # al final\n# fuera\n\n",
			"# arriba\n\n# más\nsintaxis 0.7\nmedida d.m:\n    # de la fuente\n    de p p\n    donde true\n\n    # del resumen\n\n    resumen contar(1)\n    umbral <= 0 porque \"x\"\n    # del ámbito que se va\n    # del alcance\n    alcance \"a\"\n\n    # al final\n# fuera\n",
		},
		{
			"requiere en varias líneas y agregados antes de claves",
			"medida d.m:\n    de p p\n    agrupar:\n        # cuenta\n        agregado n = contar(1)\n        # zona\n        clave z = p.z\n    resumen max(n)\n    umbral <= 0 porque \"x\"\n    requiere p\n    # la otra\n    requiere q, r\n    requiere s t donde t.a > 0\n    requiere u\n    alcance \"a\"\n",
			"medida d.m:\n    de p p\n    agrupar:\n        # zona\n        clave z = p.z\n        # cuenta\n        agregado n = contar(1)\n    resumen max(n)\n    umbral <= 0 porque \"x\"\n    # la otra\n    requiere p, q, r\n    requiere s t donde t.a > 0\n    requiere u\n    alcance \"a\"\n",
		},
		{
			"una invocación por nombre queda por nombre, en el orden de los parámetros",
			"ninguno d.m:\n    relacion p\n    # por qué\n    porque \"x\"\n    alias a\n    predicado (a.n) > 0\n    alcance \"a\"\n    ambito sin_declarar\n    segun sin_declarar\n    # fin\n",
			"ninguno d.m:\n    relacion p\n    alias a\n    predicado a.n > 0\n    # por qué\n    porque \"x\"\n    segun sin_declarar\n    ambito sin_declarar\n    alcance \"a\"\n    # fin\n",
		},
		{
			"una invocación por líneas queda por líneas",
			"ninguno d.m:\n    de p a\n    donde  (a.n)>0\n    umbral <= 0 segun sin_declarar porque \"x\"\n    ambito sin_declarar\n    alcance \"a\"\n",
			"ninguno d.m:\n    de p a\n    donde a.n > 0\n    umbral <= 0 porque \"x\"\n    ambito sin_declarar\n    alcance \"a\"\n",
		},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			if d := cmp.Diff(c.quiero, formatear(t, c.texto)); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestFormatearNoTocaLoQueNoEntiende checks that what does not read comes back
// as an error and nothing else.
func TestFormatearNoTocaLoQueNoEntiende(t *testing.T) {
	for _, texto := range []string{"", "# nada\n", "medida d.m:\n", "ninguno-par d.m:\n    relacion p\n    aliasA a\n    aliasB a\n    predicado true\n    porque \"x\"\n    segun contrato\n    ambito universal\n    alcance \"a\"\n"} {
		salida, err := superficie.Formatear([]byte(texto), macro.Estandar(), algebra.LimitesAlgebra{})
		if err == nil || salida != nil {
			t.Errorf("%q: %q %v", texto, salida, err)
		}
	}
}

// TestImprimirNoPuede lists what the surface cannot write.
func TestImprimirNoPuede(t *testing.T) {
	const cola = `,["resumen","contar",1],["umbral","<=",0,"x","contrato"],["alcance","a"]]`
	casos := []struct{ nombre, forma string }{
		{"un unir a la derecha", `["medida","d.m",["desde",["unir",["de","p","a"],["unir",["de","p","b"],["de","p","c"]]]]` + cola},
		{"una relación con acento", `["medida","d.m",["desde",["de","árbol","a"]]` + cola},
		{"un campo con espacios", `["medida","d.m",["desde",["de","p","a"],["donde",["campo","a","x y"]]]` + cola},
		{"un campo vacío", `["medida","d.m",["desde",["de","p","a"],["donde",["campo","a",""]]]` + cola},
		{"un id inválido", `["medida","D",["desde",["de","p","a"]]` + cola},
		{"un hueco por una expresión", `["medida","d.m",["desde",["de","p","a"],["donde",["$","x"]]]` + cola},
		{"un y de un operando", `["medida","d.m",["desde",["de","p","a"],["donde",["y",true]]]` + cola},
		{"una comparación de tres", `["medida","d.m",["desde",["de","p","a"],["donde",["<",1,2,3]]]` + cola},
		{"un no de dos", `["medida","d.m",["desde",["de","p","a"],["donde",["no",1,2]]]` + cola},
		{"una lista vacía", `["medida","d.m",["desde",["de","p","a"],["donde",[]]]` + cola},
		{"un infinito", `["medida","d.m",["desde",["de","p","a"],["donde",["<",1e999,2]]]` + cola},
		{"un sin con unir", `["medida","d.m",["desde",["de","p","a"],["sin",["unir",["de","p","b"],["de","p","c"]],true]]` + cola},
		{"un paso desconocido", `["medida","d.m",["desde",["de","p","a"],["ordenar",1]]` + cola},
		{"un agregado desconocido", `["medida","d.m",["desde",["de","p","a"]],["resumen","media",1],["umbral","<=",0,"x","contrato"],["alcance","a"]]`},
		{"un segun desconocido", `["medida","d.m",["desde",["de","p","a"]],["resumen","contar",1],["umbral","<=",0,"x","pálpito"],["alcance","a"]]`},
		{"sin alcance", `["medida","d.m",["desde",["de","p","a"]],["resumen","contar",1],["umbral","<=",0,"x","contrato"],["ambito","universal"]]`},
		{"ámbito antes de requiere", `["medida","d.m",["desde",["de","p","a"]],["resumen","contar",1],["umbral","<=",0,"x","contrato"],["ambito","universal"],["requiere","p"],["alcance","a"]]`},
		{"una invocación sin su tabla", `["ninguno","d.m","p","a",true,"x","contrato","universal","a"]`},
		{"una macro mal declarada", `["defmacro","m",["id","x"],[],["medida",["$","id"]]]`},
		{"una hoja", `"medida"`},
		{"una lista vacía en la raíz", `[]`},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			texto, err := superficie.Imprimir(nodoDe(t, []byte(c.forma)))
			var impresion *superficie.ErrorDeImpresion
			if !errors.As(err, &impresion) || texto != "" {
				t.Errorf("llegó %q %v", texto, err)
			}
		})
	}
}

// TestParentesisImpresos checks that what needs more parentheses than the
// reader takes is refused, which only a raised limit can reach.
func TestParentesisImpresos(t *testing.T) {
	honda := func(n int) algebra.Nodo {
		e := algebra.Lista(algebra.HojaTexto("col"), algebra.HojaTexto("a"))
		for i := 0; i <= n; i++ {
			e = algebra.Lista(algebra.HojaTexto([]string{"y", "o"}[i%2]), algebra.Hoja(algebra.Booleano(true)), e)
		}
		return e
	}
	lim := algebra.LimitesAlgebra{ProfundidadExpresion: 512}
	texto, err := superficie.ImprimirExpr(honda(200))
	if err != nil {
		t.Fatal(err)
	}
	l, err := superficie.Leer([]byte(conDonde(texto)), nil, lim)
	if err != nil || !l.Forma().Hijo(2).Hijo(2).Hijo(1).Igual(honda(200)) {
		t.Error("doscientos:", err)
	}
	if _, err := superficie.ImprimirExpr(honda(201)); err == nil {
		t.Error("doscientos uno: se imprimió")
	}
}

// TestEstandarEnTexto prints each standard macro and reads it back.
func TestEstandarEnTexto(t *testing.T) {
	for _, nombre := range macro.Estandar().Nombres() {
		idaYVuelta(t, macro.Estandar().Buscar(nombre).Canonica())
	}
}

func ExampleFormatear() {
	texto := "# piezas que se pisan\nmedida obra.choques:\n    de pieza a\n    unir pieza b\n    donde (a.id<b.id) y(a.x-b.x)<0\n    resumen contar(1)\n    umbral <= 0 segun contrato\n    alcance \"no ve la malla\"\n"
	formateado, err := superficie.Formatear([]byte(texto), nil, algebra.LimitesAlgebra{})
	fmt.Print(string(formateado), err)
	// Output:
	// # piezas que se pisan
	// medida obra.choques:
	//     de pieza a
	//     unir pieza b
	//     donde a.id < b.id y a.x - b.x < 0
	//     resumen contar(1)
	//     umbral <= 0 segun contrato
	//     alcance "no ve la malla"
	// <nil>
}

func ExampleImprimirExpr() {
	n, _ := algebra.LeerNodo([]byte(`["y", [">=", ["campo", "r", "n"], 2], ["no", ["==", ["campo", "r", "t"], "a"]]]`), algebra.LimitesAlgebra{})
	fmt.Println(superficie.ImprimirExpr(n))
	// Output:
	// r.n >= 2 y no (r.t == "a") <nil>
}

func ExampleLeer() {
	l, err := superficie.Leer([]byte(`ninguno obra.hundidas:
    relacion pieza
    alias p
    predicado p.z < 0
    porque "nada va bajo tierra"
    segun contrato
    ambito universal
    alcance "no ve los cimientos"
`), macro.Estandar(), algebra.LimitesAlgebra{})
	fmt.Println(l.Forma(), err)
	fmt.Println(l.Posicion("2.2.1"))
	// Output:
	// ["medida","obra.hundidas",["desde",["de","pieza","p"],["donde",["<",["campo","p","z"],0]]],["resumen","contar",1],["umbral","<=",0,"nada va bajo tierra","contrato"],["ambito","universal"],["alcance","no ve los cimientos"]] <nil>
	// 4 15
}

func ExampleLeerMedida() {
	_, err := superficie.LeerMedida([]byte(`medida obra.hundidas:
    de pieza p
    donde p.z = 0
`), nil, nil, algebra.LimitesAlgebra{})
	fmt.Println(err)
	// Output:
	// línea 3, columna 15: se esperaba «==»: la igualdad se escribe con dos signos; llegó '='
	//         donde p.z = 0
	//                   ^
}
