package host

import (
	"context"
	"fmt"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/hechos"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// PedidoHechos is what to reify besides the catalog.
type PedidoHechos struct {
	// Evidencia, when not empty, is JSON evidence the measures in shadow are
	// evaluated with.
	Evidencia string

	// Traza runs every case step by step and adds what the evaluator did.
	Traza bool

	// Mutantes, when not nil, are what came of mutating the catalog.
	Mutantes []Mutante
}

// Mutante is a mutant of an effective measure and what the cases made of it.
type Mutante struct {
	Medida, Cambio string
	// Cases that told it from the original by conduct, and cases where it
	// raised; a mutant that did not load is rejected in all.
	Conductuales, Rechazos int
}

// Hechos reifies the effective catalog, the cases, the shadows and the
// declarations of the project as evidence (proyecto §8): what «oracle-mcp
// hechos» prints and the base catalog judges. Cases that do not evaluate are
// facts too; one that does not read is PROYECTO_INVALIDO. The error is *[Error],
// or the context's.
func (p *Proyecto) Hechos(ctx context.Context, pedido PedidoHechos) (*hechos.Hechos, error) {
	return Estable(ctx, p, func(l *arbol.Lectura) (*hechos.Hechos, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		return q.reificar(pedido)
	}, nil)
}

func (q *consulta) reificar(pedido PedidoHechos) (*hechos.Hechos, error) {
	cat, err := q.catalogo()
	if err != nil {
		return nil, err
	}
	declaradas, err := q.declaradas()
	if err != nil {
		return nil, err
	}
	casos, err := q.corpus()
	if err != nil {
		return nil, q.comoProyecto(err)
	}
	escenarios, err := q.diferenciales(cat.formaEfectiva)
	if err != nil {
		return nil, q.comoProyecto(err)
	}
	todos := append(casos[:len(casos):len(casos)], escenarios...)
	resultados, err := q.correr(cat, todos)
	if err != nil {
		return nil, err
	}
	h := hechos.Nuevos()
	for _, e := range cat.efectivas {
		h.Medida(e.Medida)
		h.CamposLeidos(e.Medida, declaradas)
	}
	h.Declaradas(declaradas)
	evaluan := map[string]int{}
	for i, c := range todos {
		if r := resultados[i]; r.evaluado && r.err == nil {
			evaluan[c.medida]++
		}
		if c.caso != nil {
			h.Caso(hechoDeCaso(cat, c, resultados[i]))
		}
	}
	q.ponerEnUso(h, cat, evaluan, pedido.Mutantes)
	if err := q.ponerSombras(h, cat, pedido.Evidencia); err != nil {
		return nil, err
	}
	if pedido.Traza {
		return h, q.trazar(h, cat, casos)
	}
	return h, nil
}

func hechoDeCaso(cat *Catalogo, c casoDeMedida, r resultado) hechos.Caso {
	e := cat.efectiva[c.medida]
	f := hechos.Caso{
		ID: c.id, Medida: c.medida, Etiqueta: c.caso.Etiqueta, Procedencia: c.caso.Procedencia,
		Espera: string(c.espera), MedidaExiste: e != nil, EsHeredado: e != nil && !e.Origen.Propio(),
		// With nothing to compare, another measure takes care of it.
		SePoneComoDebe:      true,
		DeclaraDeDondeSalio: c.caso.DeclaraDeDondeSalio(),
	}
	switch {
	case !r.evaluado:
	case r.err != nil:
		f.Obtenido, f.SePoneComoDebe = "error", false
	default:
		f.Obtenido = string(r.veredicto.Estado)
		f.SePoneComoDebe = c.espera.Cumple(r.veredicto.Estado)
	}
	return f
}

func (q *consulta) ponerEnUso(h *hechos.Hechos, cat *Catalogo, evaluan map[string]int, mutantes []Mutante) {
	sobreviven := map[string]int{}
	mutada := map[string]bool{}
	for _, m := range mutantes {
		mutada[m.Medida] = true
		h.Mutante(m.Medida, m.Cambio, m.Conductuales, m.Rechazos)
		if m.Conductuales == 0 && m.Rechazos == 0 {
			sobreviven[m.Medida]++
		}
	}
	for _, e := range cat.efectivas {
		if e.porArnes() && evaluan[e.ID()] == 0 {
			continue
		}
		n := -1
		if mutada[e.ID()] {
			n = sobreviven[e.ID()]
		}
		h.MedidaEnUso(e.ID(), !e.Origen.Propio(), evaluan[e.ID()], n)
	}
}

// ponerSombras adds the shadows. A measure that is not applicable to the
// evidence, that fails, or whose value is not a number was not evaluated.
func (q *consulta) ponerSombras(h *hechos.Hechos, cat *Catalogo, evidencia string) error {
	var ev *algebra.Evidencia
	if evidencia != "" {
		var err error
		if ev, err = q.evidencia(evidencia, "$.evidencia", false); err != nil {
			return err
		}
	}
	for _, s := range q.conf.Sombras {
		e := cat.efectiva[s.Medida]
		f := hechos.Sombra{Medida: s.Medida, Desde: s.Desde, Porque: s.Porque, Dias: q.dias(s.Desde), MedidaExiste: e != nil, Cota: s.Cota}
		if e != nil && ev != nil && len(ausentes(e.Medida, ev)) == 0 {
			v, err := algebra.Evaluar(q.ctx, e.Medida, ev, q.p.Limites())
			if q.ctx.Err() != nil {
				return q.ctx.Err()
			}
			if err == nil && v.Estado != algebra.SinEvidencia && v.Valor.Familia() == algebra.FamiliaNumero {
				f.Valor, f.EnVerde = v.Valor, v.Estado == algebra.Verde
			}
		}
		h.Sombra(f)
	}
	return nil
}

// dias returns the whole days from a date to today, 0 without a clock.
func (q *consulta) dias(desde string) int {
	d, err := time.Parse(time.DateOnly, desde)
	if err != nil || q.p.op.Ahora == nil {
		return 0
	}
	hoy, err := time.Parse(time.DateOnly, q.p.op.Ahora().Format(time.DateOnly))
	if err != nil {
		return 0
	}
	return int(hoy.Sub(d).Hours()) / 24
}

// trazar runs step by step every case whose measure evaluates.
func (q *consulta) trazar(h *hechos.Hechos, cat *Catalogo, casos []casoDeMedida) error {
	for _, c := range casos {
		e := cat.efectiva[c.medida]
		if e == nil {
			continue
		}
		ev, err := q.evidencia(c.evidencia, "$.evidencia", false)
		if err != nil {
			continue // the case already says «error»
		}
		if _, err := algebra.Evaluar(q.ctx, e.Medida, ev, q.p.Limites()); err != nil || len(ausentes(e.Medida, ev)) > 0 {
			continue
		}
		if err := h.Trazar(q.ctx, e.Medida, ev, q.lengua.escalares, q.p.Limites()); err != nil {
			if q.ctx.Err() != nil {
				return q.ctx.Err()
			}
			return ErrEvaluacion("traza", fmt.Sprintf("«%s» no se pudo trazar en el caso %s: %s", e.ID(), c.id, motivoDe(err)), rechazo.Remedio{Correccion: rechazo.FallaPropia}).por(err)
		}
	}
	return nil
}
