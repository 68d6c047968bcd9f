//go:build race

package host_test

import "github.com/oracle-mcp/oracle-mcp/escalares/caja"

// The race detector's runtime needs what a confined box gave up.
const cajaDePrueba = caja.EncierroApagado
