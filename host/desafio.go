package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

// EsquemaDesafio is the value of «esquema» in a challenge.
const EsquemaDesafio = "oracle.mcp/desafio/v1"

// CasoEfimero is a case that exists only in the call. It expects one state,
// exactly.
type CasoEfimero struct {
	ID        string // not empty
	Espera    algebra.Estado
	Evidencia string // JSON
}

// PedidoDesafiar is what oracle_desafiar is asked.
type PedidoDesafiar struct {
	Medida Candidata
	Casos  []CasoEfimero

	// SinProyecto leaves the cases of the project out.
	SinProyecto bool

	// SoloObjetos refuses the «clave» node in the evidence of the ephemeral
	// cases, as MCP does.
	SoloObjetos bool

	// Avance, when not nil, is told how many mutants were run of how many. It
	// is called from several goroutines.
	Avance func(hechos, total int)
}

// Conclusion is what a challenge comes to. The strongest says only that these
// cases told these mutants apart.
type Conclusion string

// The six conclusions (contract, «oracle_desafiar»).
const (
	OriginalNoReproduce          Conclusion = "original_no_reproduce"
	FaltanPolaridades            Conclusion = "faltan_polaridades"
	SinMutantes                  Conclusion = "sin_mutantes"
	Sobrevivientes               Conclusion = "sobrevivientes"
	SinSobrevivientesConRechazos Conclusion = "sin_sobrevivientes_con_rechazos"
	TodosDetectadosPorConducta   Conclusion = "todos_detectados_por_conducta"
)

// Desafio is the answer of oracle_desafiar. It is immutable; lists are never
// nil.
type Desafio struct {
	Version       string
	Proyecto      string
	EntradaSHA256 string
	Medida        *algebra.Medida
	Conclusion    Conclusion
	Casos         CuentaDeCasos
	Discordancias []Discordancia
	Mutacion      Mutacion
	Advertencias  []string
}

// CuentaDeCasos says how many cases there were, by where they come from and by
// their polarity: whatever does not expect green expects red.
type CuentaDeCasos struct{ Total, DelProyecto, Efimeros, EsperanVerde, EsperanRojo int }

// Discordancia is a case the measure itself did not reproduce. Obtenido is a
// state, or «error».
type Discordancia struct {
	Caso     string
	Esperado algebra.Estado // the polarity: green or red
	Obtenido string
}

// Mutacion is what came of the mutants: Generados is the sum of the three
// classes, and NoDetectados brings two of them in order of generation.
type Mutacion struct {
	Generados, Detectados, Rechazados int
	NoDetectados                      []NoDetectado
}

// NoDetectado is a mutant no case told from the original by its conduct. Estado
// is «sobrevivio» or «rechazado_por_el_algebra».
type NoDetectado struct {
	ID, Cambio, Estado string

	mutante *mutante
}

// Forma returns the canonical form of the mutant.
func (n *NoDetectado) Forma() algebra.Nodo { return n.mutante.Forma() }

// Sobrevivientes returns how many mutants nothing noticed.
func (m *Mutacion) Sobrevivientes() int { return len(m.NoDetectados) - m.Rechazados }

// Desafiar answers oracle_desafiar (contract, «oracle_desafiar»; mutacion, «El
// desafío»). The error is *[Error], or the context's.
func (p *Proyecto) Desafiar(ctx context.Context, pedido PedidoDesafiar) (*Desafio, error) {
	return Estable(ctx, p, func(l *arbol.Lectura) (*Desafio, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		return q.desafiar(pedido)
	}, nil)
}

func (q *consulta) desafiar(pedido PedidoDesafiar) (*Desafio, error) {
	m, forma, err := q.retada(pedido.Medida)
	if err != nil {
		return nil, err
	}
	pruebas, err := q.reunir(m.ID, pedido, forma)
	if err != nil {
		return nil, err
	}
	d := &desafiada{q: q, medida: m, pruebas: pruebas, b: q.p.presupuesto(remedioDeDesafiar)}
	if err := d.originales(); err != nil {
		return nil, err
	}
	r := &Desafio{
		Version: q.p.op.Version, Proyecto: q.p.Raiz(), Medida: m,
		EntradaSHA256: firmaDeDesafiar(m, pruebas),
		Casos:         contarCasos(pruebas),
		Discordancias: discordancias(pruebas),
		Mutacion:      Mutacion{NoDetectados: []NoDetectado{}},
	}
	r.Advertencias = advertirDesafio(r, pruebas)
	if r.Conclusion = antesDeMutar(len(r.Discordancias), r.Casos); r.Conclusion != "" {
		return r, nil
	}
	ms, err := d.mutar(false, pedido.Avance)
	if err != nil {
		return nil, err
	}
	r.Mutacion = contarMutantes(ms)
	r.Conclusion = r.Mutacion.concluir()
	return r, nil
}

// catalogoPerezoso loads the catalog the first time somebody asks what a
// measure is, and remembers why it could not.
type catalogoPerezoso struct {
	q     *consulta
	cat   *Catalogo
	fallo error
}

func (c *catalogoPerezoso) forma(id string) (algebra.Nodo, bool) {
	if c.cat == nil && c.fallo == nil {
		c.cat, c.fallo = c.q.catalogo()
	}
	if c.cat == nil {
		return algebra.Nodo{}, false
	}
	return c.cat.formaEfectiva(id)
}

// retada loads the measure to challenge. A text does not load the catalog, but
// the catalog may still be asked for: a differential says of which measures it
// was obtained.
func (q *consulta) retada(c Candidata) (*algebra.Medida, *catalogoPerezoso, error) {
	if c.ID == "" {
		m, err := q.candidata(c)
		return m, &catalogoPerezoso{q: q}, err
	}
	cat, err := q.catalogo()
	if err != nil {
		return nil, nil, err
	}
	e, err := cat.Buscar(c.campo(), c.ID)
	if err != nil {
		return nil, nil, err
	}
	return e.Medida, &catalogoPerezoso{q: q, cat: cat}, nil
}

// deLaLlamada is the origin of an ephemeral case.
const deLaLlamada = "la llamada"

// reunir gathers the cases: those of the corpus, of the differentials and of
// the call, in that order. The evidence of the call is read here, whole; that
// of the project, when it is evaluated (codigos §1, proyecto §4).
func (q *consulta) reunir(id string, pedido PedidoDesafiar, cat *catalogoPerezoso) ([]prueba, error) {
	pruebas := []prueba{}
	if !pedido.SinProyecto {
		propios, err := q.corpus()
		if err != nil {
			return nil, q.comoProyecto(err)
		}
		escenarios, err := q.diferenciales(cat.forma)
		if cat.fallo != nil {
			return nil, cat.fallo
		}
		if err != nil {
			return nil, q.comoProyecto(err)
		}
		for _, c := range append(propios, escenarios...) {
			if c.medida == id {
				pruebas = append(pruebas, prueba{casoDeMedida: c})
			}
		}
	}
	desde := len(pruebas)
	for _, c := range pedido.Casos {
		pruebas = append(pruebas, prueba{efimero: true, casoDeMedida: casoDeMedida{
			id: c.ID, origen: deLaLlamada, medida: id, espera: corpus.Espera(c.Espera), evidencia: c.Evidencia,
		}})
	}
	donde := make(map[string]int, len(pruebas))
	for i, c := range pruebas {
		if otro, ya := donde[c.id]; ya {
			campo, primero, segundo := citarRuta(c.origen), pruebas[otro].origen, c.origen
			if c.efimero {
				campo = fmt.Sprintf("$.casos[%d].id", i-desde)
			}
			if otro >= desde { // the two are of the call
				primero, segundo = fmt.Sprintf("$.casos[%d]", otro-desde), fmt.Sprintf("$.casos[%d]", i-desde)
			}
			return nil, ErrCasoRepetido(campo, c.id, primero, segundo)
		}
		donde[c.id] = i
	}
	efimeras := pruebas[desde:]
	fallas := make([]error, len(efimeras))
	if err := q.p.cadaUno(q.ctx, len(efimeras), nil, func(i int) {
		efimeras[i].ev, fallas[i] = q.evidencia(efimeras[i].evidencia, fmt.Sprintf("$.casos[%d].evidencia", i), pedido.SoloObjetos)
	}); err != nil {
		return nil, err
	}
	for _, err := range fallas {
		if err != nil {
			return nil, err
		}
	}
	return pruebas, nil
}

// polaridad is the color a case counts for.
func polaridad(e corpus.Espera) algebra.Estado {
	if e == corpus.EsperaVerde {
		return algebra.Verde
	}
	return algebra.Rojo
}

func contarCasos(pruebas []prueba) CuentaDeCasos {
	c := CuentaDeCasos{Total: len(pruebas)}
	for i := range pruebas {
		if pruebas[i].efimero {
			c.Efimeros++
		} else {
			c.DelProyecto++
		}
		if polaridad(pruebas[i].espera) == algebra.Verde {
			c.EsperanVerde++
		} else {
			c.EsperanRojo++
		}
	}
	return c
}

func discordancias(pruebas []prueba) []Discordancia {
	ds := []Discordancia{}
	for i := range pruebas {
		c := &pruebas[i]
		if c.cumple() {
			continue
		}
		ds = append(ds, Discordancia{c.id, polaridad(c.espera), c.obtenido()})
	}
	return ds
}

// antesDeMutar is the conclusion that leaves the mutants ungenerated, "" when
// there is none.
func antesDeMutar(discordancias int, c CuentaDeCasos) Conclusion {
	switch {
	case discordancias > 0:
		return OriginalNoReproduce
	case c.EsperanVerde == 0 || c.EsperanRojo == 0:
		return FaltanPolaridades
	}
	return ""
}

func contarMutantes(ms []mutante) Mutacion {
	c := Mutacion{Generados: len(ms), NoDetectados: []NoDetectado{}}
	for i := range ms {
		m := &ms[i]
		switch m.destino() {
		case detectado:
			c.Detectados++
			continue
		case rechazado:
			c.Rechazados++
		}
		c.NoDetectados = append(c.NoDetectados, NoDetectado{m.ID, m.Cambio, string(m.destino()), m})
	}
	return c
}

func (m *Mutacion) concluir() Conclusion {
	switch {
	case m.Generados == 0:
		return SinMutantes
	case m.Sobrevivientes() > 0:
		return Sobrevivientes
	case m.Rechazados > 0:
		return SinSobrevivientesConRechazos
	default:
		return TodosDetectadosPorConducta
	}
}

// advertirDesafio says what no number of the answer says.
func advertirDesafio(d *Desafio, pruebas []prueba) []string {
	avisos := []string{"la mutación no demuestra corrección semántica: dice qué cambios de la medida distinguen estos casos, y nada más"}
	if d.Casos.DelProyecto == 0 {
		avisos = append(avisos, "ningún caso vino del proyecto: la evidencia escrita para una medida puede repetir su mismo error")
	}
	var exactos []string
	for i := range pruebas {
		if c := &pruebas[i]; !c.cumple() && c.espera == corpus.EsperaSinEvidencia {
			exactos = append(exactos, "«"+algebra.Citar(c.id)+"»")
		}
	}
	if len(exactos) > 0 {
		avisos = append(avisos, "esperaban exactamente sin_evidencia, que en las discordancias se publica como rojo: "+strings.Join(exactos, ", "))
	}
	const mostradas = 5
	n := 0
	for i := range pruebas {
		c := &pruebas[i]
		if c.falla == nil {
			continue
		}
		if n++; n <= mostradas {
			motivo, _ := partir(motivoDe(c.falla))
			avisos = append(avisos, fmt.Sprintf("el caso «%s» dio error: %s", algebra.Citar(c.id), motivo))
		}
	}
	if n > mostradas {
		avisos = append(avisos, fmt.Sprintf("otros %d casos dieron error", n-mostradas))
	}
	return avisos
}

// firmaDeDesafiar is entrada_sha256 of a challenge (proyecto §7).
func firmaDeDesafiar(m *algebra.Medida, pruebas []prueba) string {
	orden := make([]*prueba, len(pruebas))
	for i := range pruebas {
		orden[i] = &pruebas[i]
	}
	ordenarPor(orden, func(c *prueba) string { return c.id })
	h := sha256.New()
	h.Write([]byte(`{"casos":[`))
	for i, c := range orden {
		b := []byte(`,{"espera":`)
		if i == 0 {
			b = b[1:]
		}
		h.Write(append(algebra.AppendTexto(b, string(c.espera)), `,"evidencia":`...))
		c.firmarEvidencia(h)
		h.Write(append(algebra.AppendTexto([]byte(`,"id":`), c.id), '}'))
	}
	h.Write(append(m.Canonica().AppendJSON([]byte(`],"medida":`)), '}'))
	return hex.EncodeToString(h.Sum(nil))
}

// firmarEvidencia writes the evidence as canonical JSON. One of the project
// that is no evidence is signed too: as JSON if it is that, or as it came.
func (c *prueba) firmarEvidencia(h hash.Hash) {
	if c.ev != nil {
		_ = c.ev.WriteJSON(h) // a hash never fails to write
		return
	}
	b := []byte(c.evidencia)
	if v, err := estricto.Leer(b); err == nil {
		if canonica, err := v.AppendCanonico(nil); err == nil {
			b = canonica
		}
	}
	h.Write(b)
}

// AppendJSON appends the challenge as the contract's v1 object.
func (d *Desafio) AppendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("esquema", EsquemaDesafio)
	o.texto("oracle_version", d.Version)
	o.texto("proyecto", d.Proyecto)
	o.texto("entrada_sha256", d.EntradaSHA256)
	o.texto("medida", d.Medida.ID)
	o.texto("conclusion", string(d.Conclusion))
	o.clave("casos")
	o.b = d.Casos.appendJSON(o.b)
	o.clave("discordancias")
	o.b = appendLista(o.b, d.Discordancias, func(b []byte, x Discordancia) []byte {
		o := objeto{b: b}
		o.abrir()
		o.texto("caso", x.Caso)
		o.texto("esperado", string(x.Esperado))
		o.texto("obtenido", x.Obtenido)
		return o.cerrar()
	})
	o.clave("mutacion")
	o.b = d.Mutacion.appendJSON(o.b)
	o.textos("advertencias", d.Advertencias)
	return o.cerrar()
}

func (c CuentaDeCasos) appendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.entero("total", c.Total)
	o.entero("del_proyecto", c.DelProyecto)
	o.entero("efimeros", c.Efimeros)
	o.entero("esperan_verde", c.EsperanVerde)
	o.entero("esperan_rojo", c.EsperanRojo)
	return o.cerrar()
}

func (m *Mutacion) appendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.entero("generados", m.Generados)
	o.entero("detectados_por_conducta", m.Detectados)
	o.entero("rechazados_por_el_algebra", m.Rechazados)
	o.clave("no_detectados")
	o.b = appendLista(o.b, m.NoDetectados, func(b []byte, n NoDetectado) []byte {
		o := objeto{b: b}
		o.abrir()
		o.texto("id", n.ID)
		o.texto("cambio", n.Cambio)
		o.texto("estado", n.Estado)
		return o.cerrar()
	})
	return o.cerrar()
}
