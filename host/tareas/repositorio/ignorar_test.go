package repositorio

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// rutasDePrueba are files of a working tree whose names meet the patterns'
// alphabet in every position.
var rutasDePrueba = []string{
	"a", "b", "ab", "a.log", "x/a", "x/b", "x/ab", "x/a.log", "x/y/a", "x/y/b.log", "x/y/z/a", "x/y/z/ab", "xa/b", "xa/y/a",
	"y/x/a", "z/x/y/a", "z/a", "z/ab/a", "z/ab/b", " a", "a ", "#a", "!a", "a*b", "a?b", "a[b]", `a\b`, "a-b", "x/#a", "ñ/a", "x/x/x/a",
	"A", "x/A.LOG", "]", "^", "-",
}

var piezasDePatron = []string{"a", "b", "x", "y", "z", "ab", "*", "**", "?", "/", "/", "/", "!", "[ab]", "[!a]", "[^x]", "[a-y]", "[", "]", "-",
	`\`, " ", "#", ".log", "[[:alpha:]]", "[[:punct:]]", "[]a]", "[a-", "**/", "/**", "ñ", "A", "[A-Z]", "\r", "[[:nada:]]", `[\]]`, "[--a]"}

// TestIgnorarComoGit compares the rules with git check-ignore over random ones.
func TestIgnorarComoGit(t *testing.T) {
	dir := t.TempDir()
	for _, r := range rutasDePrueba {
		escribir(t, filepath.Join(dir, r), "")
	}
	orden := func(args ...string) *exec.Cmd {
		c := exec.Command("git", args...)
		c.Dir = dir
		c.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C"}
		return c
	}
	if out, err := orden("init", "-q").CombinedOutput(); err != nil {
		t.Fatalf("%v %s", err, out)
	}
	azar := rand.New(rand.NewPCG(1, 2))
	reglas := func() string {
		var b strings.Builder
		for range 1 + azar.IntN(4) {
			for range 1 + azar.IntN(6) {
				b.WriteString(piezasDePatron[azar.IntN(len(piezasDePatron))])
			}
			b.WriteByte('\n')
		}
		return b.String()
	}
	for vuelta := range 400 {
		archivos := map[string]string{".gitignore": reglas(), "x/.gitignore": "", ".git/info/exclude": ""}
		if azar.IntN(3) == 0 {
			archivos["x/.gitignore"] = reglas()
		}
		if azar.IntN(5) == 0 {
			archivos[".git/info/exclude"] = reglas()
		}
		mayusculas := azar.IntN(8) == 0
		for ruta, texto := range archivos {
			escribir(t, filepath.Join(dir, ruta), texto)
		}
		args := []string{"-c", "core.ignoreCase=false", "check-ignore", "--no-index", "--stdin", "-z"}
		if mayusculas {
			args[1] = "core.ignoreCase=true"
		}
		c := orden(args...)
		c.Stdin = strings.NewReader(strings.Join(rutasDePrueba, "\x00") + "\x00")
		var stderr bytes.Buffer
		c.Stderr = &stderr
		out, err := c.Output()
		if c.ProcessState.ExitCode() > 1 {
			t.Fatalf("%v %s", err, stderr.String())
		}
		quiere := map[string]bool{}
		for r := range strings.SplitSeq(string(out), "\x00") {
			quiere[r] = true
		}
		raiz, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		git, err := os.OpenRoot(filepath.Join(dir, ".git"))
		if err != nil {
			t.Fatal(err)
		}
		r := &Repositorio{gitdir: lector.DeRaiz(git), comun: lector.DeRaiz(git)}
		ig := nuevoIgnorador(lugar{r, lector.DeRaiz(raiz)}, ajustes{mayusculas: mayusculas})
		for _, ruta := range rutasDePrueba {
			if tiene := ig.de(ruta) == siIgnorado; tiene != quiere[ruta] {
				t.Errorf("round %d, %q: ignored %v, git says %v\nrules %q (ignorecase %v)", vuelta, ruta, tiene, quiere[ruta], archivos, mayusculas)
			}
		}
		raiz.Close()
		git.Close()
	}
}

func escribir(t *testing.T, ruta, texto string) {
	t.Helper()
	if err := os.MkdirAll(path.Dir(ruta), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(ruta, []byte(texto), 0o644); err != nil {
		t.Fatal(err)
	}
}
