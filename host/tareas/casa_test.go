package tareas_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestImportaciones(t *testing.T) {
	casa.Dependencias(t,
		"github.com/go-json-experiment/json",
		"github.com/oracle-mcp/oracle-mcp/host/rechazo",
		"github.com/oracle-mcp/oracle-mcp/host/tareas/lector",
		"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio",
		"github.com/yuin/goldmark/ast",
		"github.com/yuin/goldmark/parser",
		"github.com/yuin/goldmark/text",
		"github.com/yuin/goldmark/util",
		"golang.org/x/text/cases",
	)
}
