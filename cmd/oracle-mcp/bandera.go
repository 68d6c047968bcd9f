package main

import (
	"errors"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// errorDeBandera says in Spanish what is wrong with a flag.
func errorDeBandera(c *cobra.Command, err error) error {
	var noExiste *pflag.NotExistError
	var faltaValor *pflag.ValueRequiredError
	var valor *pflag.InvalidValueError
	var sintaxis *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &noExiste):
		return uso(c, "no hay ninguna opción «%s»", algebra.Citar(noExiste.GetSpecifiedName()))
	case errors.As(err, &faltaValor):
		return uso(c, "la opción «%s» lleva un valor", algebra.Citar(faltaValor.GetSpecifiedName()))
	case errors.As(err, &valor):
		return uso(c, "la opción «--%s» no admite «%s»", algebra.Citar(valor.GetFlag().Name), algebra.Citar(valor.GetValue()))
	case errors.As(err, &sintaxis):
		return uso(c, "opción mal escrita: «%s»", algebra.Citar(sintaxis.GetSpecifiedFlag()))
	default:
		return uso(c, "opción inválida: %s", algebra.Citar(err.Error()))
	}
}
