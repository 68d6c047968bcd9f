package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/encierro"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/mcp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"
)

// version is what answers publish as oracle_version.
const version = "0.1.0"

// Exit codes (codigos §4).
const (
	salidaBien         = 0
	salidaMal          = 1
	salidaError        = 2
	salidaSinEvidencia = 3
	salidaInterrumpida = 130
)

// mundo is everything outside the program that it may touch.
type mundo struct {
	entrada *os.File
	salida  io.Writer
	errores io.Writer
	entorno func(string) string

	// Whether each output is a terminal is looked at before the process is
	// confined, since afterwards it cannot ask.
	color bool // salida is one, and may be coloured
	barra bool // errores is one, and may show progress
}

// mirar tells what each output is.
func (m *mundo) mirar() {
	terminal := func(w io.Writer) bool {
		f, ok := w.(*os.File)
		return ok && term.IsTerminal(int(f.Fd())) && m.entorno("TERM") != "dumb"
	}
	m.color = terminal(m.salida) && m.entorno("NO_COLOR") == ""
	m.barra = terminal(m.errores)
}

// orden is one run of the program.
type orden struct {
	mundo
	arranque
	estado encierro.Estado // of the process, once confined
	json   bool
	codigo int // what the run ends with when no error does
}

// ejecutar runs the program with its arguments and returns its exit code.
func ejecutar(ctx context.Context, args []string, m mundo) int {
	m.mirar()
	o := &orden{mundo: m}
	raiz := o.raiz()
	raiz.SetArgs(args)
	o.json = slices.Contains(args, "--json") // also for a line that is not understood
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
	o.informar(err)
	return salidaError
}

// codificado is an error with one of the contract's codes.
type codificado interface {
	error
	Codigo() string
}

// informar writes an error where the caller looks for it.
func (o *orden) informar(err error) {
	var dominio codificado
	var uso *errorDeUso
	if o.json {
		codigo, mensaje := string(host.EvaluacionFallo), err.Error()
		if errors.As(err, &uso) {
			dominio = uso.rechazo()
		} else if errors.Is(err, host.ErrSinProyecto) {
			dominio = host.NuevoError(host.ProyectoInvalido, err.Error()+".", rechazo.Remedio{Campo: "--proyecto", Correccion: "nombrá la raíz del proyecto, un directorio con catalogos/."})
		}
		if dominio != nil || errors.As(err, &dominio) {
			codigo, mensaje = dominio.Codigo(), strings.TrimPrefix(dominio.Error(), dominio.Codigo()+" — ")
		}
		b := algebra.AppendTexto([]byte(`{"codigo":`), codigo)
		b = algebra.AppendTexto(append(b, `,"mensaje":`...), mensaje)
		fmt.Fprintf(o.salida, "%s}\n", b)
		return
	}
	fmt.Fprintln(o.errores, err)
	if errors.As(err, &uso) && uso.ayuda != "" {
		fmt.Fprintln(o.errores, uso.ayuda)
	}
}

// errorDeUso is a command line that cannot be understood.
type errorDeUso struct{ motivo, ayuda string }

func (e *errorDeUso) Error() string { return e.motivo }

// rechazo is the same in the contract's words: the field, what came, what was
// expected and how to mend it.
func (e *errorDeUso) rechazo() *host.Error {
	const campo = "la línea de órdenes"
	correccion := "corregí la orden; «oracle-mcp --help» dice cómo se escribe."
	if e.ayuda != "" {
		correccion = e.ayuda
	}
	return host.NuevoError(host.ArgumentosInvalidos, fmt.Sprintf("%s: %s; se esperaba una orden bien escrita.", campo, e.motivo),
		rechazo.Remedio{Campo: campo, Correccion: correccion})
}

func uso(c *cobra.Command, formato string, args ...any) error {
	return &errorDeUso{fmt.Sprintf(formato, args...), fmt.Sprintf("Mirá «%s --help».", c.CommandPath())}
}

// raiz builds the command line. Without a subcommand the program is the server.
func (o *orden) raiz() *cobra.Command {
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "oracle-mcp",
		Short:                 "Juzga evidencia con las medidas de un proyecto: servidor MCP y línea de órdenes",
		Long: `Juzga evidencia con las medidas de un proyecto.

Sin subcomando es el servidor: habla MCP por la entrada y la salida estándar, para un
proyecto fijado al arrancar, y sólo lee. Con un subcomando contesta lo mismo para una
persona o un CI.`,
		Version: version,
		RunE:    o.servir,
	}
	o.vestir(c)
	o.banderas(c.PersistentFlags())
	c.AddCommand(o.evaluar(), o.desafiar(), o.juzgar(), o.verificar(), o.catalogo(), o.hechos(), o.formatear(), o.iniciar(), o.diagnostico(), o.tareas(), o.escalares())
	return c
}

// vestir puts cobra in Spanish and leaves errors to us.
func (o *orden) vestir(c *cobra.Command) {
	c.SilenceErrors, c.SilenceUsage = true, true
	c.SetOut(o.salida)
	c.SetErr(o.errores)
	c.CompletionOptions.DisableDefaultCmd = true
	c.SetHelpCommand(&cobra.Command{Use: "ayuda [orden]", Aliases: []string{"help"}, Short: "Muestra la ayuda de una orden", Hidden: true, RunE: func(h *cobra.Command, args []string) error {
		cual, _, err := c.Find(args)
		if err != nil || cual == nil {
			return uso(c, "no hay ninguna orden «%s»", algebra.Citar(strings.Join(args, " ")))
		}
		return cual.Help()
	}})
	c.SetUsageFunc(comoSeUsa)
	c.SetHelpTemplate("{{with (or .Long .Short)}}{{.}}\n\n{{end}}{{.UsageString}}")
	c.SetVersionTemplate("oracle-mcp {{.Version}}\n")
	c.SetFlagErrorFunc(errorDeBandera)
	c.PersistentFlags().BoolP("help", "h", false, "muestra esta ayuda")
	c.Flags().BoolP("version", "v", false, "muestra la versión")
	c.Args = func(c *cobra.Command, args []string) error {
		if len(args) > 0 {
			return uso(c, "no hay ninguna orden «%s»", algebra.Citar(args[0]))
		}
		return nil
	}
}

// comoSeUsa writes how an order is used.
func comoSeUsa(c *cobra.Command) error {
	w := c.OutOrStderr()
	fmt.Fprintln(w, "Uso:")
	if c.Runnable() {
		fmt.Fprintf(w, "  %s\n", c.UseLine())
	}
	if c.HasAvailableSubCommands() {
		fmt.Fprintf(w, "  %s [orden]\n\nÓrdenes:\n", c.CommandPath())
		for _, h := range c.Commands() {
			if h.IsAvailableCommand() {
				fmt.Fprintf(w, "  %-*s %s\n", h.NamePadding(), h.Name(), h.Short)
			}
		}
	}
	banderas := func(titulo string, f *pflag.FlagSet) {
		if f.HasAvailableFlags() {
			fmt.Fprintf(w, "\n%s:\n%s", titulo, strings.ReplaceAll(f.FlagUsages(), "(default ", "(por omisión "))
		}
	}
	banderas("Opciones", c.LocalFlags())
	banderas("Opciones generales", c.InheritedFlags())
	if c.HasExample() {
		fmt.Fprintf(w, "\nPor ejemplo:\n%s\n", c.Example)
	}
	return nil
}

// servir is the server.
func (o *orden) servir(c *cobra.Command, _ []string) error {
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
	techo, err := leerTamano(o.memoria)
	if err != nil {
		return err
	}
	registro := slog.New(slog.NewTextHandler(o.errores, nil))
	s := mcp.Oracle(version, mcp.Herramientas(p)...)
	return mcp.ConMemoria(s, techo, p.Limites().MemoriaDeOperacion).Servir(c.Context(), o.entrada, o.salida, registro)
}
