package algebra

import (
	"context"
	"fmt"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// ejecucion is one evaluation: the budget threaded through it.
type ejecucion struct {
	ctx   context.Context
	lim   LimitesAlgebra
	op    Opciones
	pasos int64 // steps charged
	// comprometidos are the steps the running pass will charge for its nodes.
	comprometidos int64
	memoria       int64 // estimated bytes alive between steps
}

// reservar accounts for n more bytes alive between steps.
func (x *ejecucion) reservar(n int64) error {
	x.memoria += n
	return x.memoriaCon(0)
}

// memoriaCon fails when extra more bytes would be too many.
func (x *ejecucion) memoriaCon(extra int64) error {
	if x.memoria+extra > x.lim.MemoriaDeOperacion {
		return &LimiteError{LimiteMemoriaDeOperacion, x.memoria + extra, x.lim.MemoriaDeOperacion}
	}
	return nil
}

// cobrar charges steps at once, before doing what they stand for.
func (x *ejecucion) cobrar(n int64) error {
	if x.pasos+n > x.lim.PasosDeOperacion {
		x.pasos = x.lim.PasosDeOperacion
		return &LimiteError{LimitePasosDeOperacion, x.lim.PasosDeOperacion + 1, x.lim.PasosDeOperacion}
	}
	x.pasos += n
	return nil
}

// recorrido is one pass of some programs over a sequence of rows.
type recorrido struct {
	total      int64 // rows
	programas  []*programa
	relaciones []*Relacion // under each slot
	// preparar sets the views of the rows from p on, at most maximo of them,
	// and returns how many the batch has, at least one.
	preparar func(w *obrero, p int64, maximo int) int
	// revisar, if set, looks at what program k gave as soon as it ran, and may
	// fail rows. It changes nothing else: a batch may be cut and run again.
	revisar func(w *obrero, k int, c *Columna)
	// plegar, if set, takes what program k gave for the rows that passed, once
	// all programs ran, and may fail rows.
	plegar func(w *obrero, k int, c *Columna)
	// admite, if set, says whether plegar would have failed a row, the one at
	// which a later program failed: within a row, errors go left to right.
	admite func(w *obrero, k int, c *Columna, fila int) error
	// cerrar, if set, takes the n rows of the batch that passed everything.
	cerrar func(w *obrero, p int64, n int) error
	// paralelo allows the pass to be split; revisar and cerrar must then only
	// touch what the worker or the rows own.
	paralelo bool
}

// obrero is one goroutine's share of a pass.
type obrero struct {
	x       *ejecucion
	lote    Lote
	vistas  []vista
	marcos  []*marco
	idx     [][]int32  // scratch for gathered rows, per slot
	i, j    []int32    // rows, or pairs, kept
	salidas []*Columna // what each program gave
}

func (x *ejecucion) obrero(r *recorrido) *obrero {
	w := &obrero{x: x, vistas: make([]vista, len(r.relaciones)), idx: make([][]int32, len(r.relaciones))}
	w.lote = Lote{limites: &x.lim, ejecucion: x, base: x.memoria, relaciones: r.relaciones}
	for _, p := range r.programas {
		w.marcos = append(w.marcos, nuevoMarco(p, &w.lote, r.relaciones, w.vistas))
	}
	w.salidas = make([]*Columna, len(r.programas))
	return w
}

// nodosPorFila is how many steps a row of the pass takes.
func (r *recorrido) nodosPorFila() int64 {
	var k int64
	for _, p := range r.programas {
		k += int64(len(p.nodos))
	}
	return k
}

// externa reports whether some scalar of the pass spends steps of its own: one
// goroutine then makes the whole of it, so that where the budget ends does not
// depend on the schedule.
func (r *recorrido) externa() bool {
	for _, p := range r.programas {
		for _, n := range p.nodos {
			if n.escalar != nil && n.escalar.Procedencia != ProcedenciaInterna {
				return true
			}
		}
	}
	return false
}

// minimoParalelo is how many rows a pass has before it is worth splitting.
const minimoParalelo = 8 * tamanoDeLote

// correr makes the pass. The error is the first in row order. It returns the
// workers, in row order, with what they gathered.
func (x *ejecucion) correr(r *recorrido) ([]*obrero, error) {
	k := r.nodosPorFila()
	restan := x.lim.PasosDeOperacion - x.pasos
	if k == 0 || r.total <= restan/k {
		nucleos := x.op.nucleos()
		if !r.paralelo || nucleos < 2 || r.total < minimoParalelo || r.externa() {
			w := x.obrero(r)
			x.comprometidos = k * r.total
			fila, err := w.tramo(r, 0, r.total)
			x.comprometidos = 0
			x.pasos += k * fila
			return []*obrero{w}, err
		}
		return x.enParalelo(r, nucleos, k)
	}
	// The budget ends within the pass: run the rows that fit whole, then the
	// one it ends in, node by node.
	w := x.obrero(r)
	caben := restan / k
	x.comprometidos = k * caben
	fila, err := w.tramo(r, 0, caben)
	x.comprometidos = 0
	x.pasos += k * fila
	if err != nil {
		return nil, err
	}
	w.lote.contar, w.lote.pasos = true, x.lim.PasosDeOperacion-x.pasos
	_, err = w.tramo(r, caben, caben+1)
	x.pasos = x.lim.PasosDeOperacion
	return nil, err
}

// tramo runs the rows from p to hasta. It returns how many rows were charged.
func (w *obrero) tramo(r *recorrido, p, hasta int64) (int64, error) {
	inicio := p
	for p < hasta {
		if err := w.x.ctx.Err(); err != nil {
			return p - inicio, err
		}
		n, err := w.unLote(r, p, int(min(tamanoDeLote, hasta-p)))
		if err != nil {
			return p - inicio + int64(n) + 1, err
		}
		p += int64(n)
	}
	return p - inicio, nil
}

// unLote runs one batch and returns how many rows of it were done.
func (w *obrero) unLote(r *recorrido, p int64, maximo int) (int, error) {
	l := &w.lote
	l.n, l.err, l.corte, l.bytes, l.base = r.preparar(w, p, maximo), nil, false, 0, w.x.memoria
	culpable := 0 // the program that failed the row l.n
	for k, m := range w.marcos {
		antes := l.n
		c, err := m.correr()
		if err != nil {
			return l.n, err
		}
		w.salidas[k] = c
		if r.revisar != nil && l.n > 0 {
			r.revisar(w, k, c)
		}
		if l.n < antes {
			culpable = k
		}
	}
	if r.plegar != nil {
		w.plegarLote(r, culpable)
	}
	if l.err != nil {
		return l.n, l.err
	}
	if r.cerrar != nil && l.n > 0 {
		if err := r.cerrar(w, p, l.n); err != nil {
			return l.n, err
		}
	}
	return l.n, nil
}

// plegarLote folds the rows that passed every program, which may fail some.
func (w *obrero) plegarLote(r *recorrido, culpable int) {
	l := &w.lote
	n, err := l.n, l.err
	for k, c := range w.salidas {
		if l.n > 0 {
			r.plegar(w, k, c)
		}
	}
	if err == nil || l.n < n {
		return
	}
	for k := range culpable {
		if e := r.admite(w, k, w.salidas[k], n); e != nil {
			l.err = e
			return
		}
	}
}

// enParalelo splits the pass in consecutive stretches, a few for each core so
// that none waits long. The first error in row order wins, whoever finds it.
func (x *ejecucion) enParalelo(r *recorrido, nucleos int, k int64) ([]*obrero, error) {
	tramos := int64(nucleos * 4)
	largo := (r.total + tramos - 1) / tramos
	largo = (largo + tamanoDeLote - 1) / tamanoDeLote * tamanoDeLote
	tramos = (r.total + largo - 1) / largo
	obreros := make([]*obrero, tramos)
	errores := make([]error, tramos)
	filas := make([]int64, tramos)
	var siguiente, peor atomic.Int64
	peor.Store(tramos)
	var grupo sync.WaitGroup
	for range min(int64(nucleos), tramos) {
		grupo.Go(func() {
			for {
				t := siguiente.Add(1) - 1
				if t >= tramos || t > peor.Load() {
					return
				}
				filas[t], errores[t] = x.tramoSeguro(r, t, largo, &obreros[t])
				if errores[t] != nil {
					for p := peor.Load(); t < p && !peor.CompareAndSwap(p, t); p = peor.Load() {
					}
				}
			}
		})
	}
	grupo.Wait()
	for t := range errores {
		x.pasos += k * filas[t]
		if errores[t] != nil {
			return nil, errores[t]
		}
	}
	return obreros, nil
}

// tramoSeguro runs one stretch; a panic there is an internal error, not the
// end of the process.
func (x *ejecucion) tramoSeguro(r *recorrido, t, largo int64, w **obrero) (fila int64, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &ErrorInterno{Causa: fmt.Errorf("%v", p), Traza: string(debug.Stack())}
		}
	}()
	*w = x.obrero(r)
	return (*w).tramo(r, t*largo, min((t+1)*largo, r.total))
}
