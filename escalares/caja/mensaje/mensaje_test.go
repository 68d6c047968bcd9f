package mensaje_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

func TestIdaYVuelta(t *testing.T) {
	var e mensaje.Escritor
	c := &mensaje.Cargar{Archivo: "escalares.star", Fuente: []byte("x = 1"), Reservadas: []string{"mas", "y"}, PasosDeCarga: 1, PasosDeFila: 1 << 63, BitsDeEntero: 4096, TamanoDeValor: 1 << 20}
	c.Codificar(&e)
	if got, err := mensaje.LeerCargar(e.Bytes()); err != nil || !cmp.Equal(c, got) {
		t.Error(cmp.Diff(c, got), err)
	}
	e.Reiniciar()
	d := &mensaje.Declarado{Pasos: 7, Externas: []mensaje.Declaracion{{Nombre: "f", Min: 1, Max: -1, Unidad: "cm"}, {Nombre: "g", Min: 2, Max: 2, UnidadesArgumentos: []string{"a", "b"}}}}
	d.Codificar(&e)
	if got, err := mensaje.LeerDeclarado(e.Bytes()); err != nil || !cmp.Equal(d, got) {
		t.Error(cmp.Diff(d, got), err)
	}
	e.Reiniciar()
	f := &mensaje.Fallo{Motivo: "ñ", Linea: 3, Columna: 9}
	f.Codificar(&e)
	if got, err := mensaje.LeerFallo(e.Bytes()); err != nil || !cmp.Equal(f, got) {
		t.Error(cmp.Diff(f, got), err)
	}
	e.Reiniciar()
	r := mensaje.Respuesta{Pasos: []uint64{1, 300}, Fallo: f, PasosFallo: 9}
	r.Codificar(&e)
	l := mensaje.NuevoLector(e.Bytes())
	var got mensaje.Respuesta
	if got.Leer(l); l.Cerrar() != nil || !cmp.Equal(r, got) {
		t.Error(cmp.Diff(r, got), l.Error())
	}
}

func TestTramas(t *testing.T) {
	var b bytes.Buffer
	grande := bytes.Repeat([]byte("x"), 3<<20)
	for _, cuerpo := range [][]byte{nil, []byte("hola"), grande} {
		if err := mensaje.Escribir(&b, mensaje.TipoLlamar, cuerpo); err != nil {
			t.Fatal(err)
		}
	}
	var buf []byte
	for _, quiere := range [][]byte{nil, []byte("hola"), grande} {
		tipo, cuerpo, err := mensaje.Leer(&b, 3<<20, buf)
		if err != nil || tipo != mensaje.TipoLlamar || !bytes.Equal(cuerpo, quiere) {
			t.Fatalf("%v %d bytes %v", tipo, len(cuerpo), err)
		}
		buf = cuerpo
	}
	if _, _, err := mensaje.Leer(&b, 10, nil); err != io.EOF {
		t.Errorf("al final: %v", err)
	}
	for entra, quiere := range map[string]error{
		"\x00":                     io.ErrUnexpectedEOF,
		"\x02\x00\x00\x00\x01a":    io.ErrUnexpectedEOF,
		"\x02\x00\x00\x00\x01":     io.ErrUnexpectedEOF,
		"\x0b\x00\x00\x00\x01aaaa": mensaje.ErrRoto,
		"\xff\xff\xff\xff\x01":     mensaje.ErrRoto,
	} {
		if _, _, err := mensaje.Leer(strings.NewReader(entra), 10, nil); !errors.Is(err, quiere) {
			t.Errorf("%q: %v", entra, err)
		}
	}
}

// FuzzLeer: whatever decodes, encodes to something that decodes to the same.
func FuzzLeer(f *testing.F) {
	for _, s := range []string{"", "\x00\x00\x00", "\x01a\x01b\x01\x01c12345678123456781212"} {
		for tipo := range byte(5) {
			f.Add(tipo, []byte(s))
		}
	}
	f.Fuzz(func(t *testing.T, tipo byte, b []byte) {
		var e mensaje.Escritor
		switch tipo {
		case 0:
			if m, err := mensaje.LeerCargar(b); err == nil {
				m.Codificar(&e)
				if otra, err := mensaje.LeerCargar(e.Bytes()); err != nil || !cmp.Equal(m, otra) {
					t.Fatal(err, cmp.Diff(m, otra))
				}
			}
		case 1:
			if m, err := mensaje.LeerDeclarado(b); err == nil {
				m.Codificar(&e)
				if otra, err := mensaje.LeerDeclarado(e.Bytes()); err != nil || !cmp.Equal(m, otra) {
					t.Fatal(err, cmp.Diff(m, otra))
				}
			}
		case 2:
			if m, err := mensaje.LeerFallo(b); err == nil {
				m.Codificar(&e)
				if otra, err := mensaje.LeerFallo(e.Bytes()); err != nil || !cmp.Equal(m, otra) {
					t.Fatal(err, cmp.Diff(m, otra))
				}
			}
		case 3:
			l := mensaje.NuevoLector(b)
			var m mensaje.Respuesta
			m.Leer(l)
		case 4:
			_, _, _ = mensaje.Leer(bytes.NewReader(b), 1<<10, nil)
		}
	})
}
