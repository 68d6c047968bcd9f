package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// EsquemaEvaluacion is the value of «esquema» in an evaluation.
const EsquemaEvaluacion = "oracle.mcp/evaluacion/v2"

// Candidata names a measure: an effective one by its id, or, when ID is "", one
// that exists only as text of the surface.
type Candidata struct {
	ID    string
	Texto []byte
}

// PedidoEvaluar is what oracle_evaluar is asked.
type PedidoEvaluar struct {
	Medida    Candidata
	Evidencia string // JSON

	// SinFirma leaves EntradaSHA256 empty, for who will not show it.
	SinFirma bool

	// SoloObjetos refuses the «clave» node in the evidence, as MCP does.
	SoloObjetos bool

	// ValorLibre admits a verdict whose value is not a number (the maximum of
	// texts or booleans), which the contract's schema cannot say.
	ValorLibre bool
}

// Evaluacion is the answer of oracle_evaluar. It is immutable.
type Evaluacion struct {
	Version         string
	Proyecto        string
	EntradaSHA256   string
	Juicio          Juicio
	AlcanceDerivado []string // never nil
	Advertencias    []string // never nil
}

// Juicio is what one measure said of the evidence, with its shadow applied.
type Juicio struct {
	Medida    *algebra.Medida
	Veredicto *algebra.Veredicto
	Sombra    *Sombra // nil when it has none
	Perdona   bool    // the shadow forgives this verdict
}

// topeDeTestigos is how many witnesses an answer shows.
const topeDeTestigos = 5

// Evaluar answers oracle_evaluar (contract, «oracle_evaluar»). By text the
// catalog is not loaded, but oracle.json, macros/ and relaciones/ are; by id,
// everything selected is. The error is *[Error], or the context's.
func (p *Proyecto) Evaluar(ctx context.Context, pedido PedidoEvaluar) (*Evaluacion, error) {
	return Estable(ctx, p, func(l *arbol.Lectura) (*Evaluacion, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		return q.evaluar(pedido)
	}, nil)
}

func (q *consulta) evaluar(pedido PedidoEvaluar) (*Evaluacion, error) {
	m, err := q.candidata(pedido.Medida)
	if err != nil {
		return nil, err
	}
	declaradas, err := q.declaradas()
	if err != nil {
		return nil, err
	}
	ev, err := q.evidencia(pedido.Evidencia, "$.evidencia", pedido.SoloObjetos)
	if err != nil {
		return nil, err
	}
	v, err := algebra.Evaluar(q.ctx, m, ev, q.p.Limites())
	if err != nil {
		return nil, q.errorDeEvaluar(err, pedido.Medida.campo())
	}
	if !pedido.ValorLibre && v.Valor.Familia() != algebra.FamiliaNumero {
		return nil, errNoNumerico(pedido.Medida.campo(), m, v)
	}
	r := &Evaluacion{
		Version: q.p.op.Version, Proyecto: q.p.Raiz(),
		Juicio:          Juicio{Medida: m, Veredicto: v},
		AlcanceDerivado: declaradas.Derivar(m),
		Advertencias:    advertirNoRequeridas(m, ev, v),
	}
	if !pedido.SinFirma {
		r.EntradaSHA256 = firmaDeEvaluar(m, ev)
	}
	if pedido.Medida.ID != "" {
		r.Juicio.Sombra = q.conf.Sombra(m.ID)
		r.Juicio.Perdona = r.Juicio.Sombra.perdona(v)
	}
	if declaradas.Vacia() {
		r.Advertencias = append(r.Advertencias, "el proyecto no declara ninguna relación: no hay alcance derivado que calcular")
	}
	return r, nil
}

// candidata loads a measure by id or by text.
func (q *consulta) candidata(c Candidata) (*algebra.Medida, error) {
	if c.ID == "" {
		m, err := superficie.LeerMedida(c.Texto, q.lengua.macros, q.lengua.escalares, q.lengua.lim)
		if err != nil {
			return nil, q.lengua.errorDeTexto(err, c.campo())
		}
		return m, nil
	}
	cat, err := q.catalogo()
	if err != nil {
		return nil, err
	}
	e, err := cat.Buscar(c.campo(), c.ID)
	if err != nil {
		return nil, err
	}
	return e.Medida, nil
}

// evidencia reads evidence found at a JSON path.
func (q *consulta) evidencia(texto string, ruta string, soloObjetos bool) (*algebra.Evidencia, error) {
	ev, err := algebra.LeerEvidencia(texto, q.p.Limites(), algebra.OpcionesDeEvidencia{SinClave: soloObjetos})
	if err == nil {
		return ev, nil
	}
	var limite *algebra.LimiteError
	var mala *algebra.ErrorDeEvidencia
	switch {
	case errors.As(err, &limite):
		return nil, ErrLimite(limite, ruta)
	case errors.As(err, &mala):
		return nil, ErrEvidencia(mala.Ruta(ruta), mala.Motivo, deEvidencia(mala)).por(err)
	default:
		return nil, ErrEvidencia(ruta, err.Error(), "corregila como dice el mensaje.").por(err)
	}
}

// errorDeEvaluar gives its code to a failure of evaluating the measure that
// medida brought. A cancelled context stays what it is.
func (q *consulta) errorDeEvaluar(err error, medida string) error {
	var limite *algebra.LimiteError
	var falla *algebra.ErrorDeEvaluacion
	var interno *algebra.ErrorInterno
	switch {
	case q.ctx.Err() != nil && errors.Is(err, q.ctx.Err()):
		return err
	case errors.As(err, &limite):
		return ErrLimite(limite, medida+", $.evidencia")
	case errors.As(err, &falla):
		return ErrEvaluacion(string(falla.Clase), falla.Motivo, deEvaluacion(falla.Clase, medida)).por(err)
	case errors.As(err, &interno):
		return errInterno(interno.Causa).por(err)
	default:
		return ErrEvaluacion("error", algebra.Citar(err.Error()), rechazo.Remedio{Correccion: rechazo.FallaPropia}).por(err)
	}
}

// errNoNumerico rejects a value the contract has no way to publish.
func errNoNumerico(campo string, m *algebra.Medida, v *algebra.Veredicto) *Error {
	return ErrEvaluacion("valor_no_numerico", motivoNoNumerico(v),
		rechazo.Remedio{Campo: campo, Correccion: fmt.Sprintf("«%s» da %s: resumí a un número, o mirala con «oracle-mcp evaluar», sin --json.", m.ID, v.Valor.Familia())})
}

func motivoNoNumerico(v *algebra.Veredicto) string {
	return fmt.Sprintf("el valor es un %s (%s) y lo que se publica es un número", v.Valor.Familia(), algebra.Citar(string(algebra.AppendJSON(nil, v.Valor))))
}

// perdona reports whether the shadow forgives a verdict: only a red one, and
// with a bound only when the value is a number that does not exceed it. It is
// the only place that decides it. The nil shadow forgives nothing.
func (s *Sombra) perdona(v *algebra.Veredicto) bool {
	if s == nil || v.Estado != algebra.Rojo {
		return false
	}
	return s.Cota == nil || noSupera(v.Valor, *s.Cota)
}

// advertirNoRequeridas names the relations the measure consumes without
// requiring them that the evidence brings empty or does not bring
// (decisiones 11).
func advertirNoRequeridas(m *algebra.Medida, ev *algebra.Evidencia, v *algebra.Veredicto) []string {
	avisos := []string{}
	requerida := map[string]bool{}
	for _, r := range m.Requiere {
		requerida[r.Relacion] = true
	}
	for _, nombre := range m.Relaciones() {
		if requerida[nombre] {
			continue
		}
		r := ev.Relacion(nombre)
		switch {
		case r == nil && v.Estado == algebra.SinEvidencia:
			avisos = append(avisos, fmt.Sprintf("«%s» consume la relación «%s», no la declara en requiere y la evidencia no la trae", m.ID, algebra.Citar(nombre)))
		case r != nil && r.Largo() == 0:
			avisos = append(avisos, fmt.Sprintf("«%s» consume la relación «%s», no la declara en requiere y la evidencia la trae vacía: el resultado no distingue «no hay» de «nadie miró»", m.ID, algebra.Citar(nombre)))
		}
	}
	return avisos
}

// firmaDeEvaluar is entrada_sha256 of an evaluation (proyecto §7).
func firmaDeEvaluar(m *algebra.Medida, ev *algebra.Evidencia) string {
	h := sha256.New()
	io.WriteString(h, `{"evidencia":`)
	_ = ev.WriteJSON(h) // a hash never fails to write
	h.Write(append(m.Canonica().AppendJSON([]byte(`,"medida":`)), '}'))
	return hex.EncodeToString(h.Sum(nil))
}

// partir separates the first line of a message from the rest.
func partir(s string) (primera, resto string) {
	primera, resto, _ = strings.Cut(s, "\n")
	return primera, resto
}
