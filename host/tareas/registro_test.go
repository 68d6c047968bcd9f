package tareas_test

import (
	"os"
	"sync"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// TestALaVez shares a root, a repository and a record among many calls.
func TestALaVez(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	g.git("gc", "-q")
	g.poner(tareaA+"nota.txt", "cambiada\n")
	repo, err := repositorio.Descubrir(g.proyecto)
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	raiz, err := os.OpenRoot(g.proyecto)
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	quiere := json(t, &tareas.Resultado{Hechos: g.hechos()})
	var reg lector.Registro
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			visto := repo.Con(func(nombre string, l lector.Lector) lector.Lector {
				return reg.Sobre(nombre, l, repositorio.EsReferencia)
			})
			for range 5 {
				q := hechos()
				q.Git = p(true)
				r, err := tareas.Consultar(t.Context(), reg.Sobre("proyecto", lector.DeRaiz(raiz), nil), visto, q)
				if err != nil {
					t.Error(err)
					return
				}
				if tiene := json(t, r); tiene != quiere {
					t.Errorf("got %s", tiene)
				}
				if r, err := tareas.Consultar(t.Context(), lector.DeRaiz(raiz), nil, buscar("NOTA")); err != nil || len(r.Busqueda.Coincidencias) != 1 {
					t.Errorf("%+v %v", r, err)
				}
			}
		})
	}
	wg.Wait()
	if antes, despues, err := reg.Cerrar(t.Context()); err != nil || antes != despues {
		t.Error(antes, despues, err)
	}
}
