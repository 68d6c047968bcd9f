package algebra

// unir evaluates the outermost «unir» of a source together with the condition
// of the «donde» that follows it at once; c is nil when none does.
func (x *ejecucion) unir(izq, der *tabla, c *condicion) (*tabla, error) {
	if c != nil && c.entera {
		if q := c.igualdades[0].cruzada(len(izq.relaciones)); q != nil {
			return x.porClave(izq, der, q)
		}
	}
	if err := x.exigirProducto(izq, der); err != nil {
		return nil, err
	}
	if izq.n == 0 || der.n == 0 {
		return pares(izq, der, nil, nil), nil
	}
	if c == nil {
		return x.productoEntero(izq, der)
	}
	q := x.indexable(c, izq, der)
	if q == nil {
		return x.cruzar(izq, der, c.programa)
	}
	if err := x.cobrar(int64(izq.n) * int64(der.n) * int64(len(c.programa.nodos))); err != nil {
		return nil, err
	}
	var i, j []int32
	err := x.candidatos(barrido{izq: izq, der: der}, c, q, func(a, b int32) error {
		i, j = append(i, a), append(j, b)
		if len(i)%tamanoDeLote == 0 {
			return x.memoriaCon(int64(cap(i)) * 8)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return pares(izq, der, i, j), nil
}

// porClave evaluates «unir» followed at once by one equality across it,
// without comparing every pair (lenguaje §9). The product's limit applies to
// the rows produced. A step is charged for each row of both sides, whose key
// is read once (a long one spends more), and one for each row produced. The pair that would be an error
// in the product is the same error at its place in the product's order.
func (x *ejecucion) porClave(izq, der *tabla, q *igualdad) (*tabla, error) {
	if izq.n == 0 || der.n == 0 {
		return pares(izq, der, nil, nil), nil
	}
	borde := len(izq.relaciones)
	claves := izq.pasosDeClave(q.ranuraA, q.campoA) + der.pasosDeClave(q.ranuraB-borde, q.campoB)
	if err := x.cobrar(claves); err != nil {
		return nil, err
	}
	s := &salidaPorClave{x: x}
	a, b := izq.columna(q.ranuraA, q.campoA), der.columna(q.ranuraB-borde, q.campoB)
	var err error
	if a != nil && b != nil && a.Clase == b.Clase && a.Clase != ClaseFlotantes {
		err = s.limpias(izq.n, buscador(izq, der, q))
	} else {
		err = s.dudosas(izq, der, q)
	}
	if err != nil {
		return nil, err
	}
	return pares(izq, der, s.i, s.j), nil
}

// pasosDeClave is how many steps reading a key at each row takes.
func (t *tabla) pasosDeClave(ranura int, campo string) int64 {
	pasos := int64(t.n)
	c := t.columna(ranura, campo)
	switch {
	case c == nil:
		v := t.lector(ranura, campo)
		for i := range t.n {
			pasos += pasosDeLargo(largoDe(v(i)))
		}
	case hayLargos(c):
		for i := range t.n {
			pasos += pasosDeLargo(len(c.Textos[t.filaDe(ranura, i)]))
		}
	}
	return pasos
}

// salidaPorClave gathers the rows of a join by key under their limits.
type salidaPorClave struct {
	x    *ejecucion
	i, j []int32
}

// tomar adds the pairs of row i with each of the rows j, in order.
func (s *salidaPorClave) tomar(i int, j []int32) error {
	lim := &s.x.lim
	if caben := lim.ProductoCartesiano - int64(len(s.i)); int64(len(j)) > caben {
		if err := s.x.cobrar(caben); err != nil {
			return err
		}
		return &LimiteError{LimiteProductoCartesiano, lim.ProductoCartesiano + 1, lim.ProductoCartesiano}
	}
	if err := s.x.cobrar(int64(len(j))); err != nil {
		return err
	}
	for _, f := range j {
		s.i = append(s.i, int32(i))
		s.j = append(s.j, f)
	}
	if i%tamanoDeLote == 0 || len(j) > tamanoDeLote {
		if err := s.x.ctx.Err(); err != nil {
			return err
		}
	}
	return s.x.memoriaCon(int64(cap(s.i)) * 8)
}

func (s *salidaPorClave) limpias(n int, buscar func(int) []int32) error {
	for i := range n {
		if err := s.tomar(i, buscar(i)); err != nil {
			return err
		}
	}
	return nil
}

// dudosas joins by columns that may hold what does not compare.
func (s *salidaPorClave) dudosas(izq, der *tabla, q *igualdad) error {
	borde := len(izq.relaciones)
	ranuraB := q.ranuraB - borde
	a, b := izq.lector(q.ranuraA, q.campoA), der.lector(ranuraB, q.campoB)
	// For each family, the first right row it cannot be compared with.
	primera := map[Familia]int{}
	familias := []Familia{FamiliaNumero, FamiliaTexto, FamiliaBooleana}
	for _, f := range familias {
		primera[f] = der.n
	}
	claves := make([]clave, der.n)
	for j := range der.n {
		v := b(j)
		for _, f := range familias {
			if j < primera[f] && (!seIguala(v) || v.Familia() != f) {
				primera[f] = j
			}
		}
		claves[j] = claveDe(v)
	}
	ix := indexar(claves)
	for i := range izq.n {
		v := a(i)
		hasta := 0 // the right row at which this one fails
		if seIguala(v) {
			hasta = primera[v.Familia()]
		}
		if hasta == 0 {
			return errorDeComparacion(Igual, v, b(0))
		}
		iguales := ix.buscar(claveDe(v))
		corte := len(iguales)
		for corte > 0 && int(iguales[corte-1]) >= hasta {
			corte--
		}
		if err := s.tomar(i, iguales[:corte]); err != nil {
			return err
		}
		if hasta < der.n {
			return errorDeComparacion(Igual, v, b(hasta))
		}
	}
	return nil
}

// clave is the identity of a value that may stand at a side of «==»: those of
// two values are equal exactly when the values are. Texts are not copied.
type clave struct {
	familia Familia
	n       int64
	texto   string // also the magnitude of an integer of more than 64 bits
}

func claveDe(v Valor) clave {
	c := clave{familia: v.Familia()}
	switch x := v.(type) {
	case Texto:
		c.texto = string(x)
	case Booleano:
		c.n = int64(bit(bool(x)))
	case Entero:
		if c.n = x.chico; x.grande != nil {
			c.n, c.texto = int64(x.grande.Sign()), string(x.grande.Bytes())
		}
	}
	return c
}

// seIguala reports whether a value may stand at a side of «==».
func seIguala(v Valor) bool {
	_, flotante := v.(Flotante)
	f := v.Familia()
	return !flotante && f != FamiliaNula && f != FamiliaHecho
}

// lector returns how to read a slot's field at each row.
func (t *tabla) lector(ranura int, campo string) func(int) Valor {
	r := t.relaciones[ranura]
	return func(fila int) Valor {
		v, ok := r.Valor(int(t.filaDe(ranura, fila)), campo)
		if !ok {
			return Nulo{}
		}
		return v
	}
}
