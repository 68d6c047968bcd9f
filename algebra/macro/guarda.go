package macro

import (
	"context"
	"errors"
	"sync"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// relacionDeGuarda and aliasDeGuarda name the only row a guard is evaluated
// on: a fact without fields, under an alias no text can write.
const (
	relacionDeGuarda = "guarda"
	aliasDeGuarda    = "\x00"
)

var filaVacia = sync.OnceValues(func() (*algebra.Evidencia, error) {
	return algebra.LeerEvidencia([]byte(`{"`+relacionDeGuarda+`":[{}]}`), algebra.LimitesAlgebra{}, algebra.OpcionesDeEvidencia{})
})

// nodosDeEnvoltura bounds how many nodes medidaDeGuarda puts around a guard.
const nodosDeEnvoltura = 64

// medidaDeGuarda wraps a guard in a measure that is green when it holds, so
// that it obeys the rules of the language and no copy of them.
func medidaDeGuarda(cond algebra.Nodo) algebra.Nodo {
	texto := algebra.HojaTexto
	uno := algebra.Hoja(algebra.NuevoEntero(1))
	return algebra.Lista(texto("medida"), texto("macro.guarda"),
		algebra.Lista(texto("desde"),
			algebra.Lista(texto("de"), texto(relacionDeGuarda), texto(aliasDeGuarda)),
			algebra.Lista(texto("donde"), cond)),
		algebra.Lista(texto("resumen"), texto(string(algebra.Contar)), uno),
		algebra.Lista(texto("umbral"), texto(string(algebra.Igual)), uno, texto(""), texto(algebra.SinDeclarar)),
		algebra.Lista(texto("alcance"), texto("la guarda de una macro")))
}

// exigir evaluates one guard on an empty row, with its holes replaced. Whatever
// keeps it from being true is an error of declaration (lenguaje §7).
func (t *Tabla) exigir(m *Macro, g Guarda, s *sustitucion, nodos *int64, lim algebra.LimitesAlgebra) error {
	// All the guards of an expansion share one budget, so that many of them
	// over one long argument are refused and not evaluated.
	if *nodos = s.contar(g.Condicion, *nodos); *nodos > lim.NodosDeMedida {
		return excesoDeNodos(*nodos, lim)
	}
	cond := s.poner(g.Condicion)
	lim.NodosDeMedida += nodosDeEnvoltura
	e, err := filaVacia()
	if err != nil {
		return err
	}
	medida, err := algebra.Cargar(medidaDeGuarda(cond), t.escalares, lim)
	if err != nil {
		return noSeEvalua(m, err)
	}
	v, err := algebra.Evaluar(context.Background(), medida, e, lim)
	if err != nil {
		return noSeEvalua(m, err)
	}
	if v.Estado != algebra.Verde {
		return errorEn(nil, "%s (guarda de la macro «%s»)", algebra.Citar(g.Mensaje), algebra.Citar(m.nombre))
	}
	return nil
}

// noSeEvalua makes an error of declaration out of the one that kept a guard
// from being evaluated. A limit and a fault of the program go through.
func noSeEvalua(m *Macro, err error) error {
	d := &algebra.ErrorDeCarga{Clase: algebra.ClaseForma}
	var carga *algebra.ErrorDeCarga
	var evaluacion *algebra.ErrorDeEvaluacion
	switch {
	case errors.As(err, &carga):
		// A scalar nobody declared keeps its class and its name.
		d.Clase, d.Nombre, d.Motivo = carga.Clase, carga.Nombre, carga.Motivo
	case errors.As(err, &evaluacion):
		d.Motivo = evaluacion.Motivo
	default:
		return err
	}
	d.Motivo = "la guarda de la macro «" + algebra.Citar(m.nombre) + "» no se puede evaluar: " + d.Motivo
	return d
}
