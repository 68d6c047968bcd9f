package mcp

import (
	"context"
	"encoding/json"
)

// Avance reports how much of a call is done. Calls are cheap: the wire sends at
// most ten notifications a second, the last one always, and only to a client that
// asked (transporte.md §4). hechos must not go back; total is the work known so
// far, 0 when it is not known. Safe for concurrent use.
type Avance func(hechos, total int)

// Herramienta is one tool. Its name must be among the published definitions, and
// its arguments have passed the published input schema when Llamar is called.
type Herramienta struct {
	// Nombre is the tool's name in tools/list.
	Nombre string

	// Simultaneas is how many evaluations one call may have going at once, each
	// with a memory of its own. 0 means one.
	Simultaneas int

	// Llamar runs one call. args are the argument object's original bytes ("{}"
	// when the client sent none); what lies below evidence is not looked at yet.
	// It must stop soon after ctx is done; nothing it returns then is sent.
	//
	// An error with a method `Codigo() string` is a domain error and its text,
	// «CODIGO — mensaje» and the lines that name the field and the mend, is what
	// the agent reads. Any other error, and a panic, become EVALUACION_FALLO.
	//
	// Llamar runs in several goroutines at once.
	Llamar func(ctx context.Context, args json.RawMessage, avance Avance) (Resultado, error)
}

// Resultado is what a successful call answers.
type Resultado struct {
	// Estructurado is one JSON object: the bytes of structuredContent, sent
	// without white space between tokens. Nil sends none.
	Estructurado json.RawMessage

	// Texto is the content block. Empty means the text of Estructurado.
	Texto string
}

// ErrorDeDominio is an error an agent can act upon. Error is the whole text,
// which begins with the code.
type ErrorDeDominio interface {
	error
	Codigo() string
}

// errorEstructurado is a domain error of a server whose contract wants
// structuredContent in errors too (docugraph.md §4). The oracle's never carry it.
type errorEstructurado interface {
	ErrorDeDominio
	Estructurado() json.RawMessage
}
