package host_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/oracle-mcp/oracle-mcp/algebra",
		"github.com/oracle-mcp/oracle-mcp/algebra/macro",
		"github.com/oracle-mcp/oracle-mcp/algebra/mutacion",
		"github.com/oracle-mcp/oracle-mcp/algebra/superficie",
		"github.com/oracle-mcp/oracle-mcp/escalares",
		"github.com/oracle-mcp/oracle-mcp/escalares/caja",
		"github.com/oracle-mcp/oracle-mcp/host/arbol",
		"github.com/oracle-mcp/oracle-mcp/host/base",
		"github.com/oracle-mcp/oracle-mcp/host/corpus",
		"github.com/oracle-mcp/oracle-mcp/host/diferencial",
		"github.com/oracle-mcp/oracle-mcp/host/estricto",
		"github.com/oracle-mcp/oracle-mcp/host/hechos",
		"github.com/oracle-mcp/oracle-mcp/host/rechazo",
		"github.com/oracle-mcp/oracle-mcp/host/relaciones",
		"github.com/oracle-mcp/oracle-mcp/host/tareas",
		"github.com/oracle-mcp/oracle-mcp/host/tareas/lector",
		"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio",
		"github.com/pelletier/go-toml/v2",
	)
}
