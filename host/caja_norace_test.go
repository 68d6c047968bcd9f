//go:build !race

package host_test

import "github.com/oracle-mcp/oracle-mcp/escalares/caja"

const cajaDePrueba = caja.EncierroExigido
