package algebra

// plegar folds a batch's column into the accumulators of its rows: grupo tells
// which one each row belongs to, and is nil when all belong to the first. The
// first row with a value the aggregate does not take fails.
func plegar(l *Lote, f Funcion, c *Columna, acs []acumulador, grupo []int32) {
	if grupo == nil && plegarJuntos(l, f, c, &acs[0]) {
		return
	}
	if f == Suma || f == Promedio {
		if plegarSumas(l, c, acs, grupo) {
			return
		}
	}
	for k := range l.n {
		a := &acs[0]
		if grupo != nil {
			a = &acs[grupo[k]]
		}
		v := c.Valor(k)
		if err := a.acepta(f, v); err != nil {
			l.Fallar(k, err)
			return
		}
		a.tomar(f, v)
	}
}

// plegarSumas adds a typed column by group without boxing its values.
func plegarSumas(l *Lote, c *Columna, acs []acumulador, grupo []int32) bool {
	if c.Constante || grupo == nil {
		return false
	}
	grupo = grupo[:l.n]
	switch c.Clase {
	case ClaseEnteros:
		for k, g := range grupo {
			acs[g].n++
			acs[g].enteros.sumar(c.Enteros[k])
		}
	case ClaseFlotantes:
		for k, g := range grupo {
			acs[g].n++
			acs[g].flotantes.sumar(c.Flotantes[k])
		}
	case ClaseBooleanos:
		for k, g := range grupo {
			acs[g].n++
			acs[g].enteros.sumar(int64(c.Booleanos[k]))
		}
	default:
		return false
	}
	return true
}

// plegarJuntos folds a typed column into one accumulator. It reports false,
// having done nothing, when the column has to go value by value.
func plegarJuntos(l *Lote, f Funcion, c *Columna, a *acumulador) bool {
	if c.Constante || c.Clase == ClaseMixta {
		return false
	}
	n := l.n
	switch f {
	case Suma, Promedio:
		switch c.Clase {
		case ClaseEnteros:
			for _, x := range c.Enteros[:n] {
				a.enteros.sumar(x)
			}
		case ClaseFlotantes:
			for _, x := range c.Flotantes[:n] {
				a.flotantes.sumar(x)
			}
		case ClaseBooleanos:
			for _, x := range c.Booleanos[:n] {
				a.enteros.sumar(int64(x))
			}
		default:
			return false
		}
		a.n += int64(n)
		return true
	}
	// min and max: the batch's own extreme goes through the common rule.
	extremo := 0
	switch c.Clase {
	case ClaseEnteros:
		extremo = extremoDe(f, c.Enteros[:n])
	case ClaseFlotantes:
		extremo = extremoDe(f, c.Flotantes[:n])
	case ClaseTextos:
		extremo = extremoDe(f, c.Textos[:n])
	default:
		extremo = extremoDe(f, c.Booleanos[:n])
	}
	v := c.Valor(extremo)
	if a.minmax != nil && a.minmax.Familia() != v.Familia() {
		return false
	}
	a.tomar(f, v)
	a.n += int64(n - 1)
	return true
}

// extremoDe returns the index of the first least or greatest value.
func extremoDe[T interface {
	int64 | float64 | string | uint8
}](f Funcion, v []T) int {
	mejor, valor := 0, v[0]
	if f == Minimo {
		for i, x := range v {
			if x < valor {
				mejor, valor = i, x
			}
		}
		return mejor
	}
	for i, x := range v {
		if x > valor {
			mejor, valor = i, x
		}
	}
	return mejor
}
