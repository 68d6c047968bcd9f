package algebra

import (
	"strings"
	"testing"

	"github.com/expr-lang/expr/vm"
)

// Every leaf and operator of an expression is one call of the compiled
// program, and the program has nothing else that touches a value: no native
// operator, no jump, no short circuit.
func TestUnaLlamadaPorNodo(t *testing.T) {
	esc := &Escalar{Nombre: "f", Min: 0, Max: -1}
	campo := func(n string) Expr { return &Campo{"p", n} }
	e := Expr(&Logico{"y", []Expr{
		&Comparacion{Igual, campo("a"), &Literal{NuevoEntero(1)}},
		&Comparacion{Distinto, campo("b"), &Literal{Texto("x")}},
		&Logico{"o", []Expr{
			&Comparacion{Menor, &Llamada{esc, []Expr{campo("c"), &Literal{Flotante(2)}, &HechoDe{"p"}}}, &Literal{NuevoEntero(1)}},
			&Comparacion{MenorIgual, &Col{"d"}, &Llamada{esc, nil}},
			&Logico{"no", []Expr{&Comparacion{Mayor, campo("e"), &Literal{Booleano(true)}}}},
			&Comparacion{MayorIgual, &Literal{Nulo{}}, campo("f")},
		}},
	}})
	quiere := map[string]int{"campo": 5, "literal": 6, "hecho": 1, "col": 1, "escalar": 2,
		"igual": 1, "distinto": 1, "menor": 1, "menor_igual": 1, "mayor": 1, "mayor_igual": 1, "y": 1, "o": 1, "no": 1}
	p, err := compilar(e, []string{"p"})
	if err != nil {
		t.Fatal(err)
	}
	llamadas := map[string]int{}
	codigo := p.vm.Disassemble()
	for _, renglon := range strings.Split(strings.TrimSpace(codigo), "\n") {
		partes := strings.Fields(renglon)
		switch op := partes[1]; op {
		case "OpLoadEnv", "OpPush", "OpInt", "OpCallN":
		case "OpCall0", "OpCall1", "OpCall2", "OpCall3", "OpLoadFunc":
			llamadas[partes[len(partes)-1]]++
		default:
			t.Errorf("unexpected instruction: %s", renglon)
		}
	}
	total := 0
	for nombre, n := range quiere {
		total += n
		if llamadas[nombre] != n {
			t.Errorf("%s is called %d times, want %d\n%s", nombre, llamadas[nombre], n, codigo)
		}
	}
	if total != len(p.nodos) {
		t.Errorf("%d nodes for %d calls", len(p.nodos), total)
	}
	var _ *vm.Program = p.vm
}
