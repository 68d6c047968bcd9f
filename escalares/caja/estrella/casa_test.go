package estrella_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"go.starlark.net/lib/math",
		"go.starlark.net/resolve",
		"go.starlark.net/starlark",
		"go.starlark.net/syntax",
	)
}
