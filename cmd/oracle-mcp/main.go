// Command oracle-mcp judges evidence with a project's measures: it serves them
// over MCP on stdio and, with a subcommand, answers a person or a CI.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
)

func main() {
	caja.SiSoyCaja() // and then it never returns
	ctx, parar := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	codigo := ejecutar(ctx, os.Args[1:], mundo{
		entrada: os.Stdin, salida: os.Stdout, errores: os.Stderr, entorno: os.Getenv,
	})
	parar()
	os.Exit(codigo)
}
