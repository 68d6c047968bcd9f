package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
	"github.com/oracle-mcp/oracle-mcp/host"
)

// programa runs the program in a process of its own and returns its output and
// exit code.
func programa(t *testing.T, entrada string, args ...string) (string, int) {
	t.Helper()
	yo, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var salida, errores bytes.Buffer
	cmd := exec.Cmd{Path: yo, Args: append([]string{"oracle-mcp"}, args...), Stdin: strings.NewReader(entrada), Stdout: &salida, Stderr: &errores}
	err = cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); err != nil && !ok {
		t.Fatal(err)
	}
	if errores.Len() > 0 {
		t.Errorf("%v wrote on stderr: %s", args, errores.String())
	}
	return salida.String(), cmd.ProcessState.ExitCode()
}

// pregunta is one question that can be asked in three ways.
type pregunta struct {
	herramienta string
	argumentos  string   // of tools/call
	orden       []string // of the command line, without --json
	entrada     string   // its standard input
	api         func(p *host.Proyecto) (interface{ AppendJSON([]byte) []byte }, error)
}

// ids writes a list of ids as a member of the arguments.
func ids(lista []string) string {
	if len(lista) == 0 {
		return ""
	}
	b, err := json.Marshal(lista)
	if err != nil {
		panic(err)
	}
	return `"ids":` + string(b)
}

func deJuzgar(evidencia string, lista ...string) pregunta {
	args := `{"evidencia":` + evidencia
	if len(lista) > 0 {
		args += "," + ids(lista)
	}
	return pregunta{"oracle_juzgar", args + "}", append([]string{"juzgar", "--con", "-"}, lista...), evidencia,
		func(p *host.Proyecto) (interface{ AppendJSON([]byte) []byte }, error) {
			return p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: evidencia, IDs: lista})
		}}
}

func deCatalogo(lista ...string) pregunta {
	return pregunta{"oracle_catalogo_efectivo", "{" + ids(lista) + "}", append([]string{"catalogo"}, lista...), "",
		func(p *host.Proyecto) (interface{ AppendJSON([]byte) []byte }, error) {
			return p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: lista})
		}}
}

// sinClaves takes the key out of each relation of a file's evidence: by MCP there
// are only rows.
func sinClaves(t *testing.T, texto []byte) string {
	t.Helper()
	var relaciones map[string][]json.RawMessage
	if err := json.Unmarshal(texto, &relaciones); err != nil {
		t.Fatal(err)
	}
	for nombre, filas := range relaciones {
		if len(filas) > 0 && filas[0][0] == '[' {
			relaciones[nombre] = filas[1:]
		}
	}
	b, err := json.Marshal(relaciones)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// respuestas asks the server every question, one after the other, and returns
// what each answered: the object's bytes, or the text of the error.
func respuestas(t *testing.T, arranque []string, ps []pregunta) []string {
	t.Helper()
	const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	var entrada strings.Builder
	for i, p := range ps {
		argumentos := new(bytes.Buffer) // a message is one line
		if err := json.Compact(argumentos, []byte(p.argumentos)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&entrada, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s,%s}}`+"\n", i, p.herramienta, argumentos, meta)
	}
	salida, codigo := programa(t, entrada.String(), arranque...)
	if codigo != 0 {
		t.Errorf("the server ended with %d", codigo)
	}
	rs := make([]string, len(ps))
	for linea := range strings.Lines(salida) {
		var r struct {
			ID     int
			Result struct {
				Content           []struct{ Text string }
				StructuredContent json.RawMessage
				IsError           bool
			}
		}
		if err := json.Unmarshal([]byte(linea), &r); err != nil || len(r.Result.Content) != 1 {
			t.Fatalf("%v: %s", err, linea)
		}
		texto := r.Result.Content[0].Text
		if !r.Result.IsError && texto != string(r.Result.StructuredContent) {
			t.Errorf("the text is not the object: %s", linea)
		}
		rs[r.ID] = texto
	}
	return rs
}

// TestTresCaminos: the server, the command line and the library give the same
// object byte for byte, or the same error.
func TestTresCaminos(t *testing.T) {
	raiz := filepath.Join(casa.Raiz(t), "fixtures")
	type proyecto struct {
		ruta, perfiles, bibliotecas string
		preguntas                   []pregunta
	}
	fuentes := filepath.Join(raiz, "fuentes")
	const expediente = `{"expediente":[{"caratula":"Pérez c/ Gómez","dias_de_atraso":31,"hojas_sueltas":0,"folios":10},{"caratula":"","dias_de_atraso":-0.5,"hojas_sueltas":1e2,"folios":12345678901234567890}]}`
	proyectos := []proyecto{{
		filepath.Join(fuentes, "proyecto"), filepath.Join(fuentes, "perfiles"), filepath.Join(fuentes, "bibliotecas"),
		[]pregunta{
			deCatalogo(), deCatalogo("plazos.sin_feria", "expedientes.foliado"), deCatalogo("plazos.feria_del_estudio"), deCatalogo("plazos.ninguna"),
			deJuzgar(expediente), deJuzgar(expediente, "plazos.sin_feria", "expedientes.foliado"), deJuzgar(`{}`), deJuzgar(`{}`, "expedientes.foliado"),
			deJuzgar(`{"expediente":[{"folios":null}]}`), deJuzgar(`{"expediente":[{"folios":"x","dias_de_atraso":0}]}`), deJuzgar(expediente, "expedientes.foliado_del_estudio"),
		},
	}}
	for _, nombre := range []string{"tienda", "museo", "servicios"} {
		p := proyecto{ruta: filepath.Join(raiz, "proyectos", nombre), preguntas: []pregunta{deCatalogo()}}
		evidencias, err := filepath.Glob(filepath.Join(p.ruta, "evidencia", "*.json"))
		if err != nil || len(evidencias) == 0 {
			t.Fatalf("%s has no evidence: %v", nombre, err)
		}
		for _, e := range evidencias {
			texto, err := os.ReadFile(e)
			if err != nil {
				t.Fatal(err)
			}
			p.preguntas = append(p.preguntas, deJuzgar(sinClaves(t, texto)))
		}
		proyectos = append(proyectos, p)
	}
	for _, x := range proyectos {
		t.Run(filepath.Base(x.ruta), func(t *testing.T) {
			op := host.Opciones{Version: version}
			arranque := []string{"--proyecto", x.ruta}
			if x.perfiles != "" {
				op.RaicesPerfiles, op.RaicesBibliotecas = []string{x.perfiles}, []string{x.bibliotecas}
				arranque = append(arranque, "--raiz-perfiles", x.perfiles, "--raiz-bibliotecas", x.bibliotecas)
			}
			p, err := host.Abrir(x.ruta, op)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			for i, cable := range respuestas(t, arranque, x.preguntas) {
				q := x.preguntas[i]
				var biblioteca, orden string
				codigo := salidaBien
				r, err := q.api(p)
				var e *host.Error
				switch {
				case errors.As(err, &e):
					biblioteca, codigo = e.Error(), salidaError
					orden = string(append(algebra.AppendTexto(append(algebra.AppendTexto([]byte(`{"codigo":`), e.Codigo()), `,"mensaje":`...), strings.TrimPrefix(e.Error(), e.Codigo()+" — ")), '}'))
				case err != nil:
					t.Fatal(err)
				default:
					biblioteca = string(r.AppendJSON(nil))
					orden = biblioteca
					if j, ok := r.(*host.Juzgado); ok && !j.OK {
						codigo = salidaMal
					}
				}
				if d := cmp.Diff(biblioteca, cable); d != "" {
					t.Errorf("%v: library and server (-library +server):\n%s", q.orden, d)
				}
				got, gotCodigo := programa(t, q.entrada, append(append(append([]string{}, q.orden...), arranque...), "--json")...)
				if d := cmp.Diff(orden+"\n", got); d != "" || gotCodigo != codigo {
					t.Errorf("%v: exit %d, want %d; library and command line (-library +command):\n%s", q.orden, gotCodigo, codigo, d)
				}
			}
		})
	}
}
