package caja_test

import (
	"context"
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

func ExampleAbrir() {
	c, err := caja.Abrir(context.Background(), caja.Config{
		Encierro: encierro,
		Fuente: []byte(`
def desvio(a, b):
    return abs(a - b)

escalar("desvio", desvio, unidad = "cm", unidades_argumentos = ("cm", "cm"))
`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer c.Cerrar()

	r := c.Llamar("desvio", 3, []*algebra.Columna{
		{Clase: algebra.ClaseEnteros, Enteros: []int64{10, 12, 20}},
		{Clase: algebra.ClaseEnteros, Enteros: []int64{12}, Constante: true},
	}, 0)
	fmt.Println(r.Columna.Enteros, r.Error)
	// Output: [2 0 8] <nil>
}
