package superficie_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/fixtures/procesador"
)

// conDonde returns a measure with one condition.
func conDonde(expr string) string {
	return "medida d.m:\n    de p p\n    donde " + expr + "\n    resumen contar(1)\n    umbral <= 0 porque \"x\"\n    alcance \"a\"\n"
}

func leer(texto string, lim algebra.LimitesAlgebra) error {
	_, err := superficie.LeerMedida([]byte(texto), macro.Estandar(), internas{}, lim)
	return err
}

// TestHostil gives texts made to exhaust a reader. Each has to be refused, or
// read, within a second.
func TestHostil(t *testing.T) {
	const millon = 1_000_000
	casos := []struct{ nombre, texto, quiero string }{
		{"un millón de paréntesis", conDonde(strings.Repeat("(", millon)), "3:211 sintaxis"},
		{"un millón de llamadas", conDonde(strings.Repeat("f(", millon/2)), algebra.LimiteProfundidad},
		{"un millón de negaciones", conDonde(strings.Repeat("no ", millon/4)), algebra.LimiteProfundidad},
		{"una suma de un millón", conDonde("1" + strings.Repeat("+1", millon/3)), algebra.LimiteProfundidad},
		{"un y de un millón", conDonde("a" + strings.Repeat(" y a", millon/5)), algebra.LimiteNodosDeMedida},
		{"un millón de uniones", "medida d.m:\n    de p p\n" + strings.Repeat("    unir p p\n", millon/16), algebra.LimiteProfundidad},
		{"un millón de pasos", "medida d.m:\n    de p p\n" + strings.Repeat("    donde a\n", millon/16), algebra.LimiteNodosDeMedida},
		{"un millón de requisitos", "medida d.m:\n    de p p\n    resumen contar(1)\n    umbral <= 0 porque \"\"\n" + strings.Repeat("    requiere p\n", millon/16), algebra.LimiteNodosDeMedida},
		{"un requiere de un millón", "medida d.m:\n    de p p\n    resumen contar(1)\n    umbral <= 0 porque \"\"\n    requiere p" + strings.Repeat(",p", millon/3), algebra.LimiteNodosDeMedida},
		{"un grupo de un millón", "medida d.m:\n    de p p\n    agrupar:\n" + strings.Repeat("        clave a = 1\n", millon/24), algebra.LimiteNodosDeMedida},
		{"una macro de un millón", "defmacro m(a" + strings.Repeat(",a", millon/3) + "):\n", algebra.LimiteNodosDeMedida},
		{"veinte megas", strings.Repeat("medida d.m:\n", 20<<20/12), "1:1 sintaxis"},
		{"un mega de renglones vacíos", strings.Repeat("\n", algebra.TopeDeTexto), "1:1 sintaxis"},
		{"un mega de comentarios", strings.Repeat("#\n", algebra.TopeDeTexto/2), "1:1 sintaxis"},
		{"un número de un millón de cifras", conDonde("p.a > " + strings.Repeat("9", millon)), algebra.LimiteBitsDeEntero},
		{"un flotante de un millón de cifras", conDonde("p.a > 0." + strings.Repeat("9", millon)), ""},
		{"un exponente enorme", conDonde("p.a > 1e" + strings.Repeat("9", millon/2)), "3:17 declaracion"},
		{"un texto de un millón", conDonde("p.a == \"" + strings.Repeat("ñ", millon/3) + "\""), ""},
		{"un texto de escapes", conDonde("p.a == \"" + strings.Repeat(`\u00f1`, millon/7) + "\""), ""},
		{"un texto sin cerrar", conDonde("p.a == \"" + strings.Repeat(`\\`, millon/3)), "3:18 sintaxis"},
		{"blancos", conDonde(strings.Repeat(" ", millon) + "@"), "3:1000011 sintaxis"},
		{"sangría", "medida d.m:\n" + strings.Repeat(" ", millon) + "de p p", "2:1000001 sintaxis"},
		{"encabezado", "medida " + strings.Repeat("a", millon) + ":", "1:8 sintaxis"},
		{"un id larguísimo", strings.Replace(conDonde("true"), "d.m", "d"+strings.Repeat(".m", millon/3), 1), ""},
		{"UTF-8 inválido", conDonde("p.a == \"\xff\""), "3:19 sintaxis"},
		{"UTF-8 cortado", conDonde("true") + "#\xc3", "7:2 sintaxis"},
		{"sustituto codificado", conDonde("p.a == \"\xed\xa0\x80\""), "3:19 sintaxis"},
		{"sustituto alto suelto", conDonde(`p.a == "x\ud83d"`), "3:20 sintaxis"},
		{"sustituto bajo suelto", conDonde(`p.a == "\ude00"`), "3:19 sintaxis"},
		{"sustituto alto con otra cosa", conDonde(`p.a == "\ud83d\u0041"`), "3:19 sintaxis"},
		{"par de sustitutos", conDonde(`p.a == "\ud83d\ude00"`), ""},
		{"escape desconocido", conDonde(`p.a == "\x41"`), "3:19 sintaxis"},
		{"control crudo", conDonde("p.a == \"a\x01\""), "3:20 sintaxis"},
		{"nulo", conDonde("p.a == \x00"), "3:18 sintaxis"},
		{"retorno suelto", conDonde("p.a == 1 \r y true"), "3:20 sintaxis"},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			inicio := procesador.Usado()
			err := leer(c.texto, algebra.LimitesAlgebra{})
			if d := procesador.Usado() - inicio; d > time.Second {
				t.Errorf("tardó %v", d)
			}
			if obtuve := clasificar(err); obtuve != c.quiero {
				t.Errorf("queríamos %q y llegó %q", c.quiero, obtuve)
			}
			if err != nil && len(err.Error()) > 4096 {
				t.Errorf("el mensaje ocupa %d bytes", len(err.Error()))
			}
		})
	}
}

// clasificar spells an error as its limit, or as its place and class.
func clasificar(err error) string {
	var limite *algebra.LimiteError
	var sintaxis *superficie.ErrorDeSintaxis
	var declaracion *superficie.ErrorDeDeclaracion
	switch {
	case err == nil:
		return ""
	case errors.As(err, &limite):
		return limite.Nombre
	case errors.As(err, &sintaxis):
		return lugarDe(sintaxis.Linea, sintaxis.Columna) + " sintaxis"
	case errors.As(err, &declaracion):
		return lugarDe(declaracion.Linea, declaracion.Columna) + " declaracion"
	default:
		return err.Error()
	}
}

func TestTopes(t *testing.T) {
	anidar := func(n int) string {
		return strings.Repeat("no ", n-1) + "p.a"
	}
	uniones := func(n int) string {
		s := "medida d.m:\n    de p p0\n"
		for i := 1; i <= n; i++ {
			s += "    unir p " + nombreN(i) + "\n"
		}
		return s + "    resumen contar(1)\n    umbral <= 0 porque \"x\"\n    alcance \"a\"\n"
	}
	relleno := func(n int) string {
		s := conDonde("true")
		return s + "#" + strings.Repeat("x", n-len(s)-1)
	}
	casos := []struct {
		nombre, dentro, fuera, limite string
		lim                           algebra.LimitesAlgebra
	}{
		{"profundidad por omisión", conDonde(anidar(64)), conDonde(anidar(65)), algebra.LimiteProfundidad, algebra.LimitesAlgebra{}},
		{"profundidad pedida", conDonde(anidar(3)), conDonde(anidar(4)), algebra.LimiteProfundidad, algebra.LimitesAlgebra{ProfundidadExpresion: 3}},
		{"fuentes", uniones(64), uniones(65), algebra.LimiteProfundidad, algebra.LimitesAlgebra{}},
		{"suma", conDonde("1" + strings.Repeat(" + 1", 63) + " > 0"), conDonde("1" + strings.Repeat(" + 1", 64) + " > 0"), algebra.LimiteProfundidad, algebra.LimitesAlgebra{}},
		{"nodos", conDonde("true"), conDonde("no true"), algebra.LimiteNodosDeMedida, algebra.LimitesAlgebra{NodosDeMedida: 25}},
		{"texto", conDonde(`"abc" == p.a`), conDonde(`"abcd" == p.a`), algebra.LimiteTamanoDeValor, algebra.LimitesAlgebra{TamanoDeValor: 3}},
		{"bits", conDonde("p.a > 255"), conDonde("p.a > 256"), algebra.LimiteBitsDeEntero, algebra.LimitesAlgebra{BitsDeEntero: 8}},
		{"bytes", relleno(algebra.TopeDeTexto), relleno(algebra.TopeDeTexto + 1), "1:1 sintaxis", algebra.LimitesAlgebra{}},
		{"paréntesis", conDonde(strings.Repeat("(", 200) + "p.a" + strings.Repeat(")", 200)), conDonde(strings.Repeat("(", 201) + "p.a" + strings.Repeat(")", 201)), "3:211 sintaxis", algebra.LimitesAlgebra{}},
	}
	for _, c := range casos {
		t.Run(c.nombre, func(t *testing.T) {
			if err := leer(c.dentro, c.lim); err != nil {
				t.Errorf("en el tope: %v", err)
			}
			err := leer(c.fuera, c.lim)
			if obtuve := clasificar(err); obtuve != c.limite {
				t.Errorf("pasado el tope: queríamos %q y llegó %q", c.limite, obtuve)
			}
		})
	}
}
