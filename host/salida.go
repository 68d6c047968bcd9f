package host

import (
	"math/big"
	"strconv"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// objeto writes a JSON object member by member, in the order they are put,
// which is the one the contract's schemas declare (codigos §3).
type objeto struct {
	b      []byte
	cuenta int
}

func (o *objeto) abrir() {
	o.b = append(o.b, '{')
	o.cuenta = 0
}

func (o *objeto) cerrar() []byte { return append(o.b, '}') }

func (o *objeto) clave(nombre string) {
	if o.cuenta++; o.cuenta > 1 {
		o.b = append(o.b, ',')
	}
	o.b = append(algebra.AppendTexto(o.b, nombre), ':')
}

func (o *objeto) texto(nombre, valor string) {
	o.clave(nombre)
	o.b = algebra.AppendTexto(o.b, valor)
}

func (o *objeto) entero(nombre string, valor int) {
	o.clave(nombre)
	o.b = strconv.AppendInt(o.b, int64(valor), 10)
}

func (o *objeto) booleano(nombre string, valor bool) {
	o.clave(nombre)
	o.b = strconv.AppendBool(o.b, valor)
}

func (o *objeto) textos(nombre string, valores []string) {
	o.clave(nombre)
	o.b = appendLista(o.b, valores, algebra.AppendTexto)
}

// appendLista writes a JSON array; a nil one is empty, never null.
func appendLista[T any](b []byte, xs []T, uno func([]byte, T) []byte) []byte {
	b = append(b, '[')
	for i, x := range xs {
		if i > 0 {
			b = append(b, ',')
		}
		b = uno(b, x)
	}
	return append(b, ']')
}

// AppendJSON appends the evaluation as the contract's v2 object.
func (e *Evaluacion) AppendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("esquema", EsquemaEvaluacion)
	o.texto("oracle_version", e.Version)
	o.texto("proyecto", e.Proyecto)
	o.texto("entrada_sha256", e.EntradaSHA256)
	o.texto("medida", e.Juicio.Medida.ID)
	e.Juicio.poner(&o)
	o.textos("alcance_derivado", e.AlcanceDerivado)
	o.textos("advertencias", e.Advertencias)
	return o.cerrar()
}

// poner writes what an evaluation and a judgement share, «estado» to «alcance».
func (j *Juicio) poner(o *objeto) {
	o.texto("estado", string(j.Veredicto.Estado))
	o.clave("valor")
	o.b = algebra.AppendJSON(o.b, j.Veredicto.Valor)
	o.clave("umbral")
	o.b = appendUmbral(o.b, j.Medida.Umbral)
	o.clave("sombra")
	o.b = j.appendSombra(o.b)
	total := j.Veredicto.CantidadDeTestigos()
	mostrados := min(total, topeDeTestigos)
	o.clave("testigos")
	o.b = append(o.b, '[')
	for i := range mostrados {
		if i > 0 {
			o.b = append(o.b, ',')
		}
		o.b = j.Veredicto.AppendTestigo(o.b, i)
	}
	o.b = append(o.b, ']')
	o.entero("testigos_omitidos", total-mostrados)
	o.texto("alcance", j.Medida.Alcance)
}

// appendJuicio writes a judgement with the id of its measure.
func appendJuicio(b []byte, j Juicio) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("id", j.Medida.ID)
	j.poner(&o)
	return o.cerrar()
}

// appendNoJuzgo writes a measure that stopped without a verdict.
func appendNoJuzgo(b []byte, n NoJuzgo) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("id", n.ID)
	o.texto("motivo", n.Motivo)
	return o.cerrar()
}

func appendUmbral(b []byte, u algebra.Umbral) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("operador", string(u.Op))
	o.clave("valor")
	o.b = algebra.AppendJSON(o.b, u.Limite)
	o.texto("segun", u.Segun)
	o.texto("porque", u.Porque)
	return o.cerrar()
}

func (j *Juicio) appendSombra(b []byte) []byte {
	if j.Sombra == nil {
		return append(b, "null"...)
	}
	o := objeto{b: b}
	o.abrir()
	o.texto("desde", j.Sombra.Desde)
	o.texto("porque", j.Sombra.Porque)
	o.clave("cota")
	if j.Sombra.Cota == nil {
		o.b = append(o.b, "null"...)
	} else {
		o.b = algebra.AppendJSON(o.b, *j.Sombra.Cota)
	}
	o.booleano("perdona", j.Perdona)
	return o.cerrar()
}

// noSupera reports whether v is a number at most cota, compared exactly.
func noSupera(v algebra.Valor, cota algebra.Entero) bool {
	var exacto big.Rat
	switch x := v.(type) {
	case algebra.Entero:
		exacto.SetInt(x.Big())
	case algebra.Flotante:
		if exacto.SetFloat64(float64(x)) == nil {
			return false
		}
	default:
		return false
	}
	return exacto.Cmp(new(big.Rat).SetInt(cota.Big())) <= 0
}
