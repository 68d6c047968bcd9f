package main

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/spf13/cobra"
)

// tareas builds «oracle-mcp tareas», with a subcommand for each action.
func (o *orden) tareas() *cobra.Command {
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "tareas",
		Short:                 "Lee el tracker tareas/ del proyecto: listar, ver, buscar, hechos",
		RunE: func(c *cobra.Command, args []string) error {
			return uso(c, "hace falta una acción: listar, ver, buscar o hechos")
		},
	}
	c.PersistentFlags().BoolVar(&o.json, "json", false, "contesta el objeto de oracle_tareas")
	c.AddCommand(o.tareasListar(), o.tareasVer(), o.tareasBuscar(), o.tareasHechos())
	return c
}

func (o *orden) tareasListar() *cobra.Command {
	var estado, etiqueta string
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "listar",
		Short:                 "Lista las tareas abiertas, o las del estado que se pida",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return uso(c, "no lleva argumentos")
			}
			q := tareas.Consulta{Accion: tareas.AccionListar}
			if c.Flags().Changed("estado") {
				e := tareas.Estado(strings.ToUpper(estado))
				if e != tareas.Abierta && e != tareas.Cerrada {
					return host.ErrArgumentos("--estado", estado, "ABIERTA o CERRADA", "elegí uno de los dos.")
				}
				q.Estado = &e
			}
			if c.Flags().Changed("etiqueta") {
				q.Etiqueta = &etiqueta
			}
			return o.consultarTareas(c, q)
		},
	}
	c.Flags().StringVar(&estado, "estado", "", "sólo las de un `estado`: ABIERTA o CERRADA")
	c.Flags().StringVar(&etiqueta, "etiqueta", "", "sólo las que llevan esa `etiqueta`, exacta")
	return c
}

func (o *orden) tareasVer() *cobra.Command {
	return &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "ver id",
		Short:                 "Muestra una tarea entera, con sus notas, por su id, un prefijo o un sufijo",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return uso(c, "lleva el id de una tarea")
			}
			return o.consultarTareas(c, tareas.Consulta{Accion: tareas.AccionVer, ID: &args[0]})
		},
	}
}

func (o *orden) tareasBuscar() *cobra.Command {
	return &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "buscar texto",
		Short:                 "Busca un texto, sin distinguir mayúsculas, en tareas y notas",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return uso(c, "lleva un solo texto (entre comillas, si tiene espacios)")
			}
			return o.consultarTareas(c, tareas.Consulta{Accion: tareas.AccionBuscar, Texto: &args[0]})
		},
	}
}

func (o *orden) tareasHechos() *cobra.Command {
	var git bool
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "hechos",
		Short:                 "Extrae los hechos del tracker como evidencia",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) > 0 {
				return uso(c, "no lleva argumentos")
			}
			return o.consultarTareas(c, tareas.Consulta{Accion: tareas.AccionHechos, Git: &git})
		},
	}
	c.Flags().BoolVar(&git, "git", false, "mira también qué sabe Git de los archivos")
	return c
}

// consultarTareas answers one consultation.
func (o *orden) consultarTareas(c *cobra.Command, q tareas.Consulta) error {
	p, err := o.abrirLibre()
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.AbrirGit(); err != nil {
		return err
	}
	if err := o.encerrar(p); err != nil {
		return err
	}
	t, err := p.Tareas(c.Context(), q)
	if err != nil {
		return err
	}
	if o.json {
		_, err = fmt.Fprintf(o.salida, "%s\n", t.AppendJSON(nil))
		return err
	}
	return tareas.Imprimir(o.salida, t.Resultado)
}
