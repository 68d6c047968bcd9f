package algebra

import "sync"

// Comparador is one of «== != < <= > >=».
type Comparador string

// The six comparators.
const (
	Igual      Comparador = "=="
	Distinto   Comparador = "!="
	Menor      Comparador = "<"
	MenorIgual Comparador = "<="
	Mayor      Comparador = ">"
	MayorIgual Comparador = ">="
)

// Valido reports whether c is one of the six.
func (c Comparador) Valido() bool {
	switch c {
	case Igual, Distinto, Menor, MenorIgual, Mayor, MayorIgual:
		return true
	}
	return false
}

// Funcion is an aggregate: «contar», «suma», «promedio», «min» or «max».
type Funcion string

// The five aggregates (lenguaje §4).
const (
	Contar   Funcion = "contar"
	Suma     Funcion = "suma"
	Promedio Funcion = "promedio"
	Minimo   Funcion = "min"
	Maximo   Funcion = "max"
)

// Valida reports whether f is one of the five.
func (f Funcion) Valida() bool {
	switch f {
	case Contar, Suma, Promedio, Minimo, Maximo:
		return true
	}
	return false
}

// SinDeclarar is the value of «segun» and «ambito» that says nothing.
const SinDeclarar = "sin_declarar"

// Medida is a measure that passed every load check (lenguaje §2). It is
// immutable and safe for concurrent use; only [Cargar] builds one.
type Medida struct {
	ID       string
	Fuente   Fuente
	Pasos    []Paso
	Resumen  Resumen
	Umbral   Umbral
	Requiere []Requisito // nil when there is none
	Ambito   string      // universal, del_origen or sin_declarar
	Alcance  string

	canonica Nodo

	compilar  sync.Once // fills the two below
	compilado *plan
	falla     error
}

// Canonica returns the form as it is published and signed: «umbral» of five
// elements, «requiere» and «ambito» left out when there are none.
func (m *Medida) Canonica() Nodo { return m.canonica }

// Resumen is the last reduction: an aggregate over the witnesses.
type Resumen struct {
	Funcion Funcion
	Expr    Expr
}

// Umbral is the threshold. Limite is a finite number, a text or a boolean.
type Umbral struct {
	Op     Comparador
	Limite Valor
	Porque string
	Segun  string // medicion, contrato, convencion, tanteo or sin_declarar
}

// Requisito is one entry of «requiere». A plain entry has neither Alias nor
// Condicion.
type Requisito struct {
	Relacion  string
	Alias     string
	Condicion Expr // nil for a plain entry
	Ruta      Ruta
}

// Fuente is [*De] or [*Unir].
type Fuente interface{ fuente() }

// De is a relation under an alias.
type De struct{ Relacion, Alias string }

// Unir is the cartesian product of two sources, left outermost.
type Unir struct{ Izq, Der Fuente }

func (*De) fuente()   {}
func (*Unir) fuente() {}

// Paso is [*Donde], [*Sin] or [*Agrupar].
type Paso interface{ paso() }

// Donde keeps the rows that satisfy a condition.
type Donde struct{ Condicion Expr }

// Sin keeps the rows for which no row of a relation satisfies a condition.
type Sin struct {
	De        De
	Condicion Expr
}

// Agrupar makes one row of each combination of keys.
type Agrupar struct {
	Claves    []Clave
	Agregados []Agregado
}

// Clave is a named group key.
type Clave struct {
	Nombre string
	Expr   Expr
}

// Agregado is a named aggregate of a group.
type Agregado struct {
	Nombre  string
	Funcion Funcion
	Expr    Expr
}

func (*Donde) paso()   {}
func (*Sin) paso()     {}
func (*Agrupar) paso() {}

// Expr is an expression: [*Literal], [*Campo], [*HechoDe], [*Col],
// [*Comparacion], [*Logico] or [*Llamada] (lenguaje §3).
type Expr interface{ expr() }

// Literal is a number, text, boolean or null written in the form.
type Literal struct{ Valor Valor }

// Campo reads a field of the fact under an alias.
type Campo struct{ Alias, Nombre string }

// HechoDe is the whole fact under an alias.
type HechoDe struct{ Alias string }

// Col reads a column of a grouped row.
type Col struct{ Nombre string }

// Comparacion compares exactly two operands.
type Comparacion struct {
	Op       Comparador
	Izq, Der Expr
}

// Logico is «y» or «o» over two or more operands, or «no» over one. There is
// no short circuit.
type Logico struct {
	Op        string // y, o, no
	Operandos []Expr
}

// Llamada calls a declared scalar.
type Llamada struct {
	Escalar *Escalar
	Args    []Expr
}

func (*Literal) expr()     {}
func (*Campo) expr()       {}
func (*HechoDe) expr()     {}
func (*Col) expr()         {}
func (*Comparacion) expr() {}
func (*Logico) expr()      {}
func (*Llamada) expr()     {}

// AliasDe returns the aliases of a source from left to right.
func AliasDe(f Fuente) []De {
	var todos []De
	var bajar func(Fuente)
	bajar = func(f Fuente) {
		switch x := f.(type) {
		case *De:
			todos = append(todos, *x)
		case *Unir:
			bajar(x.Izq)
			bajar(x.Der)
		}
	}
	bajar(f)
	return todos
}

// Relaciones returns the relations of the measure's sources in order of
// appearance and without repeats, those of «sin» too (decisiones 10). The ones
// of «requiere» are not sources.
func (m *Medida) Relaciones() []string {
	var orden []string
	visto := map[string]bool{}
	poner := func(r string) {
		if !visto[r] {
			visto[r] = true
			orden = append(orden, r)
		}
	}
	for _, d := range AliasDe(m.Fuente) {
		poner(d.Relacion)
	}
	for _, p := range m.Pasos {
		if s, ok := p.(*Sin); ok {
			poner(s.De.Relacion)
		}
	}
	return orden
}
