package corpus_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/go-json-experiment/json/jsontext",
		"github.com/oracle-mcp/oracle-mcp/algebra",
		"github.com/oracle-mcp/oracle-mcp/algebra/superficie",
		"github.com/oracle-mcp/oracle-mcp/host/estricto",
	)
}
