package caja

import (
	"math"
	"math/big"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja/mensaje"
)

// codificador writes columns of arguments.
type codificador struct {
	e       mensaje.Escritor
	tope    int                   // bytes past which it gives up
	hechos  map[algebra.Hecho]int // facts of the column being written
	nombres map[string]int        // names of their fields
}

// columna appends rows desde … desde+n of c. It reports false, having written
// part, when the message grows past the bound.
func (k *codificador) columna(c *algebra.Columna, desde, n int) bool {
	if c.Constante {
		desde, n = 0, 1
	}
	clase := mensaje.Clase(c.Clase)
	k.e.Byte(byte(clase))
	constante := byte(0)
	if c.Constante {
		constante = 1
	}
	k.e.Byte(constante)
	switch c.Clase {
	case algebra.ClaseEnteros:
		for _, x := range c.Enteros[desde : desde+n] {
			k.e.Uint64(uint64(x))
		}
	case algebra.ClaseFlotantes:
		for _, x := range c.Flotantes[desde : desde+n] {
			k.e.Uint64(math.Float64bits(x))
		}
	case algebra.ClaseBooleanos:
		for _, x := range c.Booleanos[desde : desde+n] {
			k.e.Byte(x)
		}
	case algebra.ClaseTextos:
		for _, x := range c.Textos[desde : desde+n] {
			if k.e.Texto(x); k.e.Largo() > k.tope {
				return false
			}
		}
	default:
		return k.mixta(c.Mixta[desde : desde+n])
	}
	return k.e.Largo() <= k.tope
}

// mixta appends values of any kind, the facts among them first.
func (k *codificador) mixta(vs []algebra.Valor) bool {
	clear(k.hechos)
	clear(k.nombres)
	var orden []algebra.Hecho
	var nombres []string
	for _, v := range vs {
		h, ok := v.(algebra.Hecho)
		if !ok {
			continue
		}
		if _, visto := k.hechos[h]; visto {
			continue
		}
		if k.hechos == nil {
			k.hechos, k.nombres = make(map[algebra.Hecho]int), make(map[string]int)
		}
		k.hechos[h] = len(orden)
		orden = append(orden, h)
		for _, campo := range h.Campos() {
			if _, visto := k.nombres[campo]; !visto {
				k.nombres[campo] = len(nombres)
				nombres = append(nombres, campo)
			}
		}
	}
	k.e.Uvarint(uint64(len(nombres)))
	for _, n := range nombres {
		k.e.Texto(n)
	}
	k.e.Uvarint(uint64(len(orden)))
	for _, h := range orden {
		campos := h.Campos()
		k.e.Uvarint(uint64(len(campos)))
		for _, campo := range campos {
			v, _ := h.Campo(campo)
			k.e.Uvarint(uint64(k.nombres[campo]))
			k.valor(v)
		}
		if k.e.Largo() > k.tope {
			return false
		}
	}
	for _, v := range vs {
		if k.valor(v); k.e.Largo() > k.tope {
			return false
		}
	}
	return true
}

// valor appends a mark and a value.
func (k *codificador) valor(v algebra.Valor) {
	switch x := v.(type) {
	case algebra.Entero:
		if n, chico := x.Int64(); chico {
			k.e.Byte(byte(mensaje.MarcaEntero))
			k.e.Varint(n)
			return
		}
		g := x.Big()
		k.e.Byte(byte(mensaje.MarcaGrande))
		negativo := byte(0)
		if g.Sign() < 0 {
			negativo = 1
		}
		k.e.Byte(negativo)
		k.e.Datos(g.Bytes())
	case algebra.Flotante:
		k.e.Byte(byte(mensaje.MarcaFlotante))
		k.e.Uint64(math.Float64bits(float64(x)))
	case algebra.Texto:
		k.e.Byte(byte(mensaje.MarcaTexto))
		k.e.Texto(string(x))
	case algebra.Booleano:
		if x {
			k.e.Byte(byte(mensaje.MarcaVerdadero))
		} else {
			k.e.Byte(byte(mensaje.MarcaFalso))
		}
	case algebra.Hecho:
		k.e.Byte(byte(mensaje.MarcaHecho))
		k.e.Uvarint(uint64(k.hechos[x]))
	default:
		k.e.Byte(byte(mensaje.MarcaNulo))
	}
}

// acumulador gathers the rows of the answers to one call.
type acumulador struct {
	c    algebra.Columna
	bits int64 // of an integer
	tope int64 // bytes of a text
}

// leer takes a column of n rows off l and adds those before cortar, which is
// told each row's bytes, reports false. It returns how many were added.
func (a *acumulador) leer(l *mensaje.Lector, n int, cobrar func(int64) bool) int {
	clase := mensaje.Clase(l.Byte())
	if l.Booleano() {
		l.Fallar("una columna de resultados constante")
		return 0
	}
	if n == 0 || l.Error() != nil {
		return 0
	}
	if clase > mensaje.ClaseBooleanos {
		l.Fallar("una columna de clase %d", clase)
		return 0
	}
	mia := algebra.ClaseColumna(clase)
	if a.c.Largo() == 0 {
		a.c.Clase = mia
	} else if a.c.Clase != mia {
		a.ampliar()
	}
	for i := range n {
		v, bytes := a.valor(l, clase)
		if l.Error() != nil {
			return i
		}
		if bytes > 0 && !cobrar(bytes) {
			return i
		}
		a.agregar(v)
	}
	return n
}

// dato is a value on its way to a column, without boxing.
type dato struct {
	clase    algebra.ClaseColumna
	entero   int64
	flotante float64
	texto    string
	booleano uint8
	otro     algebra.Valor // ClaseMixta
}

// valor takes one value off l, checks that it may enter, and returns the bytes
// it keeps beyond its slot.
func (a *acumulador) valor(l *mensaje.Lector, clase mensaje.Clase) (dato, int64) {
	switch clase {
	case mensaje.ClaseEnteros:
		return dato{clase: algebra.ClaseEnteros, entero: int64(l.Uint64())}, 0
	case mensaje.ClaseFlotantes:
		return a.flotante(l), 0
	case mensaje.ClaseTextos:
		return a.texto(l)
	case mensaje.ClaseBooleanos:
		return booleano(l.Booleano()), 0
	}
	switch m := mensaje.Marca(l.Byte()); m {
	case mensaje.MarcaNulo:
		return dato{otro: algebra.Nulo{}}, 0
	case mensaje.MarcaEntero:
		return dato{clase: algebra.ClaseEnteros, entero: l.Varint()}, 0
	case mensaje.MarcaFlotante:
		return a.flotante(l), 0
	case mensaje.MarcaTexto:
		return a.texto(l)
	case mensaje.MarcaFalso, mensaje.MarcaVerdadero:
		return booleano(m == mensaje.MarcaVerdadero), 0
	case mensaje.MarcaGrande:
		negativo := l.Booleano()
		g := new(big.Int).SetBytes(l.Datos())
		if g.IsInt64() || int64(g.BitLen()) > a.bits {
			l.Fallar("un entero de %d bits", g.BitLen())
			return dato{}, 0
		}
		if negativo {
			g.Neg(g)
		}
		return dato{otro: algebra.EnteroDe(g)}, int64(g.BitLen())/8 + 32
	default:
		l.Fallar("un resultado con marca %d", m)
		return dato{}, 0
	}
}

func (a *acumulador) flotante(l *mensaje.Lector) dato {
	f := math.Float64frombits(l.Uint64())
	if math.IsNaN(f) || math.IsInf(f, 0) {
		l.Fallar("un flotante no finito")
	}
	return dato{clase: algebra.ClaseFlotantes, flotante: f}
}

func (a *acumulador) texto(l *mensaje.Lector) (dato, int64) {
	t := l.Texto()
	if int64(len(t)) > a.tope {
		l.Fallar("un texto de %d bytes", len(t))
	}
	return dato{clase: algebra.ClaseTextos, texto: t}, int64(len(t))
}

func booleano(b bool) dato {
	d := dato{clase: algebra.ClaseBooleanos}
	if b {
		d.booleano = 1
	}
	return d
}

// agregar adds a value to the column, which is of its class or mixed.
func (a *acumulador) agregar(d dato) {
	c := &a.c
	switch c.Clase {
	case algebra.ClaseEnteros:
		c.Enteros = append(c.Enteros, d.entero)
	case algebra.ClaseFlotantes:
		c.Flotantes = append(c.Flotantes, d.flotante)
	case algebra.ClaseTextos:
		c.Textos = append(c.Textos, d.texto)
	case algebra.ClaseBooleanos:
		c.Booleanos = append(c.Booleanos, d.booleano)
	default:
		c.Mixta = append(c.Mixta, d.suelto())
	}
}

func (d dato) suelto() algebra.Valor {
	switch d.clase {
	case algebra.ClaseEnteros:
		return algebra.NuevoEntero(d.entero)
	case algebra.ClaseFlotantes:
		return algebra.Flotante(d.flotante)
	case algebra.ClaseTextos:
		return algebra.Texto(d.texto)
	case algebra.ClaseBooleanos:
		return algebra.Booleano(d.booleano != 0)
	default:
		return d.otro
	}
}

// ampliar turns the column into a mixed one with the same values.
func (a *acumulador) ampliar() {
	n := a.c.Largo()
	mixta := make([]algebra.Valor, n, n+n/2+1)
	for i := range mixta {
		mixta[i] = a.c.Valor(i)
	}
	a.c = algebra.Columna{Mixta: mixta}
}
