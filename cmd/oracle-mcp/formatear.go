package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/spf13/cobra"
)

// formatear builds «oracle-mcp formatear».
func (o *orden) formatear() *cobra.Command {
	var escribir, comprobar bool
	c := &cobra.Command{
		DisableFlagsInUseLine: true,
		Use:                   "formatear archivo…",
		Short:                 "Imprime la forma única de archivos .oracle, .caso y .relacion",
		Long: `Imprime la forma única de archivos .oracle, .caso y .relacion; no toca comentarios ni
expande macros. Con --escribir los reescribe en su lugar; con --comprobar sólo dice cuáles
no están en ella, y sale 1 si hay alguno.`,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return uso(c, "falta el archivo")
			}
			if escribir && comprobar {
				return uso(c, "--escribir y --comprobar no van juntas")
			}
			// Read before the process is confined to the project; confined only
			// when it is not going to write.
			textos := make([][]byte, len(args))
			for i, ruta := range args {
				t, err := o.leerTexto("archivo", ruta)
				if err != nil {
					return err
				}
				textos[i] = []byte(t)
			}
			p, err := o.abrirLibre()
			if err != nil && !errors.Is(err, host.ErrSinProyecto) {
				return err
			}
			if p != nil {
				defer p.Close()
				if !escribir {
					if err := o.encerrar(p); err != nil {
						return err
					}
				}
			}
			salidas := make([][]byte, len(args))
			for i, ruta := range args {
				salidas[i], err = host.Formatear(c.Context(), p, strings.TrimPrefix(filepath.Ext(ruta), "."), textos[i])
				if err != nil {
					return fmt.Errorf("%s: %w", algebra.Citar(ruta), err)
				}
			}
			for i, ruta := range args {
				if err := o.entregar(ruta, textos[i], salidas[i], escribir, comprobar); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&escribir, "escribir", false, "reescribe los archivos en su lugar")
	c.Flags().BoolVar(&comprobar, "comprobar", false, "no imprime nada más que los nombres de los que cambiarían")
	return c
}

// entregar prints a formatted file, writes it in its place or compares it.
func (o *orden) entregar(ruta string, antes, despues []byte, escribir, comprobar bool) error {
	switch {
	case !escribir && !comprobar:
		_, err := o.salida.Write(despues)
		return err
	case bytes.Equal(antes, despues):
		return nil
	case escribir:
		return reemplazar(ruta, despues)
	default:
		o.codigo = salidaMal
		_, err := fmt.Fprintln(o.salida, limpio(ruta))
		return err
	}
}

// reemplazar writes a file whole or not at all.
func reemplazar(ruta string, b []byte) error {
	info, err := os.Lstat(ruta)
	if err != nil || !info.Mode().IsRegular() {
		return host.ErrArgumentos("archivo", ruta, "un archivo común, no un enlace", "nombrá el archivo mismo.")
	}
	f, err := os.CreateTemp(filepath.Dir(ruta), ".formatear-*")
	if err != nil {
		return fmt.Errorf("%s: no se puede escribir al lado: %w", algebra.Citar(ruta), err)
	}
	defer os.Remove(f.Name())
	if _, err := f.Write(b); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), info.Mode().Perm()); err != nil {
		return err
	}
	return os.Rename(f.Name(), ruta)
}
