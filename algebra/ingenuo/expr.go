package ingenuo

import "github.com/oracle-mcp/oracle-mcp/algebra"

// entorno is the row an expression sees.
type entorno struct {
	alias    []string
	hechos   []hecho
	columnas []string
	valores  []algebra.Valor
}

func (e entorno) hecho(alias string) (hecho, error) {
	for i, a := range e.alias {
		if a == alias {
			return e.hechos[i], nil
		}
	}
	return hecho{}, falla(algebra.ClaseAliasAusente, "la fila no tiene el alias «%s»", algebra.Citar(alias))
}

// campo reads a field; one the fact does not have is null.
func (e entorno) campo(alias, nombre string) (algebra.Valor, error) {
	h, err := e.hecho(alias)
	if err != nil {
		return nil, err
	}
	if v, ok := h.relacion.Valor(h.i, nombre); ok {
		return v, nil
	}
	return algebra.Nulo{}, nil
}

func (e entorno) columna(nombre string) algebra.Valor {
	for i, c := range e.columnas {
		if c == nombre {
			return e.valores[i]
		}
	}
	return algebra.Nulo{}
}

// condicion evaluates an expression that has to be a boolean.
func (c *corrida) condicion(x algebra.Expr, en entorno) (bool, error) {
	v, err := c.evaluar(x, en)
	if err != nil {
		return false, err
	}
	return verdad(v)
}

// verdad takes a boolean for what it is and anything else for an error.
func verdad(v algebra.Valor) (bool, error) {
	switch v := v.(type) {
	case algebra.Booleano:
		return bool(v), nil
	case algebra.Nulo:
		return false, falla(algebra.ClaseNulo, "un nulo no es verdadero ni falso")
	default:
		return false, falla(algebra.ClaseNoBooleano, "se esperaba un booleano y llegó un %s", v.Familia())
	}
}

// evaluar computes an expression on one row: operands first, from left to
// right and all of them, then one step, then the node itself (lenguaje §3).
func (c *corrida) evaluar(x algebra.Expr, en entorno) (algebra.Valor, error) {
	args, err := c.operandos(x, en)
	if err != nil {
		return nil, err
	}
	if err := c.cobrar(1); err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *algebra.Literal:
		return x.Valor, nil
	case *algebra.Campo:
		return en.campo(x.Alias, x.Nombre)
	case *algebra.HechoDe:
		// The built-in scalars take no facts, so which one it is can change
		// nothing: any fact stands for it.
		_, err := en.hecho(x.Alias)
		return algebra.Hecho{}, err
	case *algebra.Col:
		return en.columna(x.Nombre), nil
	case *algebra.Comparacion:
		if err := c.recorrer(largoComparado(args[0], args[1])); err != nil {
			return nil, err
		}
		b, err := comparar(x.Op, args[0], args[1])
		return algebra.Booleano(b), err
	case *algebra.Logico:
		return logico(x.Op, args)
	default:
		return c.escalar(x.(*algebra.Llamada).Escalar.Nombre, args)
	}
}

// escalar calls a scalar, which goes over its arguments and its result.
func (c *corrida) escalar(nombre string, args []algebra.Valor) (algebra.Valor, error) {
	var n int64
	for _, a := range args {
		n += largo(a)
	}
	if err := c.recorrer(n); err != nil {
		return nil, err
	}
	v, err := c.llamar(nombre, args)
	if err != nil {
		return nil, err
	}
	return v, c.recorrer(largo(v))
}

func (c *corrida) operandos(x algebra.Expr, en entorno) ([]algebra.Valor, error) {
	var hijos []algebra.Expr
	switch x := x.(type) {
	case *algebra.Comparacion:
		hijos = []algebra.Expr{x.Izq, x.Der}
	case *algebra.Logico:
		hijos = x.Operandos
	case *algebra.Llamada:
		hijos = x.Args
	}
	var args []algebra.Valor
	for _, h := range hijos {
		v, err := c.evaluar(h, en)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

func logico(op string, args []algebra.Valor) (algebra.Valor, error) {
	todos, alguno := true, false
	for _, a := range args {
		b, err := verdad(a)
		if err != nil {
			return nil, err
		}
		todos = todos && b
		alguno = alguno || b
	}
	switch op {
	case "y":
		return algebra.Booleano(todos), nil
	case "o":
		return algebra.Booleano(alguno), nil
	default:
		return algebra.Booleano(!todos), nil
	}
}
