package portar_test

import (
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/escalares/portar"
)

func ExamplePortar() {
	_, err := portar.Portar("escalares.py", []byte(`
from oracle import escalar

@escalar("raices", "cm")
def raices(x: float) -> float:
    while x > 1:
        x = x ** 0.5
    return x
`), portar.Opciones{})
	fmt.Println(err)

	b, err := portar.Portar("escalares.py", []byte(`
from oracle import escalar

@escalar("holgura", unidad="cm")
def holgura(hueco: float, pieza: float = 2.5) -> float:
    return round(hueco) - 2 * pieza
`), portar.Opciones{})
	fmt.Println(len(b) > 0, err)
	// Output:
	// escalares.py:6:5: no hay «while»: usá «for» sobre un rango con tope
	// true <nil>
}
