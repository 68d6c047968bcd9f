package algebra_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
)

// Going over a long value spends steps by its length: none up to 64 bytes, one
// for each whole four of a longer one. Each case is run with the steps it takes
// and with one less.
func TestLoLargoGasta(t *testing.T) {
	letras := func(n int) string { return strings.Repeat("a", n) }
	grande := "1" + strings.Repeat("0", 39) // 130 bits: 16 bytes, and 64 more
	donde := func(e string) string { return medida(dePP+`,["donde",`+e+`]`, `"contar",1`, `"<=",0`) }
	const t1 = `["campo","p","t"]`
	casos := []struct {
		nombre, medida, evidencia string
		pasos                     int64
	}{
		{"un texto corto", donde(`["<",` + t1 + `,["campo","p","u"]]`), fmt.Sprintf(`{"p":[{"t":%q,"u":%[1]q}]}`, letras(64)), 3},
		{"uno largo", donde(`["<",` + t1 + `,["campo","p","u"]]`), fmt.Sprintf(`{"p":[{"t":%q,"u":%[1]q}]}`, letras(65)), 3 + 16},
		{"el más corto de los dos", donde(`["==",` + t1 + `,"a"]`), fmt.Sprintf(`{"p":[{"t":%q}]}`, letras(900)), 3},
		{"dos literales en cada fila", donde(fmt.Sprintf(`["==",%q,%[1]q]`, letras(80))), `{"p":[{},{},{}]}`, 3 * (3 + 20)},
		{"en una columna mixta", donde(`["==",` + t1 + `,["campo","p","u"]]`), fmt.Sprintf(`{"p":[{"t":%q,"u":%[1]q},{"t":1,"u":1}]}`, letras(80)), 2*3 + 20},
		{"los argumentos juntos", donde(`["contiene",` + t1 + `,"bb"]`), fmt.Sprintf(`{"p":[{"t":%q},{"t":"c"}]}`, letras(63)), 2*3 + 16},
		{"y el resultado", donde(`["contiene","b",["mas",` + t1 + `,"cc"]]`), fmt.Sprintf(`{"p":[{"t":%q}]}`, letras(70)), 5 + 18 + 18 + 18},
		{"un entero de más de 64 bits", donde(`["<",["campo","p","n"],1]`), `{"p":[{"n":` + grande + `},{"n":2}]}`, 2*3 + 20},
		{"los dos enteros", donde(`["<",["campo","p","n"],["campo","p","n"]]`), `{"p":[{"n":` + grande + `}]}`, 3 + 40},
		{"el producto de dos", donde(`["<",["menos",["campo","p","n"],["campo","p","n"]],1]`), `{"p":[{"n":` + grande + `}]}`, 5 + 40},
		{"una clave", medida(dePP+`,["agrupar",[["k",`+t1+`]],[["c","contar",1]]]`, `"contar",1`, `"<=",0`), fmt.Sprintf(`{"p":[{"t":%q},{"t":%[1]q},{}]}`, letras(100)), 3 + 50},
		{"un extremo", medida(dePP, `"max",`+t1, `"<=","b"`), fmt.Sprintf(`{"p":[{"t":%q},{"t":"a"}]}`, letras(100)), 2 + 25},
		{"las claves de la unión", medida(`["unir",["de","p","p"],["de","q","q"]],["donde",["==",`+t1+`,["campo","q","t"]]]`, `"contar",1`, `"<=",0`),
			fmt.Sprintf(`{"p":[{"t":%q},{"t":"b"}],"q":[{"t":%[1]q}]}`, letras(100)), 3 + 1 + 50},
		{"las dudosas", medida(`["unir",["de","p","p"],["de","q","q"]],["donde",["==",["campo","p","n"],["campo","q","n"]]]`, `"contar",1`, `"<=",0`),
			`{"p":[{"n":` + grande + `},{"n":1}],"q":[{"n":` + grande + `}]}`, 3 + 1 + 40},
		{"la búsqueda por índice no se salva", medida(dePP+`,["sin",["de","q","q"],["==",`+t1+`,["campo","q","t"]]]`, `"contar",1`, `"<=",0`),
			fmt.Sprintf(`{"p":[{"t":%q},{"t":"b"}],"q":[{"t":%[1]q},{"t":"c"}]}`, letras(100)), 4*3 + 25},
		{"una condición de requiere", strings.Replace(medida(dePP, `"contar",1`, `"<=",0`), `["alcance"`, `["requiere",["filas","p","p",["==",`+t1+`,`+t1+`]]],["alcance"`, 1),
			fmt.Sprintf(`{"p":[{"t":%q}]}`, letras(100)), 3 + 25},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			m, e := debeCargar(t, c.medida), debeLeer(t, c.evidencia)
			v, err := algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: c.pasos})
			if err != nil || v.Pasos != c.pasos {
				t.Fatalf("with %d: %s", c.pasos, describir(v, err))
			}
			v, err = algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: c.pasos - 1})
			var l *algebra.LimiteError
			if !errors.As(err, &l) || l.Nombre != algebra.LimitePasosDeOperacion || l.Observado != c.pasos {
				t.Fatalf("with one less: %s", describir(v, err))
			}
		})
	}
}

// A pass that cores share, whose long texts end the budget, says the same as
// one that a single core makes: an error of an earlier row comes first, one of
// a later row does not.
func TestLoLargoEnParalelo(t *testing.T) {
	const filas, larga = 60000, 41234
	evidencia := func(mala int) *algebra.Evidencia {
		var b strings.Builder
		b.WriteString(`{"p":[`)
		for i := range filas {
			if i > 0 {
				b.WriteByte(',')
			}
			switch i {
			case larga:
				fmt.Fprintf(&b, `{"t":%q}`, strings.Repeat("a", 40000))
			case mala:
				b.WriteString(`{"u":1}`)
			default:
				b.WriteString(`{"t":"a"}`)
			}
		}
		b.WriteString(`]}`)
		return debeLeer(t, b.String())
	}
	m := debeCargar(t, medida(dePP+`,["donde",["==",["campo","p","t"],["campo","p","t"]]]`, `"contar",1`, `"<=",0`))
	const justo = 3*filas + 10000
	for _, c := range []struct {
		nombre string
		mala   int
		pasos  int64
		error  string
	}{
		{"entra", -1, justo, ""},
		{"falta uno", -1, justo - 1, algebra.LimitePasosDeOperacion},
		{"un error antes", larga - 1, 3*(larga+1) + 5, "un nulo"},
		{"un error después", larga + 1, 3*(larga+1) + 5, algebra.LimitePasosDeOperacion},
		{"un error después, con lo justo", larga + 1, justo, "un nulo"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			e := evidencia(c.mala)
			for nucleos := 1; nucleos <= 4; nucleos++ {
				_, err := algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: c.pasos}, algebra.Opciones{Nucleos: nucleos})
				if (err == nil) != (c.error == "") || err != nil && !strings.Contains(err.Error(), c.error) {
					t.Errorf("with %d: %v, want %q", nucleos, err, c.error)
				}
			}
		})
	}
}

// A batch cut for memory, in which long values and a scalar's own steps were
// charged, charges each row once.
func TestUnLoteCortadoCobraUnaVez(t *testing.T) {
	r, err := escalares.Internas().Con(cara(10))
	if err != nil {
		t.Fatal(err)
	}
	const filas = 500
	texto := medida(dePP+`,["donde",["y",["contiene",["mas",["campo","p","t"],"b"],"c"],["<",["cara",["campo","p","t"]],2]]]`, `"contar",1`, `"<=",0`)
	n, err := algebra.LeerNodo([]byte(texto), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, r, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	e := debeLeer(t, `{"p":[`+strings.TrimSuffix(strings.Repeat(fmt.Sprintf(`{"t":%q},`, strings.Repeat("a", 999)), filas), ",")+`]}`)
	// Ten nodes; the text and the needle, and the result; the result and the
	// needle; the argument of «cara» and its own steps.
	const justo = filas * (10 + 250 + 250 + 250 + 249 + 10)
	for _, memoria := range []int64{0, 200_000, 40_000} {
		v, err := algebra.Evaluar(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: justo, MemoriaDeOperacion: memoria})
		if err != nil || v.Pasos != justo {
			t.Errorf("with %d bytes: %s", memoria, describir(v, err))
		}
	}
}

// Which of a limit and an error comes out does not depend on how a pass is
// split: here every row is long, the error is at the end and the budget ends
// shortly before.
func TestElLimiteNoDependeDelReparto(t *testing.T) {
	const filas = 65536
	larga := strings.Repeat("a", 90)
	e := debeLeer(t, `{"p":[`+strings.Repeat(fmt.Sprintf(`{"t":%q,"n":1},`, larga), filas-2)+fmt.Sprintf(`{"t":%q,"n":"x"},{"t":"a","n":1}]}`, larga))
	m := debeCargar(t, medida(dePP+`,["donde",["y",["<=",["campo","p","t"],["campo","p","t"]],["<",["campo","p","n"],1000]]]`, `"contar",1`, `"<=",0`))
	const hastaElError = (filas - 1) * (7 + 22) // nodes, and a text of 90 bytes
	for _, c := range []struct {
		pasos int64
		error string
	}{{hastaElError, "familias"}, {hastaElError - 100, algebra.LimitePasosDeOperacion}, {hastaElError - 60000, algebra.LimitePasosDeOperacion}} {
		gastos := map[int64]bool{}
		for vez := range 12 {
			_, err := algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{PasosDeOperacion: c.pasos},
				algebra.Opciones{Nucleos: 1 + vez%3, Gasto: func(n int64) { gastos[n] = true }})
			if err == nil || !strings.Contains(err.Error(), c.error) {
				t.Fatalf("with %d steps, time %d: %v, want %s", c.pasos, vez, err, c.error)
			}
		}
		if len(gastos) != 1 {
			t.Errorf("with %d steps, it spent %v", c.pasos, gastos)
		}
	}
}

// A row fits in memory or not whatever the other rows of its batch derive.
func TestLaMemoriaNoDependeDelOrden(t *testing.T) {
	corta, larga := `{"t":"a","u":"a"},`, fmt.Sprintf(`{"t":%q,"u":"a"},`, strings.Repeat("b", 100))
	m := debeCargar(t, medida(dePP+`,["donde",["y",[">",["mas",["campo","p","t"],["campo","p","t"]],"a"],[">",["mas",["campo","p","u"],["campo","p","t"]],"a"]]]`, `"contar",1`, `"<=",0`))
	var quiero string
	for _, filas := range []string{strings.Repeat(corta, 4096) + strings.Repeat(larga, 4096), strings.Repeat(larga, 4096) + strings.Repeat(corta, 4096), strings.Repeat(corta+larga, 4096)} {
		v, err := algebra.Evaluar(context.Background(), m, debeLeer(t, `{"p":[`+strings.TrimSuffix(filas, ",")+`]}`), algebra.LimitesAlgebra{MemoriaDeOperacion: 300_000})
		if err != nil {
			t.Fatal(err)
		}
		dio := fmt.Sprint(v.Estado, v.Valor, v.Pasos)
		if quiero == "" {
			quiero = dio
		}
		if dio != quiero {
			t.Errorf("got %s, want %s", dio, quiero)
		}
	}
}

// The pairs that a condition leaves weigh the same however many cores gather them.
func TestLaMemoriaDeLosParesNoDependeDelReparto(t *testing.T) {
	var p, q strings.Builder
	for i := range 300 {
		fmt.Fprintf(&p, `{"n":%d},`, i)
		fmt.Fprintf(&q, `{"n":%d},`, 1000+i)
	}
	unidos := func(ultima string) *algebra.Evidencia {
		return debeLeer(t, `{"p":[`+strings.TrimSuffix(p.String(), ",")+`],"q":[`+q.String()+ultima+`]}`)
	}
	m := debeCargar(t, medida(`["unir",["de","p","p"],["de","q","q"]],["donde",["<",["campo","p","n"],["campo","q","n"]]]`, `"contar",1`, `"<=",0`))
	for _, memoria := range []int64{400_000, 700_000, 720_000, 730_000, 800_000, 1_000_000} {
		for _, e := range []*algebra.Evidencia{unidos(`{"n":2000}`), unidos(`{"n":"x"}`)} {
			var quiero string
			for nucleos := 1; nucleos <= 3; nucleos++ {
				v, err := algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{MemoriaDeOperacion: memoria}, algebra.Opciones{Nucleos: nucleos})
				dio, _, _ := strings.Cut(describir(v, err), "\n")
				if nucleos == 1 {
					quiero = dio
				} else if dio != quiero {
					t.Errorf("with %d bytes and %d cores: %s, want %s", memoria, nucleos, dio, quiero)
				}
			}
		}
	}
}
