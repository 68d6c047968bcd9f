package lector_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestImportaciones(t *testing.T) { casa.Dependencias(t) }
