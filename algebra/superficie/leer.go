package superficie

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// Version is the version of the surface this package reads and prints.
const Version = "0.7"

// versionMayor and versionMenor are Version in numbers.
const versionMayor, versionMenor = 0, 7

// pasoDeSangria is how many spaces a level of indentation has.
const pasoDeSangria = 4

func nuevoLector(texto []byte, macros *macro.Tabla, lim algebra.LimitesAlgebra) (*lector, error) {
	r, err := NuevosRenglones(texto, algebra.TopeDeTexto)
	if err != nil {
		return nil, err
	}
	return &lector{r: r, macros: macros, lim: lim.Completos()}, nil
}

// leer reads the whole text: a measure, an invocation or a macro, as written.
func (l *lector) leer() (pieza, error) {
	if err := l.sintaxis(); err != nil {
		return pieza{}, err
	}
	r, hay := l.r.Ver()
	if !hay {
		return pieza{}, l.r.ErrorDeFin(l.esperadoEncabezado())
	}
	var p pieza
	var err error
	if strings.HasPrefix(r.Texto, macro.Cabeza+" ") {
		p, err = l.defmacro(r)
	} else {
		p, err = l.cuerpo(r, 0)
	}
	if err != nil {
		return pieza{}, err
	}
	if r, hay := l.r.Ver(); hay {
		return pieza{}, r.Cursor().Error("el final del texto: no va nada después, y hay una sola medida o macro por archivo")
	}
	return p, nil
}

// sintaxis reads the optional line with the version.
func (l *lector) sintaxis() error {
	r, hay := l.r.Ver()
	if !hay || r.Texto[:largoDeIdentificador(r.Texto)] != "sintaxis" {
		return nil
	}
	l.r.Tomar()
	c := r.Cursor()
	c.Palabra("sintaxis")
	resto := strings.TrimRight(c.Resto(), " \t")
	switch compatible, bienEscrita := Compatible(resto); {
	case !bienEscrita:
		return c.Error("una versión MAYOR.MENOR, como " + Version)
	case !compatible:
		return c.Error(fmt.Sprintf("una sintaxis compatible con la %s, que es la que se implementa: la misma mayor y a lo sumo esa menor, y el texto pide la %s", Version, resto))
	}
	l.anotarTexto(r, 0, "sintaxis "+resto)
	return nil
}

// Compatible reports whether a text that asks for a version of the surface can
// be read, and whether the version is spelled MAYOR.MENOR at all (lenguaje,
// opening): the same major, and a minor no greater than the one of [Version].
func Compatible(version string) (compatible, bienEscrita bool) {
	mayor, menor, hayPunto := strings.Cut(version, ".")
	if !hayPunto || !esNatural(mayor) || !esNatural(menor) {
		return false, false
	}
	n, _ := strconv.Atoi(menor)
	return mayor == strconv.Itoa(versionMayor) && n <= versionMenor, true
}

// esNatural reports whether s is a whole number of few digits without leading
// zeros.
func esNatural(s string) bool {
	return s != "" && len(s) < 9 && strings.Trim(s, "0123456789") == "" && (s[0] != '0' || s == "0")
}

func (l *lector) esperadoEncabezado() string {
	s := "un encabezado: «medida dominio.nombre:», «defmacro nombre(id, …):»"
	if nombres := l.macros.Nombres(); len(nombres) > 0 {
		s += " o «macro dominio.nombre:» con una de las macros " + algebra.Citar(strings.Join(nombres, ", "))
	}
	return s
}

// encabezado reads «clase id:» in a line that begins at the given indentation.
func (l *lector) encabezado(r Renglon, sangria int) (clase string, id pieza, err error) {
	mal := func() error {
		if sangria > 0 {
			return r.Cursor().Error(l.esperadoEncabezado())
		}
		return r.Error(l.esperadoEncabezado())
	}
	c := r.Cursor()
	en := c.lugar()
	t := strings.TrimRight(c.Resto(), " \t")
	if n, soloEspacios := r.Sangria(); n != sangria || !soloEspacios || !strings.HasSuffix(t, ":") {
		return "", pieza{}, mal()
	}
	i := strings.IndexAny(t, " \t")
	if i < 0 {
		return "", pieza{}, mal()
	}
	clase = t[:i]
	resto := strings.TrimLeft(t[i:len(t)-1], " \t")
	enID := len(t) - 1 - len(resto)
	resto = strings.TrimRight(resto, " \t")
	if resto == "" || strings.ContainsAny(resto, " \t") || clase != "medida" && l.macros.Buscar(clase) == nil {
		return "", pieza{}, mal()
	}
	en.byte += enID
	parametro := strings.TrimPrefix(resto, "$")
	switch {
	case parametro != resto && parametro != "" && largoDeIdentificador(parametro) == len(parametro):
		return clase, hueco(en, parametro), nil
	case !algebra.IDValido(resto):
		return "", pieza{}, c.errorEn(en, "un id dominio.nombre: minúsculas sin acentos ni eñes, dígitos y «_», con al menos un punto")
	}
	return clase, hojaTexto(en, resto), nil
}

// cuerpo reads a measure or an invocation whose header is line r.
func (l *lector) cuerpo(r Renglon, sangria int) (pieza, error) {
	clase, id, err := l.encabezado(r, sangria)
	if err != nil {
		return pieza{}, err
	}
	l.r.Tomar()
	en := lugar{r.Numero, r.inicio + sangria}
	l.anotarTexto(r, sangria, clase+" "+textoDeNombre(id.nodo)+":")
	if clase == "medida" {
		hijas, err := l.medida(sangria + pasoDeSangria)
		if err != nil {
			return pieza{}, err
		}
		return conCabeza(en, "medida", append([]pieza{id}, hijas...)...), nil
	}
	return l.invocacion(en, l.macros.Buscar(clase), id, sangria+pasoDeSangria)
}

// linea returns the next line, that has to have exactly that indentation, and
// its first word. The line is not taken.
func (l *lector) linea(sangria int, esperado string) (r Renglon, c *Cursor, palabra string, err error) {
	r, hay := l.r.Ver()
	if !hay {
		return r, nil, "", l.r.ErrorDeFin(esperado)
	}
	if n, soloEspacios := r.Sangria(); n < sangria && soloEspacios && n%pasoDeSangria == 0 {
		return r, nil, "", r.Cursor().Error(esperado)
	}
	if err := r.ExigirSangria(sangria); err != nil {
		return r, nil, "", err
	}
	c = r.Cursor()
	palabra, _ = c.Identificador()
	if c.enLetraAjena() {
		palabra = ""
	}
	return r, c, palabra, nil
}

// exigir takes the next line, whose first word has to be the given one.
func (l *lector) exigir(sangria int, palabra, esperado string) (Renglon, *Cursor, lugar, error) {
	r, c, p, err := l.linea(sangria, esperado)
	if err != nil {
		return r, nil, lugar{}, err
	}
	if p != palabra {
		return r, nil, lugar{}, r.Cursor().Error(esperado)
	}
	l.r.Tomar()
	return r, c, r.Cursor().lugar(), nil
}

// sigue reports whether the next line has that indentation and first word.
func (l *lector) sigue(sangria int, palabra string) bool {
	_, _, p, err := l.linea(sangria, "")
	return err == nil && p == palabra
}

// medida reads the lines of a measure: what follows the id in its form.
func (l *lector) medida(sangria int) ([]pieza, error) {
	tuberia, err := l.tuberia(sangria)
	if err != nil {
		return nil, err
	}
	r, c, en, err := l.exigir(sangria, "resumen", esperadoPaso)
	if err != nil {
		return nil, err
	}
	resumen, err := l.lineaResumen(c, en)
	if err != nil {
		return nil, err
	}
	l.anotar(r, sangria, resumen.nodo)
	r, c, en, err = l.exigir(sangria, "umbral", "la línea umbral, después del resumen: umbral <= 0 segun … porque \"…\"")
	if err != nil {
		return nil, err
	}
	umbral, err := l.lineaUmbral(c, en)
	if err != nil {
		return nil, err
	}
	l.anotar(r, sangria, umbral.nodo)
	hijas := []pieza{tuberia, resumen, umbral}
	var requisitos []pieza
	for l.sigue(sangria, "requiere") {
		r, c, en, _ := l.exigir(sangria, "requiere", "")
		entradas, err := l.lineaRequiere(c)
		if err != nil {
			return nil, err
		}
		if requisitos == nil {
			requisitos = []pieza{hojaTexto(en, "requiere")}
		}
		requisitos = append(requisitos, entradas...)
		l.anotarRequiere(r, sangria, entradas)
	}
	if requisitos != nil {
		hijas = append(hijas, lista(requisitos[0].en, requisitos...))
	}
	if l.sigue(sangria, "ambito") {
		r, c, en, _ := l.exigir(sangria, "ambito", "")
		ambito, err := l.lineaAmbito(c, en)
		if err != nil {
			return nil, err
		}
		if s, _ := ambito.nodo.Hijo(1).Texto(); s != algebra.SinDeclarar {
			hijas = append(hijas, ambito)
			l.anotar(r, sangria, ambito.nodo)
		}
	}
	r, c, en, err = l.exigir(sangria, "alcance", l.esperadoAlFinal(len(hijas) > 3))
	if err != nil {
		return nil, err
	}
	alcance, err := l.lineaAlcance(c, en)
	if err != nil {
		return nil, err
	}
	l.anotar(r, sangria, alcance.nodo)
	return append(hijas, alcance), nil
}

func (l *lector) esperadoAlFinal(hayOtros bool) string {
	const alcance = "la línea alcance, con lo que la medida no ve: alcance \"…\""
	if hayOtros {
		return alcance
	}
	return alcance + " (antes pueden ir requiere y ambito, en ese orden)"
}

// tuberia reads ["desde", fuente, paso…].
func (l *lector) tuberia(sangria int) (pieza, error) {
	r, c, en, err := l.exigir(sangria, "de", "la fuente, antes que nada: de relación alias")
	if err != nil {
		return pieza{}, err
	}
	fuente, err := l.lineaDe(c)
	if err != nil {
		return pieza{}, err
	}
	fuente.en = en
	l.anotar(r, sangria, fuente.nodo)
	for uniones := int64(1); l.sigue(sangria, "unir"); uniones++ {
		r, c, en, _ := l.exigir(sangria, "unir", "")
		otra, err := l.lineaDe(c)
		if err != nil {
			return pieza{}, err
		}
		if uniones > l.lim.ProfundidadExpresion {
			return pieza{}, l.excesoDeProfundidad(uniones)
		}
		l.anotarPar(r, sangria, "unir", otra.nodo)
		fuente = conCabeza(en, "unir", fuente, otra)
	}
	tuberia := []pieza{fuente}
	for {
		r, c, palabra, err := l.linea(sangria, esperadoPaso)
		if err != nil {
			return pieza{}, err
		}
		en := r.Cursor().lugar()
		var paso pieza
		switch palabra {
		case "donde":
			l.r.Tomar()
			paso, err = l.lineaDonde(c, en)
			l.anotar(r, sangria, paso.nodo)
		case "sin":
			l.r.Tomar()
			paso, err = l.lineaSin(c, en)
			l.anotar(r, sangria, paso.nodo)
		case "agrupar":
			paso, err = l.agrupar(r, c, sangria)
		case "unir", "de":
			return pieza{}, c.errorEn(en, esperadoPaso+"; las fuentes van juntas, antes de los pasos")
		default:
			return conCabeza(fuente.en, "desde", tuberia...), nil
		}
		if err != nil {
			return pieza{}, err
		}
		tuberia = append(tuberia, paso)
	}
}

// agruparSolo checks that the line is «agrupar:» and takes it.
func (l *lector) agruparSolo(r Renglon, c *Cursor) error {
	if !c.Signo(":") || !c.Fin() {
		return r.Cursor().Error("«agrupar:» solo en su renglón, y debajo sus líneas clave y agregado")
	}
	l.r.Tomar()
	return nil
}

// agrupar reads «agrupar:» and its block.
func (l *lector) agrupar(r Renglon, c *Cursor, sangria int) (pieza, error) {
	en := r.Cursor().lugar()
	if err := l.agruparSolo(r, c); err != nil {
		return pieza{}, err
	}
	l.anotarTexto(r, sangria, "agrupar:")
	desde := len(l.notas)
	var claves, agregados []pieza
	for {
		r, hay := l.r.Ver()
		if n, soloEspacios := r.Sangria(); !hay || n != sangria+pasoDeSangria || !soloEspacios {
			break
		}
		_, c, palabra, err := l.linea(sangria+pasoDeSangria, "")
		if err != nil {
			return pieza{}, err
		}
		var p pieza
		switch palabra {
		case "clave":
			l.r.Tomar()
			p, err = l.lineaClave(c)
			claves = append(claves, p)
		case "agregado":
			l.r.Tomar()
			p, err = l.lineaAgregado(c)
			agregados = append(agregados, p)
		default:
			err = r.Cursor().Error("una línea del agrupar: clave nombre = expresión, o agregado nombre = agregado(expresión)")
		}
		if err != nil {
			return pieza{}, err
		}
		l.anotarColumna(r, sangria+pasoDeSangria, palabra, p.nodo)
	}
	l.ordenarNotas(desde)
	return conCabeza(en, "agrupar", lista(en, claves...), lista(en, agregados...)), nil
}

// defmacro reads a macro, whose header is line r.
func (l *lector) defmacro(r Renglon) (pieza, error) {
	const esperado = "el encabezado de una macro: defmacro nombre(id, parámetro, …):"
	c := r.Cursor()
	en := c.lugar()
	c.Palabra(macro.Cabeza)
	c.Blancos()
	enNombre := c.lugar()
	desde := c.i
	for esLetra(c.byteEn(0)) || c.byteEn(0) == '-' || c.byteEn(0) >= '0' && c.byteEn(0) <= '9' {
		c.i++
	}
	nombre := c.r.Texto[desde:c.i]
	if nombre == "" || !c.Signo("(") {
		return pieza{}, r.Error(esperado)
	}
	var params []pieza
	for {
		c.Blancos()
		enParam := c.lugar()
		p, hay := c.Identificador()
		if !hay {
			return pieza{}, r.Error(esperado)
		}
		if err := l.contarNodo(); err != nil {
			return pieza{}, err
		}
		params = append(params, hojaTexto(enParam, p))
		if c.Signo(")") {
			break
		}
		if !c.Signo(",") {
			return pieza{}, r.Error(esperado)
		}
	}
	if !c.Signo(":") || !c.Fin() {
		return pieza{}, r.Error(esperado)
	}
	l.r.Tomar()
	l.anotarTexto(r, 0, encabezadoDeMacro(nombre, lista(en, params...).nodo))
	l.plantilla = true
	var guardas []pieza
	for l.sigue(pasoDeSangria, "guarda") {
		r, c, en, _ := l.exigir(pasoDeSangria, "guarda", "")
		cond, err := l.expr(c)
		if err != nil {
			return pieza{}, err
		}
		if c.ProximoByte() != '"' {
			return pieza{}, l.errorDeOperador(c, "el mensaje de la guarda, entre comillas")
		}
		enMensaje := c.lugar()
		mensaje, err := l.texto(c)
		if err == nil {
			err = c.ExigirFin()
		}
		if err != nil {
			return pieza{}, err
		}
		g := conCabeza(en, "guarda", cond, hojaTexto(enMensaje, mensaje))
		l.anotar(r, pasoDeSangria, g.nodo)
		guardas = append(guardas, g)
	}
	r, _, _, err := l.linea(pasoDeSangria, "una guarda, o la plantilla: medida $id:")
	if err != nil {
		return pieza{}, err
	}
	plantilla, err := l.cuerpo(r, pasoDeSangria)
	if err != nil {
		return pieza{}, err
	}
	return conCabeza(en, macro.Cabeza, hojaTexto(enNombre, nombre), lista(enNombre, params...), lista(en, guardas...), plantilla), nil
}
