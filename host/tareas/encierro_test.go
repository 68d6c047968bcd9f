package tareas_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/encierro"
	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// palabra makes this test's binary answer one consultation, confined.
const palabra = "consultar-encerrado"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == palabra {
		if err := encerrado(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// encerrado does what a server does at start, and then consults.
func encerrado(dir string) error {
	repo, err := repositorio.Descubrir(dir)
	if err != nil {
		return err
	}
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	dirs, archivos := repo.Rutas()
	estado, err := encierro.Aplicar(encierro.Opciones{Raices: append(dirs, dir), Archivos: archivos})
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, estado.Aviso)
	if _, err := os.ReadDir("/"); estado.Landlock > 0 && err == nil {
		return fmt.Errorf("the confinement lets / be listed")
	}
	si := true
	r, err := tareas.Consultar(context.Background(), lector.DeRaiz(raiz), repo, tareas.Consulta{Accion: tareas.AccionHechos, Git: &si})
	if err != nil {
		return err
	}
	b, err := r.JSON()
	if err != nil {
		return err
	}
	_, err = os.Stdout.Write(b)
	return err
}

// TestEncerrado gets the same facts under the confinement as without it, with
// no more of the disk than Rutas names.
func TestEncerrado(t *testing.T) {
	subcarpeta := nuevoTaller(t)
	subcarpeta.proyecto = filepath.Join(subcarpeta.dir, "a/b")
	subcarpeta.base()
	for _, r := range []string{"../../.gitignore", "../.gitignore", ".gitignore"} {
		subcarpeta.poner(r, "*"+fmt.Sprint(len(r))+".x\n")
	}
	subcarpeta.poner("../../.gitattributes", "*.txt text=auto\n")
	subcarpeta.git("add", "-A")
	for _, n := range []string{"16.x", "13.x", "10.x", "1.x"} {
		subcarpeta.poner(tareaA+n, "")
	}
	subcarpeta.poner(tareaA+"sub/otra.txt", "otra\r\nmás\r\n")
	subcarpeta.asentar()

	base := nuevoTaller(t)
	base.base()
	enlazado := base.en(filepath.Join(filepath.Dir(base.dir), "otro"))
	base.git("worktree", "add", "-q", enlazado.dir)
	base.git("gc", "-q")
	enlazado.poner(tareaA+"nota.txt", "cambiada\n")

	for nombre, g := range map[string]*taller{"subcarpeta": subcarpeta, "árbol enlazado": enlazado} {
		t.Run(nombre, func(t *testing.T) {
			h := g.hechos()
			g.cotejar(h)
			igualOmisiones(t, h)
			c := exec.Command(os.Args[0], palabra, g.proyecto)
			out, err := c.Output()
			if err != nil {
				t.Fatalf("%v %s", err, err.(*exec.ExitError).Stderr)
			}
			if d := cmp.Diff(json(t, &tareas.Resultado{Hechos: h}), string(out)); d != "" {
				t.Errorf("(-free +confined):\n%s", d)
			}
		})
	}
}
