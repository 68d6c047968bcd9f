package algebra

import (
	"hash/maphash"
	"math"
	"math/big"
	"slices"
)

// planDeGrupo is a compiled «agrupar»; resumen is the same with no keys.
type planDeGrupo struct {
	claves    []*programa
	nombres   []string // of the columns: keys, then aggregates
	funciones []Funcion
	agregados []*programa // nil for contar, which evaluates nothing
}

// agrupar makes one row for each combination of keys, in order of first
// appearance.
func (x *ejecucion) agrupar(t *tabla, p *planDeGrupo) (*tabla, error) {
	g := &grupos{plan: p, columnas: make([]Columna, len(p.claves)), memoria: memoriaDeGrupos{base: x.memoria, limite: x.lim.MemoriaDeOperacion}}
	g.porGrupo = 24 + 24*int64(len(p.claves))
	for _, f := range p.funciones {
		a := &plegado{funcion: f, memoria: &g.memoria}
		g.plegados = append(g.plegados, a)
		g.porGrupo += a.porGrupo()
	}
	r := &recorrido{
		total: int64(t.n), relaciones: t.relaciones, pliega: true,
		preparar: func(w *obrero, p int64, maximo int) int {
			t.vistas(w.vistas, int(p), maximo)
			return maximo
		},
	}
	r.programas = append(r.programas, p.claves...)
	var cuales []int // the aggregate each program after the keys is of
	for k, a := range p.agregados {
		if a != nil {
			r.programas, cuales = append(r.programas, a), append(cuales, k)
		}
	}
	claves := len(p.claves)
	r.revisar = func(w *obrero, k int, c *Columna) {
		if k < claves {
			exigirEscalares(&w.lote, c)
		}
	}
	r.plegar = func(w *obrero, k int, c *Columna) {
		switch {
		case k >= claves:
			g.plegados[cuales[k-claves]].plegar(&w.lote, c, g.deCada(w.lote.n))
		case k == claves-1:
			g.ubicar(&w.lote, w.salidas[:claves])
		}
	}
	r.admite = func(w *obrero, k int, c *Columna, fila int) error {
		if k < claves {
			return nil
		}
		return g.plegados[cuales[k-claves]].acepta(g.buscar(w.salidas[:claves], fila), c.Valor(fila))
	}
	r.cerrar = func(_ *obrero, _ int64, n int) error {
		g.contarFilas(n)
		return nil
	}
	if len(p.claves) == 0 && t.n > 0 {
		g.nuevo() // one group for all: no key program will make it
	}
	if _, err := x.correr(r); err != nil {
		return nil, err
	}
	return g.tabla(&x.lim)
}

// grupos are the groups found so far.
type grupos struct {
	plan     *planDeGrupo
	n        int
	columnas []Columna // the first row's keys of each group
	plegados []*plegado
	cuenta   []int64 // rows of each group
	deFila   []int32 // the batch's rows: each one's group
	hashes   []uint64
	tablero  []int32  // open addressing over hashDe; -1 is free
	hashDe   []uint64 // of each group
	semilla  maphash.Seed
	porGrupo int64 // bytes of a group, but for what its keys derive and its sums keep aside
	memoria  memoriaDeGrupos
}

// memoriaDeGrupos is what the groups occupy, in bytes, beside what was alive
// before them.
type memoriaDeGrupos struct {
	base, usada, limite int64
}

// tomar accounts for n bytes more, before they are asked for.
func (m *memoriaDeGrupos) tomar(n int64) error {
	m.usada += n
	if m.base+m.usada > m.limite {
		return &LimiteError{LimiteMemoriaDeOperacion, m.base + m.usada, m.limite}
	}
	return nil
}

func (g *grupos) nuevo() int32 {
	id := int32(g.n)
	g.n++
	g.cuenta = append(g.cuenta, 0)
	for _, p := range g.plegados {
		p.crecer()
	}
	return id
}

// deCada returns each row's group, nil when there is only the global one.
func (g *grupos) deCada(n int) []int32 {
	if len(g.plan.claves) == 0 {
		return nil
	}
	return g.deFila[:n]
}

func (g *grupos) contarFilas(n int) {
	if len(g.plan.claves) == 0 {
		if g.n > 0 {
			g.cuenta[0] += int64(n)
		}
		return
	}
	for _, id := range g.deFila[:n] {
		g.cuenta[id]++
	}
}

// exigirEscalares fails the first row whose key is a fact.
func exigirEscalares(l *Lote, c *Columna) {
	if c.Clase != ClaseMixta {
		return
	}
	for k, v := range c.Mixta {
		if k >= l.n {
			return
		}
		if v.Familia() == FamiliaHecho {
			l.Fallar(k, fallo(ClaseClaveNoEscalar, "agrupar usa un hecho entero como clave; una clave es un número, un texto, un booleano o un ausente"))
			return
		}
	}
}

// buscar returns the group of one row, or -1 when it has none yet.
func (g *grupos) buscar(claves []*Columna, fila int) int {
	if len(claves) == 0 {
		return g.n - 1
	}
	for id := range g.n {
		if g.mismasClaves(id, claves, fila) {
			return id
		}
	}
	return -1
}

// filasPorTramo is how many rows are placed between looks at the context: long
// texts as keys take as long as going over them.
const filasPorTramo = 256

// ubicar finds or makes the group of each row of the batch.
func (g *grupos) ubicar(l *Lote, claves []*Columna) {
	g.deFila, g.hashes = conLargo(g.deFila, l.n), conLargo(g.hashes, l.n)
	if g.tablero == nil {
		g.semilla = maphash.MakeSeed()
		g.crecer(64)
	}
	for desde := 0; desde < l.n; desde += filasPorTramo {
		hasta := min(desde+filasPorTramo, l.n)
		bytes := 0
		for _, c := range claves {
			if c.Clase == ClaseTextos && !c.Constante {
				for _, s := range c.Textos[desde:hasta] {
					bytes += len(s)
				}
			}
		}
		if !l.Trabajar(desde, bytes) {
			return
		}
		clear(g.hashes[desde:hasta])
		for _, c := range claves {
			g.mezclar(c, desde, hasta)
		}
		for k := desde; k < hasta; k++ {
			id, err := g.ubicarFila(claves, k)
			if err != nil {
				l.Fallar(k, err)
				return
			}
			g.deFila[k] = id
		}
	}
}

// ubicarFila finds or makes the group of one row, whose hash is ready.
func (g *grupos) ubicarFila(claves []*Columna, k int) (int32, error) {
	h, mascara := g.hashes[k], uint64(len(g.tablero)-1)
	lugar := h & mascara
	for ; g.tablero[lugar] >= 0; lugar = (lugar + 1) & mascara {
		id := g.tablero[lugar]
		if g.hashDe[id] == h && g.mismasClaves(int(id), claves, k) {
			return id, nil
		}
	}
	if err := g.memoria.tomar(g.porGrupo); err != nil {
		return 0, err
	}
	id := g.nuevo()
	g.hashDe = append(g.hashDe, h)
	for c := range claves {
		if err := g.memoria.tomar(g.columnas[c].copiar(claves[c], k)); err != nil {
			return 0, err
		}
	}
	g.tablero[lugar] = id
	if 2*g.n > len(g.tablero) {
		g.crecer(2 * len(g.tablero))
	}
	return id, nil
}

// crecer makes the board n places long, with room for the groups that fill it,
// as long as there may be that many.
func (g *grupos) crecer(n int) {
	if g.n > 0 {
		m := &g.memoria
		faltan := min(n/2+1-g.n, int((m.limite-m.base-m.usada)/g.porGrupo)+1)
		g.hashDe, g.cuenta = slices.Grow(g.hashDe, faltan), slices.Grow(g.cuenta, faltan)
		for c := range g.columnas {
			g.columnas[c].prever(faltan)
		}
		for _, p := range g.plegados {
			p.prever(faltan)
		}
	}
	g.tablero = make([]int32, n)
	for i := range g.tablero {
		g.tablero[i] = -1
	}
	mascara := uint64(n - 1)
	for id, h := range g.hashDe {
		lugar := h & mascara
		for g.tablero[lugar] >= 0 {
			lugar = (lugar + 1) & mascara
		}
		g.tablero[lugar] = int32(id)
	}
}

// mezclar adds a key column to the hashes of some of the batch's rows. The seed is
// random, so evidence cannot aim for collisions; no result depends on it.
func (g *grupos) mezclar(c *Columna, desde, hasta int) {
	h := g.hashes[desde:hasta]
	if c.Constante {
		v := g.hashValor(c.Valor(0))
		for k := range h {
			h[k] = combinarHash(h[k], v)
		}
		return
	}
	switch c.Clase {
	case ClaseEnteros:
		for k, x := range c.Enteros[desde:hasta] {
			h[k] = combinarHash(h[k], maphash.Comparable(g.semilla, x))
		}
	case ClaseTextos:
		for k, x := range c.Textos[desde:hasta] {
			h[k] = combinarHash(h[k], maphash.String(g.semilla, x))
		}
	default:
		for k := range h {
			h[k] = combinarHash(h[k], g.hashValor(c.Valor(desde+k)))
		}
	}
}

func combinarHash(h, v uint64) uint64 {
	h = (h ^ v) * 0x9e3779b97f4a7c15
	return h ^ h>>29
}

// hashValor hashes equal keys alike: 1 and 1.0 are the same one.
func (g *grupos) hashValor(v Valor) uint64 {
	switch x := v.(type) {
	case Entero:
		if x.grande == nil {
			return maphash.Comparable(g.semilla, x.chico)
		}
		return maphash.Bytes(g.semilla, x.grande.Bytes())
	case Flotante:
		f := float64(x)
		if f != math.Trunc(f) {
			return maphash.Comparable(g.semilla, f)
		}
		if f >= -(1<<63) && f < 1<<63 {
			return maphash.Comparable(g.semilla, int64(f))
		}
		n, _ := big.NewFloat(f).Int(nil)
		return maphash.Bytes(g.semilla, n.Bytes())
	case Texto:
		return maphash.String(g.semilla, string(x))
	case Booleano:
		return maphash.Comparable(g.semilla, bool(x))
	default:
		return 1
	}
}

// mismasClaves reports whether row k has the keys of a group.
func (g *grupos) mismasClaves(id int, claves []*Columna, k int) bool {
	for c, col := range claves {
		if !mismaClave(&g.columnas[c], id, col, k) {
			return false
		}
	}
	return true
}

func mismaClave(a *Columna, i int, b *Columna, j int) bool {
	if b.Constante {
		j = 0
	}
	if a.Clase == b.Clase {
		switch a.Clase {
		case ClaseEnteros:
			return a.Enteros[i] == b.Enteros[j]
		case ClaseTextos:
			return a.Textos[i] == b.Textos[j]
		case ClaseBooleanos:
			return a.Booleanos[i] == b.Booleanos[j]
		case ClaseFlotantes:
			return a.Flotantes[i] == b.Flotantes[j]
		}
	}
	x, y := a.Valor(i), b.Valor(j)
	f := x.Familia()
	return f == y.Familia() && (f == FamiliaNula || ordenDeFamilia(x, y) == 0)
}

// tabla finishes every aggregate, group by group, and makes the rows.
func (g *grupos) tabla(lim *LimitesAlgebra) (*tabla, error) {
	p := g.plan
	r := &Relacion{Nombre: aliasDeGrupo, n: g.n}
	columnas := make([]Columna, len(p.nombres))
	copy(columnas, g.columnas)
	for id := range g.n {
		for k, a := range g.plegados {
			c := &columnas[len(p.claves)+k]
			v, err := a.terminar(id, g.cuenta[id], lim)
			if err != nil {
				return nil, err
			}
			if c.agregar(v); id == 0 {
				c.prever(g.n - 1)
			}
		}
	}
	var todas []int32
	for k, nombre := range p.nombres {
		todas = append(todas, r.nuevoCampo(campoLeido{nombre: nombre, columna: &columnas[k]}))
	}
	r.porNombre(todas)
	r.formas = [][]int32{todas}
	return &tabla{n: g.n, alias: []string{aliasDeGrupo}, relaciones: []*Relacion{r}, filas: [][]int32{nil}}, nil
}

// resumir collapses the rows to one value.
func (x *ejecucion) resumir(t *tabla, f Funcion, p *programa) (Valor, error) {
	a := &plegado{funcion: f}
	a.crecer()
	if f == Contar {
		return a.terminar(0, int64(t.n), &x.lim)
	}
	r := &recorrido{
		total: int64(t.n), programas: []*programa{p}, relaciones: t.relaciones, pliega: true,
		preparar: func(w *obrero, p int64, maximo int) int {
			t.vistas(w.vistas, int(p), maximo)
			return maximo
		},
		plegar: func(w *obrero, _ int, c *Columna) { a.plegar(&w.lote, c, nil) },
	}
	if _, err := x.correr(r); err != nil {
		return nil, err
	}
	return a.terminar(0, int64(t.n), &x.lim)
}
