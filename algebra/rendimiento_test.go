package algebra_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/ingenuo"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/fixtures/rendimiento"
)

// trabajo is one row of the table of targets: a measure, its evidence and the
// loop someone would write by hand over columns already loaded.
type trabajo struct {
	nombre   string
	tuberia  string
	resumen  string
	datos    map[string]rendimiento.Filas
	filas    int // rows, or pairs, the work is about
	mano     func(d map[string]rendimiento.Filas) int
	opciones algebra.Opciones
	sinNaive bool // the plain evaluator would take minutes
}

func trabajos() []trabajo {
	cien := rendimiento.Generar(100_000, 2_000, 1)
	mil := rendimiento.Generar(1_000, 100, 2)
	otros := rendimiento.Generar(1_000, 100, 3)
	const cuenta = `["resumen","contar",1]`
	una := map[string]rendimiento.Filas{"p": cien}
	dos := map[string]rendimiento.Filas{"p": mil, "q": otros}
	producto := `["desde",["unir",["de","p","a"],["de","q","b"]],["donde",["y",["<",["campo","a","id"],["campo","b","id"]],["==",["campo","a","n"],["campo","b","n"]]]]]`
	manoProducto := func(d map[string]rendimiento.Filas) int {
		p, q := d["p"], d["q"]
		var i, j []int32
		for a := range p.ID {
			for b := range q.ID {
				if p.ID[a] < q.ID[b] && p.N[a] == q.N[b] {
					i, j = append(i, int32(a)), append(j, int32(b))
				}
			}
		}
		return len(i) + len(j) - len(i)
	}
	return []trabajo{
		{nombre: "filtro", datos: una, filas: 100_000, resumen: cuenta,
			tuberia: `["desde",["de","p","p"],["donde",["y",[">",["campo","p","n"],900],["==",["campo","p","tipo"],"muro"]]]]`,
			mano: func(d map[string]rendimiento.Filas) int {
				p := d["p"]
				var f []int32
				for i := range p.N {
					if p.N[i] > 900 && p.Tipo[i] == "muro" {
						f = append(f, int32(i))
					}
				}
				return len(f)
			}},
		{nombre: "aritmetica", datos: una, filas: 100_000, resumen: cuenta,
			tuberia: `["desde",["de","p","p"],["donde",[">",["mas",["por",["campo","p","n"],2],1],1500]]]`,
			mano: func(d map[string]rendimiento.Filas) int {
				p := d["p"]
				var f []int32
				for i := range p.N {
					if p.N[i]*2+1 > 1500 {
						f = append(f, int32(i))
					}
				}
				return len(f)
			}},
		{nombre: "agrupar", datos: una, filas: 100_000, resumen: cuenta,
			tuberia: `["desde",["de","p","p"],["agrupar",[["t",["campo","p","tipo"]],["n",["campo","p","n"]]],[["c","contar",1],["s","suma",["campo","p","x"]]]],["donde",[">",["col","c"],12]]]`,
			mano: func(d map[string]rendimiento.Filas) int {
				type clave struct {
					t string
					n int64
				}
				type grupo struct {
					c    int64
					s, e float64
				}
				p := d["p"]
				indice := map[clave]int{}
				var grupos []grupo
				for i := range p.N {
					k := clave{p.Tipo[i], p.N[i]}
					g, ok := indice[k]
					if !ok {
						g = len(grupos)
						indice[k] = g
						grupos = append(grupos, grupo{})
					}
					// Neumaier's compensated sum: nearly exact, as one would.
					x, a := p.X[i], &grupos[g]
					t := a.s + x
					if a.s >= x {
						a.e += (a.s - t) + x
					} else {
						a.e += (x - t) + a.s
					}
					a.s = t
					a.c++
				}
				n := 0
				for i := range grupos {
					if grupos[i].c > 12 {
						n++
					}
				}
				return n
			}},
		{nombre: "max", datos: una, filas: 100_000, resumen: `["resumen","max",["campo","p","x"]]`,
			tuberia: `["desde",["de","p","p"]]`,
			mano: func(d map[string]rendimiento.Filas) int {
				m := d["p"].X[0]
				for _, x := range d["p"].X {
					if x > m {
						m = x
					}
				}
				return int(m)
			}},
		{nombre: "producto", datos: dos, filas: 1_000_000, resumen: cuenta, tuberia: producto, mano: manoProducto},
		{nombre: "producto-forzado", datos: dos, filas: 1_000_000, resumen: cuenta, tuberia: producto, mano: manoProducto,
			opciones: algebra.Opciones{SinIndices: true}},
		{nombre: "equijunta", datos: map[string]rendimiento.Filas{"p": cien, "q": rendimiento.Generar(1_000, 100_000, 4)}, filas: 100_000, resumen: cuenta, sinNaive: true,
			tuberia: `["desde",["unir",["de","p","a"],["de","q","b"]],["donde",["==",["campo","a","n"],["campo","b","n"]]]]`,
			mano: func(d map[string]rendimiento.Filas) int {
				p, q := d["p"], d["q"]
				indice := map[int64][]int32{}
				for j, n := range q.N {
					indice[n] = append(indice[n], int32(j))
				}
				var i, jj []int32
				for a, n := range p.N {
					for _, b := range indice[n] {
						i, jj = append(i, int32(a)), append(jj, b)
					}
				}
				return len(jj) + len(i) - len(i)
			}},
		{nombre: "antijunta", datos: dos, filas: 1_000_000, resumen: cuenta,
			tuberia: `["desde",["de","p","a"],["sin",["de","q","b"],["==",["campo","a","n"],["campo","b","n"]]]]`,
			mano: func(d map[string]rendimiento.Filas) int {
				esta := map[int64]bool{}
				for _, n := range d["q"].N {
					esta[n] = true
				}
				var f []int32
				for i, n := range d["p"].N {
					if !esta[n] {
						f = append(f, int32(i))
					}
				}
				return len(f)
			}},
	}
}

func (t trabajo) cargar(b testing.TB) (*algebra.Medida, *algebra.Evidencia) {
	texto := fmt.Sprintf(`["medida","r.%s",%s,%s,["umbral","<=",0,""],["alcance","n"]]`, "m", t.tuberia, t.resumen)
	n, err := algebra.LeerNodo([]byte(texto), algebra.LimitesAlgebra{})
	if err != nil {
		b.Fatal(err)
	}
	m, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{})
	if err != nil {
		b.Fatal(err)
	}
	j := []byte{'{'}
	for _, r := range []string{"p", "q"} {
		if f, ok := t.datos[r]; ok {
			if len(j) > 1 {
				j = append(j, ',')
			}
			j = append(j, '"', r[0], '"', ':')
			j = f.AppendJSON(j)
		}
	}
	e, err := algebra.LeerEvidencia(append(j, '}'), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		b.Fatal(err)
	}
	return m, e
}

// BenchmarkMetas times every row against the loop written by hand and the
// plain evaluator, taking turns inside one run: ns/fila is the product's on
// one core, x-mano how many times the loop's time it takes, x-ingenuo how many
// times faster than the plain evaluator it is.
func BenchmarkMetas(b *testing.B) {
	for _, t := range trabajos() {
		b.Run(t.nombre, func(b *testing.B) {
			m, e := t.cargar(b)
			ctx, lim := context.Background(), algebra.LimitesAlgebra{}
			op := t.opciones
			op.Nucleos = 1
			var propio, mano, ingenua time.Duration
			vueltas := 0
			for b.Loop() {
				a := time.Now()
				if _, err := algebra.EvaluarCon(ctx, m, e, lim, op); err != nil {
					b.Fatal(err)
				}
				c := time.Now()
				t.mano(t.datos)
				propio += c.Sub(a)
				mano += time.Since(c)
				vueltas++
			}
			b.ReportMetric(float64(propio.Nanoseconds())/float64(vueltas)/float64(t.filas), "ns/fila")
			b.ReportMetric(float64(propio)/float64(mano), "x-mano")
			if !t.sinNaive {
				a := time.Now()
				if _, err := ingenuo.Evaluar(ctx, m, e, lim); err != nil {
					b.Fatal(err)
				}
				ingenua = time.Since(a)
				b.ReportMetric(float64(ingenua)/(float64(propio)/float64(vueltas)), "x-ingenuo")
			}
		})
	}
}

// BenchmarkNucleos tells what a second core gains, next to what it gains for a
// loop that only computes: x-dos is the product's gain over one core, x-puro
// the loop's, in the same run.
func BenchmarkNucleos(b *testing.B) {
	for _, t := range trabajos() {
		if t.nombre != "filtro" && t.nombre != "producto-forzado" {
			continue
		}
		b.Run(t.nombre, func(b *testing.B) {
			m, e := t.cargar(b)
			medir := func(nucleos int) time.Duration {
				op := t.opciones
				op.Nucleos = nucleos
				a := time.Now()
				for range 1 + 2_000_000/t.filas {
					if _, err := algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{}, op); err != nil {
						b.Fatal(err)
					}
				}
				return time.Since(a)
			}
			var uno, dos, puroUno, puroDos time.Duration
			for b.Loop() {
				uno += medir(1)
				dos += medir(2)
				puroUno += puro(1)
				puroDos += puro(2)
			}
			b.ReportMetric(float64(uno)/float64(dos), "x-dos")
			b.ReportMetric(float64(puroUno)/float64(puroDos), "x-puro")
		})
	}
}

// puro times a fixed amount of computing split among goroutines.
func puro(hilos int) time.Duration {
	const total = 40_000_000
	a := time.Now()
	var grupo sync.WaitGroup
	for h := range hilos {
		grupo.Go(func() {
			x := uint64(h) + 1
			for range total / hilos {
				x ^= x << 13
				x ^= x >> 7
				x ^= x << 17
			}
			sumidero.Add(x)
		})
	}
	grupo.Wait()
	return time.Since(a)
}

var sumidero atomic.Uint64

// BenchmarkCrecimiento tells how many times longer ten times the rows take.
func BenchmarkCrecimiento(b *testing.B) {
	for _, t := range trabajos() {
		if t.nombre != "filtro" && t.nombre != "agrupar" && t.nombre != "equijunta" {
			continue
		}
		b.Run(t.nombre, func(b *testing.B) {
			m, grande := t.cargar(b)
			chico := t
			chico.datos = map[string]rendimiento.Filas{"p": rendimiento.Generar(10_000, 200, 1), "q": t.datos["q"]}
			if t.nombre == "equijunta" {
				chico.datos["q"] = rendimiento.Generar(100, 200, 4)
			}
			_, poca := chico.cargar(b)
			medir := func(e *algebra.Evidencia, veces int) time.Duration {
				a := time.Now()
				for range veces {
					if _, err := algebra.EvaluarCon(context.Background(), m, e, algebra.LimitesAlgebra{}, algebra.Opciones{Nucleos: 1}); err != nil {
						b.Fatal(err)
					}
				}
				return time.Since(a)
			}
			var diez, cien time.Duration
			for b.Loop() {
				diez += medir(poca, 10)
				cien += medir(grande, 1)
			}
			b.ReportMetric(10*float64(cien)/float64(diez), "x-diez")
		})
	}
}

// BenchmarkLeerEvidencia reads 100,000 facts of four fields, some 7 MB.
func BenchmarkLeerEvidencia(b *testing.B) {
	texto := append(rendimiento.Generar(100_000, 2_000, 1).AppendJSON([]byte(`{"p":`)), '}')
	b.SetBytes(int64(len(texto)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := algebra.LeerEvidencia(texto, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMedidaNueva loads, compiles and evaluates a small measure over a
// few rows: what a candidate by text costs.
func BenchmarkMedidaNueva(b *testing.B) {
	texto := []byte(`["medida","r.m",["desde",["de","p","p"],["donde",["y",[">",["campo","p","n"],900],["==",["campo","p","tipo"],"muro"]]]],["resumen","suma",["campo","p","n"]],["umbral","<=",0,""],["alcance","n"]]`)
	e := debeLeer(b, `{"p":[{"n":1,"tipo":"muro"},{"n":1000,"tipo":"muro"}]}`)
	b.ReportAllocs()
	for b.Loop() {
		n, err := algebra.LeerNodo(texto, algebra.LimitesAlgebra{})
		if err != nil {
			b.Fatal(err)
		}
		m, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil {
			b.Fatal(err)
		}
		debeEvaluar(b, m, e)
	}
}
