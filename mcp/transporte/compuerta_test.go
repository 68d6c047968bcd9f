package transporte_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/transporte"
)

// banco is a gate with a client at one end and, in place of the SDK, a test that
// answers when it likes at the other. Everything runs in a synctest bubble.
type banco struct {
	t        *testing.T
	c        *transporte.Compuerta
	entrada  *io.PipeWriter
	salida   *io.PipeReader
	fin      chan error
	log      *bytes.Buffer
	cancelar context.CancelFunc

	mu       sync.Mutex
	llegados []*jsonrpc.Request // to the legacy lane
	carril   sdk.Connection
	lineas   []string
}

func nuevo(t *testing.T, cfg transporte.Config) *banco {
	t.Helper()
	b := &banco{t: t, fin: make(chan error, 1), log: &bytes.Buffer{}}
	cfg.Herramienta = func(n string) bool { return n == "h" }
	cfg.Registro = slog.New(slog.NewTextHandler(b.log, nil))
	b.c = transporte.New(cfg)
	var err error
	if b.carril, err = b.c.Carril(transporte.Heredada).Connect(t.Context()); err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			m, err := b.carril.Read(context.Background())
			if err != nil {
				return
			}
			b.mu.Lock()
			b.llegados = append(b.llegados, m.(*jsonrpc.Request))
			b.mu.Unlock()
		}
	}()
	var entrada *io.PipeReader
	var salida *io.PipeWriter
	entrada, b.entrada = io.Pipe()
	b.salida, salida = io.Pipe()
	ctx, cancelar := context.WithCancel(context.Background())
	b.cancelar = cancelar
	go func() { b.fin <- b.c.Servir(ctx, entrada, salida) }()
	return b
}

// enviar sends lines and waits until the gate has nothing left to do with them.
func (b *banco) enviar(lineas ...string) {
	b.t.Helper()
	for _, l := range lineas {
		if _, err := io.WriteString(b.entrada, l+"\n"); err != nil {
			b.t.Fatal(err)
		}
	}
	synctest.Wait()
}

// leer starts reading what the gate writes.
func (b *banco) leer() {
	go func() {
		var resto string
		trozo := make([]byte, 1<<16)
		for {
			n, err := b.salida.Read(trozo)
			b.mu.Lock()
			resto += string(trozo[:n])
			for {
				linea, sigue, ok := strings.Cut(resto, "\n")
				if !ok {
					break
				}
				b.lineas = append(b.lineas, linea)
				resto = sigue
			}
			b.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	synctest.Wait()
}

func (b *banco) salidas() []string {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.lineas
}

func (b *banco) pedidos() []*jsonrpc.Request {
	synctest.Wait()
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.llegados
}

// responder answers the i-th request that reached the lane.
func (b *banco) responder(i int, resultado string) {
	b.t.Helper()
	r := b.pedidos()[i]
	if err := b.carril.Write(context.Background(), &jsonrpc.Response{ID: r.ID, Result: json.RawMessage(resultado)}); err != nil {
		b.t.Error(err)
	}
	synctest.Wait()
}

// pedido returns the gate's request behind the i-th that reached the lane.
func (b *banco) pedido(i int) *transporte.Pedido {
	b.t.Helper()
	var p struct {
		Meta map[string]any `json:"_meta"`
	}
	if err := json.Unmarshal(b.pedidos()[i].Params, &p); err != nil {
		b.t.Fatal(err)
	}
	r := b.c.Pedido(p.Meta)
	if r == nil {
		b.t.Fatal("no request for ", p.Meta)
	}
	return r
}

func (b *banco) terminado() (error, bool) {
	synctest.Wait()
	select {
	case err := <-b.fin:
		return err, true
	default:
		return nil, false
	}
}

// cerrar ends what the bubble still runs.
func (b *banco) cerrar() {
	b.cancelar()
	_ = b.entrada.Close()
	_ = b.salida.Close()
}

const inicio = `{"jsonrpc":"2.0","id":0,"method":"initialize"}`

func llamada(id any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":"h","arguments":{"n":%v}}}`, id, id)
}

func cancelacion(id any) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%v}}`, id)
}

func burbuja(t *testing.T, cfg transporte.Config, f func(*testing.T, *banco)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		b := nuevo(t, cfg)
		defer b.cerrar()
		f(t, b)
	})
}

func TestLoQueVeElSDK(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(`{"jsonrpc":"2.0","id":"x\u0000","method":"initialize","params":{"protocolVersion":"1","clientInfo":5,"_meta":{"progressToken":"\u0061"}}}`,
			`{"jsonrpc":"2.0","id":1.50,"method":"tools/call","params":{"name":"\u0068","arguments":{ "a" : 1 },"otra":1}}`)
		var got []string
		for _, r := range b.pedidos() {
			got = append(got, fmt.Sprint(r.ID.Raw(), " ", r.Method, " ", string(r.Params)))
		}
		want := []string{
			`1 initialize {"_meta":{"progressToken":1},"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"","version":""}}`,
			`2 tools/call {"_meta":{"progressToken":2},"name":"h"}`,
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
		p := b.pedido(1)
		if string(p.Argumentos) != `{ "a" : 1 }` || p.Nombre != "h" || p.Era != transporte.Heredada {
			t.Errorf("%+v", p)
		}
		b.responder(0, `{"i":1}`)
		b.responder(1, ` {"l":1} `)
		want = []string{`{"jsonrpc":"2.0","id":"x\u0000","result":{"i":1}}`, `{"jsonrpc":"2.0","id":1.50,"result":{"l":1}}`}
		if d := cmp.Diff(want, b.salidas()); d != "" {
			t.Error(d)
		}
		if b.c.Pedido(map[string]any{"progressToken": 2.0}) != nil || b.c.Pedido(nil) != nil || b.c.Pedido(map[string]any{"progressToken": "2"}) != nil {
			t.Error("an answered request is still there")
		}
	})
}

func TestTurnos(t *testing.T) {
	burbuja(t, transporte.Config{Concurrencia: 2}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, llamada(1), llamada(2), llamada(3), llamada(4), `{"jsonrpc":"2.0","id":9,"method":"ping"}`)
		metodos := func() (s string) {
			for _, r := range b.pedidos() {
				s += r.Method[:4] + " "
			}
			return s
		}
		if got := metodos(); got != "init tool tool ping " {
			t.Fatalf("the lane got %s", got)
		}
		b.responder(1, `{}`)
		if got := metodos(); got != "init tool tool ping tool " {
			t.Errorf("after an answer the lane got %s", got)
		}
		if n := string(b.pedido(4).Argumentos); n != `{"n":3}` {
			t.Errorf("the turn went to %s", n)
		}
		b.enviar(cancelacion(2)) // running: the turn is not free until the tool lets go
		if got := metodos(); got != "init tool tool ping tool " {
			t.Errorf("a cancelled call gave up its turn: %s", got)
		}
		b.responder(2, `{}`)
		if got := metodos(); got != "init tool tool ping tool tool " {
			t.Errorf("a cancelled call kept its turn: %s", got)
		}
	})
}

func TestCancelar(t *testing.T) {
	burbuja(t, transporte.Config{Concurrencia: 1}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, llamada(1), llamada(2))
		p := b.pedido(1)
		if p.Contexto().Err() != nil {
			t.Error("cancelled before time")
		}
		b.enviar(cancelacion(`1.0`))
		if !errors.Is(p.Contexto().Err(), context.Canceled) {
			t.Error("the tool was not told")
		}
		b.enviar(llamada(1))      // free again while the old one is still running
		b.enviar(cancelacion(2))  // waiting
		b.responder(1, `{"1":1}`) // late
		b.responder(2, `{"1":2}`)
		if d := cmp.Diff([]string{`{"jsonrpc":"2.0","id":1,"result":{"1":2}}`}, b.salidas()); d != "" {
			t.Error(d)
		}
		if n := len(b.pedidos()); n != 3 {
			t.Errorf("%d requests reached the lane, want 3", n)
		}
	})
}

// An answer that waits to be written is still not an answer: a cancellation read
// before it is written takes it back.
func TestCancelarLoYaRespondido(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.enviar(inicio, llamada(1), llamada(2), llamada(3))
		b.responder(0, `{}`) // blocks the writer: nobody reads yet
		b.responder(1, `{}`)
		b.responder(2, `{}`)
		b.responder(3, `{}`)
		b.enviar(cancelacion(2), llamada(3)) // 3 is still in flight
		b.leer()
		want := []string{`{"jsonrpc":"2.0","id":0,"result":{}}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, `{"jsonrpc":"2.0","id":3,"result":{}}`,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"pedido JSON-RPC inválido: id repetido en vuelo: 3"}}`}
		if d := cmp.Diff(want, b.salidas()); d != "" {
			t.Error(d)
		}
	})
}

func TestInitializeNoSeCancela(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, cancelacion(0))
		b.responder(0, `{}`)
		if d := cmp.Diff([]string{`{"jsonrpc":"2.0","id":0,"result":{}}`}, b.salidas()); d != "" {
			t.Error(d)
		}
	})
}

// Reading stops while the answers not yet written are at their bound, and goes on
// when the client reads.
func TestColaLlenaDejaDeLeer(t *testing.T) {
	const una = len(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"JSON inválido: error de sintaxis en el byte 0"}}`) + 1
	for _, c := range []struct{ cola, leidas int }{{3 * una, 5}, {3*una - 1, 5}, {2*una + 1, 5}, {2 * una, 4}} {
		burbuja(t, transporte.Config{ColaMaxima: c.cola}, func(t *testing.T, b *banco) {
			enviadas := 0
			var mu sync.Mutex
			go func() {
				for range 50 {
					if _, err := io.WriteString(b.entrada, "x\n"); err != nil {
						return
					}
					mu.Lock()
					enviadas++
					mu.Unlock()
				}
			}()
			synctest.Wait()
			mu.Lock()
			// One is being written, the queue holds those up to its bound, and one
			// more sits in the reader's hands.
			if enviadas > c.leidas || enviadas < c.leidas-1 {
				t.Errorf("with a queue of %d bytes, %d lines were read, want %d", c.cola, enviadas, c.leidas)
			}
			mu.Unlock()
			b.leer()
			if n := len(b.salidas()); n != 50 {
				t.Errorf("%d answers, want 50", n)
			}
		})
	}
}

func TestRetenidoLlenoDejaDeLeer(t *testing.T) {
	burbuja(t, transporte.Config{RetenidoMaximo: 3 * (4 << 10), Concurrencia: 1}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio)
		b.responder(0, `{}`)
		var tomadas atomic.Int32
		go func() {
			for i := range 20 {
				if _, err := io.WriteString(b.entrada, llamada(i+1)+"\n"); err != nil {
					return
				}
				tomadas.Add(1)
			}
			_ = b.entrada.Close()
		}()
		for i := range 20 {
			synctest.Wait()
			// Three requests fill the bound; one more line may be in the reader's hands.
			if n := int(tomadas.Load()); n > i+4 {
				t.Fatalf("%d lines were taken with %d answered", n, i)
			}
			if n := len(b.pedidos()); n != i+2 {
				t.Fatalf("%d requests reached the lane, want %d", n, i+2)
			}
			b.responder(i+1, `{}`)
		}
		if err, ok := b.terminado(); !ok || err != nil {
			t.Errorf("%v, %v", err, ok)
		}
		if n := len(b.salidas()); n != 21 {
			t.Errorf("%d answers, want 21", n)
		}
	})
}

// A tool's answer waits for room on the way out, and keeps its turn meanwhile.
func TestResponderEsperaLugar(t *testing.T) {
	burbuja(t, transporte.Config{ColaMaxima: 1, Concurrencia: 1}, func(t *testing.T, b *banco) {
		b.enviar(inicio, llamada(1))
		b.responder(0, `{}`) // being written
		b.enviar(llamada(2))
		escrita := func(i int) <-chan error {
			c := make(chan error, 1)
			r := &jsonrpc.Response{ID: b.pedidos()[i].ID, Result: json.RawMessage(`{}`)}
			go func() { c <- b.carril.Write(context.Background(), r) }()
			synctest.Wait()
			return c
		}
		// The first answer fills the queue; call 2 gets its turn and must wait.
		if c := escrita(1); len(c) != 1 {
			t.Fatal("an answer waited for an empty queue")
		}
		segunda := escrita(2)
		if len(segunda) != 0 {
			t.Error("an answer did not wait for room")
		}
		b.leer()
		if n := len(b.salidas()); n != 3 || len(segunda) != 1 {
			t.Errorf("%d answers, want 3", n)
		}
	})
}

func TestFinDeEntrada(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, llamada(1), llamada(2))
		b.responder(0, `{}`)
		_ = b.entrada.Close()
		time.Sleep(time.Second)
		if _, ok := b.terminado(); ok {
			t.Fatal("ended owing answers")
		}
		b.responder(1, `{}`)
		p := b.pedido(2)
		time.Sleep(2*time.Second - 1)
		if _, ok := b.terminado(); ok || p.Contexto().Err() != nil {
			t.Fatal("ended before its time")
		}
		time.Sleep(1)
		if err, ok := b.terminado(); !ok || err != nil {
			t.Fatalf("%v, %v", err, ok)
		}
		if p.Contexto().Err() == nil {
			t.Error("the tool was not told")
		}
		b.responder(2, `{}`)
		if n := len(b.salidas()); n != 2 {
			t.Errorf("%d answers, want 2", n)
		}
		if !strings.Contains(b.log.String(), "sin responder") || !strings.Contains(b.log.String(), "cantidad=1") {
			t.Errorf("log: %s", b.log)
		}
	})
}

// A client that closed the input and reads nothing is not waited for, even if the
// gate could not take its last lines.
func TestClienteQueNoLeeYSeVa(t *testing.T) {
	var colgado atomic.Bool
	cfg := transporte.Config{ColaMaxima: 1, Colgo: colgado.Load}
	burbuja(t, cfg, func(t *testing.T, b *banco) {
		b.enviar("x", "x") // one is being written and one is queued
		time.Sleep(time.Minute)
		if _, ok := b.terminado(); ok {
			t.Fatal("a client that is there was not waited for")
		}
		colgado.Store(true)
		time.Sleep(2 * time.Second)
		if err, ok := b.terminado(); !ok || err != nil {
			t.Errorf("%v, %v", err, ok)
		}
	})
}

// One that reads, however slowly, is waited for.
func TestClienteLentoSeEspera(t *testing.T) {
	cfg := transporte.Config{ColaMaxima: 1, Colgo: func() bool { return true }}
	burbuja(t, cfg, func(t *testing.T, b *banco) {
		go func() {
			_, _ = io.WriteString(b.entrada, strings.Repeat("x\n", 6))
			_, _ = io.WriteString(b.entrada, strings.Repeat("x\n", 6))
			_ = b.entrada.Close()
		}()
		recibido := 0
		trozo := make([]byte, 1<<10)
		for range 12 {
			time.Sleep(1900 * time.Millisecond)
			n, err := b.salida.Read(trozo)
			if err != nil {
				t.Fatal(err)
			}
			recibido += strings.Count(string(trozo[:n]), "\n")
			synctest.Wait()
		}
		if err, ok := b.terminado(); !ok || err != nil || recibido != 12 {
			t.Errorf("%v, %v, %d lines", err, ok, recibido)
		}
	})
}

// A long queue is answered to its end as long as the answers keep coming; progress
// alone does not keep a process alive.
func TestFinDeEntradaConCola(t *testing.T) {
	burbuja(t, transporte.Config{Concurrencia: 1}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio)
		b.responder(0, `{}`)
		for i := range 10 {
			b.enviar(strings.Replace(llamada(i+1), `"params":{`, `"params":{"_meta":{"progressToken":7},`, 1))
		}
		_ = b.entrada.Close()
		for i := range 9 {
			time.Sleep(1900 * time.Millisecond)
			b.responder(i+1, `{}`)
		}
		p := b.pedido(10)
		for i := range 19 {
			time.Sleep(100 * time.Millisecond)
			b.c.Avance(p, i+1, 100)
		}
		if _, ok := b.terminado(); ok {
			t.Fatal("ended before its time")
		}
		time.Sleep(100 * time.Millisecond)
		if err, ok := b.terminado(); !ok || err != nil {
			t.Errorf("%v, %v", err, ok)
		}
	})
}

func TestFinSinDeudasEsInmediato(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, llamada(1))
		b.responder(0, `{}`)
		_ = b.entrada.Close()
		b.responder(1, `{}`)
		if err, ok := b.terminado(); !ok || err != nil {
			t.Errorf("%v, %v", err, ok)
		}
		if b.log.Len() > 0 {
			t.Errorf("log: %s", b.log)
		}
	})
}

func TestSalir(t *testing.T) {
	const apagar, salir = `{"jsonrpc":"2.0","id":5,"method":"shutdown"}`, `{"jsonrpc":"2.0","method":"exit"}`
	for _, c := range []struct {
		lineas []string
		want   error
	}{
		{[]string{inicio, apagar, salir}, nil},
		{[]string{apagar, salir}, nil},
		{[]string{inicio, salir}, transporte.ErrSalidaSinApagado},
		{[]string{salir}, transporte.ErrSalidaSinApagado},
	} {
		burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
			b.leer()
			b.enviar(c.lineas...)
			if len(b.pedidos()) > 0 {
				b.responder(0, `{}`)
			}
			if err, ok := b.terminado(); !ok || err != c.want {
				t.Errorf("%v: %v, %v, want %v", c.lineas, err, ok, c.want)
			}
			if n := len(b.salidas()); n != len(c.lineas)-1 {
				t.Errorf("%v: %d answers", c.lineas, n)
			}
		})
	}
}

// escritorRoto fails every write.
type escritorRoto struct{ err error }

func (w escritorRoto) Write([]byte) (int, error) { return 0, w.err }

func TestFinesDeLosFlujos(t *testing.T) {
	roto := errors.New("disco lleno")
	entradaRota := errors.New("entrada rota")
	for _, c := range []struct {
		nombre string
		in     io.Reader
		out    io.Writer
		want   error
	}{
		{"the client closed the output", strings.NewReader("x\n"), escritorRoto{syscall.EPIPE}, nil},
		{"the client closed the pipe", strings.NewReader("x\n"), escritorRoto{io.ErrClosedPipe}, nil},
		{"the output failed", strings.NewReader("x\n"), escritorRoto{roto}, roto},
		{"the input failed", io.MultiReader(strings.NewReader("x\n"), lectorRoto{entradaRota}), io.Discard, entradaRota},
		{"both ended", strings.NewReader(""), io.Discard, nil},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := transporte.New(transporte.Config{Herramienta: func(string) bool { return false }})
				if err := g.Servir(t.Context(), c.in, c.out); err != c.want {
					t.Errorf("%v, want %v", err, c.want)
				}
			})
		})
	}
}

type lectorRoto struct{ err error }

func (r lectorRoto) Read([]byte) (int, error) { return 0, r.err }

// Without a log, what would be said there is not said, and nothing breaks.
func TestSinRegistro(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := transporte.New(transporte.Config{Herramienta: func(string) bool { return true }})
		if err := g.Servir(t.Context(), strings.NewReader(inicio+"\n"+llamada(1)+"\n"), io.Discard); err != nil {
			t.Error(err)
		}
	})
}

// A real pipe whose other end is closed ends the gate though lines are left in it.
func TestTuboColgado(t *testing.T) {
	lee, escribe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer lee.Close()
	if _, err := escribe.WriteString(strings.Repeat("x\n", 1000)); err != nil {
		t.Fatal(err)
	}
	_ = escribe.Close()
	nadie, salida := io.Pipe()
	defer nadie.Close()
	g := transporte.New(transporte.Config{Herramienta: func(string) bool { return false }, ColaMaxima: 1, Gracia: 20 * time.Millisecond})
	if err := g.Servir(t.Context(), lee, salida); err != nil {
		t.Error(err)
	}
}

func TestContextoTermina(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, llamada(1))
		p := b.pedido(1)
		b.cancelar()
		if err, ok := b.terminado(); !ok || !errors.Is(err, context.Canceled) {
			t.Errorf("%v, %v", err, ok)
		}
		if p.Contexto().Err() == nil {
			t.Error("the tool was not told")
		}
	})
}

func TestAvance(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		con := strings.Replace(llamada(1), `"params":{`, `"params":{"_meta":{"progressToken":"\u0061"},`, 1)
		b.enviar(inicio, con, llamada(2))
		p, sin := b.pedido(1), b.pedido(2)
		dichos := func() (s string) {
			for _, l := range b.salidas() {
				var m struct {
					Params struct{ Progress, Total int }
				}
				if err := json.Unmarshal([]byte(l), &m); err != nil || !strings.Contains(l, `"progressToken":"\u0061",`) {
					t.Errorf("%s: %v", l, err)
				}
				s += fmt.Sprintf("%d/%d ", m.Params.Progress, m.Params.Total)
			}
			return s
		}
		for i := range 100 { // a report each 10 ms for a second
			b.c.Avance(p, i+1, 1000)
			b.c.Avance(sin, i+1, 1000)
			time.Sleep(10 * time.Millisecond)
		}
		if got := dichos(); got != "1/1000 11/1000 21/1000 31/1000 41/1000 51/1000 61/1000 71/1000 81/1000 91/1000 " {
			t.Errorf("in a second: %s", got)
		}
		b.c.Avance(p, 50, 1000) // back: nothing
		b.c.UltimoAvance(p)
		b.c.UltimoAvance(p)
		b.c.UltimoAvance(sin)
		b.c.Avance(p, 101, 0)
		if got := dichos(); !strings.HasSuffix(got, "91/1000 100/1000 101/0 ") {
			t.Errorf("at the end: %s", got)
		}
		if strings.Contains(b.salidas()[11], "total") {
			t.Errorf("an unknown total was sent: %s", b.salidas()[11])
		}
		b.enviar(cancelacion(1))
		time.Sleep(time.Second)
		b.c.Avance(p, 500, 1000)
		b.c.UltimoAvance(p)
		if got := dichos(); !strings.HasSuffix(got, "101/0 ") {
			t.Errorf("progress of a cancelled call: %s", got)
		}
	})
}

// Progress never waits for a client that does not read.
func TestAvanceNoEspera(t *testing.T) {
	burbuja(t, transporte.Config{ColaMaxima: 200}, func(t *testing.T, b *banco) {
		b.enviar(inicio, strings.Replace(llamada(1), `"params":{`, `"params":{"_meta":{"progressToken":7},`, 1))
		p := b.pedido(1)
		for i := range 100 {
			b.c.Avance(p, i+1, 100)
			time.Sleep(time.Second)
		}
		b.leer()
		if n := len(b.salidas()); n < 2 || n > 5 {
			t.Errorf("%d notifications were queued", n)
		}
	})
}

func TestErrorDelSDK(t *testing.T) {
	burbuja(t, transporte.Config{}, func(t *testing.T, b *banco) {
		b.leer()
		b.enviar(inicio, llamada(1), llamada(2))
		for i, err := range []error{errors.New("a\nb"), &jsonrpc.Error{Code: -32602, Message: "malo", Data: json.RawMessage(`{"a":1}`)}, &jsonrpc.Error{Code: 0, Message: "cero"}} {
			_ = b.carril.Write(context.Background(), &jsonrpc.Response{ID: b.pedidos()[i].ID, Error: err})
			synctest.Wait()
		}
		want := []string{
			`{"jsonrpc":"2.0","id":0,"error":{"code":-32603,"message":"error interno: a\\u000ab"}}`,
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"malo","data":{"a":1}}}`,
			`{"jsonrpc":"2.0","id":2,"error":{"code":-32603,"message":"error interno: cero"}}`,
		}
		if d := cmp.Diff(want, b.salidas()); d != "" {
			t.Error(d)
		}
		if n := strings.Count(b.log.String(), "level=ERROR"); n != 3 {
			t.Errorf("%d errors logged, want 3", n)
		}
		// What answers nobody is dropped.
		aviso := &jsonrpc.Request{Method: "notifications/tools/list_changed"}
		texto, _ := jsonrpc.MakeID("x")
		for _, m := range []jsonrpc.Message{aviso, &jsonrpc.Response{ID: texto, Result: json.RawMessage(`{}`)}, &jsonrpc.Response{ID: b.pedidos()[0].ID, Result: json.RawMessage(`{}`)}} {
			if err := b.carril.Write(context.Background(), m); err != nil {
				t.Error(err)
			}
		}
		if n := len(b.salidas()); n != 3 {
			t.Errorf("%d lines, want 3", n)
		}
	})
}
