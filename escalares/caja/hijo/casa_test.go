package hijo_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"go.starlark.net/starlark",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/estrella",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/nucleo",
	)
}
