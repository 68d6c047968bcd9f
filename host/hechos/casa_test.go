package hechos_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/oracle-mcp/oracle-mcp/algebra",
		"github.com/oracle-mcp/oracle-mcp/host/relaciones",
	)
}
