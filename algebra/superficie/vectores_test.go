package superficie_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

// vector is a line of superficie*.jsonl or impresor.jsonl.
type vector struct {
	ID       string
	Texto    string
	Canonica json.RawMessage
	Error    *struct {
		Clase          string
		Linea, Columna int
	}
	Medida  json.RawMessage
	Impresa string `json:"impresa"`
}

// vectores reads every file of fixtures/vectores that matches the pattern.
func vectores(t testing.TB, patron string) map[string][]vector {
	t.Helper()
	archivos, err := filepath.Glob(filepath.Join("..", "..", "fixtures", "vectores", patron))
	if err != nil || len(archivos) == 0 {
		t.Fatalf("no hay vectores %s: %v", patron, err)
	}
	todos := map[string][]vector{}
	for _, archivo := range archivos {
		f, err := os.Open(archivo)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lineas := bufio.NewScanner(f)
		lineas.Buffer(nil, 4<<20)
		for lineas.Scan() {
			var v vector
			if err := json.Unmarshal(lineas.Bytes(), &v); err != nil {
				t.Fatalf("%s: %v", archivo, err)
			}
			todos[filepath.Base(archivo)] = append(todos[filepath.Base(archivo)], v)
		}
		if err := lineas.Err(); err != nil {
			t.Fatal(err)
		}
	}
	return todos
}

// internas declares the built-in scalars' names and arities; nothing here
// evaluates them.
type internas struct{}

func (internas) Buscar(nombre string) *algebra.Escalar {
	switch nombre {
	case "mas", "menos", "por", "cerca", "contiene":
		return &algebra.Escalar{Nombre: nombre, Min: 2, Max: 2}
	}
	return nil
}

func nodoDe(t testing.TB, texto []byte) algebra.Nodo {
	t.Helper()
	n, err := algebra.LeerNodo(texto, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestVectoresDeLectura(t *testing.T) {
	for archivo, vs := range vectores(t, "superficie*.jsonl") {
		for _, v := range vs {
			t.Run(archivo+"/"+v.ID, func(t *testing.T) {
				m, err := superficie.LeerMedida([]byte(v.Texto), macro.Estandar(), internas{}, algebra.LimitesAlgebra{})
				if v.Error == nil {
					if err != nil {
						t.Fatal(err)
					}
					comparar(t, v, m)
					return
				}
				var sintaxis *superficie.ErrorDeSintaxis
				var declaracion *superficie.ErrorDeDeclaracion
				switch {
				case v.Error.Clase == "sintaxis" && errors.As(err, &sintaxis):
					if sintaxis.Linea != v.Error.Linea || sintaxis.Columna != v.Error.Columna {
						t.Errorf("queríamos %d:%d\n%v", v.Error.Linea, v.Error.Columna, err)
					}
				case v.Error.Clase == "declaracion" && errors.As(err, &declaracion):
				default:
					t.Errorf("queríamos %s y llegó %T %v", v.Error.Clase, err, err)
				}
			})
		}
	}
}

func comparar(t *testing.T, v vector, m *algebra.Medida) {
	t.Helper()
	quiero := nodoDe(t, v.Canonica)
	if !quiero.Igual(m.Canonica()) {
		t.Fatal(cmp.Diff(quiero.String(), m.Canonica().String()))
	}
	l, err := superficie.Leer([]byte(v.Texto), macro.Estandar(), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	if !l.Forma().Igual(quiero) {
		t.Error("Leer y LeerMedida no dan la misma forma")
	}
	idaYVuelta(t, l.Forma())
	formatear(t, v.Texto)
}

// idaYVuelta checks that reading what is printed gives the form back, and that
// printing that gives the same text.
func idaYVuelta(t testing.TB, n algebra.Nodo) {
	t.Helper()
	texto, err := superficie.Imprimir(n)
	if err != nil {
		t.Fatalf("%s\n%v", n, err)
	}
	l, err := superficie.Leer([]byte(texto), nil, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatalf("%s\n%v", texto, err)
	}
	if !l.Forma().Igual(n) {
		t.Fatalf("%s\n%s", texto, cmp.Diff(n.String(), l.Forma().String()))
	}
	otra, err := superficie.Imprimir(l.Forma())
	if err != nil || otra != texto {
		t.Fatalf("no es idempotente: %v\n%s", err, cmp.Diff(texto, otra))
	}
}

// formatear checks that a text keeps its meaning, and that doing it twice is
// doing it once.
func formatear(t testing.TB, texto string) string {
	t.Helper()
	uno, err := superficie.Formatear([]byte(texto), macro.Estandar(), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatalf("%s\n%v", texto, err)
	}
	dos, err := superficie.Formatear(uno, macro.Estandar(), algebra.LimitesAlgebra{})
	if err != nil || string(dos) != string(uno) {
		t.Fatalf("no es idempotente: %v\n%s", err, cmp.Diff(string(uno), string(dos)))
	}
	return string(uno)
}

func TestVectoresDelImpresor(t *testing.T) {
	for archivo, vs := range vectores(t, "impresor.jsonl") {
		for _, v := range vs {
			t.Run(archivo+"/"+v.ID, func(t *testing.T) {
				n := nodoDe(t, v.Medida)
				texto, err := superficie.Imprimir(n)
				if err != nil {
					t.Fatal(err)
				}
				if texto != v.Impresa {
					t.Error(cmp.Diff(v.Impresa, texto))
				}
				idaYVuelta(t, n)
				if strings.Contains(texto, "\n\n") || formatear(t, texto) != texto {
					t.Error("lo impreso no está en la forma que da Formatear")
				}
			})
		}
	}
}

// TestTodoLoQueCargaSeImprime prints every form of the vectors that loads, and
// reads it back.
func TestTodoLoQueCargaSeImprime(t *testing.T) {
	impresas := 0
	for archivo, vs := range vectores(t, "*.jsonl") {
		for _, v := range vs {
			if v.Medida == nil {
				continue
			}
			n, err := algebra.LeerNodo(v.Medida, algebra.LimitesAlgebra{})
			if err != nil {
				continue
			}
			m, err := algebra.Cargar(n, internas{}, algebra.LimitesAlgebra{})
			if err != nil {
				continue
			}
			texto, err := superficie.Imprimir(n)
			if err != nil {
				if !strings.Contains(err.Error(), "un unir a la derecha de otro") {
					t.Errorf("%s %s: %v", archivo, v.ID, err)
				}
				continue
			}
			l, err := superficie.Leer([]byte(texto), nil, algebra.LimitesAlgebra{})
			if err != nil || !l.Forma().Igual(m.Canonica()) {
				t.Errorf("%s %s: %v\n%s\n%s", archivo, v.ID, err, texto, n)
			}
			impresas++
		}
	}
	if impresas == 0 {
		t.Error("no se imprimió ninguna")
	}
}

func BenchmarkLeerMedida(b *testing.B) {
	texto := []byte(vectores(b, "superficie.jsonl")["superficie.jsonl"][0].Texto)
	b.SetBytes(int64(len(texto)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := superficie.LeerMedida(texto, macro.Estandar(), internas{}, algebra.LimitesAlgebra{}); err != nil {
			b.Fatal(err)
		}
	}
}
