package hijo

import (
	"io"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// Atender answers one frame in a box that writes to w.
func Atender(w io.Writer) func(tipo mensaje.Tipo, cuerpo []byte) error {
	h := &hijo{salida: w}
	return h.atender
}
