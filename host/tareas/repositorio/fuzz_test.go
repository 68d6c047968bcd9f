package repositorio

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// abierto returns a repository whose directory is dir.
func abierto(t testing.TB, dir string) *Repositorio {
	t.Helper()
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { raiz.Close() })
	l := lector.DeRaiz(raiz)
	return &Repositorio{gitdir: l, comun: l}
}

// FuzzIndice reads any bytes as an index: an error or entries, never a crash.
func FuzzIndice(f *testing.F) {
	f.Add([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00"), false)
	f.Add(append([]byte("DIRC\x00\x00\x00\x04\x00\x00\x00\x01"), bytes.Repeat([]byte{0x80}, 120)...), true)
	f.Add(append([]byte("DIRC\x00\x00\x00\x02\x00\x00\x00\x00link\x00\x00\x00\x14"), make([]byte, 60)...), false)
	f.Fuzz(func(t *testing.T, datos []byte, sha256 bool) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "index"), datos, 0o644); err != nil {
			t.Fatal(err)
		}
		i, err := abierto(t, dir).leerIndice(ajustes{sha256: sha256})
		if (i == nil) == (err == nil) {
			t.Fatalf("%v %v", i, err)
		}
		if i != nil {
			for ruta := range i.porRuta {
				i.normal(ruta)
				i.conflicto(ruta)
			}
		}
	})
}

// FuzzPatron reads any bytes as ignore rules and attributes, and asks for any
// path: an answer, never a crash.
func FuzzPatron(f *testing.F) {
	f.Add([]byte("*.log\n!a/**/b\n[[:alpha:]-z]?\\ \n"), "a/b/c.log")
	f.Add([]byte("[a-\n[]\n\\\n/\n!\n//\n**\n"), "x")
	f.Add([]byte("*.txt text eol=crlf -x !y\n[attr]z\n\"q\" a\n"), "a.txt")
	f.Fuzz(func(t *testing.T, datos []byte, ruta string) {
		for _, p := range leerPatrones(datos, "", len(ruta)%2 == 0) {
			p.casa(ruta, true)
			p.casa(ruta, false)
		}
		for _, r := range leerAtributos(datos, "", false).reglas {
			r.patron.casa(ruta, false)
			for _, palabra := range r.palabras {
				poner(map[string]string{}, palabra)
			}
		}
	})
}

// FuzzConfiguracion reads any bytes as a repository's configuration.
func FuzzConfiguracion(f *testing.F) {
	f.Add([]byte("[core]\n\trepositoryformatversion = 1\n\tautocrlf = input\n[extensions]\n\tobjectformat = sha256\n\tworktreeConfig\n"))
	f.Add([]byte("[include]\npath = x\n[core]\nbare\n"))
	f.Fuzz(func(t *testing.T, datos []byte) {
		dir := t.TempDir()
		for _, n := range []string{"config", "config.worktree"} {
			if err := os.WriteFile(filepath.Join(dir, n), datos, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		abierto(t, dir).leerAjustes()
	})
}
