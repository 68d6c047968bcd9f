package host

import (
	"bytes"
	"context"
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

// Formatos are the extensions [Formatear] knows.
func Formatos() []string { return []string{"oracle", "caso", "relacion"} }

// Formatear returns the only printed form of the text of a file, told by its
// extension without the dot (proyecto §4). An invocation of a macro is printed
// as an invocation: p, which may be nil, tells the macros there are besides the
// standard ones. Nothing is lost: what cannot be kept in the printed form, as
// a comment of a «.caso» or a «.relacion», is an error.
func Formatear(ctx context.Context, p *Proyecto, extension string, texto []byte) ([]byte, error) {
	switch extension {
	case "oracle":
		return formatearMedida(ctx, p, texto)
	case "caso":
		c, err := corpus.Leer(texto)
		if err != nil {
			return nil, err
		}
		return sinPerder(texto, c.AppendTexto)
	case "relacion":
		r, err := relaciones.Leer(texto, relaciones.EsDelLenguaje)
		if err != nil {
			return nil, err
		}
		return sinPerder(texto, r.AppendTexto)
	default:
		return nil, ErrArgumentos("archivo", "."+extension, "un .oracle, un .caso o un .relacion", "formateá un archivo con una de esas extensiones.")
	}
}

func formatearMedida(ctx context.Context, p *Proyecto, texto []byte) ([]byte, error) {
	if p == nil {
		return superficie.Formatear(texto, macro.Estandar(), algebra.LimitesAlgebra{})
	}
	return Estable(ctx, p, func(l *arbol.Lectura) ([]byte, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		return superficie.Formatear(texto, q.lengua.macros, q.lengua.lim)
	}, nil)
}

// sinPerder prints what was read, unless the text has a comment the printed
// form has no place for.
func sinPerder(texto []byte, imprimir func([]byte) ([]byte, error)) ([]byte, error) {
	impreso, err := imprimir(nil)
	if err != nil {
		return nil, err
	}
	if antes, despues := comentarios(texto), comentarios(impreso); antes != despues {
		return nil, fmt.Errorf("tiene comentarios (renglones que empiezan con #) y la forma única no los lleva: sacalos antes de formatear")
	}
	return impreso, nil
}

func comentarios(texto []byte) int {
	n := 0
	for renglon := range bytes.Lines(texto) {
		if bytes.HasPrefix(bytes.TrimLeft(renglon, " \t"), []byte("#")) {
			n++
		}
	}
	return n
}

// DescribirFalta names what a verdict without evidence lacked: the relation,
// and its condition when it has one (lenguaje §5).
func DescribirFalta(m *algebra.Medida, r *algebra.Requisito) string {
	if r.Condicion == nil {
		return r.Relacion
	}
	n := m.Canonica()
	for _, i := range r.Ruta {
		n = n.Hijo(i)
	}
	cond, err := superficie.ImprimirExpr(n.Hijo(3))
	if err != nil {
		cond = n.Hijo(3).String() // the surface has no way to say it
	}
	return r.Relacion + " con " + cond
}
