package tareas_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

// taller is a working tree under test, with git for the generating and judging.
type taller struct {
	t        testing.TB
	dir      string // the working tree's root
	proyecto string // the project's root, in it
	reloj    int
}

func nuevoTaller(t testing.TB, argsInit ...string) *taller {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &taller{t: t, dir: filepath.Join(dir, "repo")}
	g.proyecto = g.dir
	if err := os.MkdirAll(g.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	g.git(append([]string{"init", "-q", "-b", "main"}, argsInit...)...)
	return g
}

// git runs git in the working tree, cut off from the machine's settings.
func (g *taller) git(args ...string) string {
	g.t.Helper()
	out, err := g.probar(args...)
	if err != nil {
		g.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

func (g *taller) probar(args ...string) (string, error) {
	c := g.orden(args...)
	var err bytes.Buffer
	c.Stderr = &err
	out, e := c.Output()
	return string(out) + err.String(), e
}

func (g *taller) orden(args ...string) *exec.Cmd {
	c := exec.Command("git", args...)
	c.Dir = g.dir
	g.reloj++
	fecha := fmt.Sprintf("%d +0000", 1_700_000_000+g.reloj)
	c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Dir(g.dir), "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b.c", "GIT_COMMITTER_NAME=a",
		"GIT_COMMITTER_EMAIL=a@b.c", "GIT_AUTHOR_DATE=" + fecha, "GIT_COMMITTER_DATE=" + fecha,
		"GIT_ALLOW_PROTOCOL=file", "GIT_OPTIONAL_LOCKS=0"}
	return c
}

// poner writes a file of the project, making its folders.
func (g *taller) poner(ruta, texto string) {
	g.t.Helper()
	abs := filepath.Join(g.proyecto, ruta)
	if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(abs, []byte(texto), 0o644); err != nil {
		g.t.Fatal(err)
	}
}

func (g *taller) sacar(ruta string) {
	g.t.Helper()
	if err := os.RemoveAll(filepath.Join(g.proyecto, ruta)); err != nil {
		g.t.Fatal(err)
	}
}

// asentar makes the index look written later than every file in it, so that
// stat alone tells the ones that did not change.
func (g *taller) asentar() {
	g.t.Helper()
	luego := time.Now().Add(5 * time.Second)
	if err := os.Chtimes(filepath.Join(g.dir, ".git/index"), luego, luego); err != nil {
		g.t.Fatal(err)
	}
}

func tareaTexto(titulo, estado string) string {
	return "# " + titulo + "\n\n- ESTADO: " + estado + "\n- PRIORIDAD: 1\n\ncuerpo de " + titulo + "\n"
}

const (
	tareaA = "tareas/20260101-000000-a/"
	tareaB = "tareas/20260102-000000-b/"
)

// base puts two tasks and some attachments, and commits them.
func (g *taller) base() {
	g.t.Helper()
	g.poner(tareaA+"TAREA.md", tareaTexto("A", "ABIERTA"))
	g.poner(tareaB+"TAREA.md", tareaTexto("B", "CERRADA"))
	g.poner(tareaA+"nota.txt", "una nota\n")
	g.poner(tareaA+"sub/otra.txt", "otra nota, más larga que la primera\n")
	g.poner("tareas/README.md", "# Leeme\n")
	g.poner("fuera.txt", "fuera del tracker\n")
	g.git("add", "-A")
	g.git("commit", "-qm", "20260102-000000-b: done")
}

// hechos consults the project with git, and fails if the tree moved a byte.
func (g *taller) hechos() *tareas.Hechos {
	g.t.Helper()
	antes := huellaDeArbol(g.t, filepath.Dir(g.dir))
	repo, err := repositorio.Descubrir(g.proyecto)
	if err != nil {
		g.t.Fatal(err)
	}
	defer repo.Close()
	raiz, err := os.OpenRoot(g.proyecto)
	if err != nil {
		g.t.Fatal(err)
	}
	defer raiz.Close()
	si := true
	r, err := tareas.Consultar(context.Background(), lector.DeRaiz(raiz), repo, tareas.Consulta{Accion: tareas.AccionHechos, Git: &si})
	if err != nil {
		g.t.Fatal(err)
	}
	if d := cmp.Diff(antes, huellaDeArbol(g.t, filepath.Dir(g.dir))); d != "" {
		g.t.Errorf("the tree changed (-before +after):\n%s", d)
	}
	return r.Hechos
}

// huellaDeArbol describes every name under dir: type, mode, size, time, bytes.
func huellaDeArbol(t testing.TB, dir string) map[string]string {
	t.Helper()
	m := map[string]string{}
	err := filepath.WalkDir(dir, func(ruta string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		v := fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano())
		if info.Mode().IsRegular() {
			datos, err := os.ReadFile(ruta)
			if err != nil {
				return err
			}
			v += fmt.Sprintf(" %x", sha256.Sum256(datos))
		}
		m[ruta] = v
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// porGit is what git says of the project's paths under tareas/.
type porGit struct {
	letras map[string]string // XY, by route of the project
	indice map[string]bool
	head   map[string]bool
}

func (g *taller) porGit() porGit {
	g.t.Helper()
	rel, err := filepath.Rel(g.dir, g.proyecto)
	if err != nil {
		g.t.Fatal(err)
	}
	pre := ""
	if rel != "." {
		pre = rel + "/"
	}
	p := porGit{letras: map[string]string{}, indice: map[string]bool{}, head: map[string]bool{}}
	poner := func(ruta, letras string) {
		r, ok := strings.CutPrefix(ruta, pre)
		if !ok {
			return
		}
		if previas, hay := p.letras[r]; hay {
			// Out of the index and still there: two lines for one path.
			letras = previas[:1] + letras[1:]
		}
		p.letras[r] = letras
	}
	campos := strings.Split(g.git("status", "--porcelain=v2", "-z", "--ignored", "--untracked-files=all"), "\x00")
	for i := 0; i < len(campos); i++ {
		c := campos[i]
		if c == "" {
			continue
		}
		switch c[0] {
		case '1':
			poner(strings.SplitN(c, " ", 9)[8], c[2:4])
		case '2':
			poner(strings.SplitN(c, " ", 10)[9], c[2:4])
			i++
		case 'u':
			poner(strings.SplitN(c, " ", 11)[10], c[2:4])
		case '?', '!':
			poner(c[2:], c[:1]+c[:1])
		}
	}
	for ruta := range strings.SplitSeq(g.git("ls-files", "-z"), "\x00") {
		if r, ok := strings.CutPrefix(ruta, pre); ok && r != "" {
			p.indice[r] = true
		}
	}
	if salida, err := g.probar("ls-tree", "-r", "-z", "--name-only", "--full-tree", "HEAD"); err == nil {
		for ruta := range strings.SplitSeq(salida, "\x00") {
			if r, ok := strings.CutPrefix(ruta, pre); ok && r != "" {
				p.head[r] = true
			}
		}
	}
	return p
}

// ignorados asks git check-ignore about every row at once.
func (g *taller) ignorados(filas []tareas.HechoArchivo) map[string]bool {
	g.t.Helper()
	rel, err := filepath.Rel(g.dir, g.proyecto)
	if err != nil {
		g.t.Fatal(err)
	}
	var entrada strings.Builder
	for _, f := range filas {
		entrada.WriteString(filepath.Join(rel, f.Ruta) + "\x00")
	}
	c := g.orden("check-ignore", "--stdin", "-z")
	c.Stdin = strings.NewReader(entrada.String())
	var stderr bytes.Buffer
	c.Stderr = &stderr
	salida, err := c.Output()
	m := map[string]bool{}
	if c.ProcessState.ExitCode() > 1 {
		// One path it refuses spoils the rest: then one by one.
		for _, f := range filas {
			_, err := g.probar("check-ignore", "-q", "--", filepath.Join(rel, f.Ruta))
			m[f.Ruta] = err == nil
		}
		return m
	}
	for ruta := range strings.SplitSeq(string(salida), "\x00") {
		if r, err := filepath.Rel(rel, ruta); err == nil && ruta != "" {
			m[r] = true
		}
	}
	return m
}

// cotejar compares every column with git's. What does not agree has to be an
// omission that names the path, or the part of the repository it comes from.
func (g *taller) cotejar(h *tareas.Hechos) {
	g.t.Helper()
	git := g.porGit()
	omitida := func(ruta string) bool {
		return slices.ContainsFunc(h.Omisiones, func(o tareas.HechoOmision) bool {
			return o.Ruta == ruta || strings.HasPrefix(ruta, o.Ruta+"/")
		})
	}
	delRepositorio := slices.ContainsFunc(h.Omisiones, func(o tareas.HechoOmision) bool { return strings.HasPrefix(o.Ruta, ".git") })
	ignorados := g.ignorados(h.Archivos)
	vistas := map[string]bool{}
	for _, f := range h.Archivos {
		vistas[f.Ruta] = true
		if !f.GitComprobado {
			if f.EnIndice || f.EnHead || f.Ignorado || f.Indice != "" || f.Trabajo != "" {
				g.t.Errorf("%s: unchecked, and yet it says something: %+v", f.Ruta, f)
			}
			if !omitida(f.Ruta) && !delRepositorio {
				g.t.Errorf("%s: unchecked without an omission; omissions: %v", f.Ruta, h.Omisiones)
			}
			continue
		}
		quiere, hay := git.letras[f.Ruta]
		if !hay {
			quiere = ".."
		}
		if tiene := f.Indice + f.Trabajo; tiene != quiere && !omitida(f.Ruta) {
			g.t.Errorf("%s: letters %q, git says %q", f.Ruta, tiene, quiere)
		}
		if f.EnIndice != git.indice[f.Ruta] {
			g.t.Errorf("%s: en_indice %v, git says %v", f.Ruta, f.EnIndice, git.indice[f.Ruta])
		}
		if f.EnHead != git.head[f.Ruta] {
			g.t.Errorf("%s: en_head %v, git says %v", f.Ruta, f.EnHead, git.head[f.Ruta])
		}
		if q := ignorados[f.Ruta]; f.Ignorado != q {
			g.t.Errorf("%s: ignorado %v, git check-ignore says %v", f.Ruta, f.Ignorado, q)
		}
	}
	for ruta := range git.letras {
		if strings.HasPrefix(ruta, "tareas/") && !vistas[ruta] && !omitida(strings.TrimSuffix(ruta, "/")) {
			g.t.Errorf("git lists %s (%s) and there is neither a row nor an omission", ruta, git.letras[ruta])
		}
	}
	g.cotejarCommits(h)
}

func (g *taller) cotejarCommits(h *tareas.Hechos) {
	g.t.Helper()
	salida, err := g.probar("log", "--format=%H %s")
	if err != nil {
		salida = ""
	}
	if h.Lectura[0].Git != "comprobado" {
		return
	}
	var tiene strings.Builder
	for _, c := range h.Commits {
		fmt.Fprintf(&tiene, "%s %s\n", c.Sha, c.Asunto)
	}
	if d := cmp.Diff(salida, tiene.String()); d != "" {
		g.t.Errorf("commits (-git +row):\n%s", d)
	}
}

// omisiones returns «route: reason» for each.
func omisiones(h *tareas.Hechos) []string {
	var l []string
	for _, o := range h.Omisiones {
		l = append(l, o.Ruta+": "+o.Motivo)
	}
	return l
}

func TestGitColumnaPorColumna(t *testing.T) {
	casos := map[string]struct {
		init []string
		arma func(g *taller)
		// omite are the omissions that have to come out, all of them; nil is none.
		omite []string
	}{
		"limpio": {arma: func(g *taller) {}},
		"indice sucio": {arma: func(g *taller) {
			g.poner(tareaA+"nota.txt", "otra cosa\n")
			g.git("add", "-A")
			g.poner(tareaA+"nota.txt", "y otra más\n")
		}},
		"agregado": {arma: func(g *taller) {
			g.poner(tareaA+"nueva.txt", strings.Repeat("x", 5000))
			g.git("add", "-A")
		}},
		"sin control": {arma: func(g *taller) {
			g.poner(tareaA+"suelta.txt", "s\n")
			g.poner(tareaB+"dir/suelta.txt", "s\n")
		}},
		"ignorado": {arma: func(g *taller) {
			g.poner("tareas/.gitignore", "*.log\n!importa.log\nbuild/\n/20260101-000000-a/solo.txt\n")
			g.poner(tareaA+"a.log", "")
			g.poner(tareaA+"importa.log", "")
			g.poner(tareaA+"build/x", "")
			g.poner(tareaB+"build", "a file is not the directory\n")
			g.poner(tareaA+"solo.txt", "")
			g.poner(tareaB+"solo.txt", "")
		}},
		"ignorado por exclude": {arma: func(g *taller) {
			g.poner(".git/info/exclude", "*.tmp\n")
			g.poner(tareaA+"a.tmp", "")
		}},
		"ignorado y en el indice": {arma: func(g *taller) {
			g.poner(tareaA+"a.log", "1")
			g.git("add", "-A")
			g.git("commit", "-qm", "log")
			g.poner(".gitignore", "*.log\n")
			g.poner(tareaA+"b.log", "2")
		}},
		"sacado del indice": {arma: func(g *taller) {
			g.git("rm", "-q", "--cached", tareaA+"nota.txt")
		}},
		"sacado del indice e ignorado": {arma: func(g *taller) {
			g.poner("tareas/.gitignore", "nota.txt\n")
			g.git("rm", "-q", "--cached", tareaA+"nota.txt")
		}},
		"borrado en el indice e ignorado": {arma: func(g *taller) {
			g.git("rm", "-q", tareaA+"nota.txt")
			g.poner("tareas/.gitignore", "nota.txt\n")
		}},
		"borrado": {arma: func(g *taller) { g.sacar(tareaA + "nota.txt") }},
		"borrado en el indice": {arma: func(g *taller) {
			g.git("rm", "-q", tareaA+"nota.txt")
		}},
		"carpeta borrada": {arma: func(g *taller) { g.sacar(tareaB) }},
		"renombrado": {arma: func(g *taller) { g.git("mv", tareaA+"nota.txt", tareaA+"movida.txt") },
			omite: []string{tareaA + "movida.txt: renombrado_posible", tareaA + "nota.txt: renombrado_posible"}},
		"renombrado desde afuera": {arma: func(g *taller) { g.git("mv", "fuera.txt", tareaA+"dentro.txt") },
			omite: []string{tareaA + "dentro.txt: renombrado_posible"}},
		"renombrado hacia afuera": {arma: func(g *taller) { g.git("mv", tareaA+"nota.txt", "afuera.txt") },
			omite: []string{tareaA + "nota.txt: renombrado_posible"}},
		"borrado y agregado que no se parecen": {arma: func(g *taller) {
			g.git("rm", "-q", tareaA+"nota.txt")
			g.poner(tareaA+"grande.txt", strings.Repeat("nada que ver\n", 100))
			g.git("add", "-A")
		}},
		"modo": {arma: func(g *taller) {
			os.Chmod(filepath.Join(g.proyecto, tareaA+"nota.txt"), 0o755)
		}},
		"modo en el indice": {arma: func(g *taller) {
			os.Chmod(filepath.Join(g.proyecto, tareaA+"nota.txt"), 0o755)
			g.git("add", "-A")
		}},
		"modo sin filemode": {arma: func(g *taller) {
			g.git("config", "core.filemode", "false")
			os.Chmod(filepath.Join(g.proyecto, tareaA+"nota.txt"), 0o755)
		}},
		"enlace": {arma: func(g *taller) {
			os.Symlink("nota.txt", filepath.Join(g.proyecto, tareaA+"enlace"))
			os.Symlink("nota.txt", filepath.Join(g.proyecto, tareaA+"enlace2"))
			g.git("add", "-A")
			g.git("commit", "-qm", "enlaces")
			g.sacar(tareaA + "enlace2")
			os.Symlink("sub/otra.txt", filepath.Join(g.proyecto, tareaA+"enlace2"))
		}},
		"cambio de tipo": {arma: func(g *taller) {
			g.sacar(tareaA + "nota.txt")
			os.Symlink("sub/otra.txt", filepath.Join(g.proyecto, tareaA+"nota.txt"))
		}},
		"cambio de tipo en el indice": {arma: func(g *taller) {
			g.sacar(tareaA + "nota.txt")
			os.Symlink("sub/otra.txt", filepath.Join(g.proyecto, tareaA+"nota.txt"))
			g.git("add", "-A")
		}},
		"archivo vuelto carpeta": {arma: func(g *taller) {
			g.sacar(tareaA + "nota.txt")
			g.poner(tareaA+"nota.txt/dentro", "x\n")
		}},
		"mismo largo y misma fecha": {arma: func(g *taller) {
			g.poner(tareaA+"nota.txt", "UNA NOTA\n")
		}},
		"tocado sin cambiar": {arma: func(g *taller) {
			g.poner(tareaA+"nota.txt", "una nota\n")
			os.Chtimes(filepath.Join(g.proyecto, tareaA+"nota.txt"), fecha(1_600_000_000), fecha(1_600_000_000))
		}},
		"vacio": {arma: func(g *taller) {
			g.poner(tareaA+"nada", "")
			g.git("add", "-A")
		}},
		"agregado sin contenido": {arma: func(g *taller) {
			g.poner(tareaA+"luego.txt", "luego\n")
			g.git("add", "-N", tareaA+"luego.txt")
		}, omite: []string{tareaA + "luego.txt: agregado_sin_contenido"}},
		"sin mirar": {arma: func(g *taller) {
			g.git("update-index", "--assume-unchanged", tareaA+"nota.txt")
			g.poner(tareaA+"nota.txt", "cambiada, y nadie mira\n")
		}},
		"sin mirar, indice v4": {arma: func(g *taller) {
			g.git("update-index", "--index-version", "4")
			g.git("update-index", "--assume-unchanged", tareaA+"sub/otra.txt")
			g.poner(tareaA+"sub/otra.txt", "cambiada, y nadie mira\n")
			g.poner(tareaA+"nota.txt", "ésta sí\n")
		}},
		"fuera del arbol de trabajo": {arma: func(g *taller) {
			g.git("update-index", "--skip-worktree", tareaA+"nota.txt", tareaA+"sub/otra.txt")
			g.sacar(tareaA + "nota.txt")
			g.poner(tareaA+"sub/otra.txt", "otra\n")
		}},
		"conflicto": {arma: func(g *taller) {
			g.git("checkout", "-qb", "rama")
			g.poner(tareaA+"nota.txt", "de la rama\n")
			g.git("rm", "-q", tareaA+"sub/otra.txt")
			g.git("commit", "-qam", "rama")
			g.git("checkout", "-q", "main")
			g.poner(tareaA+"nota.txt", "de main\n")
			g.poner(tareaA+"sub/otra.txt", "de main\n")
			g.git("commit", "-qam", "main")
			if _, err := g.probar("merge", "rama"); err == nil {
				g.t.Fatal("there was no conflict")
			}
		}},
		"empaquetado": {arma: func(g *taller) {
			g.git("gc", "-q", "--aggressive", "--prune=now")
			g.git("pack-refs", "--all")
			g.poner(tareaA+"nota.txt", "otra cosa\n")
		}},
		"grafo de commits": {arma: func(g *taller) {
			g.git("commit-graph", "write", "--reachable")
			g.git("commit", "-q", "--allow-empty", "-m", "más")
		}},
		"desprendido": {arma: func(g *taller) { g.git("checkout", "-q", "--detach") }},
		"sha256": {init: []string{"--object-format=sha256"}, arma: func(g *taller) {
			g.poner(tareaA+"nota.txt", "otra cosa\n")
			g.poner(tareaA+"suelta.txt", "s\n")
		}},
		"sha256 empaquetado": {init: []string{"--object-format=sha256"}, arma: func(g *taller) {
			g.git("gc", "-q", "--prune=now")
			g.git("rm", "-q", tareaA+"nota.txt")
		}},
		"indice partido": {arma: func(g *taller) { g.git("update-index", "--split-index") },
			omite: []string{".git/index: indice_partido"}},
		"indice disperso": {arma: func(g *taller) {
			g.poner("codigo/x.txt", "x\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "código")
			g.git("sparse-checkout", "set", "--cone", "--sparse-index", "tareas")
		}, omite: []string{".git/index: indice_disperso"}},
		"arbol ralo": {arma: func(g *taller) {
			g.poner("codigo/x.txt", "x\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "código")
			g.git("sparse-checkout", "set", "--no-cone", "/tareas/", "!/tareas/20260101-000000-a/sub/")
		}},
		"cache de sin control y monitor": {arma: func(g *taller) {
			g.git("update-index", "--untracked-cache", "--force-untracked-cache")
			g.git("-c", "core.untrackedCache=true", "status")
			g.poner(tareaA+"suelta.txt", "s\n")
		}},
		"autocrlf": {arma: func(g *taller) {
			g.git("config", "core.autocrlf", "true")
			g.poner(tareaA+"crlf.txt", "una\r\ndos\r\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "crlf")
			g.sacar("tareas")
			g.git("checkout", "-q", "--", ".")
			g.poner(tareaA+"crlf2.txt", "una\r\ndos\r\n")
		}},
		"autocrlf tocado": {arma: func(g *taller) {
			g.git("config", "core.autocrlf", "true")
			g.poner(tareaA+"crlf.txt", "una\r\ndos\r\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "crlf")
			for _, f := range []string{"crlf.txt", "nota.txt", "TAREA.md"} {
				os.Chtimes(filepath.Join(g.proyecto, tareaA+f), fecha(1_600_000_000), fecha(1_600_000_000))
			}
			g.poner(tareaA+"nota.txt", "una nota\r\n")
		}},
		"autocrlf, crlf en el indice": {arma: func(g *taller) {
			g.poner(tareaA+"crlf.txt", "una\r\ndos\r\n")
			g.poner(tareaA+"mezcla.txt", "una\r\ndos\n\x00")
			g.git("add", "-A")
			g.git("commit", "-qm", "crlf")
			g.git("config", "core.autocrlf", "input")
			for _, f := range []string{"crlf.txt", "mezcla.txt"} {
				os.Chtimes(filepath.Join(g.proyecto, tareaA+f), fecha(1_600_000_000), fecha(1_600_000_000))
			}
		}},
		"atributos": {arma: func(g *taller) {
			g.poner(".gitattributes", "*.txt text eol=crlf\n*.bin -text\n*.sh text=auto\nnota.txt -text\n")
			g.poner(tareaA+"a.txt", "una\r\ndos\r\n")
			g.poner(tareaA+"a.bin", "una\r\ndos\r\n")
			g.poner(tareaA+"a.sh", "una\r\ndos\r\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "atributos")
			for _, f := range []string{"a.txt", "a.bin", "a.sh", "nota.txt"} {
				os.Chtimes(filepath.Join(g.proyecto, tareaA+f), fecha(1_600_000_000), fecha(1_600_000_000))
			}
		}},
		"filtro": {arma: func(g *taller) {
			g.poner(".gitattributes", "*.id ident\n")
			g.poner(tareaA+"a.id", "$Id$\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "ident")
			os.Chtimes(filepath.Join(g.proyecto, tareaA+"a.id"), fecha(1_600_000_000), fecha(1_600_000_000))
		}, omite: []string{tareaA + "a.id: filtro_de_contenido"}},
		"configuracion por arbol": {arma: func(g *taller) {
			g.git("config", "extensions.worktreeConfig", "true")
			g.git("config", "--worktree", "core.filemode", "false")
			os.Chmod(filepath.Join(g.proyecto, tareaA+"nota.txt"), 0o755)
		}},
		"excludes afuera": {arma: func(g *taller) {
			g.git("config", "core.excludesFile", "/no/existe")
			g.poner(tareaA+"suelta.txt", "s\n")
		}, omite: []string{".git/config: excludes_file_no_leido", tareaA + "suelta.txt: exclusion_no_leida"}},
		"configuracion incluida": {arma: func(g *taller) {
			g.git("config", "include.path", "otra")
			g.asentar()
		}, omite: []string{".git/config: configuracion_incluida"}},
		"configuracion incluida y contenidos por comparar": {arma: func(g *taller) {
			g.git("config", "include.path", "otra")
			os.Chtimes(filepath.Join(g.proyecto, tareaA+"nota.txt"), fecha(1_600_000_000), fecha(1_600_000_000))
			g.asentar()
		}, omite: []string{".git/config: configuracion_incluida", tareaA + "nota.txt: atributos_ilegibles"}},
		"formato declarado": {arma: func(g *taller) {
			g.git("config", "core.repositoryformatversion", "1")
			g.git("config", "extensions.objectformat", "sha1")
			g.git("config", "extensions.noop", "x")
		}},
		"anidado": {arma: func(g *taller) {
			g.poner(tareaA+"anidado/x.txt", "x\n")
			g.git("init", "-q", tareaA+"anidado")
		}, omite: []string{tareaA + "anidado: repositorio_anidado"}},
		"carpeta oculta": {arma: func(g *taller) {
			g.poner(tareaA+".cache/x.txt", "x\n")
			g.poner(tareaA+".oculto", "x\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "oculta")
			g.poner(tareaA+".cache/x.txt", "y\n")
			g.poner(tareaA+".oculto", "y\n")
		}, omite: []string{tareaA + ".cache: entrada_oculta"}},
		"fifo": {arma: func(g *taller) {
			fifo(g.t, filepath.Join(g.proyecto, tareaA+"tubo"))
			g.sacar(tareaA + "nota.txt")
			fifo(g.t, filepath.Join(g.proyecto, tareaA+"nota.txt"))
		}},
		"carpeta vuelta tubo": {arma: func(g *taller) {
			g.sacar(tareaA + "sub")
			fifo(g.t, filepath.Join(g.proyecto, tareaA+"sub"))
		}},
		"carpeta vuelta tubo, fuera del indice": {arma: func(g *taller) {
			g.git("rm", "-q", "--cached", tareaA+"sub/otra.txt")
			g.sacar(tareaA + "sub")
			fifo(g.t, filepath.Join(g.proyecto, tareaA+"sub"))
		}},
		"carpeta vuelta archivo, fuera del indice": {arma: func(g *taller) {
			g.git("rm", "-q", "--cached", tareaA+"sub/otra.txt")
			g.sacar(tareaA + "sub")
			g.poner(tareaA+"sub", "x\n")
		}},
		"carpeta vuelta enlace": {arma: func(g *taller) {
			g.git("rm", "-q", "--cached", tareaA+"sub/otra.txt")
			g.sacar(tareaA + "sub")
			os.Symlink("../20260102-000000-b", filepath.Join(g.proyecto, tareaA+"sub"))
			g.poner(tareaB+".gitignore", "*\n")
		}},
		"nombres raros": {arma: func(g *taller) {
			g.poner(tareaA+"con espacio\ty\ncontrol.txt", "x\n")
			g.poner(tareaA+"ñandú \"comillas\".txt", "x\n")
			g.git("add", "-A")
			g.git("commit", "-qm", "raros")
			g.poner(tareaA+"ñandú \"comillas\".txt", "otra\n")
			g.poner(tareaA+"\u202e.txt", "otra\n")
		}},
		"reemplazos": {arma: func(g *taller) {
			g.git("commit", "-q", "--allow-empty", "-m", "dos")
			g.git("replace", "HEAD", "HEAD~1")
		}, omite: []string{".git/refs/replace: objetos_reemplazados"}},
	}
	for nombre, c := range casos {
		t.Run(strings.ReplaceAll(nombre, " ", "_"), func(t *testing.T) {
			t.Parallel()
			g := nuevoTaller(t, c.init...)
			g.base()
			c.arma(g)
			h := g.hechos()
			g.cotejar(h)
			if d := cmp.Diff(c.omite, omisiones(h)); d != "" {
				t.Errorf("omissions (-want +got):\n%s", d)
			}
		})
	}
}
