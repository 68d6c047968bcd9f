package superficie_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

// FuzzLeer checks that no text makes the reader panic or answer with an error
// that is not one of its own, and that what reads prints, reads back the same,
// and keeps its meaning when formatted.
func FuzzLeer(f *testing.F) {
	for _, vs := range vectores(f, "superficie*.jsonl") {
		for _, v := range vs {
			f.Add(v.Texto)
		}
	}
	archivos, err := filepath.Glob("../macro/estandar/*.json")
	if err != nil || len(archivos) == 0 {
		f.Fatal(archivos, err)
	}
	for _, a := range archivos {
		texto, err := os.ReadFile(a)
		if err != nil {
			f.Fatal(err)
		}
		macro, err := superficie.Imprimir(nodoDe(f, texto))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(macro)
	}
	f.Fuzz(func(t *testing.T, texto string) {
		l, err := superficie.Leer([]byte(texto), macro.Estandar(), algebra.LimitesAlgebra{})
		if err != nil {
			var sintaxis *superficie.ErrorDeSintaxis
			var declaracion *superficie.ErrorDeDeclaracion
			var limite *algebra.LimiteError
			switch {
			case errors.As(err, &limite):
			case errors.As(err, &sintaxis) && sintaxis.Linea > 0 && sintaxis.Columna > 0:
			case errors.As(err, &declaracion) && declaracion.Linea > 0 && declaracion.Columna > 0:
			default:
				t.Fatalf("%T %v", err, err)
			}
			if len(err.Error()) > 4096 {
				t.Fatalf("el mensaje ocupa %d bytes", len(err.Error()))
			}
			return
		}
		var impresion *superficie.ErrorDeImpresion
		if _, err := superficie.Formatear([]byte(texto), macro.Estandar(), algebra.LimitesAlgebra{}); !errors.As(err, &impresion) {
			formatear(t, texto)
		}
		impreso, err := superficie.ImprimirCon(l.Forma(), macro.Estandar())
		if errors.As(err, &impresion) {
			if _, err := algebra.Cargar(l.Forma(), internas{}, algebra.LimitesAlgebra{}); err == nil {
				t.Fatalf("carga y no se imprime: %v", impresion)
			}
			return
		}
		otra, err := superficie.Leer([]byte(impreso), macro.Estandar(), algebra.LimitesAlgebra{})
		if err != nil || !otra.Forma().Igual(l.Forma()) {
			t.Fatalf("%v\n%s\n%s", err, impreso, l.Forma())
		}
		if de, err := superficie.ImprimirCon(otra.Forma(), macro.Estandar()); err != nil || de != impreso {
			t.Fatalf("no es idempotente: %v\n%s\n%s", err, impreso, de)
		}
	})
}
