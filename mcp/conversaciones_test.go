package mcp_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oracle-mcp/oracle-mcp/host/base"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the conversations expect with what the server says")

// The corpus: testdata/conversaciones/**/*.txtar. A file's comment is a line that
// says what the conversation fixes and then fields "name: value":
//
//	fija:      the row of transporte.md §3, or the item of the contract's list (required)
//	era:       heredada, moderna or ambas (required)
//	servidor:  oracle-mcp (by default: the built command) or prueba (prueba_test.go)
//	proyecto:  a directory of fixtures/proyectos, besides the proyecto/… sections
//	args:      more arguments for the command, ⟪proyecto⟫ standing for its root, or
//	           the calls at once for prueba
//	orden:     turnos (by default: each answer is awaited before the next line is
//	           sent) or junto (all at once; the answers are compared in any order)
//	salida:    sin orden, if answers may come in any order all the same
//	callan:    numbers of the input lines whose answer is not awaited: there is none,
//	           for they are cancelled, or it comes later
//	final:     sin salto, if the last line goes without its newline; abierta, if
//	           the input is left open for the server to end first
//	codigo:    the exit code, 0 by default
//	enlaces:   symbolic links of the project, name=target
//	huella:    the files huella_proyecto is made of, the embedded ones as oracle:/;
//	           the fingerprint they give is ⟪huella⟫ in salida
//
// The sections are entrada, salida, stderr (empty by default; "stderr contiene"
// lists fragments instead) and proyecto/… files. In entrada and in those files
// ⟪x×9⟫ repeats x; in entrada ⟪\xff⟫ is a Go escape. In salida and stderr, ⟪proyecto⟫ is the project's root
// and ⟪versión⟫ the server's.
type conversacion struct {
	ruta    string
	archivo *txtar.Archive
	campos  map[string]string
}

func conversaciones(t *testing.T) []conversacion {
	t.Helper()
	var cs []conversacion
	err := filepath.WalkDir("testdata/conversaciones", func(ruta string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(ruta) != ".txtar" {
			return err
		}
		a, err := txtar.ParseFile(ruta)
		if err != nil {
			return err
		}
		c := conversacion{ruta: ruta, archivo: a, campos: map[string]string{}}
		for linea := range strings.Lines(string(a.Comment)) {
			if k, v, ok := strings.Cut(strings.TrimSpace(linea), ": "); ok && !strings.Contains(k, " ") {
				c.campos[k] = strings.TrimSpace(v)
			}
		}
		cs = append(cs, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cs
}

func (c conversacion) seccion(nombre string) (string, bool) {
	for _, f := range c.archivo.Files {
		if f.Name == nombre {
			return string(f.Data), true
		}
	}
	return "", false
}

func (c *conversacion) poner(nombre, texto string) {
	if texto != "" && !strings.HasSuffix(texto, "\n") {
		texto += "\n"
	}
	for i, f := range c.archivo.Files {
		if f.Name == nombre {
			c.archivo.Files[i].Data = []byte(texto)
			return
		}
	}
	if texto != "" {
		c.archivo.Files = append(c.archivo.Files, txtar.File{Name: nombre, Data: []byte(texto)})
	}
}

// TestConversaciones runs the whole corpus against the command.
func TestConversaciones(t *testing.T) {
	cs := conversaciones(t)
	if len(cs) < 60 {
		t.Errorf("the corpus has %d conversations, want at least 60", len(cs))
	}
	for _, c := range cs {
		t.Run(strings.TrimSuffix(strings.TrimPrefix(c.ruta, "testdata/conversaciones/"), ".txtar"), func(t *testing.T) {
			t.Parallel()
			c.correr(t)
		})
	}
}

func (c *conversacion) correr(t *testing.T) {
	for _, k := range []string{"fija", "era"} {
		if c.campos[k] == "" {
			t.Errorf("%s: no field %q", c.ruta, k)
		}
	}
	raiz, err := filepath.EvalSymlinks(t.TempDir()) // the server shows where it really is
	if err != nil {
		t.Fatal(err)
	}
	proyecto := filepath.Join(raiz, "proyecto")
	c.tenderProyecto(t, proyecto)
	huella := c.huella(t, proyecto)
	antes := retrato(t, raiz)

	m := arrancar(t, c.orden(proyecto))
	lineas := c.entrada(t)
	if c.campos["orden"] == "junto" {
		m.escribir(strings.Join(lineas, ""))
	} else {
		for i, linea := range lineas {
			m.escribir(linea)
			if !strings.HasSuffix(linea, "\n") {
				break // not a line until the input ends
			}
			if e, ok := esperada(linea); ok && !slices.Contains(strings.Fields(c.campos["callan"]), strconv.Itoa(i+1)) {
				m.esperar(e)
			}
		}
	}
	if c.campos["final"] != "abierta" {
		m.cerrarEntrada()
	}
	codigo := m.terminar()

	if d := cmp.Diff(antes, retrato(t, raiz)); d != "" {
		t.Errorf("the tree changed (-before +after):\n%s", d)
	}
	if want, _ := strconv.Atoi(c.campos["codigo"]); codigo != want {
		t.Errorf("exit code %d, want %d", codigo, want)
	}
	revisarSalida(t, c.campos["servidor"] != "prueba", lineas, m.salida())
	c.comparar(t, c.generalizar(m.salida(), proyecto, huella), c.generalizar(m.errores(), proyecto, huella))
}

// orden is the command line that serves this conversation.
func (c *conversacion) orden(proyecto string) proceso {
	args := strings.Fields(strings.ReplaceAll(c.campos["args"], "⟪proyecto⟫", proyecto))
	if c.campos["servidor"] == "prueba" {
		return proceso{prueba: true, turnos: strings.Join(args, "")}
	}
	return proceso{args: append([]string{"--proyecto", proyecto}, args...)}
}

func (c *conversacion) tenderProyecto(t *testing.T, destino string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(destino, "catalogos"), 0o755); err != nil {
		t.Fatal(err)
	}
	if nombre := c.campos["proyecto"]; nombre != "" {
		if err := os.Remove(filepath.Join(destino, "catalogos")); err != nil {
			t.Fatal(err)
		}
		if err := os.CopyFS(destino, os.DirFS(filepath.Join("..", "fixtures", "proyectos", nombre))); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range c.archivo.Files {
		nombre, ok := strings.CutPrefix(f.Name, "proyecto/")
		if !ok {
			continue
		}
		ruta := filepath.Join(destino, nombre)
		if err := os.MkdirAll(filepath.Dir(ruta), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(ruta, []byte(repetir(t, string(f.Data))), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, e := range strings.Fields(c.campos["enlaces"]) {
		nombre, destinatario, _ := strings.Cut(e, "=")
		if err := os.Symlink(destinatario, filepath.Join(destino, nombre)); err != nil {
			t.Fatal(err)
		}
	}
}

// huella returns the fingerprint of the files the conversation says take part in
// it, "" if it names none (proyecto.md §7).
func (c *conversacion) huella(t *testing.T, proyecto string) string {
	t.Helper()
	nombrados := strings.Fields(c.campos["huella"])
	if len(nombrados) == 0 {
		return ""
	}
	archivos := map[string][]byte{}
	for _, n := range nombrados {
		if n == "oracle:/" {
			for _, a := range base.Catalogo() {
				archivos[a.Ruta] = a.Texto
			}
			continue
		}
		ruta := filepath.Join(proyecto, n)
		b, err := os.ReadFile(ruta)
		if err != nil {
			t.Fatal(err)
		}
		archivos[ruta] = b
	}
	suma := sha256.New()
	for _, ruta := range slices.Sorted(maps.Keys(archivos)) {
		fmt.Fprintf(suma, "%s\x00%s\x00", ruta, archivos[ruta])
	}
	return fmt.Sprintf("%x", suma.Sum(nil))
}

var (
	repeticion = regexp.MustCompile(`⟪([^⟪⟫]*)×(\d+)⟫`)
	escape     = regexp.MustCompile(`⟪(\\[^⟪⟫]*)⟫`)
)

// repetir expands ⟪x×9⟫.
func repetir(t *testing.T, texto string) string {
	t.Helper()
	return repeticion.ReplaceAllStringFunc(texto, func(s string) string {
		g := repeticion.FindStringSubmatch(s)
		n, err := strconv.Atoi(g[2])
		if err != nil {
			t.Fatal(err)
		}
		return strings.Repeat(g[1], n)
	})
}

// entrada returns the lines to send, newlines included.
func (c *conversacion) entrada(t *testing.T) []string {
	t.Helper()
	texto, ok := c.seccion("entrada")
	if !ok {
		t.Fatal("no entrada section")
	}
	texto = repetir(t, texto)
	texto = escape.ReplaceAllStringFunc(texto, func(s string) string {
		u, err := strconv.Unquote(`"` + escape.FindStringSubmatch(s)[1] + `"`)
		if err != nil {
			t.Fatal(err)
		}
		return u
	})
	if c.campos["final"] == "sin salto" {
		texto = strings.TrimSuffix(texto, "\n")
	}
	return slices.Collect(strings.Lines(texto))
}

// esperada returns the id, as written, of the answer a line is due; "null" when it
// has none to give back. It says false for a line that gets no answer.
func esperada(linea string) (string, bool) {
	if strings.TrimSpace(linea) == "" {
		return "", false
	}
	var o map[string]json.RawMessage
	if err := json.Unmarshal([]byte(linea), &o); err != nil || o == nil {
		return "null", true
	}
	_, conResultado := o["result"]
	_, conError := o["error"]
	if _, conMetodo := o["method"]; !conMetodo && (conResultado || conError) {
		return "", false
	}
	id, ok := o["id"]
	return string(id), ok
}

func (c *conversacion) generalizar(s, proyecto, huella string) string {
	s = strings.ReplaceAll(s, proyecto, "⟪proyecto⟫")
	if huella != "" {
		s = strings.ReplaceAll(s, huella, "⟪huella⟫")
	}
	if v := versionDelServidor(s); v != "" {
		s = strings.ReplaceAll(s, `"version":"`+v+`"`, `"version":"⟪versión⟫"`)
	}
	return versionDeOracle.ReplaceAllString(s, `${1}⟪versión⟫${2}`)
}

var (
	versionDeOracle = regexp.MustCompile(`(oracle_version\\?":\\?")[^"\\]+(\\?")`)
	identidad       = regexp.MustCompile(`"serverInfo":\{"name":"oracle-mcp","version":"([^"]+)"`)
	identidadMeta   = regexp.MustCompile(`/serverInfo":\{"name":"oracle-mcp","version":"([^"]+)"`)
)

func versionDelServidor(s string) string {
	for _, r := range []*regexp.Regexp{identidad, identidadMeta} {
		if g := r.FindStringSubmatch(s); g != nil {
			return g[1]
		}
	}
	return ""
}

func (c *conversacion) comparar(t *testing.T, salida, errores string) {
	t.Helper()
	sinOrden := c.campos["orden"] == "junto" || c.campos["salida"] == "sin orden"
	if sinOrden {
		salida = ordenar(salida)
	}
	fragmentos, porFragmentos := c.seccion("stderr contiene")
	if *update {
		c.poner("salida", salida)
		if !porFragmentos {
			c.poner("stderr", errores)
		}
		if err := os.WriteFile(c.ruta, txtar.Format(c.archivo), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, _ := c.seccion("salida")
	if sinOrden {
		want = ordenar(want)
	}
	if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(salida, "\n")); d != "" {
		t.Errorf("stdout (-want +got):\n%s", d)
	}
	if porFragmentos {
		for fragmento := range strings.Lines(fragmentos) {
			if !strings.Contains(errores, strings.TrimSuffix(fragmento, "\n")) {
				t.Errorf("stderr lacks %q:\n%s", fragmento, errores)
			}
		}
		return
	}
	wantErr, _ := c.seccion("stderr")
	if d := cmp.Diff(wantErr, errores); d != "" {
		t.Errorf("stderr (-want +got):\n%s", d)
	}
}

func ordenar(s string) string {
	lineas := slices.Sorted(strings.Lines(s))
	return strings.Join(lineas, "")
}

// retrato maps each entry under raiz to its mode, its times and a hash of its bytes.
func retrato(t *testing.T, raiz string) map[string]string {
	t.Helper()
	r := map[string]string{}
	err := filepath.WalkDir(raiz, func(ruta string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		suma := ""
		if info.Mode().IsRegular() {
			b, err := os.ReadFile(ruta)
			if err != nil {
				return err
			}
			suma = fmt.Sprintf("%x", sha256.Sum256(b))
		}
		r[ruta] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), info.Size(), suma)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lectorDeLineas hands over the complete lines of r, newline included, and then
// whatever came without one.
func lectorDeLineas(r io.Reader, entregar func(string)) {
	var pendiente []byte
	trozo := make([]byte, 64<<10)
	for {
		n, err := r.Read(trozo)
		pendiente = append(pendiente, trozo[:n]...)
		for {
			i := bytes.IndexByte(pendiente, '\n')
			if i < 0 {
				break
			}
			entregar(string(pendiente[:i+1]))
			pendiente = pendiente[i+1:]
		}
		if err != nil {
			if len(pendiente) > 0 {
				entregar(string(pendiente))
			}
			return
		}
	}
}
