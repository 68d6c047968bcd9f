package mensaje

// A column travels as its class, whether it is constant, and its values: as
// many as the call has rows, or one when it is constant. A mixed column of
// arguments begins with the facts its values name, each once: the names of all
// the fields, then for each fact how many fields it has and, for each, the
// index of its name and its value.

// Clase is how a column keeps its values on the wire.
type Clase uint8

// Classes of column.
const (
	ClaseMixta     Clase = iota // a mark and a value each
	ClaseEnteros                // eight bytes each
	ClaseFlotantes              // eight bytes each, the bits of a finite float
	ClaseTextos                 // a length and UTF-8 bytes each
	ClaseBooleanos              // one byte each, 0 or 1
)

// Marca says what a value of a mixed column is.
type Marca uint8

// Marks of a value.
const (
	MarcaNulo     Marca = iota
	MarcaEntero         // a signed number of 64 bits
	MarcaGrande         // 1 when negative, then the magnitude's bytes, big-endian
	MarcaFlotante       // eight bytes
	MarcaTexto          // a length and UTF-8 bytes
	MarcaFalso
	MarcaVerdadero
	MarcaHecho // the index of a fact of this column
)
