package escalares

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Procedencia is the provenance of the built-in scalars.
const Procedencia = algebra.ProcedenciaInterna

// Internas returns the registry of the five built-in scalars (escalares §1).
func Internas() *Registro {
	dos := func(nombre string, f func(*algebra.Lote, []*algebra.Columna) *algebra.Columna) *algebra.Escalar {
		return &algebra.Escalar{Nombre: nombre, Min: 2, Max: 2, Procedencia: Procedencia, Aplicar: f}
	}
	r, err := (*Registro)(nil).Con(
		dos("mas", aritmetica{"mas", masEntero, masFlotante, (*big.Int).Add}.aplicar),
		dos("menos", aritmetica{"menos", menosEntero, menosFlotante, (*big.Int).Sub}.aplicar),
		dos("por", aritmetica{"por", porEntero, porFlotante, (*big.Int).Mul}.aplicar),
		dos("cerca", aritmetica{"cerca", cercaEntero, cercaFlotante, distancia}.aplicar),
		dos("contiene", contiene),
	)
	if err != nil {
		panic(err) // the five names are well formed and distinct
	}
	return r
}

// aritmetica is a scalar over two numbers. The loops report false, and what
// they wrote does not count, when some result does not fit its type.
type aritmetica struct {
	nombre    string
	enteros   func(d, a, b []int64, ma, mb int) bool
	flotantes func(d, a, b []float64, ma, mb int) bool
	grandes   func(d, a, b *big.Int) *big.Int
}

// aplicar computes a batch: over columns of one type when nothing in them can
// fail, value by value otherwise.
func (op aritmetica) aplicar(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
	a, b := args[0], args[1]
	ma, mb := indices(a), indices(b)
	switch {
	case a.Clase == algebra.ClaseEnteros && b.Clase == algebra.ClaseEnteros && l.Limites().BitsDeEntero >= 64:
		d := l.Columna(algebra.ClaseEnteros)
		if op.enteros(d.Enteros, a.Enteros, b.Enteros, ma, mb) {
			return d
		}
	case a.Clase == algebra.ClaseFlotantes && b.Clase == algebra.ClaseFlotantes:
		d := l.Columna(algebra.ClaseFlotantes)
		if op.flotantes(d.Flotantes, a.Flotantes, b.Flotantes, ma, mb) {
			return d
		}
	case op.nombre == "mas" && a.Clase == algebra.ClaseTextos && b.Clase == algebra.ClaseTextos:
		return concatenar(l, a, b, ma, mb)
	}
	return op.porFilas(l, a, b)
}

// indices is the mask that turns a row into an index of the column: a constant
// one is always read at 0.
func indices(c *algebra.Columna) int {
	if c.Constante {
		return 0
	}
	return -1
}

func masEntero(d, a, b []int64, ma, mb int) bool {
	var desborde int64
	for i := range d {
		x, y := a[i&ma], b[i&mb]
		s := x + y
		desborde |= (x ^ s) & (y ^ s)
		d[i] = s
	}
	return desborde >= 0
}

func menosEntero(d, a, b []int64, ma, mb int) bool {
	var desborde int64
	for i := range d {
		x, y := a[i&ma], b[i&mb]
		s := x - y
		desborde |= (x ^ y) & (x ^ s)
		d[i] = s
	}
	return desborde >= 0
}

func porEntero(d, a, b []int64, ma, mb int) bool {
	// Two factors of 32 bits always fit; only when some is larger is each
	// product checked.
	var grandes uint64
	for i := range d {
		x, y := a[i&ma], b[i&mb]
		grandes |= (uint64(x)+1<<31)>>32 | (uint64(y)+1<<31)>>32
		d[i] = x * y
	}
	if grandes == 0 {
		return true
	}
	for i := range d {
		x, y := a[i&ma], b[i&mb]
		alto, bajo := bits.Mul64(uint64(x), uint64(y))
		// From the unsigned product to the signed one.
		s := int64(alto) - (x>>63)&y - (y>>63)&x
		if s != int64(bajo)>>63 {
			return false
		}
	}
	return true
}

func cercaEntero(d, a, b []int64, ma, mb int) bool {
	if !menosEntero(d, a, b, ma, mb) {
		return false
	}
	for i, x := range d {
		if x == math.MinInt64 {
			return false
		}
		if x < 0 {
			d[i] = -x
		}
	}
	return true
}

func distancia(d, a, b *big.Int) *big.Int { return d.Abs(d.Sub(a, b)) }

// finitos reports whether every value is: the sum of x-x is NaN unless it is.
func finitos(d []float64) bool {
	var s float64
	for _, x := range d {
		s += x - x
	}
	return s == 0
}

func masFlotante(d, a, b []float64, ma, mb int) bool {
	for i := range d {
		d[i] = a[i&ma] + b[i&mb]
	}
	return finitos(d)
}

func menosFlotante(d, a, b []float64, ma, mb int) bool {
	for i := range d {
		d[i] = a[i&ma] - b[i&mb]
	}
	return finitos(d)
}

func porFlotante(d, a, b []float64, ma, mb int) bool {
	for i := range d {
		d[i] = a[i&ma] * b[i&mb]
	}
	return finitos(d)
}

func cercaFlotante(d, a, b []float64, ma, mb int) bool {
	for i := range d {
		d[i] = math.Abs(a[i&ma] - b[i&mb])
	}
	return finitos(d)
}

func concatenar(l *algebra.Lote, a, b *algebra.Columna, ma, mb int) *algebra.Columna {
	d := l.Columna(algebra.ClaseTextos)
	for i := range d.Textos {
		x, y := a.Textos[i&ma], b.Textos[i&mb]
		if !cabe(l, i, len(x)+len(y)) {
			break
		}
		d.Textos[i] = x + y
	}
	return d
}

// cabe checks the size of a text about to be made and accounts for it.
func cabe(l *algebra.Lote, fila, largo int) bool {
	if tope := l.Limites().TamanoDeValor; int64(largo) > tope {
		l.Fallar(fila, &algebra.LimiteError{Nombre: algebra.LimiteTamanoDeValor, Observado: int64(largo), Limite: tope})
		return false
	}
	return l.Trabajar(fila, largo) && l.Cobrar(fila, int64(largo))
}

// porFilas computes value by value, for mixed columns and results that
// overflow 64 bits.
func (op aritmetica) porFilas(l *algebra.Lote, a, b *algebra.Columna) *algebra.Columna {
	d := l.Columna(algebra.ClaseMixta)
	c := cuenta{aritmetica: op, limites: l.Limites()}
	for i := range d.Mixta {
		x, y := a.Valor(i), b.Valor(i)
		if tx, ok := x.(algebra.Texto); ok && op.nombre == "mas" {
			if ty, ok := y.(algebra.Texto); ok {
				if !cabe(l, i, len(tx)+len(ty)) {
					break
				}
				d.Mixta[i] = tx + ty
				continue
			}
		}
		v, err := c.numeros(x, y)
		if err != nil {
			l.Fallar(i, err)
			break
		}
		if e, ok := v.(algebra.Entero); ok && e.Bits() > 64 && !l.Cobrar(i, int64(e.Bits()/8+32)) {
			break
		}
		d.Mixta[i] = v
	}
	return d
}

// cuenta computes pairs one at a time, in room of its own for the loops over
// columns.
type cuenta struct {
	aritmetica
	limites *algebra.LimitesAlgebra
	n       [3][1]int64
	f       [3][1]float64
}

// numeros computes one pair.
func (c *cuenta) numeros(x, y algebra.Valor) (algebra.Valor, error) {
	ex, enteroX := x.(algebra.Entero)
	ey, enteroY := y.(algebra.Entero)
	if enteroX && enteroY {
		return c.dosEnteros(ex, ey)
	}
	if x.Familia() != algebra.FamiliaNumero || y.Familia() != algebra.FamiliaNumero {
		forma := "dos números"
		if c.nombre == "mas" {
			forma = "dos números o dos textos"
		}
		return nil, rechazo(c.nombre, forma, x, y)
	}
	c.f[1][0], c.f[2][0] = flotante(x), flotante(y)
	if !c.flotantes(c.f[0][:], c.f[1][:], c.f[2][:], 0, 0) {
		return nil, &algebra.ErrorDeEvaluacion{Clase: algebra.ClaseNoFinito, Motivo: fmt.Sprintf("%s(%s, %s) no es finito", c.nombre, citar(x), citar(y))}
	}
	return algebra.Flotante(c.f[0][0]), nil
}

func (c *cuenta) dosEnteros(x, y algebra.Entero) (algebra.Valor, error) {
	nx, chicoX := x.Int64()
	ny, chicoY := y.Int64()
	if chicoX && chicoY && c.limites.BitsDeEntero >= 64 {
		c.n[1][0], c.n[2][0] = nx, ny
		if c.enteros(c.n[0][:], c.n[1][:], c.n[2][:], 0, 0) {
			return algebra.NuevoEntero(c.n[0][0]), nil
		}
	}
	e := algebra.EnteroDe(c.grandes(new(big.Int), x.Big(), y.Big()))
	if b := int64(e.Bits()); b > c.limites.BitsDeEntero {
		return nil, &algebra.LimiteError{Nombre: algebra.LimiteBitsDeEntero, Observado: b, Limite: c.limites.BitsDeEntero}
	}
	return e, nil
}

// flotante converts a number to the nearest float, infinite when too large.
func flotante(v algebra.Valor) float64 {
	if f, ok := v.(algebra.Flotante); ok {
		return float64(f)
	}
	e := v.(algebra.Entero)
	if n, ok := e.Int64(); ok {
		return float64(n)
	}
	f, _ := new(big.Float).SetInt(e.Big()).Float64()
	return f
}

// rechazo is the error of a scalar given what it does not take.
func rechazo(nombre, forma string, args ...algebra.Valor) error {
	var textos []string
	for _, v := range args {
		textos = append(textos, fmt.Sprintf("%s (%s)", citar(v), v.Familia()))
	}
	return &algebra.ErrorDeEvaluacion{Clase: algebra.ClaseEscalar,
		Motivo: fmt.Sprintf("%s lleva %s; recibió %s", nombre, forma, strings.Join(textos, " y "))}
}

func citar(v algebra.Valor) string {
	if v.Familia() == algebra.FamiliaHecho {
		return "un hecho"
	}
	return algebra.Citar(string(algebra.AppendJSON(nil, v)))
}

// contiene reports whether the first text contains the second.
func contiene(l *algebra.Lote, args []*algebra.Columna) *algebra.Columna {
	a, b := args[0], args[1]
	d := l.Columna(algebra.ClaseBooleanos)
	if a.Clase == algebra.ClaseTextos && b.Clase == algebra.ClaseTextos {
		ma, mb := indices(a), indices(b)
		for i := range d.Booleanos {
			texto := a.Textos[i&ma]
			if !l.Trabajar(i, len(texto)) {
				break
			}
			d.Booleanos[i] = 0
			if strings.Contains(texto, b.Textos[i&mb]) {
				d.Booleanos[i] = 1
			}
		}
		return d
	}
	for i := range d.Booleanos {
		x, okX := a.Valor(i).(algebra.Texto)
		y, okY := b.Valor(i).(algebra.Texto)
		if !okX || !okY {
			l.Fallar(i, rechazo("contiene", "un texto y una aguja", a.Valor(i), b.Valor(i)))
			break
		}
		if !l.Trabajar(i, len(x)) {
			break
		}
		d.Booleanos[i] = 0
		if strings.Contains(string(x), string(y)) {
			d.Booleanos[i] = 1
		}
	}
	return d
}
