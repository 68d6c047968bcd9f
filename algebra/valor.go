package algebra

import (
	"math"
	"math/big"
	"strconv"
)

// Familia is the family of a value: two values compare only within one
// (lenguaje §3). The zero value is FamiliaNula.
type Familia uint8

// The families a value can have. Null and facts belong to none that compares.
const (
	FamiliaNula Familia = iota
	FamiliaNumero
	FamiliaTexto
	FamiliaBooleana
	FamiliaHecho
)

// String returns the family's name as messages spell it.
func (f Familia) String() string {
	switch f {
	case FamiliaNumero:
		return "número"
	case FamiliaTexto:
		return "texto"
	case FamiliaBooleana:
		return "booleano"
	case FamiliaHecho:
		return "hecho"
	default:
		return "nulo"
	}
}

// Valor is a value of the language: [Entero], [Flotante], [Texto],
// [Booleano], [Nulo] or [Hecho]. Values are immutable and the set is sealed.
type Valor interface {
	// Familia tells which values this one may be compared with.
	Familia() Familia
	valor()
}

// Entero is an exact integer of any size up to the limit bits_de_entero. The
// zero value is 0. Whatever fits in 64 bits is kept there, so two equal
// integers always have the same representation.
type Entero struct {
	chico  int64
	grande *big.Int // nil when the integer fits in chico; never modified
}

// Flotante is a 64-bit float. Evidence holds only finite ones; a canonical
// form may hold an infinite one until [Cargar] rejects it.
type Flotante float64

// Texto is a sequence of Unicode scalar values in UTF-8.
type Texto string

// Booleano is true or false; it is not a number.
type Booleano bool

// Nulo is the value of a field or column that is not there, and of the
// literal null. It can only be a group key or the argument of a scalar.
type Nulo struct{}

// Hecho is one row of a relation handed whole to a scalar. The zero value is
// a fact without fields.
type Hecho struct {
	relacion *Relacion
	fila     int
}

var (
	_ Valor = Entero{}
	_ Valor = Flotante(0)
	_ Valor = Texto("")
	_ Valor = Booleano(false)
	_ Valor = Nulo{}
	_ Valor = Hecho{}
)

// Familia implements [Valor].
func (Entero) Familia() Familia { return FamiliaNumero }

// Familia implements [Valor].
func (Flotante) Familia() Familia { return FamiliaNumero }

// Familia implements [Valor].
func (Texto) Familia() Familia { return FamiliaTexto }

// Familia implements [Valor].
func (Booleano) Familia() Familia { return FamiliaBooleana }

// Familia implements [Valor].
func (Nulo) Familia() Familia { return FamiliaNula }

// Familia implements [Valor].
func (Hecho) Familia() Familia { return FamiliaHecho }

func (Entero) valor()   {}
func (Flotante) valor() {}
func (Texto) valor()    {}
func (Booleano) valor() {}
func (Nulo) valor()     {}
func (Hecho) valor()    {}

// NuevoEntero returns the integer n.
func NuevoEntero(n int64) Entero { return Entero{chico: n} }

// EnteroDe returns the integer n, copying it. A nil n is 0.
func EnteroDe(n *big.Int) Entero {
	switch {
	case n == nil:
		return Entero{}
	case n.IsInt64():
		return Entero{chico: n.Int64()}
	default:
		return Entero{grande: new(big.Int).Set(n)}
	}
}

// enteroPropio is EnteroDe for a big integer nobody else holds.
func enteroPropio(n *big.Int) Entero {
	if n.IsInt64() {
		return Entero{chico: n.Int64()}
	}
	return Entero{grande: n}
}

// Int64 returns the integer and whether it fits in 64 bits.
func (e Entero) Int64() (int64, bool) { return e.chico, e.grande == nil }

// Big returns a new big integer with the same value; the caller owns it.
func (e Entero) Big() *big.Int {
	if e.grande != nil {
		return new(big.Int).Set(e.grande)
	}
	return big.NewInt(e.chico)
}

// Bits returns the length of the absolute value in bits; 0 has none.
func (e Entero) Bits() int {
	if e.grande != nil {
		return e.grande.BitLen()
	}
	return big.NewInt(e.chico).BitLen()
}

// String returns the decimal digits.
func (e Entero) String() string {
	if e.grande != nil {
		return e.grande.String()
	}
	return strconv.FormatInt(e.chico, 10)
}

// Relacion returns the relation the fact belongs to, nil for the zero Hecho.
func (h Hecho) Relacion() *Relacion { return h.relacion }

// Campo returns the value of a field and whether the fact has it.
func (h Hecho) Campo(nombre string) (Valor, bool) {
	if h.relacion == nil {
		return nil, false
	}
	return h.relacion.Valor(h.fila, nombre)
}

// Campos returns the names of the fields the fact has, by code point.
func (h Hecho) Campos() []string {
	if h.relacion == nil {
		return nil
	}
	return h.relacion.CamposDeFila(h.fila)
}

// esFinito reports whether f is neither infinite nor NaN.
func esFinito(f float64) bool { return !math.IsInf(f, 0) && !math.IsNaN(f) }

// Identico reports whether a and b are the same value of the same type:
// NuevoEntero(1) and Flotante(1) are not, 0.0 and -0.0 are not, and a fact is
// identical to itself. It is the equality of forms, not the language's «==».
func Identico(a, b Valor) bool {
	switch x := a.(type) {
	case Entero:
		y, ok := b.(Entero)
		if !ok || (x.grande == nil) != (y.grande == nil) {
			return false
		}
		if x.grande != nil {
			return x.grande.Cmp(y.grande) == 0
		}
		return x.chico == y.chico
	case Flotante:
		y, ok := b.(Flotante)
		return ok && math.Float64bits(float64(x)) == math.Float64bits(float64(y))
	default:
		return a == b
	}
}
