//go:build !race

package caja_test

import "github.com/oracle-mcp/oracle-mcp/escalares/caja"

const encierro = caja.EncierroExigido
