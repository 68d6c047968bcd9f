package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// validar builds «docugraph-mcp validar».
func (o *orden) validar() *cobra.Command {
	var comoJSON bool
	c := &cobra.Command{
		Use:   "validar",
		Short: "Muestra los hallazgos, uno por renglón: ruta:línea: CÓDIGO mensaje",
		Long: `Muestra los hallazgos del árbol, uno por renglón, como ruta:línea: CÓDIGO mensaje.

Sale 0 si no hay errores (puede haber avisos), 1 si los hay y 2 si no se pudo mirar.`,
		Example: "  docugraph-mcp validar --workspace docs",
		Args:    sinArgumentos,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := o.cargar(c)
			if err != nil {
				return err
			}
			defer e.Close()
			i := e.Arbol().Informe(e.Ruta())
			if !i.Valid {
				o.codigo = salidaMal
			}
			if comoJSON {
				return o.escribirJSON(i)
			}
			w := bufio.NewWriter(o.salida)
			for _, h := range i.Hallazgos() {
				fmt.Fprintf(w, "%s:%d: %s %s\n", h.Ruta, h.Linea, h.Codigo, h.Mensaje)
			}
			if err := w.Flush(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(o.errores, "%s, %s: %s, %s\n", contar(i.NodeCount, "documento", "s"), contar(i.EdgeCount, "dependencia", "s"),
				contar(len(i.Errors), "error", "es"), contar(len(i.Warnings), "aviso", "s"))
			return err
		},
	}
	c.Flags().BoolVar(&comoJSON, "json", false, "el informe en JSON, como lo da validate_traceability")
	return c
}

func contar(n int, uno, plural string) string {
	if n != 1 {
		uno += plural
	}
	return fmt.Sprintf("%d %s", n, uno)
}

// contexto builds «docugraph-mcp contexto».
func (o *orden) contexto() *cobra.Command {
	profundidad := docugraph.ProfundidadPorOmision
	c := &cobra.Command{
		Use:   "contexto <id>",
		Short: "Escribe el paquete de contexto de una tarea, en Markdown",
		Long: `Escribe en Markdown la tarea y los documentos de los que depende, cada uno con el motivo por el que está.

Si el paquete no puede salir entero (un ciclo, una dependencia rota, un id repetido) no sale nada, y la salida es 2.`,
		Example: "  docugraph-mcp contexto BE-02 --workspace docs",
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return uso(c, "hace falta exactamente un id")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			e, err := o.cargar(c)
			if err != nil {
				return err
			}
			defer e.Close()
			p, err := e.Arbol().Contexto(c.Context(), args[0], profundidad)
			if err != nil {
				return err
			}
			_, err = io.WriteString(o.salida, p.Markdown())
			return err
		},
	}
	c.Flags().IntVar(&profundidad, "profundidad", profundidad, "hasta cuántas dependencias de distancia")
	return c
}

// grafo builds «docugraph-mcp grafo».
func (o *orden) grafo() *cobra.Command {
	var desde string
	var html, mermaid, dot bool
	profundidad := docugraph.ProfundidadMaxima
	c := &cobra.Command{
		Use:   "grafo",
		Short: "Escribe el grafo de dependencias: JSON, página HTML, Mermaid o DOT",
		Long: `Escribe el grafo de dependencias en la salida estándar: JSON si no se pide otra cosa.

La página de --html es un solo archivo que no necesita red.`,
		Example: "  docugraph-mcp grafo --html --workspace docs > grafo.html\n  docugraph-mcp grafo --dot --desde BE-02 --workspace docs | dot -Tsvg > grafo.svg",
		Args:    sinArgumentos,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case html && mermaid || html && dot || mermaid && dot:
				return uso(c, "--html, --mermaid y --dot no van juntas")
			case c.Flags().Changed("profundidad") && !c.Flags().Changed("desde"):
				return uso(c, "--profundidad necesita --desde")
			}
			e, err := o.cargar(c)
			if err != nil {
				return err
			}
			defer e.Close()
			var g *docugraph.Grafo
			if c.Flags().Changed("desde") {
				g, err = e.Arbol().AguasArriba(c.Context(), desde, profundidad)
			} else {
				g, err = e.Arbol().Grafo(c.Context())
			}
			if err != nil {
				return err
			}
			switch {
			case html:
				w := bufio.NewWriter(o.salida)
				return errors.Join(g.HTML(w, filepath.Base(e.Ruta()), e.Arbol().Informe("")), w.Flush())
			case mermaid:
				_, err = io.WriteString(o.salida, g.Mermaid())
			case dot:
				_, err = io.WriteString(o.salida, g.DOT())
			default:
				err = o.escribirJSON(g)
			}
			return err
		},
	}
	c.Flags().StringVar(&desde, "desde", "", "sólo lo que está aguas arriba de este `id`")
	c.Flags().IntVar(&profundidad, "profundidad", profundidad, "con --desde, hasta cuántas dependencias de distancia")
	c.Flags().BoolVar(&html, "html", false, "una página con el dibujo y los hallazgos")
	c.Flags().BoolVar(&mermaid, "mermaid", false, "un diagrama de Mermaid")
	c.Flags().BoolVar(&dot, "dot", false, "un grafo de Graphviz")
	return c
}

// hechos builds «docugraph-mcp hechos».
func (o *orden) hechos() *cobra.Command {
	var lim docugraph.Limites
	c := &cobra.Command{
		Use:   "hechos",
		Short: "Escribe el árbol como evidencia, para juzgarlo con oracle-mcp",
		Long: `Escribe en la salida estándar el árbol como evidencia relacional: documento, dependencia, alcanzable, criterio y hallazgo.

Si «alcanzable» tuviera más filas que el tope, la relación no sale (una ausente no es una vacía) y un renglón por la salida de errores lo dice.`,
		Example: "  docugraph-mcp hechos --workspace docs | oracle-mcp juzgar --proyecto medidas --con -",
		Args:    sinArgumentos,
		RunE: func(c *cobra.Command, _ []string) error {
			if lim.FilasAlcanzable < 1 {
				return uso(c, "--filas-alcanzable tiene que ser 1 o más")
			}
			e, err := o.cargar(c)
			if err != nil {
				return err
			}
			defer e.Close()
			h, err := e.Arbol().Hechos(c.Context(), lim)
			if err != nil {
				return err
			}
			if h.Alcanzable == nil {
				fmt.Fprintf(o.errores, "la relación «alcanzable» pasa de %d filas y no sale\n", lim.FilasAlcanzable)
			}
			return o.escribirJSON(h)
		},
	}
	c.Flags().IntVar(&lim.FilasAlcanzable, "filas-alcanzable", 100_000, "tope de filas de «alcanzable»")
	return c
}
