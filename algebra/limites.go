package algebra

// Names of the limits, as messages and «--limite nombre=valor» spell them.
const (
	LimiteFilasPorRelacion   = "filas_por_relacion"
	LimiteProductoCartesiano = "producto_cartesiano"
	LimiteProfundidad        = "profundidad_expresion"
	LimiteExpansiones        = "expansiones_maximas"
	LimiteNodosDeMedida      = "nodos_de_medida"
	LimiteBitsDeEntero       = "bits_de_entero"
	LimiteTamanoDeValor      = "tamano_de_valor"
	LimitePasosDeOperacion   = "pasos_de_operacion"
	LimitePasosDeLlamada     = "pasos_de_llamada"
	LimiteMemoriaDeOperacion = "memoria_de_operacion"
	LimitePasosDeEscalar     = "pasos_de_escalar"
	LimitePasosDeCarga       = "pasos_de_carga"
	LimiteMemoriaDeEscalares = "memoria_de_escalares"
)

// LimitesAlgebra are the budgets of lenguaje §9. A field at zero or below
// means the table's default, never «no limit», so the zero value is the safe
// one. It is a plain value: pass it by copy.
type LimitesAlgebra struct {
	FilasPorRelacion     int64 // rows of a relation read
	ProductoCartesiano   int64 // rows a «unir» produces; pairs a «sin» compares
	ProfundidadExpresion int64 // levels of call; nesting of sources
	ExpansionesMaximas   int64 // rounds of macro expansion
	NodosDeMedida        int64 // nodes of the expanded canonical form
	BitsDeEntero         int64 // bits of an integer read, added or returned
	TamanoDeValor        int64 // bytes of a text read or returned
	PasosDeOperacion     int64 // expression nodes evaluated, by row
	PasosDeLlamada       int64 // sum of the steps of one call's evaluations
	MemoriaDeOperacion   int64 // estimated bytes of live intermediate rows and values
	PasosDeEscalar       int64 // interpreter steps of one call to a scalar
	PasosDeCarga         int64 // interpreter steps of loading the scalars' file
	MemoriaDeEscalares   int64 // bytes the scalars' box may take
}

// limite ties a name to its field, its default and its ceiling at start.
type limite struct {
	nombre     string
	campo      func(*LimitesAlgebra) *int64
	porOmision int64
	techo      int64
}

// tablaDeLimites is the table of §9 in its order. The ceiling is what
// «--limite» may raise a limit to: 100 times the default but for two.
func tablaDeLimites() []limite {
	t := []limite{
		{LimiteFilasPorRelacion, func(l *LimitesAlgebra) *int64 { return &l.FilasPorRelacion }, 100_000, 0},
		{LimiteProductoCartesiano, func(l *LimitesAlgebra) *int64 { return &l.ProductoCartesiano }, 1_000_000, 0},
		{LimiteProfundidad, func(l *LimitesAlgebra) *int64 { return &l.ProfundidadExpresion }, 64, 512},
		{LimiteExpansiones, func(l *LimitesAlgebra) *int64 { return &l.ExpansionesMaximas }, 16, 64},
		{LimiteNodosDeMedida, func(l *LimitesAlgebra) *int64 { return &l.NodosDeMedida }, 20_000, 0},
		{LimiteBitsDeEntero, func(l *LimitesAlgebra) *int64 { return &l.BitsDeEntero }, 4_096, 0},
		{LimiteTamanoDeValor, func(l *LimitesAlgebra) *int64 { return &l.TamanoDeValor }, 1 << 20, 0},
		{LimitePasosDeOperacion, func(l *LimitesAlgebra) *int64 { return &l.PasosDeOperacion }, 200_000_000, 0},
		{LimitePasosDeLlamada, func(l *LimitesAlgebra) *int64 { return &l.PasosDeLlamada }, 5_000_000_000, 0},
		{LimiteMemoriaDeOperacion, func(l *LimitesAlgebra) *int64 { return &l.MemoriaDeOperacion }, 256 << 20, 0},
		{LimitePasosDeEscalar, func(l *LimitesAlgebra) *int64 { return &l.PasosDeEscalar }, 1_000_000, 0},
		{LimitePasosDeCarga, func(l *LimitesAlgebra) *int64 { return &l.PasosDeCarga }, 10_000_000, 0},
		{LimiteMemoriaDeEscalares, func(l *LimitesAlgebra) *int64 { return &l.MemoriaDeEscalares }, 256 << 20, 0},
	}
	for i := range t {
		if t[i].techo == 0 {
			t[i].techo = 100 * t[i].porOmision
		}
	}
	return t
}

// Completos returns the same limits with every unset field at its default.
func (l LimitesAlgebra) Completos() LimitesAlgebra {
	for _, t := range tablaDeLimites() {
		if p := t.campo(&l); *p <= 0 {
			*p = t.porOmision
		}
	}
	return l
}

// NombresDeLimites returns the names of the limits in the table's order.
func NombresDeLimites() []string {
	var n []string
	for _, t := range tablaDeLimites() {
		n = append(n, t.nombre)
	}
	return n
}

// Fijar sets the limit with that name. It reports false, and changes nothing,
// when no limit has the name or the value is outside 1 … ceiling (lenguaje §9:
// 100 times the default; 512 for the depth, 64 for the expansions).
func (l *LimitesAlgebra) Fijar(nombre string, valor int64) bool {
	for _, t := range tablaDeLimites() {
		if t.nombre == nombre {
			if valor < 1 || valor > t.techo {
				return false
			}
			*t.campo(l) = valor
			return true
		}
	}
	return false
}
