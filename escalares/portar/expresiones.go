package portar

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/escalares/portar/python"
)

// Precedences of Starlark, loosest first.
const (
	precCondicional = iota
	precO
	precY
	precNo
	precComparacion
	precSuma     = 9
	precProducto = 10
	precUnario   = 11
	precPrimario = 12
)

// expr translates an expression, in parentheses when it binds less than min.
func (p *portador) expr(e python.Expr, min int) string {
	s, prec := p.emitir(e)
	if prec < min {
		return "(" + s + ")"
	}
	return s
}

// num translates an expression to be used where Python takes a boolean for a
// number.
func (p *portador) num(e python.Expr, min int) string {
	switch t := p.tipo(e); {
	case t.comoNumero():
		return p.expr(e, min)
	case t == booleano:
		if c, ok := e.(*python.Constante); ok {
			return map[string]string{"True": "1", "False": "0"}[c.Valor]
		}
		return "int(" + p.expr(e, 0) + ")"
	default:
		return p.ayuda("num") + "(" + p.expr(e, 0) + ")"
	}
}

// iterable translates what is walked: a text is walked by characters.
func (p *portador) iterable(e python.Expr) string {
	if c := conjunto(e); c != nil {
		p.rechazar(e.Lugar(), "no se porta recorrer un conjunto: no tiene orden")
		return "[]"
	}
	if p.esConjunto(e) {
		p.rechazar(e.Lugar(), "no se porta recorrer un conjunto: no tiene orden")
		return "[]"
	}
	switch p.tipo(e) {
	case lista, tupla, diccionario:
		return p.expr(e, precO)
	}
	if c, ok := e.(*python.Llamada); ok {
		switch f := c.Funcion.(type) {
		case *python.Nombre:
			if (f.Id == "range" || f.Id == "enumerate" || f.Id == "zip" || f.Id == "reversed") && !p.esLocal(f.Id) {
				return p.expr(e, precO)
			}
		case *python.Atributo:
			if f.Nombre == "items" || f.Nombre == "keys" || f.Nombre == "values" {
				return p.expr(e, precO)
			}
		}
	}
	return p.ayuda("iter") + "(" + p.expr(e, 0) + ")"
}

// conjunto returns the elements of a set written out, or nil.
func conjunto(e python.Expr) *python.Secuencia {
	switch e := e.(type) {
	case *python.Secuencia:
		if e.Clase == "set" {
			return e
		}
	case *python.Llamada:
		if n, ok := e.Funcion.(*python.Nombre); ok && (n.Id == "frozenset" || n.Id == "set") && len(e.Args) == 1 {
			if s, ok := e.Args[0].Valor.(*python.Secuencia); ok && e.Args[0].Estrellas == 0 {
				return s
			}
		}
	}
	return nil
}

// esConjunto reports whether a name is a constant that holds a set.
func (p *portador) esConjunto(e python.Expr) bool {
	n, ok := e.(*python.Nombre)
	if !ok || p.esLocal(n.Id) {
		return false
	}
	v, ok := p.constantes[n.Id]
	return ok && v != nil && conjunto(v) != nil || ok && v != nil && esConjuntoPortado(v)
}

func esConjuntoPortado(v python.Expr) bool {
	s, ok := v.(*python.Secuencia)
	return ok && s.Clase == "set"
}

// tuplaDe writes the elements of a set as a tuple.
func (p *portador) tuplaDe(s *python.Secuencia) string {
	return p.secuencia(&python.Secuencia{Pos: s.Pos, Clase: "tuple", Elementos: s.Elementos})
}

func (p *portador) secuencia(s *python.Secuencia) string {
	var partes []string
	for _, e := range s.Elementos {
		partes = append(partes, p.expr(e, 0))
	}
	dentro := strings.Join(partes, ", ")
	switch {
	case s.Clase == "list":
		return "[" + dentro + "]"
	case len(partes) == 1:
		return "(" + dentro + ",)"
	}
	return "(" + dentro + ")"
}

// emitir translates an expression and tells how tightly it binds.
func (p *portador) emitir(e python.Expr) (string, int) {
	switch e := e.(type) {
	case *python.Nombre:
		return p.nombre(e), precPrimario
	case *python.Numero:
		return e.Texto, precPrimario
	case *python.Texto:
		return comillas(e.Valor), precPrimario
	case *python.Formateado:
		return p.formateado(e, false), precPrimario
	case *python.Constante:
		if e.Valor == "..." {
			p.rechazar(e.Pos, "no se porta «...»")
		}
		return e.Valor, precPrimario
	case *python.Secuencia:
		if e.Clase == "set" {
			p.rechazar(e.Pos, "un conjunto sólo se porta a la derecha de «in»")
		}
		return p.secuencia(e), precPrimario
	case *python.Diccionario:
		return p.diccionario(e), precPrimario
	case *python.Comprension:
		if e.Clase == "set" || e.Clase == "generator" {
			p.rechazar(e.Pos, "un %s sólo se porta como argumento de una función que lo recorre", map[string]string{"set": "conjunto", "generator": "generador"}[e.Clase])
		}
		return p.comprension(e, e.Clase), precPrimario
	case *python.Unario:
		switch e.Op {
		case "not":
			return "not " + p.expr(e.Valor, precNo), precNo
		case "~":
			p.rechazar(e.Pos, "no se portan las operaciones de bits")
		}
		return e.Op + p.num(e.Valor, precUnario), precUnario
	case *python.Binario:
		return p.binario(e)
	case *python.Logico:
		var partes []string
		prec := precO
		if e.Op == "and" {
			prec = precY
		}
		for _, v := range e.Valores {
			partes = append(partes, p.expr(v, prec+1))
		}
		return strings.Join(partes, " "+e.Op+" "), prec
	case *python.Comparacion:
		return p.comparacion(e)
	case *python.Condicional:
		return p.expr(e.Entonces, precO) + " if " + p.expr(e.Si, precO) + " else " + p.expr(e.Sino, precCondicional), precCondicional
	case *python.Lambda:
		ps := p.parametros(e.Parametros)
		var nombres []string
		for _, q := range e.Parametros {
			nombres = append(nombres, q.Nombre)
		}
		defer p.abrir(nombres...)()
		return strings.TrimRight("lambda "+ps, " ") + ": " + p.expr(e.Cuerpo, precCondicional), precCondicional
	case *python.Llamada:
		return p.llamada(e)
	case *python.Atributo:
		return p.atributo(e), precPrimario
	case *python.Indice:
		return p.indice(e), precPrimario
	case *python.Corte:
		parte := func(x python.Expr) string {
			if x == nil {
				return "None"
			}
			return p.expr(x, 0)
		}
		return fmt.Sprintf("%s(%s, %s, %s, %s)", p.ayuda("corte"), p.expr(e.Valor, 0), parte(e.Desde), parte(e.Hasta), parte(e.Paso)), precPrimario
	}
	p.rechazar(e.Lugar(), "no se porta")
	return "None", precPrimario
}

func (p *portador) nombre(e *python.Nombre) string {
	if p.esLocal(e.Id) {
		return e.Id
	}
	if p.esConjunto(e) {
		p.rechazar(e.Pos, "el conjunto «%s» sólo se porta a la derecha de «in»", e.Id)
		return e.Id
	}
	if _, hay := p.constantes[e.Id]; hay || p.funciones[e.Id] != nil {
		return e.Id
	}
	if f, ok := p.math[e.Id]; ok {
		if f == "" {
			p.rechazar(e.Pos, "no se porta un módulo como valor")
			return "None"
		}
		return p.constanteDeMath(e.Pos, f)
	}
	if deTipo[e.Id] != desconocido || e.Id == "min" || e.Id == "max" || e.Id == "range" {
		p.rechazar(e.Pos, "no se porta «%s» como valor: envolvela en una lambda", e.Id)
		return "None"
	}
	p.rechazar(e.Pos, "«%s» no está definido en el archivo", e.Id)
	return "None"
}

func (p *portador) constanteDeMath(pos python.Pos, n string) string {
	p.conMath = true
	switch n {
	case "pi", "e":
		return "math." + n
	case "tau":
		return "(2.0 * math.pi)"
	case "inf", "nan":
		p.rechazar(pos, "no hay math.%s: los flotantes son finitos", n)
	default:
		p.rechazar(pos, "no se porta math.%s como valor", n)
	}
	return "None"
}

func (p *portador) atributo(e *python.Atributo) string {
	if n, ok := e.Valor.(*python.Nombre); ok && p.esMath(n) {
		return p.constanteDeMath(e.Pos, e.Nombre)
	}
	p.rechazar(e.Pos, "no se porta «.%s»: los hechos son diccionarios", e.Nombre)
	return "None"
}

func (p *portador) indice(e *python.Indice) string {
	if t, ok := e.Indice.(*python.Texto); ok {
		return p.expr(e.Valor, precPrimario) + "[" + comillas(t.Valor) + "]"
	}
	switch p.tipo(e.Valor) {
	case lista, tupla, diccionario:
		return p.expr(e.Valor, precPrimario) + "[" + p.num(e.Indice, 0) + "]"
	}
	return fmt.Sprintf("%s(%s, %s)", p.ayuda("indice"), p.expr(e.Valor, 0), p.expr(e.Indice, 0))
}

func (p *portador) diccionario(e *python.Diccionario) string {
	var partes []string
	for i, k := range e.Claves {
		if k == nil {
			p.rechazar(e.Valores[i].Lugar(), "no se porta «**» en un diccionario")
			continue
		}
		partes = append(partes, p.num(k, 0)+": "+p.expr(e.Valores[i], 0))
	}
	return "{" + strings.Join(partes, ", ") + "}"
}

// comprension translates one to the given class: a generator or a set that is
// walked is a list.
func (p *portador) comprension(e *python.Comprension, clase string) string {
	var partes []string
	niveles := 0
	for _, c := range e.Clausulas {
		it := p.iterable(c.Iterable)
		p.abrir(nombresDe(c.Destino)...)
		niveles++
		if n, ok := c.Destino.(*python.Nombre); ok && elementoDe(c.Iterable) != nil {
			p.ambito.variable[n.Id] = entero
		}
		d := p.destino(c.Destino)
		if _, esTupla := c.Destino.(*python.Secuencia); esTupla && strings.HasPrefix(d, "(") && !strings.HasSuffix(d, ",)") {
			d = d[1 : len(d)-1]
		}
		partes = append(partes, "for "+d+" in "+it)
		for _, x := range c.Condiciones {
			partes = append(partes, "if "+p.expr(x, precO))
		}
	}
	var cabeza string
	abre, cierra := "[", "]"
	if clase == "dict" {
		abre, cierra = "{", "}"
		cabeza = p.num(e.Elemento, 0) + ": " + p.expr(e.Valor, 0)
	} else {
		cabeza = p.expr(e.Elemento, precCondicional)
	}
	for range niveles {
		p.ambito = p.ambito.padre
	}
	return abre + cabeza + " " + strings.Join(partes, " ") + cierra
}

func (p *portador) binario(e *python.Binario) (string, int) {
	a, b := p.tipo(e.Izq), p.tipo(e.Der)
	dos := func(f string) (string, int) {
		return fmt.Sprintf("%s(%s, %s)", p.ayuda(f), p.expr(e.Izq, 0), p.expr(e.Der, 0)), precPrimario
	}
	infijo := func(prec int) (string, int) {
		return p.num(e.Izq, prec) + " " + e.Op + " " + p.num(e.Der, prec+1), prec
	}
	switch e.Op {
	case "+":
		if a == texto || b == texto {
			return p.expr(e.Izq, precSuma) + " + " + p.expr(e.Der, precSuma+1), precSuma
		}
		return infijo(precSuma)
	case "-":
		return infijo(precSuma)
	case "*":
		return infijo(precProducto)
	case "/":
		if a == flotante || b == flotante {
			return infijo(precProducto)
		}
		return dos("div")
	case "//":
		if a == entero && b == entero {
			return infijo(precProducto)
		}
		return dos("piso")
	case "%":
		if a == texto {
			p.rechazar(e.Pos, "no se porta el formato con «%%»: usá un texto f\"…\"")
		}
		if a == entero && b == entero {
			return infijo(precProducto)
		}
		return dos("resto")
	case "**":
		n, ok := e.Der.(*python.Numero)
		if !ok || n.Flotante || len(n.Texto) > 2 {
			p.rechazar(e.Pos, "«**» sólo se porta con un exponente entero escrito, no negativo y menor que 100")
			return "None", precPrimario
		}
		return fmt.Sprintf("%s(%s, %s)", p.ayuda("potencia"), p.expr(e.Izq, 0), n.Texto), precPrimario
	}
	p.rechazar(e.Pos, "no se porta «%s» entre valores", e.Op)
	return "None", precPrimario
}

// comparacion translates a chain, repeating what is in the middle.
func (p *portador) comparacion(e *python.Comparacion) (string, int) {
	izq := e.Izq
	var partes []string
	for i, op := range e.Ops {
		der := e.Der[i]
		if i > 0 && !repetible(izq) {
			p.rechazar(izq.Lugar(), "lo del medio de una comparación encadenada se calcula una sola vez: ponele nombre antes")
		}
		partes = append(partes, p.compararDos(izq, op, der))
		izq = der
	}
	if len(partes) == 1 {
		return partes[0], precComparacion
	}
	return strings.Join(partes, " and "), precY
}

// repetible reports whether computing an expression twice gives the same twice.
func repetible(e python.Expr) bool {
	si := true
	recorrerExpr(e, func(x python.Expr) {
		if c, ok := x.(*python.Llamada); ok {
			a, esMetodo := c.Funcion.(*python.Atributo)
			si = si && !(esMetodo && (a.Nombre == "pop" || a.Nombre == "append" || a.Nombre == "setdefault" || a.Nombre == "popitem"))
		}
	})
	return si
}

func (p *portador) compararDos(izq python.Expr, op string, der python.Expr) string {
	switch op {
	case "is", "is not":
		igual := map[string]string{"is": " == ", "is not": " != "}[op]
		c, ok := der.(*python.Constante)
		if !ok {
			p.rechazar(der.Lugar(), "«is» sólo se porta con None, True y False")
			return "None"
		}
		return p.expr(izq, precSuma) + igual + c.Valor
	case "in", "not in":
		return p.pertenece(izq, op, der)
	}
	plano := func() string { return p.expr(izq, precSuma) + " " + op + " " + p.expr(der, precSuma) }
	numerico := func() string { return p.num(izq, precSuma) + " " + op + " " + p.num(der, precSuma) }
	a, b := p.tipo(izq), p.tipo(der)
	if op != "==" && op != "!=" {
		if a == texto || b == texto {
			return plano()
		}
		return numerico()
	}
	for _, lado := range []python.Expr{izq, der} {
		if s, ok := lado.(*python.Secuencia); ok && len(s.Elementos) > 0 {
			p.rechazar(lado.Lugar(), "comparar secuencias trata distinto a los booleanos: compará los elementos")
		}
	}
	switch {
	case a == texto || b == texto || a == ninguno || b == ninguno || a == booleano && b == booleano:
		return plano()
	case vacia(izq) || vacia(der):
		return plano()
	case noEsCeroNiUno(izq) || noEsCeroNiUno(der):
		return plano()
	}
	return numerico()
}

// vacia reports whether an expression is an empty display.
func vacia(e python.Expr) bool {
	switch e := e.(type) {
	case *python.Secuencia:
		return len(e.Elementos) == 0
	case *python.Diccionario:
		return len(e.Valores) == 0
	}
	return false
}

// noEsCeroNiUno reports whether an expression is a number no boolean equals.
func noEsCeroNiUno(e python.Expr) bool {
	n, ok := e.(*python.Numero)
	return ok && n.Texto != "0" && n.Texto != "1" && n.Texto != "0.0" && n.Texto != "1.0"
}

// pertenece translates «in».
func (p *portador) pertenece(izq python.Expr, op string, der python.Expr) string {
	niega := ""
	if op == "not in" {
		niega = "not "
	}
	t := p.tipo(izq)
	s := conjunto(der)
	if s == nil {
		if lit, ok := der.(*python.Secuencia); ok {
			s = lit
		} else if n, ok := der.(*python.Nombre); ok && !p.esLocal(n.Id) {
			if lit, ok := p.constantes[n.Id].(*python.Secuencia); ok {
				// The name is written, its elements only tell what it holds.
				if p.todosSon(lit, texto) || t == texto {
					return p.expr(izq, precSuma) + " " + op + " " + n.Id
				}
				return p.conNiega(niega, fmt.Sprintf("%s(%s, %s)", p.ayuda("en"), p.expr(izq, 0), n.Id))
			}
		}
	}
	if s != nil {
		if p.todosSon(s, texto) || t == texto || t.comoNumero() && p.ninguno(s, booleano) {
			return p.expr(izq, precSuma) + " " + op + " " + p.tuplaDe(s)
		}
		return p.conNiega(niega, fmt.Sprintf("%s(%s, %s)", p.ayuda("en"), p.expr(izq, 0), p.tuplaDe(s)))
	}
	if t == texto || p.tipo(der) == texto {
		return p.expr(izq, precSuma) + " " + op + " " + p.expr(der, precSuma)
	}
	return p.conNiega(niega, fmt.Sprintf("%s(%s, %s)", p.ayuda("en"), p.expr(izq, 0), p.expr(der, 0)))
}

func (p *portador) conNiega(niega, s string) string {
	if niega == "" {
		return s
	}
	return "(not " + s + ")"
}

func (p *portador) todosSon(s *python.Secuencia, t tipo) bool {
	for _, e := range s.Elementos {
		if p.tipo(e) != t {
			return false
		}
	}
	return true
}

// ninguno reports whether it is sure that no element is of the type.
func (p *portador) ninguno(s *python.Secuencia, t tipo) bool {
	for _, e := range s.Elementos {
		if u := p.tipo(e); u == t || u == desconocido {
			return false
		}
	}
	return true
}

// formateado translates an f-string. In a message how a value is written does
// not matter.
func (p *portador) formateado(f *python.Formateado, mensaje bool) string {
	var plantilla strings.Builder
	var args []string
	for _, x := range f.Partes {
		switch x := x.(type) {
		case *python.Texto:
			plantilla.WriteString(strings.NewReplacer("{", "{{", "}", "}}").Replace(x.Valor))
		case *python.Hueco:
			if !mensaje && (x.Formato != "" || x.Conversion != "" && x.Conversion != "s") {
				p.rechazar(x.Pos, "no se porta un formato en «{…}»: escribe otra cosa")
			}
			plantilla.WriteString("{}")
			switch {
			case mensaje:
				args = append(args, p.expr(x.Valor, 0))
			case p.tipo(x.Valor) == texto || p.tipo(x.Valor) == entero:
				args = append(args, p.expr(x.Valor, 0))
			default:
				args = append(args, p.ayuda("texto")+"("+p.expr(x.Valor, 0)+")")
			}
		}
	}
	if len(args) == 0 {
		return comillas(strings.NewReplacer("{{", "{", "}}", "}").Replace(plantilla.String()))
	}
	return comillas(plantilla.String()) + ".format(" + strings.Join(args, ", ") + ")"
}

// comillas writes a text as Starlark does.
func comillas(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029 || r == 0xfeff:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
