package tareas_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// en returns a workshop over another working tree, with the same clock.
func (g *taller) en(dir string) *taller {
	o := *g
	o.dir, o.proyecto = dir, dir
	return &o
}

func igualOmisiones(t *testing.T, h *tareas.Hechos, quiere ...string) {
	t.Helper()
	if d := cmp.Diff(quiere, omisiones(h)); d != "" {
		t.Errorf("omissions (-want +got):\n%s", d)
	}
	if h.Lectura[0].Completa != (len(h.Omisiones) == 0) {
		t.Errorf("completa is %v with %d omissions", h.Lectura[0].Completa, len(h.Omisiones))
	}
}

func TestGitVacio(t *testing.T) {
	g := nuevoTaller(t)
	g.poner(tareaA+"TAREA.md", tareaTexto("A", "ABIERTA"))
	g.poner(tareaB+"TAREA.md", tareaTexto("B", "ABIERTA"))
	g.git("add", tareaA)
	h := g.hechos()
	g.cotejar(h)
	igualOmisiones(t, h)
	if l := h.Lectura[0]; l.Git != "comprobado" || l.Head != "" || len(h.Commits) != 0 {
		t.Errorf("reading %+v with %d commits", l, len(h.Commits))
	}
}

func TestGitSinRepositorio(t *testing.T) {
	for nombre, arma := range map[string]func(dir string){
		"nada":         func(string) {},
		".git vacío":   func(dir string) { os.Mkdir(filepath.Join(dir, ".git"), 0o755) },
		".git sin más": func(dir string) { os.MkdirAll(filepath.Join(dir, ".git/objects"), 0o755) },
	} {
		t.Run(nombre, func(t *testing.T) {
			g := nuevoTaller(t)
			g.base()
			g.sacar(".git")
			arma(g.dir)
			h := g.hechos()
			if l := h.Lectura[0]; l.Git != "sin_repositorio" || l.Head != "" {
				t.Errorf("reading %+v", l)
			}
			igualOmisiones(t, h)
			for _, f := range h.Archivos {
				if f.GitComprobado || f.Indice != "" || f.Trabajo != "" {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

func TestGitArbolEnlazado(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	otro := filepath.Join(filepath.Dir(g.dir), "otro")
	g.git("worktree", "add", "-q", "-b", "rama", otro)
	w := g.en(otro)
	w.poner(tareaA+"nota.txt", "en el otro árbol\n")
	w.poner(tareaA+"x.log", "")
	w.poner(tareaA+"suelta.txt", "")
	g.poner(".git/info/exclude", "*.log\n")
	w.git("commit", "-q", "--allow-empty", "-m", "sólo en la rama")
	h := w.hechos()
	w.cotejar(h)
	igualOmisiones(t, h)
	if len(h.Commits) != 2 {
		t.Errorf("%d commits", len(h.Commits))
	}
	g.cotejar(g.hechos())
}

func TestGitArbolEnlazadoADesnudo(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	desnudo := filepath.Join(filepath.Dir(g.dir), "desnudo.git")
	g.git("clone", "-q", "--bare", ".", desnudo)
	otro := filepath.Join(filepath.Dir(g.dir), "otro")
	g.en(desnudo).git("worktree", "add", "-q", otro, "main")
	w := g.en(otro)
	w.poner(tareaA+"nota.txt", "cambiada\n")
	h := w.hechos()
	w.cotejar(h)
	igualOmisiones(t, h)
}

func TestGitSubmodulo(t *testing.T) {
	origen := nuevoTaller(t)
	origen.base()
	g := nuevoTaller(t)
	g.base()
	g.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", origen.dir, "modulo")
	g.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", origen.dir, tareaA+"modulo")
	g.git("commit", "-qm", "módulos")

	t.Run("el proyecto es el módulo", func(t *testing.T) {
		m := g.en(filepath.Join(g.dir, "modulo"))
		m.t = t
		m.poner(tareaA+"nota.txt", "cambiada\n")
		h := m.hechos()
		m.cotejar(h)
		igualOmisiones(t, h)
	})
	t.Run("dentro de una tarea", func(t *testing.T) {
		o := *g
		o.t = t
		h := o.hechos()
		o.cotejar(h)
		igualOmisiones(t, h, tareaA+"modulo: repositorio_anidado", tareaA+"modulo: submodulo")
	})
	t.Run("sin inicializar", func(t *testing.T) {
		o := *g
		o.t = t
		o.git("submodule", "deinit", "-q", "-f", "--all")
		h := o.hechos()
		o.cotejar(h)
		igualOmisiones(t, h, tareaA+"modulo: submodulo")
	})
}

func TestGitDirSeparado(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	g.git("init", "-q", "--separate-git-dir", filepath.Join(filepath.Dir(g.dir), "aparte.git"))
	g.poner(tareaA+"nota.txt", "cambiada\n")
	h := g.hechos()
	if h.Lectura[0].Git == "comprobado" {
		g.cotejar(h)
		igualOmisiones(t, h)
	} else {
		// Without a way back to this working tree, it is not opened.
		igualOmisiones(t, h, ".git: gitdir_ajeno")
	}
}

func TestGitAjeno(t *testing.T) {
	privado := nuevoTaller(t)
	privado.base()
	for nombre, c := range map[string]struct {
		arma   func(g *taller)
		omite  string
		enlace bool
	}{
		"archivo que nombra otro repositorio": {func(g *taller) {
			g.poner(".git", "gitdir: "+privado.dir+"/.git\n")
		}, ".git: gitdir_ajeno", false},
		"enlace a otro repositorio": {func(g *taller) {
			os.Symlink(filepath.Join(privado.dir, ".git"), filepath.Join(g.dir, ".git"))
		}, ".git: enlace_simbolico", false},
		"commondir que nombra otro repositorio": {func(g *taller) {
			g.poner(".git/HEAD", "ref: refs/heads/main\n")
			g.poner(".git/commondir", privado.dir+"/.git\n")
			g.poner(".git/gitdir", g.dir+"/.git\n")
		}, ".git: gitdir_ajeno", false},
		"gitdir del proyecto con commondir ajeno": {func(g *taller) {
			g.poner("falso/HEAD", "ref: refs/heads/main\n")
			g.poner("falso/commondir", privado.dir+"/.git\n")
			g.poner("falso/gitdir", g.dir+"/.git\n")
			g.poner(".git", "gitdir: "+g.dir+"/falso\n")
		}, ".git: gitdir_ajeno", false},
		"core.worktree de otro": {func(g *taller) {
			g.git("init", "-q")
			g.git("config", "core.worktree", privado.dir)
		}, ".git: arbol_de_trabajo_ajeno", false},
		"desnudo": {func(g *taller) {
			g.git("init", "-q")
			g.git("config", "core.bare", "true")
		}, ".git: sin_arbol_de_trabajo", false},
		"gitdir que no está":       {func(g *taller) { g.poner(".git", "gitdir: /no/existe\n") }, ".git: ilegible", false},
		"archivo que no dice nada": {func(g *taller) { g.poner(".git", "hola\n") }, ".git: ilegible", false},
		"extensión desconocida": {func(g *taller) {
			g.git("init", "-q")
			g.git("config", "core.repositoryformatversion", "1")
			g.git("config", "extensions.refstorage", "reftable")
		}, ".git/config: configuracion_no_leida", false},
		"versión desconocida": {func(g *taller) {
			g.git("init", "-q")
			g.git("config", "core.repositoryformatversion", "7")
		}, ".git/config: configuracion_no_leida", false},
		"configuración rota": {func(g *taller) {
			g.git("init", "-q")
			g.poner(".git/config", "[core\nx")
		}, ".git: ilegible", false},
		"HEAD rota": {func(g *taller) {
			g.git("init", "-q")
			g.poner(".git/HEAD", "\x00\x01")
		}, ".git/HEAD: head_ilegible", false},
	} {
		t.Run(nombre, func(t *testing.T) {
			g := nuevoTaller(t)
			g.sacar(".git")
			g.poner(tareaA+"TAREA.md", tareaTexto("A", "ABIERTA"))
			c.arma(g)
			h := g.hechos()
			igualOmisiones(t, h, c.omite)
			if l := h.Lectura[0]; l.Git != "" || l.Head != "" || len(h.Commits) != 0 {
				t.Errorf("reading %+v with %d commits", l, len(h.Commits))
			}
			repo, err := repositorio.Descubrir(g.dir)
			if err != nil {
				t.Fatal(err)
			}
			defer repo.Close()
			dirs, archivos := repo.Rutas()
			for _, r := range append(dirs, archivos...) {
				if strings.HasPrefix(r, privado.dir) {
					t.Errorf("the confinement would open %s", r)
				}
			}
		})
	}
}

func TestGitSuperficial(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	for i := range 5 {
		g.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("c%d", i))
	}
	clon := filepath.Join(filepath.Dir(g.dir), "clon")
	g.git("clone", "-q", "--depth", "3", "file://"+g.dir, clon)
	s := g.en(clon)
	h := s.hechos()
	s.cotejar(h)
	igualOmisiones(t, h, ".git/shallow: clon_superficial")
	if len(h.Commits) != 3 {
		t.Errorf("%d commits", len(h.Commits))
	}
}

func TestGitAlternativas(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	clon := filepath.Join(filepath.Dir(g.dir), "clon")
	g.git("clone", "-q", "--shared", ".", clon)
	s := g.en(clon)
	h := s.hechos()
	head := strings.TrimSpace(s.git("rev-parse", "HEAD"))
	igualOmisiones(t, h, ".git/HEAD: arbol_de_head_ilegible", ".git/objects/"+head[:2]+"/"+head[2:]+": objeto_ausente",
		".git/objects/info/alternates: alternativas_no_leidas")
	for _, f := range h.Archivos {
		if f.GitComprobado {
			t.Errorf("%+v", f)
		}
	}
}

// TestGitParcial has clones that promise objects they do not have: what needs
// one is an omission, and nobody goes to fetch it.
func TestGitParcial(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	g.git("commit", "-q", "--allow-empty", "-m", "dos")
	g.git("config", "uploadpack.allowFilter", "true")
	head := strings.TrimSpace(g.git("rev-parse", "HEAD"))
	for filtro, quiere := range map[string][]string{
		"blob:none": nil,
		"tree:0":    {".git/HEAD: arbol_de_head_ilegible"},
	} {
		t.Run(filtro, func(t *testing.T) {
			clon := filepath.Join(t.TempDir(), "clon")
			g.git("clone", "-q", "--no-checkout", "--filter="+filtro, "file://"+g.dir, clon)
			c := g.en(clon)
			c.t = t
			if filtro == "blob:none" {
				c.git("checkout", "-q")
				c.poner(tareaA+"nota.txt", "cambiada\n")
			} else {
				c.poner(tareaA+"TAREA.md", tareaTexto("A", "ABIERTA"))
			}
			antes := len(c.git("rev-list", "--objects", "--all", "--missing=print"))
			h := c.hechos()
			igualOmisiones(t, h, quiere...)
			if h.Lectura[0].Head != head || len(h.Commits) != 2 {
				t.Errorf("%+v, %d commits", h.Lectura[0], len(h.Commits))
			}
			if filtro == "blob:none" {
				c.cotejar(h)
			}
			if despues := len(c.git("rev-list", "--objects", "--all", "--missing=print")); antes != despues {
				t.Error("objects were fetched")
			}
		})
	}
}

func TestGitSubcarpeta(t *testing.T) {
	g := nuevoTaller(t)
	g.proyecto = filepath.Join(g.dir, "a/b")
	g.base()
	g.proyecto = g.dir
	g.poner(".gitignore", "*.raiz\n!/a/b/tareas/*/si.raiz\n")
	g.poner("a/.gitignore", "*.a\n!*.raiz\n")
	g.poner("a/b/.gitignore", "*.b\n")
	g.poner("tareas/20260101-000000-a/no-es-del-proyecto.txt", "x")
	g.proyecto = filepath.Join(g.dir, "a/b")
	for _, n := range []string{"x.raiz", "si.raiz", "x.a", "x.b", "x.c"} {
		g.poner(tareaA+n, "")
	}
	g.poner(tareaA+"nota.txt", "cambiada\n")
	h := g.hechos()
	g.cotejar(h)
	igualOmisiones(t, h)

	t.Run("rutas para el encierro", func(t *testing.T) {
		repo, err := repositorio.Descubrir(g.proyecto)
		if err != nil {
			t.Fatal(err)
		}
		defer repo.Close()
		dirs, archivos := repo.Rutas()
		if d := cmp.Diff([][]string{{g.dir + "/.git"}, {g.dir + "/.gitignore", g.dir + "/a/.gitignore"}}, [][]string{dirs, archivos}); d != "" {
			t.Error(d)
		}
	})
	t.Run("atributos de arriba", func(t *testing.T) {
		o := *g
		o.t = t
		o.git("add", "-A")
		o.proyecto = g.dir
		o.poner(".gitattributes", "*.txt text\n")
		o.git("add", ".gitattributes")
		o.asentar()
		o.proyecto = g.proyecto
		o.poner(tareaA+"nota.txt", "una nota\r\n")
		os.Chtimes(filepath.Join(o.proyecto, tareaA+"sub/otra.txt"), fecha(1_600_000_000), fecha(1_600_000_000))
		h := o.hechos()
		o.cotejar(h)
		igualOmisiones(t, h)
		// Changed above, where it may not be opened.
		o.proyecto = g.dir
		o.poner(".gitattributes", "*.txt -text\n")
		o.proyecto = g.proyecto
		h = o.hechos()
		o.cotejar(h)
		igualOmisiones(t, h, tareaA+"sub/otra.txt: atributos_ilegibles")
	})
}

func TestGitTrackerConRepositorioPropio(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	g.git("init", "-q", "tareas")
	h := g.hechos()
	igualOmisiones(t, h, "tareas: repositorio_anidado")
	for _, f := range h.Archivos {
		if f.GitComprobado {
			t.Errorf("%+v", f)
		}
	}
}

func TestCommits(t *testing.T) {
	g := nuevoTaller(t)
	g.base()
	id := "20260102-000000-b"
	for _, m := range []string{id + ": done", id + ":   done  ", id + ": avance", id + ":done", id + " : done", "x " + id + ": done",
		"20990101-000000-no: done", id + ": done!", "20260101-000000-a: done\n\ncuerpo", "20260101-000000-a:\ndone", id + ": Done",
		"dos\nlíneas\n\ncuerpo"} {
		g.git("commit", "-q", "--allow-empty", "--cleanup=verbatim", "-m", m)
	}
	// Branches that meet, with equal dates.
	for _, r := range []string{"r1", "r2", "r3"} {
		g.git("checkout", "-q", "-b", r, "main")
		for i := range 3 {
			g.reloj -= 2
			g.git("commit", "-q", "--allow-empty", "-m", fmt.Sprintf("%s %d", r, i))
		}
	}
	g.git("checkout", "-q", "main")
	g.git("merge", "-q", "--no-ff", "-m", "junta", "r1", "r2", "r3")
	g.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "-q", "--allow-empty", "-m", "a\xf1o")
	h := g.hechos()
	var tiene []string
	for _, c := range h.Commits {
		if c.NombraTarea {
			tiene = append(tiene, fmt.Sprintf("%s %v %s %v | %s", c.TareaNombrada, c.TareaExiste, c.EstadoDeTarea, c.EsCierre, c.Asunto))
		}
	}
	quiere := []string{
		id + " true CERRADA false | " + id + ": Done",
		"20260101-000000-a true ABIERTA true | 20260101-000000-a: done",
		id + " true CERRADA false | " + id + ": done!",
		"20990101-000000-no false  true | 20990101-000000-no: done",
		id + " true CERRADA false | " + id + ": avance",
		id + " true CERRADA true | " + id + ":   done",
		id + " true CERRADA true | " + id + ": done",
		id + " true CERRADA true | " + id + ": done",
	}
	// «20260101-000000-a:» and «done» on two lines are one subject for git.
	quiere = slices.Insert(quiere, 1, "20260101-000000-a true ABIERTA true | 20260101-000000-a: done")
	if d := cmp.Diff(quiere, tiene); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	head := strings.TrimSpace(g.git("rev-parse", "HEAD"))
	igualOmisiones(t, h, ".git/objects/"+head[:2]+"/"+head[2:]+": asunto_no_utf8")
	if h.Commits[0].Asunto != "a\uFFFDo" {
		t.Errorf("subject %q", h.Commits[0].Asunto)
	}
	g.git("reset", "-q", "--hard", "HEAD~1")
	g.cotejarCommits(g.hechos())
}

// TestGitAlAzar makes random repositories by random orders of the same things a
// person does, and compares after each stretch.
func TestGitAlAzar(t *testing.T) {
	for semilla := range uint64(12) {
		t.Run(fmt.Sprint(semilla), func(t *testing.T) {
			t.Parallel()
			azar := rand.New(rand.NewPCG(semilla, 7))
			var init []string
			if semilla%4 == 3 {
				init = []string{"--object-format=sha256"}
			}
			g := nuevoTaller(t, init...)
			if semilla%3 == 2 {
				g.proyecto = filepath.Join(g.dir, "sub/proyecto")
			}
			g.base()
			if semilla%5 == 1 {
				g.git("config", "core.autocrlf", []string{"true", "input"}[azar.IntN(2)])
			}
			nombres := []string{tareaA + "nota.txt", tareaA + "sub/otra.txt", tareaA + "n.log", tareaB + "m.txt", tareaB + "d/e/f.txt",
				tareaB + "d/g.log", "tareas/.gitignore", tareaB + "d/.gitignore", "tareas/README.md", "x.txt"}
			if semilla%2 == 0 {
				nombres = append(nombres, ".gitattributes", tareaA+".gitattributes", tareaB+"d/.gitattributes")
			}
			uno := func() string { return nombres[azar.IntN(len(nombres))] }
			texto := func(ruta string) string {
				switch filepath.Base(ruta) {
				case ".gitignore":
					return patronesAlAzar(azar)
				case ".gitattributes":
					return atributosAlAzar(azar)
				}
				fin := []string{"\n", "\r\n"}[azar.IntN(2)]
				return strings.Repeat("línea"+fin, azar.IntN(4)) + strings.Repeat("x", azar.IntN(3))
			}
			for range 4 {
				for range 6 {
					ruta := uno()
					abs := filepath.Join(g.proyecto, ruta)
					rel, _ := filepath.Rel(g.dir, abs)
					switch azar.IntN(11) {
					case 0, 1, 2:
						if info, err := os.Lstat(abs); err == nil && info.IsDir() {
							continue
						}
						g.sacar(ruta)
						g.poner(ruta, texto(ruta))
					case 3:
						g.sacar(ruta)
					case 4:
						g.probar("add", "-f", "--", rel)
					case 5:
						g.probar("add", "-A")
					case 6:
						g.probar("rm", "-q", "--cached", "--", rel)
					case 7:
						otra, _ := filepath.Rel(g.dir, filepath.Join(g.proyecto, uno()))
						g.probar("mv", "-f", rel, otra)
					case 8:
						g.probar("commit", "-qm", "azar")
					case 9:
						os.Chmod(abs, []os.FileMode{0o644, 0o755}[azar.IntN(2)])
					case 10:
						os.Chtimes(abs, fecha(1_600_000_000), fecha(1_600_000_000))
					}
				}
				h := g.hechos()
				g.cotejar(h)
				for _, o := range h.Omisiones {
					if o.Motivo != "renombrado_posible" {
						t.Errorf("omission %+v", o)
					}
				}
			}
		})
	}
}

func atributosAlAzar(azar *rand.Rand) string {
	patrones := []string{"*", "*.txt", "nota.txt", "*.log", "/sub/*", "d/**", "**/e/*", "TAREA.md", "sub/", "m.txt", "[a-n]*"}
	valores := []string{"text", "-text", "!text", "text=auto", "text=input", "eol=lf", "eol=crlf", "binary", "crlf", "-crlf", "crlf=input", "diff"}
	var b strings.Builder
	for range azar.IntN(4) {
		b.WriteString(patrones[azar.IntN(len(patrones))])
		for range 1 + azar.IntN(2) {
			b.WriteString(" " + valores[azar.IntN(len(valores))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func patronesAlAzar(azar *rand.Rand) string {
	piezas := []string{"*", "**", "/", "/", "!", "?", "[a-f]", "[!a]", "[^b]", "[[:alpha:]]", "[", "]", "\\", ".log", ".txt", "d", "e", "f", "g",
		"nota", "sub", "m", " ", "#", "otra", "-", "*.log", "d/", "/d", "20260102*"}
	var b strings.Builder
	for range azar.IntN(4) {
		for range 1 + azar.IntN(5) {
			b.WriteString(piezas[azar.IntN(len(piezas))])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
