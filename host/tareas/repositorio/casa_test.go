package repositorio

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestImportaciones(t *testing.T) {
	casa.Dependencias(t,
		"github.com/go-git/go-billy/v6",
		"github.com/go-git/go-git/v6/plumbing",
		"github.com/go-git/go-git/v6/plumbing/cache",
		"github.com/go-git/go-git/v6/plumbing/filemode",
		"github.com/go-git/go-git/v6/plumbing/format/config",
		"github.com/go-git/go-git/v6/plumbing/format/index",
		"github.com/go-git/go-git/v6/plumbing/storer",
		"github.com/go-git/go-git/v6/storage/filesystem",
		"github.com/go-git/go-git/v6/storage/filesystem/dotgit",
		"github.com/oracle-mcp/oracle-mcp/host/tareas/lector",
	)
}
