package host

// Codigo is one of the closed domain codes of the contract («Rechazos y forma
// de los errores»). No other code ever reaches a caller (decisiones 4).
type Codigo string

// The closed codes, in the order of the contract's table.
const (
	ArgumentosInvalidos    Codigo = "ARGUMENTOS_INVALIDOS"
	ProyectoInvalido       Codigo = "PROYECTO_INVALIDO"
	CatalogoInvalido       Codigo = "CATALOGO_INVALIDO"
	MedidaDesconocida      Codigo = "MEDIDA_DESCONOCIDA"
	MedidaNoEfectiva       Codigo = "MEDIDA_NO_EFECTIVA"
	MedidaNoAplicable      Codigo = "MEDIDA_NO_APLICABLE"
	MedidaInvalida         Codigo = "MEDIDA_INVALIDA"
	EvidenciaInvalida      Codigo = "EVIDENCIA_INVALIDA"
	EvidenciaIncompleta    Codigo = "EVIDENCIA_INCOMPLETA"
	CasoRepetido           Codigo = "CASO_REPETIDO"
	EscalaresNoAutorizadas Codigo = "ESCALARES_NO_AUTORIZADAS"
	TrackerAusente         Codigo = "TRACKER_AUSENTE"
	TrackerInvalido        Codigo = "TRACKER_INVALIDO"
	TareaNoEncontrada      Codigo = "TAREA_NO_ENCONTRADA"
	IDAmbiguo              Codigo = "ID_AMBIGUO"
	LimiteDeAlgebra        Codigo = "LIMITE_DE_ALGEBRA"
	ProyectoCambio         Codigo = "PROYECTO_CAMBIO_DURANTE_LA_CONSULTA"
	EvaluacionFallo        Codigo = "EVALUACION_FALLO"
)

// Codigos returns every code, in the order of the contract's table.
func Codigos() []Codigo {
	return []Codigo{
		ArgumentosInvalidos, ProyectoInvalido, CatalogoInvalido, MedidaDesconocida, MedidaNoEfectiva,
		MedidaNoAplicable, MedidaInvalida, EvidenciaInvalida, EvidenciaIncompleta, CasoRepetido,
		EscalaresNoAutorizadas, TrackerAusente, TrackerInvalido, TareaNoEncontrada, IDAmbiguo,
		LimiteDeAlgebra, ProyectoCambio, EvaluacionFallo,
	}
}
