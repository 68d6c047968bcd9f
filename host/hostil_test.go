package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
)

// llamadas are the three questions over a whole project.
var llamadas = map[string]func(*host.Proyecto) error{
	"catálogo": func(p *host.Proyecto) error {
		_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		return err
	},
	"juzgar": func(p *host.Proyecto) error {
		_, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{"uno":[]}`})
		return err
	},
	"evaluar": func(p *host.Proyecto) error {
		_, err := p.Evaluar(context.Background(), pedidoDeID("d.a", `{"uno":[]}`))
		return err
	},
}

// TestArbolHostil: whatever a tree holds, it is the right code with its path,
// never a partial answer.
func TestArbolHostil(t *testing.T) {
	enlazar := func(destino string) func(string) error {
		return func(ruta string) error { return os.Symlink(destino, ruta) }
	}
	enTodas := []string{"catálogo", "juzgar", "evaluar"}
	for _, c := range []struct {
		nombre, ruta string
		poner        func(ruta string) error
		en           []string
	}{
		{"oracle.json es un directorio", "oracle.json", func(r string) error { return os.Mkdir(r, 0o755) }, enTodas},
		{"oracle.json es un enlace", "oracle.json", enlazar("/etc/hosts"), enTodas},
		{"enlace colgado en catalogos", "catalogos/z.oracle", enlazar("nada"), enTodas},
		{"enlace a otra extensión", "catalogos/z.md", enlazar("a.oracle"), enTodas},
		{"enlace que vuelve arriba", "catalogos/bucle", enlazar(".."), enTodas},
		{"enlace en el corpus", "corpus/z.txt", enlazar("/etc/hosts"), enTodas[:1]},
		{"corpus es un enlace", "corpus", enlazar("catalogos"), enTodas[:1]},
		{"enlace en diferencial", "diferencial/z.json", enlazar("/etc/hosts"), enTodas[:1]},
		{"macros es un archivo", "macros", func(r string) error { return os.WriteFile(r, nil, 0o644) }, enTodas},
		{"una tubería", "catalogos/t.oracle", func(r string) error { return syscall.Mkfifo(r, 0o644) }, enTodas},
		{"un archivo enorme", "catalogos/g.oracle", func(r string) error {
			if err := os.WriteFile(r, nil, 0o644); err != nil {
				return err
			}
			return os.Truncate(r, 4<<20+1)
		}, enTodas},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, dir := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}.en(t, host.Opciones{})
			ruta := filepath.Join(dir, c.ruta)
			if err := os.MkdirAll(filepath.Dir(ruta), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := c.poner(ruta); err != nil {
				t.Fatal(err)
			}
			for nombre, llamar := range llamadas {
				err := llamar(p)
				if !strings.Contains(strings.Join(c.en, " "), nombre) {
					if err != nil {
						t.Errorf("%s no tiene por qué mirarlo: %v", nombre, err)
					}
					continue
				}
				exigir(t, err, host.ProyectoInvalido, "PROYECTO_INVALIDO — "+dir+": "+c.ruta+": ")
			}
		})
	}
}

// TestTopesDelProyecto: 20,000 files in a directory are read, one more is not.
func TestTopesDelProyecto(t *testing.T) {
	p, dir := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", ""), "corpus/0.txt": ""}.en(t, host.Opciones{})
	for i := 1; i <= 20_000; i++ {
		if err := os.Link(filepath.Join(dir, "corpus/0.txt"), filepath.Join(dir, fmt.Sprintf("corpus/%d.txt", i))); err != nil {
			t.Fatal(err)
		}
	}
	err := llamadas["catálogo"](p)
	exigir(t, err, host.ProyectoInvalido, dir+": corpus: tiene más de 20000 archivos")
	l := arbol.NuevaLectura()
	os.Remove(filepath.Join(dir, "corpus/20000.txt"))
	if rutas, _, err := l.Listar(p.Arbol(), "corpus"); err != nil || len(rutas) != 20_000 {
		t.Error(len(rutas), err)
	}
}

// TestMensajesAcotados: a hostile name or text never makes a message grow.
func TestMensajesAcotados(t *testing.T) {
	largo := strings.Repeat("ñ", 100_000)
	p, _ := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}.en(t, host.Opciones{})
	for nombre, f := range map[string]func() error{
		"texto": func() error {
			_, err := p.Evaluar(context.Background(), pedidoDeTexto("medida "+largo, `{}`))
			return err
		},
		"relación": func() error {
			_, err := p.Evaluar(context.Background(), pedidoDeID("d.a", `{"`+largo+`":1}`))
			return err
		},
		"escalar": func() error {
			_, err := p.Evaluar(context.Background(), pedidoDeTexto(strings.Replace(verdeSiVacia, "p.x", strings.Repeat("f", 5000)+"(p.x)", 1), `{}`))
			return err
		},
		"id": func() error {
			_, err := p.Evaluar(context.Background(), pedidoDeID("d."+strings.Repeat("a", 9000), `{}`))
			return err
		},
	} {
		err := f()
		if err == nil || len(err.Error()) > 4<<10 {
			t.Errorf("%s: %d bytes", nombre, len(err.Error()))
		}
		if strings.Contains(err.Error(), strings.Repeat("ñ", 200)) {
			t.Errorf("%s cita de más", nombre)
		}
	}
}

// TestElArbolQuedaIgual: no call writes anything.
func TestElArbolQuedaIgual(t *testing.T) {
	p, dir := grande(3, 6).en(t, host.Opciones{})
	foto := func() string {
		var s strings.Builder
		filepath.WalkDir(dir, func(ruta string, d os.DirEntry, err error) error {
			info, _ := d.Info()
			fmt.Fprintln(&s, ruta, info.Size(), info.ModTime().UnixNano(), info.Mode())
			return err
		})
		return s.String()
	}
	antes := foto()
	for _, llamar := range llamadas {
		llamar(p)
	}
	p.Hechos(context.Background(), host.PedidoHechos{Traza: true})
	if foto() != antes {
		t.Error("el árbol cambió")
	}
}
