package tareas_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// dosMil is a tracker of two thousand tasks, each with an attachment and a note.
func dosMil(b *testing.B) *taller {
	g := nuevoTaller(b)
	for i := range 2000 {
		base := fmt.Sprintf("tareas/202601%02d-%06d-tarea-%d/", i%28+1, i, i)
		g.poner(base+"TAREA.md", fmt.Sprintf("# Tarea %d\n\n- ESTADO: ABIERTA\n- PRIORIDAD: %d\n- ETIQUETAS: a, b\n\nVer [la nota](notas/n.md) y <https://x.test/%d>.\n", i, i%10, i))
		g.poner(base+"notas/n.md", "una nota, y `código`\n")
		g.poner(base+"captura.png", "\x89PNG\x00")
	}
	g.git("add", "-A")
	g.git("commit", "-qm", "dos mil")
	g.asentar()
	return g
}

// BenchmarkDosMil consults two thousand tasks: each action, a whole call.
func BenchmarkDosMil(b *testing.B) {
	g := dosMil(b)
	raiz, err := os.OpenRoot(g.proyecto)
	if err != nil {
		b.Fatal(err)
	}
	defer raiz.Close()
	repo, err := repositorio.Descubrir(g.proyecto)
	if err != nil {
		b.Fatal(err)
	}
	defer repo.Close()
	conGit := hechos()
	conGit.Git = p(true)
	for _, c := range []struct {
		nombre string
		q      tareas.Consulta
	}{{"listar", listar()}, {"ver", ver("tarea-7")}, {"buscar", buscar("CÓDIGO")}, {"hechos", hechos()}, {"hechos con git", conGit}} {
		b.Run(c.nombre, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r, err := tareas.Consultar(b.Context(), lector.DeRaiz(raiz), repo, c.q)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := r.JSON(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("listar firmado", func(b *testing.B) {
		for b.Loop() {
			var reg lector.Registro
			if _, err := tareas.Consultar(b.Context(), reg.Sobre("proyecto", lector.DeRaiz(raiz), nil), nil, listar()); err != nil {
				b.Fatal(err)
			}
			if antes, despues, err := reg.Cerrar(b.Context()); err != nil || antes != despues {
				b.Fatal(antes, despues, err)
			}
		}
	})
}
