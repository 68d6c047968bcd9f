package docugraph_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/go-json-experiment/json",
		"github.com/yuin/goldmark/ast",
		"github.com/yuin/goldmark/extension",
		"github.com/yuin/goldmark/extension/ast",
		"github.com/yuin/goldmark/parser",
		"github.com/yuin/goldmark/text",
		"github.com/yuin/goldmark/util",
		"go.yaml.in/yaml/v3",
	)
}
