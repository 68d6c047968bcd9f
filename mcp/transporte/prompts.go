package transporte

import (
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
)

// leerPrompt reads the envelope of a prompts/get into p. Its arguments stay raw.
func leerPrompt(p *Pedido, s sobre, servido func(string) bool) *falla {
	invalido := func(detalle string) *falla {
		return &falla{codigo: codigoParametros, mensaje: metodoPrompt + " inválido: " + detalle}
	}
	nombre, veces := buscar(s.params, claveNombre)
	texto, textual := crudo.Texto(nombre)
	argumentos, k := buscar(s.params, claveArgumentos)
	switch {
	case veces != 1 || !textual:
		return invalido("name tiene que ser un texto, una sola vez")
	case k > 1 || k == 1 && crudo.Tipo(argumentos) != '{':
		return invalido("arguments tiene que ser un objeto, una sola vez")
	case !servido(texto):
		return invalido("prompt desconocido: " + crudo.Cita(texto))
	case k == 0:
		argumentos = []byte(argumentosOmitidos)
	}
	p.Nombre, p.Argumentos = texto, argumentos
	return nil
}
