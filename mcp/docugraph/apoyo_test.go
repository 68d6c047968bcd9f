package docugraph_test

import (
	"bufio"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// lector reads the answers of a server.
type lector struct{ r *bufio.Reader }

func nuevoLector(r io.Reader) *lector { return &lector{bufio.NewReaderSize(r, 1<<20)} }

func (l *lector) linea(t testing.TB) string {
	t.Helper()
	s, err := l.r.ReadString('\n')
	if err != nil {
		t.Fatalf("no answer: %q, %v", s, err)
	}
	return s
}

func (l *lector) resto(t testing.TB) string {
	t.Helper()
	b, err := io.ReadAll(l.r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// retrato maps each entry below dir to its mode, its time and its bytes.
func retrato(t testing.TB, dir string) map[string]string {
	t.Helper()
	r := map[string]string{}
	err := filepath.WalkDir(dir, func(ruta string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		datos := []byte{}
		if info.Mode().IsRegular() {
			datos, err = os.ReadFile(ruta)
		}
		r[ruta] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), string(datos))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
