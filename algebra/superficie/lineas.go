package superficie

import (
	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Each function here reads what follows the first word of one line, to its
// end, and returns the node the line says: the same nodes, by line, that
// package printing turns back into text (imprimir.go).

// lineaDe reads «relación alias», of «de» and «unir»: ["de", relación, alias].
// The pair is one thing: whatever is wrong in it is told where it begins.
func (l *lector) lineaDe(c *Cursor) (pieza, error) {
	const esperado = "una relación y un alias: pieza p"
	inicio := c.lugar()
	par := *c
	rel, err := l.nombre(&par, esperado)
	if err == nil {
		var alias pieza
		if alias, err = l.nombre(&par, esperado); err == nil && par.Fin() {
			*c = par
			return conCabeza(inicio, "de", rel, alias), nil
		}
	}
	switch e := err.(type) {
	case nil:
		return pieza{}, c.errorEn(inicio, esperado+", y nada más en el renglón")
	case *ErrorDeSintaxis:
		return pieza{}, c.errorEn(inicio, e.Esperado)
	default:
		return pieza{}, err
	}
}

// condicionDe reads «relación alias donde condición», of «sin» and «requiere».
func (l *lector) condicionDe(c *Cursor) (rel, alias, cond pieza, err error) {
	if rel, err = l.nombre(c, "una relación"); err != nil {
		return
	}
	if alias, err = l.nombre(c, "un alias para la relación"); err != nil {
		return
	}
	if !c.Palabra("donde") {
		err = l.errorDeNombre(c, "«donde» y una condición")
		return
	}
	cond, err = l.exprFinal(c)
	return
}

// exprFinal reads an expression that ends the line.
func (l *lector) exprFinal(c *Cursor) (pieza, error) {
	p, err := l.expr(c)
	if err == nil && !c.Fin() {
		err = l.errorDeOperador(c, "el final del renglón")
	}
	return p, err
}

// lineaDonde reads ["donde", condición].
func (l *lector) lineaDonde(c *Cursor, en lugar) (pieza, error) {
	e, err := l.exprFinal(c)
	if err != nil {
		return pieza{}, err
	}
	return conCabeza(en, "donde", e), nil
}

// lineaSin reads ["sin", ["de", relación, alias], condición].
func (l *lector) lineaSin(c *Cursor, en lugar) (pieza, error) {
	rel, alias, cond, err := l.condicionDe(c)
	if err != nil {
		return pieza{}, err
	}
	return conCabeza(en, "sin", conCabeza(rel.en, "de", rel, alias), cond), nil
}

// lineaClave reads [nombre, expr].
func (l *lector) lineaClave(c *Cursor) (pieza, error) {
	n, err := l.columnaIgual(c)
	if err != nil {
		return pieza{}, err
	}
	e, err := l.exprFinal(c)
	if err != nil {
		return pieza{}, err
	}
	return lista(n.en, n, e), nil
}

// lineaAgregado reads [nombre, agregado, expr].
func (l *lector) lineaAgregado(c *Cursor) (pieza, error) {
	n, err := l.columnaIgual(c)
	if err != nil {
		return pieza{}, err
	}
	f, e, err := l.agregacion(c)
	if err != nil {
		return pieza{}, err
	}
	return lista(n.en, n, f, e), nil
}

func (l *lector) columnaIgual(c *Cursor) (pieza, error) {
	n, err := l.nombre(c, "el nombre de una columna")
	if err != nil {
		return pieza{}, err
	}
	en := c.lugar()
	if !c.Signo("=") || c.byteEn(0) == '=' {
		return pieza{}, c.errorEn(en, "«=», un solo signo: una columna se define, no se compara")
	}
	return n, nil
}

// agregacion reads «agregado(expr)», to the end of the line.
func (l *lector) agregacion(c *Cursor) (f, e pieza, err error) {
	if f, err = l.nombre(c, esperadoAgregado); err != nil {
		return
	}
	if !c.Signo("(") {
		err = l.errorDeNombre(c, "«(» y la expresión que se agrega, como en contar(1)")
		return
	}
	if s, esTexto := f.nodo.Texto(); esTexto && !esOpcion(vocabularioDeAgregados(), s) {
		err = c.errorEn(f.en, esperadoAgregado)
		return
	}
	if e, err = l.expr(c); err != nil {
		return
	}
	if !c.Signo(")") {
		err = l.errorDeOperador(c, "«)»")
		return
	}
	return f, e, c.ExigirFin()
}

// lineaResumen reads ["resumen", agregado, expr].
func (l *lector) lineaResumen(c *Cursor, en lugar) (pieza, error) {
	f, e, err := l.agregacion(c)
	if err != nil {
		return pieza{}, err
	}
	return conCabeza(en, "resumen", f, e), nil
}

// lineaUmbral reads ["umbral", op, límite, porque, segun].
func (l *lector) lineaUmbral(c *Cursor, en lugar) (pieza, error) {
	enOp := c.lugar()
	op, err := comparador(c)
	if err == nil && op == "" {
		err = c.Error(opciones("un comparador", vocabularioDeComparadores()))
	}
	if err != nil {
		return pieza{}, err
	}
	limite, err := l.expr(c)
	if err != nil {
		return pieza{}, err
	}
	segun := hojaTexto(en, algebra.SinDeclarar)
	porque := hojaTexto(en, "")
	haySegun := c.Palabra("segun")
	if haySegun {
		if segun, err = l.palabraDe(c, "el origen del umbral", vocabularioDeSegun()); err != nil {
			return pieza{}, err
		}
	}
	hayPorque := c.Palabra("porque")
	if hayPorque {
		if porque, err = l.textoOHueco(c); err != nil {
			return pieza{}, err
		}
	}
	switch {
	case !haySegun && !hayPorque:
		return pieza{}, l.errorDeOperador(c, "«segun» con el origen del umbral, o «porque» con su razón: hace falta al menos uno")
	case !hayPorque && !c.Fin():
		return pieza{}, c.Error("«porque» y un texto, o el final del renglón")
	case hayPorque && !haySegun && c.Palabra("segun"):
		c.i -= len("segun")
		return pieza{}, c.Error("el final del renglón: «segun» va antes de «porque»")
	}
	return conCabeza(en, "umbral", hojaTexto(enOp, op), limite, porque, segun), c.ExigirFin()
}

// palabraDe reads a word of a closed vocabulary.
func (l *lector) palabraDe(c *Cursor, que string, v []opcion) (pieza, error) {
	if l.plantilla && c.ProximoByte() == '$' {
		return l.nombre(c, "")
	}
	en := c.lugar()
	s, hay := c.Identificador()
	if !hay || c.enLetraAjena() || !esOpcion(v, s) {
		return pieza{}, c.errorEn(en, opciones(que, v))
	}
	return hojaTexto(en, s), l.contarNodo()
}

// textoOHueco reads a text.
func (l *lector) textoOHueco(c *Cursor) (pieza, error) {
	if l.plantilla && c.ProximoByte() == '$' {
		return l.nombre(c, "")
	}
	if err := l.contarNodo(); err != nil {
		return pieza{}, err
	}
	en := c.lugar()
	s, err := l.texto(c)
	return hojaTexto(en, s), err
}

// lineaRequiere reads the entries of one line of «requiere»: names separated
// by commas, or one entry with its condition.
func (l *lector) lineaRequiere(c *Cursor) ([]pieza, error) {
	en := c.lugar()
	primero := *c
	if _, err := l.nombre(c, "una relación"); err != nil {
		return nil, err
	}
	if b := c.ProximoByte(); esLetra(b) || b == '$' {
		*c = primero
		rel, alias, cond, err := l.condicionDe(c)
		if err != nil {
			return nil, err
		}
		return []pieza{conCabeza(en, "filas", rel, alias, cond)}, nil
	}
	*c = primero
	var nombres []pieza
	for {
		n, err := l.nombre(c, "una relación")
		if err != nil {
			return nil, err
		}
		nombres = append(nombres, n)
		if c.Fin() {
			return nombres, nil
		}
		if !c.Signo(",") {
			return nil, l.errorDeNombre(c, "«,» y otra relación, o un alias con «donde» y una condición, o el final del renglón")
		}
	}
}

// lineaAmbito reads ["ambito", valor].
func (l *lector) lineaAmbito(c *Cursor, en lugar) (pieza, error) {
	v, err := l.palabraDe(c, "un ámbito", vocabularioDeAmbito())
	if err != nil {
		return pieza{}, err
	}
	return conCabeza(en, "ambito", v), c.ExigirFin()
}

// lineaAlcance reads ["alcance", texto].
func (l *lector) lineaAlcance(c *Cursor, en lugar) (pieza, error) {
	v, err := l.textoOHueco(c)
	if err != nil {
		return pieza{}, err
	}
	return conCabeza(en, "alcance", v), c.ExigirFin()
}
