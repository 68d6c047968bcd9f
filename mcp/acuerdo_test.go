package mcp_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
)

// roto is a value broken in one way, and the JSON path of the break.
type roto struct {
	valor any
	ruta  string
}

// muestras are values made from a schema: good ones, and each of them broken in
// every way the schema speaks of, one at a time.
type muestras struct {
	buenas []any
	rotas  []roto
}

func (m *muestras) romper(ruta string, vs ...any) {
	for _, v := range vs {
		m.rotas = append(m.rotas, roto{v, ruta})
	}
}

type nodo = map[string]any

var idsBuenos = []any{"a.b", "dominio.medida_2", "a.b.c_3"}

// generar makes samples for the schema s at ruta.
func generar(s nodo, defs nodo, ruta string) muestras {
	var m muestras
	switch {
	case s["$ref"] != nil:
		nombre := strings.TrimPrefix(s["$ref"].(string), "#/$defs/")
		return generar(defs[nombre].(nodo), defs, ruta)
	case s["oneOf"] != nil:
		return generarUnion(s["oneOf"].([]any), defs, ruta)
	case s["enum"] != nil:
		m.buenas = s["enum"].([]any)
		m.romper(ruta, "otra", "", 5.0, nil, []any{m.buenas[0]}, strings.ToLower(fmt.Sprint(m.buenas[0]))+" ")
	case s["const"] != nil:
		m.buenas = []any{s["const"]}
		m.romper(ruta, "otra", "", nil, 1.0)
	case s["type"] == "boolean":
		m.buenas = []any{true, false}
		m.romper(ruta, "true", 0.0, 1.0, nil, []any{}, nodo{})
	case s["type"] == "string" && s["pattern"] != nil:
		m.buenas = idsBuenos
		m.romper(ruta, "a", "", "A.b", "a.B", "a..b", ".a.b", "a.b.", "a.b\n", " a.b", "á.b", "a.1b", "1a.b", "_a.b", "a-b.c", 5.0, nil, true, []any{"a.b"})
	case s["type"] == "string":
		m.buenas = []any{"x", "á \"\n\u2028 😀", "true"}
		m.romper(ruta, 5.0, nil, true, []any{}, nodo{})
		if s["minLength"] != nil {
			m.romper(ruta, "")
		} else {
			m.buenas = append(m.buenas, "")
		}
	case s["type"] == "array":
		return generarLista(s, defs, ruta)
	case s["type"] == "object":
		return generarObjeto(s, defs, ruta)
	default:
		panic(fmt.Sprintf("no samples for the schema %v", s))
	}
	return m
}

func generarLista(s, defs nodo, ruta string) muestras {
	var m muestras
	item := generar(s["items"].(nodo), defs, ruta+"[0]")
	m.buenas = []any{[]any{item.buenas[0]}, slices.Clone(item.buenas)}
	m.romper(ruta, nil, nodo{}, "x", 1.0, item.buenas[0])
	if s["minItems"] != nil {
		m.romper(ruta, []any{})
	} else {
		m.buenas = append(m.buenas, []any{})
	}
	for _, r := range item.rotas {
		m.rotas = append(m.rotas, roto{[]any{r.valor}, r.ruta})
	}
	segundo := generar(s["items"].(nodo), defs, ruta+"[1]")
	m.rotas = append(m.rotas, roto{[]any{item.buenas[0], segundo.rotas[0].valor}, segundo.rotas[0].ruta})
	if s["uniqueItems"] == true {
		m.romper(ruta+"[1]", []any{item.buenas[0], item.buenas[0]})
		m.romper(ruta+"[2]", []any{item.buenas[0], item.buenas[1], item.buenas[0]})
	}
	return m
}

func generarObjeto(s, defs nodo, ruta string) muestras {
	var m muestras
	m.romper(ruta, nil, []any{}, "x", 1.0, false)
	props, _ := s["properties"].(nodo)
	entero, minimo := nodo{}, nodo{}
	partes := map[string]muestras{}
	for nombre, p := range props {
		partes[nombre] = generar(p.(nodo), defs, ruta+"."+nombre)
		entero[nombre] = partes[nombre].buenas[0]
	}
	obligatorias, _ := s["required"].([]any)
	for _, r := range obligatorias {
		minimo[r.(string)] = entero[r.(string)]
		falta := maps.Clone(entero)
		delete(falta, r.(string))
		m.romper(ruta+"."+r.(string), falta)
	}
	m.buenas = append(m.buenas, entero, minimo)
	for _, nombre := range slices.Sorted(maps.Keys(partes)) {
		for _, v := range partes[nombre].buenas {
			m.buenas = append(m.buenas, con(entero, nombre, v))
		}
		for _, r := range partes[nombre].rotas {
			m.rotas = append(m.rotas, roto{con(entero, nombre, r.valor), r.ruta})
		}
	}
	switch resto := s["additionalProperties"].(type) {
	case bool:
		m.romper(ruta+".de_mas", con(entero, "de_mas", 1.0))
		m.romper(ruta+`["de más"]`, con(minimo, "de más", nil))
	case nodo:
		r := generar(resto, defs, ruta+".r")
		for _, v := range r.buenas {
			m.buenas = append(m.buenas, nodo{"r": v, "otra": v})
		}
		for _, x := range r.rotas {
			m.rotas = append(m.rotas, roto{nodo{"r": x.valor}, x.ruta})
		}
	}
	return m
}

// generarUnion joins the branches; mixing two is one more way to break it. A break
// inside a branch may be told of at the union itself.
func generarUnion(ramas []any, defs nodo, ruta string) muestras {
	var m muestras
	mezcla := nodo{}
	for _, rama := range ramas {
		r := generar(rama.(nodo), defs, ruta)
		m.buenas = append(m.buenas, r.buenas...)
		m.rotas = append(m.rotas, r.rotas...)
		maps.Copy(mezcla, r.buenas[0].(nodo))
	}
	m.romper(ruta, mezcla, nodo{})
	return m
}

func con(o nodo, clave string, v any) nodo {
	o = maps.Clone(o)
	o[clave] = v
	return o
}

// sinEvidencia replaces what other checks answer for, so that what is left is what
// the argument checks must see.
func sinEvidencia(v any) any {
	o, ok := v.(nodo)
	if !ok {
		return v
	}
	o = maps.Clone(o)
	if _, ok := o["evidencia"]; ok {
		o["evidencia"] = nodo{}
	}
	if casos, ok := o["casos"].([]any); ok {
		casos = slices.Clone(casos)
		for i, c := range casos {
			o, ok := c.(nodo)
			if _, tiene := o["evidencia"]; ok && tiene {
				casos[i] = con(o, "evidencia", nodo{})
			}
		}
		o["casos"] = casos
	}
	return o
}

func codificar(t *testing.T, v any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// acuerdo fails if the argument checks and the schema disagree about v.
func acuerdo(t *testing.T, herramienta string, v any) error {
	t.Helper()
	es, err := esquemas()
	if err != nil {
		t.Fatal(err)
	}
	crudo := codificar(t, v)
	want := cumple(es[herramienta].entrada, codificar(t, sinEvidencia(v)))
	err = contrato.Validar(herramienta, crudo)
	if (err == nil) != want {
		t.Errorf("%s: the schema says %v, the checks say %v: %s", herramienta, want, err, crudo)
	}
	return err
}

var lineaDeArgumentos = regexp.MustCompile(`^ARGUMENTOS_INVALIDOS — \$[^\n]*: [^\n]+; se esperaba [^\n]+\.\ncampo: \$[^\n]*\ncorrección: [^\n]+\.$`)

// TestArgumentosDeLosEsquemas generates arguments from every published schema and
// breaks them one way at a time.
func TestArgumentosDeLosEsquemas(t *testing.T) {
	for _, d := range publicadas(t) {
		m := generar(d.InputSchema, defsDe(d.InputSchema), "$")
		if len(m.buenas) == 0 || len(m.rotas) < 10 {
			t.Fatalf("%s: %d good samples, %d broken ones", d.Name, len(m.buenas), len(m.rotas))
		}
		for _, v := range m.buenas {
			if err := acuerdo(t, d.Name, v); err != nil {
				t.Errorf("%s: %v: %s", d.Name, err, codificar(t, v))
			}
		}
		for _, r := range m.rotas {
			crudo := codificar(t, r.valor)
			es, err := esquemas()
			if err != nil {
				t.Fatal(err)
			}
			if cumple(es[d.Name].entrada, crudo) {
				t.Errorf("%s: broken at %s, yet the schema takes it: %s", d.Name, r.ruta, crudo)
			}
			err = acuerdo(t, d.Name, r.valor)
			if err == nil {
				if !strings.Contains(r.ruta, ".evidencia") {
					t.Errorf("%s: broken at %s and accepted: %s", d.Name, r.ruta, crudo)
				}
				continue
			}
			inv, ok := errors.AsType[*contrato.Invalido](err)
			if !ok || inv.Codigo() != "ARGUMENTOS_INVALIDOS" || !lineaDeArgumentos.MatchString(err.Error()) || len(err.Error()) > 4<<10 {
				t.Errorf("%s: not the contract's text: %q", d.Name, err)
				continue
			}
			enUnion := strings.HasPrefix(r.ruta, "$.medida") && inv.Ruta == "$.medida"
			if inv.Ruta != r.ruta && !enUnion {
				t.Errorf("%s: broken at %s, told at %s: %s", d.Name, r.ruta, inv.Ruta, crudo)
			}
		}
	}
}

// TestArgumentosAlAzar changes good arguments at random places, without knowing
// what is a break and what is not.
func TestArgumentosAlAzar(t *testing.T) {
	azar := rand.New(rand.NewPCG(20260904, 1))
	aceptados := 0
	for _, d := range publicadas(t) {
		m := generar(d.InputSchema, defsDe(d.InputSchema), "$")
		for range 3000 {
			v := m.buenas[azar.IntN(len(m.buenas))]
			for range 1 + azar.IntN(3) {
				v = mutar(azar, v)
			}
			if acuerdo(t, d.Name, v) == nil {
				aceptados++
			}
		}
	}
	if aceptados < 500 {
		t.Errorf("only %d changed arguments were accepted: the changes prove little", aceptados)
	}
}

var trozos = []any{nil, true, false, 0.0, 1.5, "", "a.b", "verde", "oracle", "listar", []any{}, []any{"a.b"}, nodo{}, nodo{"id": "a.b"}, nodo{"texto": "x", "formato": "oracle"}}

var claves = []string{"ids", "id", "medida", "evidencia", "casos", "espera", "texto", "formato", "accion", "estado", "git", "usar_evidencia_del_proyecto", "x"}

func mutar(azar *rand.Rand, v any) any {
	if azar.IntN(4) == 0 {
		return trozos[azar.IntN(len(trozos))]
	}
	switch v := v.(type) {
	case nodo:
		if len(v) == 0 || azar.IntN(4) == 0 {
			return con(v, claves[azar.IntN(len(claves))], trozos[azar.IntN(len(trozos))])
		}
		clave := slices.Sorted(maps.Keys(v))[azar.IntN(len(v))]
		if azar.IntN(4) == 0 {
			v = maps.Clone(v)
			delete(v, clave)
			return v
		}
		return con(v, clave, mutar(azar, v[clave]))
	case []any:
		if len(v) == 0 || azar.IntN(4) == 0 {
			return append(slices.Clone(v), trozos[azar.IntN(len(trozos))])
		}
		v = slices.Clone(v)
		i := azar.IntN(len(v))
		v[i] = mutar(azar, v[i])
		return v
	}
	return trozos[azar.IntN(len(trozos))]
}

// TestArgumentosDelCorpus holds the two against each other over every call of
// every conversation.
func TestArgumentosDelCorpus(t *testing.T) {
	vistas := 0
	for _, c := range conversaciones(t) {
		for _, linea := range c.entrada(t) {
			var m mensaje
			if json.Unmarshal([]byte(linea), &m) != nil || m.Method != "tools/call" || m.Params.Arguments == nil {
				continue
			}
			var v any
			if es, _ := esquemas(); es[m.Params.Name].entrada == nil || json.Unmarshal(m.Params.Arguments, &v) != nil {
				continue
			}
			if strings.Count(string(m.Params.Arguments), `":`) != contarClaves(v) || strings.Contains(string(m.Params.Arguments), `\ud800`) {
				continue // a repeated key or a lone surrogate: no schema can tell
			}
			if _, ok := v.(nodo); ok {
				acuerdo(t, m.Params.Name, v)
				vistas++
			}
		}
	}
	if vistas < 80 {
		t.Errorf("only %d calls compared", vistas)
	}
}

func contarClaves(v any) int {
	n := 0
	switch v := v.(type) {
	case nodo:
		for _, x := range v {
			n += 1 + contarClaves(x)
		}
	case []any:
		for _, x := range v {
			n += contarClaves(x)
		}
	}
	return n
}

// TestClavesRepetidas repeats each key of good arguments, outside evidence.
func TestClavesRepetidas(t *testing.T) {
	for herramienta, args := range map[string]string{
		contrato.CatalogoEfectivo: `{"ids":["a.b"]}`,
		contrato.Evaluar:          `{"medida":{"texto":"x","formato":"oracle"},"evidencia":{"r":[{"a":1,"a":2}],"r":[]}}`,
		contrato.Desafiar:         `{"medida":{"id":"a.b"},"usar_evidencia_del_proyecto":false,"casos":[{"id":"x","espera":"rojo","evidencia":{"r":[],"r":[]}}]}`,
		contrato.Juzgar:           `{"evidencia":{"r":[{"a":1,"a":2}]},"ids":["a.b"]}`,
		contrato.Tareas:           `{"accion":"ver","estado":"ABIERTA","etiqueta":"x","id":"x","texto":"x","git":true}`,
	} {
		if err := contrato.Validar(herramienta, json.RawMessage(args)); err != nil {
			t.Errorf("%s: %v", herramienta, err)
		}
		for _, g := range regexp.MustCompile(`"(ids|medida|texto|formato|id|usar_evidencia_del_proyecto|casos|espera|evidencia|accion|estado|etiqueta|git)":`).FindAllStringIndex(args, -1) {
			doble := args[:g[0]] + args[g[0]:g[1]] + `"x",` + args[g[0]:]
			err := contrato.Validar(herramienta, json.RawMessage(doble))
			inv, ok := errors.AsType[*contrato.Invalido](err)
			if !ok || inv.Forma != "una sola vez" && !strings.HasPrefix(inv.Forma, "una sola fuente") {
				t.Errorf("%s: %v: %s", herramienta, err, doble)
			}
		}
	}
}

type definicion struct {
	Name                      string
	InputSchema, OutputSchema nodo
}

func publicadas(t *testing.T) []definicion {
	t.Helper()
	var ds []definicion
	if err := json.Unmarshal(contrato.Definiciones(), &ds); err != nil || len(ds) != 5 {
		t.Fatalf("%d definitions: %v", len(ds), err)
	}
	return ds
}

func defsDe(s nodo) nodo {
	defs, _ := s["$defs"].(nodo)
	return defs
}
