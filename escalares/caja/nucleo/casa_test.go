package nucleo_test

import (
	"testing"

	"github.com/oracle-mcp/oracle-mcp/fixtures/casa"
)

func TestDependencias(t *testing.T) {
	casa.Dependencias(t,
		"github.com/elastic/go-seccomp-bpf",
		"github.com/elastic/go-seccomp-bpf/arch",
		"github.com/landlock-lsm/go-landlock/landlock",
		"github.com/landlock-lsm/go-landlock/landlock/syscall",
		"golang.org/x/sys/unix",
	)
}
