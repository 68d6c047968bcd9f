package contrato_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// The contract's file, byte for byte.
func TestDefinicionesSonLasDelContrato(t *testing.T) {
	const suma = "2f6ec5b0dafa46438841b65bbc1323e9cf33caaa8657ed2cccdc7cc69b9c718a"
	if got := fmt.Sprintf("%x", sha256.Sum256(contrato.Definiciones())); got != suma {
		t.Errorf("herramientas.json changed: sha256 %s", got)
	}
	var ds []struct{ Name string }
	if err := json.Unmarshal(contrato.Definiciones(), &ds); err != nil {
		t.Fatal(err)
	}
	var nombres []string
	for _, d := range ds {
		nombres = append(nombres, d.Name)
	}
	want := []string{contrato.CatalogoEfectivo, contrato.Evaluar, contrato.Desafiar, contrato.Juzgar, contrato.Tareas}
	if d := cmp.Diff(want, nombres); d != "" {
		t.Error(d)
	}
}

func TestLeer(t *testing.T) {
	texto := func(s string) *string { return &s }
	crudo := func(s string) json.RawMessage { return json.RawMessage(s) }
	for _, c := range []struct {
		args string
		leer func(json.RawMessage) (any, error)
		want any
	}{
		{`{}`, como(contrato.LeerCatalogo), contrato.ArgumentosDeCatalogo{}},
		{`{"ids":["b.b","a.a"]}`, como(contrato.LeerCatalogo), contrato.ArgumentosDeCatalogo{IDs: []string{"b.b", "a.a"}}},
		{`{"evidencia": {"r" : [ ]} ,"medida":{"id":"a.b"}}`, como(contrato.LeerEvaluar),
			contrato.ArgumentosDeEvaluar{Medida: contrato.Medida{ID: "a.b"}, Evidencia: crudo(`{"r" : [ ]}`)}},
		{`{"evidencia":null,"medida":{"formato":"oracle","texto":""}}`, como(contrato.LeerEvaluar),
			contrato.ArgumentosDeEvaluar{Medida: contrato.Medida{PorTexto: true}, Evidencia: crudo(`null`)}},
		{`{"evidencia":5,"medida":{"formato":"oracle","texto":"á\n"}}`, como(contrato.LeerEvaluar),
			contrato.ArgumentosDeEvaluar{Medida: contrato.Medida{PorTexto: true, Texto: "á\n"}, Evidencia: crudo(`5`)}},
		{`{"medida":{"id":"a.b"}}`, como(contrato.LeerDesafiar),
			contrato.ArgumentosDeDesafiar{Medida: contrato.Medida{ID: "a.b"}, UsarEvidenciaDeProyecto: true}},
		{`{"medida":{"id":"a.b"},"usar_evidencia_del_proyecto":false,"casos":[{"id":"x","espera":"sin_evidencia","evidencia":[]},{"id":"x","espera":"rojo","evidencia":{}}]}`, como(contrato.LeerDesafiar),
			contrato.ArgumentosDeDesafiar{Medida: contrato.Medida{ID: "a.b"}, Casos: []contrato.Caso{
				{ID: "x", Espera: "sin_evidencia", Evidencia: crudo(`[]`)}, {ID: "x", Espera: "rojo", Evidencia: crudo(`{}`)}}}},
		{`{"medida":{"id":"a.b"},"usar_evidencia_del_proyecto":true,"casos":[]}`, como(contrato.LeerDesafiar),
			contrato.ArgumentosDeDesafiar{Medida: contrato.Medida{ID: "a.b"}, UsarEvidenciaDeProyecto: true, Casos: []contrato.Caso{}}},
		{`{"evidencia":{"r":[{"a":"\ud800"}]},"ids":["a.b"]}`, como(contrato.LeerJuzgar),
			contrato.ArgumentosDeJuzgar{Evidencia: crudo(`{"r":[{"a":"\ud800"}]}`), IDs: []string{"a.b"}}},
		{`{"evidencia":{}}`, como(contrato.LeerJuzgar), contrato.ArgumentosDeJuzgar{Evidencia: crudo(`{}`)}},
		{`{"accion":"listar","estado":"CERRADA","etiqueta":"e"}`, como(contrato.LeerTareas),
			contrato.ArgumentosDeTareas{Accion: "listar", Estado: texto("CERRADA"), Etiqueta: texto("e")}},
		{`{"accion":"ver","id":"20260101-000000-x_Y"}`, como(contrato.LeerTareas),
			contrato.ArgumentosDeTareas{Accion: "ver", ID: texto("20260101-000000-x_Y")}},
		{`{"accion":"buscar","texto":"a"}`, como(contrato.LeerTareas), contrato.ArgumentosDeTareas{Accion: "buscar", Texto: texto("a")}},
		{`{"accion":"hechos","git":true}`, como(contrato.LeerTareas), contrato.ArgumentosDeTareas{Accion: "hechos", Git: true}},
	} {
		got, err := c.leer(crudo(c.args))
		if err != nil {
			t.Errorf("%s: %v", c.args, err)
			continue
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.args, d)
		}
	}
}

func como[T any](f func(json.RawMessage) (T, error)) func(json.RawMessage) (any, error) {
	return func(args json.RawMessage) (any, error) { return f(args) }
}

// What an action needs is not in the schema, and is asked for all the same.
func TestLeerTareasPideLoDeCadaAccion(t *testing.T) {
	for args, want := range map[string]string{
		`{"accion":"ver"}`:                "ARGUMENTOS_INVALIDOS — $.id: ausente; se esperaba el id de una tarea, o un prefijo o sufijo suyo.",
		`{"accion":"ver","id":""}`:        `ARGUMENTOS_INVALIDOS — $.id: ""; se esperaba letras sin tilde, dígitos, guiones y guiones bajos.`,
		`{"accion":"ver","id":"../x"}`:    `ARGUMENTOS_INVALIDOS — $.id: "../x"; se esperaba letras sin tilde, dígitos, guiones y guiones bajos.`,
		`{"accion":"ver","id":"a\n"}`:     `ARGUMENTOS_INVALIDOS — $.id: "a\n"; se esperaba letras sin tilde, dígitos, guiones y guiones bajos.`,
		`{"accion":"ver","id":"-a"}`:      `ARGUMENTOS_INVALIDOS — $.id: "-a"; se esperaba letras sin tilde, dígitos, guiones y guiones bajos.`,
		`{"accion":"buscar"}`:             "ARGUMENTOS_INVALIDOS — $.texto: ausente; se esperaba el texto a buscar.",
		`{"accion":"buscar","id":"a"}`:    "ARGUMENTOS_INVALIDOS — $.texto: ausente; se esperaba el texto a buscar.",
		`{"accion":"ver","texto":"a"}`:    "ARGUMENTOS_INVALIDOS — $.id: ausente; se esperaba el id de una tarea, o un prefijo o sufijo suyo.",
		`{"accion":"abrir","texto":"a"}`:  `ARGUMENTOS_INVALIDOS — $.accion: "abrir"; se esperaba uno de listar, ver, buscar, hechos.`,
		`{"accion":"ver","id":"a","x":1}`: `ARGUMENTOS_INVALIDOS — $.x: 1; se esperaba que no estuviera.`,
	} {
		_, err := contrato.LeerTareas(json.RawMessage(args))
		inv, ok := errors.AsType[*contrato.Invalido](err)
		if !ok {
			t.Errorf("%s: %v", args, err)
			continue
		}
		linea, resto, _ := strings.Cut(inv.Error(), "\n")
		if linea != want {
			t.Errorf("%s:\n got %s\nwant %s", args, linea, want)
		}
		if strings.Count(resto, "\n") != 1 {
			t.Errorf("%s: the text is not three lines: %q", args, inv.Error())
		}
	}
}

// What is missing is told with the form it must have.
func TestLoQueFaltaDiceSuForma(t *testing.T) {
	for _, c := range []struct{ herramienta, args, want string }{
		{contrato.Evaluar, `{"evidencia":{}}`, `$.medida: ausente; se esperaba {"id": …} o {"texto": …, "formato": "oracle"}.`},
		{contrato.Evaluar, `{"medida":{"formato":"oracle"},"evidencia":{}}`, `$.medida.texto: ausente; se esperaba el texto de una medida.`},
		{contrato.Evaluar, `{"medida":{"texto":""},"evidencia":{}}`, `$.medida.formato: ausente; se esperaba oracle.`},
		{contrato.Desafiar, `{"medida":{"id":"a.b"},"casos":[{"espera":"rojo","evidencia":{}}]}`, `$.casos[0].id: ausente; se esperaba un texto no vacío.`},
		{contrato.Desafiar, `{"medida":{"id":"a.b"},"casos":[{"id":"x","evidencia":{}}]}`, `$.casos[0].espera: ausente; se esperaba uno de verde, rojo, sin_evidencia.`},
		{contrato.Desafiar, `{"medida":{"id":"a.b"},"casos":[{"id":"x","espera":"rojo"}]}`, `$.casos[0].evidencia: ausente; se esperaba un objeto de relaciones, cada una una lista de filas.`},
		{contrato.Juzgar, `{}`, `$.evidencia: ausente; se esperaba un objeto de relaciones, cada una una lista de filas.`},
		{contrato.Tareas, `{}`, `$.accion: ausente; se esperaba uno de listar, ver, buscar, hechos.`},
	} {
		err := contrato.Validar(c.herramienta, json.RawMessage(c.args))
		linea, resto, _ := strings.Cut(fmt.Sprint(err), "\n")
		if linea != "ARGUMENTOS_INVALIDOS — "+c.want || !strings.HasSuffix(resto, "corrección: agregá la propiedad, que es obligatoria.") {
			t.Errorf("%s %s:\n%v", c.herramienta, c.args, err)
		}
	}
}

// A message about a huge or strange argument stays short and on its lines.
func TestInvalidoQuedaCorto(t *testing.T) {
	largo := strings.Repeat("x", 1<<20)
	for _, args := range []string{
		`{"` + largo + `":1}`,
		`{"ids":"` + largo + `"}`,
		`{"ids":["` + largo + `"]}`,
		`{"a\nb\u0000":{"x":"y\n"}}`,
		`{"\ud800":1}`,
		`[` + strings.Repeat(`1,`, 10000) + `1]`,
	} {
		err := contrato.Validar(contrato.CatalogoEfectivo, json.RawMessage(args))
		if err == nil || len(err.Error()) > 4<<10 || strings.Count(err.Error(), "\n") != 2 {
			t.Errorf("%.40s: %v", args, err)
		}
	}
}

func ExampleValidar() {
	err := contrato.Validar(contrato.Evaluar, json.RawMessage(`{"medida": {"id": "Cuentas"}, "evidencia": {}}`))
	fmt.Println(err)
	// Output:
	// ARGUMENTOS_INVALIDOS — $.medida.id: "Cuentas"; se esperaba un id de medida, como dominio.nombre.
	// campo: $.medida.id
	// corrección: usá minúsculas, dígitos y guiones bajos, en dos partes o más separadas por puntos.
}

// FuzzValidar holds that no arguments make the checks panic or talk too much.
func FuzzValidar(f *testing.F) {
	for _, s := range []string{`{}`, `{"ids":["a.b"]}`, `{"medida":{"id":"a.b"},"evidencia":{}}`, `{"accion":"ver"}`, `{"medida":{"texto":"x","formato":"oracle"},"casos":[{"id":"x","espera":"rojo","evidencia":{}}]}`, `[`, `{"a`, "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, args string) {
		for _, h := range []string{contrato.CatalogoEfectivo, contrato.Evaluar, contrato.Desafiar, contrato.Juzgar, contrato.Tareas} {
			err := contrato.Validar(h, json.RawMessage(args))
			if err == nil {
				continue
			}
			if _, ok := errors.AsType[*contrato.Invalido](err); !ok || len(err.Error()) > 4<<10 || strings.Count(err.Error(), "\n") != 2 {
				t.Errorf("%s: %q", h, err)
			}
		}
	})
}
