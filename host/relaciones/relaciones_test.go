package relaciones_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

const corrida = `relacion corrida:
    id: texto
    clase: texto
    pasos: entero pasos
    peso: flotante sin_unidad
    ok: booleano
    variantes por clase:
        codigo:
            estado: texto
            tiempo: flotante s
        "con espacio":
            tiempo: flotante s
    alcance "no ve el estado interno"
`

func TestLeerEImprimir(t *testing.T) {
	r, err := relaciones.Leer([]byte(corrida), relaciones.EsDelLenguaje)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.AppendTexto(nil)
	if err != nil || string(b) != corrida {
		t.Errorf("impresa (%v):\n%s", err, cmp.Diff(corrida, string(b)))
	}
	otra, err := relaciones.DeNodo(r.Nodo(), relaciones.EsDelLenguaje)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, otra); d != "" {
		t.Error(d)
	}
	const forma = `["relacion","corrida",["campos",["campo","id","texto","sin_unidad"],["campo","clase","texto","sin_unidad"],["campo","pasos","entero","pasos"],["campo","peso","flotante","sin_unidad"],["campo","ok","booleano","sin_unidad"]],["variantes","clase",["variante","codigo",["campo","estado","texto","sin_unidad"],["campo","tiempo","flotante","s"]],["variante","con espacio",["campo","tiempo","flotante","s"]]],["alcance","no ve el estado interno"]]`
	if got := r.Nodo().String(); got != forma {
		t.Errorf("forma: %s", got)
	}
}

func TestSintaxisConSuLugar(t *testing.T) {
	for _, c := range []struct {
		nombre, texto  string
		linea, columna int
	}{
		{"vacío", "", 1, 1},
		{"encabezado", "relacion x\n    a: texto\n", 1, 1},
		{"tipo", "relacion x:\n    a: cadena\n", 2, 8},
		{"sin unidad", "relacion x:\n    a: entero\n    alcance \"z\"\n", 2, 14},
		{"unidad en texto", "relacion x:\n    a: texto cm\n    alcance \"z\"\n", 2, 14},
		{"repetido", "relacion x:\n    a: texto\n    a: texto\n    alcance \"z\"\n", 3, 5},
		{"sangría", "relacion x:\n    a: texto\n   alcance \"z\"\n", 3, 4},
		{"sin alcance", "relacion x:\n    a: texto\n", 3, 1},
		{"después del alcance", "relacion x:\n    a: texto\n    alcance \"z\"\n    b: texto\n", 4, 5},
		{"variante vacía", "relacion x:\n    a: texto\n    variantes por a:\n        v:\n    alcance \"z\"\n", 5, 5},
		{"campo raro", "relacion x:\n    año: texto\n    alcance \"z\"\n", 2, 5},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			_, err := relaciones.Leer([]byte(c.texto), nil)
			var e *superficie.ErrorDeSintaxis
			if !errors.As(err, &e) || e.Linea != c.linea || e.Columna != c.columna {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestDeclaracionesQueNoPuedenSer(t *testing.T) {
	for nombre, texto := range map[string]string{
		"sin campos":                "relacion x:\n    alcance \"z\"\n",
		"reservada":                 "relacion medida:\n    a: texto\n    alcance \"z\"\n",
		"discriminante ajeno":       "relacion x:\n    a: texto\n    variantes por b:\n        v:\n            c: texto\n    alcance \"z\"\n",
		"discriminante no texto":    "relacion x:\n    a: booleano\n    variantes por a:\n        v:\n            c: texto\n    alcance \"z\"\n",
		"variante repite común":     "relacion x:\n    a: texto\n    variantes por a:\n        v:\n            a: texto\n    alcance \"z\"\n",
		"variante repetida":         "relacion x:\n    a: texto\n    variantes por a:\n        v:\n            c: texto\n        v:\n            c: texto\n    alcance \"z\"\n",
		"mismo nombre, otra unidad": "relacion x:\n    a: texto\n    variantes por a:\n        v:\n            c: entero m\n        w:\n            c: entero s\n    alcance \"z\"\n",
		"sin variantes":             "relacion x:\n    a: texto\n    variantes por a:\n    alcance \"z\"\n",
	} {
		t.Run(nombre, func(t *testing.T) {
			_, err := relaciones.Leer([]byte(texto), relaciones.EsDelLenguaje)
			var e *superficie.ErrorDeDeclaracion
			if !errors.As(err, &e) {
				t.Errorf("%v", err)
			}
		})
	}
	for _, forma := range []string{
		`[]`, `["relacion","x",["campos",["campo","a","texto","sin_unidad"]]]`,
		`["relacion","x",["campos",["campo","a","texto",""]],["alcance","z"]]`,
		`["relacion","x",["campos",["campo","a","texto","cm"]],["alcance","z"]]`,
		`["relacion","x",["campos",["campo","a","fecha","cm"]],["alcance","z"]]`,
		`["relacion","x",["campos",["campo","a","texto","sin_unidad"]],["alcance",1]]`,
		`["relacion","",["campos",["campo","a","texto","sin_unidad"]],["alcance","z"]]`,
		`["relacion","x",["campos"],["alcance","z"]]`,
		`["relacion","x",["campos",["campo","a","texto","sin_unidad"]],["variantes","a",["variante","v"]],["alcance","z"]]`,
	} {
		n, err := algebra.LeerNodo([]byte(forma), algebra.LimitesAlgebra{})
		if err != nil {
			t.Fatal(err)
		}
		var e *relaciones.Error
		if _, err := relaciones.DeNodo(n, nil); !errors.As(err, &e) {
			t.Errorf("%s: %v", forma, err)
		}
	}
}

func TestDerivar(t *testing.T) {
	r, err := relaciones.Leer([]byte(corrida), relaciones.EsDelLenguaje)
	if err != nil {
		t.Fatal(err)
	}
	d, err := relaciones.NuevasDeclaradas([]*relaciones.Relacion{r})
	if err != nil {
		t.Fatal(err)
	}
	n, err := algebra.LeerNodo([]byte(`["medida","a.b",["desde",["unir",["de","corrida","c"],["de","caso","k"]],
		["sin",["de","pieza","x"],["==",["campo","x","id"],["campo","c","id"]]],
		["sin",["de","corrida","x"],["==",["campo","x","raro"],["campo","c","estado"]]]],
		["resumen","contar",1],["umbral","<=",0,"",""],["requiere","pieza",["filas","corrida","r",["==",["campo","r","ok"],true]]],["alcance","z"]]`), algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	n = n.Con(4, algebra.Lista(n.Hijo(4).Hijos()[:4]...))
	m, err := algebra.Cargar(n, nil, algebra.LimitesAlgebra{})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"c (corrida): no lee clase, ok, pasos, peso, tiempo",
		"k (caso): no lee declara_de_donde_salio, es_heredado, espera, etiqueta, id, medida, medida_existe, obtenido, procedencia, se_pone_como_debe",
		"r (corrida): no lee clase, estado, id, pasos, peso, tiempo",
		"x (corrida): no lee clase, estado, id, ok, pasos, peso, tiempo; lee sin que esté declarado raro",
		"x (pieza): nadie declaró los campos de esta relación",
	}
	if diff := cmp.Diff(want, d.Derivar(m)); diff != "" {
		t.Error(diff)
	}
	var nada relaciones.Declaradas
	if got := nada.Derivar(m); got == nil || len(got) != 0 {
		t.Errorf("sin declaraciones: %v", got)
	}
	if _, err := relaciones.NuevasDeclaradas([]*relaciones.Relacion{r, r}); err == nil {
		t.Error("una relación declarada dos veces se aceptó")
	}
}

func FuzzLeer(f *testing.F) {
	f.Add([]byte(corrida))
	f.Fuzz(func(t *testing.T, texto []byte) {
		r, err := relaciones.Leer(texto, nil)
		if err != nil {
			return
		}
		b, err := r.AppendTexto(nil)
		if err != nil {
			t.Fatalf("lo leído no se imprime: %v", err)
		}
		otra, err := relaciones.Leer(b, nil)
		if err != nil {
			t.Fatalf("lo impreso no se lee: %v\n%s", err, b)
		}
		if d := cmp.Diff(r, otra); d != "" {
			t.Fatal(d)
		}
	})
}
