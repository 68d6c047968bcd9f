package algebra

import (
	"math"
	"slices"
)

// plegado folds the values of one aggregate over many groups: exact sums for
// «suma» and «promedio», the least or greatest value so far for «min» and
// «max». «contar» has nothing to fold: how many rows a group has is known.
type plegado struct {
	funcion  Funcion
	sumas    []suma
	extremos []Valor          // nil while a group has no value
	memoria  *memoriaDeGrupos // nil when there is a single group
}

// porGrupo is how many bytes the aggregate of a group occupies.
func (p *plegado) porGrupo() int64 {
	switch p.funcion {
	case Contar:
		return 0
	case Suma, Promedio:
		return 48
	default:
		return 32
	}
}

// crecer adds a group without values.
func (p *plegado) crecer() {
	switch p.funcion {
	case Contar:
	case Suma, Promedio:
		p.sumas = append(p.sumas, suma{})
	default:
		p.extremos = append(p.extremos, nil)
	}
}

// prever makes room for n more groups.
func (p *plegado) prever(n int) {
	switch p.funcion {
	case Contar:
	case Suma, Promedio:
		p.sumas = slices.Grow(p.sumas, n)
	default:
		p.extremos = slices.Grow(p.extremos, n)
	}
}

// acepta says why the aggregate does not take a value of a group, nil when it
// does. A negative group is one that has no values yet.
func (p *plegado) acepta(g int, v Valor) error {
	f, fam := p.funcion, v.Familia()
	switch f {
	case Suma, Promedio:
		if fam != FamiliaNumero && fam != FamiliaBooleana {
			return fallo(ClaseAgregado, "%s recibió %s; admite números y booleanos", f, conFamilia(v))
		}
	default:
		if fam == FamiliaNula || fam == FamiliaHecho {
			return fallo(ClaseAgregado, "%s recibió %s; admite números, booleanos o textos", f, conFamilia(v))
		}
		if g < 0 || p.extremos[g] == nil {
			return nil
		}
		if x := p.extremos[g]; x.Familia() != fam {
			return fallo(ClaseAgregado, "%s mezcla %s con %s; admite una sola familia", f, conFamilia(x), conFamilia(v))
		}
	}
	return nil
}

// tomar folds a value that was accepted. It reports whether a sum keeps a part
// aside since then.
func (p *plegado) tomar(g int, v Valor) (aparto bool) {
	switch p.funcion {
	case Suma, Promedio:
		s := &p.sumas[g]
		antes := s.exceso
		s.tomar(v)
		return s.exceso != antes
	case Minimo:
		if x := p.extremos[g]; x == nil || antes(ordenDeFamilia(v, x), v, x) {
			p.extremos[g] = v
		}
	case Maximo:
		if x := p.extremos[g]; x == nil || antes(-ordenDeFamilia(v, x), v, x) {
			p.extremos[g] = v
		}
	}
	return false
}

// antes reports whether v replaces x as the extreme. Of equal ones the integer
// is kept before the float, and 0.0 before -0.0: which of them came first must
// not show, neither in the value nor in what is computed from it (lenguaje §1).
func antes(orden int, v, x Valor) bool {
	if orden != 0 {
		return orden < 0
	}
	f, flotante := x.(Flotante)
	if !flotante {
		return false
	}
	g, tambien := v.(Flotante)
	return !tambien || math.Signbit(float64(f)) && !math.Signbit(float64(g))
}

// terminar returns the value of a group of so many rows; over none, the
// integer 0.
func (p *plegado) terminar(g int, filas int64, lim *LimitesAlgebra) (Valor, error) {
	switch {
	case p.funcion == Contar:
		return NuevoEntero(filas), nil
	case filas == 0:
		return NuevoEntero(0), nil
	case p.funcion == Suma:
		return p.sumas[g].total(lim)
	case p.funcion == Promedio:
		return p.sumas[g].promedio(filas)
	default:
		return p.extremos[g], nil
	}
}

// plegar folds a batch's column: grupo tells the group of each row, and is nil
// when all belong to the first. The first row with a value the aggregate does
// not take fails.
func (p *plegado) plegar(l *Lote, c *Columna, grupo []int32) {
	switch {
	case c.Constante || c.Clase == ClaseMixta:
	case grupo == nil && p.plegarJuntos(c, l.n):
		return
	case grupo != nil && (p.plegarSumas(l, c, grupo) || p.plegarExtremos(c, grupo)):
		return
	}
	for k := range l.n {
		g := 0
		if grupo != nil {
			g = int(grupo[k])
		}
		v := c.Valor(k)
		if err := p.acepta(g, v); err != nil {
			l.Fallar(k, err)
			return
		}
		if !p.cabe(l, k, p.tomar(g, v)) {
			return
		}
	}
}

// cabe accounts for what row k made a sum keep aside, if it did. It reports
// false, having failed the row, when there is no memory for it.
func (p *plegado) cabe(l *Lote, k int, aparto bool) bool {
	if !aparto || p.memoria == nil {
		return true
	}
	if err := p.memoria.tomar(bytesDeExceso); err != nil {
		l.Fallar(k, err)
		return false
	}
	return true
}

// plegarSumas adds a column of one type by group. It reports false, having
// done nothing, when the column has to go value by value.
func (p *plegado) plegarSumas(l *Lote, c *Columna, grupo []int32) bool {
	if p.sumas == nil {
		return false
	}
	switch c.Clase {
	case ClaseEnteros:
		for k, g := range grupo {
			p.sumas[g].entero(c.Enteros[k])
		}
	case ClaseFlotantes:
		for k, g := range grupo {
			s := &p.sumas[g]
			antes := s.exceso
			if s.flotante(c.Flotantes[k]); s.exceso != antes && !p.cabe(l, k, true) {
				return true
			}
		}
	case ClaseBooleanos:
		for k, g := range grupo {
			p.sumas[g].entero(int64(c.Booleanos[k]))
		}
	default:
		return false
	}
	return true
}

// plegarExtremos takes a column of one type by group, looking at values without
// boxing them. It reports false when the column has to go value by value, from
// the first row: taking an extreme again changes nothing.
func (p *plegado) plegarExtremos(c *Columna, grupo []int32) bool {
	if p.extremos == nil {
		return false
	}
	switch c.Clase {
	case ClaseEnteros:
		return extremosDe(p, c.Enteros, grupo, NuevoEntero, func(e Entero) (int64, bool) { return e.chico, e.grande == nil })
	case ClaseFlotantes:
		// Which zero is kept is for the common rule.
		return extremosDe(p, c.Flotantes, grupo, func(f float64) Flotante { return Flotante(f) },
			func(f Flotante) (float64, bool) { return float64(f), f != 0 })
	case ClaseTextos:
		return extremosDe(p, c.Textos, grupo, func(s string) Texto { return Texto(s) }, func(s Texto) (string, bool) { return string(s), true })
	default:
		return false
	}
}

func extremosDe[T int64 | float64 | string, V Valor](p *plegado, valores []T, grupo []int32, hacer func(T) V, leer func(V) (T, bool)) bool {
	minimo := p.funcion == Minimo
	for k, g := range grupo {
		x := valores[k]
		if p.extremos[g] == nil {
			p.extremos[g] = hacer(x)
			continue
		}
		v, ok := p.extremos[g].(V)
		if !ok {
			return false
		}
		actual, ok := leer(v)
		if !ok {
			return false
		}
		if minimo && x < actual || !minimo && x > actual {
			p.extremos[g] = hacer(x)
		}
	}
	return true
}

// plegarJuntos folds a column of one type into the first group, as plegarSumas.
func (p *plegado) plegarJuntos(c *Columna, n int) bool {
	if p.sumas != nil {
		s := &p.sumas[0]
		switch c.Clase {
		case ClaseEnteros:
			for _, x := range c.Enteros[:n] {
				s.entero(x)
			}
		case ClaseFlotantes:
			for _, x := range c.Flotantes[:n] {
				s.flotante(x)
			}
		case ClaseBooleanos:
			for _, x := range c.Booleanos[:n] {
				s.entero(int64(x))
			}
		default:
			return false
		}
		return true
	}
	// min and max: the batch's own extreme goes through the common rule.
	var k int
	switch c.Clase {
	case ClaseEnteros:
		k = extremoDe(p.funcion, c.Enteros[:n])
	case ClaseFlotantes:
		k = extremoDe(p.funcion, c.Flotantes[:n])
	case ClaseTextos:
		k = extremoDe(p.funcion, c.Textos[:n])
	default:
		k = extremoDe(p.funcion, c.Booleanos[:n])
	}
	v := c.Valor(k)
	if f, ok := v.(Flotante); ok && f == 0 {
		v = ceroDe(c.Flotantes[:n])
	}
	if p.acepta(0, v) != nil {
		return false // the row by row path names the first one that is wrong
	}
	p.tomar(0, v)
	return true
}

// ceroDe returns the zero that antes keeps of those of a column.
func ceroDe(v []float64) Valor {
	for _, x := range v {
		if x == 0 && !math.Signbit(x) {
			return Flotante(0)
		}
	}
	return Flotante(math.Copysign(0, -1))
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

// total returns the sum: an exact integer, or, with some float, the correctly
// rounded one.
func (s *suma) total(lim *LimitesAlgebra) (Valor, error) {
	if !s.hubo {
		if s.exceso == nil && s.alto == int64(s.bajo)>>63 && lim.BitsDeEntero >= 64 {
			return NuevoEntero(int64(s.bajo)), nil
		}
		e := enteroPropio(s.enteros())
		if b := int64(e.Bits()); b > lim.BitsDeEntero {
			return nil, &LimiteError{LimiteBitsDeEntero, b, lim.BitsDeEntero}
		}
		return e, nil
	}
	if s.exceso == nil && s.alto == 0 && s.bajo == 0 {
		return finito(Suma, s.mayor+s.menor)
	}
	return finito(Suma, cociente(s.unidades(), 1))
}

// promedio returns the correctly rounded exact sum over the count.
func (s *suma) promedio(filas int64) (Valor, error) {
	const exactos = 1 << 53 // up to here an integer is a float
	entero := int64(s.bajo)
	switch {
	case s.exceso != nil || filas > exactos:
	case s.bajo == 0 && s.alto == 0 && s.menor == 0:
		return finito(Promedio, s.mayor/float64(filas))
	case !s.hubo && s.alto == entero>>63 && entero >= -exactos && entero <= exactos:
		return finito(Promedio, float64(entero)/float64(filas))
	}
	return finito(Promedio, cociente(s.unidades(), filas))
}

func finito(que Funcion, f float64) (Valor, error) {
	if !esFinito(f) {
		return nil, fallo(ClaseNoFinito, "el resultado de %s no es finito", que)
	}
	return Flotante(f), nil
}
