package portar

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/escalares/portar/python"
)

// sangre is one level of indentation of what is written.
const sangre = "    "

// renglon writes one line, and the comment that was beside it.
func (p *portador) renglon(pos python.Pos, nivel int, formato string, a ...any) {
	p.b.WriteString(strings.Repeat(sangre, nivel))
	fmt.Fprintf(&p.b, formato, a...)
	if c := p.modulo.Comentarios; p.comentario < len(c) && c[p.comentario].Linea == pos.Linea {
		p.b.WriteString("  #" + limpiar(c[p.comentario].Texto))
		p.comentario++
	}
	p.b.WriteByte('\n')
}

// comentariosHasta writes the comments that come before a line.
func (p *portador) comentariosHasta(linea int) { p.comentariosEn(linea, 0) }

func (p *portador) comentariosEn(linea, nivel int) {
	for c := p.modulo.Comentarios; p.comentario < len(c) && c[p.comentario].Linea < linea; p.comentario++ {
		p.b.WriteString(strings.Repeat(sangre, nivel) + "#" + limpiar(c[p.comentario].Texto) + "\n")
	}
}

// saltearComentarios drops those before the statement after the i-th.
func (p *portador) saltearComentarios(i int) {
	hasta := 1 << 30
	if i+1 < len(p.modulo.Cuerpo) {
		hasta = p.modulo.Cuerpo[i+1].Lugar().Linea
	}
	for c := p.modulo.Comentarios; p.comentario < len(c) && c[p.comentario].Linea < hasta; {
		p.comentario++
	}
}

// sentenciaDeModulo translates a statement of the top.
func (p *portador) sentenciaDeModulo(i int, s python.Sentencia) {
	p.comentariosHasta(s.Lugar().Linea)
	switch s := s.(type) {
	case *python.Importar:
	case *python.Funcion:
		p.b.WriteString("\n")
		p.funcion(s, 0)
		p.declarar(s)
		p.b.WriteString("\n")
	case *python.Asignacion:
		if p.esDeTipos(s) {
			return
		}
		if n, ok := s.Destinos[0].(*python.Nombre); ok && len(s.Destinos) == 1 {
			if c := conjunto(s.Valor); c != nil {
				p.constantes[n.Id] = c
				p.renglon(s.Pos, 0, "%s = %s", n.Id, p.tuplaDe(c))
				return
			}
			p.tipos[n.Id] = p.tipo(s.Valor)
		}
		p.sentencia(s, 0)
	case *python.Si:
		if soloAlEjecutar(s.Condicion) {
			p.saltearComentarios(i)
			return
		}
		p.rechazar(s.Pos, "«if» sólo se porta dentro de una función")
	case *python.Para:
		p.rechazar(s.Pos, "«for» sólo se porta dentro de una función")
	case *python.Aumento:
		p.rechazar(s.Pos, "un nombre del módulo se asigna una sola vez")
	case *python.Suelta:
		if t, ok := s.Valor.(*python.Texto); ok {
			for l := range strings.Lines(t.Valor) {
				p.b.WriteString(strings.TrimRight("# "+limpiar(strings.TrimRight(l, "\r\n")), " ") + "\n")
			}
			return
		}
		p.rechazar(s.Pos, "una llamada suelta en el módulo no se porta")
	case *python.Simple, *python.Afirmar, *python.NoPortable:
		p.sentencia(s, 0)
	default:
		p.rechazar(s.Lugar(), "no se porta fuera de una función")
	}
}

// soloAlEjecutar reports whether a condition is false when a file is imported.
func soloAlEjecutar(e python.Expr) bool {
	switch e := e.(type) {
	case *python.Comparacion:
		n, ok := e.Izq.(*python.Nombre)
		t, esTexto := e.Der[0].(*python.Texto)
		return ok && esTexto && len(e.Ops) == 1 && n.Id == "__name__" && e.Ops[0] == "==" && t.Valor == "__main__"
	case *python.Nombre:
		return e.Id == "TYPE_CHECKING"
	case *python.Atributo:
		return e.Nombre == "TYPE_CHECKING"
	}
	return false
}

// declarar writes the call that declares a decorated function.
func (p *portador) declarar(f *python.Funcion) {
	for _, d := range f.Decoradores {
		var args []python.Argumento
		quien := d
		if c, ok := d.(*python.Llamada); ok {
			quien, args = c.Funcion, c.Args
		}
		n, esNombre := quien.(*python.Nombre)
		a, esAtributo := quien.(*python.Atributo)
		if !(esNombre && p.decoradores[n.Id]) && !(esAtributo && a.Nombre == "escalar") {
			p.rechazar(d.Lugar(), "no se porta el decorador: sólo «escalar»")
			continue
		}
		partes := map[string]string{"nombre": comillas(f.Nombre)}
		orden := []string{"nombre", "unidad", "unidades_argumentos"}
		puestas := map[string]bool{}
		for i, x := range args {
			cual := x.Nombre
			if cual == "" && i < len(orden) {
				cual = orden[i]
			}
			switch {
			case x.Estrellas > 0 || cual != "nombre" && cual != "unidad" && cual != "unidades_argumentos":
				p.rechazar(x.Pos, "el decorador lleva nombre, unidad y unidades_argumentos")
				continue
			case puestas[cual]:
				p.rechazar(x.Pos, "el decorador lleva dos veces «%s»", cual)
			}
			puestas[cual] = true
			if t, esTexto := x.Valor.(*python.Texto); cual == "nombre" && esTexto && !esNombreDeEscalar(t.Valor) {
				p.rechazar(x.Pos, "«%s» no es un nombre de escalar: minúsculas sin acento, cifras y «_»", limpiar(t.Valor))
			}
			if c, ok := x.Valor.(*python.Constante); ok && c.Valor == "None" {
				continue
			}
			partes[cual] = p.expr(x.Valor, 0)
		}
		for _, q := range f.Parametros {
			if q.Estrellas == 2 || q.SoloNombre && q.Defecto == nil && q.Estrellas == 0 {
				p.rechazar(q.Pos, "una escalar no puede llevar «%s»: se la llama por posición", q.Nombre)
			}
		}
		fmt.Fprintf(&p.b, "\nescalar(%s, %s", partes["nombre"], f.Nombre)
		for _, k := range orden[1:] {
			if partes[k] != "" {
				fmt.Fprintf(&p.b, ", %s = %s", k, partes[k])
			}
		}
		p.b.WriteString(")\n")
	}
}

func esNombreDeEscalar(s string) bool {
	for i, r := range s {
		if !(r >= 'a' && r <= 'z' || i > 0 && (r == '_' || r >= '0' && r <= '9')) {
			return false
		}
	}
	return s != ""
}

// ocupados are names a file may not take: what is written for it uses them.
var ocupados = map[string]bool{"int": true, "float": true, "list": true, "type": true, "fail": true, "math": true}

// parametros translates parameters.
func (p *portador) parametros(ps []python.Parametro) string {
	var partes []string
	for _, q := range ps {
		if q.Nombre != "" {
			p.nombrable(q.Pos, q.Nombre)
			if ocupados[q.Nombre] {
				p.rechazar(q.Pos, "un parámetro no puede llamarse «%s»", q.Nombre)
			}
		}
		if q.Estrellas == 2 {
			p.rechazar(q.Pos, "no se porta «**%s»", q.Nombre)
		}
		s := strings.Repeat("*", q.Estrellas) + q.Nombre
		if q.Defecto != nil {
			switch p.tipo(q.Defecto) {
			case lista, diccionario:
				p.rechazar(q.Defecto.Lugar(), "un valor por omisión que se puede modificar: usá None o una tupla")
			}
			s += " = " + p.expr(q.Defecto, 1)
		}
		partes = append(partes, s)
	}
	return strings.Join(partes, ", ")
}

// funcion translates a function.
func (p *portador) funcion(f *python.Funcion, nivel int) {
	ps := p.parametros(f.Parametros)
	p.renglon(f.Pos, nivel, "def %s(%s):", f.Nombre, ps)
	var nombres []string
	for _, q := range f.Parametros {
		nombres = append(nombres, q.Nombre)
	}
	cerrar := p.abrir(nombres...)
	defer cerrar()
	locales := map[string][]python.Expr{}
	p.locales(f.Cuerpo, locales)
	for n := range locales {
		if ocupados[n] {
			p.rechazar(f.Pos, "una variable no puede llamarse «%s»", n)
		}
	}
	cuerpo := f.Cuerpo
	if len(cuerpo) > 0 {
		if t, ok := esDocumento(cuerpo[0]); ok {
			p.renglon(cuerpo[0].Lugar(), nivel+1, "%s", comillas(t))
			cuerpo = cuerpo[1:]
		}
	}
	for _, q := range f.Parametros {
		if _, asignado := locales[q.Nombre]; !asignado && q.Nombre != "" && q.Estrellas == 0 && usoNumerico(cuerpo, q.Nombre, p) {
			p.ambito.variable[q.Nombre] = noBooleano
			p.renglon(python.Pos{}, nivel+1, "%s = %s(%s)", q.Nombre, p.ayuda("num"), q.Nombre)
		}
	}
	// Twice: what the first round learned holds, and lets the second learn more.
	esParametro := map[string]bool{}
	for _, n := range nombres {
		esParametro[n] = true
	}
	for n := range locales {
		if !esParametro[n] {
			p.ambito.variable[n] = desconocido
		}
	}
	for range 2 {
		nuevos := map[string]tipo{}
		for n, es := range locales {
			if esParametro[n] {
				continue
			}
			t := desconocido
			for i, e := range es {
				u := desconocido
				if e != nil {
					u = p.tipo(e)
				}
				if i == 0 {
					t = u
				} else {
					t = unir(t, u)
				}
			}
			nuevos[n] = t
		}
		for n, t := range nuevos {
			p.ambito.variable[n] = t
		}
	}
	p.bloque(cuerpo, nivel+1)
}

func esDocumento(s python.Sentencia) (string, bool) {
	if x, ok := s.(*python.Suelta); ok {
		if t, ok := x.Valor.(*python.Texto); ok {
			return t.Valor, true
		}
	}
	return "", false
}

// locales gathers what a function's body assigns to each name; nil is a value
// of which nothing is known.
func (p *portador) locales(ss []python.Sentencia, a map[string][]python.Expr) {
	poner := func(d, v python.Expr) {
		if n, ok := d.(*python.Nombre); ok {
			a[n.Id] = append(a[n.Id], v)
			return
		}
		for _, n := range nombresDe(d) {
			a[n] = append(a[n], nil)
		}
	}
	for _, s := range ss {
		switch s := s.(type) {
		case *python.Asignacion:
			for _, d := range s.Destinos {
				poner(d, s.Valor)
			}
		case *python.Aumento:
			poner(s.Destino, &python.Binario{Pos: s.Pos, Op: s.Op, Izq: s.Destino, Der: s.Valor})
		case *python.Para:
			poner(s.Destino, elementoDe(s.Iterable))
			p.locales(s.Cuerpo, a)
		case *python.Si:
			p.locales(s.Cuerpo, a)
			p.locales(s.Sino, a)
		case *python.Funcion:
			a[s.Nombre] = append(a[s.Nombre], nil)
		}
	}
}

// elementoDe is an expression of the type of what an iterable gives, or nil.
func elementoDe(e python.Expr) python.Expr {
	if c, ok := e.(*python.Llamada); ok {
		if n, ok := c.Funcion.(*python.Nombre); ok && n.Id == "range" {
			return &python.Numero{Pos: c.Pos, Texto: "0"}
		}
	}
	return nil
}

func (p *portador) bloque(ss []python.Sentencia, nivel int) {
	antes := p.b.Len()
	for _, s := range ss {
		p.comentariosEn(s.Lugar().Linea, nivel)
		p.sentencia(s, nivel)
	}
	if len(ss) == 0 || p.b.Len() == antes {
		p.b.WriteString(strings.Repeat(sangre, nivel) + "pass\n")
	}
}

// sentencia translates one statement at a level.
func (p *portador) sentencia(s python.Sentencia, nivel int) {
	switch s := s.(type) {
	case *python.NoPortable:
		p.rechazar(s.Pos, "%s", s.Motivo)
	case *python.Importar:
		p.rechazar(s.Pos, "un import va en el módulo, no adentro de una función")
	case *python.Funcion:
		if len(s.Decoradores) > 0 {
			p.rechazar(s.Pos, "una función de adentro no lleva decoradores")
		}
		recorrerNombres(s.Cuerpo, func(n string) {
			if n == s.Nombre {
				p.rechazar(s.Pos, "«%s» se llama a sí misma: en Starlark no hay recursión", n)
			}
		})
		p.funcion(s, nivel)
	case *python.Retorno:
		if s.Valor == nil {
			p.renglon(s.Pos, nivel, "return")
			return
		}
		p.renglon(s.Pos, nivel, "return %s", p.expr(s.Valor, 0))
	case *python.Asignacion:
		p.asignacion(s, nivel)
	case *python.Aumento:
		p.aumento(s, nivel)
	case *python.Si:
		p.condicion(s, nivel, "if")
	case *python.Para:
		if s.ConSino {
			p.rechazar(s.Pos, "no se porta «else» en un «for»")
		}
		p.renglon(s.Pos, nivel, "for %s in %s:", p.destino(s.Destino), p.iterable(s.Iterable))
		p.bloque(s.Cuerpo, nivel+1)
	case *python.Lanzar:
		p.renglon(s.Pos, nivel, "fail(%s)", p.mensajeDe(s))
	case *python.Afirmar:
		m := `"no se cumple lo que se afirma"`
		if s.Mensaje != nil {
			m = p.mensaje(s.Mensaje)
		}
		if p.ambito == nil {
			p.rechazar(s.Pos, "«assert» sólo se porta dentro de una función")
		}
		p.renglon(s.Pos, nivel, "if not %s:", p.expr(s.Condicion, 4))
		p.renglon(python.Pos{}, nivel+1, "fail(%s)", m)
	case *python.Simple:
		p.renglon(s.Pos, nivel, "%s", s.Palabra)
	case *python.Suelta:
		if _, ok := esDocumento(s); ok {
			p.renglon(s.Pos, nivel, "pass")
			return
		}
		if c, ok := s.Valor.(*python.Constante); ok && c.Valor == "..." {
			p.renglon(s.Pos, nivel, "pass")
			return
		}
		p.renglon(s.Pos, nivel, "%s", p.expr(s.Valor, 0))
	}
}

func (p *portador) condicion(s *python.Si, nivel int, palabra string) {
	p.renglon(s.Pos, nivel, "%s %s:", palabra, p.expr(s.Condicion, 0))
	p.bloque(s.Cuerpo, nivel+1)
	if len(s.Sino) == 0 {
		return
	}
	if otro, ok := s.Sino[0].(*python.Si); ok && len(s.Sino) == 1 {
		p.comentariosEn(otro.Pos.Linea, nivel)
		p.condicion(otro, nivel, "elif")
		return
	}
	p.comentariosEn(s.Sino[0].Lugar().Linea, nivel+1)
	p.b.WriteString(strings.Repeat(sangre, nivel) + "else:\n")
	p.bloque(s.Sino, nivel+1)
}

// mensajeDe is what a raise says.
func (p *portador) mensajeDe(s *python.Lanzar) string {
	switch e := s.Valor.(type) {
	case nil:
		p.rechazar(s.Pos, "no se porta un «raise» a secas")
	case *python.Nombre:
		return comillas(e.Id)
	case *python.Llamada:
		n, ok := e.Funcion.(*python.Nombre)
		if !ok {
			break
		}
		if len(e.Args) == 0 {
			return comillas(n.Id)
		}
		if e.Args[0].Estrellas == 0 {
			return p.mensaje(e.Args[0].Valor)
		}
	}
	p.rechazar(s.Pos, "de un «raise» se porta la forma Error(\"mensaje\")")
	return `""`
}

// mensaje is a text for fail, where how a number is written does not matter.
func (p *portador) mensaje(e python.Expr) string {
	if f, ok := e.(*python.Formateado); ok {
		return p.formateado(f, true)
	}
	if p.tipo(e) == texto {
		return p.expr(e, 0)
	}
	return "str(" + p.expr(e, 0) + ")"
}

// destino translates what is assigned to.
func (p *portador) destino(d python.Expr) string {
	switch d := d.(type) {
	case *python.Nombre:
		p.nombrable(d.Pos, d.Id)
		if ocupados[d.Id] {
			p.rechazar(d.Pos, "una variable no puede llamarse «%s»", d.Id)
		}
		if p.math[d.Id] != "" || p.funciones[d.Id] != nil && p.ambito == nil {
			p.rechazar(d.Pos, "«%s» ya nombra otra cosa", d.Id)
		}
		return d.Id
	case *python.Secuencia:
		var partes []string
		for _, e := range d.Elementos {
			partes = append(partes, p.destino(e))
		}
		if len(partes) == 1 {
			return "(" + partes[0] + ",)"
		}
		if len(partes) == 0 {
			p.rechazar(d.Pos, "no se porta asignar a nada")
		}
		return "(" + strings.Join(partes, ", ") + ")"
	case *python.Indice:
		return p.expr(d.Valor, 12) + "[" + p.num(d.Indice, 0) + "]"
	}
	p.rechazar(d.Lugar(), "no se porta asignar a esto")
	return "_"
}

func (p *portador) asignacion(s *python.Asignacion, nivel int) {
	if c := conjunto(s.Valor); c != nil {
		p.rechazar(c.Pos, "no se porta un conjunto guardado en una variable: usá una tupla con «in», o un diccionario")
		return
	}
	primero, esNombre := s.Destinos[0].(*python.Nombre)
	if len(s.Destinos) > 1 && !esNombre {
		p.rechazar(s.Pos, "de una asignación encadenada el primero tiene que ser un nombre")
		return
	}
	p.renglon(s.Pos, nivel, "%s = %s", strings.TrimSuffix(strings.TrimPrefix(p.destino(s.Destinos[0]), "("), ")"), p.expr(s.Valor, 0))
	for _, d := range s.Destinos[1:] {
		p.renglon(s.Pos, nivel, "%s = %s", p.destino(d), primero.Id)
	}
}

func (p *portador) aumento(s *python.Aumento, nivel int) {
	switch s.Op {
	case "+", "-", "*":
		der := p.num(s.Valor, 0)
		if s.Op == "+" && (p.tipo(s.Valor) == lista || p.tipo(s.Destino) == lista) {
			der = p.iterable(s.Valor)
		}
		p.renglon(s.Pos, nivel, "%s %s= %s", p.destino(s.Destino), s.Op, der)
	default:
		b := &python.Binario{Pos: s.Pos, Op: s.Op, Izq: s.Destino, Der: s.Valor}
		p.renglon(s.Pos, nivel, "%s = %s", p.destino(s.Destino), p.expr(b, 0))
	}
}

// usoNumerico reports whether a parameter is only ever used where a boolean
// counts as a number, so that making it one at the start changes nothing.
func usoNumerico(ss []python.Sentencia, nombre string, p *portador) bool {
	usos, bien := 0, true
	var ver func(e python.Expr, numerico bool)
	ver = func(e python.Expr, numerico bool) {
		switch e := e.(type) {
		case *python.Nombre:
			if e.Id == nombre {
				usos++
				bien = bien && numerico
			}
			return
		case *python.Binario:
			// Joined to a text it is a text, or an error either way.
			conTexto := e.Op == "+" && (p.tipo(e.Izq) == texto || p.tipo(e.Der) == texto)
			ver(e.Izq, !conTexto)
			ver(e.Der, !conTexto)
			return
		case *python.Unario:
			ver(e.Valor, true)
			return
		case *python.Comparacion:
			lados := append([]python.Expr{e.Izq}, e.Der...)
			for i, l := range lados {
				si := true
				for _, op := range e.Ops[max(0, i-1):min(len(e.Ops), i+1)] {
					si = si && op != "in" && op != "not in" && op != "is" && op != "is not"
				}
				ver(l, si || soloConNone(e))
			}
			return
		case *python.Llamada:
			ver(e.Funcion, false)
			for _, a := range e.Args {
				ver(a.Valor, a.Nombre == "" && a.Estrellas == 0 && p.tomaNumeros(e.Funcion))
			}
			return
		case *python.Lambda, *python.Comprension:
			// Names may be others inside.
			recorrerExpr(e, func(x python.Expr) {
				if n, ok := x.(*python.Nombre); ok && n.Id == nombre {
					bien = false
				}
			})
			return
		}
		for _, h := range hijosDe(e) {
			ver(h, false)
		}
	}
	var bloque func([]python.Sentencia)
	bloque = func(ss []python.Sentencia) {
		for _, s := range ss {
			if f, ok := s.(*python.Funcion); ok {
				recorrerNombres([]python.Sentencia{f}, func(n string) { bien = bien && n != nombre })
				continue
			}
			es, dentro := expresionesDe(s)
			_, condicion := s.(*python.Si)
			for _, e := range es {
				ver(e, condicion)
			}
			bloque(dentro)
		}
	}
	bloque(ss)
	return bien && usos > 0
}

// soloConNone reports whether every comparison of a chain is with None.
func soloConNone(c *python.Comparacion) bool {
	for _, d := range c.Der {
		if k, ok := d.(*python.Constante); !ok || k.Valor != "None" {
			return false
		}
	}
	return true
}

// tomaNumeros reports whether a function takes a boolean for a number.
func (p *portador) tomaNumeros(f python.Expr) bool {
	switch f := f.(type) {
	case *python.Nombre:
		if p.esLocal(f.Id) || p.funciones[f.Id] != nil {
			return false
		}
		if n, ok := p.math[f.Id]; ok && n != "" {
			return true
		}
		return f.Id == "abs" || f.Id == "round" || f.Id == "float" || f.Id == "int"
	case *python.Atributo:
		n, ok := f.Valor.(*python.Nombre)
		return ok && p.esMath(n)
	}
	return false
}
