package mcp_test

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

const (
	abrirSesion   = `{"jsonrpc":"2.0","id":"ini","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"carga","version":"1"}}}` + "\n"
	metaModerna   = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	memoriaMaxima = vecesLaMemoria * 400 << 20
)

func llamar(id int, herramienta, args string, moderna bool) string {
	meta := ""
	if moderna {
		meta = "," + metaModerna
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s%s}}`+"\n", id, herramienta, args, meta)
}

// porID maps the id of each answer to how many there were, and fails on an error.
func porID(t *testing.T, salida string) map[string]int {
	t.Helper()
	vistas := map[string]int{}
	for linea := range strings.Lines(salida) {
		var m mensaje
		if err := json.Unmarshal([]byte(linea), &m); err != nil || m.Error != nil {
			t.Fatalf("%v: %s", err, linea)
		}
		vistas[string(m.ID)]++
	}
	return vistas
}

// A thousand calls at once and the end of the input right behind them: none lost.
func TestMilLlamadasDeUnaVez(t *testing.T) {
	m := arrancar(t, proceso{prueba: true})
	var b strings.Builder
	b.WriteString(abrirSesion)
	for i := range 1000 {
		b.WriteString(llamar(i, "eco", fmt.Sprintf(`{"n":%d}`, i), i%2 == 0))
	}
	m.escribir(b.String())
	m.cerrarEntrada()
	if codigo := m.terminar(); codigo != 0 {
		t.Errorf("exit code %d", codigo)
	}
	vistas := porID(t, m.salida())
	for i := range 1000 {
		if vistas[strconv.Itoa(i)] != 1 {
			t.Errorf("call %d was answered %d times", i, vistas[strconv.Itoa(i)])
		}
		if !strings.Contains(m.salida(), fmt.Sprintf(`"structuredContent":{"eco":{"n":%d}}`, i)) {
			t.Errorf("call %d got another's answer", i)
		}
	}
}

// A thousand cancelled calls, running or waiting: no answer, ever.
func TestMilCanceladas(t *testing.T) {
	m := arrancar(t, proceso{prueba: true})
	m.escribir(abrirSesion)
	for i := range 1000 {
		m.escribir(llamar(i, "espera", `{}`, i%2 == 0))
		if i >= 7 { // some run, some wait
			m.escribir(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", i-7))
		}
	}
	for i := 993; i < 1000; i++ {
		m.escribir(fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d}}`+"\n", i))
	}
	for i := range 1000 { // the ids are free, and so are the turns
		m.escribir(llamar(i, "eco", `{"segunda":true}`, false))
	}
	m.cerrarEntrada()
	if codigo := m.terminar(); codigo != 0 {
		t.Errorf("exit code %d", codigo)
	}
	for linea := range strings.Lines(m.salida()) {
		if !strings.Contains(linea, `{"segunda":true}`) && !strings.Contains(linea, `"id":"ini"`) {
			t.Errorf("a late answer: %s", linea)
		}
	}
	if n := len(porID(t, m.salida())); n != 1001 {
		t.Errorf("%d answers, want 1001", n)
	}
	if m.errores() != "" {
		t.Errorf("stderr: %s", m.errores())
	}
}

// crudo is a server whose output is read only when the test does it.
type crudo struct {
	t       *testing.T
	cmd     *exec.Cmd
	entrada io.WriteCloser
	salida  io.ReadCloser
}

func arrancarCrudo(t *testing.T) *crudo {
	t.Helper()
	c := &crudo{t: t, cmd: proceso{prueba: true}.comando(t)}
	c.cmd.Stderr = os.Stderr
	var err error
	if c.entrada, err = c.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	// Not StdoutPipe: Wait closes that one while the test still reads.
	lee, escribe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	c.salida, c.cmd.Stdout = lee, escribe
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = escribe.Close()
	t.Cleanup(func() { _ = c.cmd.Process.Kill(); _ = lee.Close() })
	return c
}

// terminar waits for the process to end by itself, with 0.
func (c *crudo) terminar() {
	c.t.Helper()
	defer time.AfterFunc(plazo, func() { _ = c.cmd.Process.Kill() }).Stop()
	if err := c.cmd.Wait(); err != nil {
		c.t.Errorf("the server ended badly: %v", err)
	}
}

var memoriaPico = regexp.MustCompile(`VmHWM:\s+(\d+) kB`)

// memoria returns the peak of the resident memory so far, in bytes.
func (c *crudo) memoria() int {
	c.t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		c.t.Fatal(err)
	}
	g := memoriaPico.FindSubmatch(b)
	if g == nil {
		c.t.Fatalf("no peak in %s", b)
	}
	n, _ := strconv.Atoi(string(g[1]))
	return n << 10
}

func (c *crudo) acotada() {
	c.t.Helper()
	n := c.memoria()
	c.t.Logf("peak of resident memory: %d MiB", n>>20)
	if n > memoriaMaxima {
		c.t.Errorf("the resident memory got to %d MiB, over %d", n>>20, memoriaMaxima>>20)
	}
}

// A client that writes thirty thousand lines before it reads the first answer.
func TestEscribeTreintaMilAntesDeLeer(t *testing.T) {
	c := arrancarCrudo(t)
	if _, err := io.WriteString(c.entrada, abrirSesion); err != nil {
		t.Fatal(err)
	}
	for i := range 30_000 {
		linea := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"ping"}`+"\n", i)
		if i%3 == 0 {
			linea = llamar(i, "eco", `{}`, i%2 == 0)
		}
		if _, err := io.WriteString(c.entrada, linea); err != nil {
			t.Fatal(err)
		}
	}
	vistas := 0
	leido := make(chan string)
	go lectorDeLineas(c.salida, func(s string) { leido <- s })
	for vistas < 30_001 {
		select {
		case <-leido:
			vistas++
		case <-time.After(plazo):
			t.Fatalf("%d answers, want 30001", vistas)
		}
	}
	c.acotada()
	_ = c.entrada.Close()
	c.terminar()
}

// What a call brought is let go when it is answered, not when the answer is read.
func TestLoContestadoNoSeRetiene(t *testing.T) {
	t.Parallel()
	c := arrancarCrudo(t)
	args := `{"x":"` + strings.Repeat("x", 1<<20) + `"}`
	for i := range 700 { // answers of 100 bytes that nobody reads
		if _, err := io.WriteString(c.entrada, llamar(i, "texto", args, true)); err != nil {
			t.Fatal(err)
		}
	}
	c.acotada()
	_ = c.salida.Close()
	_ = c.entrada.Close()
	c.terminar()
}

// llenar writes calls with big answers until the server stops reading, and returns
// how many lines went through.
func (c *crudo) llenar() int {
	c.t.Helper()
	linea := func(i int) string { return llamar(i, "eco", `{"x":"`+strings.Repeat("x", 100_000)+`"}`, true) }
	escritas := make(chan int, 1)
	hecho := make(chan struct{})
	go func() {
		defer close(hecho)
		for i := 0; ; i++ {
			if _, err := io.WriteString(c.entrada, linea(i)); err != nil {
				return
			}
			select {
			case <-escritas:
			default:
			}
			escritas <- i + 1
		}
	}()
	ultima := 0
	for {
		select {
		case n := <-escritas:
			if ultima = n; n > 20_000 {
				c.t.Fatal("the server never stopped reading")
			}
		case <-time.After(3 * time.Second):
			return ultima
		}
	}
}

// A client that never reads: memory stays bounded, and when the client dies the
// process ends.
func TestNuncaLeeYMuere(t *testing.T) {
	t.Parallel()
	c := arrancarCrudo(t)
	t.Logf("%d lines of 100 kB were taken before reading stopped", c.llenar())
	c.acotada()
	_ = c.salida.Close()
	_ = c.entrada.Close()
	c.terminar()
}

// A client that never reads and closes only its own end.
func TestNuncaLeeYSeVa(t *testing.T) {
	t.Parallel()
	c := arrancarCrudo(t)
	c.llenar()
	c.acotada()
	_ = c.entrada.Close()
	c.terminar()
}

// A client that dies with calls running: the process ends too.
func TestMuereConLlamadasCorriendo(t *testing.T) {
	t.Parallel()
	c := arrancarCrudo(t)
	for i := range 100 {
		if _, err := io.WriteString(c.entrada, llamar(i, "espera", `{}`, true)); err != nil {
			t.Fatal(err)
		}
	}
	_ = c.salida.Close()
	_ = c.entrada.Close()
	c.terminar()
}

// A client that closes the output while the server writes to it.
func TestCierraLaSalida(t *testing.T) {
	t.Parallel()
	c := arrancarCrudo(t)
	if _, err := io.WriteString(c.entrada, abrirSesion); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c.salida, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	_ = c.salida.Close()
	if _, err := io.WriteString(c.entrada, `{"jsonrpc":"2.0","id":1,"method":"ping"}`+"\n"); err != nil {
		t.Fatal(err)
	}
	c.terminar() // with the input still open
}
