package main

import (
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// hechos builds «oracle-mcp hechos».
func (o *orden) hechos() *cobra.Command {
	var con string
	var traza bool
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "hechos",
		Short:                 "Imprime, como evidencia, los hechos del lenguaje sobre el propio catálogo",
		Long: `Imprime como evidencia JSON los hechos que el lenguaje emite sobre sí mismo: las medidas
efectivas, sus pasos y términos, los casos, las sombras, las relaciones declaradas. Sirve
para escribir medidas sobre medidas.`,
		Example: "  oracle-mcp hechos | oracle-mcp juzgar --proyecto otro --con -",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return uso(c, "no lleva argumentos")
			}
			pedido := host.PedidoHechos{Traza: traza}
			var err error
			if con != "" {
				if pedido.Evidencia, err = o.leerEvidencia("--con", con); err != nil {
					return err
				}
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			h, err := p.Hechos(c.Context(), pedido)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(o.salida, "%s\n", h.AppendJSON(nil))
			return err
		},
	}
	c.Flags().StringVar(&con, "con", "", "`archivo` JSON con la evidencia con que se evalúan las medidas en sombra; - es la entrada")
	c.Flags().BoolVar(&traza, "traza", false, "corre cada caso paso a paso y agrega lo que hizo el evaluador")
	return c
}
