package hijo

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"time"
	"unicode/utf8"

	"go.starlark.net/starlark"

	"github.com/oracle-mcp/oracle-mcp/escalares/caja/estrella"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// A call answers what it has when it reaches one of these, so that a message
// never takes long and never weighs much, and the parent can tell a box that
// is stuck from one that is working.
const (
	respuestaMaxima = 1 << 20
	turno           = 50 * time.Millisecond
	cadaCuantas     = 16 // rows between two looks at the clock
)

// lote is the memory a call works on, kept from one to the next.
type lote struct {
	columnas [][]starlark.Value // one value a row, or one when constant
	args     starlark.Tuple
	valores  []starlark.Value
	pasos    []uint64
}

// atenderLlamada applies a function to each row until one fails, the steps run
// out, or it is time to answer.
func (h *hijo) atenderLlamada(cuerpo []byte) error {
	if h.programa == nil {
		return mensaje.ErrRoto
	}
	l := mensaje.NuevoLector(cuerpo)
	m := mensaje.LeerLlamada(l)
	externas := h.programa.Declaraciones()
	if l.Error() != nil || m.Funcion >= len(externas) {
		return mensaje.ErrRoto
	}
	columnas := h.lote.columnas[:0]
	for range m.Argumentos {
		var vieja []starlark.Value
		if len(columnas) < cap(columnas) {
			vieja = columnas[:len(columnas)+1][len(columnas)]
		}
		columnas = append(columnas, leerColumna(l, m.Filas, vieja[:0]))
	}
	h.lote.columnas = columnas
	if l.Cerrar() != nil {
		return mensaje.ErrRoto
	}

	r := mensaje.Respuesta{Pasos: h.lote.pasos[:0]}
	args, valores := h.lote.args[:0], h.lote.valores[:0]
	for range columnas {
		args = append(args, nil)
	}
	empezo, bytes, quedan := time.Now(), 0, m.Pasos
	for fila := range m.Filas {
		for i, c := range columnas {
			if len(c) == 1 {
				args[i] = c[0]
			} else {
				args[i] = c[fila]
			}
		}
		v, pasos, err := h.hilo.Llamar(m.Funcion, args, quedan)
		if err != nil {
			limite := "pasos_de_escalar"
			if quedan < h.cargar.PasosDeFila {
				limite = "pasos_de_operacion"
			}
			r.Fallo, r.PasosFallo = fallo(err, limite), pasos
			break
		}
		n, f := h.comprobar(v)
		if f != nil {
			r.Fallo, r.PasosFallo = f, pasos
			break
		}
		quedan -= pasos
		r.Pasos = append(r.Pasos, pasos)
		valores = append(valores, v)
		if bytes += n; bytes > respuestaMaxima {
			break
		}
		if fila%cadaCuantas == cadaCuantas-1 && time.Since(empezo) > turno {
			break
		}
	}
	h.e.Reiniciar()
	r.Codificar(&h.e)
	escribirColumna(&h.e, valores)
	clear(args)
	clear(valores)
	h.lote.args, h.lote.valores, h.lote.pasos = args, valores, r.Pasos
	return h.responder(mensaje.TipoResultado)
}

// comprobar checks that v may leave the box (escalares §2 and §4) and returns
// about how many bytes it takes.
func (h *hijo) comprobar(v starlark.Value) (int, *mensaje.Fallo) {
	switch x := v.(type) {
	case starlark.NoneType, starlark.Bool:
		return 1, nil
	case starlark.Float:
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, &mensaje.Fallo{Motivo: "devolvió un flotante no finito"}
		}
		return 8, nil
	case starlark.Int:
		if _, chico := x.Int64(); chico {
			return 8, nil
		}
		bits := x.BigInt().BitLen()
		if int64(bits) > h.cargar.BitsDeEntero {
			return 0, &mensaje.Fallo{Limite: "bits_de_entero"}
		}
		return bits/8 + 2, nil
	case starlark.String:
		if int64(len(x)) > h.cargar.TamanoDeValor {
			return 0, &mensaje.Fallo{Limite: "tamano_de_valor"}
		}
		if !utf8.ValidString(string(x)) {
			return 0, &mensaje.Fallo{Motivo: "devolvió un texto que no es UTF-8"}
		}
		return len(x) + 4, nil
	default:
		return 0, &mensaje.Fallo{Motivo: fmt.Sprintf("devolvió %s; sólo puede devolver un número, un texto, un booleano o None", estrella.NombreDeTipo(v.Type()))}
	}
}

// claseDe is the tightest class for a value.
func claseDe(v starlark.Value) mensaje.Clase {
	switch x := v.(type) {
	case starlark.Int:
		if _, chico := x.Int64(); chico {
			return mensaje.ClaseEnteros
		}
	case starlark.Float:
		return mensaje.ClaseFlotantes
	case starlark.String:
		return mensaje.ClaseTextos
	case starlark.Bool:
		return mensaje.ClaseBooleanos
	}
	return mensaje.ClaseMixta
}

// escribirColumna appends a column of checked values.
func escribirColumna(e *mensaje.Escritor, valores []starlark.Value) {
	clase := mensaje.ClaseMixta
	for i, v := range valores {
		if c := claseDe(v); i == 0 {
			clase = c
		} else if c != clase {
			clase = mensaje.ClaseMixta
			break
		}
	}
	e.Byte(byte(clase))
	e.Byte(0) // never constant
	for _, v := range valores {
		if clase == mensaje.ClaseMixta {
			escribirMarca(e, v)
		}
		switch x := v.(type) {
		case starlark.Int:
			switch n, chico := x.Int64(); {
			case !chico:
				g := x.BigInt()
				e.Byte(signo(g))
				e.Datos(g.Bytes())
			case clase == mensaje.ClaseMixta:
				e.Varint(n)
			default:
				e.Uint64(uint64(n))
			}
		case starlark.Float:
			e.Uint64(math.Float64bits(float64(x)))
		case starlark.String:
			e.Texto(string(x))
		case starlark.Bool:
			if clase == mensaje.ClaseBooleanos {
				b := byte(0)
				if x {
					b = 1
				}
				e.Byte(b)
			}
		}
	}
}

func escribirMarca(e *mensaje.Escritor, v starlark.Value) {
	m := mensaje.MarcaNulo
	switch x := v.(type) {
	case starlark.Int:
		m = mensaje.MarcaEntero
		if _, chico := x.Int64(); !chico {
			m = mensaje.MarcaGrande
		}
	case starlark.Float:
		m = mensaje.MarcaFlotante
	case starlark.String:
		m = mensaje.MarcaTexto
	case starlark.Bool:
		m = mensaje.MarcaFalso
		if x {
			m = mensaje.MarcaVerdadero
		}
	}
	e.Byte(byte(m))
}

func signo(g *big.Int) byte {
	if g.Sign() < 0 {
		return 1
	}
	return 0
}

// leerColumna takes a column of arguments off l, into vs when it has room.
func leerColumna(l *mensaje.Lector, filas int, vs []starlark.Value) []starlark.Value {
	clase := mensaje.Clase(l.Byte())
	if l.Booleano() {
		filas = 1
	}
	if filas > l.Quedan() {
		l.Fallar("una columna de %d filas en %d bytes", filas, l.Quedan())
		return vs
	}
	switch clase {
	case mensaje.ClaseEnteros:
		for range filas {
			vs = append(vs, starlark.MakeInt64(int64(l.Uint64())))
		}
	case mensaje.ClaseFlotantes:
		for range filas {
			vs = append(vs, starlark.Float(math.Float64frombits(l.Uint64())))
		}
	case mensaje.ClaseTextos:
		for range filas {
			vs = append(vs, starlark.String(l.Texto()))
		}
	case mensaje.ClaseBooleanos:
		for range filas {
			vs = append(vs, starlark.Bool(l.Booleano()))
		}
	case mensaje.ClaseMixta:
		hechos := leerHechos(l)
		for range filas {
			vs = append(vs, leerValor(l, hechos))
		}
	default:
		l.Fallar("una columna de clase %d", clase)
	}
	return vs
}

// leerHechos takes the facts of a mixed column, each a frozen dict with its
// fields in the order they come.
func leerHechos(l *mensaje.Lector) []starlark.Value {
	var nombres []starlark.Value
	for range l.Cantidad(1) {
		nombres = append(nombres, starlark.String(l.Texto()))
	}
	var hechos []starlark.Value
	for range l.Cantidad(1) {
		n := l.Cantidad(2)
		d := starlark.NewDict(n)
		for range n {
			i := l.Entero(math.MaxInt32)
			v := leerValor(l, nil)
			if i >= len(nombres) {
				l.Fallar("un campo sin nombre")
				return nil
			}
			if err := d.SetKey(nombres[i], v); err != nil {
				l.Fallar("un campo que no se puede guardar")
				return nil
			}
		}
		d.Freeze()
		hechos = append(hechos, d)
	}
	return hechos
}

func leerValor(l *mensaje.Lector, hechos []starlark.Value) starlark.Value {
	switch m := mensaje.Marca(l.Byte()); m {
	case mensaje.MarcaNulo:
		return starlark.None
	case mensaje.MarcaEntero:
		return starlark.MakeInt64(l.Varint())
	case mensaje.MarcaGrande:
		negativo := l.Booleano()
		g := new(big.Int).SetBytes(l.Datos())
		if negativo {
			g.Neg(g)
		}
		return starlark.MakeBigInt(g)
	case mensaje.MarcaFlotante:
		return starlark.Float(math.Float64frombits(l.Uint64()))
	case mensaje.MarcaTexto:
		return starlark.String(l.Texto())
	case mensaje.MarcaFalso:
		return starlark.False
	case mensaje.MarcaVerdadero:
		return starlark.True
	case mensaje.MarcaHecho:
		if i := l.Entero(math.MaxInt32); i < len(hechos) {
			return hechos[i]
		}
		l.Fallar("un hecho que no está")
		return starlark.None
	default:
		l.Fallar("un valor con marca %d", m)
		return starlark.None
	}
}

// validar makes UTF-8 of a text that may hold any bytes.
func validar(s string) string { return strings.ToValidUTF8(s, "\ufffd") }
