package mcp

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
	"github.com/oracle-mcp/oracle-mcp/mcp/transporte"
)

// Prompt is one prompt a server offers: a name, the texts it takes, and the text
// it gives. The oracle offers none.
type Prompt struct {
	Nombre, Descripcion string
	Argumentos          []ArgumentoDePrompt
	// Obtener returns the prompt's text. An error is the client's mistake: it is
	// answered as invalid params, with its text.
	Obtener func(ctx context.Context, args map[string]string) (string, error)
}

// ArgumentoDePrompt is a text a prompt takes.
type ArgumentoDePrompt struct {
	Nombre, Descripcion string
	Obligatorio         bool
}

func (p Prompt) paraElSDK() *sdk.Prompt {
	r := &sdk.Prompt{Name: p.Nombre, Description: p.Descripcion}
	for _, a := range p.Argumentos {
		r.Arguments = append(r.Arguments, &sdk.PromptArgument{Name: a.Nombre, Description: a.Descripcion, Required: a.Obligatorio})
	}
	return r
}

func (a *armado) obtener(p Prompt) sdk.PromptHandler {
	return func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
		pedido := a.compuerta.Pedido(req.Params.GetMeta())
		if pedido == nil {
			return nil, errors.New("prompt sin pedido")
		}
		texto, err := a.componer(pedido, p)
		if err != nil {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "prompts/get inválido: " + err.Error()}
		}
		return &sdk.GetPromptResult{
			Description: p.Descripcion,
			Messages:    []*sdk.PromptMessage{{Role: "user", Content: &sdk.TextContent{Text: texto}}},
		}, nil
	}
}

// componer checks a prompt's arguments and runs it, containing its panics.
func (a *armado) componer(pedido *transporte.Pedido, p Prompt) (texto string, err error) {
	defer func() {
		if v := recover(); v != nil {
			a.anotarPanico(p.Nombre, v)
			texto, err = "", errors.New("falló por dentro")
		}
	}()
	args, err := p.leer(pedido.Argumentos)
	if err != nil {
		return "", err
	}
	return p.Obtener(pedido.Contexto(), args)
}

// leer checks the arguments against the ones declared: texts, none unknown, none
// twice, the required ones there.
func (p Prompt) leer(raw json.RawMessage) (map[string]string, error) {
	ms, err := crudo.Miembros(raw)
	if err != nil {
		return nil, err
	}
	args := map[string]string{}
	for _, m := range ms {
		texto, ok := crudo.Texto(m.Valor)
		_, repetido := args[m.Clave]
		if !ok || repetido || !p.declara(m.Clave) {
			return nil, errors.New("argumento inválido: " + crudo.Cita(m.Clave))
		}
		args[m.Clave] = texto
	}
	for _, a := range p.Argumentos {
		if _, ok := args[a.Nombre]; a.Obligatorio && !ok {
			return nil, errors.New("falta el argumento " + a.Nombre)
		}
	}
	return args, nil
}

func (p Prompt) declara(nombre string) bool {
	for _, a := range p.Argumentos {
		if a.Nombre == nombre {
			return true
		}
	}
	return false
}
