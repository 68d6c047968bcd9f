package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
)

// Inventario is the scalars a project's measures may call.
type Inventario struct {
	Escalares []*algebra.Escalar // the built-in ones, then the project's as declared
	// SinAutorizar names a file of scalars that is there and was not looked
	// into, because nobody authorized it; "" when there is none.
	SinAutorizar string
}

// Inventario tells which scalars there are. The project's file is run, in its
// box, only if the start authorized it (escalares §3, §5). The error is
// *[Error], or the context's.
func (p *Proyecto) Inventario(ctx context.Context) (*Inventario, error) {
	return Estable(ctx, p, func(l *arbol.Lectura) (*Inventario, error) {
		e := p.escalaresDe(ctx, l)
		defer e.cerrar()
		r := &Inventario{Escalares: escalares.Internas().Todas()}
		if p.op.Caja != nil {
			e.una.Do(e.abrir)
			if e.fallo != nil {
				return nil, e.fallo
			}
			if todas, ok := e.abierta.(interface{ Todas() []*algebra.Escalar }); ok {
				r.Escalares = todas.Todas()
				return r, nil
			}
		}
		for _, archivo := range []string{ArchivoEscalares, archivoPython} {
			hay, err := l.Existe(p.arbol, archivo)
			if err != nil {
				return nil, p.errorDeArbol(err)
			}
			if hay {
				r.SinAutorizar = archivo
				break
			}
		}
		return r, nil
	}, nil)
}

// ProbarEscalar calls one scalar with literal arguments and returns its value
// and the steps it took, its own node among them. The error is *[Error], or the
// context's.
func (p *Proyecto) ProbarEscalar(ctx context.Context, nombre string, args []algebra.Valor) (algebra.Valor, int64, error) {
	type prueba struct {
		valor algebra.Valor
		pasos int64
	}
	r, err := Estable(ctx, p, func(l *arbol.Lectura) (prueba, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return prueba{}, err
		}
		defer q.cerrar()
		llamada := []algebra.Nodo{algebra.HojaTexto(nombre)}
		for _, v := range args {
			llamada = append(llamada, algebra.Hoja(v))
		}
		m, err := algebra.Cargar(medidaDePrueba(algebra.Lista(llamada...)), q.lengua.escalares, q.lengua.lim)
		if err != nil {
			return prueba{}, errorDePrueba(q.lengua.errorDeTexto(err, laEscalar))
		}
		ev, err := q.evidencia(`{"fila":[{}]}`, "$.evidencia", false)
		if err != nil {
			return prueba{}, err
		}
		v, err := algebra.Evaluar(ctx, m, ev, q.lengua.lim)
		if err != nil {
			return prueba{}, errorDePrueba(q.errorDeEvaluar(err, laEscalar))
		}
		valor, ok := v.Testigo(0)[0].Hecho.Campo("valor")
		if !ok {
			valor = algebra.Nulo{}
		}
		return prueba{valor, v.Pasos}, nil
	}, nil)
	return r.valor, r.pasos, err
}

// laEscalar is what a trial's failure names in place of a measure.
const laEscalar = "la escalar"

// errorDePrueba makes the mend of a trial's failure speak of the call, not of
// the measure that was built around it.
func errorDePrueba(err error) error {
	e, ok := err.(*Error)
	if !ok || !strings.HasPrefix(e.remedio.Campo, laEscalar) {
		return err
	}
	otro := *e
	otro.remedio.Campo = laEscalar + " y sus argumentos"
	var carga *algebra.ErrorDeCarga
	var limite *algebra.LimiteError
	switch {
	case e.codigo == MedidaInvalida && errors.As(err, &carga):
		otro.remedio.Correccion = "«oracle-mcp escalares listar» dice cuáles hay y cuántos argumentos llevan."
		return ErrMedida("prueba", carga.Motivo, "la llamada", otro.remedio).por(err)
	case errors.As(err, &limite):
		otro.remedio.Correccion = "probala con argumentos que le den menos trabajo, o simplificala; " + subir(limite) + "."
	case e.codigo == EvaluacionFallo:
		otro.remedio.Correccion = "llamala con argumentos que admita; si es del proyecto, puede que haya que corregirla a ella."
	}
	return &otro
}

// medidaDePrueba is a measure whose only witness holds what a call returned: a
// group key may be of any type, an absent one too.
func medidaDePrueba(llamada algebra.Nodo) algebra.Nodo {
	t, l := algebra.HojaTexto, algebra.Lista
	return l(t("medida"), t("prueba.escalar"),
		l(t("desde"), l(t("de"), t("fila"), t("f")), l(t("agrupar"), l(l(t("valor"), llamada)), l())),
		l(t("resumen"), t("contar"), algebra.Hoja(algebra.NuevoEntero(1))),
		l(t("umbral"), t(">="), algebra.Hoja(algebra.NuevoEntero(0)), t("")),
		l(t("alcance"), t("una llamada")))
}

// LeerArgumento reads the argument of a call written as JSON: a number, a text,
// a boolean or null.
func LeerArgumento(texto string, lim algebra.LimitesAlgebra) (algebra.Valor, error) {
	n, err := algebra.LeerNodo([]byte(texto), lim)
	if err != nil || n.EsLista() {
		return nil, ErrArgumentos("argumento", texto, `un número, un texto entre comillas, true, false o null`, "escribilo como un valor JSON; un texto lleva sus comillas adentro de las de la consola.")
	}
	return n.Hoja(), nil
}

// FirmaDeEscalar spells a scalar's arity and units.
func FirmaDeEscalar(e *algebra.Escalar) string {
	cuantos := fmt.Sprint(e.Min)
	switch {
	case e.Max < 0:
		cuantos += " o más"
	case e.Max != e.Min:
		cuantos = fmt.Sprintf("%d a %d", e.Min, e.Max)
	}
	s := e.Nombre + "(" + cuantos + ")"
	if len(e.UnidadesArgumentos) > 0 {
		s += " (" + strings.Join(e.UnidadesArgumentos, ", ") + ")"
	}
	if e.Unidad != "" {
		s += " → " + e.Unidad
	}
	return s
}
