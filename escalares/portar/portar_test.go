package portar_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/escalares/portar"
)

func TestMain(m *testing.M) {
	caja.SiSoyCaja()
	os.Exit(m.Run())
}

// generador makes arguments of a kind.
type generador func(r *rand.Rand) any

func num(r *rand.Rand) any {
	switch r.IntN(6) {
	case 0:
		return r.IntN(2001) - 1000
	case 1:
		return float64(r.IntN(2001)-1000) / 8 // ties
	case 2:
		return float64(r.IntN(200_001)-100_000) / 1000 // almost ties
	case 3:
		return r.NormFloat64() * math.Pow(10, float64(r.IntN(9)-4))
	case 4:
		return r.IntN(5)
	default:
		return []any{0, 0.0, 1, 1.0, -1, 0.5, 1.5, 2.5, -0.5, 2.675, 1.005, 0.1, 1e-7, 123456.789, 1e15, 9007199254740993}[r.IntN(16)]
	}
}

func numOBooleano(r *rand.Rand) any {
	if r.IntN(3) == 0 {
		return r.IntN(2) == 0
	}
	return num(r)
}

func flota(r *rand.Rand) any { return r.NormFloat64() * math.Pow(10, float64(r.IntN(9)-4)) }

func chico(r *rand.Rand) any { return r.IntN(7) }

func natural(r *rand.Rand) any { return r.IntN(100_000) }

func texto(r *rand.Rand) any {
	piezas := []string{"a", "E", "ñ", "Ó", "😀", " ", "  ", "\t", "hola", "mundo ", "OT-2024", "12", "7", "-", "+", "ü", "\n", "alta", "\u00a0", "zz"}
	var b strings.Builder
	for range r.IntN(6) {
		b.WriteString(piezas[r.IntN(len(piezas))])
	}
	return b.String()
}

// letras are texts of the alphabets whose case is the same everywhere.
func letras(r *rand.Rand) any {
	rangos := [][2]int{{0x20, 0xb5}, {0xb6, 0xdf}, {0xe0, 0xff}, {0x100, 0x130}, {0x132, 0x149}, {0x14a, 0x17f}, {0x2000, 0x20d0}, {0x2190, 0x2400}, {0x2500, 0x2c00}, {0x3000, 0xa000}, {0x1f000, 0x1fb00}}
	var b strings.Builder
	for range 40 {
		x := rangos[r.IntN(len(rangos))]
		b.WriteRune(rune(x[0] + r.IntN(x[1]-x[0])))
	}
	return b.String()
}

// signos are short texts of characters that both languages class alike.
func signos(r *rand.Rand) any {
	rangos := [][2]int{{0x20, 0x7f}, {'0', '9' + 1}, {'A', 'Z' + 1}, {0xbf, 0xdf}, {0xe0, 0xff}, {0x100, 0x130}, {0x2010, 0x2060}, {0x20a0, 0x20d0}, {0x2500, 0x2760}, {0x1f300, 0x1fb00}}
	x := rangos[r.IntN(len(rangos))]
	var b strings.Builder
	for range r.IntN(4) {
		b.WriteRune(rune(x[0] + r.IntN(x[1]-x[0])))
	}
	return b.String()
}

func uno(vs ...any) generador {
	return func(r *rand.Rand) any { return vs[r.IntN(len(vs))] }
}

func cualquiera(r *rand.Rand) any {
	switch r.IntN(8) {
	case 0:
		return texto(r)
	case 1:
		return nil
	case 2:
		return new(big.Int).Lsh(big.NewInt(int64(r.IntN(1000))), uint(r.IntN(200)))
	case 3:
		return uno(1e308, -1e308, 5e-324, 1.7976931348623157e308, math.Copysign(0, -1))(r)
	default:
		return numOBooleano(r)
	}
}

func hecho(r *rand.Rand) any {
	h := map[string]any{}
	for _, k := range []string{"x", "y", "z", "ax", "ay", "az"} {
		h[k] = num(r)
	}
	return h
}

// lo que cada escalar espera.
var firmas = map[string][]generador{
	"penetracion": {hecho, hecho}, "volumen": {hecho}, "cae": {hecho}, "lado_mayor": {hecho},
	"distancia2": {num, num, num, num}, "distancia": {num, num, num, num}, "desvio": {num, num, num},
	"dentro": {numOBooleano, numOBooleano, numOBooleano}, "fraccion": {num, num},
	"piso_de_grilla": {numOBooleano, num}, "resto_de_grilla": {numOBooleano, num}, "redondo": {numOBooleano},
	"entero_mas_cercano": {numOBooleano}, "escalon": {numOBooleano}, "angulo": {num}, "casi_igual": {numOBooleano, num},
	"excede": {uno("mesa", "estante", "otra"), numOBooleano}, "signo": {numOBooleano}, "cubo": {numOBooleano}, "polinomio": {num},

	"largo": {texto}, "vocales": {texto}, "iniciales": {texto}, "prioridad": {uno("alta", "media", "baja", "otra", "")},
	"etiqueta": {texto, cualquiera}, "recorte": {texto, chico}, "ultima": {texto}, "al_reves": {texto},
	"codigo_valido": {uno("OT-2024 12", "OT-20247", "OT-2024", "x", "OT-2024ab")}, "posicion": {texto, texto}, "palabras": {texto},
	"distintas": {texto}, "limpio": {texto}, "describe": {cualquiera}, "numero_de": {texto}, "si_no": {cualquiera},

	"mayusculas": {letras}, "minusculas": {letras}, "clases": {signos},

	"total": {num, chico}, "impuesto": {num}, "media": {numOBooleano, num, num}, "mediana": {num, num, num, num},
	"cuantos_si": {numOBooleano, numOBooleano, numOBooleano, numOBooleano}, "todas_iguales": {numOBooleano, numOBooleano, numOBooleano},
	"es_uno": {cualquiera}, "en_lista": {cualquiera}, "area_de_circulo": {num}, "digitos": {natural},
	"suma_de_cuadrados": {num}, "primero_mayor": {num}, "mayor_o_cero": {num, num}, "compuesta": {numOBooleano, numOBooleano},
	"potencias": {numOBooleano}, "decenas": {num, uno(0, 1, 2, 3, 4)}, "bits": {numOBooleano, numOBooleano}, "por_ano": {numOBooleano, numOBooleano},
}

// TestIguales compares what each ported function gives in the box with what
// the original gives in Python.
func TestIguales(t *testing.T) {
	archivos, err := filepath.Glob("testdata/*.py")
	if err != nil {
		t.Fatal(err)
	}
	comparadas := map[string]int{}
	for _, archivo := range archivos {
		if filepath.Base(archivo) == "conductor.py" {
			continue
		}
		t.Run(filepath.Base(archivo), func(t *testing.T) {
			fuente, err := os.ReadFile(archivo)
			if err != nil {
				t.Fatal(err)
			}
			portado, err := portar.Portar(filepath.Base(archivo), fuente, portar.Opciones{})
			if err != nil {
				t.Fatal(err)
			}
			c, err := caja.Abrir(context.Background(), caja.Config{Fuente: portado, Encierro: caja.EncierroApagado})
			if err != nil {
				t.Fatalf("%v\n%s", err, portado)
			}
			defer c.Cerrar()
			var tandas []tanda
			for _, e := range c.Escalares() {
				firma, hay := firmas[e.Nombre]
				if !hay {
					t.Errorf("no se sabe qué darle a %s", e.Nombre)
					continue
				}
				todo := make([]generador, len(firma))
				for i := range todo {
					todo[i] = cualquiera
				}
				// Anything at all: it may fail here, but never give another value.
				tandas = append(tandas, tanda{e.Nombre, firma, 300, true}, tanda{e.Nombre, todo, 150, false})
			}
			for nombre, n := range comparar(t, c, archivo, tandas) {
				if nombre == "sólo en Python" {
					continue
				}
				if comparadas[nombre] = n; n < 100 {
					t.Errorf("%s: sólo %d resultados que comparar", nombre, n)
				}
			}
		})
	}
	if len(comparadas) < 25 {
		t.Errorf("sólo %d funciones", len(comparadas))
	}
	t.Logf("%d funciones", len(comparadas))
}

// resultado is what Python gave.
type resultado struct {
	Tipo  string
	Valor json.RawMessage
	Error string
}

// tanda is how many times to call a scalar, and with what.
type tanda struct {
	nombre   string
	firma    []generador
	veces    int
	estricto bool
}

// comparar returns how many results each scalar gave that were compared.
func comparar(t *testing.T, c *caja.Caja, archivo string, tandas []tanda) map[string]int {
	t.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	var llamadas [][2]any
	var estricta []bool
	for _, x := range tandas {
		for range x.veces {
			args := make([]any, len(x.firma))
			for k, g := range x.firma {
				args[k] = g(r)
			}
			llamadas = append(llamadas, [2]any{x.nombre, args})
			estricta = append(estricta, x.estricto)
		}
	}
	pedido, err := json.Marshal(map[string]any{"archivo": archivo, "llamadas": aPython(llamadas)})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("python3", "testdata/conductor.py")
	cmd.Stdin = bytes.NewReader(pedido)
	var dice bytes.Buffer
	cmd.Stderr = &dice
	sale, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, dice.String())
	}
	lineas := strings.Split(strings.TrimSpace(string(sale)), "\n")
	if len(lineas) != len(llamadas) {
		t.Fatalf("python3 respondió %d de %d", len(lineas), len(llamadas))
	}
	bien := map[string]int{}
	for i, l := range lineas {
		nombre, estricto := llamadas[i][0].(string), estricta[i]
		var py resultado
		if err := json.Unmarshal([]byte(l), &py); err != nil {
			t.Fatal(err)
		}
		args := llamadas[i][1].([]any)
		got, err := llamar(t, c, nombre, args)
		switch {
		case py.Error != "" && err == nil:
			t.Errorf("%s(%v): en Python es un error (%s) y portada da %v", nombre, args, py.Error, got)
		case py.Error != "":
		case err != nil && estricto:
			t.Errorf("%s(%v): en Python da %s %s y portada falla: %v", nombre, args, py.Tipo, py.Valor, err)
		case err != nil:
			bien["sólo en Python"]++
		default:
			bien[nombre]++
			if quiere := valorDe(t, py); !algebra.Identico(quiere, got) {
				t.Errorf("%s(%v): en Python da %s %s y portada %T %v", nombre, args, py.Tipo, py.Valor, got, got)
			}
		}
	}
	return bien
}

// aPython writes floats so that an integral one stays a float.
func aPython(v any) any {
	switch v := v.(type) {
	case float64:
		s := fmt.Sprintf("%g", v)
		if b, err := json.Marshal(v); err == nil {
			s = string(b)
		}
		if v == 0 && math.Signbit(v) {
			s = "-0.0"
		}
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return json.RawMessage(s)
	case *big.Int:
		return json.RawMessage(v.String())
	case []any:
		vs := make([]any, len(v))
		for i := range v {
			vs[i] = aPython(v[i])
		}
		return vs
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = aPython(x)
		}
		return m
	case [][2]any:
		vs := make([]any, len(v))
		for i := range v {
			vs[i] = []any{v[i][0], aPython(v[i][1])}
		}
		return vs
	}
	return v
}

func valorDe(t *testing.T, py resultado) algebra.Valor {
	t.Helper()
	var err error
	var v algebra.Valor
	switch py.Tipo {
	case "NoneType":
		v = algebra.Nulo{}
	case "bool":
		v = algebra.Booleano(string(py.Valor) == "true")
	case "int":
		n, ok := new(big.Int).SetString(string(py.Valor), 10)
		if !ok {
			t.Fatalf("%s", py.Valor)
		}
		v = algebra.EnteroDe(n)
	case "float":
		var f float64
		err = json.Unmarshal(py.Valor, &f)
		v = algebra.Flotante(f)
	case "str":
		var s string
		err = json.Unmarshal(py.Valor, &s)
		v = algebra.Texto(s)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func llamar(t *testing.T, c *caja.Caja, nombre string, args []any) (algebra.Valor, error) {
	t.Helper()
	var cs []*algebra.Columna
	for _, a := range args {
		cs = append(cs, &algebra.Columna{Mixta: []algebra.Valor{aValor(t, a)}})
	}
	r := c.Llamar(nombre, 1, cs, 0)
	var interno *algebra.ErrorInterno
	if errors.As(r.Error, &interno) {
		t.Fatal(r.Error)
	}
	if r.Error != nil {
		return nil, r.Error
	}
	return r.Columna.Valor(0), nil
}

func aValor(t *testing.T, a any) algebra.Valor {
	switch a := a.(type) {
	case nil:
		return algebra.Nulo{}
	case bool:
		return algebra.Booleano(a)
	case int:
		return algebra.NuevoEntero(int64(a))
	case float64:
		return algebra.Flotante(a)
	case *big.Int:
		return algebra.EnteroDe(a)
	case string:
		return algebra.Texto(a)
	case map[string]any:
		b, err := json.Marshal(map[string]any{"r": []any{aPython(a)}})
		if err != nil {
			t.Fatal(err)
		}
		return hechoDe(t, b)
	}
	t.Fatalf("%T", a)
	return nil
}

// hechoDe gets a fact the way a measure hands it over.
func hechoDe(t *testing.T, evidencia []byte) algebra.Valor {
	t.Helper()
	ev, err := algebra.LeerEvidencia(evidencia, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
	if err != nil {
		t.Fatal(err)
	}
	var h algebra.Valor
	captura := &algebra.Escalar{Nombre: "captura", Min: 1, Max: 1, Aplicar: func(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
		h = args[0].Valor(0)
		return &algebra.Columna{Clase: algebra.ClaseEnteros, Enteros: []int64{0}}
	}}
	n, err := algebra.LeerNodo([]byte(`["medida","x.y",["desde",["de","r","p"]],["resumen","suma",["captura",["hecho","p"]]],["umbral","==",0,""],["alcance","x"]]`), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	m, err := algebra.Cargar(n, unaSola{captura}, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := algebra.Evaluar(context.Background(), m, ev, algebra.LimitesAlgebra{}); err != nil {
		t.Fatal(err)
	}
	return h
}

type unaSola struct{ e *algebra.Escalar }

func (u unaSola) Buscar(nombre string) *algebra.Escalar {
	if nombre == u.e.Nombre {
		return u.e
	}
	return nil
}
