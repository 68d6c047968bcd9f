package corpus

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

// topeDeArchivo is how many bytes a file of a project may have (proyecto §1).
const topeDeArchivo = 4 << 20

// Leer reads a «.caso» file. The error is *[superficie.ErrorDeSintaxis] with
// its place, also for a text too large, or *[superficie.ErrorDeDeclaracion] for
// one that reads and says something that may not be.
func Leer(texto []byte) (*Caso, error) {
	rs, err := superficie.NuevosRenglones(texto, topeDeArchivo)
	if err != nil {
		return nil, err
	}
	l := &lector{rs: rs, caso: &Caso{}}
	if err := l.todo(); err != nil {
		return nil, err
	}
	return l.caso.terminar(), nil
}

type lector struct {
	rs   *superficie.Renglones
	caso *Caso
}

// campo is the line of a field: its cursor is after the colon.
type campo struct {
	linea  superficie.Renglon
	nombre string
	c      *superficie.Cursor
}

func (l *lector) todo() error {
	c := l.caso
	pasos := []func() error{
		l.encabezado,
		func() error { return l.json("fecha", &c.Fecha) },
		l.origen,
		func() error { return l.palabra("procedencia", procede, false, &c.Procedencia) },
		func() error { return l.json("titulo", &c.Titulo) },
		func() error { return l.palabra("etiqueta", etiquetas, true, &c.Etiqueta) },
		l.espera,
		func() error { return l.prosa("sintoma", true, &c.Sintoma) },
		func() error { return l.palabra("como_se_detecto", detectado, true, &c.ComoSeDetecto) },
		l.medida,
		l.estadoSin,
		func() error { return l.prosa("resuelto", false, &c.Resuelto) },
		func() error { return l.prosa("limite_humano", false, &c.LimiteHumano) },
		func() error { return l.prosa("sin_medida_todavia", false, &c.SinMedidaAun) },
		l.evidencia,
		func() error { return l.prosa("leccion", true, &c.Leccion) },
	}
	for _, p := range pasos {
		if err := p(); err != nil {
			return err
		}
	}
	if sobra, hay := l.rs.Ver(); hay {
		return sobra.Cursor().Error("el final del caso: después de leccion sólo van comentarios")
	}
	return nil
}

var formaDeEncabezado = regexp.MustCompile(`^caso[ \t]+([^\s:]+)[ \t]*:[ \t]*$`)

func (l *lector) encabezado() error {
	linea, hay := l.rs.Ver()
	if !hay {
		return l.rs.ErrorDeFin("«caso id:»")
	}
	p := formaDeEncabezado.FindStringSubmatchIndex(linea.Texto)
	if p == nil {
		return linea.Error("«caso id:», sin sangría")
	}
	if l.caso.ID = linea.Texto[p[2]:p[3]]; !IDValido(l.caso.ID) {
		return en(linea, p[2], "un id de caso: minúsculas y cifras separadas por guiones, con alguna cifra", l.caso.ID)
	}
	l.rs.Tomar()
	return nil
}

// en is a syntax error at a byte of a line, for places a cursor skips.
func en(linea superficie.Renglon, desde int, esperado, llego string) error {
	if llego == "" {
		llego = "el final del renglón"
	}
	return &superficie.ErrorDeSintaxis{Linea: linea.Numero, Columna: utf8.RuneCountInString(linea.Texto[:desde]) + 1,
		Esperado: esperado, Llego: algebra.Citar(llego), Renglon: linea.Texto}
}

// declara is an error of a text that reads and may not say what it says.
func declara(linea superficie.Renglon, columna int, motivo string) error {
	return &superficie.ErrorDeDeclaracion{Linea: linea.Numero, Columna: columna, Renglon: linea.Texto,
		Causa: &algebra.ErrorDeCarga{Clase: algebra.ClaseForma, Motivo: motivo}}
}

// abrir takes the line of the field nombre. When it is another field: an error
// if exigido, else nil.
func (l *lector) abrir(nombre string, exigido bool) (*campo, error) {
	linea, hay := l.rs.Ver()
	if !hay {
		if !exigido {
			return nil, nil
		}
		return nil, l.rs.ErrorDeFin("el campo «" + nombre + ":»")
	}
	if err := linea.ExigirSangria(4); err != nil {
		if !exigido {
			return nil, nil // the field that is demanded next says it
		}
		return nil, err
	}
	c := linea.Cursor()
	inicio := *c
	hallado, _ := c.Identificador()
	if hallado != nombre {
		if exigido {
			return nil, inicio.Error("el campo «" + nombre + ":», que va acá")
		}
		return nil, nil
	}
	if !c.Signo(":") {
		return nil, c.Error("«:» después de «" + nombre + "»")
	}
	l.rs.Tomar()
	return &campo{linea, nombre, c}, nil
}

// json reads a field whose value is a JSON text.
func (l *lector) json(nombre string, donde *string) error {
	f, err := l.abrir(nombre, true)
	if err != nil {
		return err
	}
	if *donde, err = f.c.TextoJSON(); err != nil {
		return err
	}
	return f.c.ExigirFin()
}

// palabra reads a field whose value is one of a closed vocabulary.
func (l *lector) palabra(nombre string, opciones []string, exigido bool, donde *string) error {
	f, err := l.abrir(nombre, exigido)
	if err != nil || f == nil {
		return err
	}
	valor := strings.TrimRight(f.c.Resto(), " \t")
	if !slices.Contains(opciones, valor) {
		return f.c.Error("un valor de " + nombre + ": " + strings.Join(opciones, ", "))
	}
	*donde = valor
	return nil
}

// espera reads and judges «espera»: what it may say depends on the label.
func (l *lector) espera() error {
	f, err := l.abrir("espera", false)
	if err != nil || f == nil {
		return err
	}
	valor := strings.TrimRight(f.c.Resto(), " \t")
	columna := f.c.Error("").Columna
	switch {
	case valor != string(EsperaSinEvidencia):
		return declara(f.linea, columna, "«espera» sólo admite sin_evidencia; lo demás lo dice la etiqueta")
	case l.caso.Etiqueta == VerdeCorrecto:
		return declara(f.linea, columna, "un caso verde_correcto espera verde: no lleva «espera»")
	}
	l.caso.Espera = valor
	return nil
}

func (l *lector) medida() error {
	f, err := l.abrir("medida", true)
	if err != nil {
		return err
	}
	valor := strings.TrimRight(f.c.Resto(), " \t")
	if valor == "null" {
		return nil
	}
	if !algebra.IDValido(valor) {
		return f.c.Error("el id de una medida (dominio.nombre) o null")
	}
	l.caso.Medida = valor
	return nil
}

func (l *lector) estadoSin() error {
	f, err := l.abrir("estado_sin_medida", false)
	if err != nil || f == nil {
		return err
	}
	inicio := *f.c
	valor, ok := f.c.Identificador()
	if !ok {
		return inicio.Error("una palabra, como «abierto»")
	}
	l.caso.EstadoSin = valor
	return f.c.ExigirFin()
}

// prosa reads a block of lines with eight spaces, as they come. An empty line
// without indentation ends it.
func (l *lector) prosa(nombre string, exigido bool, donde *string) error {
	f, err := l.abrir(nombre, exigido)
	if err != nil || f == nil {
		return err
	}
	if !f.c.Fin() {
		return f.c.Error("el final del renglón: la prosa va abajo, con ocho espacios")
	}
	const sangria = "        "
	var lineas []string
	for {
		linea, hay := l.rs.VerCrudo()
		if !hay || !strings.HasPrefix(linea.Texto, sangria) {
			break
		}
		lineas = append(lineas, linea.Texto[len(sangria):])
		l.rs.TomarCrudo()
	}
	if len(lineas) == 0 {
		return l.siguiente("la prosa de «" + nombre + "», con ocho espacios de sangría")
	}
	*donde = strings.Join(lineas, "\n")
	return nil
}

// siguiente is an error at the line right after the last one taken, column 1.
func (l *lector) siguiente(esperado string) error {
	if linea, hay := l.rs.VerCrudo(); hay {
		return en(linea, 0, esperado, strings.TrimSpace(linea.Texto))
	}
	return l.rs.ErrorDeFin(esperado)
}

func (l *lector) origen() error {
	f, err := l.abrir("origen", true)
	if err != nil {
		return err
	}
	if err := f.c.ExigirFin(); err != nil {
		return err
	}
	for {
		linea, hay := l.rs.Ver()
		if s, _ := linea.Sangria(); !hay || s < 8 {
			break
		}
		if err := linea.ExigirSangria(8); err != nil {
			return err
		}
		c := linea.Cursor()
		inicio := *c
		nombre, ok := c.Identificador()
		if !ok || slices.ContainsFunc(l.caso.Origen, func(p Par) bool { return p.Nombre == nombre }) {
			return inicio.Error("un nombre de origen que no se repita")
		}
		if !c.Signo(":") {
			return c.Error("«:» y un valor JSON")
		}
		valor, err := c.CrudoJSON()
		if err != nil {
			return err
		}
		if err := c.ExigirFin(); err != nil {
			return err
		}
		l.caso.Origen = append(l.caso.Origen, Par{nombre, valor})
		l.rs.Tomar()
	}
	if len(l.caso.Origen) == 0 {
		return l.siguiente("al menos un par «nombre: valor JSON» de origen, con ocho espacios de sangría")
	}
	return nil
}
