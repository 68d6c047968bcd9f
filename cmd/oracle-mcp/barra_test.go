package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestBarra(t *testing.T) {
	for _, c := range []struct {
		hechos, total int
		quiere        string
	}{
		{0, 0, "mutantes ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0/0               "},
		{0, 9, "mutantes ░░░░░░░░░░░░░░░░░░░░░░░░░░░░░░ 0/9               "},
		{5, 10, "mutantes ███████████████░░░░░░░░░░░░░░░ 5/10              "},
		{10, 10, "mutantes ██████████████████████████████ 10/10             "},
	} {
		if got := dibujar("mutantes", c.hechos, c.total); got != c.quiere {
			t.Errorf("%q", got)
		}
	}
	// Where there is no terminal there is no bar, and telling it costs nothing.
	f, err := os.Create(filepath.Join(t.TempDir(), "errores"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b := nuevaBarra(mundo{errores: f, entorno: func(string) string { return "" }}, "mutantes")
	b.avance(1, 2)
	b.cerrar()
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("%v, %v", info, err)
	}
}
