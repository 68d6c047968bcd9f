package superficie

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// ErrorDeImpresion says that the surface cannot write a form (lenguaje §6,
// «Impresor»).
type ErrorDeImpresion struct {
	Motivo string       // in Spanish, without a final period
	Nodo   algebra.Nodo // the node the surface cannot write
}

// Error returns the reason and the node.
func (e *ErrorDeImpresion) Error() string {
	return fmt.Sprintf("la superficie no puede decirlo: %s: %s", e.Motivo, algebra.Citar(e.Nodo.String()))
}

func noSeDice(n algebra.Nodo, formato string, args ...any) error {
	return &ErrorDeImpresion{Motivo: fmt.Sprintf(formato, args...), Nodo: n}
}

// Imprimir returns the text of a canonical form: a measure, or a macro whose
// template is one. Reading it gives the same form back, with «umbral» of five
// elements and without an «ambito» that is not declared. The error is
// *[ErrorDeImpresion] for whatever the surface cannot write; a form that loads
// is refused only for a «unir» to the right of another and for names that are
// not identifiers.
func Imprimir(n algebra.Nodo) (string, error) { return ImprimirCon(n, nil) }

// ImprimirCon is [Imprimir] for forms with invocations of the macros of a
// table, which come out by name of parameter.
func ImprimirCon(n algebra.Nodo, macros *macro.Tabla) (string, error) {
	i := impresor{macros: macros}
	if n.Cabeza() == macro.Cabeza {
		if err := i.defmacro(n); err != nil {
			return "", err
		}
	} else if err := i.medida(n, 0); err != nil {
		return "", err
	}
	return i.b.String(), nil
}

// ImprimirExpr returns the text of an expression alone, as in «relación con
// <condición>» (lenguaje §5). The error is *[ErrorDeImpresion].
func ImprimirExpr(n algebra.Nodo) (string, error) {
	return exprImpresa(n, false)
}

type impresor struct {
	b         strings.Builder
	macros    *macro.Tabla
	plantilla bool
}

func (i *impresor) linea(sangria int, s string) {
	i.b.WriteString(strings.Repeat(" ", sangria))
	i.b.WriteString(s)
	i.b.WriteByte('\n')
}

func (i *impresor) medida(n algebra.Nodo, sangria int) error {
	if m := i.macros.Buscar(n.Cabeza()); m != nil {
		return i.invocacion(n, m, sangria)
	}
	lineas, err := lineasDeMedida(n)
	if err != nil {
		return noSeDice(n, "%s", err)
	}
	id, err := idImpreso(n.Hijo(1))
	if err != nil {
		return err
	}
	i.linea(sangria, "medida "+id+":")
	for _, m := range lineas {
		if m.palabra == "ambito" && m.nodo.Largo() == 2 {
			if s, _ := m.nodo.Hijo(1).Texto(); s == algebra.SinDeclarar {
				continue
			}
		}
		s, err := m.impresa(i.plantilla)
		if err != nil {
			return err
		}
		nivel := sangria + pasoDeSangria
		if m.anidada {
			nivel += pasoDeSangria
		}
		i.linea(nivel, s)
	}
	// The order of the last nodes is part of what is read.
	orden := map[string]int{"umbral": 1, "requiere": 2, "ambito": 3, "alcance": 4}
	for k := 5; k < n.Largo(); k++ {
		antes, este := n.Hijo(k-1).Cabeza(), n.Hijo(k).Cabeza()
		if orden[este] <= orden[antes] {
			return noSeDice(n, "%s después de %s", este, antes)
		}
	}
	if n.Hijo(n.Largo()-1).Cabeza() != "alcance" {
		return noSeDice(n, "una medida sin alcance")
	}
	return nil
}

func (i *impresor) invocacion(n algebra.Nodo, m *macro.Macro, sangria int) error {
	params := m.Parametros()
	if n.Largo()-1 != len(params) {
		return noSeDice(n, "«%s» lleva %d argumentos", m.Nombre(), len(params))
	}
	id, err := idImpreso(n.Hijo(1))
	if err != nil {
		return err
	}
	plantilla, err := i.macros.ExpandirPlantilla(m, algebra.LimitesAlgebra{})
	if err != nil {
		return noSeDice(n, "%s", err)
	}
	tipos := tiposDeParametros(plantilla)
	i.linea(sangria, m.Nombre()+" "+id+":")
	for k, p := range params[1:] {
		v, err := valorImpreso(n.Hijo(k+2), tipos[p], i.plantilla)
		if err != nil {
			return err
		}
		i.linea(sangria+pasoDeSangria, p+" "+v)
	}
	return nil
}

func (i *impresor) defmacro(n algebra.Nodo) error {
	m, err := macro.Declarar(n, algebra.LimitesAlgebra{})
	if err != nil {
		return noSeDice(n, "%s", err)
	}
	i.plantilla = true
	i.linea(0, encabezadoDeMacro(m.Nombre(), n.Hijo(2)))
	for _, g := range n.Hijo(3).Hijos() {
		s, err := lineaImpresa(g, true)
		if err != nil {
			return err
		}
		i.linea(pasoDeSangria, s)
	}
	return i.medida(m.Plantilla(), pasoDeSangria)
}

func encabezadoDeMacro(nombre string, params algebra.Nodo) string {
	var b strings.Builder
	b.WriteString(macro.Cabeza + " " + nombre + "(")
	for i, p := range params.Hijos() {
		if i > 0 {
			b.WriteString(", ")
		}
		s, _ := p.Texto()
		b.WriteString(s)
	}
	return b.String() + "):"
}

// texto returns the line of a template.
func (m moldeDeLinea) texto() (string, error) { return m.impresa(true) }

// impresa returns the line without its indentation.
func (m moldeDeLinea) impresa(plantilla bool) (string, error) {
	switch m.palabra {
	case "de", "unir":
		return parImpreso(m.palabra, m.nodo)
	case "agrupar":
		return "agrupar:", nil
	case "clave", "agregado":
		return columnaImpresa(m.palabra, m.nodo, plantilla)
	case "requiere":
		return requiereImpreso(m.nodo.Hijos(), plantilla)
	default:
		return lineaImpresa(m.nodo, plantilla)
	}
}

// parImpreso prints ["de", relación, alias] after «de» or «unir».
func parImpreso(palabra string, n algebra.Nodo) (string, error) {
	if n.Cabeza() != "de" || n.Largo() != 3 {
		return "", noSeDice(n, "no es una fuente")
	}
	rel, err := nombreImpreso(n.Hijo(1))
	if err != nil {
		return "", err
	}
	alias, err := nombreImpreso(n.Hijo(2))
	return palabra + " " + rel + " " + alias, err
}

func columnaImpresa(palabra string, n algebra.Nodo, plantilla bool) (string, error) {
	if quiere := map[string]int{"clave": 2, "agregado": 3}[palabra]; n.Largo() != quiere {
		return "", noSeDice(n, "no es una línea de agrupar")
	}
	nombre, err := nombreImpreso(n.Hijo(0))
	if err != nil {
		return "", err
	}
	var s string
	if palabra == "clave" {
		s, err = exprImpresa(n.Hijo(1), plantilla)
	} else {
		s, err = agregacionImpresa(n.Hijo(1), n.Hijo(2), plantilla)
	}
	return palabra + " " + nombre + " = " + s, err
}

func agregacionImpresa(f, e algebra.Nodo, plantilla bool) (string, error) {
	if s, esTexto := f.Texto(); esTexto && !esOpcion(vocabularioDeAgregados(), s) {
		return "", noSeDice(f, "no es un agregado")
	}
	nombre, err := nombreImpreso(f)
	if err != nil {
		return "", err
	}
	s, err := exprImpresa(e, plantilla)
	return nombre + "(" + s + ")", err
}

// requiereImpreso prints the entries of one line of «requiere».
func requiereImpreso(entradas []algebra.Nodo, plantilla bool) (string, error) {
	var partes []string
	for _, e := range entradas {
		if e.Cabeza() == "filas" {
			if e.Largo() != 4 {
				return "", noSeDice(e, "no es una entrada de requiere")
			}
			par, err := condicionImpresa("requiere", e.Hijo(1), e.Hijo(2), e.Hijo(3), plantilla)
			return par, err
		}
		s, err := nombreImpreso(e)
		if err != nil {
			return "", err
		}
		partes = append(partes, s)
	}
	return "requiere " + strings.Join(partes, ", "), nil
}

func condicionImpresa(palabra string, rel, alias, cond algebra.Nodo, plantilla bool) (string, error) {
	r, err := nombreImpreso(rel)
	if err != nil {
		return "", err
	}
	a, err := nombreImpreso(alias)
	if err != nil {
		return "", err
	}
	s, err := exprImpresa(cond, plantilla)
	return palabra + " " + r + " " + a + " donde " + s, err
}

// lineaImpresa prints the lines whose node says what they are.
func lineaImpresa(n algebra.Nodo, plantilla bool) (string, error) {
	largo := map[string]int{"donde": 2, "sin": 3, "resumen": 3, "umbral": 5, "ambito": 2, "alcance": 2, "guarda": 3}[n.Cabeza()]
	if n.Largo() != largo {
		return "", noSeDice(n, "no es una línea de una medida")
	}
	switch n.Cabeza() {
	case "donde":
		s, err := exprImpresa(n.Hijo(1), plantilla)
		return "donde " + s, err
	case "sin":
		de := n.Hijo(1)
		if de.Cabeza() != "de" || de.Largo() != 3 {
			return "", noSeDice(n, "la relación de un sin va sola")
		}
		return condicionImpresa("sin", de.Hijo(1), de.Hijo(2), n.Hijo(2), plantilla)
	case "resumen":
		s, err := agregacionImpresa(n.Hijo(1), n.Hijo(2), plantilla)
		return "resumen " + s, err
	case "umbral":
		return umbralImpreso(n, plantilla)
	case "ambito":
		s, err := palabraImpresa(n.Hijo(1), vocabularioDeAmbito(), plantilla)
		return "ambito " + s, err
	case "alcance":
		s, err := textoImpreso(n.Hijo(1), plantilla)
		return "alcance " + s, err
	default:
		s, err := exprImpresa(n.Hijo(1), plantilla)
		if err != nil {
			return "", err
		}
		mensaje, err := textoImpreso(n.Hijo(2), false)
		return "guarda " + s + " " + mensaje, err
	}
}

// umbralImpreso leaves out a «segun» that is not declared and an empty
// «porque», but never both.
func umbralImpreso(n algebra.Nodo, plantilla bool) (string, error) {
	op, _ := n.Hijo(1).Texto()
	if !algebra.Comparador(op).Valido() {
		return "", noSeDice(n, "el umbral no tiene comparador")
	}
	limite, err := exprImpresa(n.Hijo(2), plantilla)
	if err != nil {
		return "", err
	}
	porque, err := textoImpreso(n.Hijo(3), plantilla)
	if err != nil {
		return "", err
	}
	segun, err := palabraImpresa(n.Hijo(4), vocabularioDeSegun(), plantilla)
	if err != nil {
		return "", err
	}
	s := "umbral " + op + " " + limite
	declarado := segun != algebra.SinDeclarar
	if declarado {
		s += " segun " + segun
	}
	if porque != `""` || !declarado {
		s += " porque " + porque
	}
	return s, nil
}

// valorImpreso prints an argument of an invocation.
func valorImpreso(n algebra.Nodo, tipo tipoDeParametro, plantilla bool) (string, error) {
	switch tipo {
	case esNombre:
		return nombreImpreso(n)
	case esTexto:
		return textoImpreso(n, plantilla)
	case esSegun:
		return palabraImpresa(n, vocabularioDeSegun(), plantilla)
	case esAmbito:
		return palabraImpresa(n, vocabularioDeAmbito(), plantilla)
	default:
		return exprImpresa(n, plantilla)
	}
}

func idImpreso(n algebra.Nodo) (string, error) {
	if s, esTexto := n.Texto(); esTexto {
		if !algebra.IDValido(s) {
			return "", noSeDice(n, "el id no tiene la forma dominio.nombre")
		}
		return s, nil
	}
	return nombreImpreso(n)
}

// nombreImpreso prints a name or a hole for one.
func nombreImpreso(n algebra.Nodo) (string, error) {
	s, esTexto := n.Texto()
	p, esHueco := macro.Hueco(n)
	switch {
	case esTexto && s != "" && largoDeIdentificador(s) == len(s):
		return s, nil
	case esHueco && p != "" && largoDeIdentificador(p) == len(p):
		return "$" + p, nil
	}
	return "", noSeDice(n, "un nombre lleva letras sin acentos, dígitos y «_»")
}

// textoDeNombre is nombreImpreso for a name or an id that was read.
func textoDeNombre(n algebra.Nodo) string {
	if s, esTexto := n.Texto(); esTexto {
		return s
	}
	p, _ := macro.Hueco(n)
	return "$" + p
}

func textoImpreso(n algebra.Nodo, plantilla bool) (string, error) {
	if s, esTexto := n.Texto(); esTexto {
		return string(algebra.AppendTexto(nil, s)), nil
	}
	if _, esHueco := macro.Hueco(n); esHueco && plantilla {
		return nombreImpreso(n)
	}
	return "", noSeDice(n, "se esperaba un texto")
}

func palabraImpresa(n algebra.Nodo, v []opcion, plantilla bool) (string, error) {
	if s, esTexto := n.Texto(); esTexto && esOpcion(v, s) {
		return s, nil
	}
	if _, esHueco := macro.Hueco(n); esHueco && plantilla {
		return nombreImpreso(n)
	}
	return "", noSeDice(n, "%s", opciones("se esperaba una palabra", v))
}
