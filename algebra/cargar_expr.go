package algebra

// expr loads child i of n as an expression (lenguaje §3).
func (c *cargador) expr(n Nodo, i int) (Expr, error) {
	return c.subexpr(n, i, 0)
}

func (c *cargador) subexpr(n Nodo, i int, prof int64) (e Expr, err error) {
	err = c.en(i, func() error {
		h := n.Hijo(i)
		if !h.EsLista() {
			e, err = c.literal(h)
			return err
		}
		if prof++; prof > c.lim.ProfundidadExpresion {
			return &LimiteError{LimiteProfundidad, prof, c.lim.ProfundidadExpresion}
		}
		e, err = c.llamada(h, prof)
		return err
	})
	return e, err
}

func (c *cargador) literal(n Nodo) (Expr, error) {
	if f, ok := n.Hoja().(Flotante); ok && !esFinito(float64(f)) {
		return nil, c.error("el número no es finito")
	}
	return &Literal{n.Hoja()}, nil
}

// operandos loads the children of a call from the second on.
func (c *cargador) operandos(n Nodo, prof int64) ([]Expr, error) {
	args := make([]Expr, 0, n.Largo())
	for i := 1; i < n.Largo(); i++ {
		a, err := c.subexpr(n, i, prof)
		if err != nil {
			return nil, err
		}
		args = append(args, a)
	}
	return args, nil
}

func (c *cargador) llamada(n Nodo, prof int64) (Expr, error) {
	cabeza := n.Cabeza()
	switch {
	case cabeza == "campo":
		return c.campo(n)
	case cabeza == "hecho":
		if n.Largo() != 2 {
			return nil, c.error(`se esperaba ["hecho", alias]`)
		}
		a, err := c.alias(n)
		return &HechoDe{a}, err
	case cabeza == "col":
		if n.Largo() != 2 {
			return nil, c.error(`se esperaba ["col", nombre]`)
		}
		if c.soloAlias != "" {
			return nil, c.error("una condición de requiere no lee columnas")
		}
		s, err := c.texto(n, 1, "el nombre de la columna", false)
		return &Col{s}, err
	case Comparador(cabeza).Valido():
		if n.Largo() != 3 {
			return nil, c.error("«%s» lleva exactamente dos operandos", cabeza)
		}
		args, err := c.operandos(n, prof)
		if err != nil {
			return nil, err
		}
		return &Comparacion{Comparador(cabeza), args[0], args[1]}, nil
	case cabeza == "y" || cabeza == "o":
		if n.Largo() < 3 {
			return nil, c.error("«%s» lleva dos operandos o más", cabeza)
		}
		args, err := c.operandos(n, prof)
		return &Logico{cabeza, args}, err
	case cabeza == "no":
		if n.Largo() != 2 {
			return nil, c.error("«no» lleva exactamente un operando")
		}
		args, err := c.operandos(n, prof)
		return &Logico{cabeza, args}, err
	case cabeza == "":
		return nil, c.error("se esperaba una expresión: un literal o una llamada con su nombre adelante")
	default:
		return c.escalar(n, cabeza, prof)
	}
}

func (c *cargador) campo(n Nodo) (Expr, error) {
	if n.Largo() != 3 {
		return nil, c.error(`se esperaba ["campo", alias, nombre]`)
	}
	a, err := c.alias(n)
	if err != nil {
		return nil, err
	}
	s, err := c.texto(n, 2, "el nombre del campo", false)
	return &Campo{a, s}, err
}

func (c *cargador) alias(n Nodo) (string, error) {
	a, err := c.texto(n, 1, "el alias", false)
	if err == nil && c.soloAlias != "" && a != c.soloAlias {
		err = c.en(1, func() error {
			return c.error("una condición de requiere sólo lee su alias «%s», no «%s»", Citar(c.soloAlias), Citar(a))
		})
	}
	return a, err
}

func (c *cargador) escalar(n Nodo, nombre string, prof int64) (Expr, error) {
	var e *Escalar
	if c.escalares != nil {
		e = c.escalares.Buscar(nombre)
	}
	if e == nil {
		return nil, &ErrorDeCarga{
			Clase: ClaseEscalarDesconocida, Ruta: c.ruta.String(), Nombre: nombre,
			Motivo: "no hay operador ni escalar declarada con el nombre «" + Citar(nombre) + "»",
		}
	}
	if dados := n.Largo() - 1; dados < e.Min || e.Max >= 0 && dados > e.Max {
		return nil, c.error("«%s» %s; llegaron %d", Citar(nombre), e.aridad(), dados)
	}
	args, err := c.operandos(n, prof)
	return &Llamada{e, args}, err
}
