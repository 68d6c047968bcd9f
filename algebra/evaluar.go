package algebra

import (
	"context"
	"runtime"
)

// Estado is one of the three states of a verdict.
type Estado string

// The three states. «sin_evidencia» says nothing of the world: it could not be
// looked at.
const (
	Verde        Estado = "verde"
	Rojo         Estado = "rojo"
	SinEvidencia Estado = "sin_evidencia"
)

// Veredicto is what a measure says of an evidence. It is immutable.
type Veredicto struct {
	Estado Estado
	Valor  Valor // the integer 0 with sin_evidencia
	// Falta is the entry of «requiere» that is missing, nil unless Estado is
	// SinEvidencia.
	Falta *Requisito
	// Pasos is what the evaluation spent of pasos_de_operacion.
	Pasos int64

	testigos *tabla
	omitidos int // witnesses that were let go of
}

// CantidadDeTestigos returns how many rows reached the end of the pipeline.
func (v *Veredicto) CantidadDeTestigos() int {
	if v.testigos == nil {
		return 0
	}
	return v.testigos.n + v.omitidos
}

// AppendTestigo appends witness i as a JSON object: alias to fact, or «_» to
// columns; aliases and fields by code point (codigos §3). It has to be at hand
// ([Veredicto.Recortar]).
func (v *Veredicto) AppendTestigo(b []byte, i int) []byte {
	return v.testigos.appendFila(b, i)
}

// Opciones are the ones that change how an evaluation is done and never what
// it says. The zero value is the normal way.
type Opciones struct {
	// Nucleos is how many goroutines may work at once; 0 means GOMAXPROCS.
	Nucleos int
	// SinIndices compares every pair of a product even where an index would do.
	SinIndices bool
	// Gasto, if set, is told the steps spent when the evaluation ends, also
	// when it ends in an error.
	Gasto func(pasos int64)
}

func (o Opciones) nucleos() int {
	if o.Nucleos > 0 {
		return o.Nucleos
	}
	return runtime.GOMAXPROCS(0)
}

// Evaluar judges an evidence with a measure (lenguaje §5), under lim. It is
// deterministic and safe for concurrent use. The error is
// *[ErrorDeEvaluacion], *[LimiteError], *[ErrorInterno], or one that satisfies
// errors.Is with the context's error when ctx ends first.
func Evaluar(ctx context.Context, m *Medida, e *Evidencia, lim LimitesAlgebra) (*Veredicto, error) {
	return EvaluarCon(ctx, m, e, lim, Opciones{})
}

// EvaluarCon is [Evaluar] with options.
func EvaluarCon(ctx context.Context, m *Medida, e *Evidencia, lim LimitesAlgebra, op Opciones) (*Veredicto, error) {
	pl, err := m.plan()
	if err != nil {
		return nil, err
	}
	x := &ejecucion{ctx: ctx, lim: lim.Completos(), op: op}
	v, err := x.veredicto(m, pl, e)
	if op.Gasto != nil {
		op.Gasto(x.pasos)
	}
	if err != nil {
		return nil, err
	}
	v.Pasos = x.pasos
	return v, nil
}

func (x *ejecucion) veredicto(m *Medida, pl *plan, e *Evidencia) (*Veredicto, error) {
	if err := x.ctx.Err(); err != nil {
		return nil, err
	}
	falta, err := x.requiere(m, pl, e)
	if err != nil {
		return nil, err
	}
	if falta != nil {
		return &Veredicto{Estado: SinEvidencia, Valor: NuevoEntero(0), Falta: falta}, nil
	}
	t, err := x.tuberia(m, pl, e)
	if err != nil {
		return nil, err
	}
	valor, err := x.resumir(t, m.Resumen.Funcion, pl.resumen)
	if err != nil {
		return nil, err
	}
	o, err := orden(m.Umbral.Op, valor, m.Umbral.Limite)
	if err != nil {
		return nil, err
	}
	v := &Veredicto{Estado: Rojo, Valor: valor, testigos: t}
	if cumple(m.Umbral.Op, o) {
		v.Estado = Verde
	}
	return v, nil
}

// requiere evaluates every condition over every row before it decides, and
// returns the first entry that is missing.
func (x *ejecucion) requiere(m *Medida, pl *plan, e *Evidencia) (*Requisito, error) {
	var falta *Requisito
	for i := range m.Requiere {
		r := &m.Requiere[i]
		relacion := e.Relacion(r.Relacion)
		esta := relacion != nil && relacion.n > 0
		if esta && r.Condicion != nil {
			var err error
			if esta, err = x.algunaCumple(tablaDe(De{r.Relacion, r.Alias}, relacion), pl.requiere[i]); err != nil {
				return nil, err
			}
		}
		if !esta && falta == nil {
			falta = r
		}
	}
	return falta, nil
}

func (x *ejecucion) tuberia(m *Medida, pl *plan, e *Evidencia) (*tabla, error) {
	pasos := pl.pasos
	var t *tabla
	var err error
	if u, ok := m.Fuente.(*Unir); ok {
		var c *condicion
		if len(pasos) > 0 && pasos[0].donde != nil {
			c, pasos = pasos[0].donde, pasos[1:]
		}
		t, err = x.union(u, c, e)
	} else {
		t, err = x.fuente(m.Fuente, e)
	}
	if err != nil {
		return nil, err
	}
	for _, p := range pasos {
		if x.memoria = t.bytes(); x.memoriaCon(0) != nil {
			return nil, x.memoriaCon(0)
		}
		switch {
		case p.donde != nil:
			t, err = x.donde(t, p.donde.programa)
		case p.sin != nil:
			var r *tabla
			if r, err = x.de(p.sin.de, e); err == nil {
				t, err = x.sin(t, r, p.sin.condicion)
			}
		default:
			t, err = x.agrupar(t, p.agrupar)
		}
		if err != nil {
			return nil, err
		}
	}
	return t, nil
}

func (x *ejecucion) union(u *Unir, c *condicion, e *Evidencia) (*tabla, error) {
	izq, err := x.fuente(u.Izq, e)
	if err != nil {
		return nil, err
	}
	der, err := x.fuente(u.Der, e)
	if err != nil {
		return nil, err
	}
	x.memoria = izq.bytes() + der.bytes()
	return x.unir(izq, der, c)
}

func (x *ejecucion) fuente(f Fuente, e *Evidencia) (*tabla, error) {
	if u, ok := f.(*Unir); ok {
		return x.union(u, nil, e)
	}
	return x.de(*f.(*De), e)
}

func (x *ejecucion) de(d De, e *Evidencia) (*tabla, error) {
	r := e.Relacion(d.Relacion)
	if r == nil {
		return nil, fallo(ClaseRelacionAusente, "la evidencia no trae la relación «%s»; una relación vacía se declara []", Citar(d.Relacion))
	}
	return tablaDe(d, r), nil
}

// Rol is the fact a witness has under an alias, or its columns under «_».
type Rol struct {
	Alias string
	Hecho Hecho
}

// Testigo returns witness i as its facts, aliases by code point. A column
// without value is a field the fact does not have.
func (v *Veredicto) Testigo(i int) []Rol {
	t := v.testigos
	roles := make([]Rol, len(t.alias))
	for k, s := range t.porAlias() {
		roles[k] = Rol{t.alias[s], Hecho{t.relaciones[s], int(t.filaDe(s, i))}}
	}
	return roles
}
