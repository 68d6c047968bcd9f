// Command docugraph-mcp answers about the traceability of a tree of Markdown: it serves it over MCP on stdio and, with a
// subcommand, answers a person or a CI.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, parar := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	codigo := ejecutar(ctx, os.Args[1:], mundo{entrada: os.Stdin, salida: os.Stdout, errores: os.Stderr, entorno: os.Getenv})
	parar()
	os.Exit(codigo)
}
