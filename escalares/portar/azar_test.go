package portar_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/escalares/portar"
)

// escritor writes random Python expressions over x, y and z.
type escritor struct{ r *rand.Rand }

func (e escritor) uno(ops ...string) string { return ops[e.r.IntN(len(ops))] }

func (e escritor) hoja() string {
	if e.r.IntN(3) > 0 {
		return e.uno("x", "y", "z")
	}
	return e.uno("0", "1", "2", "3", "10", "0.5", "2.5", "1.0", "0.0", "True", "False", "None", `"a"`, `"hola"`, `""`, `"12"`, "C", "N")
}

func (e escritor) expr(n int) string {
	if n <= 0 {
		return e.hoja()
	}
	s := func() string { return e.expr(n - 1 - e.r.IntN(2)) }
	switch e.r.IntN(31) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s %s %s)", s(), e.uno("+", "-", "*", "/", "//", "%"), s())
	case 4:
		return fmt.Sprintf("(%s ** %s)", s(), e.uno("0", "1", "2"))
	case 5:
		return fmt.Sprintf("(-%s)", s())
	case 6, 7:
		return fmt.Sprintf("(%s %s %s)", s(), e.uno("==", "!=", "<", "<=", ">", ">="), s())
	case 8:
		return fmt.Sprintf("(%s %s %s %s %s)", s(), e.uno("<", "<=", "=="), s(), e.uno("<", "<=", "!="), s())
	case 9:
		return fmt.Sprintf("(%s %s %s)", s(), e.uno("and", "or"), s())
	case 10:
		return fmt.Sprintf("(not %s)", s())
	case 11:
		return fmt.Sprintf("(%s if %s else %s)", s(), s(), s())
	case 12:
		return fmt.Sprintf("%s(%s)", e.uno("abs", "int", "float", "str", "bool", "round", "len"), s())
	case 13:
		return fmt.Sprintf("%s(%s, %s)", e.uno("min", "max"), s(), s())
	case 14:
		return fmt.Sprintf("round(%s, %s)", s(), e.uno("0", "1", "2"))
	case 15:
		return fmt.Sprintf("math.%s(%s)", e.uno("floor", "ceil", "sqrt", "fabs", "trunc"), s())
	case 16:
		return fmt.Sprintf("(%s %s (0, 1, 2.5, \"a\", %s))", s(), e.uno("in", "not in"), s())
	case 17:
		return fmt.Sprintf("(%s %s [%s, %s])", s(), e.uno("in", "not in"), s(), s())
	case 18:
		return fmt.Sprintf("(%s %s %s)", s(), e.uno("in", "not in"), e.uno("V", "{1, 2, \"b\"}", `"ahola"`))
	case 19:
		return fmt.Sprintf("sum(k * %s for k in range(3))", s())
	case 20:
		return fmt.Sprintf("%s(k == %s for k in (%s, 1, %s))", e.uno("any", "all"), s(), s(), s())
	case 21:
		return fmt.Sprintf("max([k for k in (%s, %s) if k], default=%s)", s(), s(), s())
	case 22:
		return fmt.Sprintf("f\"<{%s}>\"", e.uno("x", "y", "z", "x + 1", "y == z"))
	case 23:
		return fmt.Sprintf("%s[%s]", e.uno("str(x)", "y", `"hola"`, "D", "(1, 2.5, True)"), e.uno("0", "1", "-1", "x", "y"))
	case 24:
		return fmt.Sprintf("str(%s)[%s]", s(), e.uno("1:", ":2", "::-1", "-2:", "0:3:2"))
	case 25:
		return fmt.Sprintf("D.get(%s, %s)", s(), s())
	case 26:
		return fmt.Sprintf("(lambda k, j=2: k * j + %s)(%s)", s(), s())
	case 27:
		return fmt.Sprintf("isinstance(%s, %s)", s(), e.uno("int", "(int, float)", "str", "bool", "float"))
	case 28:
		return fmt.Sprintf("(%s %s None)", s(), e.uno("is", "is not"))
	case 29:
		return fmt.Sprintf("len({%s, %s, 1})", s(), s())
	default:
		return fmt.Sprintf("sorted([%s, %s, %s])[%s]", s(), s(), s(), e.uno("0", "1", "-1"))
	}
}

// cuerpo writes the lines of a function.
func (e escritor) cuerpo() string {
	var b strings.Builder
	for range e.r.IntN(3) {
		switch e.r.IntN(5) {
		case 0:
			fmt.Fprintf(&b, "    y = %s\n", e.expr(2))
		case 1:
			fmt.Fprintf(&b, "    t = 0\n    for k in range(3):\n        t %s= %s\n        if %s:\n            break\n    z = t\n", e.uno("+", "-"), e.expr(1), e.expr(1))
		case 2:
			fmt.Fprintf(&b, "    if %s:\n        return %s\n    elif %s:\n        x = %s\n", e.expr(2), e.expr(2), e.expr(1), e.expr(1))
		case 3:
			fmt.Fprintf(&b, "    w = [%s, %s]\n    w.append(%s)\n    z = w[%s]\n", e.expr(1), e.expr(1), e.expr(1), e.uno("0", "1", "2", "-1"))
		default:
			fmt.Fprintf(&b, "    y, z = z, %s\n", e.expr(1))
		}
	}
	fmt.Fprintf(&b, "    return %s\n", e.expr(3))
	return b.String()
}

// TestAlAzar: of functions nobody thought of, whatever is ported never gives a
// value Python does not.
func TestAlAzar(t *testing.T) {
	const cuantas, llamadas = 400, 40
	e := escritor{rand.New(rand.NewPCG(11, semilla(t)))}
	cabeza := "import math\nfrom oracle import escalar\n\nC = 2.5\nN = 7\nV = (1, \"a\", 2.5)\nD = {1: \"uno\", \"a\": 2, 2.5: True, False: 0}\n\n"
	var original strings.Builder
	original.WriteString(cabeza)
	var tandas []tanda
	rechazadas := 0
	for i := range cuantas {
		f := fmt.Sprintf("\n@escalar(\"f%d\")\ndef f%d(x, y, z=2):\n%s", i, i, e.cuerpo())
		_, err := portar.Portar("e.py", []byte(cabeza+f), portar.Opciones{})
		var no *portar.Error
		if errors.As(err, &no) {
			rechazadas++
			continue
		}
		original.WriteString(f)
		tandas = append(tandas, tanda{fmt.Sprintf("f%d", i), []generador{azaroso, azaroso, azaroso}, llamadas, true})
	}
	if rechazadas > cuantas/4 {
		t.Errorf("rechazó %d de %d", rechazadas, cuantas)
	}
	archivo := filepath.Join(t.TempDir(), "e.py")
	if err := os.WriteFile(archivo, []byte(original.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	portado, err := portar.Portar("e.py", []byte(original.String()), portar.Opciones{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := caja.Abrir(context.Background(), caja.Config{
		Fuente: portado, Encierro: caja.EncierroApagado, Limites: algebra.LimitesAlgebra{PasosDeOperacion: 1e9},
	})
	if err != nil {
		t.Fatalf("%v\n%s", err, portado)
	}
	defer c.Cerrar()
	antes := t.Failed()
	n, solo := 0, 0
	for nombre, k := range comparar(t, c, archivo, tandas) {
		if nombre == "sólo en Python" {
			solo = k
		} else {
			n += k
		}
	}
	if t.Failed() && !antes {
		if dir := os.Getenv("CASOS"); dir != "" {
			_ = os.WriteFile(filepath.Join(dir, "e.py"), []byte(original.String()), 0o644)
			_ = os.WriteFile(filepath.Join(dir, "e.star"), portado, 0o644)
		}
	}
	t.Logf("%d funciones, %d rechazadas, %d resultados comparados, %d sólo en Python", cuantas, rechazadas, n, solo)
}

// semilla is another one when someone asks for it, to look further.
func semilla(t *testing.T) uint64 {
	s := os.Getenv("SEMILLA")
	if s == "" {
		return 5
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func azaroso(r *rand.Rand) any {
	switch r.IntN(10) {
	case 0:
		return uno("", "a", "hola", "12", "ñandú", " 7 ", "1.5")(r)
	case 1:
		return nil
	case 2, 3:
		return r.IntN(2) == 0
	case 4, 5:
		return r.IntN(7) - 3
	default:
		return num(r)
	}
}
