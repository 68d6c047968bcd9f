package portar_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.starlark.net/syntax"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/escalares/portar"
)

func TestRechazos(t *testing.T) {
	f := func(cuerpo string) string { return "def f(x, y=1):\n    " + cuerpo + "\n" }
	for _, c := range []struct {
		nombre, fuente string
		linea          int
		dice           string
	}{
		{"exponente variable", f("return x ** y"), 2, "exponente"},
		{"exponente negativo", f("return x ** -1"), 2, "exponente"},
		{"exponente flotante", f("return x ** 0.5"), 2, "exponente"},
		{"formato con precisión", f("return f\"{x:.2f}\""), 2, "formato"},
		{"formato repr", f("return f\"{x!r}\""), 2, "formato"},
		{"formato con por ciento", f("return \"%d\" % x"), 2, "%"},
		{"format", f("return \"{:.1f}\".format(x)"), 2, "format"},
		{"seno", "import math\n" + f("return math.sin(x)"), 3, "último dígito"},
		{"hypot importada", "from math import hypot\n" + f("return hypot(x, y)"), 3, "último dígito"},
		{"logaritmo", "import math as m\n" + f("return m.log(x)"), 3, "último dígito"},
		{"infinito", "import math\n" + f("return math.inf"), 3, "finitos"},
		{"función de math que no está", "import math\n" + f("return math.comb(x, y)"), 3, "math.comb"},
		{"while", f("while x:\n        x -= 1\n    return x"), 2, "while"},
		{"recursión", f("return 1 if x <= 1 else x * f(x - 1)"), 1, "recursión"},
		{"recursión mutua", "def g(x):\n    return h(x)\n\ndef h(x):\n    return g(x)\n", 1, "recursión"},
		{"recursión de adentro", f("def g(n):\n        return g(n - 1)\n    return g(x)"), 2, "recursión"},
		{"try", f("try:\n        return 1 / x\n    except ZeroDivisionError:\n        return 0"), 2, "try"},
		{"with", f("with open('x') as z:\n        pass"), 2, "with"},
		{"clase", "class Punto:\n    x = 1\n", 1, "clases"},
		{"global", "C = 1\n" + f("global C\n    return C"), 3, "global"},
		{"nonlocal", f("def g():\n        nonlocal x\n        x = 1\n    return x"), 3, "nonlocal"},
		{"yield", f("yield x"), 2, "generadores"},
		{"del", f("del x"), 2, "del"},
		{"async", "async def f(x):\n    return x\n", 1, "asíncronas"},
		{"match", f("match x:\n        case 1:\n            return 2"), 2, "match"},
		{"morsa", f("if (z := x) > 1:\n        return z"), 2, ":="},
		{"import os", "import os\n" + f("return x"), 1, "import os"},
		{"import de otro", "from datetime import date\n" + f("return x"), 1, "datetime"},
		{"import estrella", "from math import *\n" + f("return x"), 1, "import *"},
		{"numpy", "import numpy as np\n" + f("return np.sqrt(x)"), 1, "numpy"},
		{"otro decorador", "import functools\n@functools.lru_cache\n" + f("return x"), 1, "functools"},
		{"decorador propio", "def d(f):\n    return f\n\n@d\n" + f("return x"), 4, "decorador"},
		{"argumento de decorador", "from oracle import escalar\n@escalar('f', unidades='cm')\n" + f("return x"), 2, "decorador"},
		{"nombre de escalar", "from oracle import escalar\n@escalar('Fé')\n" + f("return x"), 2, "nombre de escalar"},
		{"kwargs", "def f(**k):\n    return 1\n", 1, "**k"},
		{"sólo por nombre en una escalar", "from oracle import escalar\n@escalar('f')\ndef f(x, *, k):\n    return k\n", 3, "k"},
		{"defecto que se modifica", "def f(x, acc=[]):\n    return x\n", 1, "omisión"},
		{"conjunto guardado", f("s = {1, 2}\n    return 1 in s"), 2, "conjunto"},
		{"conjunto recorrido", f("return [z for z in {1, 2}][0]"), 2, "conjunto"},
		{"constante conjunto recorrida", "S = {1, 2}\n" + f("return sum(S)"), 3, "conjunto"},
		{"conjunto devuelto", "S = {1, 2}\n" + f("return S"), 3, "conjunto"},
		{"unión de conjuntos", f("return len({1} | {x})"), 2, "|"},
		{"bits", f("return x & 1"), 2, "&"},
		{"complemento", f("return ~x"), 2, "bits"},
		{"corrimiento", f("return x << 2"), 2, "<<"},
		{"comparar tuplas", f("return (x, y) == (1, 2)"), 2, "secuencias"},
		{"is entre valores", f("return x is y"), 2, "is"},
		{"for con else", f("for i in range(3):\n        pass\n    else:\n        return 1"), 2, "else"},
		{"atributo", f("return x.ancho"), 2, ".ancho"},
		{"método que no está", f("return x.title()"), 2, "title"},
		{"función que no está", f("return hash(x)"), 2, "hash"},
		{"nombre que no está", f("return z"), 2, "«z»"},
		{"builtin como valor", f("return sorted([x, y], key=len)"), 2, "lambda"},
		{"estrella al asignar", f("a, *b = x"), 2, "*"},
		{"constante repetida", "A = 1\nA = 2\n", 2, "«A»"},
		{"for en el módulo", "for i in [1]:\n    A = i\n", 1, "for"},
		{"if en el módulo", "if True:\n    A = 1\n", 1, "if"},
		{"open", f("return open('x').read()"), 2, ""},
		{"raise a secas", f("raise"), 2, "raise"},
		{"bytes", f("return b'x'"), 2, "prefijo"},
		{"complejos", f("return 1j"), 2, "complejos"},
		{"medio de cadena que cambia", f("return 0 < x.pop() < 3"), 2, "medio"},
		{"variable ocupada", f("int = 3\n    return int"), 1, "int"},
		{"nombre con una ligadura", "def ﬁn(x):\n    return x\n", 1, "dos maneras"},
		{"paréntesis sin cerrar", "def f(x:\n    return (x\n", 1, ""},
		{"sangría", "def f(x):\n    return x\n  return 2\n", 3, "sangría"},
		{"texto sin cerrar", "A = 'hola\n", 1, "cerrar"},
		{"no UTF-8", "A = '\xff'\n", 1, "UTF-8"},
		{"nulo", "A = 1\x00\n", 1, "UTF-8"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			sale, err := portar.Portar("escalares.py", []byte(c.fuente), portar.Opciones{})
			var e *portar.Error
			if !errors.As(err, &e) {
				t.Fatalf("se portó:\n%s", sale)
			}
			if r := e.Rechazos[0]; r.Linea != c.linea && c.nombre != "paréntesis sin cerrar" || !strings.Contains(r.Motivo, c.dice) || r.Columna < 1 {
				t.Errorf("%v; se esperaba la línea %d y «%s»", err, c.linea, c.dice)
			}
			if sale != nil {
				t.Error("devolvió algo a medias")
			}
		})
	}
}

func TestVariosRechazos(t *testing.T) {
	_, err := portar.Portar("e.py", []byte("import os\n\ndef f(x):\n    while x:\n        pass\n    return x ** x\n"), portar.Opciones{})
	quiere := "e.py:1:1: no se porta «import os»: una escalar sólo puede usar math\n" +
		"e.py:4:5: no hay «while»: usá «for» sobre un rango con tope\n" +
		"e.py:6:14: «**» sólo se porta con un exponente entero escrito, no negativo y menor que 100"
	if err == nil || err.Error() != quiere {
		t.Errorf("%v", err)
	}
}

func TestUltimoDigito(t *testing.T) {
	fuente := "from oracle import escalar\nimport math\n\n@escalar('h')\ndef h(x, y):\n    return math.hypot(x, y)\n"
	sale, err := portar.Portar("e.py", []byte(fuente), portar.Opciones{UltimoDigito: true})
	if err != nil {
		t.Fatal(err)
	}
	c, err := caja.Abrir(context.Background(), caja.Config{Fuente: sale, Encierro: caja.EncierroApagado})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Cerrar()
	if v, err := llamar(t, c, "h", []any{3, 4.0}); err != nil || v != algebra.Flotante(5) {
		t.Errorf("%v %v", v, err)
	}
}

// TestEstable: the same file gives the same bytes, and a helper is written only
// when it is used.
func TestEstable(t *testing.T) {
	archivos, err := filepath.Glob("testdata/*.py")
	if err != nil || len(archivos) < 3 {
		t.Fatal(archivos, err)
	}
	for _, a := range archivos {
		if filepath.Base(a) == "conductor.py" {
			continue
		}
		fuente, err := os.ReadFile(a)
		if err != nil {
			t.Fatal(err)
		}
		var antes []byte
		for range 5 {
			sale, err := portar.Portar("e.py", fuente, portar.Opciones{})
			if err != nil {
				t.Fatal(err)
			}
			if antes != nil && string(antes) != string(sale) {
				t.Fatal("no es estable")
			}
			antes = sale
		}
	}
	sale, err := portar.Portar("e.py", []byte("# Uno.\nfrom oracle import escalar\n\n\n@escalar(\"doble\", \"cm\")\ndef doble(x: float) -> float:\n    # Dos veces.\n    return 2 * x  # así\n"), portar.Opciones{})
	quiere := `# Portado de e.py.

def py_num(x):
    # Un booleano vale como número; lo demás queda como está.
    return int(x) if type(x) == "bool" else x

# Uno.

def doble(x):
    x = py_num(x)
    # Dos veces.
    return 2 * x  # así

escalar("doble", doble, unidad = "cm")

`
	if err != nil || string(sale) != quiere {
		t.Errorf("%v\n%s", err, sale)
	}
}

// TestPrefijo: the helpers do not take a name the file has.
func TestPrefijo(t *testing.T) {
	sale, err := portar.Portar("e.py", []byte("py_num = 3\n\ndef f(x):\n    return x + py_num\n"), portar.Opciones{})
	if err != nil || !strings.Contains(string(sale), "py1_num(x)") {
		t.Errorf("%v\n%s", err, sale)
	}
}

// FuzzPortar: whatever is ported is Starlark, and nothing panics.
func FuzzPortar(f *testing.F) {
	archivos, _ := filepath.Glob("testdata/*.py")
	for _, a := range archivos {
		if b, err := os.ReadFile(a); err == nil {
			f.Add(b)
		}
	}
	f.Add([]byte("A = {True: 1, **B}\nf'{a!r:>{w}}'"))
	f.Add([]byte("x: int\ny = z = 1; w = lambda *a, k=1: (a, k)\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 16384 {
			return
		}
		sale, err := portar.Portar("e.py", b, portar.Opciones{})
		var e *portar.Error
		if err != nil {
			if !errors.As(err, &e) || len(e.Rechazos) == 0 {
				t.Fatalf("%v", err)
			}
			return
		}
		if _, err := new(syntax.FileOptions).Parse("e.star", sale, 0); err != nil {
			t.Fatalf("%v\n%s", err, sale)
		}
	})
}
