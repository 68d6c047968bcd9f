package superficie

import (
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// lugar is a place in the text.
type lugar struct {
	linea int // from 1
	byte  int // from the beginning of the text
}

// pieza is a node that was read, with the place of each of its own nodes.
type pieza struct {
	nodo  algebra.Nodo
	en    lugar
	hijas []pieza
	prof  int64 // levels of call
}

func hoja(en lugar, v algebra.Valor) pieza { return pieza{nodo: algebra.Hoja(v), en: en} }

func hojaTexto(en lugar, s string) pieza { return hoja(en, algebra.Texto(s)) }

// lista makes a list out of pieces, at no level of call of its own.
func lista(en lugar, hijas ...pieza) pieza {
	p := pieza{en: en, hijas: hijas}
	nodos := make([]algebra.Nodo, len(hijas))
	for i, h := range hijas {
		nodos[i] = h.nodo
		p.prof = max(p.prof, h.prof)
	}
	p.nodo = algebra.Lista(nodos...)
	return p
}

// conCabeza is lista with a first element that is a text, in the same place.
func conCabeza(en lugar, cabeza string, hijas ...pieza) pieza {
	return lista(en, append([]pieza{hojaTexto(en, cabeza)}, hijas...)...)
}

func hueco(en lugar, parametro string) pieza {
	return conCabeza(en, macro.CabezaDeHueco, hojaTexto(en, parametro))
}

// buscar returns the deepest piece there is on the way to a path.
func (p pieza) buscar(ruta algebra.Ruta) pieza {
	for _, i := range ruta {
		if i < 0 || i >= len(p.hijas) {
			break
		}
		p = p.hijas[i]
	}
	return p
}

// renglonDe returns the line of a text that has byte i, and the column of i.
func renglonDe(texto string, i int) (renglon string, columna int) {
	i = min(i, len(texto))
	desde := strings.LastIndexByte(texto[:i], '\n') + 1
	renglon = texto[desde:]
	if fin := strings.IndexByte(renglon, '\n'); fin >= 0 {
		renglon = renglon[:fin]
	}
	return strings.TrimSuffix(renglon, "\r"), columnaDe(texto[desde:], i-desde)
}
