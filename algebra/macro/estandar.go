package macro

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

//go:embed estandar/*.json
var archivosEstandar embed.FS

var estandar = sync.OnceValue(func() *Tabla {
	t := &Tabla{}
	nombres, err := fs.Glob(archivosEstandar, "estandar/*.json")
	if err != nil {
		panic(err)
	}
	for _, nombre := range nombres {
		texto, err := archivosEstandar.ReadFile(nombre)
		if err == nil {
			var n algebra.Nodo
			if n, err = algebra.LeerNodo(texto, algebra.LimitesAlgebra{}); err == nil {
				var m *Macro
				if m, err = Declarar(n, algebra.LimitesAlgebra{}); err == nil {
					t, err = t.Con(m)
				}
			}
		}
		if err != nil {
			// The files are part of the program; a test reads them all.
			panic(fmt.Sprintf("%s: %v", nombre, err))
		}
	}
	return t
})

// Estandar returns the table of the six standard macros: «ninguno»,
// «ninguno-par», «peor», and each with «-requiere» (lenguaje §7).
func Estandar() *Tabla { return estandar() }
