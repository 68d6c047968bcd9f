package caja_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/hijo"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// An impostor is a child that does not keep to the protocol. Each is a word
// after «impostor:»; it is given the frames it is sent.
const impostor = "impostor:"

// impostores are what each does: first says what answers the load, then what
// answers the call. nil answers as an honest box.
var impostores = map[string]struct {
	listo, carga, llamada func(w io.Writer)
	quiere                func(err error) bool
}{
	"se va al nacer":       {listo: func(io.Writer) { os.Exit(0) }, quiere: esInterno},
	"pánico al nacer":      {listo: func(io.Writer) { panic("x") }, quiere: esInterno},
	"basura al nacer":      {listo: basura, quiere: esInterno},
	"no se puede encerrar": {listo: trama(mensaje.TipoFallo, fallo("", "no hay con qué", 0)), quiere: esInterno},
	"listo con cola":       {listo: trama(mensaje.TipoListo, []byte{1}), quiere: esInterno},

	"se va al cargar":              {carga: func(io.Writer) { os.Exit(1) }, quiere: esInterno},
	"calla al cargar":              {carga: calla, quiere: esLimite("pasos_de_carga")},
	"basura al cargar":             {carga: basura, quiere: esInterno},
	"otro tipo al cargar":          {carga: trama(mensaje.TipoResultado, nil), quiere: esInterno},
	"declara una reservada":        {carga: declara(mensaje.Declaracion{Nombre: "mas", Max: 1}), quiere: esInterno},
	"declara dos veces":            {carga: declara(mensaje.Declaracion{Nombre: "f", Max: 1}, mensaje.Declaracion{Nombre: "f", Max: 1}), quiere: esInterno},
	"declara sin nombre":           {carga: declara(mensaje.Declaracion{Max: 1}), quiere: esInterno},
	"aridad al revés":              {carga: declara(mensaje.Declaracion{Nombre: "f", Min: 3, Max: 1}), quiere: esInterno},
	"aridad enorme":                {carga: declara(mensaje.Declaracion{Nombre: "f", Max: 1 << 40}), quiere: esInterno},
	"unidades de más":              {carga: declara(mensaje.Declaracion{Nombre: "f", Max: 1, UnidadesArgumentos: []string{"a", "b"}}), quiere: esInterno},
	"límite que no existe":         {carga: trama(mensaje.TipoFallo, fallo("otro", "", 0)), quiere: esInterno},
	"fallo con texto no UTF-8":     {carga: trama(mensaje.TipoFallo, []byte{0, 1, 0xff, 0, 0}), quiere: esInterno},
	"declaraciones incontables":    {carga: trama(mensaje.TipoDeclarado, binary.AppendUvarint([]byte{0}, 1<<62)), quiere: esInterno},
	"imprime sin fin":              {carga: imprimeSinFin, quiere: esLimite("pasos_de_carga")},
	"imprime algo que no es texto": {carga: trama(mensaje.TipoImpreso, []byte{1, 0xff}), quiere: esInterno},

	"se va al llamar":            {llamada: func(io.Writer) { os.Exit(7) }, quiere: esInterno},
	"calla al llamar":            {llamada: calla, quiere: esLimite("pasos_de_escalar")},
	"basura al llamar":           {llamada: basura, quiere: esInterno},
	"trama a medias":             {llamada: func(w io.Writer) { w.Write([]byte{9, 0, 0, 0, byte(mensaje.TipoResultado), 1}); os.Exit(0) }, quiere: esInterno},
	"largo enorme":               {llamada: func(w io.Writer) { w.Write([]byte{0xff, 0xff, 0xff, 0xff, byte(mensaje.TipoResultado)}) }, quiere: esInterno},
	"otro tipo al llamar":        {llamada: trama(mensaje.TipoListo, nil), quiere: esInterno},
	"resultado vacío":            {llamada: trama(mensaje.TipoResultado, nil), quiere: esInterno},
	"filas de más":               {llamada: resultado(3, mensaje.ClaseEnteros, make([]byte, 24)...), quiere: esInterno},
	"ninguna fila sin motivo":    {llamada: resultado(0, mensaje.ClaseEnteros), quiere: esInterno},
	"columna corta":              {llamada: resultado(2, mensaje.ClaseEnteros, make([]byte, 15)...), quiere: esInterno},
	"columna larga":              {llamada: resultado(2, mensaje.ClaseEnteros, make([]byte, 17)...), quiere: esInterno},
	"clase que no existe":        {llamada: resultado(2, 9, 0, 0), quiere: esInterno},
	"booleano que vale dos":      {llamada: resultado(2, mensaje.ClaseBooleanos, 0, 2), quiere: esInterno},
	"NaN":                        {llamada: resultado(1, mensaje.ClaseFlotantes, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.NaN()))...), quiere: esInterno},
	"infinito":                   {llamada: resultado(1, mensaje.ClaseFlotantes, binary.LittleEndian.AppendUint64(nil, math.Float64bits(math.Inf(1)))...), quiere: esInterno},
	"texto no UTF-8":             {llamada: resultado(1, mensaje.ClaseTextos, 1, 0xff), quiere: esInterno},
	"texto más largo que todo":   {llamada: resultado(1, mensaje.ClaseTextos, 0xff, 0xff, 0xff, 0x7f), quiere: esInterno},
	"texto sobre el tope":        {llamada: resultado(1, mensaje.ClaseTextos, append(binary.AppendUvarint(nil, 1<<20+1), make([]byte, 1<<20+1)...)...), quiere: esInterno},
	"marca que no existe":        {llamada: resultado(1, mensaje.ClaseMixta, 99), quiere: esInterno},
	"un hecho de vuelta":         {llamada: resultado(1, mensaje.ClaseMixta, byte(mensaje.MarcaHecho), 0), quiere: esInterno},
	"entero grande que es chico": {llamada: resultado(1, mensaje.ClaseMixta, byte(mensaje.MarcaGrande), 0, 1, 5), quiere: esInterno},
	"entero sobre el tope":       {llamada: resultado(1, mensaje.ClaseMixta, append([]byte{byte(mensaje.MarcaGrande), 0, 0x81, 0x08}, bytes.Repeat([]byte{0xff}, 1025)...)...), quiere: esInterno},
	"más pasos que el límite":    {llamada: trama(mensaje.TipoResultado, pasosDeMas()), quiere: esInterno},
	"límite raro al llamar":      {llamada: trama(mensaje.TipoResultado, conFallo("filas_por_relacion")), quiere: esInterno},
	"imprime sin fin al llamar":  {llamada: imprimeSinFin, quiere: esLimite("pasos_de_escalar")},
}

func trama(tipo mensaje.Tipo, cuerpo []byte) func(io.Writer) {
	return func(w io.Writer) { _ = mensaje.Escribir(w, tipo, cuerpo) }
}

func basura(w io.Writer) { w.Write(bytes.Repeat([]byte("basura "), 1000)) }

func calla(io.Writer) { _, _ = io.Copy(io.Discard, os.Stdin) }

func imprimeSinFin(w io.Writer) {
	for mensaje.Escribir(w, mensaje.TipoImpreso, []byte{1, 'x'}) == nil {
	}
}

func fallo(limite, motivo string, linea int) []byte {
	var e mensaje.Escritor
	(&mensaje.Fallo{Limite: limite, Motivo: motivo, Linea: linea}).Codificar(&e)
	return e.Bytes()
}

func declara(ds ...mensaje.Declaracion) func(io.Writer) {
	var e mensaje.Escritor
	(&mensaje.Declarado{Externas: ds}).Codificar(&e)
	return trama(mensaje.TipoDeclarado, e.Bytes())
}

func resultado(filas int, clase mensaje.Clase, datos ...byte) func(io.Writer) {
	var e mensaje.Escritor
	(&mensaje.Respuesta{Pasos: make([]uint64, filas)}).Codificar(&e)
	e.Byte(byte(clase))
	e.Byte(0)
	return trama(mensaje.TipoResultado, append(e.Bytes(), datos...))
}

func pasosDeMas() []byte {
	var e mensaje.Escritor
	(&mensaje.Respuesta{Pasos: []uint64{1 << 60}}).Codificar(&e)
	return append(e.Bytes(), byte(mensaje.ClaseBooleanos), 0, 1)
}

func conFallo(limite string) []byte {
	var e mensaje.Escritor
	(&mensaje.Respuesta{Fallo: &mensaje.Fallo{Limite: limite}}).Codificar(&e)
	return append(e.Bytes(), byte(mensaje.ClaseMixta), 0)
}

func esInterno(err error) bool {
	var e *algebra.ErrorInterno
	return errors.As(err, &e)
}

func esLimite(nombre string) func(error) bool {
	return func(err error) bool {
		var e *algebra.LimiteError
		return errors.As(err, &e) && e.Nombre == nombre
	}
}

// serImpostor plays one when the process was started to be it.
func serImpostor() {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], impostor) {
		return
	}
	papel := impostores[strings.TrimPrefix(os.Args[1], impostor)]
	decir := func(f func(io.Writer), honesto func(io.Writer)) {
		if f == nil {
			f = honesto
		}
		f(os.Stdout)
	}
	decir(papel.listo, trama(mensaje.TipoListo, nil))
	for {
		tipo, _, err := mensaje.Leer(os.Stdin, 1<<30, nil)
		if err != nil {
			os.Exit(0)
		}
		switch tipo {
		case mensaje.TipoCargar:
			decir(papel.carga, declara(mensaje.Declaracion{Nombre: "f", Min: 1, Max: 1}))
		case mensaje.TipoLlamar:
			decir(papel.llamada, resultado(2, mensaje.ClaseBooleanos, 0, 1))
		}
	}
}

// TestImpostores feeds the parent with garbage.
func TestImpostores(t *testing.T) {
	for nombre, papel := range impostores {
		t.Run(nombre, func(t *testing.T) {
			t.Parallel()
			cfg := caja.Config{
				Reservadas: []string{"mas"}, Gracia: 20 * time.Second,
				Limites: algebra.LimitesAlgebra{PasosDeEscalar: 1000, PasosDeCarga: 1000},
			}
			if strings.HasPrefix(nombre, "calla") || strings.HasPrefix(nombre, "imprime sin fin") {
				cfg.Gracia = 200 * time.Millisecond
			}
			caja.ConPalabra(impostor + nombre)(&cfg)
			c, err := caja.Abrir(context.Background(), cfg)
			if err == nil {
				defer c.Cerrar()
				err = c.Llamar("f", 2, []*algebra.Columna{enteros(1, 2)}, 0).Error
			}
			if err == nil || !papel.quiere(err) {
				t.Errorf("%v (%T)", err, err)
			}
			if err != nil && len(err.Error()) > 4<<10 {
				t.Errorf("un mensaje de %d bytes", len(err.Error()))
			}
			if c != nil {
				c.Cerrar()
				if n := c.Vivos(); n != 0 {
					t.Errorf("quedan %d hijos", n)
				}
			}
		})
	}
}

// TestHijoAnteBasura feeds a child with garbage: it ends on its own, and never
// well.
func TestHijoAnteBasura(t *testing.T) {
	var carga mensaje.Escritor
	(&mensaje.Cargar{Archivo: "x.star", Fuente: []byte("def f(x):\n    return x\nescalar('f', f)\n"), PasosDeCarga: 1000, PasosDeFila: 1000, BitsDeEntero: 64, TamanoDeValor: 10}).Codificar(&carga)
	armar := func(partes ...[]byte) []byte {
		var b bytes.Buffer
		_ = mensaje.Escribir(&b, mensaje.TipoCargar, carga.Bytes())
		for _, p := range partes {
			_ = mensaje.Escribir(&b, mensaje.TipoLlamar, p)
		}
		return b.Bytes()
	}
	llamada := func(m mensaje.Llamada, resto ...byte) []byte {
		var e mensaje.Escritor
		m.Codificar(&e)
		return append(e.Bytes(), resto...)
	}
	for nombre, entra := range map[string][]byte{
		"basura":                 bytes.Repeat([]byte("basura "), 100),
		"tipo que no existe":     {0, 0, 0, 0, 200},
		"trama a medias":         {9, 0, 0, 0, 1, 1},
		"cabecera a medias":      {9, 0},
		"largo enorme":           {0xff, 0xff, 0xff, 0xff, 1},
		"llamar antes de cargar": {0, 0, 0, 0, byte(mensaje.TipoLlamar)},
		"carga vacía":            {0, 0, 0, 0, byte(mensaje.TipoCargar)},
		"cargar dos veces":       append(armar(), armar()...),
		"llamada vacía":          armar(nil),
		"función que no existe":  armar(llamada(mensaje.Llamada{Funcion: 1, Filas: 1, Argumentos: 0, Pasos: 10})),
		"ninguna fila":           armar(llamada(mensaje.Llamada{Filas: 0, Pasos: 10})),
		"filas de más":           armar(llamada(mensaje.Llamada{Filas: 5000, Pasos: 10})),
		"columna que falta":      armar(llamada(mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 10})),
		"columna corta":          armar(llamada(mensaje.Llamada{Filas: 2, Argumentos: 1, Pasos: 10}, byte(mensaje.ClaseEnteros), 0, 1, 2)),
		"cola":                   armar(llamada(mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 10}, byte(mensaje.ClaseBooleanos), 0, 1, 7)),
		"clase que no existe":    armar(llamada(mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 10}, 77, 0, 1)),
		"hecho que no está":      armar(llamada(mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 10}, byte(mensaje.ClaseMixta), 0, 0, 0, byte(mensaje.MarcaHecho), 3)),
		"hecho dentro de hecho":  armar(llamada(mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 10}, byte(mensaje.ClaseMixta), 0, 1, 1, 'a', 1, 1, 0, byte(mensaje.MarcaHecho), 0, byte(mensaje.MarcaHecho), 0)),
		"campo sin nombre":       armar(llamada(mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 10}, byte(mensaje.ClaseMixta), 0, 0, 1, 1, 5, byte(mensaje.MarcaNulo), byte(mensaje.MarcaHecho), 0)),
	} {
		t.Run(nombre, func(t *testing.T) {
			t.Parallel()
			ctx, cancelar := context.WithTimeout(context.Background(), 20*time.Second)
			defer cancelar()
			cmd := exec.CommandContext(ctx, os.Args[0], append([]string{caja.PalabraDeCaja}, hijo.Argumentos(64<<20, 5, argumentoEncierro())...)...)
			var sale, dice bytes.Buffer
			cmd.Stdout, cmd.Stderr = io.MultiWriter(&sale), io.MultiWriter(&dice)
			abierta, err := cmd.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_, _ = abierta.Write(entra)
			if strings.HasSuffix(nombre, "a medias") {
				abierta.Close() // otherwise the end of the pipe would be what ends it
			}
			err = cmd.Wait()
			var e *exec.ExitError
			if !errors.As(err, &e) || e.ExitCode() <= 0 {
				t.Errorf("terminó con %v; dijo %q %q", err, sale.String(), dice.String())
			}
		})
	}
	t.Run("argumentos", func(t *testing.T) {
		for _, args := range [][]string{{}, {"1"}, {"x", "1", "encerrada"}, {"1000000", "0", "encerrada"}, {"-1", "1", "encerrada"}, {"67108864", "5", "otra"}} {
			if err := exec.Command(os.Args[0], append([]string{caja.PalabraDeCaja}, args...)...).Run(); err == nil {
				t.Errorf("%q: arrancó", args)
			}
		}
	})
}

// TestHuerfano: a child in the middle of a call that never ends goes when
// whoever started it does.
func TestHuerfano(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Fatal("se prueba en Linux")
	}
	cmd := exec.Command(os.Args[0], append([]string{caja.PalabraDeCaja}, hijo.Argumentos(256<<20, 60, argumentoEncierro())...)...)
	entra, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	sale, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var e mensaje.Escritor
	(&mensaje.Cargar{Archivo: "x.star", Fuente: []byte(lento), PasosDeCarga: 1e6, PasosDeFila: 1e6, BitsDeEntero: 64, TamanoDeValor: 10}).Codificar(&e)
	_ = mensaje.Escribir(entra, mensaje.TipoCargar, e.Bytes())
	e.Reiniciar()
	(&mensaje.Llamada{Filas: 1, Argumentos: 1, Pasos: 1e6}).Codificar(&e)
	_ = mensaje.Escribir(entra, mensaje.TipoLlamar, append(e.Bytes(), byte(mensaje.ClaseMixta), 0, 0, 0, byte(mensaje.MarcaEntero), 140, 1))
	for {
		tipo, _, err := mensaje.Leer(sale, 1<<20, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tipo == mensaje.TipoImpreso {
			break // it is in the middle
		}
	}
	entra.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("terminó con %v", err)
	}
}

func argumentoEncierro() string {
	if encierro == caja.EncierroApagado {
		return hijo.Suelta
	}
	return hijo.Encerrada
}

func FuzzResultado(f *testing.F) {
	var e mensaje.Escritor
	(&mensaje.Respuesta{Pasos: []uint64{1, 2}}).Codificar(&e)
	f.Add(append(e.Bytes(), byte(mensaje.ClaseMixta), 0, byte(mensaje.MarcaTexto), 1, 'a', byte(mensaje.MarcaEntero), 2))
	f.Add(append(e.Bytes(), byte(mensaje.ClaseEnteros), 0, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := caja.LeerResultado(b, mensaje.MaxFilas)
		if err != nil {
			return
		}
		for i := range c.Largo() {
			if v, ok := c.Valor(i).(algebra.Flotante); ok && (math.IsNaN(float64(v)) || math.IsInf(float64(v), 0)) {
				t.Fatal("un flotante no finito")
			}
		}
	})
}
