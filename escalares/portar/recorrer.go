package portar

import "github.com/oracle-mcp/oracle-mcp/escalares/portar/python"

// hijosDe returns the parts of an expression, in order.
func hijosDe(e python.Expr) []python.Expr {
	var hs []python.Expr
	parametros := func(ps []python.Parametro) {
		for _, p := range ps {
			hs = append(hs, p.Defecto)
		}
	}
	switch e := e.(type) {
	case *python.Formateado:
		hs = append(hs, e.Partes...)
	case *python.Hueco:
		hs = append(hs, e.Valor)
	case *python.Secuencia:
		hs = append(hs, e.Elementos...)
	case *python.Diccionario:
		hs = append(append(hs, e.Claves...), e.Valores...)
	case *python.Comprension:
		hs = append(hs, e.Elemento, e.Valor)
		for _, c := range e.Clausulas {
			hs = append(append(hs, c.Destino, c.Iterable), c.Condiciones...)
		}
	case *python.Unario:
		hs = append(hs, e.Valor)
	case *python.Binario:
		hs = append(hs, e.Izq, e.Der)
	case *python.Logico:
		hs = append(hs, e.Valores...)
	case *python.Comparacion:
		hs = append(append(hs, e.Izq), e.Der...)
	case *python.Condicional:
		hs = append(hs, e.Entonces, e.Si, e.Sino)
	case *python.Lambda:
		parametros(e.Parametros)
		hs = append(hs, e.Cuerpo)
	case *python.Llamada:
		hs = append(hs, e.Funcion)
		for _, a := range e.Args {
			hs = append(hs, a.Valor)
		}
	case *python.Atributo:
		hs = append(hs, e.Valor)
	case *python.Indice:
		hs = append(hs, e.Valor, e.Indice)
	case *python.Corte:
		hs = append(hs, e.Valor, e.Desde, e.Hasta, e.Paso)
	}
	llenos := hs[:0]
	for _, h := range hs {
		if h != nil {
			llenos = append(llenos, h)
		}
	}
	return llenos
}

// recorrerExpr visits an expression and its parts.
func recorrerExpr(e python.Expr, ver func(python.Expr)) {
	if e == nil {
		return
	}
	ver(e)
	for _, h := range hijosDe(e) {
		recorrerExpr(h, ver)
	}
}

// expresionesDe returns the expressions a statement holds itself, and the
// statements inside it.
func expresionesDe(s python.Sentencia) ([]python.Expr, []python.Sentencia) {
	switch s := s.(type) {
	case *python.Funcion:
		var es []python.Expr
		for _, q := range s.Parametros {
			if q.Defecto != nil {
				es = append(es, q.Defecto)
			}
		}
		return append(es, s.Decoradores...), s.Cuerpo
	case *python.Retorno:
		return lleno(s.Valor), nil
	case *python.Asignacion:
		return append(append([]python.Expr{}, s.Destinos...), s.Valor), nil
	case *python.Aumento:
		return []python.Expr{s.Destino, s.Valor}, nil
	case *python.Si:
		return lleno(s.Condicion), append(append([]python.Sentencia{}, s.Cuerpo...), s.Sino...)
	case *python.Para:
		return []python.Expr{s.Destino, s.Iterable}, s.Cuerpo
	case *python.Lanzar:
		return lleno(s.Valor), nil
	case *python.Afirmar:
		return append(lleno(s.Condicion), lleno(s.Mensaje)...), nil
	case *python.Suelta:
		return lleno(s.Valor), nil
	}
	return nil, nil
}

func lleno(e python.Expr) []python.Expr {
	if e == nil {
		return nil
	}
	return []python.Expr{e}
}

// recorrerNombres tells every name the statements mention or define.
func recorrerNombres(ss []python.Sentencia, ver func(string)) {
	deExpr := func(e python.Expr) {
		switch e := e.(type) {
		case *python.Nombre:
			ver(e.Id)
		case *python.Lambda:
			for _, q := range e.Parametros {
				ver(q.Nombre)
			}
		case *python.Llamada:
			for _, a := range e.Args {
				ver(a.Nombre)
			}
		}
	}
	for _, s := range ss {
		if f, ok := s.(*python.Funcion); ok {
			ver(f.Nombre)
			for _, q := range f.Parametros {
				ver(q.Nombre)
			}
		}
		if i, ok := s.(*python.Importar); ok {
			ver(i.Alias)
		}
		es, dentro := expresionesDe(s)
		for _, e := range es {
			recorrerExpr(e, deExpr)
		}
		recorrerNombres(dentro, ver)
	}
}

// nombresDe returns the names a target assigns.
func nombresDe(d python.Expr) []string {
	switch d := d.(type) {
	case *python.Nombre:
		return []string{d.Id}
	case *python.Secuencia:
		var ns []string
		for _, e := range d.Elementos {
			ns = append(ns, nombresDe(e)...)
		}
		return ns
	}
	return nil
}
