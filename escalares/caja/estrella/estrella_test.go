package estrella_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.starlark.net/starlark"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/estrella"
)

func opciones() estrella.Opciones {
	return estrella.Opciones{Archivo: "escalares.star", Reservadas: []string{"mas", "donde"}, PasosDeCarga: 100_000, PasosDeFila: 10_000}
}

func TestDeclaraciones(t *testing.T) {
	fuente := `load("math.star", "math")

def desvio(a, b):
    return math.fabs(a - b)

def con_opcion(a, tolerancia = 0.5, *, modo = "x"):
    return a

def muchas(primera, *resto):
    return primera

escalar("desvio", desvio, unidad = "cm", unidades_argumentos = ("cm", "cm"))
escalar("con_opcion", con_opcion)
escalar(nombre = "muchas", funcion = muchas)
escalar("identidad", lambda x: x, unidades_argumentos = ["m²"])
`
	p, err := estrella.Cargar([]byte(fuente), opciones())
	if err != nil {
		t.Fatal(err)
	}
	quiere := []estrella.Declaracion{
		{Nombre: "desvio", Min: 2, Max: 2, Unidad: "cm", UnidadesArgumentos: []string{"cm", "cm"}},
		{Nombre: "con_opcion", Min: 1, Max: 2},
		{Nombre: "muchas", Min: 1, Max: -1},
		{Nombre: "identidad", Min: 1, Max: 1, UnidadesArgumentos: []string{"m²"}},
	}
	if d := cmp.Diff(quiere, p.Declaraciones(), cmpopts.IgnoreUnexported(estrella.Declaracion{})); d != "" {
		t.Error(d)
	}
}

func TestErroresDeCarga(t *testing.T) {
	def := "def f(a):\n    return a\n"
	for _, c := range []struct {
		nombre, fuente string
		linea, columna int
		dice           string
	}{
		{"sintaxis", "def f(:\n", 1, 8, "se esperaba"},
		{"sin definir", "x = 1\ny = zz\n", 2, 5, "«zz» no está definido"},
		{"nombre con mayúscula", def + `escalar("Desvio", f)`, 3, 8, "no es un nombre"},
		{"nombre con acento", def + `escalar("desvío", f)`, 3, 8, "no es un nombre"},
		{"nombre vacío", def + `escalar("", f)`, 3, 8, "no es un nombre"},
		{"palabra del lenguaje", def + `escalar("donde", f)`, 3, 8, "palabra del lenguaje"},
		{"repetida", def + "escalar(\"f\", f)\nescalar(\"f\", f)", 4, 8, "ya está declarada"},
		{"no es función", `escalar("f", 3)`, 1, 8, "llegó un entero"},
		{"función de Starlark", `escalar("f", len)`, 1, 8, "llegó una función"},
		{"kwargs", "def f(**k):\n    return 1\nescalar(\"f\", f)", 3, 8, "«**»"},
		{"sólo por nombre", "def f(a, *, b):\n    return 1\nescalar(\"f\", f)", 3, 8, "«b»"},
		{"unidades de menos", "def f(a, b):\n    return a\nescalar(\"f\", f, unidades_argumentos = (\"cm\",))", 3, 8, "trae 1"},
		{"unidades de más", def + `escalar("f", f, unidades_argumentos = ("cm", "cm"))`, 3, 8, "trae 2"},
		{"unidades con variádica", "def f(*a):\n    return 1\nescalar(\"f\", f, unidades_argumentos = (\"cm\",))", 3, 8, "variádica"},
		{"unidad vacía", def + `escalar("f", f, unidades_argumentos = ("",))`, 3, 8, "no vacíos"},
		{"unidad de dos líneas", def + `escalar("f", f, unidades_argumentos = ("a\nb",))`, 3, 8, "una línea"},
		{"unidades texto", def + `escalar("f", f, unidades_argumentos = "cm")`, 3, 8, "tupla o lista"},
		{"unidad de retorno de dos líneas", def + `escalar("f", f, unidad = "a\nb")`, 3, 8, "una línea"},
		{"falta la función", `escalar("f")`, 1, 8, "funcion"},
		{"argumento desconocido", def + `escalar("f", f, unidades = ("cm",))`, 3, 8, "unidades"},
		{"while", "def f():\n    while True:\n        pass\n", 2, 5, "while"},
		{"for arriba", "for x in [1]:\n    pass\n", 1, 1, ""},
		{"if arriba", "if True:\n    x = 1\n", 1, 1, ""},
		{"reasignar", "x = 1\nx = 2\n", 2, 1, "«x»"},
		{"set", "x = set([1])\n", 1, 5, "no hay sets"},
		{"recursión", "def f(a):\n    return f(a)\nx = f(1)\n", 2, 12, "se llama a sí misma"},
		{"otro módulo", `load("otro.star", "x")`, 1, 1, "math.star"},
		{"ruta", `load("/etc/passwd", "x")`, 1, 1, "math.star"},
		{"símbolo que no está", `load("math.star", "sistema")`, 1, 1, "sistema"},
		{"fail", "fail(\"no va\")", 1, 5, "no va"},
		{"división por cero", "x = 1 // 0", 1, 7, "división por cero"},
		{"no UTF-8", "x = 1\ny = \"\xff\"\n", 2, 6, "UTF-8"},
		{"nulo", "x = 1\n \x00\ny = zz\n", 2, 2, "nulo"},
		{"paréntesis", "x = " + strings.Repeat("(", 100_000) + "1", 1, 205, "paréntesis"},
		{"suma larga", "x = 1" + strings.Repeat("+1", 200_000), 1, 5003, "fichas"},
		{"unarios", "x = " + strings.Repeat("-", 200_000) + "1", 1, 5003, "fichas"},
		{"unarios entre paréntesis", "x = " + strings.Repeat("-(-~", 10_000), 1, 0, ""},
		{"lambdas", "x = " + strings.Repeat("lambda:", 100_000) + "1", 1, 0, "fichas"},
		{"elif", "def f(x):\n    if x:\n        pass\n" + strings.Repeat("    elif x:\n        pass\n", 2000), 2004, 5, "elif"},
		{"bloques", bloques(300), 102, 0, "bloques"},
		{"muy grande", strings.Repeat("#", estrella.TamanoMaximo+1), 0, 0, "1048577"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := estrella.Cargar([]byte(c.fuente), opciones())
			var e *estrella.Error
			if !errors.As(err, &e) {
				t.Fatalf("se esperaba *Error; llegó %v", err)
			}
			if e.Linea != c.linea || (c.columna > 0 && e.Columna != c.columna) {
				t.Errorf("lugar %d:%d, se esperaba %d:%d (%s)", e.Linea, e.Columna, c.linea, c.columna, e.Motivo)
			}
			if !strings.Contains(e.Motivo, c.dice) {
				t.Errorf("«%s» no dice «%s»", e.Motivo, c.dice)
			}
			if len(e.Motivo) > 4<<10 {
				t.Errorf("un mensaje de %d bytes", len(e.Motivo))
			}
		})
	}
}

// bloques nests n functions.
func bloques(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strings.Repeat(" ", i) + "def f():\n")
	}
	return b.String() + strings.Repeat(" ", n) + "pass\n"
}

func TestEnElBordeCarga(t *testing.T) {
	for _, fuente := range []string{
		"x = " + strings.Repeat("(", 75) + "1" + strings.Repeat(")", 75),
		"x = 1" + strings.Repeat("+1", 2498),
		"x = [" + strings.Repeat("1, ", 100_000) + "]",
		"x = \"" + strings.Repeat("(", 10_000) + "\" # " + strings.Repeat("(", 10_000),
		"x = '''\n" + strings.Repeat("((\n", 1000) + "'''",
	} {
		op := opciones()
		op.PasosDeCarga = 10_000_000
		if _, err := estrella.Cargar([]byte(fuente), op); err != nil {
			t.Errorf("%.40q: %v", fuente, err)
		}
	}
}

func TestPasos(t *testing.T) {
	bucle := "def f(n):\n    s = 0\n    for i in range(n):\n        s += i\n    return s\nescalar(\"f\", f)\n"
	p, err := estrella.Cargar([]byte(bucle), opciones())
	if err != nil {
		t.Fatal(err)
	}
	h := p.NuevoHilo()
	v, n, err := h.Llamar(0, starlark.Tuple{starlark.MakeInt(10)}, 1<<40)
	if err != nil || v.String() != "45" || n == 0 {
		t.Fatalf("%v, %d pasos, %v", v, n, err)
	}
	// Exactly what it takes is enough; one less is not; and the thread can be
	// used again.
	for range 2 {
		if _, m, err := h.Llamar(0, starlark.Tuple{starlark.MakeInt(10)}, n); err != nil || m != n {
			t.Errorf("con %d pasos: %d, %v", n, m, err)
		}
		if _, m, err := h.Llamar(0, starlark.Tuple{starlark.MakeInt(10)}, n-1); !errors.Is(err, estrella.ErrPasos) || m != n-1 {
			t.Errorf("con %d pasos: %d, %v", n-1, m, err)
		}
	}
	if _, _, err := h.Llamar(0, starlark.Tuple{starlark.MakeInt(1 << 30)}, 1<<40); !errors.Is(err, estrella.ErrPasos) {
		t.Errorf("se esperaba ErrPasos; llegó %v", err)
	}
}

// TestLoQueNoGastaPasos covers the built-ins that walk a sequence in one step.
func TestLoQueNoGastaPasos(t *testing.T) {
	for _, expr := range []string{
		"max(range(1<<62))", "min(range(1<<62))", "list(range(1<<62))", "tuple(range(1<<62))", "sorted(range(1<<62))",
		"reversed(range(1<<62))", "enumerate(range(1<<62))", "zip(range(1<<62), range(1<<62))", "any(range(0, -(1<<62), -1))",
		"all(range(1, 1<<62))", "bytes(range(1<<62))", "dict(range(1<<62))", "max(range(1<<62), key = lambda x: x)",
		"zip(range(1<<62), range(1<<62), range(1<<62), range(1<<62), range(1<<62))",
	} {
		if _, err := estrella.Cargar([]byte("x = "+expr), opciones()); !errors.Is(err, estrella.ErrPasos) {
			t.Errorf("%s: se esperaba ErrPasos; llegó %v", expr, err)
		}
	}
}

func TestCongeladas(t *testing.T) {
	fuente := `
def fabrica():
    vistos = []
    def f(x):
        vistos.append(x)
        return len(vistos)
    return f

def con_defecto(x, acc = []):
    acc.append(x)
    return len(acc)

def escondida(x):
    return escalar("otra", escondida)

escalar("cierre", fabrica())
escalar("defecto", con_defecto)
escalar("tarde", escondida)
`
	p, err := estrella.Cargar([]byte(fuente), opciones())
	if err != nil {
		t.Fatal(err)
	}
	for i := range p.Declaraciones() {
		if v, _, err := p.NuevoHilo().Llamar(i, starlark.Tuple{starlark.MakeInt(1)}, 1000); err == nil {
			t.Errorf("%s: se pudo: %v", p.Declaraciones()[i].Nombre, v)
		}
	}
}

func FuzzCargar(f *testing.F) {
	for _, s := range []string{"x = 1", "def f(a):\n    return a\nescalar(\"f\", f)\n", "'''", "x = r'\\", "[[[", "if\n\telif", "load(\"math.star\", \"math\")"} {
		f.Add([]byte(s))
	}
	op := opciones()
	op.PasosDeCarga = 1000
	f.Fuzz(func(t *testing.T, fuente []byte) {
		if len(fuente) > 4096 {
			return
		}
		_, err := estrella.Cargar(fuente, op)
		var e *estrella.Error
		if err != nil && !errors.Is(err, estrella.ErrPasos) && !errors.As(err, &e) {
			t.Fatalf("un error de otro tipo: %v", err)
		}
	})
}
