package main

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// catalogo builds «oracle-mcp catalogo».
func (o *orden) catalogo() *cobra.Command {
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "catalogo [medida…]",
		Short:                 "Muestra qué medidas obligan en el proyecto y quién las fija",
		Long: `Muestra las medidas del catálogo efectivo: de dónde viene cada una y si algo la fija.
Con ids, el detalle de ésas: relaciones, ámbito, umbral, alcance y archivo.`,
		Example: "  oracle-mcp catalogo\n  oracle-mcp catalogo existencias.saldo_no_negativo",
		RunE: func(c *cobra.Command, args []string) error {
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			var ids []string
			if len(args) > 0 {
				ids = args
			}
			cat, err := p.CatalogoEfectivo(c.Context(), host.PedidoCatalogo{IDs: ids})
			if err != nil {
				return err
			}
			if o.json {
				_, err = fmt.Fprintf(o.salida, "%s\n", cat.AppendJSON(nil))
				return err
			}
			return nuevaVista(o.mundo).catalogo(cat)
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "contesta el objeto de oracle_catalogo_efectivo")
	return c
}

// catalogo writes an answer of oracle_catalogo_efectivo.
func (v *vista) catalogo(c *host.CatalogoEfectivo) error {
	fmt.Fprintf(v.w, "%s  %s\n", v.pintar(negrita, contarMedidas(c.Total)), v.pintar(tenue, limpio(c.Proyecto)))
	if !c.Detalle {
		columnas := []string{"medida", "origen", "fijación"}
		filas := make([]map[string]string, 0, len(c.Medidas))
		for _, f := range c.Medidas {
			filas = append(filas, map[string]string{"medida": f.ID(), "origen": limpio(f.Origen.String()), "fijación": string(f.Fijacion)})
		}
		if len(filas) > 0 {
			v.tabla("  ", columnas, filas)
		}
		return v.w.Flush()
	}
	for _, f := range c.Medidas {
		m := f.Medida
		fmt.Fprintf(v.w, "\n%s\n", v.pintar(negrita, f.ID()))
		v.renglon("origen", limpio(f.Origen.String())+", "+limpio(f.Fuente))
		v.renglon("fijación", string(f.Fijacion))
		v.renglon("ámbito", m.Ambito)
		v.renglon("mira", limpio(strings.Join(m.Relaciones(), ", ")))
		var requiere []string
		for i := range m.Requiere {
			requiere = append(requiere, host.DescribirFalta(m, &m.Requiere[i]))
		}
		if len(requiere) > 0 {
			v.renglon("requiere", limpio(strings.Join(requiere, ", ")))
		}
		v.renglon("umbral", fmt.Sprintf("%s %s", m.Umbral.Op, literal(m.Umbral.Limite)))
		v.renglon("porque", razon(m.Umbral))
		v.renglon("no mira", limpio(m.Alcance))
	}
	return v.w.Flush()
}

func contarMedidas(n int) string {
	if n == 1 {
		return "1 medida efectiva"
	}
	return fmt.Sprintf("%d medidas efectivas", n)
}
