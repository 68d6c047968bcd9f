package algebra

import (
	"fmt"

	"github.com/expr-lang/expr/ast"
	"github.com/expr-lang/expr/builtin"
	"github.com/expr-lang/expr/compiler"
	"github.com/expr-lang/expr/conf"
	"github.com/expr-lang/expr/parser"
	"github.com/expr-lang/expr/vm"
)

// programa is one expression compiled to one expr program. It is immutable
// and shared by every evaluation of its measure.
//
// The tree given to expr has, for every leaf and operator of the expression,
// one call to one of our functions over columns, with the run's frame and the
// node's number as first arguments; expr's optimizer is off and none of its
// operators ever sees a value of the user's (seguridad §3).
type programa struct {
	vm    *vm.Program
	nodos []nodo // in post-order: the order they run in
}

// nodo is what a function needs to know of the node it computes.
type nodo struct {
	funcion string // the name of the function in funciones
	ranura  int    // campo, hecho, col: the slot of the alias; -1 when the row has none
	alias   string
	nombre  string // campo, col
	literal *Columna
	op      Comparador
	escalar *Escalar
	hijos   []int // the nodes of the operands
}

// compilar compiles e for rows with the given aliases, in slot order. A
// grouped row has the single alias «_».
func compilar(e Expr, alias []string) (*programa, error) {
	p := &programa{}
	// A configuration with our functions and nothing else: no optimizer, no
	// short circuit and none of expr's own functions.
	config := &conf.Config{Functions: funciones}
	arbol, _ := p.arbol(e, alias)
	var err error
	if p.vm, err = compiler.Compile(&parser.Tree{Node: arbol}, config); err != nil {
		return nil, &ErrorInterno{Causa: fmt.Errorf("compilar la expresión: %w", err)}
	}
	return p, nil
}

// arbol builds the tree of e and numbers its nodes in post-order.
func (p *programa) arbol(e Expr, alias []string) (ast.Node, int) {
	n := nodo{ranura: -1}
	var operandos []Expr
	switch x := e.(type) {
	case *Literal:
		n.funcion, n.literal = "literal", constante(x.Valor)
	case *Campo:
		n.funcion, n.alias, n.nombre, n.ranura = "campo", x.Alias, x.Nombre, ranuraDe(alias, x.Alias)
	case *HechoDe:
		n.funcion, n.alias, n.ranura = "hecho", x.Alias, ranuraDe(alias, x.Alias)
	case *Col:
		n.funcion, n.nombre = "col", x.Nombre
		for i, a := range alias {
			if a == aliasDeGrupo {
				n.ranura = i
			}
		}
	case *Comparacion:
		n.funcion, n.op = nombreDeComparador(x.Op), x.Op
		operandos = []Expr{x.Izq, x.Der}
	case *Logico:
		n.funcion, operandos = x.Op, x.Operandos
	case *Llamada:
		n.funcion, n.escalar, operandos = "escalar", x.Escalar, x.Args
	}
	args := make([]ast.Node, 2, len(operandos)+2)
	for _, o := range operandos {
		a, i := p.arbol(o, alias)
		args = append(args, a)
		n.hijos = append(n.hijos, i)
	}
	i := len(p.nodos)
	p.nodos = append(p.nodos, n)
	args[0] = &ast.IdentifierNode{Value: "$env"}
	args[1] = &ast.IntegerNode{Value: i}
	return &ast.CallNode{Callee: &ast.IdentifierNode{Value: n.funcion}, Arguments: args}, i
}

// aliasDeGrupo is the reserved alias of the columns of a grouped row.
const aliasDeGrupo = "_"

// ranuraDe returns the slot of an alias, or -1. The reserved alias is not one
// an expression can read facts from.
func ranuraDe(alias []string, a string) int {
	if a == aliasDeGrupo {
		return -1
	}
	for i, x := range alias {
		if x == a {
			return i
		}
	}
	return -1
}

func nombreDeComparador(op Comparador) string {
	switch op {
	case Igual:
		return "igual"
	case Distinto:
		return "distinto"
	case Menor:
		return "menor"
	case MenorIgual:
		return "menor_igual"
	case Mayor:
		return "mayor"
	default:
		return "mayor_igual"
	}
}

// funciones are the functions a compiled program calls: the leaves and the
// operators of the language, each over columns.
var funciones = conf.FunctionsTable{
	"literal":     enExpr("literal", nodoLiteral),
	"campo":       enExpr("campo", nodoCampo),
	"col":         enExpr("col", nodoCol),
	"hecho":       enExpr("hecho", nodoHecho),
	"escalar":     enExpr("escalar", nodoEscalar),
	"igual":       enExpr("igual", nodoComparacion),
	"distinto":    enExpr("distinto", nodoComparacion),
	"menor":       enExpr("menor", nodoComparacion),
	"menor_igual": enExpr("menor_igual", nodoComparacion),
	"mayor":       enExpr("mayor", nodoComparacion),
	"mayor_igual": enExpr("mayor_igual", nodoComparacion),
	"y":           enExpr("y", nodoLogico),
	"o":           enExpr("o", nodoLogico),
	"no":          enExpr("no", nodoLogico),
}

// enExpr makes one of ours a function of expr. The operands are columns.
func enExpr(nombre string, f func(m *marco, i int, operandos []any) *Columna) *builtin.Function {
	return &builtin.Function{Name: nombre, Func: func(a ...any) (any, error) {
		return f(a[0].(*marco), a[1].(int), a[2:]), nil
	}}
}

// marco is the frame one goroutine runs a program in: the batch, the columns
// the leaves read and the scratch of every node.
type marco struct {
	*programa
	lote   *Lote
	vistas []vista // one for each slot
	// campos are the columns of the leaves in the relations now under their
	// aliases, nil where the relation has no such field.
	campos []*campoLeido
	hojas  []Columna // headers over a relation's own values
	borrar []Columna // columns the nodes compute into
	args   [][]*Columna
	vm     vm.VM
}

// vista says which rows of a relation a slot shows in a batch.
type vista struct {
	modo  modoDeVista
	desde int     // rango: first row; fija: the row
	filas []int32 // indices: one for each row of the batch
}

type modoDeVista uint8

const (
	vistaRango   modoDeVista = iota // consecutive rows from desde
	vistaFija                       // the same row all along
	vistaIndices                    // the rows listed
)

// nuevoMarco binds the program to the relations under its aliases.
func nuevoMarco(p *programa, l *Lote, relaciones []*Relacion, vistas []vista) *marco {
	n := len(p.nodos)
	m := &marco{programa: p, lote: l, vistas: vistas,
		campos: make([]*campoLeido, n), hojas: make([]Columna, n), borrar: make([]Columna, n), args: make([][]*Columna, n)}
	for i, x := range p.nodos {
		if (x.funcion == "campo" || x.funcion == "col") && x.ranura >= 0 {
			r := relaciones[x.ranura]
			if c, ok := r.buscar(x.nombre); ok {
				m.campos[i] = r.campos[c].resuelto(r.n)
			}
		}
		if x.funcion == "escalar" {
			m.args[i] = make([]*Columna, len(x.hijos))
		}
	}
	return m
}

// correr runs the program over the batch. The column is the caller's until the
// next run; its rows from [Lote.N] on mean nothing.
func (m *marco) correr() (*Columna, error) {
	l := m.lote
	l.borrar = m.borrar
	salida, err := m.vm.Run(m.programa.vm, m)
	if err != nil {
		return nil, &ErrorInterno{Causa: err, Traza: err.Error()}
	}
	return salida.(*Columna), nil
}

// empezar charges a node's step and makes its scratch the batch's current one.
// It reports false when nothing is left to compute.
func (m *marco) empezar(i int) bool {
	l := m.lote
	l.nodo = i
	if l.contar && l.n > 0 {
		if l.pasos == 0 {
			l.Fallar(0, l.sinPasos())
			return false
		}
		l.pasos--
	}
	return l.n > 0
}
