package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
	"github.com/oracle-mcp/oracle-mcp/host/encierro"
	"github.com/oracle-mcp/oracle-mcp/mcp"
	servidor "github.com/oracle-mcp/oracle-mcp/mcp/docugraph"
)

const version = "0.1.0"

// Exit codes (especificacion/codigos.md §4).
const (
	salidaBien         = 0
	salidaMal          = 1
	salidaError        = 2
	salidaInterrumpida = 130
)

// mundo is everything outside the program that it may touch.
type mundo struct {
	entrada io.Reader
	salida  io.Writer
	errores io.Writer
	entorno func(string) string
}

// orden is one run of the program.
type orden struct {
	mundo
	workspace string
	encierro  string
	codigo    int // what the run ends with when no error does
}

// ejecutar runs the program with its arguments and returns its exit code.
func ejecutar(ctx context.Context, args []string, m mundo) int {
	o := &orden{mundo: m}
	raiz := o.raiz()
	raiz.SetArgs(args)
	err := raiz.ExecuteContext(ctx)
	switch {
	case err == nil:
		return o.codigo
	case ctx.Err() != nil:
		fmt.Fprintln(m.errores, "interrumpido")
		return salidaInterrumpida
	case errors.Is(err, mcp.ErrSalidaSinApagado):
		return salidaMal
	}
	fmt.Fprintln(m.errores, err)
	return salidaError
}

// uso is a command line that cannot be understood.
func uso(c *cobra.Command, formato string, args ...any) error {
	return fmt.Errorf("%s\nMirá «%s --help».", fmt.Sprintf(formato, args...), c.CommandPath())
}

// raiz builds the command line. Without a subcommand the program is the server.
func (o *orden) raiz() *cobra.Command {
	c := &cobra.Command{
		Use:   "docugraph-mcp",
		Short: "Contexto y trazabilidad de un árbol de Markdown: servidor MCP y línea de órdenes",
		Long: `Contexto y trazabilidad de un árbol de documentos Markdown con frontmatter YAML.

Sin subcomando es el servidor: carga el árbol, y después habla MCP por la entrada y la salida
estándar. Con un subcomando contesta lo mismo para una persona o un CI. Sólo lee.`,
		Example:       "  docugraph-mcp --workspace docs\n  docugraph-mcp validar --workspace docs\n  docugraph-mcp grafo --html --workspace docs > grafo.html",
		Version:       version,
		Args:          sinOrden,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(c *cobra.Command, _ []string) error {
			e, err := o.cargar(c)
			if err != nil {
				return err
			}
			defer e.Close()
			registro := slog.New(slog.NewTextHandler(o.errores, nil))
			return servidor.Servidor(version, e).Servir(c.Context(), o.entrada, o.salida, registro)
		},
	}
	c.SetOut(o.salida)
	c.SetErr(o.errores)
	c.CompletionOptions.DisableDefaultCmd = true
	c.SetHelpCommand(&cobra.Command{Use: "ayuda", Hidden: true, Args: cobra.ArbitraryArgs, RunE: func(_ *cobra.Command, args []string) error {
		cual, _, err := c.Find(args)
		if err != nil {
			return uso(c, "no hay ninguna orden %q", strings.Join(args, " "))
		}
		return cual.Help()
	}})
	c.SetUsageTemplate(plantillaDeUso)
	c.SetHelpTemplate("{{with (or .Long .Short)}}{{.}}\n\n{{end}}{{.UsageString}}")
	c.SetVersionTemplate("docugraph-mcp {{.Version}}\n")
	c.SetFlagErrorFunc(errorDeBandera)
	c.PersistentFlags().StringVar(&o.workspace, "workspace", "", "`directorio` con los documentos (si no: DOCUGRAPH_WORKSPACE)")
	c.PersistentFlags().StringVar(&o.encierro, "encierro", encierro.Automatico.String(), "encierro del proceso antes de leer: `modo` auto, estricto o no")
	c.PersistentFlags().BoolP("help", "h", false, "muestra esta ayuda")
	c.Flags().BoolP("version", "v", false, "muestra la versión")
	c.AddCommand(o.validar(), o.contexto(), o.grafo(), o.hechos())
	for _, orden := range append(c.Commands(), c) {
		orden.DisableFlagsInUseLine = true
		orden.Flags().VisitAll(decirOmision)
	}
	c.PersistentFlags().VisitAll(decirOmision)
	return c
}

// decirOmision moves a flag's default from pflag's words to ours.
func decirOmision(f *pflag.Flag) {
	switch f.Value.Type() {
	case "string":
		if f.DefValue != "" {
			f.Usage, f.DefValue = f.Usage+" (por omisión, "+f.DefValue+")", ""
		}
	case "int":
		f.Usage, f.DefValue = f.Usage+" (por omisión, "+f.DefValue+")", "0"
	}
}

const plantillaDeUso = `Uso:
  {{.UseLine}}{{if .HasAvailableSubCommands}}
  {{.CommandPath}} [orden]

Órdenes:{{range .Commands}}{{if .IsAvailableCommand}}
  {{rpad .Name .NamePadding}} {{.Short}}{{end}}{{end}}{{end}}{{if .HasAvailableLocalFlags}}

Opciones:
{{.LocalFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasAvailableInheritedFlags}}

Opciones generales:
{{.InheritedFlags.FlagUsages | trimTrailingWhitespaces}}{{end}}{{if .HasExample}}

Por ejemplo:
{{.Example}}{{end}}
`

func sinOrden(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return uso(c, "no hay ninguna orden %q", args[0])
	}
	return nil
}

// errorDeBandera says in Spanish what is wrong with a flag.
func errorDeBandera(c *cobra.Command, err error) error {
	var noExiste *pflag.NotExistError
	var sinValor *pflag.ValueRequiredError
	var invalido *pflag.InvalidValueError
	switch {
	case errors.As(err, &noExiste):
		return uso(c, "no hay ninguna opción %q", noExiste.GetSpecifiedName())
	case errors.As(err, &sinValor):
		return uso(c, "la opción %q lleva un valor", sinValor.GetSpecifiedName())
	case errors.As(err, &invalido):
		return uso(c, "la opción --%s no admite %q", invalido.GetFlag().Name, invalido.GetValue())
	}
	return uso(c, "opción mal escrita")
}

func sinArgumentos(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		return uso(c, "sobra %q", args[0])
	}
	return nil
}

// cargar opens the workspace, confines the process to it and reads all of it.
func (o *orden) cargar(c *cobra.Command) (*docugraph.Espacio, error) {
	ruta := o.workspace
	if ruta == "" {
		ruta = o.entorno("DOCUGRAPH_WORKSPACE")
	}
	if ruta == "" {
		return nil, uso(c, "falta el workspace: --workspace directorio, o DOCUGRAPH_WORKSPACE")
	}
	e, err := docugraph.AbrirEspacio(ruta, docugraph.Limites{})
	if err != nil {
		return nil, err
	}
	if err := o.encerrar(e); err != nil {
		e.Close()
		return nil, err
	}
	if err := e.Cargar(c.Context()); err != nil {
		e.Close()
		return nil, err
	}
	return e, nil
}

// encerrar leaves the process able to read the workspace and nothing else (especificacion/seguridad.md §1). It cannot be undone.
func (o *orden) encerrar(e *docugraph.Espacio) error {
	modo, err := encierro.LeerModo(o.encierro)
	if err != nil {
		return err
	}
	estado, err := encierro.Aplicar(encierro.Opciones{Modo: modo, Raices: []string{e.Ruta()}})
	if err != nil {
		return err
	}
	if estado.Aviso != "" {
		_, err = fmt.Fprintln(o.errores, estado.Aviso)
	}
	return err
}

// escribirJSON writes a result on one line.
func (o *orden) escribirJSON(v any) error {
	b, err := docugraph.JSON(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(o.salida, "%s\n", b)
	return err
}
