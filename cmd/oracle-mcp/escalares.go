package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/portar"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// escalares builds «oracle-mcp escalares».
func (o *orden) escalares() *cobra.Command {
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "escalares",
		Short:                 "Las funciones que una medida puede llamar: listar, probar, portar",
		RunE: func(c *cobra.Command, _ []string) error {
			return uso(c, "hace falta una acción: listar, probar o portar")
		},
	}
	c.AddCommand(o.escalaresListar(), o.escalaresProbar(), o.escalaresPortar())
	return c
}

func (o *orden) escalaresListar() *cobra.Command {
	return &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "listar",
		Short:                 "Lista las escalares con su aridad, sus unidades y de dónde vienen",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return uso(c, "no lleva argumentos")
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			inv, err := p.Inventario(c.Context())
			if err != nil {
				return err
			}
			var filas []map[string]string
			for _, e := range inv.Escalares {
				filas = append(filas, map[string]string{"escalar": limpio(host.FirmaDeEscalar(e)), "procedencia": limpio(e.Procedencia)})
			}
			v := nuevaVista(o.mundo)
			v.tabla("", []string{"escalar", "procedencia"}, filas)
			if inv.SinAutorizar != "" {
				v.renglon("aviso", v.pintar(amarillo, inv.SinAutorizar+" no se miró: es código, y nadie lo autorizó con --confiar-escalares"))
			}
			return v.w.Flush()
		},
	}
}

func (o *orden) escalaresProbar() *cobra.Command {
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "probar nombre argumento…",
		Short:                 "Llama una escalar y dice qué devuelve, con cuántos pasos y en cuánto tiempo",
		Example:               "  oracle-mcp escalares probar cerca 1.5 3\n  oracle-mcp escalares probar cerca -- -1.5 3\n  oracle-mcp escalares probar --confiar-escalares desvio 1.5 3",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return uso(c, "lleva el nombre de una escalar y sus argumentos, en JSON")
			}
			p, err := o.abrir()
			if err != nil {
				return err
			}
			defer p.Close()
			var valores []algebra.Valor
			for _, a := range args[1:] {
				v, err := host.LeerArgumento(a, p.Limites())
				if err != nil {
					return err
				}
				valores = append(valores, v)
			}
			inicio := time.Now()
			v, pasos, err := p.ProbarEscalar(c.Context(), args[0], valores)
			if err != nil {
				return err
			}
			tardo := time.Since(inicio).Round(10 * time.Microsecond)
			_, err = fmt.Fprintf(o.salida, "%s\n  %d pasos, %v\n", limpio(string(algebra.AppendJSON(nil, v))), pasos, tardo)
			return err
		},
	}
	c.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		var noExiste *pflag.NotExistError
		if errors.As(err, &noExiste) {
			if n := noExiste.GetSpecifiedName(); n != "" && n[0] >= '0' && n[0] <= '9' {
				return uso(c, "un argumento negativo se toma por una opción: antes de los argumentos va --, como en «oracle-mcp escalares probar cerca -- -1.5 3»")
			}
		}
		return errorDeBandera(c, err)
	})
	return c
}

func (o *orden) escalaresPortar() *cobra.Command {
	var digito bool
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "portar [escalares.py]",
		Short:                 "Traduce un escalares.py a escalares.star, o dice en qué líneas no se puede",
		Long: `Traduce un escalares.py al subconjunto de Starlark que corre en la caja y lo escribe en la
salida. Lo que daría otro resultado se traduce con un ayudante o se rechaza con su línea.
No ejecuta nada. Sin argumento lee el escalares.py de la raíz del proyecto.`,
		Example: "  oracle-mcp escalares portar escalares.py > escalares.star",
		RunE: func(c *cobra.Command, args []string) error {
			ruta := ""
			switch len(args) {
			case 0:
				p, err := o.abrirLibre()
				if err != nil {
					return err
				}
				ruta = filepath.Join(p.Raiz(), "escalares.py")
				p.Close()
			case 1:
				ruta = args[0]
			default:
				return uso(c, "lleva un solo archivo")
			}
			fuente, err := o.leerTexto("archivo", ruta)
			if err != nil {
				return err
			}
			nombre := "entrada"
			if ruta != "-" {
				nombre = filepath.Base(ruta)
			}
			b, err := portar.Portar(nombre, []byte(fuente), portar.Opciones{UltimoDigito: digito})
			if err != nil {
				return fmt.Errorf("no se puede portar sin que cambie algo:\n%s", limpiarRenglones(err.Error()))
			}
			_, err = o.salida.Write(b)
			return err
		},
	}
	c.Flags().BoolVar(&digito, "ultimo-digito", false, "acepta funciones de math cuyo último dígito puede no ser el mismo")
	return c
}

// limpiarRenglones is limpio for a text of several lines.
func limpiarRenglones(s string) string {
	renglones := strings.Split(s, "\n")
	for i, r := range renglones {
		renglones[i] = limpio(r)
	}
	return strings.Join(renglones, "\n")
}
