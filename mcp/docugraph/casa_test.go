package docugraph_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/oracle-mcp/oracle-mcp/host/docugraph",
		"github.com/oracle-mcp/oracle-mcp/mcp",
		"github.com/oracle-mcp/oracle-mcp/mcp/crudo",
	)
}
