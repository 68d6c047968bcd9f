//go:build !race

package mcp_test

import "github.com/oracle-mcp/oracle-mcp/escalares/caja"

const vecesLaMemoria = 1

// encierroDeCaja is how the boxes of the server in this process are confined.
const encierroDeCaja = caja.EncierroExigido
