package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// topeDeEvidencia is how much evidence is read from a file: what a line of MCP
// admits, many times over.
const topeDeEvidencia = 1 << 30

// evaluar builds «oracle-mcp evaluar».
func (o *orden) evaluar() *cobra.Command {
	var con, texto string
	var testigos int
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "evaluar [medida] --con evidencia.json",
		Short:                 "Evalúa una medida con una evidencia y muestra qué pasó y con qué filas",
		Long: `Evalúa una medida, efectiva en el proyecto o escrita en un archivo aparte, con una evidencia.

Sale 0 si dio verde, 1 si dio rojo, 3 si faltó evidencia y 2 si no se pudo evaluar.`,
		Example: "  oracle-mcp evaluar stock.sin_negativos --con evidencia/cierre.json\n  oracle-mcp evaluar --texto borrador.oracle --con - < evidencia.json",
		RunE: func(c *cobra.Command, args []string) error {
			if testigos < 0 {
				return uso(c, "la opción «--testigos» lleva un número de 0 en adelante")
			}
			pedido := host.PedidoEvaluar{ValorLibre: true, SinFirma: !o.json}
			switch {
			case len(args) == 1 && texto == "":
				if !algebra.IDValido(args[0]) {
					return uso(c, "«%s» no es el id de una medida: se escribe dominio.nombre (un archivo va con --texto)", algebra.Citar(args[0]))
				}
				pedido.Medida.ID = args[0]
			case len(args) == 0 && texto != "":
			default:
				return uso(c, "hace falta exactamente una medida: su id, o un archivo con --texto")
			}
			if con == "" {
				return uso(c, "falta la evidencia: --con archivo.json, o --con - para leerla de la entrada")
			}
			if con == "-" && texto == "-" {
				return uso(c, "la entrada no puede ser a la vez la medida y la evidencia")
			}
			if texto != "" {
				t, err := o.leerTexto("--texto", texto)
				if err != nil {
					return err
				}
				pedido.Medida.Texto = []byte(t)
			}
			var err error
			if pedido.Evidencia, err = o.leerEvidencia("--con", con); err != nil {
				return err
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			e, err := p.Evaluar(c.Context(), pedido)
			if err != nil {
				return err
			}
			switch e.Juicio.Veredicto.Estado {
			case algebra.Rojo:
				o.codigo = salidaMal
			case algebra.SinEvidencia:
				o.codigo = salidaSinEvidencia
			}
			if o.json {
				_, err = fmt.Fprintf(o.salida, "%s\n", e.AppendJSON(nil))
				return err
			}
			return nuevaVista(o.mundo).evaluacion(e, testigos)
		},
	}
	c.Flags().StringVar(&con, "con", "", "`archivo` JSON con la evidencia; - es la entrada")
	c.Flags().StringVar(&texto, "texto", "", "evalúa la medida escrita en un `archivo` .oracle en vez de una del catálogo; - es la entrada")
	c.Flags().IntVar(&testigos, "testigos", 20, "hasta `n` testigos se muestran (con --json son siempre cinco)")
	c.Flags().BoolVar(&o.json, "json", false, "contesta el objeto de oracle_evaluar")
	return c
}

// leerTexto reads the text of a measure, or enough of it for its reader to see
// that it is too long.
func (o *orden) leerTexto(bandera, ruta string) (string, error) {
	t, err := o.leer(bandera, ruta, algebra.TopeDeTexto)
	var largo *largoDeMas
	if errors.As(err, &largo) {
		return largo.principio, nil
	}
	return t, err
}

// leerEvidencia reads evidence from a file or the input.
func (o *orden) leerEvidencia(bandera, ruta string) (string, error) {
	t, err := o.leer(bandera, ruta, topeDeEvidencia)
	var largo *largoDeMas
	if errors.As(err, &largo) {
		return "", host.ErrEvidencia("$.evidencia", fmt.Sprintf("pesa más de %d bytes", int64(topeDeEvidencia)), "no saques hechos: lo que se deja afuera no se mira y puede cambiar el veredicto; repartí las medidas en varias llamadas, cada una con todas las filas de las relaciones que mira. Ese tope no se sube.")
	}
	return t, err
}

// largoDeMas is an input over the cap, and its beginning.
type largoDeMas struct{ principio string }

func (*largoDeMas) Error() string { return "la entrada es demasiado larga" }

// leer reads an input whole before anything else is opened.
func (o *orden) leer(bandera, ruta string, tope int64) (string, error) {
	ilegible := host.ErrArgumentos(bandera, ruta, "un archivo que se pueda leer", "revisá la ruta y los permisos; - es la entrada.")
	var r io.Reader = o.entrada
	var b strings.Builder
	if ruta != "-" {
		f, err := os.Open(ruta)
		if err != nil {
			return "", ilegible
		}
		defer f.Close()
		info, err := f.Stat()
		if err != nil || info.IsDir() {
			return "", ilegible
		}
		b.Grow(int(min(max(info.Size(), 0), tope)) + 1)
		r = f
	}
	n, err := io.Copy(&b, io.LimitReader(r, tope+1))
	if err != nil {
		return "", ilegible
	}
	if n > tope {
		return "", &largoDeMas{b.String()}
	}
	return b.String(), nil
}
