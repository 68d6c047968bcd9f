// Package navegador_test uses the page of a verification in a real browser, at
// the width of a phone and of a desk, in light and in dark, with the keyboard.
// It needs Chromium, and fails without it. With -capturas it also leaves the
// screenshots of docs/verificar/.
package navegador_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/oracle-mcp/oracle-mcp/cmd/oracle-mcp/pagina"
	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
	"github.com/oracle-mcp/oracle-mcp/host"
)

var capturas = flag.Bool("capturas", false, "leave the screenshots in docs/verificar/")

// escribir leaves the page of a project in a file and returns its URL. Where
// the project was is not shown.
func escribir(t *testing.T, proyecto string, base bool) string {
	t.Helper()
	if base {
		copia := filepath.Join(t.TempDir(), filepath.Base(proyecto))
		if err := os.CopyFS(copia, os.DirFS(proyecto)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copia, "oracle.json"), []byte(`{"esquema":"oracle.proyecto/v1","catalogo_base":true}`), 0o600); err != nil {
			t.Fatal(err)
		}
		proyecto = copia
	}
	p, err := host.Abrir(proyecto, host.Opciones{Version: "0.1.0"})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	r, err := p.Verificar(context.Background(), host.PedidoVerificar{})
	if err != nil {
		t.Fatal(err)
	}
	r.Proyecto = "/proyectos/" + filepath.Base(proyecto)
	ruta := filepath.Join(t.TempDir(), "informe.html")
	f, err := os.Create(ruta)
	if err != nil {
		t.Fatal(err)
	}
	if err := pagina.Escribir(f, r); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	return "file://" + ruta
}

// navegador starts a browser that fails the test on any complaint of the page
// and on any request that is not the page itself.
func navegador(t *testing.T) context.Context {
	t.Helper()
	op := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU)
	ctx, cerrar := chromedp.NewExecAllocator(context.Background(), op...)
	t.Cleanup(cerrar)
	ctx, cerrar = chromedp.NewContext(ctx)
	t.Cleanup(cerrar)
	ctx, cerrar = context.WithTimeout(ctx, 2*time.Minute)
	t.Cleanup(cerrar)
	if err := chromedp.Listen(ctx, func(ev any) {
		switch ev := ev.(type) {
		case *runtime.EventExceptionThrown:
			t.Errorf("the script threw: %s", ev.ExceptionDetails.Text)
		case *log.EventEntryAdded:
			t.Errorf("the browser complains: %s", ev.Entry.Text)
		case *network.EventRequestWillBeSent:
			if !strings.HasPrefix(ev.Request.URL, "file://") {
				t.Errorf("it asks for %s", ev.Request.URL)
			}
		}
	}); err != nil {
		t.Fatal(err)
	}
	return ctx
}

func correr(t *testing.T, ctx context.Context, acciones ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(ctx, acciones...); err != nil {
		t.Fatal(err)
	}
}

// prefiere makes the browser prefer light or dark.
func prefiere(t *testing.T, ctx context.Context, tema string) {
	t.Helper()
	if _, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: tema}},
	}); err != nil {
		t.Fatal(err)
	}
}

// evaluar returns what an expression of the page is worth.
func evaluar[T any](t *testing.T, ctx context.Context, expr string) T {
	t.Helper()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](expr))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// soltar leaves nothing with the focus.
func soltar(t *testing.T, ctx context.Context) {
	t.Helper()
	evaluar[bool](t, ctx, `(document.activeElement.blur(), true)`)
}

const visibles = `Array.from(document.querySelectorAll("details.medida")).filter(m => m.getClientRects().length > 0).map(m => m.id.slice(2))`

func malo(t *testing.T) string { return filepath.Join("..", "testdata", "proyecto") }

func TestControles(t *testing.T) {
	ctx := navegador(t)
	correr(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(escribir(t, malo(t), false)), chromedp.WaitVisible(chromedp.CSS("#controles")))
	esperar := func(que string, quiere ...string) {
		t.Helper()
		if got := evaluar[[]string](t, ctx, visibles); !slices.Equal(got, quiere) {
			t.Errorf("%s shows %q, want %q", que, got, quiere)
		}
	}
	abiertas := func() int {
		return evaluar[int](t, ctx, `document.querySelectorAll("details.medida[open]:not([hidden])").length`)
	}
	todas := []string{"a.discorda", "a.libre", "a.polo", "a.sola", "a.bien"}
	esperar("the page", todas...)
	if n := abiertas(); n != 4 {
		t.Errorf("%d measures come open: those out of order are four", n)
	}
	correr(t, ctx, chromedp.Click(chromedp.CSS(`input[value="libres"]`)))
	esperar("with something free", "a.libre")
	if s := evaluar[string](t, ctx, `document.getElementById("cuenta").textContent`); s != "1 de 5 medidas" {
		t.Errorf("it counts %q", s)
	}
	// By keyboard within the group of options.
	correr(t, ctx, chromedp.SendKeys(chromedp.CSS(`input[value="libres"]`), kb.ArrowLeft))
	esperar("out of order", todas[:4]...)
	correr(t, ctx, chromedp.SendKeys(chromedp.CSS(`input[value="mal"]`), kb.ArrowLeft))
	esperar("all", todas...)

	correr(t, ctx, chromedp.Click(chromedp.CSS("#cerrar")))
	if n := abiertas(); n != 0 {
		t.Errorf("%d are open after closing all", n)
	}
	correr(t, ctx, chromedp.Click(chromedp.CSS("#abrir")))
	if n := abiertas(); n != 5 {
		t.Errorf("%d are open after opening all", n)
	}

	// Searching, from the keyboard and by the name of a case.
	soltar(t, ctx)
	correr(t, ctx, chromedp.KeyEvent("/"), chromedp.KeyEvent("D-2"))
	if v := evaluar[string](t, ctx, `document.activeElement.id + " " + document.activeElement.value`); v != "busca D-2" {
		t.Errorf("it searches %q", v)
	}
	esperar("the name of a case", "a.discorda")
	correr(t, ctx, chromedp.KeyEvent("zzz"))
	esperar("a name nobody has")
	if !evaluar[bool](t, ctx, `document.getElementById("nada").getClientRects().length > 0`) {
		t.Error("it does not say that nothing matches")
	}
	correr(t, ctx, chromedp.KeyEvent(kb.Escape))
	esperar("Escape", todas...)

	// Going over the measures and opening one.
	foco := func() string {
		return evaluar[string](t, ctx, `(document.activeElement.closest("details.medida") || {id: "m-"}).id.slice(2)`)
	}
	correr(t, ctx, chromedp.Click(chromedp.CSS("#cerrar")))
	soltar(t, ctx)
	correr(t, ctx, chromedp.KeyEvent("j"))
	if f := foco(); f != "a.discorda" {
		t.Errorf("j goes to %q", f)
	}
	correr(t, ctx, chromedp.KeyEvent("j"), chromedp.KeyEvent("j"), chromedp.KeyEvent("k"))
	if f := foco(); f != "a.libre" {
		t.Errorf("j j k goes to %q", f)
	}
	correr(t, ctx, chromedp.KeyEvent(kb.Enter))
	if !evaluar[bool](t, ctx, `document.getElementById("m-a.libre").open`) || abiertas() != 1 {
		t.Error("Enter does not open it")
	}
	// Tab goes on inside; what is closed is not in the way.
	correr(t, ctx, chromedp.KeyEvent(kb.Tab))
	if s := evaluar[string](t, ctx, `document.activeElement.className`); s != "texto" {
		t.Errorf("Tab goes to %q", s)
	}
}

// TestTeclado: the first Tab jumps to the content, and every control can be reached and seen.
func TestTeclado(t *testing.T) {
	ctx := navegador(t)
	correr(t, ctx, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(escribir(t, malo(t), false)), chromedp.WaitVisible(chromedp.CSS("#controles")))
	var orden []string
	for range 7 {
		correr(t, ctx, chromedp.KeyEvent(kb.Tab))
		orden = append(orden, evaluar[string](t, ctx, `(e => e.id || e.value || e.className)(document.activeElement)`))
		if s := evaluar[string](t, ctx, `getComputedStyle(document.activeElement).outlineStyle`); s == "none" {
			t.Errorf("the focus on %s is not seen", orden[len(orden)-1])
		}
	}
	if got := strings.Join(orden, " "); !strings.HasPrefix(got, "salto busca todas abrir cerrar tema") {
		t.Errorf("Tab goes over %s", got)
	}
}

func TestTema(t *testing.T) {
	ctx := navegador(t)
	url := escribir(t, malo(t), false)
	fondo := func() string { return evaluar[string](t, ctx, `getComputedStyle(document.body).backgroundColor`) }
	const claro, oscuro = "rgb(255, 255, 255)", "rgb(13, 17, 23)"
	for _, c := range []struct{ sistema, fondo string }{{"light", claro}, {"dark", oscuro}} {
		prefiere(t, ctx, c.sistema)
		correr(t, ctx, chromedp.Navigate(url), chromedp.WaitVisible(chromedp.CSS("#controles")))
		if f := fondo(); f != c.fondo {
			t.Errorf("%s is %s", c.sistema, f)
		}
		for _, x := range []struct{ tema, fondo string }{{"claro", claro}, {"oscuro", oscuro}, {"", c.fondo}} {
			evaluar[bool](t, ctx, fmt.Sprintf(`(e => { e.value = %q; return e.dispatchEvent(new Event("change")); })(document.getElementById("tema"))`, x.tema))
			if f := fondo(); f != x.fondo {
				t.Errorf("over %s, the theme %q is %s", c.sistema, x.tema, f)
			}
		}
		if bajos := evaluar[[]string](t, ctx, contraste); len(bajos) > 0 {
			t.Errorf("%s: not enough contrast in %q", c.sistema, bajos)
		}
	}
}

// contraste lists the texts whose contrast with what is behind is under 4.5 to 1.
const contraste = `(() => {
  const luz = c => { const [r, g, b] = c.match(/[\d.]+/g).map(Number).map(v => (v /= 255) <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4); return .2126 * r + .7152 * g + .0722 * b; };
  const fondo = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor; if (c !== "rgba(0, 0, 0, 0)") return c; } return "rgb(255, 255, 255)"; };
  document.querySelectorAll("details").forEach(d => d.open = true);
  const malos = new Set();
  for (const e of document.querySelectorAll("body *")) {
    if (!Array.from(e.childNodes).some(n => n.nodeType === 3 && n.textContent.trim()) || !e.getClientRects().length || ["SCRIPT", "OPTION"].includes(e.tagName)) continue;
    const a = luz(getComputedStyle(e).color), b = luz(fondo(e));
    if ((Math.max(a, b) + .05) / (Math.min(a, b) + .05) < 4.5) malos.add(e.tagName + "." + e.className + ": " + e.textContent.trim().slice(0, 30));
  }
  return Array.from(malos);
})()`

// TestTelefono: at the width of a phone nothing is cut nor moves sideways, and
// what is touched is big enough to be.
func TestTelefono(t *testing.T) {
	ctx := navegador(t)
	for _, ancho := range []int64{320, 390} {
		correr(t, ctx, chromedp.EmulateViewport(ancho, 844, chromedp.EmulateMobile), chromedp.Navigate(escribir(t, malo(t), true)), chromedp.WaitVisible(chromedp.CSS("#controles")))
		evaluar[bool](t, ctx, `(document.querySelectorAll("details").forEach(d => d.open = true), true)`)
		if n := evaluar[int64](t, ctx, `document.documentElement.scrollWidth`); n > ancho {
			t.Errorf("at %d the page is %d wide", ancho, n)
		}
		chicos := evaluar[[]string](t, ctx, `Array.from(document.querySelectorAll("summary, button, select, input[type=search], label:has(input[type=radio])")).filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height < 24; }).map(e => e.textContent)`)
		if len(chicos) > 0 {
			t.Errorf("at %d these are too small to touch: %q", ancho, chicos)
		}
		// Of the lines both have, one is shown; of those that differ, both, one
		// below the other.
		lados := evaluar[[]int](t, ctx, `(() => { const f = document.querySelector(".mutante"); const ve = e => e.getClientRects().length > 0;
			const distinta = f.querySelector(".lado:not(.igual):not(.titulos)").children;
			return [Array.from(f.querySelectorAll(".igual .der")).filter(ve).length, Array.from(distinta).filter(ve).length, distinta[1].getBoundingClientRect().top >= distinta[0].getBoundingClientRect().bottom ? 1 : 0]; })()`)
		if !slices.Equal(lados, []int{0, 2, 1}) {
			t.Errorf("at %d the differences show %v", ancho, lados)
		}
	}
}

// TestSinScripts: without scripts there are no controls, and everything can
// still be opened.
func TestSinScripts(t *testing.T) {
	ctx := navegador(t)
	if _, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		t.Fatal(err)
	}
	correr(t, ctx, chromedp.Navigate(escribir(t, malo(t), false)), chromedp.WaitReady(chromedp.CSS("footer")))
	controles, err := chromedp.Run(ctx, chromedp.AttributesAll(chromedp.CSSAll("#controles[hidden]")))
	if err != nil {
		t.Fatal(err)
	}
	medidas, err := chromedp.Run(ctx, chromedp.AttributesAll(chromedp.CSSAll("details.medida")))
	if err != nil {
		t.Fatal(err)
	}
	if len(controles) != 1 || len(medidas) != 5 {
		t.Errorf("%d, %d", len(controles), len(medidas))
	}
}

func TestCapturas(t *testing.T) {
	if !*capturas {
		return
	}
	dir := filepath.Join(casa.Raiz(t), "docs", "verificar")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	ctx := navegador(t)
	tienda := escribir(t, filepath.Join(casa.Raiz(t), "fixtures", "proyectos", "tienda"), false)
	mal := escribir(t, malo(t), true)
	for nombre, url := range map[string]string{"libres": mal, "fuera-de-regla": mal, "en-regla": tienda} {
		for _, v := range []struct {
			nombre      string
			ancho, alto int64
			op          []chromedp.EmulateViewportOption
		}{{"telefono", 390, 844, []chromedp.EmulateViewportOption{chromedp.EmulateMobile}}, {"escritorio", 1280, 900, nil}} {
			for _, tema := range []string{"light", "dark"} {
				prefiere(t, ctx, tema)
				correr(t, ctx, chromedp.EmulateViewport(v.ancho, v.alto, v.op...), chromedp.Navigate(url), chromedp.WaitVisible(chromedp.CSS("#controles")))
				if nombre == "libres" {
					evaluar[bool](t, ctx, `(document.querySelector('input[value="libres"]').click(), document.querySelector(".medida:not([hidden]) h3").scrollIntoView(), true)`)
				}
				png, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
				if err != nil {
					t.Fatal(err)
				}
				archivo := fmt.Sprintf("%s-%s-%s.png", nombre, v.nombre, map[string]string{"light": "claro", "dark": "oscuro"}[tema])
				if err := os.WriteFile(filepath.Join(dir, archivo), png, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
}
