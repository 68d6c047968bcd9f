package algebra_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/expr-lang/expr/ast",
		"github.com/expr-lang/expr/builtin",
		"github.com/expr-lang/expr/compiler",
		"github.com/expr-lang/expr/conf",
		"github.com/expr-lang/expr/parser",
		"github.com/expr-lang/expr/vm",
		"github.com/go-json-experiment/json/jsontext",
	)
}
