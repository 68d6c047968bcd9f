package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
	"github.com/oracle-mcp/oracle-mcp/mcp/transporte"
)

// codigoDeFalla is the code of what has no other: an error without code, a panic.
const codigoDeFalla = "EVALUACION_FALLO"

// atender returns the SDK's handler for a tool. Everything a tool can do wrong ends
// in a result with isError: a handler's error would be the protocol's.
func (a *armado) atender(h Herramienta) sdk.ToolHandler {
	return func(_ context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
		p := a.compuerta.Pedido(req.Params.GetMeta())
		if p == nil {
			return nil, errors.New("llamada sin pedido") // closing: nobody to answer
		}
		r, err := a.correr(p.Contexto(), h, p.Argumentos, func(hechos, total int) {
			a.compuerta.Avance(p, hechos, total)
		})
		if err != nil {
			return resultadoDeError(err), nil
		}
		a.compuerta.UltimoAvance(p)
		return resultadoDeExito(r), nil
	}
}

// correr checks the arguments and runs the tool, containing its panics.
func (a *armado) correr(ctx context.Context, h Herramienta, args json.RawMessage, avance Avance) (r Resultado, err error) {
	defer func() {
		if v := recover(); v != nil {
			a.anotarPanico(h.Nombre, v)
			r, err = Resultado{}, &falla{tipo: fmt.Sprintf("%T", v), mensaje: fmt.Sprint(v)}
		}
	}()
	if a.servidor.Validar != nil {
		if err := a.servidor.Validar(h.Nombre, args); err != nil {
			return Resultado{}, err
		}
	}
	r, err = h.Llamar(ctx, args, avance)
	if err != nil {
		a.anotarFalla(h.Nombre, err)
		return Resultado{}, err
	}
	if r.Estructurado == nil {
		return r, nil
	}
	compacto := bytes.NewBuffer(make([]byte, 0, len(r.Estructurado))) // growing would leave twice as much behind
	if err := json.Compact(compacto, r.Estructurado); err != nil || crudo.Tipo(r.Estructurado) != '{' {
		a.registro.Error("una herramienta devolvió algo que no es un objeto JSON", "herramienta", h.Nombre)
		return Resultado{}, &falla{tipo: "resultado", mensaje: "la herramienta no devolvió un objeto JSON"}
	}
	r.Estructurado = compacto.Bytes()
	return r, nil
}

// anotarFalla leaves where only a person reads it the trace of a fault that was
// already contained, if the error is one.
func (a *armado) anotarFalla(nombre string, err error) {
	var interna interface {
		error
		Rastro() string
	}
	if errors.As(err, &interna) {
		a.registro.Error("falla contenida", "en", nombre, "falla", interna.Error(), "traza", interna.Rastro())
	}
}

// anotarPanico leaves a panic's trace where only a person reads it.
func (a *armado) anotarPanico(nombre string, v any) {
	a.registro.Error("pánico contenido", "en", nombre, "panico", fmt.Sprint(v), "traza", string(debug.Stack()))
}

// falla is an error nobody gave a code to. It renders the contract's template for
// an exception that cannot be classified; nothing of the caller's mends it.
type falla struct{ tipo, mensaje string }

func (f *falla) Codigo() string { return codigoDeFalla }

func (f *falla) Error() string {
	return rechazo.Texto(codigoDeFalla, f.tipo+": "+crudo.Cita(f.mensaje)+". No se produjo un veredicto.",
		rechazo.Remedio{Correccion: rechazo.FallaPropia}, "")
}

func resultadoDeExito(r Resultado) *sdk.CallToolResult {
	res := &sdk.CallToolResult{}
	texto := r.Texto
	if r.Estructurado != nil {
		res.StructuredContent = r.Estructurado
		if texto == "" {
			texto = string(r.Estructurado)
		}
	}
	res.Content = []sdk.Content{&sdk.TextContent{Text: texto}}
	return res
}

func resultadoDeError(err error) *sdk.CallToolResult {
	dominio, ok := errors.AsType[ErrorDeDominio](err)
	if !ok {
		dominio = &falla{tipo: strings.TrimLeft(fmt.Sprintf("%T", err), "*"), mensaje: err.Error()}
	}
	res := &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: dominio.Error()}}}
	if e, ok := dominio.(errorEstructurado); ok {
		res.StructuredContent = e.Estructurado()
	}
	return res
}

// forma is the SDK middleware that gives results the contract's bytes: tools/list
// in the contract's order and without hints the legacy era lacks, tools/call with
// isError written and nothing escaped that need not be.
func (a *armado) forma(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, metodo string, req sdk.Request) (sdk.Result, error) {
		res, err := next(ctx, metodo, req)
		if err != nil {
			return nil, err
		}
		era := transporte.Heredada
		if p := a.compuerta.Pedido(req.GetParams().GetMeta()); p != nil {
			era = p.Era
		}
		switch r := res.(type) {
		case *sdk.CallToolResult:
			return &llamado{CallToolResult: r, era: era}, nil
		case *sdk.ListToolsResult:
			return &listado{Result: r, era: era, cache: r.Cacheable, clave: "tools", lista: a.lista}, nil
		case *sdk.GetPromptResult:
			return &compuesto{GetPromptResult: r, era: era}, nil
		case *sdk.ListPromptsResult:
			lista, err := json.Marshal(r.Prompts)
			return &listado{Result: r, era: era, cache: r.Cacheable, clave: "prompts", lista: lista}, err
		}
		return res, nil
	}
}
