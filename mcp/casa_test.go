package mcp_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/modelcontextprotocol/go-sdk/jsonrpc",
		"github.com/modelcontextprotocol/go-sdk/mcp",
		"golang.org/x/sync/semaphore",
		"github.com/oracle-mcp/oracle-mcp/algebra",
		"github.com/oracle-mcp/oracle-mcp/host",
		"github.com/oracle-mcp/oracle-mcp/host/rechazo",
		"github.com/oracle-mcp/oracle-mcp/host/tareas",
		"github.com/oracle-mcp/oracle-mcp/mcp/contrato",
		"github.com/oracle-mcp/oracle-mcp/mcp/crudo",
		"github.com/oracle-mcp/oracle-mcp/mcp/transporte",
	)
}
