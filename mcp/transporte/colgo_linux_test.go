package transporte

import (
	"os"
	"strings"
	"testing"
)

func TestColgo(t *testing.T) {
	if colgo(strings.NewReader("")) != nil {
		t.Error("a reader without descriptor can be asked")
	}
	lee, escribe, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer lee.Close()
	pregunta := colgo(lee)
	if _, err := escribe.WriteString("algo sin leer"); err != nil {
		t.Fatal(err)
	}
	if pregunta() {
		t.Error("the other end is open")
	}
	_ = escribe.Close()
	if !pregunta() {
		t.Error("the other end is closed")
	}
	_ = lee.Close()
	if pregunta() {
		t.Error("a descriptor that is closed here says nothing of the other end")
	}
}
