package host

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// hilos returns how many goroutines one call may use.
func (p *Proyecto) hilos() int {
	if p.op.Hilos > 0 {
		return p.op.Hilos
	}
	return runtime.GOMAXPROCS(0)
}

// Simultaneas returns how many evaluations one call may have going at once, each
// with a memory of its own (codigos §2).
func (p *Proyecto) Simultaneas() int {
	n := p.hilos()
	if p.op.Memoria > 0 {
		n = int(min(int64(n), max(1, p.op.Memoria/p.Limites().MemoriaDeOperacion)))
	}
	return n
}

// nucleos returns how many processors each of n evaluations may use: one alone,
// every one; many share them out.
func (p *Proyecto) nucleos(n int) int {
	return max(1, p.hilos()/max(1, min(n, p.Simultaneas())))
}

// cadaUno calls f(i) for every i below n, in several goroutines. It stops
// handing out work when ctx ends and returns its error. avance, which may be
// nil, is told how many are done; it is called from those goroutines.
func (p *Proyecto) cadaUno(ctx context.Context, n int, avance func(hechos, total int), f func(i int)) error {
	var siguiente, hechos atomic.Int64
	var grupo sync.WaitGroup
	for range min(n, p.Simultaneas()) {
		grupo.Go(func() {
			for {
				i := int(siguiente.Add(1)) - 1
				if i >= n || ctx.Err() != nil {
					return
				}
				f(i)
				if avance != nil {
					avance(int(hechos.Add(1)), n)
				}
			}
		})
	}
	grupo.Wait()
	return ctx.Err()
}

// presupuesto is pasos_de_llamada, what the evaluations of one call may spend
// together (codigos §2). Safe for concurrent use.
type presupuesto struct {
	remedio rechazo.Remedio // what the evaluations grow with, and how to have fewer
	limite  int64
	gastos  atomic.Int64
}

func (p *Proyecto) presupuesto(r rechazo.Remedio) *presupuesto {
	return &presupuesto{remedio: r, limite: p.Limites().PasosDeLlamada}
}

func (b *presupuesto) gastar(pasos int64) { b.gastos.Add(pasos) }

// agotado reports whether the budget was exceeded. Once it is, it stays so, and
// whoever sees it may stop: the call fails whatever the rest would have said.
func (b *presupuesto) agotado() bool { return b.gastos.Load() > b.limite }

// error is the limit that was exceeded, nil when none was. What is observed is
// always the least excess, so it does not depend on the order of the work.
func (b *presupuesto) error() error {
	if !b.agotado() {
		return nil
	}
	l := &algebra.LimiteError{Nombre: algebra.LimitePasosDeLlamada, Observado: b.limite + 1, Limite: b.limite}
	return errTope(l, rechazo.Remedio{Campo: b.remedio.Campo, Correccion: b.remedio.Correccion + "; " + subir(l) + "."})
}

// evaluarUna runs one measure of many on one goroutine and charges the budget.
func (q *consulta) evaluarUna(m *algebra.Medida, ev *algebra.Evidencia, b *presupuesto, nucleos int) (*algebra.Veredicto, error) {
	return algebra.EvaluarCon(q.ctx, m, ev, q.p.Limites(), algebra.Opciones{Nucleos: nucleos, Gasto: b.gastar})
}
