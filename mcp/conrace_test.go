//go:build race

package mcp_test

import "github.com/oracle-mcp/oracle-mcp/escalares/caja"

// The race detector multiplies what a program keeps: the bound is on the program.
const vecesLaMemoria = 3

// The race detector's runtime needs what a confined box gave up.
const encierroDeCaja = caja.EncierroApagado
