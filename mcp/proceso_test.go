package mcp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/host/encierro/traza"
)

// plazo is how long anything a test waits for may take before it fails. The
// mutation run shortens it: there, waiting in vain is what is expected.
var plazo = func() time.Duration {
	if d, err := time.ParseDuration(os.Getenv("MCP_PLAZO")); err == nil {
		return d
	}
	return 60 * time.Second
}()

// proceso is a server to start: the built command with args, or this test binary
// with the tools of prueba_test.go.
type proceso struct {
	args   []string
	prueba bool
	turnos string
	traza  string // a file for strace to write what the command does
}

var binario = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "oracle-mcp-prueba-")
	if err != nil {
		return "", err
	}
	ruta := filepath.Join(dir, "oracle-mcp")
	cmd := exec.Command("go", "build", "-o", ruta, "../cmd/oracle-mcp")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if salida, err := cmd.CombinedOutput(); err != nil {
		return "", errors.New(string(salida))
	}
	return ruta, nil
})

// comando builds the command that p describes, not started.
func (p proceso) comando(t testing.TB) *exec.Cmd {
	t.Helper()
	if p.prueba {
		yo, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(yo)
		cmd.Env = append(os.Environ(), entornoDePrueba+"="+p.turnos)
		return cmd
	}
	ruta, err := binario()
	if err != nil {
		t.Fatalf("building the command: %v", err)
	}
	if p.traza != "" {
		return exec.Command("strace", traza.Argumentos(p.traza, append([]string{ruta}, p.args...)...)...)
	}
	return exec.Command(ruta, p.args...)
}

// maquina is a running server seen from its client.
type maquina struct {
	t       testing.TB
	cmd     *exec.Cmd // nil when the server is in this process
	codigo  chan int  // its exit code then
	cortar  func()    // and what ends it
	entrada io.WriteCloser
	leido   chan struct{} // closed when both outputs ended

	mu       sync.Mutex
	cambio   *sync.Cond
	lineas   []string
	stderr   strings.Builder
	vistas   map[string]int // answers by id, as written
	cerrados bool
}

func arrancar(t testing.TB, p proceso) *maquina {
	t.Helper()
	if enElLugar {
		m := nuevaMaquina(t)
		m.servirAca(p)
		return m
	}
	return arrancarComando(t, p)
}

func nuevaMaquina(t testing.TB) *maquina {
	m := &maquina{t: t, leido: make(chan struct{}), vistas: map[string]int{}}
	m.cambio = sync.NewCond(&m.mu)
	return m
}

// arrancarComando starts a process whatever the run asked for.
func arrancarComando(t testing.TB, p proceso) *maquina {
	t.Helper()
	m := nuevaMaquina(t)
	m.cmd = p.comando(t)
	var err error
	if m.entrada, err = m.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	salida, err := m.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	errores, err := m.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(m.matar)
	m.escuchar(salida, errores)
	return m
}

// escuchar notes what comes out until both outputs end.
func (m *maquina) escuchar(salida, errores io.Reader) {
	var ambos sync.WaitGroup
	ambos.Go(func() { lectorDeLineas(salida, m.anotar) })
	ambos.Go(func() {
		lectorDeLineas(errores, func(s string) {
			m.mu.Lock()
			defer m.mu.Unlock()
			m.stderr.WriteString(s)
			m.cambio.Broadcast()
		})
	})
	go func() {
		ambos.Wait()
		m.mu.Lock()
		m.cerrados = true
		m.cambio.Broadcast()
		m.mu.Unlock()
		close(m.leido)
	}()
}

// matar ends a server that did not end by itself.
func (m *maquina) matar() {
	if m.cmd != nil {
		_ = m.cmd.Process.Kill()
		return
	}
	m.cortar()
}

func (m *maquina) anotar(linea string) {
	var r struct {
		ID json.RawMessage `json:"id"`
	}
	_ = json.Unmarshal([]byte(linea), &r) // what is not JSON has no id; revisarSalida says so
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lineas = append(m.lineas, linea)
	if r.ID != nil {
		m.vistas[string(r.ID)]++
	}
	m.cambio.Broadcast()
}

// escribir sends s. A server that ended already is not an error here.
func (m *maquina) escribir(s string) {
	_, _ = io.WriteString(m.entrada, s)
}

// esperar waits for one more answer with the id, or for one with a null id.
func (m *maquina) esperar(id string) {
	m.t.Helper()
	defer time.AfterFunc(plazo, m.matar).Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for m.vistas[id] == 0 && m.vistas["null"] == 0 && !m.cerrados {
		m.cambio.Wait()
	}
	switch {
	case m.vistas[id] > 0:
		m.vistas[id]--
	case m.vistas["null"] > 0:
		m.vistas["null"]--
	default:
		m.t.Fatalf("no answer for id %s", id)
	}
}

// esperarEnErrores waits until standard error has the fragment so many times.
func (m *maquina) esperarEnErrores(fragmento string, veces int) {
	m.t.Helper()
	defer time.AfterFunc(plazo, m.matar).Stop()
	m.mu.Lock()
	defer m.mu.Unlock()
	for strings.Count(m.stderr.String(), fragmento) < veces {
		if m.cerrados {
			m.t.Fatalf("%q is not %d times in standard error:\n%s", fragmento, veces, &m.stderr)
		}
		m.cambio.Wait()
	}
}

// hijos returns the ids of the processes the command has started that have not
// been waited for.
func (m *maquina) hijos() []string {
	m.t.Helper()
	tareas, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", m.cmd.Process.Pid))
	if err != nil || len(tareas) == 0 {
		m.t.Fatalf("no threads to look at: %v", err)
	}
	var hijos []string
	for _, t := range tareas {
		b, err := os.ReadFile(t)
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ESRCH) { // a thread that ended
			m.t.Fatal(err)
		}
		hijos = append(hijos, strings.Fields(string(b))...)
	}
	return hijos
}

func (m *maquina) cerrarEntrada() { _ = m.entrada.Close() }

// terminar waits for the process and returns its exit code.
func (m *maquina) terminar() int {
	m.t.Helper()
	defer time.AfterFunc(plazo, m.matar).Stop()
	<-m.leido
	if m.cmd == nil {
		return <-m.codigo
	}
	err := m.cmd.Wait()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		if e.ExitCode() < 0 {
			m.t.Errorf("the server did not end by itself: %v", err)
		}
		return e.ExitCode()
	}
	if err != nil {
		m.t.Error(err)
	}
	return 0
}

func (m *maquina) salida() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return strings.Join(m.lineas, "")
}

func (m *maquina) errores() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.stderr.String()
}
