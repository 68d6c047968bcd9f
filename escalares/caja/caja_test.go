package caja_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

func TestMain(m *testing.M) {
	caja.SiSoyCaja()
	serImpostor()
	os.Exit(m.Run())
}

func abrir(t testing.TB, fuente string, cambios ...func(*caja.Config)) (*caja.Caja, error) {
	t.Helper()
	cfg := caja.Config{Fuente: []byte(fuente), Encierro: encierro, Gracia: 2 * time.Second}
	for _, f := range cambios {
		f(&cfg)
	}
	c, err := caja.Abrir(context.Background(), cfg)
	if err == nil {
		t.Cleanup(c.Cerrar)
	}
	return c, err
}

func debeAbrir(t testing.TB, fuente string, cambios ...func(*caja.Config)) *caja.Caja {
	t.Helper()
	c, err := abrir(t, fuente, cambios...)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func flotantes(fs ...float64) *algebra.Columna {
	return &algebra.Columna{Clase: algebra.ClaseFlotantes, Flotantes: fs}
}

func enteros(ns ...int64) *algebra.Columna {
	return &algebra.Columna{Clase: algebra.ClaseEnteros, Enteros: ns}
}

func textos(ts ...string) *algebra.Columna {
	return &algebra.Columna{Clase: algebra.ClaseTextos, Textos: ts}
}

func mixta(vs ...algebra.Valor) *algebra.Columna { return &algebra.Columna{Mixta: vs} }

func constante(c *algebra.Columna) *algebra.Columna {
	c.Constante = true
	return c
}

// fila calls f with one row.
func fila(c *caja.Caja, nombre string, vs ...algebra.Valor) (algebra.Valor, error) {
	var args []*algebra.Columna
	for _, v := range vs {
		args = append(args, mixta(v))
	}
	r := c.Llamar(nombre, 1, args, 0)
	if r.Error != nil {
		return nil, r.Error
	}
	return r.Columna.Valor(0), nil
}

func grande(bits uint) algebra.Entero {
	return algebra.EnteroDe(new(big.Int).Lsh(big.NewInt(1), bits))
}

const fuenteComun = `load("math.star", "math")

def desvio(a, b):
    return math.fabs(a - b)

def identidad(x):
    return x

def campo(h, nombre):
    return h.get(nombre)

def claves(h):
    return ",".join(h.keys())

def cuantos(*args):
    return len(args)

def falla(x):
    return x // 0

def si_par(x):
    return x if x % 2 == 0 else "impar"

def muta(h):
    h["x"] = 1
    return 1

escalar("desvio", desvio, unidad = "cm", unidades_argumentos = ("cm", "cm"))
escalar("identidad", identidad)
escalar("campo", campo)
escalar("claves", claves)
escalar("cuantos", cuantos)
escalar("falla", falla)
escalar("si_par", si_par)
escalar("muta", muta)
`

func TestLlamar(t *testing.T) {
	c := debeAbrir(t, fuenteComun)
	r := c.Llamar("desvio", 3, []*algebra.Columna{flotantes(1, 2, 3.5), constante(enteros(2))}, 0)
	if r.Error != nil {
		t.Fatal(r.Error)
	}
	if d := cmp.Diff(flotantes(1, 0, 1.5), r.Columna); d != "" {
		t.Error(d)
	}
	if r.Filas != 3 || r.Pasos <= 0 {
		t.Errorf("%d filas, %d pasos", r.Filas, r.Pasos)
	}
	otra := c.Llamar("desvio", 3, []*algebra.Columna{flotantes(1, 2, 3.5), constante(enteros(2))}, 0)
	if otra.Pasos != r.Pasos {
		t.Errorf("los pasos no se repiten: %d y %d", r.Pasos, otra.Pasos)
	}
	e := c.Escalares()[0]
	if e.Nombre != "desvio" || e.Min != 2 || e.Max != 2 || e.Unidad != "cm" || len(e.UnidadesArgumentos) != 2 || e.Procedencia != "escalares.star" {
		t.Errorf("%+v", e)
	}
}

func TestCruzar(t *testing.T) {
	c := debeAbrir(t, fuenteComun)
	for _, v := range []algebra.Valor{
		algebra.NuevoEntero(0), algebra.NuevoEntero(-1), algebra.NuevoEntero(math.MaxInt64), algebra.NuevoEntero(math.MinInt64),
		grande(63), grande(64), grande(4095), algebra.EnteroDe(new(big.Int).Neg(grande(100).Big())),
		algebra.Flotante(0), algebra.Flotante(math.Copysign(0, -1)), algebra.Flotante(math.MaxFloat64), algebra.Flotante(5e-324), algebra.Flotante(1),
		algebra.Texto(""), algebra.Texto("ñandú\x00\u2028😀"), algebra.Texto(strings.Repeat("x", 1<<20)),
		algebra.Booleano(true), algebra.Booleano(false), algebra.Nulo{},
	} {
		got, err := fila(c, "identidad", v)
		if err != nil {
			t.Errorf("%.60v: %v", v, err)
		} else if !algebra.Identico(v, got) {
			t.Errorf("entró %.60v y salió %.60v", v, got)
		}
	}
	vs := []algebra.Valor{algebra.NuevoEntero(1), algebra.Texto("x"), algebra.Nulo{}, grande(70), algebra.Flotante(1), algebra.Booleano(true)}
	r := c.Llamar("identidad", len(vs), []*algebra.Columna{mixta(vs...)}, 0)
	if r.Error != nil {
		t.Fatal(r.Error)
	}
	for i, v := range vs {
		if !algebra.Identico(v, r.Columna.Valor(i)) {
			t.Errorf("fila %d: entró %v y salió %v", i, v, r.Columna.Valor(i))
		}
	}
	// A column that changes class midway.
	r = c.Llamar("si_par", 4, []*algebra.Columna{enteros(2, 4, 5, 6)}, 0)
	if r.Error != nil || r.Columna.Clase != algebra.ClaseMixta || !algebra.Identico(r.Columna.Valor(2), algebra.Texto("impar")) {
		t.Errorf("%+v %v", r.Columna, r.Error)
	}
}

func TestHechos(t *testing.T) {
	ev, err := algebra.LeerEvidencia([]byte(`{"pieza":[{"id":"a","z":1.5,"n":3},{"id":"b","ok":true}]}`), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	hs := hechosDe(t, ev, "pieza")
	c := debeAbrir(t, fuenteComun)
	r := c.Llamar("campo", 3, []*algebra.Columna{mixta(hs[0], hs[1], hs[0]), constante(textos("id"))}, 0)
	if r.Error != nil {
		t.Fatal(r.Error)
	}
	if d := cmp.Diff(textos("a", "b", "a"), r.Columna); d != "" {
		t.Error(d)
	}
	if v, err := fila(c, "claves", hs[0]); err != nil || v != algebra.Texto("id,n,z") {
		t.Errorf("%v %v", v, err)
	}
	if v, err := fila(c, "campo", hs[1], algebra.Texto("z")); err != nil || v != (algebra.Nulo{}) {
		t.Errorf("%v %v", v, err)
	}
	for _, f := range []string{"identidad", "muta"} {
		if v, err := fila(c, f, hs[0]); !esDeEvaluacion(err) {
			t.Errorf("%s: %v %v", f, v, err)
		}
	}
}

func esDeEvaluacion(err error) bool {
	var e *algebra.ErrorDeEvaluacion
	return errors.As(err, &e) && e.Clase == algebra.ClaseEscalar
}

// hechosDe gets the facts of a relation the way a measure hands them over.
func hechosDe(t *testing.T, ev *algebra.Evidencia, relacion string) []algebra.Valor {
	t.Helper()
	var hs []algebra.Valor
	captura := &algebra.Escalar{Nombre: "captura", Min: 1, Max: 1, Aplicar: func(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
		c := &algebra.Columna{Clase: algebra.ClaseEnteros}
		for i := range l.N() {
			hs = append(hs, args[0].Valor(i))
			c.Enteros = append(c.Enteros, 0)
		}
		return c
	}}
	n, err := algebra.LeerNodo([]byte(`["medida","x.y",["desde",["de","`+relacion+`","p"]],["resumen","suma",["captura",["hecho","p"]]],["umbral","==",0,""],["alcance","x"]]`), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, unaSola{captura}, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := algebra.Evaluar(context.Background(), m, ev, algebra.LimitesAlgebra{}); err != nil {
		t.Fatal(err)
	}
	return hs
}

type unaSola struct{ e *algebra.Escalar }

func (u unaSola) Buscar(nombre string) *algebra.Escalar {
	if nombre == u.e.Nombre {
		return u.e
	}
	return nil
}

func TestPrimeraFilaQueFalla(t *testing.T) {
	c := debeAbrir(t, fuenteComun+`
def hasta(x):
    if x >= 5000:
        fail("pasó de %d" % x)
    return x

escalar("hasta", hasta)
`)
	ns := make([]int64, 10_000)
	for i := range ns {
		ns[i] = int64(i)
	}
	r := c.Llamar("hasta", len(ns), []*algebra.Columna{enteros(ns...)}, 0)
	if r.Filas != 5000 || r.Columna.Largo() != 5000 || !esDeEvaluacion(r.Error) {
		t.Fatalf("%d filas, %d valores, %v", r.Filas, r.Columna.Largo(), r.Error)
	}
	if quiere := `escalar: la escalar hasta(5000): pasó de 5000 (escalares.star:39:13)`; r.Error.Error() != quiere {
		t.Errorf("dice %q", r.Error)
	}
	if _, err := fila(c, "falla", algebra.Texto(strings.Repeat("largo ", 1000))); err == nil || len(err.Error()) > 4<<10 {
		t.Errorf("%v", err)
	}
}

func TestPasosDeOperacion(t *testing.T) {
	c := debeAbrir(t, fuenteComun)
	arg := []*algebra.Columna{enteros(1, 2, 3, 4)}
	todo := c.Llamar("identidad", 4, arg, 0)
	if r := c.Llamar("identidad", 4, arg, todo.Pasos); r.Error != nil {
		t.Errorf("con los pasos justos: %v", r.Error)
	}
	r := c.Llamar("identidad", 4, arg, todo.Pasos-1)
	var lim *algebra.LimiteError
	if !errors.As(r.Error, &lim) || lim.Nombre != "pasos_de_operacion" || r.Filas != 3 {
		t.Errorf("con uno menos: %v en la fila %d", r.Error, r.Filas)
	}
}

func TestLimitesAlBorde(t *testing.T) {
	c := debeAbrir(t, `
def texto(n):
    return "x" * n

def bits(n):
    r = 1
    for i in range(n - 1):
        r = r << 1
    return r

def cuenta(n):
    s = 0
    for i in range(n):
        s += i
    return s

escalar("texto", texto)
escalar("bits", bits)
escalar("cuenta", cuenta)
`, func(cfg *caja.Config) {
		cfg.Limites = algebra.LimitesAlgebra{TamanoDeValor: 1000, BitsDeEntero: 100, PasosDeEscalar: 5000}
	})
	for _, x := range []struct {
		f      string
		n      int64
		limite string
	}{
		{"texto", 1000, ""}, {"texto", 1001, "tamano_de_valor"},
		{"bits", 100, ""}, {"bits", 101, "bits_de_entero"},
		{"cuenta", 100, ""}, {"cuenta", 100_000, "pasos_de_escalar"},
	} {
		_, err := fila(c, x.f, algebra.NuevoEntero(x.n))
		if x.limite == "" {
			if err != nil {
				t.Errorf("%s(%d): %v", x.f, x.n, err)
			}
			continue
		}
		var lim *algebra.LimiteError
		if !errors.As(err, &lim) || lim.Nombre != x.limite || lim.Observado <= lim.Limite {
			t.Errorf("%s(%d): %v", x.f, x.n, err)
		}
	}
}

func TestErrorDeCarga(t *testing.T) {
	for _, x := range []struct {
		fuente         string
		linea, columna int
	}{
		{"def f(:\n", 1, 8},
		{"x = no_existe\n", 1, 5},
		{"def f(a):\n    return a\nescalar(\"mas\", f)\n", 3, 8},
		{"x = \"\xff\"", 1, 6},
	} {
		_, err := abrir(t, x.fuente, func(cfg *caja.Config) { cfg.Reservadas = []string{"mas"} })
		var e *caja.ErrorDeCarga
		if !errors.As(err, &e) || e.Archivo != "escalares.star" || e.Linea != x.linea || e.Columna != x.columna {
			t.Errorf("%q: %v", x.fuente, err)
		}
	}
	_, err := abrir(t, strings.Repeat("#", caja.TamanoMaximo+1))
	var e *caja.ErrorDeCarga
	if !errors.As(err, &e) {
		t.Errorf("demasiado grande: %v", err)
	}
	debeAbrir(t, strings.Repeat("#", caja.TamanoMaximo))
}

func TestImprimir(t *testing.T) {
	var b strings.Builder
	c := debeAbrir(t, `
print("al cargar\n\x1b[31m")
def f(x):
    print("van", x)
    return x
escalar("f", f)
`, func(cfg *caja.Config) { cfg.Salida = &b })
	if _, err := fila(c, "f", algebra.NuevoEntero(3)); err != nil {
		t.Fatal(err)
	}
	if quiere := "escalares.star: al cargar\\n\\u001b[31m\nescalares.star: van 3\n"; b.String() != quiere {
		t.Errorf("%q", b.String())
	}
}

func TestCancelar(t *testing.T) {
	ctx, cancelar := context.WithCancel(context.Background())
	aviso := make(avisador, 1)
	c, err := caja.Abrir(ctx, caja.Config{Encierro: encierro, Gracia: time.Minute, Fuente: []byte(lento), Salida: aviso})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Cerrar()
	fin := make(chan caja.Resultado)
	go func() { fin <- c.Llamar("lento", 1, []*algebra.Columna{enteros(60)}, 0) }()
	<-aviso // it is in the middle of the call
	cancelar()
	if r := <-fin; !errors.Is(r.Error, context.Canceled) {
		t.Errorf("%v", r.Error)
	}
	c.Cerrar()
	if n := c.Vivos(); n != 0 {
		t.Errorf("quedan %d hijos", n)
	}
	if _, err := caja.Abrir(ctx, caja.Config{Encierro: encierro}); !errors.Is(err, context.Canceled) {
		t.Errorf("abrir con el contexto terminado: %v", err)
	}
}

// avisador tells that something was written.
type avisador chan struct{}

func (a avisador) Write(b []byte) (int, error) {
	select {
	case a <- struct{}{}:
	default:
	}
	return len(b), nil
}

// lento takes for ever without spending steps: hashing a value that shares its
// parts walks each of the ways to reach them.
const lento = `
def lento(n):
    print("ya")
    t = (1,)
    for i in range(n):
        t = (t, t)
    return len({t: 1})

escalar("lento", lento)
`

func TestVariosALaVez(t *testing.T) {
	c := debeAbrir(t, fuenteComun, func(cfg *caja.Config) { cfg.Hijos = 2 })
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 20 {
				x := int64(g*100 + i)
				v, err := fila(c, "identidad", algebra.NuevoEntero(x))
				if err != nil || !algebra.Identico(v, algebra.NuevoEntero(x)) {
					t.Errorf("%v %v", v, err)
				}
				if n := c.Vivos(); n > 2 {
					t.Errorf("%d hijos", n)
				}
			}
		})
	}
	wg.Wait()
	c.Cerrar()
	if n := c.Vivos(); n != 0 {
		t.Errorf("quedan %d hijos", n)
	}
	if _, err := fila(c, "identidad", algebra.NuevoEntero(1)); err == nil {
		t.Error("una caja cerrada respondió")
	}
}

func TestMuchosTextosGrandes(t *testing.T) {
	c := debeAbrir(t, "def doble(x):\n    return x + x\nescalar(\"doble\", doble)\n")
	ts := make([]string, 64)
	for i := range ts {
		ts[i] = strings.Repeat(fmt.Sprint(i%10), 400_000)
	}
	r := c.Llamar("doble", len(ts), []*algebra.Columna{textos(ts...)}, 0)
	if r.Error != nil || r.Filas != len(ts) {
		t.Fatalf("%d %v", r.Filas, r.Error)
	}
	for i, x := range ts {
		if r.Columna.Textos[i] != x+x {
			t.Fatalf("fila %d", i)
		}
	}
	r = c.Llamar("doble", 1000, []*algebra.Columna{constante(textos(ts[0]))}, 0)
	var lim *algebra.LimiteError
	if !errors.As(r.Error, &lim) || lim.Nombre != "memoria_de_operacion" {
		t.Errorf("%v", r.Error)
	}
}
