// Package python reads the part of Python that a file of scalars is written
// in: functions, constants, expressions. It is for translating, not for
// running: annotations are dropped while reading, and a statement that can
// never be translated becomes a [NoPortable] that says so, so that one reading
// finds them all.
//
// [Leer] returns the tree and the comments. Positions count from one, the
// column in code points.
package python

import "fmt"

// Pos is a place in the file.
type Pos struct{ Linea, Columna int }

// Lugar returns the position itself.
func (p Pos) Lugar() Pos { return p }

// Error is text that is not Python, or not of the part that is read.
type Error struct {
	Pos
	Motivo string // in Spanish, without a final period
}

// Error returns the place and the reason.
func (e *Error) Error() string {
	return fmt.Sprintf("línea %d, columna %d: %s", e.Linea, e.Columna, e.Motivo)
}

// Expr is an expression.
type Expr interface {
	Lugar() Pos
	expr()
}

// Expressions. The fields are what the grammar says; a nil Expr is an optional
// part that is not there.
type (
	Nombre struct {
		Pos
		Id string
	}
	// Numero is a literal; Texto is how Go writes the same value, and Flotante
	// says which kind it is.
	Numero struct {
		Pos
		Texto    string
		Flotante bool
	}
	Texto struct {
		Pos
		Valor string
	}
	// Formateado is an f-string: Partes has a *Texto or a *Hueco each.
	Formateado struct {
		Pos
		Partes []Expr
	}
	// Hueco is a replacement field of an f-string.
	Hueco struct {
		Pos
		Valor      Expr
		Conversion string // what follows «!»
		Formato    string // what follows «:», as written
	}
	Constante struct {
		Pos
		Valor string // None, True or False
	}
	// Secuencia is a display; Clase is list, tuple or set.
	Secuencia struct {
		Pos
		Clase     string
		Elementos []Expr
	}
	Diccionario struct {
		Pos
		Claves, Valores []Expr // a nil key is a «**»
	}
	// Comprension is one of list, set, dict and generator. Valor is only of dict.
	Comprension struct {
		Pos
		Clase           string
		Elemento, Valor Expr
		Clausulas       []Clausula
	}
	Unario struct {
		Pos
		Op    string // - + ~ not
		Valor Expr
	}
	Binario struct {
		Pos
		Op       string
		Izq, Der Expr
	}
	// Logico is «and» or «or» of two or more.
	Logico struct {
		Pos
		Op      string
		Valores []Expr
	}
	// Comparacion is a chain: Izq Ops[0] Der[0] Ops[1] Der[1] …
	Comparacion struct {
		Pos
		Izq Expr
		Ops []string
		Der []Expr
	}
	Condicional struct {
		Pos
		Si, Entonces, Sino Expr
	}
	Lambda struct {
		Pos
		Parametros []Parametro
		Cuerpo     Expr
	}
	Llamada struct {
		Pos
		Funcion Expr
		Args    []Argumento
	}
	Atributo struct {
		Pos
		Valor  Expr
		Nombre string
	}
	Indice struct {
		Pos
		Valor, Indice Expr
	}
	Corte struct {
		Pos
		Valor, Desde, Hasta, Paso Expr
	}
)

// Clausula is a «for» of a comprehension with the «if» that follow it.
type Clausula struct {
	Pos
	Destino, Iterable Expr
	Condiciones       []Expr
}

// Argumento is an argument of a call: by position, by name, «*» or «**».
type Argumento struct {
	Pos
	Nombre    string
	Estrellas int
	Valor     Expr
}

// Parametro is a parameter. Estrellas is 1 for «*args», 2 for «**kwargs»; a
// lone «*» has no name. SoloNombre is after one of those.
type Parametro struct {
	Pos
	Nombre     string
	Estrellas  int
	SoloNombre bool
	Defecto    Expr
}

func (*Nombre) expr()      {}
func (*Numero) expr()      {}
func (*Texto) expr()       {}
func (*Formateado) expr()  {}
func (*Hueco) expr()       {}
func (*Constante) expr()   {}
func (*Secuencia) expr()   {}
func (*Diccionario) expr() {}
func (*Comprension) expr() {}
func (*Unario) expr()      {}
func (*Binario) expr()     {}
func (*Logico) expr()      {}
func (*Comparacion) expr() {}
func (*Condicional) expr() {}
func (*Lambda) expr()      {}
func (*Llamada) expr()     {}
func (*Atributo) expr()    {}
func (*Indice) expr()      {}
func (*Corte) expr()       {}

// Sentencia is a statement.
type Sentencia interface {
	Lugar() Pos
	sentencia()
}

// Statements.
type (
	Funcion struct {
		Pos
		Nombre      string
		Parametros  []Parametro
		Decoradores []Expr
		Cuerpo      []Sentencia
	}
	Retorno struct {
		Pos
		Valor Expr
	}
	Asignacion struct {
		Pos
		Destinos []Expr
		Valor    Expr
	}
	Aumento struct {
		Pos
		Destino Expr
		Op      string // without the «=»
		Valor   Expr
	}
	Si struct {
		Pos
		Condicion    Expr
		Cuerpo, Sino []Sentencia
	}
	Para struct {
		Pos
		Destino, Iterable Expr
		Cuerpo            []Sentencia
		ConSino           bool
	}
	Lanzar struct {
		Pos
		Valor Expr
	}
	Afirmar struct {
		Pos
		Condicion, Mensaje Expr
	}
	// Simple is pass, break or continue.
	Simple struct {
		Pos
		Palabra string
	}
	Suelta struct {
		Pos
		Valor Expr
	}
	// Importar is «import Modulo as Alias», or with Nombre «from Modulo import
	// Nombre as Alias».
	Importar struct {
		Pos
		Modulo, Nombre, Alias string
	}
	// NoPortable is a statement that has no translation.
	NoPortable struct {
		Pos
		Motivo string
	}
)

func (*Funcion) sentencia()    {}
func (*Retorno) sentencia()    {}
func (*Asignacion) sentencia() {}
func (*Aumento) sentencia()    {}
func (*Si) sentencia()         {}
func (*Para) sentencia()       {}
func (*Lanzar) sentencia()     {}
func (*Afirmar) sentencia()    {}
func (*Simple) sentencia()     {}
func (*Suelta) sentencia()     {}
func (*Importar) sentencia()   {}
func (*NoPortable) sentencia() {}

// Comentario is a comment, without its «#».
type Comentario struct {
	Pos
	Texto string
}

// Modulo is a file.
type Modulo struct {
	Cuerpo      []Sentencia
	Comentarios []Comentario
}
