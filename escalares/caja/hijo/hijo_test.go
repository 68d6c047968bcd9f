package hijo_test

import (
	"bytes"
	"errors"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/hijo"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

func carga(e *mensaje.Escritor) []byte {
	e.Reiniciar()
	(&mensaje.Cargar{
		Archivo: "x.star", Fuente: []byte("def f(x, y = 1):\n    return x\ndef g(*a):\n    return len(a)\nescalar('f', f)\nescalar('g', g)\n"),
		PasosDeCarga: 1000, PasosDeFila: 1000, BitsDeEntero: 64, TamanoDeValor: 100,
	}).Codificar(e)
	return e.Bytes()
}

// TestConversacion goes through what a box answers, in order.
func TestConversacion(t *testing.T) {
	var sale bytes.Buffer
	atender := hijo.Atender(&sale)
	var e mensaje.Escritor
	if err := atender(mensaje.TipoCargar, carga(&e)); err != nil {
		t.Fatal(err)
	}
	tipo, cuerpo, err := mensaje.Leer(&sale, 1<<20, nil)
	if err != nil || tipo != mensaje.TipoDeclarado {
		t.Fatal(tipo, err)
	}
	if d, err := mensaje.LeerDeclarado(cuerpo); err != nil || len(d.Externas) != 2 || d.Externas[1].Max != -1 {
		t.Fatal(d, err)
	}
	e.Reiniciar()
	(&mensaje.Llamada{Funcion: 0, Filas: 2, Argumentos: 1, Pasos: 100}).Codificar(&e)
	e.Byte(byte(mensaje.ClaseBooleanos))
	e.Byte(0)
	e.Byte(1)
	e.Byte(0)
	if err := atender(mensaje.TipoLlamar, e.Bytes()); err != nil {
		t.Fatal(err)
	}
	if tipo, cuerpo, err = mensaje.Leer(&sale, 1<<20, nil); err != nil || tipo != mensaje.TipoResultado {
		t.Fatal(tipo, err)
	}
	l := mensaje.NuevoLector(cuerpo)
	var r mensaje.Respuesta
	r.Leer(l)
	if len(r.Pasos) != 2 || r.Fallo != nil || l.Byte() != byte(mensaje.ClaseBooleanos) || l.Byte() != 0 || l.Byte() != 1 || l.Byte() != 0 || l.Cerrar() != nil {
		t.Errorf("%+v %v", r, l.Error())
	}
	if err := atender(mensaje.TipoCargar, carga(&e)); !errors.Is(err, mensaje.ErrRoto) {
		t.Errorf("cargó dos veces: %v", err)
	}
}

// FuzzLlamada: no message makes a box do anything but answer or call the
// conversation broken.
func FuzzLlamada(f *testing.F) {
	var e mensaje.Escritor
	(&mensaje.Llamada{Funcion: 0, Filas: 2, Argumentos: 1, Pasos: 100}).Codificar(&e)
	cabeza := append([]byte{}, e.Bytes()...)
	f.Add(append(cabeza, byte(mensaje.ClaseBooleanos), 0, 1, 0))
	f.Add(append(cabeza, byte(mensaje.ClaseMixta), 0, 1, 1, 'a', 1, 1, 0, byte(mensaje.MarcaEntero), 4, byte(mensaje.MarcaHecho), 0, byte(mensaje.MarcaNulo)))
	f.Add(append(cabeza, byte(mensaje.ClaseTextos), 1, 2, 0xc3, 0xb1))
	f.Fuzz(func(t *testing.T, cuerpo []byte) {
		var sale bytes.Buffer
		atender := hijo.Atender(&sale)
		var e mensaje.Escritor
		if err := atender(mensaje.TipoCargar, carga(&e)); err != nil {
			t.Fatal(err)
		}
		sale.Reset()
		err := atender(mensaje.TipoLlamar, cuerpo)
		if err != nil {
			if !errors.Is(err, mensaje.ErrRoto) || sale.Len() > 0 {
				t.Fatal(err, sale.Len())
			}
			return
		}
		tipo, b, err := mensaje.Leer(&sale, 1<<24, nil)
		if err != nil || tipo != mensaje.TipoResultado || sale.Len() > 0 {
			t.Fatal(tipo, err, sale.Len())
		}
		var r mensaje.Respuesta
		l := mensaje.NuevoLector(b)
		if r.Leer(l); l.Error() != nil {
			t.Fatal(l.Error())
		}
	})
}
