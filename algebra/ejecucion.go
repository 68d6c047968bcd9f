package algebra

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
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
	// pliega says that what the programs give is gone over again, as a key or
	// by an aggregate.
	pliega bool
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
	// gastados are the steps of the rows it ran, but for those that scalars
	// charged at once.
	gastados int64
	// largos, in a pass that is split, are the steps that long values took in
	// all of it, and tope how many the budget leaves for them.
	largos *atomic.Int64
	tope   int64
}

// parteDelLote is which part of memoria_de_operacion the values that a batch
// derives may take, so that what the last one left behind does not pile up on
// them. Only a row by itself may take it all.
const parteDelLote = 8

func (x *ejecucion) obrero(r *recorrido) *obrero {
	w := &obrero{x: x, vistas: make([]vista, len(r.relaciones)), idx: make([][]int32, len(r.relaciones))}
	w.lote = Lote{limites: &x.lim, ejecucion: x, base: x.memoria, techo: x.lim.MemoriaDeOperacion / parteDelLote, relaciones: r.relaciones}
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
	caben := r.total // rows whose nodes the budget pays whole
	if k > 0 {
		caben = min(caben, restan/k)
	}
	if nucleos := x.op.nucleos(); r.paralelo && nucleos > 1 && caben == r.total && r.total >= minimoParalelo && !r.externa() {
		obreros, err := x.enParalelo(r, nucleos, restan-k*r.total)
		if err != errRepetir {
			return obreros, err
		}
	}
	w := x.obrero(r)
	x.comprometidos = k * caben
	err := w.tramo(r, 0, r.total)
	x.comprometidos = 0
	x.pasos = min(x.pasos+w.gastados, x.lim.PasosDeOperacion)
	if err != nil {
		return nil, err
	}
	return []*obrero{w}, nil
}

// errRepetir says that a batch has to be run again, with fewer rows: nothing of
// it was taken yet. A pass that is split and gives it is run whole by one
// goroutine.
var errRepetir = errors.New("algebra: the batch is to be run again")

// tramo runs the rows from p to hasta. Batches are sized so that the budget
// pays the nodes of all their rows. The row it does not pay whole, and the
// batches where long values took what was left, run one row at a time, counting
// node by node, so that an error before the limit is still the error.
func (w *obrero) tramo(r *recorrido, p, hasta int64) error {
	x, l, k := w.x, &w.lote, r.nodosPorFila()
	maximo, exactas := int64(tamanoDeLote), p // rows before exactas are run one at a time
	for p < hasta {
		if err := x.ctx.Err(); err != nil {
			return err
		}
		restan := x.lim.PasosDeOperacion - x.pasos - w.gastados
		n := min(maximo, hasta-p)
		if k > 0 {
			n = min(n, restan/k)
		}
		if l.contar = n == 0 || p < exactas; l.contar {
			n, l.pasos = 1, restan
		} else if l.tope = restan - k*n; w.largos != nil {
			l.tope = w.tope - w.largos.Load()
		}
		escalares := x.pasos
		hechas, err := w.unLote(r, p, int(n))
		if err == errRepetir {
			if w.largos != nil && hechas == 0 {
				return err
			}
			if x.pasos != escalares {
				x.pasos = escalares
			}
			if hechas > 0 {
				maximo = int64(hechas)
			} else {
				exactas = p + n
			}
			continue
		}
		maximo = min(tamanoDeLote, 2*maximo)
		if err != nil {
			hechas++ // the row that failed is charged whole
		}
		if l.contar {
			gastados := restan - l.pasos
			if err != nil { // whole, as in a batch
				gastados = max(gastados, min(restan, k+l.largos))
			}
			w.gastados += gastados
			l.previos += restan - l.pasos - k
		} else {
			w.gastados += k*int64(hechas) + l.largos
			l.previos += l.largos
		}
		if err != nil {
			return err
		}
		if w.largos != nil && l.largos > 0 {
			w.largos.Add(l.largos)
		}
		l.largos = 0
		p += int64(hechas)
	}
	return nil
}

// unLote runs one batch and returns how many rows of it were done. With
// errRepetir, that is how many it can be run again with, or none to run them
// one at a time; what it charged does not count.
func (w *obrero) unLote(r *recorrido, p int64, maximo int) (int, error) {
	l := &w.lote
	l.n, l.err, l.corte, l.bytes, l.base = r.preparar(w, p, maximo), nil, false, 0, w.x.memoria
	l.largos, l.estrecho = 0, false
	escalares := w.x.pasos
	culpable := 0 // the program that failed the row l.n
	for k, m := range w.marcos {
		antes := l.n
		c, err := m.correr()
		if err != nil {
			return l.n, err
		}
		w.salidas[k] = c
		if r.pliega {
			l.gastarColumnas(c)
		}
		if r.revisar != nil && l.n > 0 {
			r.revisar(w, k, c)
		}
		if l.n < antes {
			culpable = k
		}
	}
	switch {
	case l.err == errRepetir && l.estrecho:
		return maximo / 2, errRepetir
	case l.err == errRepetir:
		return 0, errRepetir
	case l.err != nil && r.paralelo && !l.contar && l.largos > 0:
		return 0, errRepetir // rows after the one that failed were charged too
	}
	if l.corte && (l.largos > 0 || w.x.pasos != escalares) {
		return l.n, errRepetir // the rows cut off were charged too
	}
	if r.plegar != nil {
		w.plegarLote(r, culpable)
	}
	if l.err != nil {
		return l.n, l.err
	}
	if r.cerrar != nil && l.n > 0 {
		if err := r.cerrar(w, p, l.n); err == errRepetir {
			return 0, err
		} else if err != nil {
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

// enParalelo splits the pass in consecutive stretches, many for each core so
// that none waits long. The first error in row order wins, whoever finds it.
// Long values may take up to tope steps beyond the nodes'; with more, where the
// budget ends would depend on the schedule, and the error is errRepetir.
func (x *ejecucion) enParalelo(r *recorrido, nucleos int, tope int64) ([]*obrero, error) {
	tramos := int64(nucleos * 16)
	largo := (r.total + tramos - 1) / tramos
	largo = (largo + tamanoDeLote - 1) / tamanoDeLote * tamanoDeLote
	tramos = (r.total + largo - 1) / largo
	obreros := make([]*obrero, tramos)
	errores := make([]error, tramos)
	var siguiente, peor, largos atomic.Int64
	peor.Store(tramos)
	var grupo sync.WaitGroup
	for range min(int64(nucleos), tramos) {
		grupo.Go(func() {
			var w *obrero
			for {
				t := siguiente.Add(1) - 1
				if t >= tramos || t > peor.Load() {
					return
				}
				obreros[t], errores[t] = tramoSeguro(func() (*obrero, error) {
					if w == nil {
						w = x.obrero(r)
						w.largos, w.tope = &largos, tope
					}
					err := w.tramo(r, t*largo, min((t+1)*largo, r.total))
					return w.entregar(), err
				})
				if errores[t] != nil {
					for p := peor.Load(); t < p && !peor.CompareAndSwap(p, t); p = peor.Load() {
					}
				}
			}
		})
	}
	grupo.Wait()
	if largos.Load() > tope || slices.Contains(errores, errRepetir) {
		return nil, errRepetir
	}
	for t, err := range errores {
		if obreros[t] != nil {
			x.pasos += obreros[t].gastados
		}
		if err != nil {
			return nil, err
		}
	}
	return obreros, nil
}

// tramoSeguro runs one stretch; a panic there is an internal error, not the
// end of the process. After an error the worker is of no more use.
func tramoSeguro(correr func() (*obrero, error)) (w *obrero, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = &ErrorInterno{Causa: fmt.Errorf("%v", p), Traza: string(debug.Stack())}
		}
	}()
	return correr()
}

// entregar returns what was gathered in a stretch, without the scratch, and
// leaves the worker ready for another one.
func (w *obrero) entregar() *obrero {
	e := &obrero{i: w.i, j: w.j, gastados: w.gastados}
	w.i, w.j, w.gastados, w.lote.previos = nil, nil, 0, 0
	return e
}
