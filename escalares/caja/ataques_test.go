package caja_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

// What an attack must end in. A class of its own for each code the server
// tells an agent.
const (
	pasos      = "pasos"      // LIMITE_DE_ALGEBRA, steps of the load or of the call
	memoria    = "memoria"    // LIMITE_DE_ALGEBRA, memoria_de_escalares
	tamano     = "tamano"     // LIMITE_DE_ALGEBRA, tamano_de_valor
	bits       = "bits"       // LIMITE_DE_ALGEBRA, bits_de_entero
	evaluacion = "evaluación" // EVALUACION_FALLO
	catalogo   = "catálogo"   // CATALOGO_INVALIDO
	inocuo     = "inocuo"     // no error: it took nothing
)

// ataque is a hostile function body, or a whole file when archivo is set.
type ataque struct {
	nombre  string
	cuerpo  string // of «def f(x):», four spaces in
	archivo string
	quiere  []string // any of these
}

func ataques() []ataque {
	f := func(nombre, cuerpo string, quiere ...string) ataque {
		return ataque{nombre: nombre, cuerpo: cuerpo, quiere: quiere}
	}
	a := func(nombre, archivo string, quiere ...string) ataque {
		return ataque{nombre: nombre, archivo: archivo, quiere: quiere}
	}
	const giga = "(1<<30)"
	return []ataque{
		// Those the specification names.
		f("bucle", "for i in range(1<<60):\n        pass\n    return 1", pasos),
		f("bucles anidados", "for i in range(100000):\n        for j in range(100000):\n            pass\n    return 1", pasos),
		f("recursión", "return f(x)", evaluacion),
		a("recursión mutua", "def g(x):\n    return h(x)\ndef h(x):\n    return g(x)\ny = g(1)\n", catalogo),
		a("recursión por el combinador Y", "def y(f):\n    return (lambda x: f(lambda v: x(x)(v)))(lambda x: f(lambda v: x(x)(v)))\nz = y(lambda g: lambda n: g(n))(1)\n", catalogo),
		f("comprensión", "return len([i for i in range(1<<60)])", pasos),
		f("comprensiones anidadas", "return len([1 for i in range(10000) for j in range(10000)])", pasos),
		f("max de un rango enorme", "return max(range(1<<62))", pasos),
		f("texto por un giga", "return len('a' * ("+giga+" - 1))", memoria),
		f("lista por un giga", "return len([0] * ("+giga+" - 1))", memoria),
		f("lista de un rango", "return len(list(range("+giga+")))", pasos),
		f("duplicar un texto", "s = 'x'\n    for i in range(60):\n        s = s + s\n    return len(s)", memoria),
		f("duplicar una lista", "s = [0]\n    for i in range(60):\n        s = s + s\n    return len(s)", memoria),
		f("duplicar una lista en el lugar", "s = [0]\n    for i in range(60):\n        s += s\n    return len(s)", memoria, pasos),
		f("unir un giga", "return len(','.join(['x' * (1<<20)] * 1024))", memoria),
		f("formatear un giga", "return len(('{0}' * 2048).format('x' * (1<<20)))", memoria),
		f("por ciento de un giga", "s = 'x' * (1<<22)\n    return len('%s' % s + '%s%s%s%s%s%s%s%s' % (s, s, s, s, s, s, s, s) * 8)", memoria),
		f("repr de una lista compartida", "a = [0]\n    for i in range(40):\n        a = [a, a]\n    return len(repr(a))", memoria, pasos),
		f("elevar por cuadrados", "n = 3\n    for i in range(60):\n        n = n * n\n    return n", memoria, pasos, bits),
		f("texto de un entero de millones de cifras", "n = 7\n    for i in range(24):\n        n = n * n\n    return len(str(n))", pasos, memoria, inocuo),
		a("cien mil paréntesis", "x = "+strings.Repeat("(", 100_000)+"1"+strings.Repeat(")", 100_000), catalogo),
		a("suma de un mega", "x = 1"+strings.Repeat("+1", caja.TamanoMaximo/2-10), catalogo),
		a("elif por cien mil", "def f(x):\n  if x:\n    pass\n"+strings.Repeat("  elif x:\n   0\n", 60_000), catalogo),
		f("print sin fin", "for i in range(1<<60):\n        print('x' * 1000)\n    return 1", pasos),
		a("load de otro archivo", "load(\"/etc/passwd\", \"root\")\n", catalogo),
		a("load relativo", "load(\"../escalares.star\", \"f\")\n", catalogo),
		f("devolver una lista", "return [1]", evaluacion),
		f("devolver un diccionario", "return {'a': 1}", evaluacion),
		f("devolver una función", "return f", evaluacion),
		f("NaN", "return float('nan')", evaluacion),
		f("infinito", "return float('inf')", evaluacion),
		f("infinito por cuenta", "return 1e308 * 10", evaluacion),
		f("un entero de un millón de bits", "n = 1 << 500\n    for i in range(11):\n        n = n * n\n    return n", bits),

		// Every built-in and method that amplifies, or that walks far.
		f("bytes por un giga", "return len(b'a' * ("+giga+" - 1))", memoria),
		f("tupla por un giga", "return len((0,) * ("+giga+" - 1))", memoria),
		f("tuple de un rango", "return len(tuple(range(1<<60)))", pasos),
		f("sorted de un rango", "return len(sorted(range(1<<60)))", pasos),
		f("reversed de un rango", "return len(reversed(range(1<<60)))", pasos),
		f("enumerate de un rango", "return len(enumerate(range(1<<60)))", pasos),
		f("zip de rangos", "return len(zip(range(1<<60), range(1<<60)))", pasos),
		f("any de un rango", "return any(range(0, -(1<<60), -1))", pasos, inocuo),
		f("all de un rango", "return all(range(1, 1<<60))", pasos),
		f("bytes de un rango", "return len(bytes(range(1<<60)))", pasos),
		f("dict de un rango", "return len(dict(range(1<<60)))", pasos),
		f("min con clave", "return min(range(1<<60), key = lambda v: -v)", pasos),
		f("desempacar un rango en una llamada", "return max(*range(1<<60))", memoria, pasos),
		f("desempacar un rango en una asignación", "a, b = range(1<<60)\n    return a", evaluacion),
		f("extender con un rango", "l = []\n    l.extend(range(1<<60))\n    return len(l)", memoria, pasos),
		f("sumar un rango a una lista", "l = []\n    l += range(1<<60)\n    return len(l)", memoria, pasos),
		f("actualizar con pares", "d = {}\n    d.update([(i, i) for i in range(100000)])\n    return len(d)", inocuo, pasos),
		f("reemplazar por largo", "return len(('a' * (1<<16)).replace('a', 'b' * (1<<16)))", memoria),
		f("reemplazar la nada", "return len(('a' * (1<<20)).replace('', 'b' * (1<<12)))", memoria),
		f("unir por separador largo", "return len(('x' * (1<<20)).join(['a'] * (1<<12)))", memoria),
		f("partir un texto largo", "return len(('a,' * (1<<26)).split(','))", memoria),
		f("renglones de un texto largo", "return len(('\\n' * (1<<27)).splitlines())", memoria),
		f("letras de un texto largo", "return len(list(('a' * (1<<27)).elems()))", memoria, pasos),
		f("puntos de código de un texto largo", "return len(list(('a' * (1<<27)).codepoints()))", memoria, pasos),
		f("mayúsculas sin fin", "s = 'ǰ' * (1<<26)\n    for i in range(1000):\n        s = s.upper() + s.lower()\n    return len(s)", memoria, pasos),
		f("título de un texto largo", "return len(('a ' * (1<<27)).title() + ('b ' * (1<<26)).capitalize())", memoria),
		f("ancho en el formato", "return len('{:>1000000000}'.format('x'))", evaluacion),
		f("formato que se repite", "return len(('{x}' * (1<<14)).format(x = 'y' * (1<<16)))", memoria),
		f("correr a la izquierda sin fin", "n = 1\n    for i in range(1<<60):\n        n = n << 511\n    return n", memoria, pasos),
		f("correr de un golpe", "return 1 << (1<<40)", evaluacion),
		f("multiplicar enteros enormes", "n = 1\n    for i in range(20000):\n        n = n << 511\n    for i in range(1000):\n        n = n * n\n    return n", memoria, pasos),
		f("entero de un texto largo", "return int('9' * (1<<26))", pasos, memoria, bits),
		f("flotante de un texto largo", "return float('9' * (1<<26))", evaluacion, inocuo, memoria, pasos),
		f("dispersar una tupla compartida", "t = (1,)\n    for i in range(70):\n        t = (t, t)\n    return len({t: 1})", pasos),
		f("comparar listas compartidas", "a = [0]\n    b = [0]\n    for i in range(70):\n        a = [a, a]\n        b = [b, b]\n    return a == b", evaluacion, pasos),
		f("ordenar muchas veces", "l = list(range(200000))\n    for i in range(900000):\n        l = sorted(l, reverse = True)\n    return 1", pasos),
		f("buscar en una lista muchas veces", "l = [0] * (1<<22)\n    for i in range(900000):\n        if 1 in l:\n            return 2\n    return 1", pasos),
		f("buscar en un texto muchas veces", "s = 'a' * (1<<24)\n    for i in range(900000):\n        if s.count('aab') > 0:\n            return 2\n    return 1", pasos),
		f("insertar al principio", "l = [0] * (1<<22)\n    for i in range(300000):\n        l.insert(0, i)\n    return 1", pasos, memoria),
		f("diccionario grande", "d = {}\n    for i in range(1<<60):\n        d[i] = i\n    return 1", pasos, memoria),
		f("lista anidada hondo", "l = []\n    for i in range(300000):\n        l = [l]\n    return len(str(l))", memoria, pasos, inocuo),
		f("fail con un valor enorme", "a = [0]\n    for i in range(40):\n        a = [a, a]\n    fail(a)", memoria, pasos),
		f("fail con un mensaje largo", "fail('x' * (1<<26))", evaluacion, memoria),
		f("print de un valor enorme", "a = [0]\n    for i in range(40):\n        a = [a, a]\n    print(a)\n    return 1", memoria, pasos),
		f("print de un texto enorme", "print('x' * (1<<26))\n    return 1", inocuo, memoria),
		f("cierres anidados", "g = lambda: 1\n    for i in range(200000):\n        g = (lambda h: lambda: h())(g)\n    return g()", evaluacion, pasos, memoria, inocuo),
		f("rebanada con paso", "return len((range(1<<60))[::-1])", inocuo),
		f("texto no UTF-8", "return 'ñ'[0]", evaluacion),
		f("texto de más de un mega", "return 'x' * ((1<<20) + 1)", tamano),
		f("atributos", "return getattr(x, '__class__')", evaluacion),
		f("dir de todo", "return len(dir('')) + len(dir([])) + len(dir({}))", inocuo),
		f("hash de un texto largo", "return hash('x' * (1<<27))", inocuo, memoria),
		f("dividir por cero", "return x // 0", evaluacion),
		f("declarar tarde", "escalar('otra', f)\n    return 1", evaluacion),
		f("modificar un global", "GLOBAL.append(1)\n    return 1", evaluacion),
		f("devolver bytes", "return b'x'", evaluacion),
		f("devolver un rango", "return range(3)", evaluacion),
		f("devolver un módulo", "return math", evaluacion),
		f("math.pow enorme", "return math.pow(10.0, 400)", evaluacion),
		f("math.gamma", "return math.gamma(1000)", evaluacion),
		f("math.floor de infinito", "return math.floor(float('inf'))", evaluacion),

		// Against the loader.
		a("bucle al cargar", "def g():\n    for i in range(1<<60):\n        pass\ng()\n", pasos),
		a("memoria al cargar", "x = [0] * ((1<<30) - 1)\n", memoria),
		a("tiempo al cargar", "def g():\n    t = (1,)\n    for i in range(70):\n        t = (t, t)\n    return {t: 1}\nx = g()\n", pasos),
		a("cien mil funciones", funciones(30_000), inocuo, pasos),
		a("cien mil nombres", nombres(60_000), inocuo, pasos),
		a("cien mil condicionales", "def f(x):\n"+strings.Repeat(" if x:\n  0\n", 80_000), inocuo, memoria),
		a("bloques anidados", anidados(1000), catalogo),
		a("condicionales en una expresión", "x = "+strings.Repeat("1 if 1 else ", 80_000)+"1", catalogo),
		a("corchetes", "x = "+strings.Repeat("[", 500_000), catalogo),
		a("negaciones", "x = "+strings.Repeat("not ", 250_000)+"1", catalogo),
		a("lambdas", "x = "+strings.Repeat("lambda:", 140_000)+"1", catalogo),
		a("puntos", "x = a"+strings.Repeat(".a", 500_000), catalogo),
		a("llamadas", "x = a"+strings.Repeat("()", 500_000), catalogo),
		a("índices en cadena", "x = a"+strings.Repeat("[0]", 300_000), catalogo),
		a("lista enorme", "x = ["+strings.Repeat("1,", 500_000)+"]", inocuo, pasos, memoria),
		a("diccionario enorme", "x = {"+pares(70_000)+"}", inocuo, pasos, memoria),
		a("texto enorme", "x = '"+strings.Repeat("a", 1<<20-10)+"'", inocuo),
		a("texto sin cerrar", "x = '''"+strings.Repeat("a\n", 500_000), catalogo),
		a("entero literal enorme", "x = "+strings.Repeat("9", 1_000_000), inocuo, pasos, catalogo, memoria),
		a("flotante literal enorme", "x = 1e999999999", catalogo),
		a("nulos", "x = 1\n\x00\x00", catalogo),
		a("no UTF-8", "x = '\xff\xfe'", catalogo),
		a("marca de orden de bytes", "\ufeffx = 1\n", catalogo, inocuo),
		a("sólo retornos", strings.Repeat("\r", 1<<20), inocuo, catalogo),
		a("mil declaraciones", declaraciones(1000), inocuo),
		a("parámetros de más", "def f("+parametros(300)+"):\n    return 1\nescalar('f', f)\n", catalogo),
		a("nombre larguísimo", "def f(x):\n    return x\nescalar('a' * 100000, f)\n", catalogo),
		a("nombre con un byte suelto", "def f(x):\n    return x\nescalar('\\xff', f)\n", catalogo),
		a("unidad con control", "def f(x):\n    return x\nescalar('f', f, unidad = 'a\\x00')\n", catalogo),
		a("guardar escalar", "e = escalar\ndef f(x):\n    return e('g', f)\nescalar('f', f)\n", inocuo),
	}
}

func funciones(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "def f%d(x):\n  return x\n", i)
	}
	return b.String()
}

func nombres(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "v%d = %d\n", i, i)
	}
	return b.String()
}

func pares(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d:1,", i)
	}
	return b.String()
}

func parametros(n int) string {
	var ps []string
	for i := range n {
		ps = append(ps, fmt.Sprintf("p%d", i))
	}
	return strings.Join(ps, ",")
}

func declaraciones(n int) string {
	var b strings.Builder
	b.WriteString("def f(x):\n    return x\n")
	for i := range n {
		fmt.Fprintf(&b, "escalar('f%d', f)\n", i)
	}
	return b.String()
}

func anidados(n int) string {
	var b strings.Builder
	b.WriteString("def f(x):\n")
	for i := range n {
		b.WriteString(strings.Repeat(" ", i+1) + "if x:\n")
	}
	b.WriteString(strings.Repeat(" ", n+1) + "pass\n")
	return b.String()
}

// codigo sorts an error into what the server would tell.
func codigo(err error) string {
	var lim *algebra.LimiteError
	var ev *algebra.ErrorDeEvaluacion
	var carga *caja.ErrorDeCarga
	switch {
	case err == nil:
		return inocuo
	case errors.As(err, &lim):
		switch lim.Nombre {
		case "pasos_de_escalar", "pasos_de_carga":
			return pasos
		case "memoria_de_escalares":
			return memoria
		case "tamano_de_valor":
			return tamano
		case "bits_de_entero":
			return bits
		}
	case errors.As(err, &ev):
		return evaluacion
	case errors.As(err, &carga):
		return catalogo
	}
	return err.Error()
}

// TestAtaques runs each attack and, after it, an honest call in a box of its
// own; then it looks at what both sides took.
//
// It does so in a process of its own: what the kernel tells of a child's peak
// counts what its parent had when it forked.
func TestAtaques(t *testing.T) {
	if os.Getenv("ATAQUES") == "" {
		cmd := exec.Command(os.Args[0], "-test.run=^TestAtaques$", "-test.v")
		cmd.Env = append(os.Environ(), "ATAQUES=1")
		sale, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(sale), "ataques; pico de un hijo") {
			t.Fatalf("%v\n%s", err, sale)
		}
		for l := range strings.Lines(string(sale)) {
			if strings.Contains(l, "pico de un hijo") {
				t.Log(strings.TrimSpace(l))
			}
		}
		return
	}
	const presupuesto = 96 << 20
	lim := algebra.LimitesAlgebra{MemoriaDeEscalares: presupuesto, PasosDeEscalar: 200_000, PasosDeCarga: 500_000}
	var pico int64
	as := ataques()
	for _, x := range as {
		t.Run(x.nombre, func(t *testing.T) {
			empezo := time.Now()
			fuente := x.archivo
			if fuente == "" {
				fuente = "load('math.star', 'math')\nGLOBAL = []\ndef f(x):\n    " + x.cuerpo + "\nescalar('f', f)\n"
			}
			var impreso contador
			c, err := abrir(t, fuente, func(cfg *caja.Config) {
				cfg.Limites, cfg.Gracia, cfg.Salida = lim, 100*time.Millisecond, &impreso
			})
			if err == nil && x.archivo == "" {
				_, err = fila(c, "f", algebra.NuevoEntero(1))
			}
			got := codigo(err)
			bien := false
			for _, q := range x.quiere {
				bien = bien || q == got
			}
			if !bien {
				t.Errorf("terminó en %q; se esperaba %q (%v)", got, x.quiere, err)
			}
			if err != nil && len(err.Error()) > 4<<10 {
				t.Errorf("un mensaje de %d bytes", len(err.Error()))
			}
			if impreso > 70<<10 {
				t.Errorf("imprimió %d bytes", impreso)
			}
			if c != nil {
				c.Cerrar()
				pico = max(pico, c.MemoriaPico())
			}
			if d := time.Since(empezo); d > time.Minute {
				t.Errorf("tardó %v", d)
			}
		})
	}
	// The next one is served.
	if v, err := fila(debeAbrir(t, fuenteComun), "identidad", algebra.NuevoEntero(7)); err != nil || !algebra.Identico(v, algebra.NuevoEntero(7)) {
		t.Errorf("después de los ataques: %v %v", v, err)
	}
	// The child's program itself takes some thirty megabytes.
	if pico == 0 || pico > presupuesto+48<<20 {
		t.Errorf("un hijo llegó a %d MiB", pico>>20)
	}
	mio := memoriaPropia(t)
	if mio > 128<<20 {
		t.Errorf("el padre llegó a %d MiB", mio>>20)
	}
	t.Logf("%d ataques; pico de un hijo, %d MiB; del padre, %d MiB", len(as), pico>>20, mio>>20)
}

// TestArchivosEnormes are rejected before a box starts.
func TestArchivosEnormes(t *testing.T) {
	for nombre, fuente := range map[string]string{
		"suma de doce megas":    "x = 1" + strings.Repeat("+1", 6<<20),
		"archivo de cien megas": strings.Repeat("x = 1\n", 100<<20/6),
	} {
		if _, err := abrir(t, fuente); codigo(err) != catalogo {
			t.Errorf("%s: %v", nombre, err)
		}
	}
}

type contador int

func (c *contador) Write(b []byte) (int, error) { *c += contador(len(b)); return len(b), nil }

// memoriaPropia returns this process's peak resident memory.
func memoriaPropia(t *testing.T) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, resto, _ := strings.Cut(string(b), "VmHWM:")
	campo, _, _ := strings.Cut(strings.TrimSpace(resto), " ")
	n, err := strconv.ParseInt(campo, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n << 10
}

// TestSigueTrasLaMuerte kills a child in the middle and goes on with the same
// box.
func TestSigueTrasLaMuerte(t *testing.T) {
	c := debeAbrir(t, fuenteComun+`
def come(n):
    return len("x" * n)

escalar("come", come)
`, func(cfg *caja.Config) { cfg.Limites.MemoriaDeEscalares = 96 << 20 })
	ns := []int64{1, 2, 3, 1 << 29, 5}
	for range 2 {
		r := c.Llamar("come", len(ns), []*algebra.Columna{enteros(ns...)}, 0)
		if codigo(r.Error) != memoria || r.Filas != 3 || r.Columna.Largo() != 3 {
			t.Errorf("fila %d: %v", r.Filas, r.Error)
		}
		if v, err := fila(c, "identidad", algebra.NuevoEntero(1)); err != nil {
			t.Errorf("%v %v", v, err)
		}
	}
}

// TestMatadaDesdeAfuera kills by hand a child that had taken little memory: that
// is no limit of anybody's.
func TestMatadaDesdeAfuera(t *testing.T) {
	c := debeAbrir(t, fuenteComun+`
def gira(n):
    for i in range(n):
        pass
    return n

escalar("gira", gira)
`, func(cfg *caja.Config) { cfg.Limites.PasosDeEscalar, cfg.Limites.PasosDeOperacion = 1<<40, 1<<41 })
	listo := make(chan error, 1)
	go func() {
		r := c.Llamar("gira", 1, []*algebra.Columna{enteros(1 << 38)}, 0)
		listo <- r.Error
	}()
	for matado := false; !matado; {
		select {
		case err := <-listo:
			t.Fatalf("it ended before it was killed: %v", err)
		default:
			for _, pid := range c.Hijos() {
				matado = syscall.Kill(pid, syscall.SIGKILL) == nil
			}
		}
	}
	var interno *algebra.ErrorInterno
	if err := <-listo; !errors.As(err, &interno) || !strings.Contains(err.Error(), "killed") {
		t.Errorf("got %v", err)
	}
}
