package superficie_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

func lugarDe(linea, columna int) string { return fmt.Sprintf("%d:%d", linea, columna) }

func nombreN(i int) string { return fmt.Sprintf("p%d", i) }

// medidaCon returns a measure with lines in place of the ones it has.
func medidaCon(lineas ...string) string {
	return "medida d.m:\n    " + strings.Join(lineas, "\n    ") + "\n"
}

// TestTropiezos checks the place of each frequent slip and that the message
// names it.
func TestTropiezos(t *testing.T) {
	casos := []struct{ nombre, texto, lugar, dice string }{
		{"igual simple", conDonde("p.a = 1"), "3:15", "dos signos"},
		{"igual doble en una columna", "medida d.m:\n    de p p\n    agrupar:\n        clave z == p.z\n", "4:17", "un solo signo"},
		{"acento", conDonde("p.árbol == 1"), "3:13", "sin acentos"},
		{"eñe en un alias", "medida d.m:\n    de p ñ\n", "2:8", "sin acentos"},
		{"acento en una llamada", conDonde("está(p)"), "3:14", "sin acentos"},
		{"acento en un id", "medida d.tamaño:\n", "1:8", "sin acentos"},
		{"acento en la línea", medidaCon("de p p", "dónde true"), "3:5", "donde (filtra)"},
		{"y en inglés", conDonde("p.a and p.b"), "3:15", "«y»"},
		{"o en inglés", conDonde("p.a or p.b"), "3:15", "«o»"},
		{"o de símbolos", conDonde("p.a || p.b"), "3:15", "«o»"},
		{"división", conDonde("p.a / 2 > 1"), "3:15", "no hay división"},
		{"negación de símbolo", conDonde("!p.a"), "3:11", "un operando"},
		{"no después de un comparador", conDonde("p.a == no p.b"), "3:18", "un operando"},
		{"doble comparador", conDonde("1 < p.a <= 3"), "3:19", "un solo comparador"},
		{"menos separado", conDonde("p.a > - 1"), "3:17", "pegado"},
		{"cero a la izquierda", conDonde("p.a > 01"), "3:18", "ceros a la izquierda"},
		{"punto sin decimales", conDonde("p.a > 1. y true"), "3:18", "dígitos después del punto"},
		{"campo de un campo", conDonde("p.a.b == 1"), "3:14", "un operador"},
		{"campo como llamada", conDonde(`campo("p", "a")`), "3:11", "alias.nombre"},
		{"hueco fuera de una macro", conDonde("$x == 1"), "3:11", "dentro de una macro"},
		{"coma final", conDonde("f(p.a,)"), "3:17", "un operando"},
		{"hecho de una expresión", conDonde("hecho(p.a)"), "3:18", "«)»"},
		{"fuente después de un paso", medidaCon("de p p", "donde true", "unir q q"), "4:5", "antes de los pasos"},
		{"agregado desconocido", medidaCon("de p p", "resumen media(p.x)"), "3:13", "promedio (su media)"},
		{"agregado sin paréntesis", medidaCon("de p p", "resumen contar"), "3:19", "contar(1)"},
		{"umbral sin comparador", medidaCon("de p p", "resumen contar(1)", "umbral 0 segun contrato"), "4:12", "menor o igual"},
		{"umbral pelado", medidaCon("de p p", "resumen contar(1)", "umbral <= 0"), "4:16", "hace falta al menos uno"},
		{"segun desconocido", medidaCon("de p p", "resumen contar(1)", "umbral <= 0 segun pálpito"), "4:23", "tanteo (se eligió a ojo)"},
		{"segun después de porque", medidaCon("de p p", "resumen contar(1)", `umbral <= 0 porque "x" segun contrato`), "4:28", "antes de «porque»"},
		{"ambito desconocido", medidaCon("de p p", "resumen contar(1)", `umbral <= 0 porque "x"`, "ambito local"), "5:12", "del_origen (obliga sólo donde nació)"},
		{"requiere sin alias", medidaCon("de p p", "resumen contar(1)", `umbral <= 0 porque "x"`, "requiere p donde true"), "5:22", "«donde»"},
		{"tabulación", "medida d.m:\n  \tde p p\n", "2:4", "sin tabulaciones"},
		{"sangría de más", "medida d.m:\n      de p p\n", "2:7", "4 espacios exactos, y hay 6"},
		{"clase desconocida", "regla d.m:\n", "1:1", "ninguno-par-requiere"},
		{"sintaxis futura", "sintaxis 0.8\n", "1:10", "0.7"},
		{"sintaxis de otra mayor", "sintaxis 1.0\n", "1:10", "1.0"},
		{"sintaxis con ceros", "sintaxis 0.07\n", "1:10", "MAYOR.MENOR"},
		{"sintaxis enorme", "sintaxis 0." + strings.Repeat("9", 400) + "\n", "1:10", "MAYOR.MENOR"},
		{"sólo la sintaxis", "\nsintaxis 0.7\n", "3:1", "un encabezado"},
		{"falta una línea en una macro", "ninguno d.m:\n    de pieza p\n    umbral <= 0 segun contrato porque \"x\"\n", "3:5", "«donde $predicado» de la macro «ninguno»"},
		{"falta un argumento", "ninguno d.m:\n    relacion pieza\n    alias p\n", "4:1", "faltan predicado, porque, segun, ambito, alcance"},
		{"argumento repetido", "ninguno d.m:\n    relacion pieza\n    relacion pieza\n", "3:5", "«relacion» ya está"},
		{"sobra una línea en una macro", "ninguno d.m:\n    de p p\n    donde true\n    umbral <= 0 porque \"x\"\n    ambito universal\n    alcance \"a\"\n    resumen contar(1)\n", "7:5", "el final del texto"},
		{"lo literal no coincide", "ninguno d.m:\n    de p p\n    donde true\n    umbral <= 3 porque \"x\"\n", "4:15", "«umbral <= 0 segun $segun porque $porque»"},
		{"lo repetido no coincide", "ninguno-par d.m:\n    de p a\n    unir q b\n", "3:10", "lo mismo en $relacion"},
		{"una macro sin argumentos", "ninguno d.m:\n", "2:1", "relacion, alias"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			err := leer(c.texto, algebra.LimitesAlgebra{})
			var sintaxis *superficie.ErrorDeSintaxis
			if !errors.As(err, &sintaxis) {
				t.Fatalf("llegó %T %v", err, err)
			}
			if obtuve := lugarDe(sintaxis.Linea, sintaxis.Columna); obtuve != c.lugar || !strings.Contains(sintaxis.Esperado, c.dice) {
				t.Errorf("queríamos %s %q\n%v", c.lugar, c.dice, err)
			}
		})
	}
}

func TestMensaje(t *testing.T) {
	err := leer(conDonde("p.tamaño == 1"), algebra.LimitesAlgebra{})
	quiero := "línea 3, columna 17: se esperaba un nombre sin acentos ni eñes: letras de la a a la z, dígitos y «_»; llegó 'ñ'\n" +
		"        donde p.tamaño == 1\n" +
		"                    ^"
	if err == nil || err.Error() != quiero {
		t.Error(cmp.Diff(quiero, fmt.Sprint(err)))
	}
	// A long line is shown around the column, with the caret under it.
	err = leer(conDonde(strings.Repeat("p.a y ", 100)+"p.a = 1"), algebra.LimitesAlgebra{})
	lineas := strings.Split(fmt.Sprint(err), "\n")
	if len(lineas) != 3 {
		t.Fatalf("%d líneas: %v", len(lineas), err)
	}
	renglon, marca := []rune(lineas[1]), strings.Index(lineas[2], "^")
	if len(renglon) > 130 || renglon[marca] != '=' {
		t.Errorf("la marca señala otra cosa:\n%v", err)
	}
}

// TestDeclaracion checks the place of what reads and does not load.
func TestDeclaracion(t *testing.T) {
	casos := []struct{ nombre, texto, lugar, ruta string }{
		{"alias repetido", medidaCon("de p p", "unir q p", "resumen contar(1)", `umbral <= 0 porque "x"`, `alcance "a"`), "3:12", "2.1.2.2"},
		{"escalar desconocida", conDonde("p.a > f(p.b)"), "3:17", "2.2.1.2"},
		{"aridad", conDonde("cerca(p.b) > 1"), "3:11", "2.2.1.1"},
		{"columna repetida", medidaCon("de p p", "agrupar:", "    clave a = p.a", "    agregado a = contar(1)", "resumen contar(1)", `umbral <= 0 porque "x"`, `alcance "a"`), "5:18", "2.2.2.0.0"},
		{"límite que no es literal", medidaCon("de p p", "resumen contar(1)", `umbral <= a porque "x"`, `alcance "a"`), "4:15", "4.2"},
		{"alcance vacío", medidaCon("de p p", "resumen contar(1)", `umbral <= 0 porque "x"`, "ambito sin_declarar", `alcance ""`), "6:13", "5.1"},
		{"requiere repetido", medidaCon("de p p", "resumen contar(1)", `umbral <= 0 porque "x"`, "requiere p, p", `alcance "a"`), "5:17", "5.2"},
		{"condición de requiere que no es booleana", medidaCon("de p p", "resumen contar(1)", `umbral <= 0 porque "x"`, "requiere p r donde r.a", `alcance "a"`), "5:24", "5.1.3"},
		{"hueco en un id", strings.Replace(conDonde("true"), "d.m", "$id", 1), "1:8", "1"},
		{"hueco en un campo", conDonde("p.$c == 1"), "3:13", "2.2.1.1.2"},
		{"hueco en un alias", conDonde("$a.c == 1"), "3:11", "2.2.1.1.1"},
		{"en un argumento", "ninguno d.m:\n    relacion p\n    alias p\n    predicado p.a > f(1)\n    porque \"x\"\n    segun contrato\n    ambito sin_declarar\n    alcance \"a\"\n", "4:21", "2.2.1.2"},
		{"después del ámbito que no se declara", "ninguno d.m:\n    relacion p\n    alias p\n    predicado true\n    porque \"x\"\n    segun contrato\n    ambito sin_declarar\n    alcance \"\"\n", "8:13", "5.1"},
		{"en una línea de la plantilla", "peor d.m:\n    de p p\n    donde p.a > \"x\" + p.c\n    resumen max(p.a)\n    umbral <= \"x\" + p.c segun contrato porque \"x\"\n    ambito universal\n    alcance \"a\"\n", "3:17", "4.2"},
		{"una guarda", "ninguno-par d.m:\n    de p a\n    unir p a\n    donde true\n    umbral <= 0 porque \"x\"\n    ambito universal\n    alcance \"a\"\n", "1:1", ""},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			err := leer(c.texto, algebra.LimitesAlgebra{})
			var declaracion *superficie.ErrorDeDeclaracion
			if !errors.As(err, &declaracion) {
				t.Fatalf("llegó %T %v", err, err)
			}
			if obtuve := lugarDe(declaracion.Linea, declaracion.Columna); obtuve != c.lugar || declaracion.Causa.Ruta != c.ruta {
				t.Errorf("queríamos %s en %q, llegó %q\n%v", c.lugar, c.ruta, declaracion.Causa.Ruta, err)
			}
		})
	}
}

// TestExpresiones checks what the long forms and the odd names are read as.
func TestExpresiones(t *testing.T) {
	casos := []struct{ texto, canonica string }{
		{"mas(1, 2)", `["mas",1,2]`},
		{"mas(1, 2, 3)", `["mas",1,2,3]`},
		{"f()", `["f"]`},
		{"o.id == y.id", `["==",["campo","o","id"],["campo","y","id"]]`},
		{"no.x o no no.y", `["o",["campo","no","x"],["no",["campo","no","y"]]]`},
		{"true.x", `["campo","true","x"]`},
		{"hecho(o)", `["hecho","o"]`},
		{"col(y) + col(n)", `["mas",["col","y"],["col","n"]]`},
		{"hecho", `["col","hecho"]`},
		{"f (p . a)", ""},
		{"1 - -1", `["menos",1,-1]`},
		{"1--1", `["menos",1,-1]`},
		{"-0.0 < -0", `["<",-0.0,0]`},
		{"1e3 > 1E-2", `[">",1000.0,0.01]`},
		{"123456789012345678901234567890", `123456789012345678901234567890`},
		{"((p.a))", `["campo","p","a"]`},
		{"no (a y b) o c", `["o",["no",["y",["col","a"],["col","b"]]],["col","c"]]`},
		{"no a == b", `["no",["==",["col","a"],["col","b"]]]`},
		{"a\t+\tb", `["mas",["col","a"],["col","b"]]`},
		{`"😀\/" == "\u00e1"`, `["==","😀/","á"]`},
	}
	for _, c := range casos {
		t.Run(c.texto, func(t *testing.T) {
			l, err := superficie.Leer([]byte(conDonde(c.texto)), nil, algebra.LimitesAlgebra{})
			if c.canonica == "" {
				if err == nil {
					t.Fatal("se leyó")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			n := l.Forma().Hijo(2).Hijo(2).Hijo(1)
			if n.String() != c.canonica {
				t.Error(cmp.Diff(c.canonica, n.String()))
			}
			idaYVuelta(t, l.Forma())
			s, err := superficie.ImprimirExpr(n)
			if err != nil || !strings.Contains(formatear(t, conDonde(c.texto)), "donde "+s+"\n") {
				t.Errorf("%q no está en lo formateado: %v", s, err)
			}
		})
	}
}

func TestVersion(t *testing.T) {
	casos := []struct {
		version                 string
		compatible, bienEscrita bool
	}{
		{"0.0", true, true}, {superficie.Version, true, true}, {"0.8", false, true}, {"1.0", false, true},
		{"0", false, false}, {"0.7.1", false, false}, {"0.-1", false, false}, {"", false, false}, {"a.b", false, false}, {" 0.7", false, false},
	}
	for _, c := range casos {
		if compatible, bienEscrita := superficie.Compatible(c.version); compatible != c.compatible || bienEscrita != c.bienEscrita {
			t.Errorf("%q: %v %v", c.version, compatible, bienEscrita)
		}
	}
}

// TestMacroEnTexto reads a macro, uses it, and checks what a table without it
// says.
func TestMacroEnTexto(t *testing.T) {
	const texto = `# lo que falta
defmacro ausente(id, relacion, alias, otra, otro, cond, texto):
    guarda $alias != $otro y $alias != "x" "los alias se distinguen"
    medida $id:
        de $relacion $alias
        sin $otra $otro donde $cond y $otro.vivo == true
        agrupar:
            clave c = $alias.c
            clave k = 1
            agregado n = contar(1)
        resumen contar(1)
        umbral <= 0 segun contrato porque $texto
        requiere z, $relacion
        requiere $otra r donde r.n > 0
        alcance "nada"
`
	l, err := superficie.Leer([]byte(texto), nil, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	if !l.EsMacro() || l.Macro().Nombre() != "ausente" {
		t.Fatal("no es la macro")
	}
	impresa, err := superficie.Imprimir(l.Forma())
	if err != nil || "# lo que falta\n"+impresa != texto {
		t.Error(err, cmp.Diff(texto, impresa))
	}
	if formatear(t, texto) != texto {
		t.Error("formatear cambia la macro")
	}
	tabla, err := macro.Estandar().Con(l.Macro())
	if err != nil {
		t.Fatal(err)
	}
	porNombre := "ausente d.m:\n    relacion p\n    alias a\n    otra q\n    otro b\n    cond a.id == b.ref\n    texto \"por algo\"\n"
	porLineas := "ausente d.m:\n    de p a\n    sin q b donde a.id == b.ref y b.vivo == true\n    agrupar:\n        clave c = a.c\n    umbral <= 0 segun contrato porque \"por algo\"\n    requiere z, p\n    requiere q r donde r.n > 0\n"
	const quiero = `["medida","d.m",["desde",["de","p","a"],["sin",["de","q","b"],["y",["==",["campo","a","id"],["campo","b","ref"]],["==",["campo","b","vivo"],true]]],["agrupar",[["c",["campo","a","c"]],["k",1]],[["n","contar",1]]]],["resumen","contar",1],["umbral","<=",0,"por algo","contrato"],["requiere","z","p",["filas","q","r",[">",["campo","r","n"],0]]],["alcance","nada"]]`
	for nombre, invocacion := range map[string]string{"por nombre": porNombre, "por líneas": porLineas} {
		m, err := superficie.LeerMedida([]byte(invocacion), tabla, internas{}, algebra.LimitesAlgebra{})
		if err != nil {
			t.Errorf("%s: %v", nombre, err)
			continue
		}
		if m.Canonica().String() != quiero {
			t.Errorf("%s: %s", nombre, cmp.Diff(quiero, m.Canonica().String()))
		}
		l, err := superficie.Leer([]byte(invocacion), tabla, algebra.LimitesAlgebra{})
		if err != nil || l.Invocacion() != "ausente" {
			t.Errorf("%s: %v", nombre, err)
		}
		f, err := superficie.Formatear([]byte(invocacion), tabla, algebra.LimitesAlgebra{})
		if err != nil || string(f) != invocacion {
			t.Errorf("%s: %v %s", nombre, err, cmp.Diff(invocacion, string(f)))
		}
	}
	if err := leer(porNombre, algebra.LimitesAlgebra{}); clasificar(err) != "1:1 sintaxis" {
		t.Error("sin la macro en la tabla:", err)
	}
	if _, err := superficie.LeerMedida([]byte(texto), nil, nil, algebra.LimitesAlgebra{}); clasificar(err) != "2:1 sintaxis" {
		t.Error("una macro no es una medida:", err)
	}
}

// TestMacroSobreMacro reads a macro whose template invokes another.
func TestMacroSobreMacro(t *testing.T) {
	const texto = `defmacro vivos(id, rel, x, cond, porque):
    ninguno $id:
        relacion $rel
        alias $x
        predicado $x.vivo == true y $cond
        porque $porque
        segun contrato
        ambito universal
        alcance "nada"
`
	l, err := superficie.Leer([]byte(texto), macro.Estandar(), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	impresa, err := superficie.ImprimirCon(l.Forma(), macro.Estandar())
	if err != nil || impresa != texto {
		t.Error(err, cmp.Diff(texto, impresa))
	}
	if _, err := superficie.Imprimir(l.Forma()); err == nil {
		t.Error("sin la tabla no hay cómo escribir la invocación")
	}
	tabla, err := macro.Estandar().Con(l.Macro())
	if err != nil {
		t.Fatal(err)
	}
	for _, invocacion := range []string{
		"vivos d.m:\n    rel p\n    x a\n    cond a.n > 1\n    porque \"x\"\n",
		"vivos d.m:\n    de p a\n    donde a.vivo == true y a.n > 1\n    umbral <= 0 segun contrato porque \"x\"\n",
	} {
		m, err := superficie.LeerMedida([]byte(invocacion), tabla, internas{}, algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatal(err)
		}
		const quiero = `["medida","d.m",["desde",["de","p","a"],["donde",["y",["==",["campo","a","vivo"],true],[">",["campo","a","n"],1]]]],["resumen","contar",1],["umbral","<=",0,"x","contrato"],["ambito","universal"],["alcance","nada"]]`
		if m.Canonica().String() != quiero {
			t.Error(cmp.Diff(quiero, m.Canonica().String()))
		}
	}
	// Written by names, what has holes only in expressions and names is read
	// with the kind of each place.
	err = leerCon(tabla, "vivos d.m:\n    rel p.q\n")
	if clasificar(err) != "2:10 sintaxis" {
		t.Error(err)
	}
}

func leerCon(tabla *macro.Tabla, texto string) error {
	_, err := superficie.LeerMedida([]byte(texto), tabla, internas{}, algebra.LimitesAlgebra{})
	return err
}

func TestMacroMalDeclarada(t *testing.T) {
	plantilla := "    medida $id:\n        de p p\n        resumen contar(1)\n        umbral <= 0 porque \"x\"\n        alcance \"a\"\n"
	casos := []struct{ nombre, texto, quiero string }{
		{"parámetro sin usar", "defmacro m(id, sobra):\n" + plantilla, "1:16 declaracion"},
		{"parámetro repetido", "defmacro m(id, id):\n" + plantilla, "1:16 declaracion"},
		{"hueco desconocido", "defmacro m(id):\n" + strings.Replace(plantilla, "de p p", "de $r p", 1), "3:12 declaracion"},
		{"palabra del lenguaje", "defmacro donde(id):\n" + plantilla, "1:10 declaracion"},
		{"mensaje vacío", "defmacro m(id):\n    guarda true \"\"\n" + plantilla, "2:17 declaracion"},
		{"guarda sin mensaje", "defmacro m(id):\n    guarda true\n" + plantilla, "2:16 sintaxis"},
		{"sin parámetros", "defmacro m():\n" + plantilla, "1:1 sintaxis"},
		{"nombre con acento", "defmacro más(id):\n" + plantilla, "1:1 sintaxis"},
		{"sin plantilla", "defmacro m(id):\n", "2:1 sintaxis"},
		{"plantilla de una macro que no está", "defmacro m(id):\n    otra $id:\n        a b\n", "2:5 sintaxis"},
		{"guarda después de la plantilla", "defmacro m(id):\n" + plantilla + "    guarda true \"x\"\n", "7:5 sintaxis"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := superficie.Leer([]byte(c.texto), nil, algebra.LimitesAlgebra{})
			if obtuve := clasificar(err); obtuve != c.quiero {
				t.Errorf("queríamos %q, llegó %q\n%v", c.quiero, obtuve, err)
			}
		})
	}
}
