package transporte

import (
	"encoding/json"

	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// Era is one of the two life cycles of the protocol that a process serves side by
// side.
type Era int

// The two eras: with initialize and a session, and with metadata in each request.
const (
	Heredada Era = iota
	Moderna
)

// Protocol versions, newest first: what server/discover lists.
const (
	VersionModerna  = "2026-07-28"
	VersionHeredada = "2025-11-25"
)

// Methods with a meaning here.
const (
	metodoDescubrir    = "server/discover"
	metodoInicializar  = "initialize"
	metodoPing         = "ping"
	metodoApagar       = "shutdown"
	metodoListar       = "tools/list"
	metodoLlamar       = "tools/call"
	metodoPrompts      = "prompts/list"
	metodoPrompt       = "prompts/get"
	avisoSalir         = "exit"
	avisoCancelar      = "notifications/cancelled"
	claveVersion       = "io.modelcontextprotocol/protocolVersion"
	claveCapacidades   = "io.modelcontextprotocol/clientCapabilities"
	claveCliente       = "io.modelcontextprotocol/clientInfo"
	claveProgreso      = "progressToken"
	claveMeta          = "_meta"
	claveNombre        = "name"
	claveArgumentos    = "arguments"
	claveIDDePedido    = "requestId"
	metodosDePrompts   = "prompts/"
	metodosDeHerram    = "tools/"
	argumentosOmitidos = "{}"
)

// metadatos is what params._meta says.
type metadatos struct {
	era   Era
	token json.RawMessage // progressToken as it came; nil without one
}

// leerMeta tells a request's era and checks its metadata (transporte.md §3). Only
// the modern era requires any.
func leerMeta(s sobre) (metadatos, *falla) {
	var m metadatos
	if s.metodo == metodoDescubrir {
		m.era = Moderna
	}
	invalido := func(detalle string) (metadatos, *falla) {
		return m, &falla{codigo: codigoParametros, mensaje: "_meta inválido: " + detalle}
	}
	raw, veces := buscar(s.params, claveMeta)
	if veces > 1 {
		return invalido("clave repetida: " + claveMeta)
	}
	ms, err := crudo.Miembros(raw, claveVersion, claveCapacidades, claveCliente, claveProgreso)
	if raw != nil && err != nil {
		return invalido("no es un objeto")
	}
	version, n := buscar(ms, claveVersion)
	capacidades, k := buscar(ms, claveCapacidades)
	cliente, j := buscar(ms, claveCliente)
	token, t := buscar(ms, claveProgreso)
	if n+k+j > 0 {
		m.era = Moderna
	}
	for clave, veces := range [...]int{n, k, j, t} {
		if veces > 1 {
			return invalido("clave repetida: " + [...]string{claveVersion, claveCapacidades, claveCliente, claveProgreso}[clave])
		}
	}
	if tipo := crudo.Tipo(token); token != nil && tipo != '"' && tipo != '0' {
		return invalido(claveProgreso + " no es un texto ni un número")
	}
	m.token = token
	if m.era == Heredada {
		return m, nil
	}
	return m, exigir(version, capacidades, cliente)
}

// exigir checks what the modern era asks of each request. The version goes first:
// what the other fields look like depends on it.
func exigir(version, capacidades, cliente json.RawMessage) *falla {
	invalido := func(detalle string) *falla {
		return &falla{codigo: codigoParametros, mensaje: "_meta inválido: " + detalle}
	}
	pedida, textual := crudo.Texto(version)
	switch {
	case version == nil:
		return invalido("falta " + claveVersion)
	case !textual:
		return invalido(claveVersion + " no es un texto")
	case pedida == VersionHeredada:
		return invalido(claveVersion + ": " + VersionHeredada + " se negocia con initialize, sin estos metadatos")
	case pedida != VersionModerna:
		return versionDesconocida(pedida)
	case capacidades == nil:
		return invalido("falta " + claveCapacidades)
	case crudo.Tipo(capacidades) != '{':
		return invalido(claveCapacidades + " no es un objeto")
	}
	if cliente == nil {
		return nil
	}
	ms, err := crudo.Miembros(cliente, "name", "version")
	if err != nil {
		return invalido(claveCliente + " no es un objeto")
	}
	for _, campo := range []string{"name", "version"} {
		if v, n := buscar(ms, campo); n > 0 && crudo.Tipo(v) != '"' {
			return invalido(claveCliente + "." + campo + " no es un texto")
		}
	}
	return nil
}

func versionDesconocida(pedida string) *falla {
	cita := crudo.Cita(pedida)
	datos := []byte(`{"supported":["` + VersionModerna + `","` + VersionHeredada + `"],"requested":`)
	datos = append(crudo.AppendTexto(datos, cita), '}')
	return &falla{codigo: codigoDeVersion, mensaje: "versión de protocolo no soportada: " + cita, datos: datos}
}

// buscar returns the value of the last member called clave, nil if there is none,
// and how many there are.
func buscar(ms []crudo.Miembro, clave string) (valor json.RawMessage, veces int) {
	for _, m := range ms {
		if m.Clave == clave {
			valor = m.Valor
			veces++
		}
	}
	return valor, veces
}
