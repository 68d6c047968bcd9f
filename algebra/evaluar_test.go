package algebra_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

func debeEvaluar(t testing.TB, m *algebra.Medida, e *algebra.Evidencia) *algebra.Veredicto {
	t.Helper()
	v, err := algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func describir(v *algebra.Veredicto, err error) string {
	if err != nil {
		return err.Error()
	}
	b := algebra.AppendJSON([]byte(string(v.Estado)+" "), v.Valor)
	b = fmt.Appendf(b, " %d pasos", v.Pasos)
	for i := range v.CantidadDeTestigos() {
		b = v.AppendTestigo(append(b, '\n'), i)
	}
	return string(b)
}

// Every kind of error, its class, and that the first one in row order, from
// left to right, is the one that comes out.
func TestErroresDeEvaluacion(t *testing.T) {
	donde := func(e string) string { return medida(dePP+`,["donde",`+e+`]`, `"contar",1`, `"<=",0`) }
	casos := []struct {
		nombre, medida, evidencia string
		clase                     algebra.Clase
	}{
		{"relación ausente", medida(dePP, `"contar",1`, `"<=",0`), `{}`, algebra.ClaseRelacionAusente},
		{"la izquierda primero", medida(`["unir",["de","x","a"],["de","y","b"]]`, `"contar",1`, `"<=",0`), `{}`, algebra.ClaseRelacionAusente},
		{"alias ausente", donde(`["==",["campo","q","a"],1]`), `{"p":[{}]}`, algebra.ClaseAliasAusente},
		{"hecho de alias ausente", donde(`["hecho","q"]`), `{"p":[{}]}`, algebra.ClaseAliasAusente},
		{"el alias reservado no se lee", medida(dePP+`,["agrupar",[["n",1]],[]],["donde",["==",["campo","_","n"],1]]`, `"contar",1`, `"<=",0`), `{"p":[{}]}`, algebra.ClaseAliasAusente},
		{"nulo", donde(`["<",["campo","p","a"],1]`), `{"p":[{}]}`, algebra.ClaseNulo},
		{"nulo como verdad", donde(`["campo","p","a"]`), `{"p":[{}]}`, algebra.ClaseNulo},
		{"familias", donde(`["<",["campo","p","a"],1]`), `{"p":[{"a":"x"}]}`, algebra.ClaseFamilias},
		{"hecho comparado", donde(`["==",["hecho","p"],["hecho","p"]]`), `{"p":[{"a":"x"}]}`, algebra.ClaseFamilias},
		{"igualdad flotante", donde(`["==",["campo","p","a"],1]`), `{"p":[{"a":1},{"a":1.5}]}`, algebra.ClaseIgualdadFlotante},
		{"número como verdad", donde(`["o",true,["campo","p","a"]]`), `{"p":[{"a":1}]}`, algebra.ClaseNoBooleano},
		{"hecho como verdad", donde(`["hecho","p"]`), `{"p":[{"a":1}]}`, algebra.ClaseNoBooleano},
		{"clave hecho", medida(dePP+`,["agrupar",[["h",["hecho","p"]]],[]]`, `"contar",1`, `"<=",0`), `{"p":[{}]}`, algebra.ClaseClaveNoEscalar},
		{"suma de texto", medida(dePP, `"suma",["campo","p","a"]`, `"<=",0`), `{"p":[{"a":1},{"a":"x"}]}`, algebra.ClaseAgregado},
		{"min mezcla", medida(dePP, `"min",["campo","p","a"]`, `"<=",0`), `{"p":[{"a":1},{"a":true}]}`, algebra.ClaseAgregado},
		{"max de nulo", medida(dePP, `"max",["campo","p","a"]`, `"<=",0`), `{"p":[{"b":1}]}`, algebra.ClaseAgregado},
		{"suma no finita", medida(dePP, `"suma",["campo","p","a"]`, `"<=",0`), `{"p":[{"a":1.7e308},{"a":1.7e308}]}`, algebra.ClaseNoFinito},
		{"operación no finita", donde(`["<",["por",["campo","p","a"],["campo","p","a"]],1]`), `{"p":[{"a":1.5},{"a":1e200}]}`, algebra.ClaseNoFinito},
		{"escalar que rechaza", donde(`["<",["menos",["campo","p","a"],"x"],1]`), `{"p":[{"a":1}]}`, algebra.ClaseEscalar},
		{"contiene con número", donde(`["contiene",["campo","p","a"],"1"]`), `{"p":[{"a":"1"},{"a":1}]}`, algebra.ClaseEscalar},
		{"umbral de otra familia", medida(dePP, `"contar",1`, `"<=","a"`), `{"p":[]}`, algebra.ClaseFamilias},
		{"umbral flotante por igualdad", medida(dePP, `"contar",1`, `"==",0.5`), `{"p":[]}`, algebra.ClaseIgualdadFlotante},
		{"gana la fila de más arriba", donde(`["y",["<",["campo","p","a"],1],["campo","p","b"]]`), `{"p":[{"a":1,"b":true},{"a":1,"b":2},{"a":"x","b":true}]}`, algebra.ClaseNoBooleano},
		{"en la fila gana la izquierda", donde(`["y",["<",["campo","p","a"],1],["campo","p","b"]]`), `{"p":[{"a":1,"b":true},{"a":"x","b":2}]}`, algebra.ClaseFamilias},
		{"el agregado anterior gana en su fila", medida(dePP+`,["agrupar",[],[["s","suma",["campo","p","a"]],["m","max",["menos",["campo","p","b"],1]]]]`, `"contar",1`, `"<=",0`), `{"p":[{"a":1,"b":1},{"a":"x","b":"x"}]}`, algebra.ClaseAgregado},
		{"la fila anterior gana al agregado", medida(dePP+`,["agrupar",[],[["s","suma",["campo","p","a"]],["m","max",["menos",["campo","p","b"],1]]]]`, `"contar",1`, `"<=",0`), `{"p":[{"a":1,"b":"x"},{"a":"x","b":1}]}`, algebra.ClaseEscalar},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := algebra.Evaluar(context.Background(), debeCargar(t, c.medida), debeLeer(t, c.evidencia), algebra.LimitesAlgebra{})
			var e *algebra.ErrorDeEvaluacion
			if !errors.As(err, &e) || e.Clase != c.clase {
				t.Errorf("got %v, want %s", err, c.clase)
			}
		})
	}
}

func filas(n int, f func(i int) string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(f(i))
	}
	b.WriteByte(']')
	return b.String()
}

// One core and many, with indices and without, say the same to the byte, steps
// and errors too.
func TestMismoResultadoPorCualquierCamino(t *testing.T) {
	grande := fmt.Sprintf(`{"p":%s,"q":%s}`,
		filas(70_000, func(i int) string { return fmt.Sprintf(`{"id":%d,"n":%d,"t":"t%d"}`, i, i%97, i%7) }),
		filas(300, func(i int) string { return fmt.Sprintf(`{"id":%d,"n":%d,"t":"t%d"}`, i, i%13, i%5) }))
	chica := fmt.Sprintf(`{"p":%s,"q":%s}`,
		filas(900, func(i int) string { return fmt.Sprintf(`{"id":%d,"n":%d,"t":"t%d"}`, i, i%97, i%7) }),
		filas(300, func(i int) string { return fmt.Sprintf(`{"id":%d,"n":%d,"t":"t%d"}`, i, i%13, i%5) }))
	sucia := strings.Replace(chica, `{"id":800,`, `{"id":"x",`, 1)
	union := `["unir",["de","p","a"],["de","q","b"]]`
	casos := []struct{ medida, evidencia string }{
		{medida(dePP+`,["donde",["y",[">",["campo","p","n"],40],["==",["campo","p","t"],"t3"]]]`, `"suma",["campo","p","id"]`, `"<=",0`), grande},
		{medida(dePP+`,["donde",["<",["mas",["campo","p","n"],["campo","p","t"]],1]]`, `"contar",1`, `"<=",0`), grande},
		{medida(union+`,["donde",["y",["<",["campo","a","id"],["campo","b","id"]],["==",["campo","a","n"],["campo","b","n"]]]]`, `"contar",1`, `"<=",0`), chica},
		{medida(union+`,["donde",["y",["<",["campo","a","id"],["campo","b","id"]],["==",["campo","a","n"],["campo","b","n"]]]]`, `"contar",1`, `"<=",0`), sucia},
		{medida(union+`,["donde",["==",["campo","a","n"],["campo","b","n"]]]`, `"contar",1`, `"<=",0`), chica},
		{medida(union+`,["donde",["==",["campo","a","id"],["campo","b","id"]]]`, `"contar",1`, `"<=",0`), sucia},
		{medida(`["de","p","a"],["sin",["de","q","b"],["y",["==",["campo","a","n"],["campo","b","n"]],["!=",["campo","a","t"],["campo","b","t"]]]]`, `"contar",1`, `"<=",0`), chica},
		{medida(`["de","p","a"],["sin",["de","q","b"],["==",["campo","a","id"],["campo","b","id"]]]`, `"contar",1`, `"<=",0`), sucia},
	}
	for i, c := range casos {
		m, e := debeCargar(t, c.medida), debeLeer(t, c.evidencia)
		quiere := describir(algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{}, algebra.Opciones{Nucleos: 1, SinIndices: true}))
		for _, op := range []algebra.Opciones{{Nucleos: 1}, {Nucleos: 7}, {Nucleos: 3, SinIndices: true}} {
			if got := describir(algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{}, op)); got != quiere {
				t.Errorf("case %d, %+v:\ngot  %.300s\nwant %.300s", i, op, got, quiere)
			}
		}
	}
}

func TestLimitesDeEvaluacion(t *testing.T) {
	tres := `{"p":[{"a":3},{"a":5},{"a":7}],"q":[{"b":3},{"b":4}]}`
	union := `["unir",["de","p","a"],["de","q","b"]]`
	casos := []struct {
		nombre, medida string
		fijar          func(*algebra.LimitesAlgebra, int64)
		justo          int64 // the least value that lets it pass
	}{
		{algebra.LimitePasosDeOperacion, medida(dePP+`,["donde",[">",["campo","p","a"],1]]`, `"suma",["campo","p","a"]`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.PasosDeOperacion = n }, 3*3 + 3},
		{algebra.LimitePasosDeOperacion, medida(union+`,["donde",["==",["campo","a","a"],["campo","b","b"]]]`, `"contar",1`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.PasosDeOperacion = n }, 3 + 2 + 1},
		{algebra.LimiteProductoCartesiano, medida(union, `"contar",1`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.ProductoCartesiano = n }, 6},
		{algebra.LimiteProductoCartesiano, medida(union+`,["donde",["==",["campo","a","a"],["campo","b","b"]]]`, `"contar",1`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.ProductoCartesiano = n }, 1},
		{algebra.LimiteProductoCartesiano, medida(dePP+`,["sin",["de","q","b"],["==",["campo","p","a"],["campo","b","b"]]]`, `"contar",1`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.ProductoCartesiano = n }, 6},
		{algebra.LimiteBitsDeEntero, medida(dePP, `"suma",["campo","p","a"]`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.BitsDeEntero = n }, 4},
		{algebra.LimiteBitsDeEntero, medida(dePP, `"max",["por",["campo","p","a"],["campo","p","a"]]`, `"<=",0`),
			func(l *algebra.LimitesAlgebra, n int64) { l.BitsDeEntero = n }, 6},
		{algebra.LimiteTamanoDeValor, medida(dePP, `"max",["mas","ab","cd"]`, `"<=","z"`),
			func(l *algebra.LimitesAlgebra, n int64) { l.TamanoDeValor = n }, 4},
	}
	for _, c := range casos {
		m, e := debeCargar(t, c.medida), debeLeer(t, tres)
		for n := c.justo; n >= c.justo-1; n-- {
			var lim algebra.LimitesAlgebra
			if n > 0 {
				c.fijar(&lim, n)
			} else {
				continue // 0 would be the default: nothing is below one
			}
			_, err := algebra.Evaluar(context.Background(), m, e, lim)
			var l *algebra.LimiteError
			switch {
			case n == c.justo && err != nil:
				t.Errorf("%s at %d: %v", c.nombre, n, err)
			case n < c.justo && (!errors.As(err, &l) || l.Nombre != c.nombre || l.Limite != n || l.Observado <= n):
				t.Errorf("%s at %d: got %v", c.nombre, n, err)
			}
		}
	}
}

func TestLimitesDeCarga(t *testing.T) {
	nos := func(n int) string {
		return medida(dePP+`,["donde",`+strings.Repeat(`["no",`, n)+`true`+strings.Repeat(`]`, n)+`]`, `"contar",1`, `"<=",0`)
	}
	uniones := func(n int) string {
		f := `["de","p","a0"]`
		for i := range n {
			f = fmt.Sprintf(`["unir",%s,["de","p","a%d"]]`, f, i+1)
		}
		return medida(f, `"contar",1`, `"<=",0`)
	}
	limite := func(texto string, lim algebra.LimitesAlgebra) string {
		_, err := cargar(texto, lim)
		var l *algebra.LimiteError
		if errors.As(err, &l) {
			return l.Nombre
		}
		return fmt.Sprint(err)
	}
	for _, c := range []struct {
		texto  string
		lim    algebra.LimitesAlgebra
		quiere string
	}{
		{nos(64), algebra.LimitesAlgebra{}, "<nil>"},
		{nos(65), algebra.LimitesAlgebra{}, algebra.LimiteProfundidad},
		{nos(512), algebra.LimitesAlgebra{ProfundidadExpresion: 512}, "<nil>"},
		{nos(1_00_000), algebra.LimitesAlgebra{}, algebra.LimiteProfundidad},
		{uniones(64), algebra.LimitesAlgebra{}, "<nil>"},
		{uniones(65), algebra.LimitesAlgebra{}, algebra.LimiteProfundidad},
		{nos(1), algebra.LimitesAlgebra{NodosDeMedida: 27}, "<nil>"},
		{nos(1), algebra.LimitesAlgebra{NodosDeMedida: 26}, algebra.LimiteNodosDeMedida},
		{strings.Repeat("[", 1_000_000), algebra.LimitesAlgebra{}, algebra.LimiteProfundidad},
		{medida(dePP, `"max",`+strings.Repeat("7", 5_000), `"<=",0`), algebra.LimitesAlgebra{}, algebra.LimiteBitsDeEntero},
	} {
		if got := limite(c.texto, c.lim); got != c.quiere {
			t.Errorf("%.80s…: got %s, want %s", c.texto, got, c.quiere)
		}
	}
}

// Of equal values of min and max the same one stays whatever the order, so that
// neither the value nor what is computed from it depends on it.
func TestExtremosIgualesEnCualquierOrden(t *testing.T) {
	for _, c := range []struct{ a, b, quiere string }{
		{"9007199254740992", "9007199254740992.0", "9007199254740993"},
		{"1", "1.0", "2"},
		{"0.0", "-0.0", "1.0"},
	} {
		for _, f := range []string{"min", "max"} {
			m := debeCargar(t, medida(dePP+`,["agrupar",[],[["k","`+f+`",["campo","p","x"]]]]`, `"suma",["mas",["col","k"],1]`, `"<=",0`))
			plano := debeCargar(t, medida(dePP, `"`+f+`",["campo","p","x"]`, `"<=",0`))
			for _, par := range [][2]string{{c.a, c.b}, {c.b, c.a}} {
				e := debeLeer(t, fmt.Sprintf(`{"p":[{"x":%s},{"x":%s}]}`, par[0], par[1]))
				if got := string(algebra.AppendJSON(nil, debeEvaluar(t, m, e).Valor)); got != c.quiere {
					t.Errorf("%s of %v: got %s, want %s", f, par, got, c.quiere)
				}
				if got := string(algebra.AppendJSON(nil, debeEvaluar(t, plano, e).Valor)); got != c.a {
					t.Errorf("%s of %v: got %s, want %s", f, par, got, c.a)
				}
			}
		}
	}
}

func TestFijarLimites(t *testing.T) {
	var l algebra.LimitesAlgebra
	if !l.Fijar("profundidad_expresion", 512) || l.Fijar("profundidad_expresion", 513) || l.Fijar("expansiones_maximas", 65) ||
		l.Fijar("filas_por_relacion", 0) || l.Fijar("nada", 1) || !l.Fijar("filas_por_relacion", 10_000_000) || l.Fijar("filas_por_relacion", 10_000_001) {
		t.Errorf("got %+v", l)
	}
	if c := l.Completos(); c.FilasPorRelacion != 10_000_000 || c.ProfundidadExpresion != 512 || c.NodosDeMedida != 20_000 {
		t.Errorf("got %+v", c)
	}
	if n := len(algebra.NombresDeLimites()); n != 13 {
		t.Errorf("got %d names", n)
	}
}

// Texts derived in a batch may not pile up: the batch is cut and goes on, and
// only a row that alone does not fit exceeds the limit.
func TestMemoriaDeOperacion(t *testing.T) {
	e := debeLeer(t, fmt.Sprintf(`{"p":%s}`, filas(3_000, func(i int) string { return fmt.Sprintf(`{"a":"%s%d"}`, strings.Repeat("x", 1_000), i) })))
	m := debeCargar(t, medida(dePP+`,["agrupar",[["b",["contiene",["mas",["campo","p","a"],["campo","p","a"]],"7"]]],[["n","contar",1],["s","suma",["contiene",["mas",["campo","p","a"],"7"],"77"]]]]`, `"suma",["col","n"]`, `"<=",0`))
	libre := describir(algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{}))
	if !strings.HasPrefix(libre, "rojo 3000") {
		t.Fatalf("got %s", libre)
	}
	if got := describir(algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{MemoriaDeOperacion: 100_000})); got != libre {
		t.Errorf("with little memory: got %s\nwant %s", got, libre)
	}
	_, err := algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{MemoriaDeOperacion: 1_500})
	var l *algebra.LimiteError
	if !errors.As(err, &l) || l.Nombre != algebra.LimiteMemoriaDeOperacion {
		t.Errorf("got %v", err)
	}
}

func TestCancelar(t *testing.T) {
	ctx, cancelar := context.WithCancel(context.Background())
	cancelar()
	m := debeCargar(t, medida(dePP, `"contar",1`, `"<=",0`))
	if _, err := algebra.Evaluar(ctx, m, debeLeer(t, `{"p":[]}`), algebra.LimitesAlgebra{}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// Sums and averages against exact rationals, over values chosen to cancel,
// overflow on the way and need more than two floats; in any order.
func TestSumasCorrectamenteRedondeadas(t *testing.T) {
	azar := rand.New(rand.NewSource(1))
	valor := func() (string, *big.Rat) {
		var s string
		switch azar.Intn(6) {
		case 0:
			s = fmt.Sprint(azar.Int63() - azar.Int63())
		case 1:
			s = fmt.Sprintf("%d%018d", azar.Int63(), azar.Int63n(1e18))
		case 2:
			s = fmt.Sprintf("%de%d", azar.Intn(2000)-1000, azar.Intn(600)-300)
		case 3:
			s = fmt.Sprintf("%de-3%02d", azar.Intn(1_000_000)-500_000, azar.Intn(25))
		case 4:
			s = []string{"1.7e308", "-1.7e308", "5e-324", "-5e-324", "0.1", "-0.0"}[azar.Intn(6)]
		default:
			s = fmt.Sprintf("%g", azar.NormFloat64()*1e6)
		}
		if strings.ContainsAny(s, ".e") {
			f := new(big.Float)
			f.SetPrec(53).SetMode(big.ToNearestEven)
			v, _ := algebra.LeerNumero(s, algebra.LimitesAlgebra{})
			r := new(big.Rat).SetFloat64(float64(v.(algebra.Flotante)))
			return s, r
		}
		r, _ := new(big.Rat).SetString(s)
		return s, r
	}
	mSuma := debeCargar(t, medida(dePP, `"suma",["campo","p","x"]`, `"<=",0`))
	mGrupo := debeCargar(t, medida(dePP+`,["agrupar",[["k",["campo","p","k"]]],[["s","suma",["campo","p","x"]]]]`, `"max",["col","s"]`, `"<=",0`))
	mPromedio := debeCargar(t, medida(dePP, `"promedio",["campo","p","x"]`, `"<=",0`))
	for vuelta := range 3_000 {
		n := 1 + azar.Intn(40)
		exacta, flotante := new(big.Rat), false
		var textos []string
		for range n {
			s, r := valor()
			exacta.Add(exacta, r)
			flotante = flotante || strings.ContainsAny(s, ".e")
			textos = append(textos, fmt.Sprintf(`{"k":1,"x":%s}`, s))
		}
		esperar := func(r *big.Rat) string {
			f, _ := r.Float64()
			if new(big.Float).SetFloat64(f).IsInf() {
				return string(algebra.ClaseNoFinito)
			}
			return string(algebra.AppendFlotante(nil, f))
		}
		suma := string(exacta.Num().Append(nil, 10))
		if flotante {
			suma = esperar(exacta)
		}
		promedio := esperar(new(big.Rat).Quo(exacta, new(big.Rat).SetInt64(int64(n))))
		azar.Shuffle(n, func(i, j int) { textos[i], textos[j] = textos[j], textos[i] })
		e := debeLeer(t, `{"p":[`+strings.Join(textos, ",")+`]}`)
		for _, c := range []struct {
			m      *algebra.Medida
			quiere string
		}{{mSuma, suma}, {mGrupo, suma}, {mPromedio, promedio}} {
			v, err := algebra.Evaluar(context.Background(), c.m, e, algebra.LimitesAlgebra{})
			got := ""
			var ee *algebra.ErrorDeEvaluacion
			if errors.As(err, &ee) {
				got = string(ee.Clase)
			} else {
				got = string(algebra.AppendJSON(nil, v.Valor))
			}
			if strings.TrimPrefix(got, "-0.0") != strings.TrimPrefix(c.quiere, "-0.0") && got != "0.0" {
				t.Fatalf("round %d: got %s, want %s for %v", vuelta, got, c.quiere, textos)
			}
		}
	}
}

func ExampleEvaluar() {
	n, _ := algebra.LeerNodo([]byte(`["medida","stock.sin_negativos",
		["desde",["de","articulo","a"],["donde",["<",["campo","a","stock"],0]]],
		["resumen","contar",1],["umbral","<=",0,"no se vende lo que no hay","contrato"],
		["alcance","no mira lo reservado"]]`), algebra.LimitesAlgebra{})
	m, _ := algebra.Cargar(n, nil, algebra.LimitesAlgebra{})
	e, _ := algebra.LeerEvidencia([]byte(`{"articulo":[{"sku":"A1","stock":3},{"sku":"B2","stock":-1}]}`),
		algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	v, _ := algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{})
	fmt.Println(v.Estado, string(algebra.AppendJSON(nil, v.Valor)), string(v.AppendTestigo(nil, 0)))
	// Output: rojo 1 {"a":{"sku":"B2","stock":-1}}
}
