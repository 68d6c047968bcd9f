package superficie

import (
	"errors"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// tipoDeParametro says how the argument of a parameter is written. When the
// template uses the parameter in places of several kinds, the highest one is
// the narrowest, and it is the one.
type tipoDeParametro uint8

const (
	esExpresion tipoDeParametro = iota
	esTexto
	esSegun
	esAmbito
	esNombre
)

// tiposDeParametros reads the kinds off the places the holes of an expanded
// template are in. What is not said is an expression.
func tiposDeParametros(plantilla algebra.Nodo) map[string]tipoDeParametro {
	t := tipos{}
	if plantilla.Cabeza() != "medida" {
		return t
	}
	for i, h := range plantilla.Hijos()[1:] {
		switch {
		case i == 0:
			t.anotar(h, esNombre)
		case h.Cabeza() == "desde":
			for _, p := range h.Hijos()[1:] {
				t.paso(p)
			}
		default:
			t.final(h)
		}
	}
	return t
}

type tipos map[string]tipoDeParametro

func (t tipos) anotar(n algebra.Nodo, tipo tipoDeParametro) {
	if p, ok := macro.Hueco(n); ok {
		t[p] = max(t[p], tipo)
	}
}

// hijo notes child i of n, if there is one.
func (t tipos) hijo(n algebra.Nodo, i int, tipo tipoDeParametro) {
	if i < n.Largo() {
		t.anotar(n.Hijo(i), tipo)
	}
}

// paso notes a source or a step.
func (t tipos) paso(n algebra.Nodo) {
	switch n.Cabeza() {
	case "de":
		t.hijo(n, 1, esNombre)
		t.hijo(n, 2, esNombre)
	case "agrupar":
		for _, columnas := range n.Hijos()[1:] {
			for _, c := range columnas.Hijos() {
				t.hijo(c, 0, esNombre)
				if c.Largo() == 3 {
					t.hijo(c, 1, esNombre)
				}
				if c.Largo() > 0 {
					t.expr(c.Hijo(c.Largo() - 1))
				}
			}
		}
	case "unir", "sin", "donde":
		for _, h := range n.Hijos()[1:] {
			if c := h.Cabeza(); c == "de" || c == "unir" {
				t.paso(h)
			} else {
				t.expr(h)
			}
		}
	}
}

func (t tipos) expr(n algebra.Nodo) {
	if _, esHueco := macro.Hueco(n); esHueco {
		t.anotar(n, esExpresion)
		return
	}
	switch n.Cabeza() {
	case "campo", "hecho", "col":
		for _, h := range n.Hijos()[1:] {
			t.anotar(h, esNombre)
		}
		return
	}
	for i, h := range n.Hijos() {
		if i == 0 {
			t.anotar(h, esNombre)
		} else {
			t.expr(h)
		}
	}
}

// final notes what comes after the pipeline.
func (t tipos) final(n algebra.Nodo) {
	switch n.Cabeza() {
	case "resumen":
		t.hijo(n, 1, esNombre)
		if n.Largo() == 3 {
			t.expr(n.Hijo(2))
		}
	case "umbral":
		if n.Largo() > 2 {
			t.expr(n.Hijo(2))
		}
		t.hijo(n, 3, esTexto)
		t.hijo(n, 4, esSegun)
	case "requiere":
		for _, h := range n.Hijos()[1:] {
			if h.Cabeza() != "filas" {
				t.anotar(h, esNombre)
				continue
			}
			t.hijo(h, 1, esNombre)
			t.hijo(h, 2, esNombre)
			if h.Largo() == 4 {
				t.expr(h.Hijo(3))
			}
		}
	case "ambito":
		t.hijo(n, 1, esAmbito)
	case "alcance":
		t.hijo(n, 1, esTexto)
	}
}

// moldeDeLinea is a line of a template: its first word and the node the reader
// of such lines returns (lineas.go).
type moldeDeLinea struct {
	palabra string
	nodo    algebra.Nodo
	anidada bool // one level deeper: inside «agrupar:»
}

// lineasDePlantilla returns the lines of an expanded template that have some
// hole other than the one for the id. The error says that the surface cannot
// write the template by lines.
func lineasDePlantilla(plantilla algebra.Nodo, id string) ([]moldeDeLinea, error) {
	lineas, err := lineasDeMedida(plantilla)
	if err != nil {
		return nil, err
	}
	var quedan []moldeDeLinea
	for i, m := range lineas {
		tiene := tieneHueco(m.nodo, id)
		if m.palabra == "agrupar" {
			for _, s := range lineas[i+1:] {
				if !s.anidada {
					break
				}
				tiene = tiene || tieneHueco(s.nodo, id)
			}
		}
		if tiene {
			quedan = append(quedan, m)
		}
	}
	return quedan, nil
}

func tieneHueco(n algebra.Nodo, salvo string) bool {
	if p, esHueco := macro.Hueco(n); esHueco {
		return p != salvo
	}
	for _, h := range n.Hijos() {
		if tieneHueco(h, salvo) {
			return true
		}
	}
	return false
}

var errNoEsMedida = errors.New("no es una medida que la superficie pueda decir")

// lineasDeMedida cuts a measure into the lines it is written in, without the
// header.
func lineasDeMedida(n algebra.Nodo) ([]moldeDeLinea, error) {
	if n.Cabeza() != "medida" || n.Largo() < 6 || n.Hijo(2).Cabeza() != "desde" || n.Hijo(2).Largo() < 2 {
		return nil, errNoEsMedida
	}
	tuberia := n.Hijo(2).Hijos()
	lineas, err := lineasDeFuente(nil, tuberia[1])
	if err != nil {
		return nil, err
	}
	for _, p := range tuberia[2:] {
		switch p.Cabeza() {
		case "donde", "sin":
			lineas = append(lineas, moldeDeLinea{palabra: p.Cabeza(), nodo: p})
		case "agrupar":
			if p.Largo() != 3 || !p.Hijo(1).EsLista() || !p.Hijo(2).EsLista() {
				return nil, errNoEsMedida
			}
			lineas = append(lineas, moldeDeLinea{palabra: "agrupar", nodo: algebra.Lista()})
			for _, c := range p.Hijo(1).Hijos() {
				lineas = append(lineas, moldeDeLinea{palabra: "clave", nodo: c, anidada: true})
			}
			for _, c := range p.Hijo(2).Hijos() {
				lineas = append(lineas, moldeDeLinea{palabra: "agregado", nodo: c, anidada: true})
			}
		default:
			return nil, errNoEsMedida
		}
	}
	for i, h := range n.Hijos()[3:] {
		switch c := h.Cabeza(); {
		case i == 0 && c == "resumen", i == 1 && c == "umbral", i > 1 && (c == "ambito" || c == "alcance"):
			if c == "umbral" && h.Largo() == 4 {
				h = algebra.Lista(append(append([]algebra.Nodo(nil), h.Hijos()...), algebra.HojaTexto(algebra.SinDeclarar))...)
			}
			lineas = append(lineas, moldeDeLinea{palabra: c, nodo: h})
		case i > 1 && c == "requiere":
			lineas = append(lineas, lineasDeRequiere(h)...)
		default:
			return nil, errNoEsMedida
		}
	}
	return lineas, nil
}

// lineasDeFuente flattens sources joined to the left.
func lineasDeFuente(lineas []moldeDeLinea, n algebra.Nodo) ([]moldeDeLinea, error) {
	if n.Cabeza() != "unir" {
		if n.Cabeza() != "de" {
			return nil, errNoEsMedida
		}
		return append(lineas, moldeDeLinea{palabra: "de", nodo: n}), nil
	}
	if n.Largo() != 3 || n.Hijo(2).Cabeza() != "de" {
		return nil, errors.New("un unir a la derecha de otro")
	}
	lineas, err := lineasDeFuente(lineas, n.Hijo(1))
	return append(lineas, moldeDeLinea{palabra: "unir", nodo: n.Hijo(2)}), err
}

// lineasDeRequiere puts names that follow one another in one line, and each
// entry with its condition in its own. The node is the list of the entries.
func lineasDeRequiere(n algebra.Nodo) []moldeDeLinea {
	var lineas []moldeDeLinea
	var nombres []algebra.Nodo
	cerrar := func() {
		if nombres != nil {
			lineas = append(lineas, moldeDeLinea{palabra: "requiere", nodo: algebra.Lista(nombres...)})
			nombres = nil
		}
	}
	for _, e := range n.Hijos()[1:] {
		if e.Cabeza() != "filas" {
			nombres = append(nombres, e)
			continue
		}
		cerrar()
		lineas = append(lineas, moldeDeLinea{palabra: "requiere", nodo: algebra.Lista(e)})
	}
	cerrar()
	return lineas
}
