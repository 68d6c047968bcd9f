package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// juzgar builds «oracle-mcp juzgar».
func (o *orden) juzgar() *cobra.Command {
	var con, junit string
	var testigos int
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "juzgar [medida…] --con evidencia.json",
		Short:                 "Juzga una evidencia con todo el catálogo efectivo",
		Long: `Juzga una evidencia con todas las medidas efectivas que aplican, o con las que se nombren.

Está en regla si todas juzgaron, al menos una dio un veredicto, y cada una dio verde o su
sombra la perdona. Sale 0 si está en regla, 1 si no, y 2 si no se pudo juzgar.`,
		Example: "  oracle-mcp juzgar --con evidencia.json --junit informe.xml",
		RunE: func(c *cobra.Command, args []string) error {
			if con == "" {
				return uso(c, "falta la evidencia: --con archivo.json, o --con - para leerla de la entrada")
			}
			if testigos < 0 {
				return uso(c, "la opción «--testigos» lleva un número de 0 en adelante")
			}
			pedido := host.PedidoJuzgar{Testigos: testigos}
			if len(args) > 0 {
				pedido.IDs = args
			}
			var err error
			if pedido.Evidencia, err = o.leerEvidencia("--con", con); err != nil {
				return err
			}
			informe, err := abrirInforme("--junit", junit)
			if err != nil {
				return err
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			j, err := p.Juzgar(c.Context(), pedido)
			if err != nil {
				return err
			}
			if !j.OK {
				o.codigo = salidaMal
			}
			if err := informe.escribir(func(w io.Writer) error { return escribirJUnit(w, j) }); err != nil {
				return err
			}
			if o.json {
				_, err = fmt.Fprintf(o.salida, "%s\n", j.AppendJSON(nil))
				return err
			}
			return nuevaVista(o.mundo).juicio(j, testigos)
		},
	}
	c.Flags().StringVar(&con, "con", "", "`archivo` JSON con la evidencia; - es la entrada")
	c.Flags().StringVar(&junit, "junit", "", "escribe además un informe JUnit en un `archivo`")
	c.Flags().IntVar(&testigos, "testigos", 5, "hasta `n` testigos se muestran de cada medida que no dio verde")
	c.Flags().BoolVar(&o.json, "json", false, "contesta el objeto de oracle_juzgar")
	return c
}

// juicio writes an answer of oracle_juzgar: a line for each measure, and then
// the rows of those that did not come out green.
func (v *vista) juicio(j *host.Juzgado, testigos int) error {
	estado := v.pintar(verde, "✔ EN REGLA")
	if !j.OK {
		estado = v.pintar(rojo, "✘ NO ESTÁ EN REGLA")
	}
	fmt.Fprintf(v.w, "%s  %s\n", estado, v.pintar(tenue, contarJuicios(j)))
	var filas []map[string]string
	for _, x := range j.Medidas {
		fila := map[string]string{"": signo(x), "medida": x.Medida.ID,
			"umbral": fmt.Sprintf("%s %s", x.Medida.Umbral.Op, literal(x.Medida.Umbral.Limite))}
		if x.Veredicto.Estado != algebra.SinEvidencia {
			fila["valor"] = literal(x.Veredicto.Valor)
			fila["testigos"] = fmt.Sprint(x.Veredicto.CantidadDeTestigos())
		}
		filas = append(filas, fila)
	}
	if len(filas) > 0 {
		v.tabla("  ", []string{"", "medida", "valor", "umbral", "testigos"}, filas)
	}
	for _, x := range j.NoJuzgaron {
		fmt.Fprintf(v.w, "\n%s  %s\n", v.pintar(rojo, "! NO JUZGÓ"), v.pintar(negrita, x.ID))
		v.renglon("motivo", limpio(x.Motivo))
	}
	for _, x := range j.Medidas {
		if x.Veredicto.Estado == algebra.Verde {
			continue
		}
		fmt.Fprintf(v.w, "\n%s  %s\n", v.estado(x.Veredicto.Estado), v.pintar(negrita, x.Medida.ID))
		v.cuerpo(x, testigos)
	}
	if len(j.NoAplicadas) > 0 {
		fmt.Fprintf(v.w, "\n%s\n", v.pintar(negrita, "No aplicadas: la evidencia no trae lo que miran"))
		for _, x := range j.NoAplicadas {
			fmt.Fprintf(v.w, "  %s: %s\n", x.ID, limpio(strings.Join(x.Faltan, ", ")))
		}
	}
	for _, a := range j.Advertencias {
		v.renglon("aviso", v.pintar(amarillo, limpio(a)))
	}
	return v.w.Flush()
}

// signo tells a state in one character.
func signo(x host.Juicio) string {
	switch {
	case x.Veredicto.Estado == algebra.Verde:
		return "✔"
	case x.Veredicto.Estado == algebra.SinEvidencia:
		return "?"
	case x.Perdona:
		return "~"
	default:
		return "✘"
	}
}

func contarJuicios(j *host.Juzgado) string {
	cuenta := map[string]int{}
	for _, x := range j.Medidas {
		cuenta[signo(x)]++
	}
	s := fmt.Sprintf("%s, %s, %s por su sombra, %d sin evidencia",
		plural(cuenta["✔"], "verde"), plural(cuenta["✘"], "roja"), plural(cuenta["~"], "perdonada"), cuenta["?"])
	switch n := len(j.NoJuzgaron); n {
	case 0:
	case 1:
		s += ", 1 no juzgó"
	default:
		s += fmt.Sprintf(", %d no juzgaron", n)
	}
	return s
}

// plural counts things whose name takes an s.
func plural(n int, nombre string) string {
	if n != 1 {
		nombre += "s"
	}
	return fmt.Sprintf("%d %s", n, nombre)
}

// escribirJUnit writes a judgement as JUnit: a red is a failure, and so is a
// lack of evidence; what could not judge is an error; what did not apply is
// skipped; a forgiven red passes and says so.
func escribirJUnit(w io.Writer, j *host.Juzgado) error {
	s := junitConjunto{Name: "oracle-mcp juzgar"}
	for _, x := range j.Medidas {
		c := junitCaso{Class: "medida", Name: x.Medida.ID}
		m := x.Medida
		switch {
		case x.Veredicto.Estado == algebra.SinEvidencia:
			c.Failure = &junitMensaje{Message: "sin evidencia: falta " + host.DescribirFalta(m, x.Veredicto.Falta)}
		case x.Perdona:
			c.Out = "rojo perdonado por su sombra: " + x.Sombra.Porque
		case x.Veredicto.Estado == algebra.Rojo:
			f := &junitMensaje{Message: fmt.Sprintf("rojo: %s no cumple %s %s: %s", literal(x.Veredicto.Valor), m.Umbral.Op, literal(m.Umbral.Limite), razon(m.Umbral))}
			for i := range min(5, x.Veredicto.CantidadDeTestigos()) {
				f.Text += string(x.Veredicto.AppendTestigo(nil, i)) + "\n"
			}
			c.Failure = f
		}
		s.Cases = append(s.Cases, c)
	}
	for _, x := range j.NoJuzgaron {
		s.Cases = append(s.Cases, junitCaso{Class: "medida", Name: x.ID, Error: &junitMensaje{Message: x.Motivo}})
	}
	for _, x := range j.NoAplicadas {
		s.Cases = append(s.Cases, junitCaso{Class: "medida", Name: x.ID, Skipped: &junitMensaje{Message: "la evidencia no trae " + strings.Join(x.Faltan, ", ")}})
	}
	if len(j.Medidas)+len(j.NoJuzgaron) == 0 {
		s.Cases = append(s.Cases, junitCaso{Class: "catálogo", Name: "aplica", Error: &junitMensaje{Message: "ninguna medida aplica a la evidencia"}})
	}
	return s.escribir(w)
}
