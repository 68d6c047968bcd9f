package algebra

// tamanoDeLote is how many rows a batch has at most.
const tamanoDeLote = 4096

// Lote is the batch of rows one run of an expression's program works on. It
// belongs to one goroutine.
//
// Errors come out in row order and, within a row, from left to right: nodes
// run in that order, so the first failure told for the lowest row is the one,
// and rows from it on no longer matter. [Lote.Fallar] therefore shrinks the
// batch; a node loops over the rows there still are.
type Lote struct {
	n     int
	err   error // failure of row n, the first one in order
	corte bool  // the batch was cut at n for memory; the rest is run again
	// estrecho says that the batch is to be run again with fewer rows, for memory.
	estrecho bool
	bytes    int64 // estimated bytes of derived values alive in this batch
	techo    int64 // how many a batch of several rows may have
	base     int64 // estimated bytes alive outside the batch
	contar   bool  // the budget may end within this batch, which has one row
	pasos    int64 // with contar, the steps that may still be spent
	largos   int64 // without contar, steps of long values spent in this batch
	tope     int64 // and how many there may be
	previos  int64 // steps beyond its nodes that earlier batches of the pass spent
	trabajo  int64 // bytes of texts gone over since the context was looked at
	nodo     int   // the node running, for its scratch column
	borrar   []Columna
	limites  *LimitesAlgebra
	// ejecucion is the evaluation that steps of scalars are charged to.
	ejecucion *ejecucion
	// relaciones are those under the aliases of the rows, in slot order.
	relaciones []*Relacion
}

// N returns how many rows are still to be computed: those before the first
// failure.
func (l *Lote) N() int { return l.n }

// Limites returns the active limits; do not modify them.
func (l *Lote) Limites() *LimitesAlgebra { return l.limites }

// Fallar records that a row of the batch, below N, cannot be computed. From
// then on N returns that row.
func (l *Lote) Fallar(fila int, err error) {
	if fila < l.n {
		l.n, l.err, l.corte = fila, err, false
	}
}

// PasosRestantes returns how many steps a scalar may still spend beyond the
// nodes of the pass, which are accounted for already.
func (l *Lote) PasosRestantes() int64 {
	if l.contar {
		return l.pasos
	}
	x := l.ejecucion
	return max(0, x.lim.PasosDeOperacion-x.pasos-x.comprometidos-l.previos-l.largos)
}

// GastarPasos charges n steps that a scalar of row fila spent beyond its node.
// It reports false, having failed the row, when they are more than there were.
func (l *Lote) GastarPasos(fila int, n int64) bool {
	if n > l.PasosRestantes() {
		l.Fallar(fila, l.sinPasos())
		return false
	}
	if l.contar {
		l.pasos -= n
	} else {
		l.ejecucion.pasos += n
	}
	return true
}

// sinPasos is the error of a budget of steps that ended.
func (l *Lote) sinPasos() error {
	lim := l.limites.PasosDeOperacion
	return &LimiteError{LimitePasosDeOperacion, lim + 1, lim}
}

// trozoDeTrabajo is how many bytes of texts a node goes over before it looks
// at the context again: some hundred microseconds of them.
const trozoDeTrabajo = 1 << 20

// Trabajar tells that row fila goes over n bytes of texts. It reports false,
// having failed the row, when the evaluation was cancelled: a batch of long
// texts may take far longer than one of numbers.
func (l *Lote) Trabajar(fila int, n int) bool {
	l.trabajo += int64(n)
	if l.trabajo < trozoDeTrabajo {
		return true
	}
	l.trabajo = 0
	if err := l.ejecucion.ctx.Err(); err != nil {
		l.Fallar(fila, err)
		return false
	}
	return true
}

// Cobrar accounts for n bytes that row fila derives and keeps alive through
// the batch. It reports false when the row must not be computed now: the batch
// was cut before it, or the row alone exceeds memoria_de_operacion.
func (l *Lote) Cobrar(fila int, n int64) bool {
	if l.base+l.bytes+n <= l.limites.MemoriaDeOperacion && (l.contar || l.bytes+n <= l.techo) {
		l.bytes += n
		return true
	}
	if fila >= l.n {
		return false
	}
	if fila == 0 && !l.contar {
		// What the other rows derived may be what does not fit.
		l.estrecho = true
		l.Fallar(0, errRepetir)
		return false
	}
	if fila == 0 {
		l.Fallar(0, &LimiteError{LimiteMemoriaDeOperacion, l.base + l.bytes + n, l.limites.MemoriaDeOperacion})
		return false
	}
	l.n, l.err, l.corte = fila, nil, true
	return false
}

// Columna returns the running node's own column, of the given class and with
// room for N rows; its former content is gone. A node may use only one at a
// time and returns it as its result.
func (l *Lote) Columna(clase ClaseColumna) *Columna {
	return l.columnaDe(clase, l.n)
}

func (l *Lote) columnaDe(clase ClaseColumna, n int) *Columna {
	c := &l.borrar[l.nodo]
	c.Clase, c.Constante = clase, false
	switch clase {
	case ClaseEnteros:
		c.Enteros = conLargo(c.Enteros, n)
	case ClaseFlotantes:
		c.Flotantes = conLargo(c.Flotantes, n)
	case ClaseTextos:
		c.Textos = conLargo(c.Textos, n)
	case ClaseBooleanos:
		c.Booleanos = conLargo(c.Booleanos, n)
	default:
		c.Mixta = conLargo(c.Mixta, n)
	}
	return c
}

// conLargo returns s with length n, reallocated only when it does not fit.
func conLargo[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, max(n, min(2*n, tamanoDeLote)))
}
