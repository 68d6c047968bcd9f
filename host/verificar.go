package host

import (
	"context"
	"crypto/sha256"
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/mutacion"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
	"github.com/oracle-mcp/oracle-mcp/host/relaciones"
)

// EsquemaVerificacion is the value of «esquema» in a verification.
const EsquemaVerificacion = "oracle.verificacion/v1"

// PedidoVerificar is what «oracle-mcp verificar» asks.
type PedidoVerificar struct {
	// Avance, when not nil, is told how many mutants were run of how many. It
	// is called from several goroutines.
	Avance func(hechos, total int)
}

// Verificacion is what there is to say of a whole project: what its cases fix of
// each measure and what they leave free, and what the measures over measures say
// of the catalog (proyecto §9). It is immutable; lists are never nil.
type Verificacion struct {
	Version        string
	Proyecto       string
	HuellaProyecto string

	// OK says that everything is in order: every effective measure is, no case
	// claims a measure that is not there, and the catalog satisfies the
	// measures over it.
	OK bool

	Medidas []MedidaVerificada // effective, by id

	// Sueltos are the cases of no effective measure.
	Sueltos []CasoSuelto

	// Catalogo are the verdicts of the effective measures over the language's
	// own relations, judging the project itself; NoJuzgaron, those that stopped
	// without one.
	Catalogo   []Juicio
	NoJuzgaron []NoJuzgo

	Advertencias []string
}

// MedidaVerificada is an effective measure, its cases and its mutants.
type MedidaVerificada struct {
	*Entrada
	Fijacion Fijacion
	Casos    []CasoVerificado

	// Conclusion is that of challenging the measure with its cases. An
	// inherited one is not mutated and has none: whoever publishes it answers
	// for it.
	Conclusion Conclusion
	Mutantes   []MutanteVerificado
}

// CasoVerificado is a case and what the measure said of it.
type CasoVerificado struct {
	ID, Origen string
	Espera     corpus.Espera
	Obtenido   string // a state, or «error»
	Cumple     bool
	Motivo     string // of the error, "" without one

	Valor           algebra.Valor // nil with an error
	Testigos        [][]byte      // JSON, at most five
	CuantosTestigos int
}

// CasoSuelto is a case nobody answers. Medida is "" for a declared gap.
type CasoSuelto struct{ ID, Origen, Medida string }

// Hueco reports whether the case says itself that no measure sees it yet.
func (c *CasoSuelto) Hueco() bool { return c.Medida == "" }

// MutanteVerificado is a mutant, its class and in how many cases it was told
// from the original, or raised.
type MutanteVerificado struct {
	ID, Cambio             string
	Destino                string // detectado_por_conducta, rechazado_por_el_algebra or sobrevivio
	Conductuales, Rechazos int

	mutante mutacion.Mutante
}

// Sobrevive reports whether no case noticed the change.
func (m *MutanteVerificado) Sobrevive() bool { return m.Destino == string(sobrevivio) }

// Detectado reports whether some case noticed the change by its conduct.
func (m *MutanteVerificado) Detectado() bool { return m.Destino == string(detectado) }

// Diferencia returns the measure and the mutant as they read.
func (m *MutanteVerificado) Diferencia(original *algebra.Medida) []Renglon {
	return Diferencia(original.Canonica(), m.mutante.Forma())
}

// Cuenta returns how many mutants there were, and how many of each class.
func (m *MedidaVerificada) Cuenta() (generados, detectados, rechazados, sobreviven int) {
	for i := range m.Mutantes {
		switch {
		case m.Mutantes[i].Sobrevive():
			sobreviven++
		case m.Mutantes[i].Detectado():
			detectados++
		default:
			rechazados++
		}
	}
	return len(m.Mutantes), detectados, rechazados, sobreviven
}

// Discordancias returns how many cases the measure does not reproduce.
func (m *MedidaVerificada) Discordancias() int {
	n := 0
	for _, c := range m.Casos {
		if !c.Cumple {
			n++
		}
	}
	return n
}

// EnRegla reports whether the measure reproduces its cases and, if it is the
// project's own, they fix it: both polarities and no surviving mutant. One of
// its own over the language's relations may have no case: the verification
// itself evaluates it.
func (m *MedidaVerificada) EnRegla() bool {
	switch m.Conclusion {
	case "":
		return m.Discordancias() == 0
	case FaltanPolaridades:
		return len(m.Casos) == 0 && m.Fijacion == FijadaPorArnes
	case TodosDetectadosPorConducta, SinSobrevivientesConRechazos:
		return true
	}
	return false
}

// Verificar runs the corpus and the differentials, mutates every measure of the
// project's own catalog, and judges the catalog with the effective measures over
// the language's relations, mutants among the facts. Every challenge has the
// budget of a call. The error is *[Error], or the context's.
func (p *Proyecto) Verificar(ctx context.Context, pedido PedidoVerificar) (*Verificacion, error) {
	h := huella{suma: sha256.New()}
	r, err := Estable(ctx, p, func(l *arbol.Lectura) (*Verificacion, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		r, err := q.verificar(pedido)
		h.participan, h.embebidos = q.participan, q.embebidos
		return r, err
	}, h.ver)
	if err != nil {
		return nil, err
	}
	r.HuellaProyecto = h.cerrar()
	return r, nil
}

func (q *consulta) verificar(pedido PedidoVerificar) (*Verificacion, error) {
	cat, err := q.catalogo()
	if err != nil {
		return nil, err
	}
	casos, err := q.corpus()
	if err != nil {
		return nil, q.comoProyecto(err)
	}
	escenarios, err := q.diferenciales(cat.formaEfectiva)
	if err != nil {
		return nil, q.comoProyecto(err)
	}
	r := &Verificacion{Version: q.p.op.Version, Proyecto: q.p.Raiz(), Medidas: []MedidaVerificada{}, Sueltos: []CasoSuelto{},
		Catalogo: []Juicio{}, NoJuzgaron: []NoJuzgo{}, Advertencias: []string{}}
	porMedida := map[string][]prueba{}
	for _, c := range append(casos, escenarios...) {
		if cat.efectiva[c.medida] == nil {
			r.Sueltos = append(r.Sueltos, CasoSuelto{c.id, c.origen, c.medida})
			continue
		}
		porMedida[c.medida] = append(porMedida[c.medida], prueba{casoDeMedida: c})
	}
	mutantes, x, err := q.desafiarTodas(r, cat, porMedida, pedido.Avance)
	if err != nil {
		return nil, err
	}
	fijaciones, err := q.fijaciones(cat, x)
	if err != nil {
		return nil, err
	}
	for i := range r.Medidas {
		r.Medidas[i].Fijacion = fijaciones[i]
	}
	if err := q.juzgarElCatalogo(r, cat, mutantes); err != nil {
		return nil, err
	}
	if err := q.firmarLoDemas(); err != nil {
		return nil, err
	}
	r.concluir()
	return r, nil
}

// desafiarTodas runs every effective measure over its cases and mutates the
// project's own.
func (q *consulta) desafiarTodas(r *Verificacion, cat *Catalogo, porMedida map[string][]prueba, avance func(int, int)) ([]Mutante, *ejercicio, error) {
	van, total := 0, 0
	previstos := make([]int, len(cat.efectivas))
	if avance != nil {
		for i, e := range cat.efectivas {
			var err error
			if previstos[i], err = q.cuantosMutantes(e, porMedida[e.ID()]); err != nil {
				return nil, nil, err
			}
			total += previstos[i]
		}
	}
	mutantes := []Mutante{}
	x := &ejercicio{evaluan: map[string]int{}}
	for i, e := range cat.efectivas {
		var unAvance func(int, int)
		if avance != nil {
			antes := van
			unAvance = func(hechos, _ int) { avance(antes+hechos, total) }
		}
		m, err := q.verificarUna(e, porMedida[e.ID()], unAvance)
		if err != nil {
			return nil, nil, err
		}
		for _, c := range m.Casos {
			if c.Obtenido != "error" {
				x.evaluan[e.ID()]++
			}
		}
		for _, mu := range m.Mutantes {
			mutantes = append(mutantes, Mutante{Medida: e.ID(), Cambio: mu.ID, Conductuales: mu.Conductuales, Rechazos: mu.Rechazos})
		}
		// One that does not reproduce its cases was not mutated after all.
		if van += previstos[i]; len(m.Mutantes) < previstos[i] {
			avance(van, total)
		}
		r.Medidas = append(r.Medidas, *m)
	}
	return mutantes, x, nil
}

// cuantosMutantes counts the mutants a measure will have if its cases let it.
func (q *consulta) cuantosMutantes(e *Entrada, pruebas []prueba) (int, error) {
	if !e.Origen.Propio() || contarCasos(pruebas).EsperanVerde == 0 || contarCasos(pruebas).EsperanRojo == 0 {
		return 0, nil
	}
	ms, err := (&desafiada{q: q, medida: e.Medida, b: q.p.presupuesto(remedioDelCorpus)}).generar()
	if err != nil && q.ctx.Err() == nil {
		return 0, nil // mutating it says so, if its cases let it
	}
	return len(ms), err
}

func (q *consulta) verificarUna(e *Entrada, pruebas []prueba, avance func(int, int)) (*MedidaVerificada, error) {
	d := &desafiada{q: q, medida: e.Medida, pruebas: pruebas, b: q.p.presupuesto(remedioDelCorpus)}
	vistos := make([]CasoVerificado, len(pruebas))
	d.ver = func(i int, v *algebra.Veredicto) { vistos[i].anotar(v) }
	if err := d.originales(); err != nil {
		return nil, err
	}
	for i := range pruebas {
		vistos[i].cerrar(&pruebas[i])
	}
	m := &MedidaVerificada{Entrada: e, Casos: vistos, Mutantes: []MutanteVerificado{}}
	if !e.Origen.Propio() {
		return m, nil
	}
	if m.Conclusion = antesDeMutar(m.Discordancias(), contarCasos(pruebas)); m.Conclusion != "" {
		return m, nil
	}
	ms, err := d.mutar(true, avance)
	if err != nil {
		return nil, err
	}
	cuenta := contarMutantes(ms)
	m.Conclusion = cuenta.concluir()
	for i := range ms {
		x := &ms[i]
		m.Mutantes = append(m.Mutantes, MutanteVerificado{x.ID, x.Cambio, string(x.destino()), x.conductuales, x.rechazos, x.Mutante})
	}
	return m, nil
}

// anotar keeps what is shown of a verdict.
func (c *CasoVerificado) anotar(v *algebra.Veredicto) {
	c.Valor, c.CuantosTestigos = v.Valor, v.CantidadDeTestigos()
	for i := range min(topeDeTestigos, c.CuantosTestigos) {
		c.Testigos = append(c.Testigos, v.AppendTestigo(nil, i))
	}
}

func (c *CasoVerificado) cerrar(p *prueba) {
	c.ID, c.Origen, c.Espera, c.Cumple = p.id, p.origen, p.espera, p.cumple()
	c.Obtenido = p.obtenido()
	if p.falla != nil {
		c.Motivo, _ = partir(motivoDe(p.falla))
	}
}

// juzgarElCatalogo reifies the project, mutants too, and judges it with every
// effective measure over the language's relations, wherever it comes from.
func (q *consulta) juzgarElCatalogo(r *Verificacion, cat *Catalogo, mutantes []Mutante) error {
	var meta []*Entrada
	for _, e := range cat.efectivas {
		if sobreElLenguaje(e.Medida) {
			meta = append(meta, e)
		}
	}
	if len(meta) == 0 {
		r.Advertencias = append(r.Advertencias, "ninguna medida efectiva mira el catálogo mismo: nadie lo juzgó. Con catalogo_base en oracle.json lo juzgan las del catálogo base")
		return nil
	}
	h, err := q.reificar(PedidoHechos{Traza: true, Mutantes: mutantes})
	if err != nil {
		return err
	}
	ev, err := q.evidencia(string(h.AppendJSON(nil)), "los hechos del catálogo", true)
	if err != nil {
		return err
	}
	j := &Juzgado{Medidas: []Juicio{}, NoJuzgaron: []NoJuzgo{}, Advertencias: []string{}}
	if err := q.juzgarUnas(j, meta, ev, 0, nil); err != nil {
		return err
	}
	r.Catalogo, r.NoJuzgaron = j.Medidas, j.NoJuzgaron
	return nil
}

// sobreElLenguaje reports whether every relation a measure consumes is one the
// language emits about itself.
func sobreElLenguaje(m *algebra.Medida) bool {
	for _, r := range m.Relaciones() {
		if !relaciones.EsDelLenguaje(r) {
			return false
		}
	}
	return true
}

// concluir decides whether everything is in order.
func (r *Verificacion) concluir() {
	r.OK = len(r.NoJuzgaron) == 0
	for i := range r.Medidas {
		r.OK = r.OK && r.Medidas[i].EnRegla()
	}
	for i := range r.Catalogo {
		r.OK = r.OK && r.Catalogo[i].Satisface()
	}
	for i := range r.Sueltos {
		if c := &r.Sueltos[i]; !c.Hueco() {
			r.OK = false
			r.Advertencias = append(r.Advertencias, fmt.Sprintf("el caso «%s» (%s) reclama «%s», que no es una medida efectiva", algebra.Citar(c.ID), c.Origen, algebra.Citar(c.Medida)))
		}
	}
	if len(r.Medidas) == 0 {
		r.OK = false
		r.Advertencias = append(r.Advertencias, "el catálogo efectivo no tiene ninguna medida: no se verificó nada")
	}
}

// AppendJSON appends the verification as one object.
func (r *Verificacion) AppendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("esquema", EsquemaVerificacion)
	o.texto("oracle_version", r.Version)
	o.texto("proyecto", r.Proyecto)
	o.texto("huella_proyecto", r.HuellaProyecto)
	o.booleano("ok", r.OK)
	o.clave("medidas")
	o.b = appendLista(o.b, r.Medidas, func(b []byte, m MedidaVerificada) []byte { return m.appendJSON(b) })
	o.clave("casos_sueltos")
	o.b = appendLista(o.b, r.Sueltos, func(b []byte, c CasoSuelto) []byte {
		o := objeto{b: b}
		o.abrir()
		o.texto("id", c.ID)
		o.texto("origen", c.Origen)
		o.texto("medida", c.Medida)
		return o.cerrar()
	})
	o.clave("catalogo")
	o.b = appendLista(o.b, r.Catalogo, appendJuicio)
	o.clave("no_juzgaron")
	o.b = appendLista(o.b, r.NoJuzgaron, appendNoJuzgo)
	o.textos("advertencias", r.Advertencias)
	return o.cerrar()
}

func (m *MedidaVerificada) appendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("id", m.ID())
	o.texto("origen", m.Origen.String())
	o.texto("fuente", m.Fuente)
	o.texto("fijacion", string(m.Fijacion))
	o.booleano("en_regla", m.EnRegla())
	o.texto("conclusion", string(m.Conclusion))
	o.clave("umbral")
	o.b = appendUmbral(o.b, m.Medida.Umbral)
	o.texto("alcance", m.Medida.Alcance)
	o.clave("casos")
	o.b = appendLista(o.b, m.Casos, func(b []byte, c CasoVerificado) []byte { return c.appendJSON(b) })
	generados, detectados, rechazados, sobreviven := m.Cuenta()
	o.entero("generados", generados)
	o.entero("detectados_por_conducta", detectados)
	o.entero("rechazados_por_el_algebra", rechazados)
	o.entero("sobrevivientes", sobreviven)
	o.clave("mutantes")
	o.b = appendLista(o.b, m.Mutantes, func(b []byte, x MutanteVerificado) []byte {
		o := objeto{b: b}
		o.abrir()
		o.texto("id", x.ID)
		o.texto("cambio", x.Cambio)
		o.texto("destino", x.Destino)
		o.entero("casos_que_lo_notan", x.Conductuales)
		o.entero("casos_que_lo_rechazan", x.Rechazos)
		if x.Sobrevive() {
			o.clave("forma")
			o.b = x.mutante.Forma().AppendJSON(o.b)
		}
		return o.cerrar()
	})
	return o.cerrar()
}

func (c *CasoVerificado) appendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("id", c.ID)
	o.texto("origen", c.Origen)
	o.texto("espera", string(c.Espera))
	o.texto("obtenido", c.Obtenido)
	o.booleano("cumple", c.Cumple)
	if c.Motivo != "" {
		o.texto("motivo", c.Motivo)
	}
	if c.Valor != nil {
		o.clave("valor")
		o.b = algebra.AppendJSON(o.b, c.Valor)
	}
	o.clave("testigos")
	o.b = appendLista(o.b, c.Testigos, func(b []byte, t []byte) []byte { return append(b, t...) })
	o.entero("testigos_omitidos", c.CuantosTestigos-len(c.Testigos))
	return o.cerrar()
}
