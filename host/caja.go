package host

import (
	"context"
	"io"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

// CajaConfinada returns the [Caja] that runs scalars in children of this
// binary, whose main has to call [caja.SiSoyCaja]. What the file prints goes to
// salida, which may be nil.
func CajaConfinada(encierro caja.Encierro, salida io.Writer) Caja {
	return func(ctx context.Context, archivo string, fuente []byte, lim algebra.LimitesAlgebra) (CajaAbierta, error) {
		c, err := caja.Abrir(ctx, caja.Config{
			Archivo: archivo, Fuente: fuente, Reservadas: escalares.Reservadas(), Limites: lim, Encierro: encierro, Salida: salida,
		})
		if err != nil {
			return nil, err
		}
		r, err := escalares.Internas().Con(c.Escalares()...)
		if err != nil {
			c.Cerrar()
			return nil, err
		}
		return cajaDeOperacion{r, c}, nil
	}
}

// cajaDeOperacion is an open box and the registry that knows its scalars.
type cajaDeOperacion struct {
	*escalares.Registro
	caja *caja.Caja
}

// Close implements [CajaAbierta].
func (c cajaDeOperacion) Close() error {
	c.caja.Cerrar()
	return nil
}
