package transporte_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

// The gate knows nothing of measures: neither host nor algebra is here.
func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/go-json-experiment/json/jsontext",
		"github.com/modelcontextprotocol/go-sdk/jsonrpc",
		"github.com/modelcontextprotocol/go-sdk/mcp",
		"golang.org/x/sys/unix",
		"github.com/oracle-mcp/oracle-mcp/mcp/crudo",
	)
}
