package algebra

import (
	"cmp"
	"fmt"
	"math"
	"math/big"
)

// fallo builds the error that stops a measure.
func fallo(clase Clase, formato string, args ...any) *ErrorDeEvaluacion {
	return &ErrorDeEvaluacion{Clase: clase, Motivo: fmt.Sprintf(formato, args...)}
}

// citarValor spells a value for a message.
func citarValor(v Valor) string {
	switch x := v.(type) {
	case Hecho:
		return "un hecho"
	case Texto:
		return "«" + Citar(string(x)) + "»"
	default:
		return Citar(string(AppendJSON(nil, v)))
	}
}

// conFamilia spells a value and its family.
func conFamilia(v Valor) string {
	if f := v.Familia(); f != FamiliaHecho && f != FamiliaNula {
		return citarValor(v) + " (" + f.String() + ")"
	}
	return citarValor(v)
}

// nodoComparacion computes one of the six comparators over two columns.
func nodoComparacion(m *marco, i int, operandos []any) *Columna {
	if !m.empezar(i) {
		return columnaNula
	}
	return comparar(m.lote, m.nodos[i].op, operandos[0].(*Columna), operandos[1].(*Columna))
}

func comparar(l *Lote, op Comparador, a, b *Columna) *Columna {
	if a.Clase == ClaseMixta || b.Clase == ClaseMixta || a.Constante && b.Constante {
		return compararFilas(l, op, a, b)
	}
	if a.familia() != b.familia() {
		l.Fallar(0, errorDeComparacion(op, a.Valor(0), b.Valor(0)))
		return columnaNula
	}
	if (op == Igual || op == Distinto) && (a.Clase == ClaseFlotantes || b.Clase == ClaseFlotantes) {
		l.Fallar(0, errorDeComparacion(op, a.Valor(0), b.Valor(0)))
		return columnaNula
	}
	d := l.Columna(ClaseBooleanos)
	switch {
	case a.Clase == ClaseEnteros && b.Clase == ClaseEnteros:
		compararTipo(op, d.Booleanos, a.Enteros, b.Enteros, a.Constante, b.Constante)
	case a.Clase == ClaseFlotantes && b.Clase == ClaseFlotantes:
		compararTipo(op, d.Booleanos, a.Flotantes, b.Flotantes, a.Constante, b.Constante)
	case a.Clase == ClaseTextos:
		compararTextos(l, op, d.Booleanos, a.Textos, b.Textos, a.Constante, b.Constante)
	case a.Clase == ClaseBooleanos:
		compararTipo(op, d.Booleanos, a.Booleanos, b.Booleanos, a.Constante, b.Constante)
	case a.Clase == ClaseEnteros:
		compararMixto(op, d.Booleanos, a.Enteros, b.Flotantes, a.Constante, b.Constante)
	default:
		compararMixto(espejo(op), d.Booleanos, b.Enteros, a.Flotantes, b.Constante, a.Constante)
	}
	return d
}

// espejo is the comparator that says the same with the operands swapped.
func espejo(op Comparador) Comparador {
	switch op {
	case Menor:
		return Mayor
	case MenorIgual:
		return MayorIgual
	case Mayor:
		return Menor
	case MayorIgual:
		return MenorIgual
	default:
		return op
	}
}

// compararTipo compares two columns of one type; at most one is constant.
func compararTipo[T cmp.Ordered](op Comparador, d []uint8, a, b []T, ca, cb bool) {
	switch {
	case cb:
		compararConUno(op, d, a, b[0])
	case ca:
		compararConUno(espejo(op), d, b, a[0])
	default:
		compararDeADos(op, d, a, b)
	}
}

// compararTextos compares a few rows at a time, since a row may take a million
// times longer than another.
func compararTextos(l *Lote, op Comparador, d []uint8, a, b []string, ca, cb bool) {
	const filas = 64
	for desde := 0; desde < len(d); desde += filas {
		hasta := min(desde+filas, len(d))
		if !l.gastarTextos(desde, hasta, a, b, ca, cb) {
			return
		}
		x, y := a, b
		if !ca {
			x = a[desde:hasta]
		}
		if !cb {
			y = b[desde:hasta]
		}
		compararTipo(op, d[desde:hasta], x, y, ca, cb)
	}
}

// One loop for each comparator, so that the inner one has nothing to decide.

func compararConUno[T cmp.Ordered](op Comparador, d []uint8, a []T, v T) {
	a = a[:len(d)]
	switch op {
	case Igual:
		for i, x := range a {
			d[i] = bit(x == v)
		}
	case Distinto:
		for i, x := range a {
			d[i] = bit(x != v)
		}
	case Menor:
		for i, x := range a {
			d[i] = bit(x < v)
		}
	case MenorIgual:
		for i, x := range a {
			d[i] = bit(x <= v)
		}
	case Mayor:
		for i, x := range a {
			d[i] = bit(x > v)
		}
	default:
		for i, x := range a {
			d[i] = bit(x >= v)
		}
	}
}

func compararDeADos[T cmp.Ordered](op Comparador, d []uint8, a, b []T) {
	a, b = a[:len(d)], b[:len(d)]
	switch op {
	case Igual:
		for i, x := range a {
			d[i] = bit(x == b[i])
		}
	case Distinto:
		for i, x := range a {
			d[i] = bit(x != b[i])
		}
	case Menor:
		for i, x := range a {
			d[i] = bit(x < b[i])
		}
	case MenorIgual:
		for i, x := range a {
			d[i] = bit(x <= b[i])
		}
	case Mayor:
		for i, x := range a {
			d[i] = bit(x > b[i])
		}
	default:
		for i, x := range a {
			d[i] = bit(x >= b[i])
		}
	}
}

// compararMixto orders integers against floats by exact value.
func compararMixto(op Comparador, d []uint8, a []int64, b []float64, ca, cb bool) {
	for i := range d {
		x, y := 0, 0
		if !ca {
			x = i
		}
		if !cb {
			y = i
		}
		d[i] = bit(cumple(op, ordenEnteroFlotante(a[x], b[y])))
	}
}

// ordenEnteroFlotante compares without rounding the integer. f is finite.
func ordenEnteroFlotante(n int64, f float64) int {
	switch {
	case f >= 1<<63:
		return -1
	case f < -(1 << 63):
		return 1
	}
	entera := math.Trunc(f)
	if c := cmp.Compare(n, int64(entera)); c != 0 {
		return c
	}
	return cmp.Compare(0, f-entera)
}

// compararFilas compares value by value.
func compararFilas(l *Lote, op Comparador, a, b *Columna) *Columna {
	n := l.n
	if a.Constante && b.Constante {
		n = 1
	}
	d := l.columnaDe(ClaseBooleanos, n)
	d.Constante = a.Constante && b.Constante
	for i := range n {
		x, y := a.Valor(i), b.Valor(i)
		if largo := largoComparado(x, y); largo > largoLibre {
			veces := 1
			if d.Constante {
				veces = l.n
			}
			if !l.gastarLargos(i, largo, pasosDeLargo(largo)*int64(veces)) {
				break
			}
		}
		o, err := orden(op, x, y)
		if err != nil {
			l.Fallar(i, err)
			break
		}
		d.Booleanos[i] = bit(cumple(op, o))
	}
	return d
}

// cumple reports whether an order satisfies a comparator.
func cumple(op Comparador, orden int) bool {
	switch op {
	case Igual:
		return orden == 0
	case Distinto:
		return orden != 0
	case Menor:
		return orden < 0
	case MenorIgual:
		return orden <= 0
	case Mayor:
		return orden > 0
	default:
		return orden >= 0
	}
}

// orden compares two values under the rules of lenguaje §3, or says why they
// do not compare with op.
func orden(op Comparador, a, b Valor) (int, error) {
	if err := errorDeComparacion(op, a, b); err != nil {
		return 0, err
	}
	return ordenDeFamilia(a, b), nil
}

// errorDeComparacion returns the error of comparing a with b, nil if none.
func errorDeComparacion(op Comparador, a, b Valor) error {
	fa, fb := a.Familia(), b.Familia()
	switch {
	case fa == FamiliaNula || fb == FamiliaNula:
		return fallo(ClaseNulo, "«%s» compara %s con %s: un nulo (un campo o una columna que no está) no se compara", op, citarValor(a), citarValor(b))
	case fa == FamiliaHecho || fb == FamiliaHecho || fa != fb:
		return fallo(ClaseFamilias, "«%s» compara %s con %s: son de familias distintas o no son escalares", op, conFamilia(a), conFamilia(b))
	}
	if op == Igual || op == Distinto {
		_, af := a.(Flotante)
		_, bf := b.(Flotante)
		if af || bf {
			return fallo(ClaseIgualdadFlotante, "«%s» compara %s con %s: la igualdad exacta entre flotantes no se usa; compará con una tolerancia, con cerca()", op, citarValor(a), citarValor(b))
		}
	}
	return nil
}

// ordenDeFamilia orders two values of one family that compares.
func ordenDeFamilia(a, b Valor) int {
	switch x := a.(type) {
	case Texto:
		return cmp.Compare(x, b.(Texto))
	case Booleano:
		return int(bit(bool(x))) - int(bit(bool(b.(Booleano))))
	case Flotante:
		if y, ok := b.(Flotante); ok {
			return cmp.Compare(x, y)
		}
		return -ordenEnteroValor(b.(Entero), float64(x))
	case Entero:
		if y, ok := b.(Flotante); ok {
			return ordenEnteroValor(x, float64(y))
		}
		return ordenEnteros(x, b.(Entero))
	}
	return 0
}

func ordenEnteros(a, b Entero) int {
	switch {
	case a.grande == nil && b.grande == nil:
		return cmp.Compare(a.chico, b.chico)
	case a.grande == nil:
		return -b.grande.Sign()
	case b.grande == nil:
		return a.grande.Sign()
	default:
		return a.grande.Cmp(b.grande)
	}
}

func ordenEnteroValor(e Entero, f float64) int {
	if e.grande == nil {
		return ordenEnteroFlotante(e.chico, f)
	}
	// Exact: the precision of a big.Float set from an integer is its length.
	return new(big.Float).SetInt(e.grande).Cmp(big.NewFloat(f))
}
