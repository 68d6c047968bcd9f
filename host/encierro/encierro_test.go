package encierro_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/host/encierro"
	"github.com/oracle-mcp/oracle-mcp/host/encierro/traza"
)

// A confined process cannot be unconfined, so what happens inside happens in
// this same test binary, started again with a word and a JSON of what to do.
const palabra = "servidor-de-prueba"

type encargo struct {
	Opciones encierro.Opciones
	Raiz     string
	Caja     bool // call a scalar
	Probar   bool // try everything forbidden
}

type informe struct {
	Estado  encierro.Estado
	Error   string
	Leyo    string // what it read below its root
	Afuera  string // the error of reading elsewhere
	Caja    string // what the scalar gave, or the error
	Pruebas []encierro.Prueba
}

func TestMain(m *testing.M) {
	caja.SiSoyCaja()
	if len(os.Args) == 3 && os.Args[1] == palabra {
		servir(os.Args[2])
	}
	os.Exit(m.Run())
}

// servir does what a server does: confine itself, read its project, start a
// box.
func servir(texto string) {
	var e encargo
	if err := json.Unmarshal([]byte(texto), &e); err != nil {
		panic(err)
	}
	var i informe
	estado, err := encierro.Aplicar(e.Opciones)
	i.Estado = estado
	if err != nil {
		i.Error = err.Error()
	} else {
		raiz, err := os.OpenRoot(e.Raiz)
		if err == nil {
			var b []byte
			if b, err = raiz.ReadFile("sub/dato.txt"); err == nil {
				i.Leyo = string(b)
			}
		}
		if err != nil {
			i.Leyo = err.Error()
		}
		if _, err := os.ReadDir("/"); err != nil {
			i.Afuera = err.Error()
		}
		if e.Caja {
			i.Caja = llamar(e.Opciones.Modo)
		}
		if e.Probar {
			i.Pruebas = encierro.Diagnosticar(e.Raiz)
		}
	}
	b, err := json.Marshal(i)
	if err != nil {
		panic(err)
	}
	os.Stdout.Write(b)
	os.Exit(0)
}

func llamar(m encierro.Modo) string {
	cfg := caja.Config{Fuente: []byte("def f(x):\n    return x + 1\nescalar('f', f)\n")}
	if m == encierro.Apagado {
		cfg.Encierro = caja.EncierroApagado
	}
	c, err := caja.Abrir(context.Background(), cfg)
	if err != nil {
		return err.Error()
	}
	defer c.Cerrar()
	r := c.Llamar("f", 1, []*algebra.Columna{{Clase: algebra.ClaseEnteros, Enteros: []int64{41}}}, 0)
	if r.Error != nil {
		return r.Error.Error()
	}
	return fmt.Sprint(r.Columna.Enteros[0])
}

// binario is a static binary of these tests: a dynamic one cannot be executed
// again from inside.
var binario = sync.OnceValues(func() (string, error) {
	if !dinamico {
		return os.Executable()
	}
	dir, err := os.MkdirTemp("", "encierro")
	if err != nil {
		return "", err
	}
	b := filepath.Join(dir, "prueba.test")
	cmd := exec.Command("go", "test", "-c", "-o", b, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if sale, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, sale)
	}
	return b, nil
})

func proyecto(t *testing.T) string {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "sub", "dato.txt"), []byte("hola"), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// encargar runs a server, under the given program if any.
func encargar(t *testing.T, e encargo, bajo ...string) informe {
	t.Helper()
	b, err := binario()
	if err != nil {
		t.Fatal(err)
	}
	texto, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	args := append(bajo, b, palabra, string(texto))
	cmd := exec.Command(args[0], args[1:]...)
	var sale, dice bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(""), io.MultiWriter(&sale), io.MultiWriter(&dice)
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, dice.String())
	}
	var i informe
	if err := json.Unmarshal(sale.Bytes(), &i); err != nil {
		t.Fatalf("%v\n%s%s", err, sale.String(), dice.String())
	}
	return i
}

func TestEncerrado(t *testing.T) {
	raiz := proyecto(t)
	for _, c := range []struct {
		nombre string
		o      encierro.Opciones
		caja   string
	}{
		{"sin confiar", encierro.Opciones{}, "no arrancó"},
		{"confiando", encierro.Opciones{Confiar: true}, "42"},
		{"estricto", encierro.Opciones{Modo: encierro.Estricto, Confiar: true}, "42"},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			c.o.Raices = []string{raiz}
			i := encargar(t, encargo{Opciones: c.o, Raiz: raiz, Caja: true, Probar: true})
			if i.Error != "" || i.Estado.Landlock == 0 || !i.Estado.Seccomp || i.Estado.Aviso != "" {
				t.Fatalf("%+v", i)
			}
			if i.Leyo != "hola" {
				t.Errorf("de su raíz leyó %q", i.Leyo)
			}
			if i.Afuera == "" {
				t.Error("leyó fuera de su raíz")
			}
			if !strings.Contains(i.Caja, c.caja) {
				t.Errorf("la caja dio %q; se esperaba %q", i.Caja, c.caja)
			}
			if len(i.Pruebas) < 25 {
				t.Errorf("sólo probó %d cosas", len(i.Pruebas))
			}
			for _, p := range encierro.Abiertas(i.Pruebas) {
				t.Errorf("pudo %s: %s", p.Que, p.Detalle)
			}
		})
	}
}

func TestApagado(t *testing.T) {
	raiz := proyecto(t)
	i := encargar(t, encargo{Opciones: encierro.Opciones{Modo: encierro.Apagado, Confiar: true, Raices: []string{raiz}}, Raiz: raiz, Caja: true, Probar: true})
	if i.Error != "" || i.Estado.Landlock != 0 || i.Estado.Seccomp || i.Afuera != "" || i.Caja != "42" {
		t.Errorf("%+v", i)
	}
	// The trials can tell, and leave nothing behind.
	if n := len(encierro.Abiertas(i.Pruebas)); n < 15 {
		t.Errorf("sin encierro sólo pudo %d cosas", n)
	}
	if hay, err := os.ReadDir(raiz); err != nil || len(hay) != 1 {
		t.Errorf("quedó %v %v", hay, err)
	}
}

func TestRaizQueNoExiste(t *testing.T) {
	i := encargar(t, encargo{Opciones: encierro.Opciones{Raices: []string{"/no/existe"}}, Raiz: "/no/existe"})
	if i.Error == "" {
		t.Errorf("%+v", i)
	}
}

func TestUnArchivo(t *testing.T) {
	raiz := proyecto(t)
	i := encargar(t, encargo{Opciones: encierro.Opciones{Archivos: []string{filepath.Join(raiz, "sub", "dato.txt")}, Raices: []string{filepath.Join(raiz, "sub")}}, Raiz: raiz})
	if i.Error != "" || i.Leyo == "hola" {
		t.Errorf("%+v", i) // the root itself was not given
	}
}

// TestBajoOtroFiltro: where the kernel offers less, «auto» says so in one line
// and «estricto» does not start. A first, outer filter plays the old kernel.
func TestBajoOtroFiltro(t *testing.T) {
	raiz := proyecto(t)
	for _, c := range []struct {
		nombre   string
		o        encierro.Opciones
		llamada  string
		error    string
		arranca  bool
		landlock bool
		seccomp  bool
	}{
		{"auto sin Landlock", encierro.Opciones{}, "landlock_create_ruleset", "ENOSYS", true, false, true},
		{"confiando sin Landlock", encierro.Opciones{Confiar: true}, "landlock_create_ruleset", "ENOSYS", false, false, false},
		{"estricto sin Landlock", encierro.Opciones{Modo: encierro.Estricto}, "landlock_create_ruleset", "ENOSYS", false, false, false},
		{"auto sin seccomp", encierro.Opciones{}, "seccomp", "ENOSYS", true, true, false},
		{"confiando sin seccomp", encierro.Opciones{Confiar: true}, "seccomp", "ENOSYS", false, true, false},
		{"estricto sin seccomp", encierro.Opciones{Modo: encierro.Estricto}, "seccomp", "ENOSYS", false, true, false},
		// What is offered and does not work is a failure, not something missing.
		{"auto con Landlock que falla", encierro.Opciones{}, "landlock_restrict_self", "EPERM", false, false, false},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			c.o.Raices = []string{raiz}
			i := encargar(t, encargo{Opciones: c.o, Raiz: raiz}, strace(t), "-f", "-qq", "-o", "/dev/null", "-e", "trace="+c.llamada, "-e", "inject="+c.llamada+":error="+c.error, "--")
			if (i.Error == "") != c.arranca || (i.Estado.Landlock > 0) != c.landlock || i.Estado.Seccomp != c.seccomp {
				t.Errorf("%+v", i)
			}
			if falta := map[bool]string{true: "seccomp", false: "Landlock"}[c.landlock]; c.arranca && (!strings.Contains(i.Estado.Aviso, falta) || strings.Contains(i.Estado.Aviso, "\n")) {
				t.Errorf("avisa %q", i.Estado.Aviso)
			}
		})
	}
}

// strace finds the tool; without it the test fails.
func strace(t *testing.T) string {
	t.Helper()
	p, err := exec.LookPath("strace")
	if err != nil {
		t.Fatalf("hace falta strace: %v", err)
	}
	return p
}

// TestTraza: nothing a working server with a box does opens to write, makes a
// socket or executes anything else.
func TestTraza(t *testing.T) {
	raiz := proyecto(t)
	for _, m := range []encierro.Modo{encierro.Automatico, encierro.Apagado} {
		t.Run(m.String(), func(t *testing.T) {
			archivo := filepath.Join(t.TempDir(), "traza")
			e := encargo{Opciones: encierro.Opciones{Modo: m, Confiar: true, Raices: []string{raiz}}, Raiz: raiz, Caja: true}
			i := encargar(t, e, append([]string{strace(t)}, traza.Argumentos(archivo)...)...)
			if i.Error != "" || i.Caja != "42" || i.Leyo != "hola" {
				t.Fatalf("%+v", i)
			}
			visto, err := os.ReadFile(archivo)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(visto, []byte(`execve("/proc/self/exe", ["caja"`)) {
				t.Error("la traza no muestra la caja")
			}
			for _, f := range traza.Faltas(visto, "/proc/self/exe") {
				t.Error(f)
			}
		})
	}
	// The trace can tell: the trials show in it.
	archivo := filepath.Join(t.TempDir(), "traza")
	encargar(t, encargo{Opciones: encierro.Opciones{Raices: []string{raiz}}, Raiz: raiz, Probar: true}, append([]string{strace(t)}, traza.Argumentos(archivo)...)...)
	visto, err := os.ReadFile(archivo)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(traza.Faltas(visto, "/proc/self/exe")); n < 15 {
		t.Errorf("sólo vio %d faltas", n)
	}
}

func TestLeerModo(t *testing.T) {
	for s, quiere := range map[string]encierro.Modo{"auto": encierro.Automatico, "estricto": encierro.Estricto, "no": encierro.Apagado} {
		if m, err := encierro.LeerModo(s); err != nil || m != quiere || m.String() != s {
			t.Errorf("%s: %v %v", s, m, err)
		}
	}
	for _, s := range []string{"", "si", "AUTO", "estricto "} {
		if _, err := encierro.LeerModo(s); err == nil {
			t.Errorf("«%s» se aceptó", s)
		}
	}
}

func TestAppendTexto(t *testing.T) {
	e := encierro.Estado{Landlock: 7, Seccomp: true}
	got := string(e.AppendTexto(nil, []encierro.Prueba{{Que: "truncar", Negada: true, Detalle: "operation not permitted"}, {Que: "montar", Detalle: "se pudo"}}))
	quiere := "encierro: auto\nLandlock: activo, ABI 7\nseccomp: activo\n  negado     truncar (operación no permitida)\n  PERMITIDO  montar (se pudo)\n"
	if got != quiere {
		t.Errorf("%q", got)
	}
}

// The kernel's answer is told in Spanish, with what came before it.
func TestRespuestasEnCastellano(t *testing.T) {
	for detalle, want := range map[string]string{
		syscall.EACCES.Error():                "permiso denegado",
		"/bin/true: " + syscall.EPERM.Error(): "/bin/true: operación no permitida",
		syscall.ENOSYS.Error():                "el núcleo no la tiene",
		"no puede crear procesos":             "no puede crear procesos",
	} {
		if got := string(encierro.AppendPruebas(nil, []encierro.Prueba{{Que: "x", Negada: true, Detalle: detalle}})); !strings.HasSuffix(got, "x ("+want+")\n") {
			t.Errorf("%q: %q", detalle, got)
		}
	}
}
