package tareas_test

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

func sha(b []byte) [32]byte { return sha256.Sum256(b) }

var todas = []tareas.Consulta{listar(), ver("juzgar"), buscar("x"), hechos()}

// TestHostil has trees made to hang, to fill the memory or to escape: each ends
// in a code or in an omission.
func TestHostil(t *testing.T) {
	const buena = "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"
	base := "tareas/" + idUno
	t.Run("cien megabytes", func(t *testing.T) {
		dir := proyecto(t, unaTarea(buena))
		for _, n := range []string{"nota.md", "nota.txt"} {
			f, err := os.Create(filepath.Join(dir, base, n))
			if err != nil {
				t.Fatal(err)
			}
			if err := f.Truncate(100 << 20); err != nil {
				t.Fatal(err)
			}
			f.Close()
		}
		r := bien(t, dir, buscar("x"))
		if n := len(r.Busqueda.Omitidos); n != 2 {
			t.Errorf("%d omitted", n)
		}
		igualOmisiones(t, bien(t, dir, hechos()).Hechos, base+"/nota.md: mayor_de_2_mib")
		if err := os.Truncate(filepath.Join(dir, base, "TAREA.md"), 100<<20); err != nil {
			t.Fatal(err)
		}
		if codigo, _ := mal(t, dir, listar()); codigo != "TRACKER_INVALIDO" {
			t.Errorf("code %s", codigo)
		}
	})
	t.Run("tubos en todas partes", func(t *testing.T) {
		dir := proyecto(t, map[string]string{"tareas/": "", base + "/": ""})
		fifo(t, filepath.Join(dir, base, "TAREA.md"))
		fifo(t, filepath.Join(dir, base, "nota.md"))
		fifo(t, filepath.Join(dir, "tareas/README.md"))
		for _, q := range todas {
			if _, texto := mal(t, dir, q); !strings.Contains(texto, "TAREA.md: no es un archivo regular") {
				t.Errorf("got %s", texto)
			}
		}
		os.RemoveAll(filepath.Join(dir, "tareas"))
		fifo(t, filepath.Join(dir, "tareas"))
		if codigo, _ := mal(t, dir, listar()); codigo != "TRACKER_AUSENTE" {
			t.Errorf("code %s", codigo)
		}
	})
	t.Run("hondo", func(t *testing.T) {
		dir := proyecto(t, unaTarea(buena))
		hondo := func(n int) {
			if err := os.MkdirAll(filepath.Join(dir, base, strings.Repeat("d/", n)), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		hondo(63)
		for _, q := range todas {
			bien(t, dir, q)
		}
		hondo(64)
		for _, q := range todas {
			if _, texto := mal(t, dir, q); !strings.HasSuffix(texto, "está a más de 64 carpetas de profundidad") {
				t.Errorf("got %s", texto)
			}
		}
		hondo(1500)
		mal(t, dir, listar())
	})
	t.Run("muchos archivos", func(t *testing.T) {
		raiz, err := os.OpenRoot(proyecto(t, unaTarea(buena)))
		if err != nil {
			t.Fatal(err)
		}
		defer raiz.Close()
		_, err = tareas.Consultar(t.Context(), llena{lector.DeRaiz(raiz), base}, nil, listar())
		if !strings.HasSuffix(sinRemedio(t, err), base+": tiene más de 20000 entradas") {
			t.Errorf("got %v", err)
		}
	})
	t.Run("enlaces que se multiplican", func(t *testing.T) {
		m := unaTarea(buena)
		// Each link goes twice through the one before: 2^40 steps if followed.
		m[base+"/l0"] = "-> ."
		for i := 1; i <= 40; i++ {
			m[fmt.Sprintf("%s/l%d", base, i)] = fmt.Sprintf("-> l%d/l%d", i-1, i-1)
		}
		dir := proyecto(t, m)
		for _, q := range todas {
			if _, texto := mal(t, dir, q); !strings.Contains(texto, "es un enlace simbólico roto: da vueltas") {
				t.Errorf("got %s", texto)
			}
		}
	})
	t.Run("lazos de carpetas", func(t *testing.T) {
		m := unaTarea(buena + "\n[a](lazo/lazo/lazo/x.md)\n")
		m[base+"/lazo"] = "-> ."
		m[base+"/a/b/arriba"] = "-> ../.."
		dir := proyecto(t, m)
		for _, q := range todas {
			bien(t, dir, q)
		}
	})
	t.Run("directorio sin permiso", func(t *testing.T) {
		if os.Geteuid() == 0 {
			// Root reads everything: the same is made by a reader that refuses.
			raiz, err := os.OpenRoot(proyecto(t, unaTarea(buena)))
			if err != nil {
				t.Fatal(err)
			}
			defer raiz.Close()
			_, err = tareas.Consultar(context.Background(), sinListar{lector.DeRaiz(raiz), base}, nil, listar())
			if err == nil || !strings.Contains(err.Error(), base+": no se puede listar: sin permiso") {
				t.Errorf("got %v", err)
			}
			return
		}
		dir := proyecto(t, unaTarea(buena))
		os.Chmod(filepath.Join(dir, base), 0)
		defer os.Chmod(filepath.Join(dir, base), 0o755)
		mal(t, dir, listar())
	})
	t.Run("enchufe y dispositivo", func(t *testing.T) {
		dir := proyecto(t, unaTarea(buena))
		fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
		t.Chdir(filepath.Join(dir, base))
		if err := syscall.Bind(fd, &syscall.SockaddrUnix{Name: "enchufe.md"}); err != nil {
			t.Fatal(err)
		}
		for _, q := range todas {
			bien(t, dir, q)
		}
	})
}

// llena is a directory with more entries than the cap it is asked with.
type llena struct {
	lector.Lector
	ruta string
}

func (l llena) ReadDir(ruta string, tope int) ([]os.DirEntry, error) {
	if ruta == l.ruta {
		return nil, &os.PathError{Op: "readdir", Path: ruta, Err: lector.ErrTope}
	}
	return l.Lector.ReadDir(ruta, tope)
}

type sinListar struct {
	lector.Lector
	ruta string
}

func (s sinListar) ReadDir(ruta string, tope int) ([]os.DirEntry, error) {
	if ruta == s.ruta {
		return nil, &os.PathError{Op: "open", Path: ruta, Err: os.ErrPermission}
	}
	return s.Lector.ReadDir(ruta, tope)
}

// TestGitHostil has repositories made of garbage: the answer is an omission, and
// neither a hang nor a crash.
func TestGitHostil(t *testing.T) {
	romper := func(g *taller, patron string, con func([]byte) []byte) {
		rutas, err := filepath.Glob(filepath.Join(g.dir, ".git", patron))
		if err != nil || len(rutas) == 0 {
			g.t.Fatalf("%s: %v %v", patron, rutas, err)
		}
		for _, r := range rutas {
			datos, err := os.ReadFile(r)
			if err != nil {
				g.t.Fatal(err)
			}
			os.Chmod(r, 0o644)
			if err := os.WriteFile(r, con(datos), 0o644); err != nil {
				g.t.Fatal(err)
			}
		}
	}
	mitad := func(b []byte) []byte { return b[:len(b)/2] }
	basura := func(b []byte) []byte {
		c := append([]byte(nil), b...)
		for i := len(c) / 3; i < len(c); i += 7 {
			c[i] ^= 0x5a
		}
		return c
	}
	vacio := func([]byte) []byte { return nil }
	for nombre, arma := range map[string]func(g *taller){
		"índice cortado":      func(g *taller) { romper(g, "index", mitad) },
		"índice roto":         func(g *taller) { romper(g, "index", basura) },
		"índice vacío":        func(g *taller) { romper(g, "index", vacio) },
		"índice que es tubo":  func(g *taller) { g.sacar(".git/index"); fifo(g.t, filepath.Join(g.dir, ".git/index")) },
		"índice enorme":       func(g *taller) { os.Truncate(filepath.Join(g.dir, ".git/index"), 128<<20+1) },
		"objetos cortados":    func(g *taller) { romper(g, "objects/??/*", mitad) },
		"objetos vacíos":      func(g *taller) { romper(g, "objects/??/*", vacio) },
		"objetos rotos":       func(g *taller) { romper(g, "objects/??/*", basura) },
		"paquete cortado":     func(g *taller) { g.git("gc", "-q"); romper(g, "objects/pack/*.pack", mitad) },
		"paquete roto":        func(g *taller) { g.git("gc", "-q"); romper(g, "objects/pack/*.pack", basura) },
		"índice del paquete":  func(g *taller) { g.git("gc", "-q"); romper(g, "objects/pack/*.idx", basura) },
		"índice de paquete 2": func(g *taller) { g.git("gc", "-q"); romper(g, "objects/pack/*.idx", mitad) },
		"referencia rota":     func(g *taller) { romper(g, "refs/heads/main", basura) },
		"referencia corta":    func(g *taller) { g.poner(".git/refs/heads/main", "abcdef\n") },
		"referencia en lazo":  func(g *taller) { g.poner(".git/refs/heads/main", "ref: refs/heads/main\n") },
		"referencia a afuera": func(g *taller) { g.poner(".git/HEAD", "ref: ../../../../etc/passwd\n") },
		"packed-refs roto":    func(g *taller) { g.git("pack-refs", "--all"); romper(g, "packed-refs", basura) },
		"shallow roto":        func(g *taller) { g.poner(".git/shallow", "zzz\n\x00\n") },
		"exclude enorme":      func(g *taller) { os.Truncate(filepath.Join(g.dir, ".git/info/exclude"), 1<<20+1) },
		"gitignore enorme": func(g *taller) {
			g.poner("tareas/.gitignore", "")
			os.Truncate(filepath.Join(g.dir, "tareas/.gitignore"), 1<<20+1)
			g.poner(tareaA+"x", "")
		},
		"patrón malicioso": func(g *taller) {
			g.poner("tareas/.gitignore", strings.Repeat(strings.Repeat("a*", 200)+"b\n", 200))
			g.poner(tareaA+strings.Repeat("a", 200), "")
		},
	} {
		t.Run(nombre, func(t *testing.T) {
			t.Parallel()
			g := nuevoTaller(t)
			g.base()
			arma(g)
			h := g.hechos()
			if nombre == "patrón malicioso" {
				g.cotejar(h)
				return
			}
			if len(h.Omisiones) == 0 || h.Lectura[0].Completa {
				t.Errorf("nothing is omitted: %+v", h.Lectura)
			}
			for _, f := range h.Archivos {
				if f.GitComprobado && strings.Contains(nombre, "índice") && !strings.Contains(nombre, "paquete") {
					t.Errorf("a state with no index: %+v", f)
				}
			}
		})
	}
}

func TestRegistro(t *testing.T) {
	for nombre, c := range map[string]struct {
		cambia func(g *taller)
		si     bool
	}{
		"nada":                         {func(*taller) {}, false},
		"una tarea":                    {func(g *taller) { g.poner(tareaA+"TAREA.md", tareaTexto("Z", "ABIERTA")) }, true},
		"una tarea nueva":              {func(g *taller) { g.poner("tareas/20260103-000000/TAREA.md", tareaTexto("Z", "ABIERTA")) }, true},
		"un adjunto nuevo":             {func(g *taller) { g.poner(tareaA+"x", "") }, true},
		"un adjunto de otro tamaño":    {func(g *taller) { g.poner(tareaA+"nota.txt", "más larga que antes\n") }, true},
		"un adjunto que se comparó":    {func(g *taller) { g.poner(tareaA+"sub/otra.txt", strings.Repeat("x", 38)) }, true},
		"un archivo de afuera":         {func(g *taller) { g.poner("fuera.txt", "x") }, false},
		"un commit":                    {func(g *taller) { g.git("commit", "-q", "--allow-empty", "-m", "x") }, true},
		"otra rama":                    {func(g *taller) { g.git("checkout", "-q", "-b", "otra") }, true},
		"el índice vuelto a escribir":  {func(g *taller) { g.git("update-index", "--refresh", "--force-write-index") }, false},
		"objetos vueltos a empaquetar": {func(g *taller) { g.git("repack", "-qad") }, false},
	} {
		t.Run(nombre, func(t *testing.T) {
			g := nuevoTaller(t)
			g.base()
			os.Chtimes(filepath.Join(g.proyecto, tareaA+"sub/otra.txt"), fecha(1_600_000_000), fecha(1_600_000_000))
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
			var reg lector.Registro
			visto := repo.Con(func(nombre string, l lector.Lector) lector.Lector {
				return reg.Sobre(nombre, l, repositorio.EsReferencia)
			})
			q := hechos()
			q.Git = p(true)
			if _, err := tareas.Consultar(t.Context(), reg.Sobre("proyecto", lector.DeRaiz(raiz), nil), visto, q); err != nil {
				t.Fatal(err)
			}
			c.cambia(g)
			antes, despues, err := reg.Cerrar(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if (antes != despues) != c.si {
				t.Errorf("signatures %s and %s, and a change is %v", antes, despues, c.si)
			}
		})
	}
}

// TestDependencias keeps processes and the network out of what reads.
func TestDependencias(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "github.com/oracle-mcp/oracle-mcp/host/tareas").CombinedOutput()
	if err != nil {
		t.Fatalf("%v %s", err, out)
	}
	for dep := range strings.SplitSeq(string(out), "\n") {
		switch dep {
		case "os/exec", "net", "net/http", "plugin", "github.com/" + "expr-lang/expr", "go." + "starlark.net/starlark":
			t.Errorf("depends on %s", dep)
		}
	}
}
