package ingenuo

import (
	"context"
	"fmt"
	"sort"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// The three states of a verdict (lenguaje §5).
const (
	Verde        = "verde"
	Rojo         = "rojo"
	SinEvidencia = "sin_evidencia"
)

// Veredicto is what an evaluation without error comes to.
type Veredicto struct {
	Estado   string        // verde, rojo or sin_evidencia
	Valor    algebra.Valor // the integer 0 without evidence
	Falta    string        // the first missing entry of «requiere», else ""
	Testigos []Testigo     // rows that reached the end, in order
	Pasos    int64         // expression nodes evaluated, by row
}

// Testigo is a row: alias to field to value, or "_" to column to value for a
// grouped one.
type Testigo map[string]map[string]algebra.Valor

// AppendJSON appends the witness as canonical JSON, names by code point.
func (t Testigo) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	for i, alias := range nombres(t) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(algebra.AppendTexto(b, alias), ":{"...)
		for k, campo := range nombres(t[alias]) {
			if k > 0 {
				b = append(b, ',')
			}
			b = append(algebra.AppendTexto(b, campo), ':')
			b = algebra.AppendJSON(b, t[alias][campo])
		}
		b = append(b, '}')
	}
	return append(b, '}')
}

func nombres[T any](m map[string]T) []string {
	orden := make([]string, 0, len(m))
	for k := range m {
		orden = append(orden, k)
	}
	sort.Strings(orden)
	return orden
}

// Evaluar runs a measure over evidence (lenguaje §5). The error is the first
// one in the order of the specification: conditions of «requiere», source,
// each step over all its rows, summary, threshold; nothing partial comes with
// it. Cancellation satisfies errors.Is with ctx.Err().
func Evaluar(ctx context.Context, m *algebra.Medida, e *algebra.Evidencia, lim algebra.LimitesAlgebra) (*Veredicto, error) {
	c := &corrida{ctx: ctx, evidencia: e, lim: lim.Completos()}
	falta, err := c.requisitos(m)
	if err != nil {
		return nil, err
	}
	if falta != "" {
		return &Veredicto{Estado: SinEvidencia, Valor: algebra.NuevoEntero(0), Falta: falta, Pasos: c.pasos}, nil
	}
	t, err := c.tuberia(m)
	if err != nil {
		return nil, err
	}
	valor, err := c.resumen(m.Resumen, t)
	if err != nil {
		return nil, err
	}
	cumple, err := comparar(m.Umbral.Op, valor, m.Umbral.Limite)
	if err != nil {
		return nil, err
	}
	v := &Veredicto{Estado: Rojo, Valor: valor, Pasos: c.pasos}
	if cumple {
		v.Estado = Verde
	}
	for _, f := range t.filas {
		v.Testigos = append(v.Testigos, t.testigo(f))
	}
	return v, nil
}

// corrida is one evaluation: its inputs and what it has spent.
type corrida struct {
	ctx       context.Context
	evidencia *algebra.Evidencia
	lim       algebra.LimitesAlgebra
	pasos     int64
	vueltas   int64 // between two looks at the context
	memoria   int64 // rough bytes of the rows alive
}

// falla builds the error of one class.
func falla(clase algebra.Clase, formato string, args ...any) error {
	return &algebra.ErrorDeEvaluacion{Clase: clase, Motivo: fmt.Sprintf(formato, args...)}
}

// cobrar spends n steps, or says that the budget does not reach.
func (c *corrida) cobrar(n int64) error {
	if tope := c.lim.PasosDeOperacion; c.pasos+n > tope {
		return &algebra.LimiteError{Nombre: algebra.LimitePasosDeOperacion, Observado: tope + 1, Limite: tope}
	}
	c.pasos += n
	return c.vuelta()
}

// recorrer spends going over so many bytes of a value: nothing up to 64, one
// step for each whole 4 of a longer one.
func (c *corrida) recorrer(bytes int64) error {
	if bytes <= 64 {
		return nil
	}
	return c.cobrar(bytes / 4)
}

// vuelta looks at the context every few thousand calls.
func (c *corrida) vuelta() error {
	if c.vueltas++; c.vueltas%4096 == 0 {
		return c.ctx.Err()
	}
	return nil
}

// ocupar accounts for the rows a step makes; what it frees is negative.
func (c *corrida) ocupar(n int64) error {
	c.memoria += n
	if tope := c.lim.MemoriaDeOperacion; n > 0 && c.memoria > tope {
		return &algebra.LimiteError{Nombre: algebra.LimiteMemoriaDeOperacion, Observado: c.memoria, Limite: tope}
	}
	return nil
}

// relacion finds a relation of a source; an absent one is an error, an empty
// one is not (lenguaje §4 «de»).
func (c *corrida) relacion(nombre string) (*algebra.Relacion, error) {
	r := c.evidencia.Relacion(nombre)
	if r == nil {
		return nil, falla(algebra.ClaseRelacionAusente, "la evidencia no trae la relación «%s»", algebra.Citar(nombre))
	}
	return r, nil
}

// requisitos evaluates every condition on every row and only then says which
// entry is the first missing (lenguaje §5.1).
func (c *corrida) requisitos(m *algebra.Medida) (falta string, err error) {
	for _, q := range m.Requiere {
		r := c.evidencia.Relacion(q.Relacion)
		hay := r != nil && r.Largo() > 0
		if hay && q.Condicion != nil {
			if hay, err = c.algunaCumple(r, q); err != nil {
				return "", err
			}
		}
		if !hay && falta == "" {
			falta = q.Relacion
			if q.Condicion != nil {
				falta += " con " + escribir(q.Condicion)
			}
		}
	}
	return falta, nil
}

func (c *corrida) algunaCumple(r *algebra.Relacion, q algebra.Requisito) (bool, error) {
	alguna := false
	for i := range r.Largo() {
		cumple, err := c.condicion(q.Condicion, entorno{alias: []string{q.Alias}, hechos: []hecho{{r, i}}})
		if err != nil {
			return false, err
		}
		alguna = alguna || cumple
	}
	return alguna, nil
}
