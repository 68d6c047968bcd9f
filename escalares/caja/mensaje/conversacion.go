package mensaje

import "math"

// Cargar asks the box to load a file.
type Cargar struct {
	Archivo    string   // name for messages
	Fuente     []byte   // the file's bytes
	Reservadas []string // names it may not declare

	PasosDeCarga  uint64 // interpreter steps of loading
	PasosDeFila   uint64 // interpreter steps of one call
	BitsDeEntero  int64  // bits of an integer returned
	TamanoDeValor int64  // bytes of a text returned
}

// Codificar appends the payload to e.
func (m *Cargar) Codificar(e *Escritor) {
	e.Texto(m.Archivo)
	e.Datos(m.Fuente)
	e.Uvarint(uint64(len(m.Reservadas)))
	for _, r := range m.Reservadas {
		e.Texto(r)
	}
	e.Uint64(m.PasosDeCarga)
	e.Uint64(m.PasosDeFila)
	e.Varint(m.BitsDeEntero)
	e.Varint(m.TamanoDeValor)
}

// LeerCargar decodes a payload; the source aliases it.
func LeerCargar(b []byte) (*Cargar, error) {
	l := NuevoLector(b)
	m := &Cargar{Archivo: l.Texto(), Fuente: l.Datos()}
	for range l.Cantidad(1) {
		m.Reservadas = append(m.Reservadas, l.Texto())
	}
	m.PasosDeCarga, m.PasosDeFila = l.Uint64(), l.Uint64()
	m.BitsDeEntero, m.TamanoDeValor = l.Varint(), l.Varint()
	return m, l.Cerrar()
}

// Declaracion is one scalar the file declares. Max is -1 when it takes any
// number of arguments.
type Declaracion struct {
	Nombre             string
	Min, Max           int
	Unidad             string
	UnidadesArgumentos []string
}

// maxAridad bounds the parameters of a function.
const maxAridad = 255

// Declarado answers a load: what the file declares, in order, and the steps it
// took.
type Declarado struct {
	Pasos    uint64
	Externas []Declaracion
}

// Codificar appends the payload to e.
func (m *Declarado) Codificar(e *Escritor) {
	e.Uvarint(m.Pasos)
	e.Uvarint(uint64(len(m.Externas)))
	for _, d := range m.Externas {
		e.Texto(d.Nombre)
		e.Uvarint(uint64(d.Min))
		e.Varint(int64(d.Max))
		e.Texto(d.Unidad)
		e.Uvarint(uint64(len(d.UnidadesArgumentos)))
		for _, u := range d.UnidadesArgumentos {
			e.Texto(u)
		}
	}
}

// LeerDeclarado decodes a payload.
func LeerDeclarado(b []byte) (*Declarado, error) {
	l := NuevoLector(b)
	m := &Declarado{Pasos: l.Uvarint()}
	for range l.Cantidad(5) {
		d := Declaracion{Nombre: l.Texto(), Min: l.Entero(maxAridad)}
		max := l.Varint()
		if max < -1 || max > maxAridad || max >= 0 && max < int64(d.Min) {
			l.Fallar("una aridad máxima de %d", max)
		}
		d.Max, d.Unidad = int(max), l.Texto()
		for range l.Cantidad(1) {
			d.UnidadesArgumentos = append(d.UnidadesArgumentos, l.Texto())
		}
		m.Externas = append(m.Externas, d)
	}
	return m, l.Cerrar()
}

// Fallo is why a load or a row failed. With Limite, that limit was exceeded and
// the rest is empty; otherwise Motivo is in Spanish and Linea and Columna, from
// one, say where, 0 when nowhere.
type Fallo struct {
	Limite         string
	Motivo         string
	Linea, Columna int
}

// Codificar appends the payload to e.
func (m *Fallo) Codificar(e *Escritor) {
	e.Texto(m.Limite)
	e.Texto(m.Motivo)
	e.Uvarint(uint64(m.Linea))
	e.Uvarint(uint64(m.Columna))
}

func leerFallo(l *Lector) *Fallo {
	return &Fallo{
		Limite: l.Texto(), Motivo: l.Texto(),
		Linea: l.Entero(math.MaxInt32), Columna: l.Entero(math.MaxInt32),
	}
}

// LeerFallo decodes a payload.
func LeerFallo(b []byte) (*Fallo, error) {
	l := NuevoLector(b)
	m := leerFallo(l)
	return m, l.Cerrar()
}

// MaxFilas is how many rows one message carries at most.
const MaxFilas = 4096

// Llamada is the head of a call; the columns of the arguments follow it.
type Llamada struct {
	Funcion    int    // index in Declarado.Externas
	Filas      int    // 1 … MaxFilas
	Argumentos int    // how many columns follow
	Pasos      uint64 // steps that may still be spent
}

// Codificar appends the head to e.
func (m *Llamada) Codificar(e *Escritor) {
	e.Uvarint(uint64(m.Funcion))
	e.Uvarint(uint64(m.Filas))
	e.Uvarint(uint64(m.Argumentos))
	e.Uint64(m.Pasos)
}

// LeerLlamada takes the head off l.
func LeerLlamada(l *Lector) Llamada {
	m := Llamada{Funcion: l.Entero(math.MaxInt32), Filas: l.Entero(MaxFilas), Argumentos: l.Entero(maxAridad), Pasos: l.Uint64()}
	if m.Filas == 0 {
		l.Fallar("una llamada sin filas")
	}
	return m
}

// Respuesta is the head of a result; a column of len(Pasos) rows follows it.
// Fewer rows than asked without a Fallo mean that the box stopped to answer
// and the rest is to be asked again.
type Respuesta struct {
	Pasos      []uint64 // steps each computed row took
	Fallo      *Fallo   // why the row after them failed
	PasosFallo uint64   // steps that row took
}

// Codificar appends the head to e.
func (m *Respuesta) Codificar(e *Escritor) {
	e.Uvarint(uint64(len(m.Pasos)))
	for _, p := range m.Pasos {
		e.Uvarint(p)
	}
	if m.Fallo == nil {
		e.Byte(0)
		return
	}
	e.Byte(1)
	e.Uvarint(m.PasosFallo)
	m.Fallo.Codificar(e)
}

// Leer takes the head off l, reusing m's room.
func (m *Respuesta) Leer(l *Lector) {
	n := l.Entero(MaxFilas)
	*m = Respuesta{Pasos: m.Pasos[:0]}
	for range n {
		m.Pasos = append(m.Pasos, l.Uvarint())
		if l.Error() != nil {
			return
		}
	}
	if l.Booleano() {
		m.PasosFallo = l.Uvarint()
		m.Fallo = leerFallo(l)
	}
}
