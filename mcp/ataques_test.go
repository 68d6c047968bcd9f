//go:build !race

package mcp_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"strings"
)

// medidaHostil is a measure with those lines of source and steps that counts
// what is left.
func medidaHostil(cuerpo string) string { return medidaConResumen(cuerpo, "contar(1)") }

func medidaConResumen(cuerpo, resumen string) string {
	return "medida prueba.hostil:\n" + cuerpo + "    resumen " + resumen + "\n    umbral <= 0 segun contrato porque \"x\"\n    alcance \"y\"\n"
}

func medidaQueRequiere(que string) string {
	return strings.Replace(medidaHostil("    de fila f\n"), "    alcance", "    requiere "+que+"\n    alcance", 1)
}

// argumentos are those of oracle_evaluar.
func argumentos(medida, evidencia string) string {
	return `{"medida":{"texto":` + enJSON(medida) + `,"formato":"oracle"},"evidencia":` + evidencia + `}`
}

func enJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// filas are n objects, each with what is between its braces.
func filas(n int, campos func(i int) string) string {
	var b strings.Builder
	b.WriteByte('[')
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("{" + campos(i) + "}")
	}
	b.WriteByte(']')
	return b.String()
}

func numeros(n int) string { return filas(n, func(i int) string { return fmt.Sprintf(`"n":%d`, i) }) }

// textos are n rows with a text of that many bytes, all the same but for the end.
func textos(n, largo int) string {
	prefijo := strings.Repeat("a", largo-8)
	return filas(n, func(i int) string { return fmt.Sprintf(`"n":%d,"t":"%s%08d"`, i, prefijo, i) })
}

// unidos repeats an expression, joined by a word, with i in the place of each #.
func unidos(n int, union, expresion string) string {
	var partes []string
	for i := range n {
		partes = append(partes, strings.ReplaceAll(expresion, "#", fmt.Sprint(i)))
	}
	return strings.Join(partes, union)
}

// thueMorse is the text on which a rolling hash modulo a power of two collides
// everywhere.
func thueMorse(n, desde int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = "ab"[bits.OnesCount(uint(i+desde))&1]
	}
	return string(b)
}

const (
	par      = "    de fila f\n    unir fila g\n"
	conOtra  = "    de fila f\n    unir otra g\n"
	unMega   = 1 << 20
	casiMega = unMega - 64
	pasosDeO = "LIMITE_DE_ALGEBRA — pasos_de_operacion"
	memoriaO = "LIMITE_DE_ALGEBRA — memoria_de_operacion"
	producto = "LIMITE_DE_ALGEBRA — producto_cartesiano"
	nodos    = "LIMITE_DE_ALGEBRA — nodos_de_medida"
	bitsDe   = "LIMITE_DE_ALGEBRA — bits_de_entero"
)

// sobre is an attack of a measure over evidence, which is only written when it
// is its turn.
func sobre(nombre, quiere, medida string, evidencia func() string) ataque {
	return ataque{nombre: nombre, quiere: quiere, args: func() string { return argumentos(medida, evidencia()) }}
}

func fila(f string) string { return `{"fila":` + f + `}` }

func ataques() []ataque {
	var as []ataque
	for _, grupo := range [][]ataque{ataquesConTextos(), ataquesConNumeros(), ataquesDeForma(), ataquesDeEvidencia(), ataquesDeCasos()} {
		as = append(as, grupo...)
	}
	return as
}

func ataquesConTextos() []ataque {
	const largo = 7000
	mil := func() string { return fila(textos(1000, largo)) }
	// Texts of a megabyte against about as many rows as a product admits.
	grandes := func() string { return `{"fila":` + textos(13, casiMega) + `,"otra":` + numeros(60_000) + `}` }
	mezcla := func() string { return `{"fila":` + textos(7, casiMega) + `,"otra":` + textos(7, casiMega) + `}` }
	var as []ataque
	con := func(nombre, quiere, medida string, evidencia func() string) {
		as = append(as, sobre(nombre, quiere, medida, evidencia))
	}
	con("sixty comparisons of texts by pair", pasosDeO, medidaHostil(par+"    donde "+unidos(60, " y ", "f.t < g.t")+"\n"), mil)
	con("sixty equalities of texts by pair", pasosDeO, medidaHostil(par+"    donde "+unidos(60, " o ", "f.t != g.t")+"\n"), mil)
	con("a literal of a megabyte", pasosDeO, medidaHostil(conOtra+"    donde f.t < \""+strings.Repeat("a", unMega-1000)+"\"\n"), grandes)
	con("sixty literals", pasosDeO, medidaHostil(conOtra+"    donde "+unidos(60, " o ", "f.t == \""+strings.Repeat("a", 16_000)+"#\"")+"\n"), grandes)
	con("contiene with its needle at the end", pasosDeO, medidaHostil(conOtra+"    donde contiene(f.t, \""+strings.Repeat("a", 500_000)+"b\")\n"), grandes)
	con("contiene against its rolling hash", pasosDeO, medidaHostil(conOtra+"    donde contiene(f.t, \""+thueMorse(1<<18, 1<<20)+"c\")\n"), func() string {
		t := thueMorse(casiMega, 0)
		return `{"fila":` + filas(15, func(int) string { return `"t":"` + t + `"` }) + `,"otra":` + numeros(60_000) + `}`
	})
	con("contiene of short needles", pasosDeO, medidaHostil(conOtra+"    donde "+unidos(60, " o ", `contiene(f.t, "aab#")`)+"\n"), grandes)
	con("contiene of each in each", pasosDeO, medidaHostil(par+"    donde "+unidos(40, " o ", "contiene(f.t, g.t)")+"\n"), mil)
	con("contiene of what was just joined", pasosDeO, medidaHostil(par+"    donde contiene(f.t + g.t, g.t + f.t)\n"), mil)
	con("joining texts by pair", pasosDeO+"|"+memoriaO, medidaHostil(par+"    donde "+unidos(20, " o ", `f.t + g.t + f.t + g.t == "x"`)+"\n"), mil)
	con("joining up to a megabyte", pasosDeO+"|"+memoriaO, medidaHostil(conOtra+"    donde "+unidos(10, " o ", `f.t + "x" == "x"`)+"\n"), grandes)
	con("joining past a megabyte", "LIMITE_DE_ALGEBRA — tamano_de_valor", medidaHostil("    de fila f\n    donde f.t + f.t == \"x\"\n"), func() string { return fila(textos(15, casiMega)) })
	con("groups by keys of a megabyte", pasosDeO, medidaHostil(conOtra+"    agrupar:\n        clave k = f.t\n"), grandes)
	con("groups by many keys of a megabyte", pasosDeO, medidaHostil(conOtra+"    agrupar:\n"+unidos(40, "", "        clave k# = f.t\n")), grandes)
	con("groups by joined keys", pasosDeO+"|"+memoriaO, medidaHostil(par+"    agrupar:\n        clave k = f.t + g.t\n"), mil)
	con("min and max of long texts", pasosDeO, medidaHostil(conOtra+"    agrupar:\n"+unidos(30, "", "        agregado m# = max(f.t)\n        agregado n# = min(f.t)\n")), grandes)
	con("max of joined texts", pasosDeO, medidaConResumen(par, "max(f.t + g.t)"), mil)
	con("join of long keys", "rojo", medidaHostil(par+"    donde f.t == g.t\n"), mil)
	con("join of keys of a megabyte", "rojo", medidaHostil(conOtra+"    donde f.t == g.t\n"), mezcla)
	con("join of equal long keys", "rojo", medidaHostil(par+"    donde f.t == g.t\n"), func() string {
		t := strings.Repeat("a", largo)
		return fila(filas(1000, func(int) string { return `"t":"` + t + `"` }))
	})
	con("antijoin of long keys", pasosDeO, medidaHostil("    de fila f\n    sin fila g donde f.t == g.t\n"), mil)
	con("antijoin by order of long texts", pasosDeO, medidaHostil("    de fila f\n    sin fila g donde "+unidos(60, " y ", "f.t < g.t")+"\n"), mil)
	con("requirement over long texts", "sin_evidencia", medidaQueRequiere("fila f donde "+unidos(2500, " o ", `f.t < "a"`)), grandes)
	con("witnesses of a megabyte", "rojo", medidaHostil("    de fila f\n    unir fila g\n    unir fila h\n"), func() string { return fila(textos(15, casiMega)) })
	con("a threshold of a megabyte", "EVALUACION_FALLO", strings.Replace(medidaConResumen("    de fila f\n", "max(f.t)"), "<= 0", "<= \""+strings.Repeat("a", unMega-1000)+"\"", 1), func() string { return fila(textos(15, casiMega)) })
	con("a text longer than texts may be", "LIMITE_DE_ALGEBRA — tamano_de_valor", medidaHostil("    de fila f\n"), func() string { return fila(textos(1, unMega+1)) })
	con("an error over long texts", "EVALUACION_FALLO — familias", medidaHostil("    de fila f\n    donde f.t > f.n\n"), func() string { return fila(textos(15, casiMega)) })
	return as
}

func ataquesConNumeros() []ataque {
	potencia := func(n uint) string { return new(big.Int).Lsh(big.NewInt(1), n).String() }
	enteros := func(n int, exp uint) string {
		base := new(big.Int).Lsh(big.NewInt(1), exp)
		return filas(n, func(i int) string { return `"n":` + new(big.Int).Add(base, big.NewInt(int64(i))).String() })
	}
	por := func(n int) string { return strings.Repeat("(", n) + "f.n" + strings.Repeat(" * g.n)", n) }
	var as []ataque
	con := func(nombre, quiere, medida string, evidencia func() string) {
		as = append(as, sobre(nombre, quiere, medida, evidencia))
	}
	con("products of integers of two thousand bits", pasosDeO, medidaHostil(par+"    donde "+unidos(60, " o ", "f.n * g.n < 0")+"\n"), func() string { return fila(enteros(1000, 2046)) })
	con("integers multiplied up to four thousand bits", pasosDeO, medidaHostil(par+"    donde "+unidos(3, " o ", por(60)+" < 0")+"\n"), func() string { return fila(enteros(1000, 66)) })
	con("integers multiplied past four thousand bits", bitsDe, medidaHostil(par+"    donde "+por(60)+" < 0\n"), func() string { return fila(enteros(1000, 68)) })
	con("sums and products of wide integers", pasosDeO, medidaHostil(par+"    donde "+unidos(30, " o ", "f.n + g.n - f.n * 3 + cerca(f.n, g.n) < 0")+"\n"), func() string { return fila(enteros(1000, 4000)) })
	con("wide integers against floats", pasosDeO, medidaHostil(par+"    donde "+unidos(60, " o ", "f.n < g.x")+"\n"), func() string {
		return fila(filas(1000, func(i int) string { return fmt.Sprintf(`"n":%s,"x":1.5e308`, potencia(1000+uint(i))) }))
	})
	con("a sum past the bits", bitsDe, medidaConResumen(par, "suma(f.n)"), func() string { return fila(enteros(1000, 4095)) })
	con("a mean of wide integers", "EVALUACION_FALLO — no_finito", medidaConResumen(par, "promedio(f.n)"), func() string { return fila(enteros(1000, 4000)) })
	extremos := func() string {
		xs := []string{"1e308", "5e-324", "-1e308", "1.7976931348623157e308", "-1.7976931348623157e308", "-5e-324", "3e-300", "1e-10", "2.5", "1e17"}
		return fila(filas(100_000, func(i int) string { return fmt.Sprintf(`"g":%d,"x":%s`, i/10, xs[i%10]) }))
	}
	for _, c := range []struct {
		nombre, quiere string
		pares          int
	}{{"ten thousand groups of extreme floats", "rojo", 8}, {"ten thousand groups of extreme floats, added up forty times", "rojo|" + memoriaO, 20}} {
		con(c.nombre, c.quiere, medidaHostil("    de fila f\n    agrupar:\n        clave g = f.g\n"+unidos(c.pares, "", "        agregado s# = suma(f.x)\n        agregado p# = promedio(f.x)\n")), extremos)
	}
	con("a sum of extreme floats by pair", "rojo", medidaConResumen(par, "suma(f.x * g.y)"), func() string {
		return fila(filas(1000, func(i int) string { return fmt.Sprintf(`"x":1e%d,"y":1e%d`, i%300, -(i % 323)) }))
	})
	con("a sum that is not finite", "EVALUACION_FALLO — no_finito", medidaConResumen(par, "suma(f.x)"), func() string { return fila(filas(1000, func(int) string { return `"x":1.7e308` })) })
	con("a million groups", pasosDeO+"|"+memoriaO, medidaHostil(par+"    agrupar:\n        clave k = f.n * 1000 + g.n\n"+unidos(20, "", "        agregado s# = suma(f.n)\n")), func() string { return fila(numeros(1000)) })
	for _, c := range []struct {
		nombre string
		clave  func(i int) string
	}{
		{"integers apart by a word", func(i int) string { return new(big.Int).Lsh(big.NewInt(int64(i)), 64).String() }},
		{"integers apart by half words", func(i int) string { return fmt.Sprint(uint64(i) << 40) }},
		{"floats apart in their sign", func(i int) string { return fmt.Sprintf("%d.0", i/2*(1-2*(i%2))) }},
		{"floats of one bit apart", func(i int) string { return fmt.Sprintf("%.17g", 1+float64(i)/(1<<52)) }},
		{"integers and floats", func(i int) string { return fmt.Sprintf([]string{"%d", "%d.0"}[i%2], i/2) }},
		{"texts of Thue and Morse", func(i int) string { return `"` + thueMorse(64, i%2*64) + fmt.Sprint(i/2) + `"` }},
		{"texts of digits", func(i int) string { return fmt.Sprintf(`"%08d"`, i) }},
	} {
		con("groups of keys that may collide: "+c.nombre, "rojo", medidaHostil("    de fila f\n    agrupar:\n        clave k = f.k\n        clave j = f.k\n"), func() string {
			return fila(filas(100_000, func(i int) string { return `"k":` + c.clave(i) }))
		})
	}
	con("join of keys that may collide", "rojo", medidaHostil(par+"    donde f.k == g.k\n"), func() string {
		return fila(filas(100_000, func(i int) string { return `"k":` + new(big.Int).Lsh(big.NewInt(int64(i)), 64).String() }))
	})
	con("an integer of sixteen million digits", bitsDe, medidaHostil("    de fila f\n"), func() string { return fila(`[{"n":` + strings.Repeat("9", 16_000_000) + `}]`) })
	con("a float of sixteen million digits", "rojo", medidaHostil("    de fila f\n"), func() string { return fila(`[{"n":0.` + strings.Repeat("9", 16_000_000) + `}]`) })
	con("a float of sixteen million zeros", "rojo", medidaHostil("    de fila f\n"), func() string { return fila(`[{"n":0.` + strings.Repeat("0", 16_000_000) + `1}]`) })
	con("an exponent of sixteen million digits", "EVIDENCIA_INVALIDA", medidaHostil("    de fila f\n"), func() string { return fila(`[{"n":1e` + strings.Repeat("9", 16_000_000) + `}]`) })
	con("a million integers of their most digits", "rojo", medidaHostil("    de fila f\n"), func() string {
		n := potencia(4095)
		return fila(filas(12_000, func(int) string { return `"n":` + n }))
	})
	con("a measure with a number of a million digits", "LIMITE_DE_ALGEBRA|MEDIDA_INVALIDA", medidaHostil("    de fila f\n    donde f.n < "+strings.Repeat("9", 1_000_000)+"\n"), func() string { return fila(numeros(1)) })
	return as
}

func ataquesDeForma() []ataque {
	var as []ataque
	con := func(nombre, quiere, medida string, evidencia func() string) {
		as = append(as, sobre(nombre, quiere, medida, evidencia))
	}
	una := func() string { return fila(numeros(1)) }
	muchas := func() string { return fila(numeros(100_000)) }
	// Twenty thousand nodes, in the number of rows that the steps just allow.
	ancha := unidos(2840, " o ", "f.n < #")
	con("twenty thousand nodes by ten thousand rows", pasosDeO+"|rojo", medidaHostil("    de fila f\n    donde "+ancha+"\n"), func() string { return fila(numeros(10_000)) })
	con("twenty thousand nodes by all the rows", pasosDeO, medidaHostil("    de fila f\n    donde "+ancha+"\n"), muchas)
	con("twenty thousand nodes by a product", pasosDeO, medidaHostil(par+"    donde "+ancha+"\n"), func() string { return fila(numeros(1000)) })
	con("a few nodes by a product, just under the steps", "rojo", medidaHostil(par+"    donde "+unidos(36, " y ", "f.n >= g.n")+"\n"), func() string { return fila(numeros(1000)) })
	con("a wide requirement by all the rows", pasosDeO, medidaQueRequiere("fila f donde "+ancha), muchas)
	con("more nodes than there may be", nodos, medidaHostil("    de fila f\n    donde "+unidos(60_000, " o ", "f.n < #")+"\n"), una)
	con("the deepest expression, by a product", "rojo", medidaHostil(par+"    donde "+strings.Repeat("no (", 62)+"f.n < g.n"+strings.Repeat(")", 62)+"\n"), func() string { return fila(numeros(1000)) })
	con("too deep an expression", "LIMITE_DE_ALGEBRA — profundidad_expresion", medidaHostil("    de fila f\n    donde "+strings.Repeat("no ", 250_000)+"f.n < 1\n"), una)
	con("half a million parentheses", "MEDIDA_INVALIDA", medidaHostil("    de fila f\n    donde "+strings.Repeat("(", 500_000)+"1"+strings.Repeat(")", 500_000)+" < f.n\n"), una)
	con("a sum of half a megabyte", "LIMITE_DE_ALGEBRA", medidaHostil("    de fila f\n    donde "+strings.Repeat("1+", 450_000)+"1 < f.n\n"), una)
	con("calls inside calls", "LIMITE_DE_ALGEBRA|MEDIDA_INVALIDA", medidaHostil("    de fila f\n    donde "+strings.Repeat("cerca(1, ", 100_000)+"1"+strings.Repeat(")", 100_000)+" < f.n\n"), una)
	con("twenty sources of two rows", producto, medidaHostil("    de fila a\n"+unidos(20, "", "    unir fila b#\n")), func() string { return fila(numeros(2)) })
	con("nineteen sources of two rows", "rojo", medidaHostil("    de fila a\n"+unidos(18, "", "    unir fila b#\n")), func() string { return fila(numeros(2)) })
	con("sixty sources of one row", "rojo", medidaHostil("    de fila a\n"+unidos(60, "", "    unir fila b#\n")), una)
	con("forty thousand sources", "LIMITE_DE_ALGEBRA", medidaHostil("    de fila a\n"+unidos(40_000, "", "    unir fila b#\n")), una)
	con("a product of all the rows", producto, medidaHostil(par), muchas)
	con("a join of all the rows with all", producto, medidaHostil(par+"    donde f.k == g.k\n"), func() string { return fila(filas(100_000, func(int) string { return `"k":1` })) })
	con("an antijoin of all the rows", producto, medidaHostil("    de fila f\n    sin fila g donde f.n == g.n\n"), muchas)
	con("thousands of antijoins", pasosDeO+"|rojo", medidaHostil("    de fila f\n"+unidos(1200, "", "    sin fila g donde f.n < g.n\n")), func() string { return fila(numeros(1000)) })
	con("thousands of groupings", pasosDeO+"|"+memoriaO+"|rojo", medidaHostil("    de fila f\n    agrupar:\n        clave n = f.n\n"+strings.Repeat("    agrupar:\n        clave n = n\n", 1500)), func() string { return fila(numeros(10_000)) })
	con("thousands of aggregates", pasosDeO+"|"+memoriaO, medidaHostil("    de fila f\n    agrupar:\n        clave n = f.n\n"+unidos(2800, "", "        agregado s# = suma(f.n)\n")), muchas)
	con("thousands of keys", pasosDeO+"|"+memoriaO, medidaHostil("    de fila f\n    agrupar:\n"+unidos(2800, "", "        clave k# = f.n\n")), muchas)
	con("thousands of filters", pasosDeO+"|rojo", medidaHostil("    de fila f\n"+strings.Repeat("    donde f.n >= 0\n", 2000)), muchas)
	con("a name of half a megabyte", "EVALUACION_FALLO — nulo", medidaHostil("    de fila f\n    donde f."+strings.Repeat("n", 500_000)+" < 1\n"), una)
	con("a relation of half a megabyte", "EVALUACION_FALLO — relacion_ausente", medidaHostil("    de "+strings.Repeat("r", 500_000)+" f\n"), una)
	con("a scalar nobody declared, of half a megabyte", "MEDIDA_INVALIDA", medidaHostil("    de fila f\n    donde "+strings.Repeat("e", 500_000)+"(1) < 1\n"), una)
	con("a measure of one line of a megabyte", "MEDIDA_INVALIDA", strings.Repeat("x", unMega), una)
	con("a measure of a million lines", "MEDIDA_INVALIDA", strings.Repeat("\n", unMega-10)+"medida", una)
	con("a measure past its size", "LIMITE_DE_ALGEBRA|MEDIDA_INVALIDA", strings.Repeat("#", 8<<20), una)
	as = append(as, conMacros()...)
	return as
}

// conMacros are macros of the project that call one another.
func conMacros() []ataque {
	invocar := func(nombre, predicado string) string {
		return nombre + " prueba.hostil:\n    relacion fila\n    alias f\n    predicado " + predicado + "\n    porque \"x\"\n    segun contrato\n    ambito universal\n    alcance \"y\"\n"
	}
	cadena := func(n int, doble string) map[string]string {
		archivos := map[string]string{}
		anterior := "ninguno"
		for i := range n {
			nombre := fmt.Sprintf("m%d", i)
			forma := fmt.Sprintf(`["defmacro",%q,["id","relacion","alias","predicado","porque","segun","ambito","alcance"],[],[%q,["$","id"],["$","relacion"],["$","alias"],%s,["$","porque"],["$","segun"],["$","ambito"],["$","alcance"]]]`, nombre, anterior, doble)
			archivos["macros/"+nombre+".json"] = forma
			anterior = nombre
		}
		return archivos
	}
	una := func(nombre, quiere string, n int, doble, predicado string) ataque {
		a := sobre(nombre, quiere, invocar(fmt.Sprintf("m%d", n-1), predicado), func() string { return fila(numeros(100_000)) })
		a.proyecto = cadena(n, doble)
		return a
	}
	const igual, doble = `["$","predicado"]`, `["o",["$","predicado"],["$","predicado"]]`
	return []ataque{
		una("fifteen macros, one over another", "rojo", 15, igual, "f.n < 5"),
		una("sixteen macros, one over another", "LIMITE_DE_ALGEBRA — expansiones_maximas", 16, igual, "f.n < 5"),
		una("macros that double", nodos, 15, doble, "f.n < 5"),
		una("macros that double what is long", nodos, 4, doble, unidos(2000, " o ", "f.n < #")),
		una("macros that double, just under the nodes", pasosDeO, 11, doble, "f.n < 5"),
	}
}

func ataquesDeEvidencia() []ataque {
	contar := medidaHostil("    de fila f\n")
	e := func(nombre, quiere string, evidencia func() string) ataque {
		return sobre(nombre, quiere, contar, evidencia)
	}
	campos := func(n int, valor string) string {
		var b strings.Builder
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `"%x":%s`, i, valor)
		}
		return b.String()
	}
	relaciones := func(n int, valor string) string { return "{" + campos(n, valor) + `,"fila":[]}` }
	return []ataque{
		e("a row of as many fields as fit", "rojo", func() string { return fila("[{" + campos(1_550_000, "1") + "}]") }),
		e("rows whose fields are all different", "rojo", func() string {
			return fila(filas(100_000, func(i int) string { return campos(10, "1") + fmt.Sprintf(`,"x%x":1`, i) }))
		}),
		e("rows of empty texts", "rojo", func() string { return fila(filas(100_000, func(int) string { return campos(15, `""`) })) }),
		e("a million relations", "verde", func() string { return relaciones(1_000_000, "[]") }),
		e("a million relations of one row", "verde", func() string { return relaciones(900_000, "[{}]") }),
		e("ten relations of all the rows", "verde", func() string {
			r := filas(100_000, func(int) string { return `"n":1` })
			var b strings.Builder
			for i := range 10 {
				fmt.Fprintf(&b, `"r%d":%s,`, i, r)
			}
			return "{" + b.String() + `"fila":[]}`
		}),
		e("five million empty rows", "LIMITE_DE_ALGEBRA — filas_por_relacion", func() string { return fila(filas(5_000_000, func(int) string { return "" })) }),
		e("a row more than there may be", "LIMITE_DE_ALGEBRA — filas_por_relacion", func() string { return fila(numeros(100_001)) }),
		e("a field repeated at the end", "EVIDENCIA_INVALIDA", func() string { return fila("[{" + campos(1_000_000, "1") + `,"0":2}]`) }),
		e("a relation repeated at the end", "EVIDENCIA_INVALIDA", func() string { return "{" + campos(1_000_000, "[]") + `,"0":[]}` }),
		e("rows that are not objects", "EVIDENCIA_INVALIDA|ARGUMENTOS_INVALIDOS", func() string { return fila("[" + strings.Repeat("1,", 4_000_000) + "1]") }),
		e("a list of sixteen megabytes in a field", "EVIDENCIA_INVALIDA", func() string { return fila(`[{"n":[` + strings.Repeat("1,", 8_000_000) + "1]}]") }),
		e("nulls", "EVIDENCIA_INVALIDA", func() string { return fila(`[{"n":null}` + strings.Repeat(`,{"n":null}`, 90_000) + `]`) }),
		e("texts of escapes", "rojo", func() string {
			t := strings.Repeat(`\u00e1`, 1<<16)
			return fila(filas(40, func(int) string { return `"t":"` + t + `"` }))
		}),
		e("a text of halves of a pair", "EVIDENCIA_INVALIDA|-32700", func() string { return fila(`[{"t":"` + strings.Repeat(`\ud800`, 1<<17) + `"}]`) }),
		e("names of a megabyte", "rojo", func() string {
			return fila(filas(15, func(i int) string { return `"` + strings.Repeat("ñ", unMega/2-16) + fmt.Sprint(i) + `":1` }))
		}),
		e("what cannot be seen in a name", "rojo", func() string { return fila(`[{"` + strings.Repeat(`\u202e\u0000`, 1<<17) + `":1}]`) }),
		sobre("witnesses of a million fields, three times", "rojo", medidaHostil("    de fila f\n    unir fila g\n    unir fila h\n"), func() string { return fila("[{" + campos(1_000_000, "1") + "}]") }),
		sobre("a fact of a million fields as a value", "EVALUACION_FALLO", medidaHostil("    de fila f\n    donde hecho(f) == 1\n"), func() string { return fila("[{" + campos(1_000_000, "1") + "}]") }),
	}
}

// ataquesDeCasos go through the calls that evaluate many times. Those have a
// budget twenty-five times that of one evaluation: here it is put at one's.
func ataquesDeCasos() []ataque {
	const llamada = "LIMITE_DE_ALGEBRA — pasos_de_llamada"
	desafiar := func(nombre, quiere, medida string, caso func(i int) string, n int) ataque {
		return ataque{nombre: "challenge: " + nombre, herramienta: "oracle_desafiar", quiere: quiere, limites: []string{"pasos_de_llamada=200000000"}, args: func() string {
			var casos []string
			for i := range n {
				espera := []string{"rojo", "verde"}[i%2]
				casos = append(casos, fmt.Sprintf(`{"id":"c%d","espera":%q,"evidencia":%s}`, i, espera, caso(i)))
			}
			return `{"medida":{"texto":` + enJSON(medida) + `,"formato":"oracle"},"usar_evidencia_del_proyecto":false,"casos":[` + strings.Join(casos, ",") + `]}`
		}}
	}
	juzgar := ataque{nombre: "judgement: forty measures by a product", herramienta: "oracle_juzgar", quiere: llamada,
		limites: []string{"pasos_de_llamada=200000000"}, proyecto: map[string]string{},
		args: func() string { return `{"evidencia":` + fila(textos(1000, 7000)) + `}` }}
	for i := range 40 {
		id := fmt.Sprintf("prueba.m%d", i)
		juzgar.proyecto["catalogos/"+id+".oracle"] = strings.Replace(medidaHostil(par+"    donde "+unidos(20, " y ", "f.t < g.t")+"\n"), "prueba.hostil", id, 1)
	}
	// Red where there is a row, green where there is none.
	unaSiUnaNo := func(f string) func(i int) string {
		return func(i int) string {
			if i%2 == 0 {
				return fila(f)
			}
			return fila("[]")
		}
	}
	enorme := desafiar("twenty thousand nodes", llamada, medidaHostil("    de fila f\n    donde "+unidos(2800, " o ", "f.n < #")+"\n"), unaSiUnaNo(`[{"n":1}]`), 2)
	enorme.limites = nil // the call's own budget is enough
	return []ataque{
		juzgar, enorme,
		desafiar("long texts by pair", llamada, medidaHostil(par+"    donde "+unidos(10, " y ", "f.t <= g.t")+"\n"), unaSiUnaNo(textos(50, 7000)), 2),
		desafiar("two thousand nodes, hardly a row", llamada+"|sobrevivientes", medidaHostil("    de fila f\n    donde "+unidos(280, " o ", "f.n < #")+"\n"), unaSiUnaNo(`[{"n":1}]`), 2),
		desafiar("thousands of cases", llamada+"|sobrevivientes", medidaHostil(par+"    donde f.n <= g.n y f.n >= 0\n"), unaSiUnaNo(`[{"n":1}]`), 20_000),
		desafiar("many fields to read instead", llamada+"|sobrevivientes", medidaHostil("    de fila f\n    donde "+unidos(100, " o ", "f.c# >= 0")+"\n"), unaSiUnaNo("[{"+unidos(3000, ",", `"c#":1`)+"}]"), 2),
	}
}
