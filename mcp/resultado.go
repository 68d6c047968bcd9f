package mcp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/oracle-mcp/oracle-mcp/mcp/crudo"
	"github.com/oracle-mcp/oracle-mcp/mcp/transporte"
)

// llamado writes the result of a tools/call.
type llamado struct {
	*sdk.CallToolResult
	era transporte.Era
}

// MarshalJSON writes resultType and _meta in the modern era only, then content,
// structuredContent if there is any, and isError always.
func (r *llamado) MarshalJSON() ([]byte, error) {
	b, err := abrirResultado(r.era, r.Meta)
	if err != nil {
		return nil, err
	}
	b = slices.Grow(b, r.largo())
	b = append(b, `"content":[`...)
	for i, c := range r.Content {
		t, ok := c.(*sdk.TextContent)
		if !ok {
			return nil, fmt.Errorf("mcp: content of type %T", c)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"type":"text","text":`...)
		b = append(crudo.AppendTexto(b, t.Text), '}')
	}
	b = append(b, ']')
	if e, ok := r.StructuredContent.(json.RawMessage); ok {
		b = append(b, `,"structuredContent":`...)
		b = append(b, e...)
	}
	if r.IsError {
		return append(b, `,"isError":true}`...), nil
	}
	return append(b, `,"isError":false}`...), nil
}

// largo is about how many bytes the result takes, a little over: a big one that
// grew as it was written would leave several times itself behind.
func (r *llamado) largo() int {
	n := 128
	for _, c := range r.Content {
		if t, ok := c.(*sdk.TextContent); ok {
			n += len(t.Text) + strings.Count(t.Text, `"`) + strings.Count(t.Text, `\`) + 64
		}
	}
	if e, ok := r.StructuredContent.(json.RawMessage); ok {
		n += len(e)
	}
	return n
}

// compuesto writes the result of a prompts/get.
type compuesto struct {
	*sdk.GetPromptResult
	era transporte.Era
}

// MarshalJSON writes resultType and _meta in the modern era only, then the
// description, if there is one, and the messages.
func (r *compuesto) MarshalJSON() ([]byte, error) {
	b, err := abrirResultado(r.era, r.Meta)
	if err != nil {
		return nil, err
	}
	if r.Description != "" {
		b = append(crudo.AppendTexto(append(b, `"description":`...), r.Description), ',')
	}
	b = append(b, `"messages":[`...)
	for i, m := range r.Messages {
		t, ok := m.Content.(*sdk.TextContent)
		if !ok {
			return nil, fmt.Errorf("mcp: message of type %T", m.Content)
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(crudo.AppendTexto(append(b, `{"role":`...), string(m.Role)), `,"content":{"type":"text","text":`...)
		b = append(crudo.AppendTexto(b, t.Text), "}}"...)
	}
	return append(b, "]}"...), nil
}

// listado writes the result of a list method: the same array in both eras.
type listado struct {
	sdk.Result
	era   transporte.Era
	cache sdk.Cacheable
	clave string
	lista json.RawMessage
}

// MarshalJSON writes resultType, _meta and the cache hints in the modern era only.
func (r *listado) MarshalJSON() ([]byte, error) {
	b, err := abrirResultado(r.era, r.GetMeta())
	if err != nil {
		return nil, err
	}
	if r.era == transporte.Moderna {
		b = fmt.Appendf(b, `"ttlMs":%d,"cacheScope":%q,`, r.cache.TTLMs, r.cache.CacheScope)
	}
	b = append(b, '"')
	b = append(b, r.clave...)
	b = append(b, `":`...)
	b = append(b, r.lista...)
	return append(b, '}'), nil
}

// abrirResultado begins a result object, up to where its own members go.
func abrirResultado(era transporte.Era, meta sdk.Meta) ([]byte, error) {
	if era == transporte.Heredada {
		return []byte("{"), nil
	}
	b := []byte(`{"resultType":"complete",`)
	if len(meta) == 0 {
		return b, nil
	}
	m, err := json.Marshal(meta)
	if err != nil {
		return nil, err
	}
	b = append(b, `"_meta":`...)
	return append(append(b, m...), ','), nil
}
