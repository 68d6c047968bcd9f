package algebra_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/ingenuo"
	"github.com/oracle-mcp/oracle-mcp/escalares"
)

var semillasDeMedida = []string{
	medida(dePP, `"contar",1`, `"<=",0`),
	medida(dePP+`,["donde",["y",["<",["campo","p","a"],1.5],["no",["==",["campo","p","b"],"x"]]]]`, `"suma",["campo","p","a"]`, `"<=",0`),
	medida(`["unir",["de","p","a"],["de","q","b"]],["donde",["==",["campo","a","a"],["campo","b","b"]]]`, `"max",["campo","a","a"]`, `">",0`),
	medida(`["unir",["de","p","a"],["de","q","b"]],["donde",["y",["==",["campo","a","a"],["campo","b","b"]],["<",["campo","a","a"],3]]]`, `"promedio",["mas",["campo","a","a"],1]`, `">",0`),
	medida(dePP+`,["sin",["de","q","s"],["==",["campo","s","b"],["campo","p","a"]]],["agrupar",[["k",["campo","p","a"]]],[["n","contar",1],["m","min",["campo","p","a"]]]],["donde",[">",["col","n"],0]]`, `"max",["col","m"]`, `"<=",0`),
	`["medida","d.m",["desde",["de","p","p"]],["resumen","contar",1],["umbral","<=",0,""],["requiere","q",["filas","p","r",["contiene",["campo","r","a"],"x"]]],["ambito","universal"],["alcance","a"]]`,
}

var semillasDeEvidencia = []string{
	`{}`, `{"p":[],"q":[]}`, `{"p":[{"a":1,"b":"x"},{"a":2.5},{"b":true}],"q":[{"b":1},{"b":"x"}]}`,
	`{"p":[["clave",["a"]],{"a":1},{"a":2}],"q":[{"b":2},{"b":1},{"b":18446744073709551616}]}`,
	`{"p":[{"a":-0.0},{"a":1e308},{"a":5e-324}],"q":[{"b":"ñ\ud83d\ude00"}]}`,
}

// The loader never panics, and what it publishes loads again to the same.
func FuzzCargar(f *testing.F) {
	for _, s := range semillasDeMedida {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, texto []byte) {
		n, err := algebra.LeerNodo(texto, algebra.LimitesAlgebra{})
		if err != nil {
			tipado(t, err)
			return
		}
		otro, err := algebra.LeerNodo(n.AppendJSON(nil), algebra.LimitesAlgebra{})
		if err == nil && !otro.Igual(n) {
			t.Fatalf("%s read back as %s", n, otro)
		}
		m, err := algebra.Cargar(n, escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil {
			tipado(t, err)
			return
		}
		m2, err := algebra.Cargar(m.Canonica(), escalares.Internas(), algebra.LimitesAlgebra{})
		if err != nil || !m2.Canonica().Igual(m.Canonica()) {
			t.Fatalf("the published form %s does not load to itself: %v", m.Canonica(), err)
		}
	})
}

// The evidence reader never panics, and what it writes reads back to the same.
func FuzzEvidencia(f *testing.F) {
	for _, s := range semillasDeEvidencia {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, texto []byte) {
		e, err := algebra.LeerEvidencia(texto, algebra.LimitesAlgebra{FilasPorRelacion: 50, BitsDeEntero: 200}, algebra.OpcionesDeEvidencia{})
		if err != nil {
			tipado(t, err)
			return
		}
		b := e.AppendJSON(nil)
		otra, err := algebra.LeerEvidencia(b, algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
		if err != nil {
			t.Fatalf("%s does not read back: %v", b, err)
		}
		if b2 := otra.AppendJSON(nil); string(b2) != string(b) {
			t.Fatalf("got %s then %s", b, b2)
		}
	})
}

// Under tiny limits nothing panics, and both evaluators agree on everything
// but the memory one of them may run out of first.
func FuzzEvaluar(f *testing.F) {
	for i, m := range semillasDeMedida {
		for j, e := range semillasDeEvidencia {
			f.Add([]byte(m), []byte(e), uint16(7*i+3), uint16(5*j+1), uint8(40+i))
		}
	}
	f.Fuzz(func(t *testing.T, forma, texto []byte, pasos, producto uint16, bits uint8) {
		lim := algebra.LimitesAlgebra{FilasPorRelacion: 20, PasosDeOperacion: int64(pasos), ProductoCartesiano: int64(producto),
			BitsDeEntero: int64(bits), TamanoDeValor: 300, NodosDeMedida: 300}
		n, err := algebra.LeerNodo(forma, lim)
		if err != nil {
			return
		}
		m, err := algebra.Cargar(n, escalares.Internas(), lim)
		if err != nil {
			return
		}
		e, err := algebra.LeerEvidencia(texto, lim, algebra.OpcionesDeEvidencia{})
		if err != nil {
			return
		}
		v, err := algebra.Evaluar(context.Background(), m, e, lim)
		w, errIngenuo := ingenuo.Evaluar(context.Background(), m, e, lim)
		a, b := resumir(v, err), resumirIngenuo(w, errIngenuo)
		if a != b {
			t.Fatalf("columns: %s\nrows:    %s\nmeasure: %s\nevidence: %s\nlimits: %+v", a, b, n, texto, lim)
		}
	})
}

// tipado fails when an error is of none of the package's types.
func tipado(t *testing.T, err error) {
	t.Helper()
	var carga *algebra.ErrorDeCarga
	var evidencia *algebra.ErrorDeEvidencia
	var limite *algebra.LimiteError
	if !errors.As(err, &carga) && !errors.As(err, &evidencia) && !errors.As(err, &limite) {
		t.Fatalf("untyped error %T: %v", err, err)
	}
}

// claseDe tells what two evaluators must agree on of an error.
func claseDe(err error) string {
	var e *algebra.ErrorDeEvaluacion
	var l *algebra.LimiteError
	switch {
	case errors.As(err, &e):
		return "error " + string(e.Clase)
	case errors.As(err, &l):
		return fmt.Sprintf("límite %s %d %d", l.Nombre, l.Observado, l.Limite)
	default:
		return fmt.Sprintf("%T %v", err, err)
	}
}

func resumir(v *algebra.Veredicto, err error) string {
	if err != nil {
		return claseDe(err)
	}
	return describir(v, nil)
}

func resumirIngenuo(v *ingenuo.Veredicto, err error) string {
	if err != nil {
		return claseDe(err)
	}
	b := algebra.AppendJSON([]byte(v.Estado+" "), v.Valor)
	b = fmt.Appendf(b, " %d pasos", v.Pasos)
	for _, w := range v.Testigos {
		b = w.AppendJSON(append(b, '\n'))
	}
	return string(b)
}
