package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/cmd/oracle-mcp/pagina"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// verificar builds «oracle-mcp verificar».
func (o *orden) verificar() *cobra.Command {
	var html, junit string
	var rechazados bool
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "verificar",
		Short:                 "Corre los casos, muta cada medida propia y juzga el catálogo: qué está fijo y qué quedó libre",
		Long: `Verifica el proyecto entero: corre el corpus y los diferenciales, muta cada medida del
catálogo propio y juzga el catálogo con las medidas efectivas que lo miran. De cada medida
dice qué fijan sus casos y qué dejan libre: el mutante que sobrevive, al lado del original.

Sale 0 si todo está en regla, 1 si algo no y 2 si no se pudo verificar.`,
		Example: "  oracle-mcp verificar --html informe.html --junit informe.xml",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return uso(c, "no lleva argumentos: verifica el proyecto entero (una medida sola, con desafiar)")
			}
			enHTML, err := abrirInforme("--html", html)
			if err != nil {
				return err
			}
			enJUnit, err := abrirInforme("--junit", junit)
			if err != nil {
				return err
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			b := nuevaBarra(o.mundo, "mutantes")
			r, err := p.Verificar(c.Context(), host.PedidoVerificar{Avance: b.avance})
			b.cerrar()
			if err != nil {
				return err
			}
			if !r.OK {
				o.codigo = salidaMal
			}
			if err := enHTML.escribir(func(w io.Writer) error { return pagina.Escribir(w, r) }); err != nil {
				return err
			}
			if err := enJUnit.escribir(func(w io.Writer) error { return verificacionEnJUnit(w, r) }); err != nil {
				return err
			}
			if o.json {
				_, err = fmt.Fprintf(o.salida, "%s\n", r.AppendJSON(nil))
				return err
			}
			return nuevaVista(o.mundo).verificacion(r, rechazados)
		},
	}
	f := c.Flags()
	f.StringVar(&html, "html", "", "escribe además un informe de una página en un `archivo`")
	f.StringVar(&junit, "junit", "", "escribe además un informe JUnit en un `archivo`")
	f.BoolVar(&rechazados, "rechazados", false, "muestra también los mutantes que rechazó el álgebra")
	f.BoolVar(&o.json, "json", false, "contesta un objeto JSON")
	return c
}

// verificacion writes a verification: a line for each measure, then what each
// one is missing, then what the measures over measures say.
func (v *vista) verificacion(r *host.Verificacion, rechazados bool) error {
	estado := v.pintar(verde, "✔ EN REGLA")
	if !r.OK {
		estado = v.pintar(rojo, "✘ NO ESTÁ EN REGLA")
	}
	fmt.Fprintf(v.w, "%s  %s\n", estado, v.pintar(tenue, pagina.Resumir(r)))
	if len(r.Medidas) > 0 {
		fmt.Fprintln(v.w)
		v.listaDeMedidas(r)
	}
	for i := range r.Medidas {
		v.medidaVerificada(&r.Medidas[i], rechazados)
	}
	for _, x := range r.NoJuzgaron {
		fmt.Fprintf(v.w, "\n%s  %s\n", v.pintar(rojo, "! NO JUZGÓ"), v.pintar(negrita, x.ID))
		v.renglon("motivo", limpio(x.Motivo))
	}
	for _, j := range r.Catalogo {
		if j.Veredicto.Estado != algebra.Verde {
			fmt.Fprintf(v.w, "\n%s  %s\n", v.estado(j.Veredicto.Estado), v.pintar(negrita, j.Medida.ID))
			v.cuerpo(j, 5)
		}
	}
	if n := len(r.Catalogo); n > 0 {
		verdes := 0
		for _, j := range r.Catalogo {
			if j.Veredicto.Estado == algebra.Verde {
				verdes++
			}
		}
		fmt.Fprintf(v.w, "\n%s %s\n", v.pintar(negrita, "El catálogo mismo:"), fmt.Sprintf("%d de %s verdes", verdes, plural(n, "medida")))
	}
	for _, a := range r.Advertencias {
		v.renglon("aviso", v.pintar(amarillo, limpio(a)))
	}
	return v.w.Flush()
}

// listaDeMedidas writes a line for each measure of the project's own, and for
// each inherited one that has cases here.
func (v *vista) listaDeMedidas(r *host.Verificacion) {
	ancho, calladas := 0, 0
	var lista []*host.MedidaVerificada
	for i := range r.Medidas {
		m := &r.Medidas[i]
		if !m.Origen.Propio() && len(m.Casos) == 0 {
			calladas++
			continue
		}
		lista = append(lista, m)
		ancho = max(ancho, len(m.ID())) // an id is ASCII
	}
	for _, m := range lista {
		signo := v.pintar(verde, "✔")
		if !m.EnRegla() {
			signo = v.pintar(rojo, "✘")
		}
		linea := fmt.Sprintf("  %s %s  %-9s  %s", signo, v.pintar(negrita, fmt.Sprintf("%-*s", ancho, m.ID())), m.Fijacion, plural(len(m.Casos), "caso"))
		if generados, detectados, rechazan, sobreviven := m.Cuenta(); generados > 0 {
			libres := plural(sobreviven, "libre")
			if sobreviven > 0 {
				libres = v.pintar(rojo, libres)
			}
			linea += fmt.Sprintf("  %s: %s, %s, %s", plural(generados, "mutante"), plural(detectados, "detectado"), plural(rechazan, "rechazado"), libres)
		}
		fmt.Fprintln(v.w, linea)
	}
	if calladas > 0 {
		fmt.Fprintf(v.w, "  %s\n", v.pintar(tenue, fmt.Sprintf("y %s sin casos acá: responde por ellas quien las publica", plural(calladas, "heredada"))))
	}
}

// medidaVerificada writes what a measure is missing; nothing when it is in
// order.
func (v *vista) medidaVerificada(m *host.MedidaVerificada, rechazados bool) {
	if m.EnRegla() && !rechazados {
		return
	}
	var mostrar []*host.MutanteVerificado
	for i := range m.Mutantes {
		if x := &m.Mutantes[i]; x.Sobrevive() || rechazados && !x.Detectado() {
			mostrar = append(mostrar, x)
		}
	}
	if m.EnRegla() && len(mostrar) == 0 {
		return
	}
	estilo, titulo, sentido := pagina.Conclusion(m)
	fmt.Fprintf(v.w, "\n%s  %s  %s\n", v.pintar(estiloDe(estilo), titulo), v.pintar(negrita, m.ID()), v.pintar(tenue, limpio(m.Fuente)))
	v.renglon("", sentido)
	v.renglon("umbral", fmt.Sprintf("%s %s", m.Medida.Umbral.Op, literal(m.Medida.Umbral.Limite)))
	for _, c := range m.Casos {
		if c.Cumple {
			continue
		}
		v.renglon("", v.pintar(rojo, fmt.Sprintf("«%s» esperaba %s y dio %s", limpio(c.ID), pagina.Espera(c.Espera), c.Obtenido))+" "+v.pintar(tenue, limpio(c.Origen)))
		if c.Motivo != "" {
			v.renglon("motivo", limpio(c.Motivo))
		}
	}
	for _, x := range mostrar {
		v.mutante(x.Destino, x.Cambio, x.ID, x.Diferencia(m.Medida))
	}
}

func estiloDe(estado string) string {
	switch estado {
	case "bien":
		return verde
	case "mal":
		return rojo
	default:
		return amarillo
	}
}

// verificacionEnJUnit writes a verification as JUnit: a suite with a test for
// each case, one for the mutants of each measure, and one for each measure over
// measures.
func verificacionEnJUnit(w io.Writer, r *host.Verificacion) error {
	s := junitConjunto{Name: "oracle-mcp verificar"}
	for i := range r.Medidas {
		m := &r.Medidas[i]
		for _, c := range m.Casos {
			x := junitCaso{Class: m.ID(), Name: "caso " + c.ID}
			switch {
			case c.Obtenido == "error":
				x.Error = &junitMensaje{Message: c.Motivo}
			case !c.Cumple:
				x.Failure = &junitMensaje{Message: fmt.Sprintf("esperaba %s y dio %s", pagina.Espera(c.Espera), c.Obtenido)}
				for _, t := range c.Testigos {
					x.Failure.Text += string(t) + "\n"
				}
			}
			s.Cases = append(s.Cases, x)
		}
		if m.Conclusion == "" {
			continue
		}
		x := junitCaso{Class: m.ID(), Name: "mutantes"}
		switch {
		case m.Conclusion == host.OriginalNoReproduce:
			x.Skipped = &junitMensaje{Message: "no se mutó: la medida no reproduce sus casos"}
		case !m.EnRegla():
			_, _, sentido := pagina.Conclusion(m)
			x.Failure = &junitMensaje{Message: sentido}
			for k := range m.Mutantes {
				if m.Mutantes[k].Sobrevive() {
					x.Failure.Text += m.Mutantes[k].ID + ": " + m.Mutantes[k].Cambio + "\n"
				}
			}
		}
		s.Cases = append(s.Cases, x)
	}
	for _, j := range r.Catalogo {
		x := junitCaso{Class: "catálogo", Name: j.Medida.ID}
		if !j.Satisface() {
			x.Failure = &junitMensaje{Message: fmt.Sprintf("%s: %s no cumple %s %s: %s", j.Veredicto.Estado, literal(j.Veredicto.Valor), j.Medida.Umbral.Op, literal(j.Medida.Umbral.Limite), razon(j.Medida.Umbral))}
			for i := range min(5, j.Veredicto.CantidadDeTestigos()) {
				x.Failure.Text += string(j.Veredicto.AppendTestigo(nil, i)) + "\n"
			}
		}
		s.Cases = append(s.Cases, x)
	}
	for _, n := range r.NoJuzgaron {
		s.Cases = append(s.Cases, junitCaso{Class: "catálogo", Name: n.ID, Error: &junitMensaje{Message: n.Motivo}})
	}
	for i := range r.Sueltos {
		c := &r.Sueltos[i]
		x := junitCaso{Class: "casos sueltos", Name: "caso " + c.ID}
		if c.Hueco() {
			x.Skipped = &junitMensaje{Message: "hueco declarado: ninguna medida lo mira todavía"}
		} else {
			x.Failure = &junitMensaje{Message: "reclama «" + c.Medida + "», que no es una medida efectiva"}
		}
		s.Cases = append(s.Cases, x)
	}
	if len(r.Medidas) == 0 {
		s.Cases = append(s.Cases, junitCaso{Class: "catálogo", Name: "medidas", Error: &junitMensaje{Message: strings.Join(r.Advertencias, "; ")}})
	}
	return s.escribir(w)
}
