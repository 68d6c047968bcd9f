package docugraph_test

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

func TestSinPermiso(t *testing.T) {
	dir := t.TempDir()
	escribir(t, dir, []string{"a.md", "d/b.md", "z.md"}, map[string]string{
		"a.md": "---\nid: A\n---\n", "d/b.md": "---\nid: B\n---\n", "z.md": "---\nid: Z\n---\n",
	})
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer raiz.Close()
	for _, p := range []string{"a.md", "d"} {
		if err := os.Chmod(filepath.Join(dir, p), 0); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(filepath.Join(dir, p), 0o755)
	}
	if os.Geteuid() == 0 {
		// Root may read anything; on this thread alone, files are opened as somebody else.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		if _, _, e := syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0); e != 0 {
			t.Fatal(e)
		}
		defer syscall.RawSyscall(syscall.SYS_SETFSUID, 0, 0, 0)
	}
	a, err := docugraph.Cargar(t.Context(), raiz, docugraph.Limites{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff("a.md:1: FILE_UNREADABLE\nd:1: FILE_UNREADABLE\n", lugares(a.Informe(""))); d != "" {
		t.Errorf("(-esperado +obtenido):\n%s", d)
	}
}
