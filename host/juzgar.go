package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
)

// EsquemaJuzgar is the value of «esquema» in a judgement.
const EsquemaJuzgar = "oracle.mcp/juzgar/v1"

// PedidoJuzgar is what oracle_juzgar is asked.
type PedidoJuzgar struct {
	Evidencia string   // JSON
	IDs       []string // nil judges every applicable measure; an empty list is rejected

	// SoloObjetos refuses the «clave» node in the evidence, as MCP does.
	SoloObjetos bool

	// Testigos is how many witnesses of each measure the answer keeps at hand;
	// never fewer than those it shows.
	Testigos int

	// Avance, when not nil, is told how many measures were judged of how many.
	// It is called from several goroutines.
	Avance func(hechos, total int)
}

// Juzgado is the answer of oracle_juzgar. It is immutable; lists are ordered by
// id and never nil.
type Juzgado struct {
	Version       string
	Proyecto      string
	EntradaSHA256 string
	OK            bool
	Medidas       []Juicio
	NoAplicadas   []NoAplicada
	NoJuzgaron    []NoJuzgo
	Advertencias  []string
}

// NoAplicada is a measure of the project's own catalog and the relations the
// evidence lacks.
type NoAplicada struct {
	ID     string
	Faltan []string // in order of appearance in the measure
}

// NoJuzgo is a measure that stopped without a verdict.
type NoJuzgo struct{ ID, Motivo string }

// Juzgar answers oracle_juzgar (contract, «oracle_juzgar»): the whole effective
// catalog against one evidence, in parallel, with the same result in any
// number of goroutines. The error is *[Error], or the context's.
func (p *Proyecto) Juzgar(ctx context.Context, pedido PedidoJuzgar) (*Juzgado, error) {
	ids, err := idsPedidos(pedido.IDs)
	if err != nil {
		return nil, err
	}
	return Estable(ctx, p, func(l *arbol.Lectura) (*Juzgado, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		return q.juzgar(pedido, ids)
	}, nil)
}

func (q *consulta) juzgar(pedido PedidoJuzgar, ids []string) (*Juzgado, error) {
	cat, err := q.catalogo()
	if err != nil {
		return nil, err
	}
	var pedidas []*Entrada
	for _, id := range ids {
		e, err := cat.Buscar(campoDeID(pedido.IDs, id), id)
		if err != nil {
			return nil, err
		}
		pedidas = append(pedidas, e)
	}
	ev, err := q.evidencia(pedido.Evidencia, "$.evidencia", pedido.SoloObjetos)
	if err != nil {
		return nil, err
	}
	for _, e := range pedidas {
		if faltan := ausentes(e.Medida, ev); len(faltan) > 0 {
			return nil, ErrNoAplicable(campoDeID(pedido.IDs, e.ID()), e.ID(), faltan)
		}
	}
	r := &Juzgado{
		Version: q.p.op.Version, Proyecto: q.p.Raiz(),
		Medidas: []Juicio{}, NoAplicadas: []NoAplicada{}, NoJuzgaron: []NoJuzgo{}, Advertencias: []string{},
	}
	if ids == nil {
		for _, e := range cat.efectivas {
			faltan := ausentes(e.Medida, ev)
			switch {
			case len(faltan) == 0:
				pedidas = append(pedidas, e)
			case e.Origen.Propio():
				r.NoAplicadas = append(r.NoAplicadas, NoAplicada{e.ID(), faltan})
			}
		}
	}
	r.EntradaSHA256 = firmaDeJuzgar(ev, ids)
	if err := q.juzgarUnas(r, pedidas, ev, pedido.Testigos, pedido.Avance); err != nil {
		return nil, err
	}
	return r, nil
}

// firmaDeJuzgar is entrada_sha256 of a judgement (proyecto §7).
func firmaDeJuzgar(ev *algebra.Evidencia, ids []string) string {
	h := sha256.New()
	io.WriteString(h, `{"evidencia":`)
	_ = ev.WriteJSON(h) // a hash never fails to write
	if ids != nil {
		h.Write(appendLista([]byte(`,"ids":`), ids, algebra.AppendTexto))
	}
	io.WriteString(h, "}")
	return hex.EncodeToString(h.Sum(nil))
}

// ausentes returns the relations a measure consumes that the evidence does not
// bring, in order of appearance.
func ausentes(m *algebra.Medida, ev *algebra.Evidencia) []string {
	var faltan []string
	for _, nombre := range m.Relaciones() {
		if ev.Relacion(nombre) == nil {
			faltan = append(faltan, nombre)
		}
	}
	return faltan
}

// juzgarUnas evaluates measures, ordered by id, and decides the set.
func (q *consulta) juzgarUnas(r *Juzgado, medidas []*Entrada, ev *algebra.Evidencia, testigos int, avance func(int, int)) error {
	veredictos := make([]*algebra.Veredicto, len(medidas))
	fallas := make([]error, len(medidas))
	b := q.p.presupuesto(remedioDeJuzgar)
	nucleos := q.p.nucleos(len(medidas))
	if err := q.p.cadaUno(q.ctx, len(medidas), avance, func(i int) {
		if !b.agotado() {
			veredictos[i], fallas[i] = q.evaluarUna(medidas[i].Medida, ev, b, nucleos)
			if fallas[i] == nil {
				veredictos[i] = veredictos[i].Recortar(max(testigos, topeDeTestigos))
			}
		}
	}); err != nil {
		return err
	}
	if err := b.error(); err != nil {
		return err
	}
	r.OK = len(medidas) > 0
	for i, e := range medidas {
		v := veredictos[i]
		switch {
		case fallas[i] != nil:
			r.noJuzgo(e, motivoDeFalla(fallas[i]))
			continue
		case v.Valor.Familia() != algebra.FamiliaNumero:
			r.noJuzgo(e, "valor_no_numerico: "+motivoNoNumerico(v))
			continue
		}
		j := Juicio{Medida: e.Medida, Veredicto: v, Sombra: q.conf.Sombra(e.ID())}
		j.Perdona = j.Sombra.perdona(v)
		r.Medidas = append(r.Medidas, j)
		r.OK = r.OK && j.Satisface()
		r.Advertencias = append(r.Advertencias, advertirNoRequeridas(e.Medida, ev, v)...)
	}
	if len(medidas) == 0 {
		r.Advertencias = append(r.Advertencias, "ninguna medida efectiva aplica a esta evidencia: no se juzgó nada, y eso no es un verde")
	}
	return nil
}

func (r *Juzgado) noJuzgo(e *Entrada, motivo string) {
	r.OK = false
	r.NoJuzgaron = append(r.NoJuzgaron, NoJuzgo{e.ID(), motivo})
}

// motivoDeFalla says why a measure stopped, its class or its limit first.
func motivoDeFalla(err error) string {
	var interno *algebra.ErrorInterno
	if errors.As(err, &interno) {
		return "error_interno: " + algebra.Citar(interno.Causa.Error())
	}
	return err.Error()
}

// Satisface reports whether the measure lets the set be: green, or red and
// forgiven. What could not be looked at is never forgiven.
func (j *Juicio) Satisface() bool {
	return j.Veredicto.Estado == algebra.Verde || j.Perdona
}

// AppendJSON appends the judgement as the contract's v1 object.
func (r *Juzgado) AppendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("esquema", EsquemaJuzgar)
	o.texto("oracle_version", r.Version)
	o.texto("proyecto", r.Proyecto)
	o.texto("entrada_sha256", r.EntradaSHA256)
	o.booleano("ok", r.OK)
	o.clave("medidas")
	o.b = appendLista(o.b, r.Medidas, appendJuicio)
	o.clave("no_aplicadas")
	o.b = appendLista(o.b, r.NoAplicadas, func(b []byte, n NoAplicada) []byte {
		o := objeto{b: b}
		o.abrir()
		o.texto("id", n.ID)
		o.textos("faltan", n.Faltan)
		return o.cerrar()
	})
	o.clave("no_juzgaron")
	o.b = appendLista(o.b, r.NoJuzgaron, appendNoJuzgo)
	o.textos("advertencias", r.Advertencias)
	return o.cerrar()
}

// String summarizes the judgement in one line.
func (r *Juzgado) String() string {
	estado := "no cumple"
	if r.OK {
		estado = "cumple"
	}
	return fmt.Sprintf("%s: %d medidas juzgadas, %d sin aplicar, %d que no pudieron juzgar", estado, len(r.Medidas), len(r.NoAplicadas), len(r.NoJuzgaron))
}
