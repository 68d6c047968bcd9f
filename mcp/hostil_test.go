//go:build !race

package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// What an attack may take from the server: processor time of the whole process,
// which a loaded machine does not stretch, and its peak of resident memory. The
// clock is only there for a server that neither works nor answers.
const (
	procesadorDeUnAtaque = 10 * time.Second
	memoriaDeUnAtaque    = 600 << 20
	relojDeUnAtaque      = 120 * time.Second
)

// ataque is one call that tries to keep the server busy, fill its memory or
// end it, and what it must be answered.
type ataque struct {
	nombre      string
	herramienta string // oracle_evaluar if empty
	args        func() string
	proyecto    map[string]string // files of the project, besides an empty catalog
	limites     []string          // «--limite» of the start
	quiere      string            // how the answer starts, a state or a code up to its cause; or one of several, with a bar
}

// TestAtaques sends each attack to a server of its own, the built command as a
// client starts it, and then asks the same server for something ordinary
// (seguridad, first line: everything that comes in is hostile). Under the race
// detector it would be the same command again.
func TestAtaques(t *testing.T) {
	vistos := map[string]bool{}
	for _, a := range ataques() {
		if vistos[a.nombre] {
			t.Fatalf("two attacks are called %q", a.nombre)
		}
		vistos[a.nombre] = true
		t.Run(a.nombre, a.correr)
	}
}

func (a ataque) correr(t *testing.T) {
	t.Parallel() // each is judged by what its own process took
	proyecto := t.TempDir()
	for nombre, texto := range a.proyecto {
		ruta := filepath.Join(proyecto, nombre)
		if err := os.MkdirAll(filepath.Dir(ruta), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ruta, []byte(texto), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(proyecto, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	orden := proceso{args: []string{"--proyecto", proyecto}}
	for _, l := range a.limites {
		orden.args = append(orden.args, "--limite", l)
	}
	herramienta := a.herramienta
	if herramienta == "" {
		herramienta = "oracle_evaluar"
	}
	linea := llamar(1, herramienta, a.args(), false)
	if len(linea) > 16<<20 {
		t.Fatalf("the line has %d bytes: the attack stays outside", len(linea))
	}

	m := arrancarComando(t, orden)
	m.escribir(abrirSesion)
	m.esperar(`"ini"`)
	empezo := time.Now()
	m.escribir(linea)
	if !m.llega("1", relojDeUnAtaque) {
		t.Fatalf("no answer in %v; it took %v of processor and %d MiB; stderr: %.500s", relojDeUnAtaque, m.procesador(), m.memoria()>>20, m.errores())
	}
	tardo, procesador, memoria := time.Since(empezo), m.procesador(), m.memoria()
	respuesta := m.ultima()
	dijo := desenlace(t, respuesta)
	t.Logf("%6.2f s of processor, %6.2f s, %3d MiB, %8d bytes in, %8d out: %.90s",
		procesador.Seconds(), tardo.Seconds(), memoria>>20, len(linea), len(respuesta), dijo)
	if procesador > procesadorDeUnAtaque {
		t.Errorf("it took %v of processor, over %v", procesador, procesadorDeUnAtaque)
	}
	if memoria > memoriaDeUnAtaque {
		t.Errorf("it got to %d MiB, over %d", memoria>>20, memoriaDeUnAtaque>>20)
	}
	if !slices.ContainsFunc(strings.Split(a.quiere, "|"), func(q string) bool { return q != "" && strings.HasPrefix(dijo, q) }) {
		t.Errorf("it was answered %.300q, want %q", dijo, a.quiere)
	}

	m.escribir(`{"jsonrpc":"2.0","id":"ping","method":"ping"}` + "\n")
	m.esperar(`"ping"`)
	m.escribir(llamar(2, "oracle_evaluar", argumentos(medidaHostil("    de fila f\n    donde f.n > 1\n"), `{"fila":[{"n":1},{"n":2}]}`), false))
	m.esperar("2")
	if r := m.ultima(); !strings.Contains(r, `"estado":"rojo","valor":1,`) {
		t.Errorf("what came next was answered %.500s", r)
	}
	m.cerrarEntrada()
	if codigo := m.terminar(); codigo != 0 {
		t.Errorf("exit code %d", codigo)
	}
	if s := m.errores(); s != "" {
		t.Errorf("stderr: %.2000s", s)
	}
}

// desenlace tells what a call was answered: the state or the conclusion, or the
// first line of the error, whose code must be the contract's.
func desenlace(t *testing.T, linea string) string {
	t.Helper()
	var r struct {
		Result *struct {
			IsError    bool
			Content    []struct{ Text string }
			Structured struct {
				Estado, Conclusion string
				OK                 *bool
				NoJuzgaron         []struct{ ID, Motivo string } `json:"no_juzgaron"`
			} `json:"structuredContent"`
		}
		Error *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(linea), &r); err != nil {
		t.Fatalf("%v: %.500s", err, linea)
	}
	switch {
	case r.Error != nil:
		return fmt.Sprint(r.Error.Code, " ", r.Error.Message)
	case r.Result.IsError:
		texto := r.Result.Content[0].Text
		if codigo, _, _ := strings.Cut(texto, " "); !slices.Contains(codigosDelContrato, codigo) {
			t.Errorf("%q is not a code of the contract", codigo)
		}
		if len(texto) > 4<<10 {
			t.Errorf("a message of %d bytes", len(texto))
		}
		primera, _, _ := strings.Cut(texto, "\n")
		return primera
	case r.Result.Structured.OK != nil:
		dijo := fmt.Sprint("ok ", *r.Result.Structured.OK)
		for _, n := range r.Result.Structured.NoJuzgaron {
			dijo += "; " + n.ID + ": " + n.Motivo
		}
		return dijo
	default:
		return r.Result.Structured.Estado + r.Result.Structured.Conclusion
	}
}

// llega waits until there is an answer with the id, or the time is over.
func (m *maquina) llega(id string, reloj time.Duration) bool {
	vencio := false
	defer time.AfterFunc(reloj, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		vencio = true
		m.cambio.Broadcast()
	}).Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.vistas[id] == 0 && !vencio && !m.cerrados {
		m.cambio.Wait()
	}
	if m.vistas[id] == 0 {
		return false
	}
	m.vistas[id]--
	return true
}

// ultima returns the last line that came out.
func (m *maquina) ultima() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.lineas[len(m.lineas)-1]
}

// procesador returns the processor time the command has taken so far, -1 if it
// is gone.
func (m *maquina) procesador() time.Duration {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", m.cmd.Process.Pid))
	if err != nil {
		return -1
	}
	_, resto, _ := strings.Cut(string(b), ") ") // the name may have spaces, not this
	campos := strings.Fields(resto)
	if len(campos) < 13 {
		return -1
	}
	var centesimas int64 // USER_HZ is 100 everywhere Linux shows it
	for _, c := range campos[11:13] {
		n, _ := strconv.ParseInt(c, 10, 64)
		centesimas += n
	}
	return time.Duration(centesimas) * 10 * time.Millisecond
}

// memoria returns the command's peak of resident memory, in bytes, -1 if it is
// gone.
func (m *maquina) memoria() int {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", m.cmd.Process.Pid))
	if err != nil {
		return -1
	}
	g := memoriaPico.FindSubmatch(b)
	if g == nil {
		return -1
	}
	n, _ := strconv.Atoi(string(g[1]))
	return n << 10
}
