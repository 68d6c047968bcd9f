package transporte

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// atender acts on one line. Called with mu held.
func (c *Compuerta) atender(s sobre, largo int) {
	switch s.especie {
	case especieNotificacion:
		c.notificacion(s)
	case especieInvalida:
		c.rechazar(nil, s.falla)
	case especiePedido:
		clave := claveDeID(s.id)
		if c.vuelo.porID[clave] != nil {
			if s.falla == nil {
				s.falla = pedidoInvalido("id repetido en vuelo: " + crudo.CitaJSON(s.id))
			}
			c.rechazar(nil, s.falla)
			return
		}
		if s.falla == nil {
			s.falla = c.admitir(s, clave, largo)
		}
		if s.falla != nil {
			c.rechazar(s.id, s.falla)
		}
	}
}

// notificacion obeys the two that mean something here.
func (c *Compuerta) notificacion(s sobre) {
	switch s.metodo {
	case avisoSalir:
		c.fin.sinEntrada = true
		if !c.sesion.apagada {
			c.fin.errEntrada = ErrSalidaSinApagado
		}
	case avisoCancelar:
		id, _ := buscar(s.params, claveIDDePedido)
		if t := crudo.Tipo(id); t == '"' || t == '0' {
			c.cancelar(claveDeID(id))
		}
	}
}

// admitir checks a well-formed request against its era and lets it through, or
// says what is wrong with it.
func (c *Compuerta) admitir(s sobre, clave string, largo int) *falla {
	m, f := leerMeta(s)
	if m.era == Heredada && c.sesion.apagada {
		return pedidoInvalido("el servidor ya recibió shutdown")
	}
	if f != nil {
		return f
	}
	if !c.conoce(m.era, s.metodo) {
		return &falla{codigo: codigoMetodo, mensaje: "método no soportado: " + crudo.Cita(s.metodo)}
	}
	// Copies: the request outlives its line, which may be huge.
	p := &Pedido{Era: m.era, token: bytes.Clone(m.token), id: bytes.Clone(s.id), clave: clave, metodo: s.metodo}
	if m.era == Heredada {
		if f := c.avanzarSesion(s.metodo); f != nil {
			return f
		}
	}
	switch s.metodo {
	case metodoLlamar:
		f = leerLlamada(p, s, c.cfg.Herramienta)
	case metodoPrompt:
		f = leerPrompt(p, s, c.cfg.Prompt)
	}
	if f != nil {
		return f
	}
	if s.metodo == metodoApagar {
		c.encolar(salida{linea: lineaDeResultado(s.id, []byte("null"))})
		return nil
	}
	c.dejarPasar(p, largo)
	return nil
}

// conoce reports whether an era has a method.
func (c *Compuerta) conoce(e Era, metodo string) bool {
	switch metodo {
	case metodoListar, metodoLlamar:
		return true
	case metodoPrompts, metodoPrompt:
		return c.cfg.Prompt != nil
	case metodoDescubrir:
		return e == Moderna
	case metodoInicializar, metodoPing, metodoApagar:
		return e == Heredada
	}
	return false
}

// avanzarSesion moves the legacy session, or says why a request is out of place.
func (c *Compuerta) avanzarSesion(metodo string) *falla {
	switch {
	case metodo == metodoInicializar && c.sesion.iniciada:
		return pedidoInvalido("initialize ya se había recibido")
	case metodo == metodoInicializar:
		c.sesion.iniciada = true
	case metodo == metodoApagar:
		c.sesion.apagada = true
	case !c.sesion.iniciada && (strings.HasPrefix(metodo, metodosDeHerram) || strings.HasPrefix(metodo, metodosDePrompts)):
		return pedidoInvalido(metodo + " antes de initialize")
	}
	return nil
}

// leerLlamada reads the envelope of a tools/call into p.
func leerLlamada(p *Pedido, s sobre, servida func(string) bool) *falla {
	invalida := func(detalle string) *falla {
		return &falla{codigo: codigoParametros, mensaje: metodoLlamar + " inválido: " + detalle}
	}
	if !s.conPar {
		return invalida("falta el objeto params")
	}
	nombre, veces := buscar(s.params, claveNombre)
	texto, textual := crudo.Texto(nombre)
	argumentos, k := buscar(s.params, claveArgumentos)
	switch {
	case veces == 0:
		return invalida("falta name")
	case veces > 1:
		return invalida("clave repetida: name")
	case !textual:
		return invalida("name no es un texto")
	case k > 1:
		return invalida("clave repetida: arguments")
	case k == 1 && crudo.Tipo(argumentos) != '{':
		return invalida("arguments no es un objeto")
	case !servida(texto):
		return invalida("herramienta desconocida: " + crudo.Cita(texto))
	case k == 0:
		argumentos = json.RawMessage(argumentosOmitidos)
	}
	p.Nombre, p.Argumentos = texto, argumentos
	return nil
}

// rechazar answers an error; a nil id is null.
func (c *Compuerta) rechazar(id json.RawMessage, f *falla) {
	c.encolar(salida{linea: lineaDeError(id, f)})
}
