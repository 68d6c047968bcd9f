package contrato_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

// No JSON Schema validator: those are for the tests.
func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/oracle-mcp/oracle-mcp/host/rechazo",
		"github.com/oracle-mcp/oracle-mcp/mcp/crudo",
	)
}
