package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// inicio is the smallest whole project: a measure, its relation, a case of each
// polarity and an evidence to try.
//
//go:embed all:inicio
var inicio embed.FS

// iniciar builds «oracle-mcp iniciar».
func (o *orden) iniciar() *cobra.Command {
	return &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "iniciar [directorio]",
		Short:                 "Arma un proyecto de ejemplo en un directorio vacío",
		Long: `Arma un proyecto chico y entero en un directorio vacío, o que no existe todavía: una
medida, su relación, un caso de cada polaridad y una evidencia para probar.`,
		RunE: func(c *cobra.Command, args []string) error {
			destino := "."
			switch len(args) {
			case 0:
			case 1:
				destino = args[0]
			default:
				return uso(c, "lleva un solo directorio")
			}
			if err := sembrar(destino); err != nil {
				return err
			}
			if !host.Pegable(destino) {
				_, err := fmt.Fprintf(o.salida, "Proyecto armado en %s. Probalo así, parado en ese directorio:\n\n  oracle-mcp evaluar stock.sin_negativos --con evidencia/ejemplo.json\n", limpio(destino))
				return err
			}
			_, err := fmt.Fprintf(o.salida, "Proyecto armado en %s. Probalo así:\n\n  oracle-mcp evaluar --proyecto %s stock.sin_negativos --con %s\n",
				limpio(destino), limpio(destino), limpio(filepath.Join(destino, "evidencia", "ejemplo.json")))
			return err
		},
	}
}

// sembrar writes the project into a directory that has to be empty.
func sembrar(destino string) error {
	entradas, err := os.ReadDir(destino)
	if err != nil && !errors.Is(err, fs.ErrNotExist) || len(entradas) > 0 {
		return host.ErrArgumentos("directorio", destino, "un directorio vacío, o que no exista", "nombrá otro: acá no se pisa nada.")
	}
	return fs.WalkDir(inicio, "inicio", func(ruta string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel("inicio", filepath.FromSlash(ruta))
		if err != nil {
			return err
		}
		lugar := filepath.Join(destino, rel)
		if d.IsDir() {
			err = os.MkdirAll(lugar, 0o755)
		} else {
			var b []byte
			if b, err = inicio.ReadFile(path.Clean(ruta)); err == nil {
				err = os.WriteFile(lugar, b, 0o644)
			}
		}
		if err != nil {
			return fmt.Errorf("no se puede escribir %s: %w", algebra.Citar(lugar), err)
		}
		return nil
	})
}
