package caja_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/oracle-mcp/oracle-mcp/algebra",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/estrella",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/hijo",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja/nucleo",
		"golang.org/x/sys/unix",
	)
}
