package main

import (
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/host/encierro"
	"github.com/spf13/cobra"
)

// diagnostico builds «oracle-mcp diagnostico».
func (o *orden) diagnostico() *cobra.Command {
	return &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "diagnostico",
		Short:                 "Dice qué encierro quedó activo y lo prueba, intentando lo prohibido",
		Long: `Abre el proyecto y se encierra igual que el servidor, y después intenta cada cosa que un
servidor encerrado no puede hacer. Con --confiar-escalares prueba también la caja, desde
adentro. Sale 0 si todo quedó negado y 1 si algo se pudo hacer.`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return uso(c, "no lleva argumentos")
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			pruebas := encierro.Diagnosticar(p.Raiz())
			b := o.estado.AppendTexto(nil, pruebas)
			if len(encierro.Abiertas(pruebas)) > 0 {
				o.codigo = salidaMal
			}
			if o.confiar {
				enCaja := caja.EncierroExigido
				if o.estado.Modo == encierro.Apagado {
					enCaja = caja.EncierroApagado
				}
				adentro, err := caja.Diagnosticar(c.Context(), enCaja)
				if err != nil {
					return err
				}
				b = encierro.AppendPruebas(append(b, "caja de escalares:\n"...), adentro)
				if len(encierro.Abiertas(adentro)) > 0 {
					o.codigo = salidaMal
				}
			}
			_, err = fmt.Fprintf(o.salida, "%s", b)
			return err
		},
	}
}
