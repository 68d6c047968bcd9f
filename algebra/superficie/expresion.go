package superficie

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// topeDeParentesis is how many parentheses may be open at once (lenguaje §6).
const topeDeParentesis = 200

// lector reads one text.
type lector struct {
	r      *Renglones
	macros *macro.Tabla
	lim    algebra.LimitesAlgebra

	// plantilla: inside a macro, where a hole may stand for an expression, a
	// text or a word, and not only for a name.
	plantilla bool

	nodos      int64 // leaves read, a lower bound of the nodes of the form
	abiertas   int64 // calls and negations being read
	parentesis int   // parentheses open

	notas []nota // how each line is printed, when the text is to be formatted
	anota bool
}

func (c *Cursor) lugar() lugar {
	c.Blancos()
	return lugar{c.r.Numero, c.r.inicio + c.i}
}

// volver puts the cursor back at a place of its line.
func (c *Cursor) volver(en lugar) { c.i = en.byte - c.r.inicio }

// errorEn is Error at a place of the cursor's line.
func (c *Cursor) errorEn(en lugar, esperado string) *ErrorDeSintaxis {
	d := *c
	d.volver(en)
	return d.Error(esperado)
}

// contarNodo accounts for one more leaf.
func (l *lector) contarNodo() error {
	if l.nodos++; l.nodos > l.lim.NodosDeMedida {
		return &algebra.LimiteError{Nombre: algebra.LimiteNodosDeMedida, Observado: l.nodos, Limite: l.lim.NodosDeMedida}
	}
	return nil
}

// abrir accounts for a call or a negation whose operands are about to be read;
// cerrar undoes it.
func (l *lector) abrir() error {
	if l.abiertas++; l.abiertas > l.lim.ProfundidadExpresion {
		return l.excesoDeProfundidad(l.abiertas)
	}
	return nil
}

func (l *lector) cerrar() { l.abiertas-- }

func (l *lector) excesoDeProfundidad(prof int64) error {
	return &algebra.LimiteError{Nombre: algebra.LimiteProfundidad, Observado: prof, Limite: l.lim.ProfundidadExpresion}
}

// llamada makes a call, one level deeper than its operands.
func (l *lector) llamada(en, enCabeza lugar, cabeza string, args ...pieza) (pieza, error) {
	p := lista(en, append([]pieza{hojaTexto(enCabeza, cabeza)}, args...)...)
	if p.prof++; p.prof > l.lim.ProfundidadExpresion {
		return pieza{}, l.excesoDeProfundidad(p.prof)
	}
	return p, l.contarNodo()
}

// expr reads an expression, from the loosest operator to the tightest: «o»,
// «y», «no», one comparator, «+ -», «*», primary.
func (l *lector) expr(c *Cursor) (pieza, error) {
	return l.nario(c, "o", func() (pieza, error) { return l.nario(c, "y", func() (pieza, error) { return l.negacion(c) }) })
}

// nario reads operands joined by a word into one node.
func (l *lector) nario(c *Cursor, op string, operando func() (pieza, error)) (pieza, error) {
	primero, err := operando()
	if err != nil {
		return pieza{}, err
	}
	args := []pieza{primero}
	enOp := lugar{}
	for {
		en := c.lugar()
		if !c.Palabra(op) {
			break
		}
		if len(args) == 1 {
			enOp = en
		}
		a, err := operando()
		if err != nil {
			return pieza{}, err
		}
		args = append(args, a)
	}
	if len(args) == 1 {
		return primero, nil
	}
	return l.llamada(primero.en, enOp, op, args...)
}

func (l *lector) negacion(c *Cursor) (pieza, error) {
	en := c.lugar()
	if !c.Palabra("no") {
		return l.comparacion(c)
	}
	if c.byteEn(0) == '.' { // a field of the alias «no»
		c.volver(en)
		return l.comparacion(c)
	}
	if err := l.abrir(); err != nil {
		return pieza{}, err
	}
	a, err := l.negacion(c)
	l.cerrar()
	if err != nil {
		return pieza{}, err
	}
	return l.llamada(en, en, "no", a)
}

func (l *lector) comparacion(c *Cursor) (pieza, error) {
	a, err := l.suma(c)
	if err != nil {
		return pieza{}, err
	}
	en := c.lugar()
	op, err := comparador(c)
	if op == "" || err != nil {
		return a, err
	}
	b, err := l.suma(c)
	if err != nil {
		return pieza{}, err
	}
	otro := c.lugar()
	switch op2, err := comparador(c); {
	case err != nil:
		return pieza{}, err
	case op2 != "":
		return pieza{}, c.errorEn(otro, "un solo comparador en cada comparación; para encadenar se usa «y»: a < b y b < c")
	}
	return l.llamada(a.en, en, op, a, b)
}

// comparador reads a comparator, "" when there is none.
func comparador(c *Cursor) (string, error) {
	c.Blancos()
	b, sigue := c.byteEn(0), c.byteEn(1)
	switch {
	case (b == '=' || b == '!' || b == '<' || b == '>') && sigue == '=':
		c.i += 2
		return string([]byte{b, '='}), nil
	case b == '<' || b == '>':
		c.i++
		return string(b), nil
	case b == '=':
		return "", c.Error("«==»: la igualdad se escribe con dos signos")
	case b == '!':
		return "", c.Error("«!=» para distinto, o «no» para negar")
	}
	return "", nil
}

func (l *lector) suma(c *Cursor) (pieza, error) {
	return l.izquierda(c, func() (string, bool) {
		switch c.ProximoByte() {
		case '+':
			return "mas", true
		case '-':
			return "menos", true
		}
		return "", false
	}, func() (pieza, error) {
		return l.izquierda(c, func() (string, bool) { return "por", c.ProximoByte() == '*' },
			func() (pieza, error) { return l.primario(c) })
	})
}

// izquierda reads operands joined by one-byte operators that associate to the
// left.
func (l *lector) izquierda(c *Cursor, operador func() (string, bool), operando func() (pieza, error)) (pieza, error) {
	a, err := operando()
	for err == nil {
		op, hay := operador()
		if !hay {
			break
		}
		en := c.lugar()
		c.i++
		var b pieza
		if b, err = operando(); err == nil {
			a, err = l.llamada(a.en, en, op, a, b)
		}
	}
	return a, err
}

const esperadoOperando = "un operando: un número, un texto, alias.campo, una columna, f(…) o un paréntesis"

func (l *lector) primario(c *Cursor) (pieza, error) {
	if err := l.contarNodo(); err != nil {
		return pieza{}, err
	}
	en := c.lugar()
	switch b := c.byteEn(0); {
	case b == '(':
		return l.entreParentesis(c)
	case b == '"':
		s, err := l.texto(c)
		return hojaTexto(en, s), err
	case b >= '0' && b <= '9' || b == '-' && c.byteEn(1) >= '0' && c.byteEn(1) <= '9':
		return l.numero(c)
	case b == '-':
		return pieza{}, c.Error("un operando; el signo de un número va pegado a él")
	case b == '$':
		return l.huecoDeExpresion(c)
	case esLetra(b):
		return l.nombrado(c)
	default:
		return pieza{}, l.errorDeNombre(c, esperadoOperando)
	}
}

func (l *lector) entreParentesis(c *Cursor) (pieza, error) {
	en := c.lugar()
	if l.parentesis++; l.parentesis > topeDeParentesis {
		return pieza{}, c.errorEn(en, "a lo sumo 200 paréntesis anidados")
	}
	c.i++
	p, err := l.expr(c)
	if err != nil {
		return pieza{}, err
	}
	if !c.Signo(")") {
		return pieza{}, l.errorDeOperador(c, "«)»")
	}
	l.parentesis--
	return p, nil
}

func (l *lector) texto(c *Cursor) (string, error) {
	s, err := c.TextoJSON()
	if err == nil && int64(len(s)) > l.lim.TamanoDeValor {
		err = &algebra.LimiteError{Nombre: algebra.LimiteTamanoDeValor, Observado: int64(len(s)), Limite: l.lim.TamanoDeValor}
	}
	return s, err
}

func (l *lector) numero(c *Cursor) (pieza, error) {
	en := c.lugar()
	desde := c.i
	if c.byteEn(0) == '-' {
		c.i++
	}
	c.i += largoDeNumero(c.r.Texto[c.i:])
	v, err := algebra.LeerNumero(c.r.Texto[desde:c.i], l.lim)
	if err != nil {
		return pieza{}, err
	}
	return hoja(en, v), nil
}

// nombrado reads what begins with an identifier: a literal, a field, a call, a
// fact or a column.
func (l *lector) nombrado(c *Cursor) (pieza, error) {
	en := c.lugar()
	s, _ := c.Identificador()
	if c.byteEn(0) == '.' {
		return l.campo(c, hojaTexto(en, s))
	}
	if err := l.sinAcento(c); err != nil {
		return pieza{}, err
	}
	switch s {
	case "true", "false":
		return hoja(en, algebra.Booleano(s == "true")), nil
	case "null":
		return hoja(en, nil), nil
	case "y", "o", "no":
		return pieza{}, c.errorEn(en, esperadoOperando)
	}
	if c.ProximoByte() == '(' {
		return l.llamadaConNombre(c, hojaTexto(en, s))
	}
	return l.llamada(en, en, "col", hojaTexto(en, s))
}

// campo reads «.campo» after an alias.
func (l *lector) campo(c *Cursor, alias pieza) (pieza, error) {
	c.i++
	if b := c.byteEn(0); !esLetra(b) && b != '$' {
		return pieza{}, l.errorDeNombre(c, "el nombre de un campo, pegado al punto")
	}
	nombre, err := l.nombre(c, "el nombre de un campo, pegado al punto")
	if err != nil {
		return pieza{}, err
	}
	return l.llamada(alias.en, alias.en, "campo", alias, nombre)
}

// huecoDeExpresion reads what begins with a hole: one that stands for a name
// goes anywhere, one for a whole expression only inside a macro.
func (l *lector) huecoDeExpresion(c *Cursor) (pieza, error) {
	h, err := l.nombre(c, "el nombre de un parámetro")
	if err != nil {
		return pieza{}, err
	}
	switch {
	case c.byteEn(0) == '.':
		return l.campo(c, h)
	case c.ProximoByte() == '(':
		return l.llamadaConNombre(c, h)
	case !l.plantilla:
		return pieza{}, c.errorEn(h.en, "una expresión; un hueco $x en su lugar sólo va dentro de una macro")
	}
	return h, nil
}

// llamadaConNombre reads the arguments of a call whose name was read.
func (l *lector) llamadaConNombre(c *Cursor, nombre pieza) (pieza, error) {
	cabeza, _ := nombre.nodo.Texto()
	switch cabeza {
	case "hecho", "col":
		c.Signo("(")
		a, err := l.nombre(c, map[string]string{"hecho": "el alias de un hecho", "col": "el nombre de una columna"}[cabeza])
		if err != nil {
			return pieza{}, err
		}
		if !c.Signo(")") {
			return pieza{}, c.Error("«)»")
		}
		return l.llamada(nombre.en, nombre.en, cabeza, a)
	case "campo":
		return pieza{}, c.errorEn(nombre.en, "un campo escrito alias.nombre")
	}
	args, err := l.argumentos(c)
	if err != nil {
		return pieza{}, err
	}
	p := lista(nombre.en, append([]pieza{nombre}, args...)...)
	if p.prof++; p.prof > l.lim.ProfundidadExpresion {
		return pieza{}, l.excesoDeProfundidad(p.prof)
	}
	return p, l.contarNodo()
}

// argumentos reads «(», expressions separated by commas, and «)».
func (l *lector) argumentos(c *Cursor) ([]pieza, error) {
	if err := l.abrir(); err != nil {
		return nil, err
	}
	defer l.cerrar()
	c.Signo("(")
	if c.Signo(")") {
		return nil, nil
	}
	var args []pieza
	for {
		a, err := l.expr(c)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
		if c.Signo(")") {
			return args, nil
		}
		if !c.Signo(",") {
			return nil, l.errorDeOperador(c, "«,» o «)»")
		}
	}
}

// nombre reads a name or a hole for one.
func (l *lector) nombre(c *Cursor, esperado string) (pieza, error) {
	if err := l.contarNodo(); err != nil {
		return pieza{}, err
	}
	en := c.lugar()
	esHueco := c.Signo("$")
	if esHueco && !esLetra(c.byteEn(0)) {
		return pieza{}, l.errorDeNombre(c, "el nombre de un parámetro, pegado al «$»")
	}
	s, hay := c.Identificador()
	if !hay {
		return pieza{}, l.errorDeNombre(c, esperado)
	}
	if err := l.sinAcento(c); err != nil {
		return pieza{}, err
	}
	if esHueco {
		return hueco(en, s), nil
	}
	return hojaTexto(en, s), nil
}

// sinAcento refuses a letter out of ASCII right after an identifier.
func (l *lector) sinAcento(c *Cursor) error {
	if c.enLetraAjena() {
		return l.errorDeNombre(c, "")
	}
	return nil
}

// enLetraAjena reports whether the cursor is at a letter out of ASCII.
func (c *Cursor) enLetraAjena() bool {
	r, _ := utf8.DecodeRuneInString(c.r.Texto[c.i:])
	return r >= utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// errorDeNombre is the error where a name should be; an accent or an eñe is
// named.
func (l *lector) errorDeNombre(c *Cursor, esperado string) error {
	c.Blancos()
	if c.enLetraAjena() {
		return c.Error("un nombre sin acentos ni eñes: letras de la a a la z, dígitos y «_»")
	}
	return c.Error(esperado)
}

// errorDeOperador is the error after a whole operand, where an operator or
// what closes should be. Frequent slips are named.
func (l *lector) errorDeOperador(c *Cursor, cierre string) error {
	resto := c.Resto()
	palabra := strings.ToLower(resto[:largoDeIdentificador(resto)])
	antes := byte(0)
	if c.i > 0 {
		antes = c.r.Texto[c.i-1]
	}
	switch {
	case strings.HasPrefix(resto, "/") || strings.HasPrefix(resto, "%"):
		return c.Error("un operador: + - * (no hay división: se multiplica el otro lado)")
	case strings.HasPrefix(resto, "&") || palabra == "and" || palabra == "e":
		return c.Error("«y» para que valgan los dos lados")
	case strings.HasPrefix(resto, "|") || palabra == "or" || palabra == "u":
		return c.Error("«o» para que valga alguno de los dos lados")
	case antes >= '0' && antes <= '9' && resto != "" && (resto[0] == '.' || resto[0] >= '0' && resto[0] <= '9'):
		return c.Error("un número bien escrito: sin ceros a la izquierda y con dígitos después del punto")
	case c.enLetraAjena():
		return l.errorDeNombre(c, "")
	}
	return c.Error("un operador o " + cierre)
}
