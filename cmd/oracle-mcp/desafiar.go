package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/mattn/go-runewidth"
	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/contrato"
	"github.com/spf13/cobra"
)

// desafiar builds «oracle-mcp desafiar».
func (o *orden) desafiar() *cobra.Command {
	var texto, casos string
	porEstado := map[algebra.Estado]*[]string{algebra.Verde: {}, algebra.Rojo: {}, algebra.SinEvidencia: {}}
	var sinProyecto bool
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "desafiar [medida]",
		Short:                 "Cambia una medida de a un detalle y dice qué cambios no nota ningún caso",
		Long: `Desafía una medida, efectiva en el proyecto o escrita en un archivo aparte: la corre con los
casos del proyecto que la nombran y con los que se le den, y después corre sus mutantes, la
misma medida con un cambio chico. El cambio que ningún caso nota queda libre.

Sale 0 si todos los mutantes se detectaron por conducta, 1 con cualquier otra conclusión y
2 si no se pudo desafiar.`,
		Example: "  oracle-mcp desafiar stock.sin_negativos\n  oracle-mcp desafiar --texto borrador.oracle --verde bien.json --rojo mal.json",
		RunE: func(c *cobra.Command, args []string) error {
			pedido := host.PedidoDesafiar{SinProyecto: sinProyecto}
			switch {
			case len(args) == 1 && texto == "":
				if !algebra.IDValido(args[0]) {
					return uso(c, "«%s» no es el id de una medida: se escribe dominio.nombre (un archivo va con --texto)", algebra.Citar(args[0]))
				}
				pedido.Medida.ID = args[0]
			case len(args) == 0 && texto != "":
				t, err := o.leerTexto("--texto", texto)
				if err != nil {
					return err
				}
				pedido.Medida.Texto = []byte(t)
			default:
				return uso(c, "hace falta exactamente una medida: su id, o un archivo con --texto")
			}
			var err error
			if pedido.Casos, err = o.leerCasos(casos, porEstado); err != nil {
				return err
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			b := nuevaBarra(o.mundo, "mutantes")
			pedido.Avance = b.avance
			d, err := p.Desafiar(c.Context(), pedido)
			b.cerrar()
			if err != nil {
				return err
			}
			if d.Conclusion != host.TodosDetectadosPorConducta {
				o.codigo = salidaMal
			}
			if o.json {
				_, err = fmt.Fprintf(o.salida, "%s\n", d.AppendJSON(nil))
				return err
			}
			return nuevaVista(o.mundo).desafio(d)
		},
	}
	f := c.Flags()
	f.StringVar(&texto, "texto", "", "desafía la medida escrita en un `archivo` .oracle en vez de una del catálogo; - es la entrada")
	f.StringArrayVar(porEstado[algebra.Verde], "verde", nil, "`archivo` JSON con una evidencia que tiene que dar verde (se puede repetir)")
	f.StringArrayVar(porEstado[algebra.Rojo], "rojo", nil, "`archivo` JSON con una evidencia que tiene que dar rojo (se puede repetir)")
	f.StringArrayVar(porEstado[algebra.SinEvidencia], "sin-evidencia", nil, "`archivo` JSON con una evidencia que tiene que dar sin_evidencia (se puede repetir)")
	f.StringVar(&casos, "casos", "", "`archivo` JSON con una lista de casos {id, espera, evidencia}; - es la entrada")
	f.BoolVar(&sinProyecto, "sin-proyecto", false, "deja afuera los casos y los diferenciales del proyecto")
	f.BoolVar(&o.json, "json", false, "contesta el objeto de oracle_desafiar")
	return c
}

// leerCasos reads the ephemeral cases: those of a list, then one of each file
// of evidence, whose id is the path as it was given.
func (o *orden) leerCasos(lista string, porEstado map[algebra.Estado]*[]string) ([]host.CasoEfimero, error) {
	var cs []host.CasoEfimero
	if lista != "" {
		t, err := o.leer("--casos", lista, topeDeEvidencia)
		if err != nil {
			return nil, err
		}
		if !json.Valid([]byte(t)) {
			return nil, host.ErrArgumentos("--casos", lista, "un archivo JSON", "pasá un archivo con una lista JSON de casos {id, espera, evidencia}.")
		}
		// The same checks as a call: only the list comes from outside.
		a, err := contrato.LeerDesafiar(json.RawMessage(`{"medida":{"id":"a.b"},"casos":` + t + `}`))
		if err != nil {
			return nil, err
		}
		cs = mcp.CasosEfimeros(a.Casos)
	}
	for _, x := range []struct {
		bandera string
		espera  algebra.Estado
	}{{"--verde", algebra.Verde}, {"--rojo", algebra.Rojo}, {"--sin-evidencia", algebra.SinEvidencia}} {
		for _, ruta := range *porEstado[x.espera] {
			t, err := o.leer(x.bandera, ruta, topeDeEvidencia)
			if err != nil {
				return nil, err
			}
			cs = append(cs, host.CasoEfimero{ID: filepath.ToSlash(ruta), Espera: x.espera, Evidencia: t})
		}
	}
	return cs, nil
}

// conclusion says what a conclusion means, and how bad it is.
func conclusion(d *host.Desafio) (estilo, titulo, sentido string) {
	switch d.Conclusion {
	case host.OriginalNoReproduce:
		return rojo, "✘ NO REPRODUCE", "la medida no dice lo que algún caso espera: no se mutó"
	case host.FaltanPolaridades:
		return amarillo, "? FALTAN POLARIDADES", "hace falta al menos un caso que espere verde y otro que no: no se mutó"
	case host.SinMutantes:
		return amarillo, "? SIN MUTANTES", "no hay ningún cambio que probar"
	case host.Sobrevivientes:
		return rojo, "✘ SOBREVIVIENTES", "hay cambios de la medida que ningún caso nota"
	case host.SinSobrevivientesConRechazos:
		return amarillo, "~ SIN SOBREVIVIENTES, CON RECHAZOS", "de algunos cambios no avisan los casos: los rechaza el álgebra"
	default:
		return verde, "✔ TODOS DETECTADOS", "algún caso nota cada cambio que se probó"
	}
}

// desafio writes an answer of oracle_desafiar.
func (v *vista) desafio(d *host.Desafio) error {
	estilo, titulo, sentido := conclusion(d)
	fmt.Fprintf(v.w, "%s  %s\n", v.pintar(estilo, titulo), v.pintar(negrita, d.Medida.ID))
	v.renglon("", sentido)
	c := d.Casos
	v.renglon("casos", fmt.Sprintf("%d: %d del proyecto y %d de la llamada; %d esperan verde y %d no", c.Total, c.DelProyecto, c.Efimeros, c.EsperanVerde, c.EsperanRojo))
	for _, x := range d.Discordancias {
		v.renglon("", v.pintar(rojo, fmt.Sprintf("«%s» esperaba %s y dio %s", limpio(x.Caso), x.Esperado, x.Obtenido)))
	}
	if m := d.Mutacion; m.Generados > 0 {
		v.renglon("mutantes", fmt.Sprintf("%d: %d detectados por conducta, %d rechazados por el álgebra, %s", m.Generados, m.Detectados, m.Rechazados, plural(m.Sobrevivientes(), "sobreviviente")))
	}
	v.noDetectados(d.Medida, d.Mutacion.NoDetectados)
	for _, a := range d.Advertencias {
		v.renglon("aviso", v.pintar(amarillo, limpio(a)))
	}
	return v.w.Flush()
}

// noDetectados writes each mutant nobody noticed: what changed, and the lines
// in which it reads otherwise.
func (v *vista) noDetectados(m *algebra.Medida, ns []host.NoDetectado) {
	for _, n := range ns {
		v.mutante(n.Estado, n.Cambio, n.ID, host.Diferencia(m.Canonica(), n.Forma()))
	}
	if len(ns) > 0 {
		fmt.Fprintln(v.w)
	}
}

// mutante writes one mutant and the lines in which it reads otherwise.
func (v *vista) mutante(destino, cambio, id string, renglones []host.Renglon) {
	estilo, que := rojo, "sobrevive"
	if destino != "sobrevivio" {
		estilo, que = amarillo, "rechazado"
	}
	fmt.Fprintf(v.w, "\n  %s  %s  %s\n", v.pintar(estilo, que), limpio(cambio), v.pintar(tenue, limpio(id)))
	for _, r := range renglones {
		switch r.Cambio {
		case host.SoloOriginal:
			fmt.Fprintf(v.w, "    %s\n", v.pintar(rojo, "- "+limpio(r.Texto)))
		case host.SoloMutante:
			fmt.Fprintf(v.w, "    %s\n", v.pintar(verde, "+ "+limpio(r.Texto)))
		}
	}
}

// barra shows progress on the terminal's error output, and nothing elsewhere.
type barra struct {
	mundo  mundo
	que    string
	activa bool
	pedido chan [2]int
	fin    chan struct{}
	mayor  atomic.Int64
}

// nuevaBarra starts a bar. It ends with cerrar, which erases it.
func nuevaBarra(m mundo, que string) *barra {
	b := &barra{mundo: m, que: que}
	if !m.barra {
		return b
	}
	b.activa, b.pedido, b.fin = true, make(chan [2]int, 1), make(chan struct{})
	go func() {
		defer close(b.fin)
		for x := range b.pedido {
			fmt.Fprint(m.errores, "\r"+dibujar(que, x[0], x[1]))
		}
		fmt.Fprint(m.errores, "\r\x1b[K")
	}()
	return b
}

// dibujar is the bar with so many done of so many.
func dibujar(que string, hechos, total int) string {
	const ancho = 30
	lleno := 0
	if total > 0 {
		lleno = ancho * hechos / total
	}
	s := fmt.Sprintf("%s %s%s %d/%d", que, strings.Repeat("█", lleno), strings.Repeat("░", ancho-lleno), hechos, total)
	return runewidth.FillRight(s, ancho+len(que)+20)
}

// avance tells the bar how far it got. It never waits for the terminal and
// never goes back. Safe for concurrent use.
func (b *barra) avance(hechos, total int) {
	if !b.activa {
		return
	}
	for {
		antes := b.mayor.Load()
		if int64(hechos) <= antes {
			return
		}
		if b.mayor.CompareAndSwap(antes, int64(hechos)) {
			break
		}
	}
	select {
	case b.pedido <- [2]int{hechos, total}:
	default:
	}
}

func (b *barra) cerrar() {
	if b.activa {
		close(b.pedido)
		<-b.fin
	}
}
