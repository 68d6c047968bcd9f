package docugraph

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Documento is one Markdown file, read. It is immutable after [Leer].
type Documento struct {
	Ruta      string // relative to the root, with slashes
	ID        string // "" when it has no valid one
	Ficha     Ficha
	Contenido string // the whole file, front matter included, without byte order mark and with "\n" line ends
	// ConFicha is false for a plain Markdown file: it can be linked to, and it is no node.
	ConFicha  bool
	Hallazgos []Hallazgo // what reading it alone showed

	cuerpo    cuerpo
	lineaDeID int
	// dependeIlegible: depends_on is there and could not be understood, so its edges are unknown.
	dependeIlegible bool
}

// Ficha is what the front matter says. Fields that are absent are "" or nil; those it does not name are left in the content,
// uninterpreted.
type Ficha struct {
	Titulo    string // one line; the first level-one heading if the front matter has none, else the id
	Estado    string
	Tipo      string
	Fase      string
	Etiquetas []string
	DependeDe []Referencia // as written, repetitions included
	Criterios []Criterio
	// CriteriosIlegibles: acceptance_criteria is there and is not a list of texts.
	CriteriosIlegibles bool
}

// Referencia is one entry of depends_on and the line it stands on, from 1.
type Referencia struct {
	ID    string
	Linea int
}

// Criterio is one acceptance criterion. Estado is "done" or "pending" for a checkbox, and "" where there is none.
type Criterio struct {
	Texto  string `json:"text"`
	Estado string `json:"state"`
}

// Leer reads one document. It never fails: what is wrong with the document is among its Hallazgos. ruta is only a name, nothing
// is opened. Safe for concurrent use.
func Leer(ruta string, datos []byte, lim Limites) *Documento {
	lim = lim.conOmision()
	d := &Documento{Ruta: ruta}
	if int64(len(datos)) > lim.BytesPorArchivo {
		d.hallar(ArchivoGrande, 1, fmt.Sprintf("el archivo tiene %d bytes o más, y el tope es %d: partilo en varios documentos", len(datos), lim.BytesPorArchivo))
		return d
	}
	if !utf8.Valid(datos) {
		linea, columna := primerByteInvalido(datos)
		d.hallar(CodificacionInvalida, linea, fmt.Sprintf("no es UTF-8: byte inválido en la línea %d, byte %d; guardalo como UTF-8", linea, columna))
		return d
	}
	d.Contenido = normalizar(datos)
	bloque, cuerpo, linea, estado := cortar(d.Contenido)
	d.ConFicha = estado != sinFicha
	switch estado {
	case fichaSinCierre:
		d.hallar(FrontmatterInvalido, 1, "el bloque YAML abre con `---` y no cierra: falta una línea `---` o `...`")
		return d // where the body begins is anybody's guess
	case fichaEntera:
		d.leerFicha(bloque, lim)
	}
	d.cuerpo = leerMarkdown(cuerpo, linea)
	if d.cuerpo.enredado > 0 {
		d.hallar(ArchivoIlegible, d.cuerpo.enredado,
			"el Markdown está demasiado enredado para revisarlo (anidamiento o corchetes sin cerrar): no se miraron sus enlaces")
	}
	if d.Ficha.Titulo == "" {
		d.Ficha.Titulo = d.cuerpo.titulo
	}
	if d.Ficha.Titulo == "" {
		d.Ficha.Titulo = d.ID
	}
	return d
}

// hallar appends a finding about this document.
func (d *Documento) hallar(c Codigo, linea int, mensaje string) {
	d.Hallazgos = append(d.Hallazgos, Hallazgo{Codigo: c, Mensaje: mensaje, Nodo: d.ID, Ruta: d.Ruta, Linea: linea})
}

var marcaDeOrden = []byte("\xef\xbb\xbf")

// normalizar drops leading byte order marks and turns CRLF into LF, also the CR CR LF that two careless conversions leave: with
// either, a front matter would go unseen. A lone CR is content.
func normalizar(datos []byte) string {
	for bytes.HasPrefix(datos, marcaDeOrden) {
		datos = datos[len(marcaDeOrden):]
	}
	if !bytes.Contains(datos, []byte("\r\n")) {
		return string(datos)
	}
	var b strings.Builder
	b.Grow(len(datos))
	for linea := range bytes.Lines(datos) {
		if sin, conSalto := bytes.CutSuffix(linea, []byte("\n")); conSalto {
			b.Write(bytes.TrimRight(sin, "\r"))
			b.WriteByte('\n')
		} else {
			b.Write(linea)
		}
	}
	return b.String()
}

func primerByteInvalido(datos []byte) (linea, columna int) {
	linea, columna = 1, 1
	for len(datos) > 0 {
		r, n := utf8.DecodeRune(datos)
		if r == utf8.RuneError && n == 1 {
			return linea, columna
		}
		columna += n
		if r == '\n' {
			linea, columna = linea+1, 1
		}
		datos = datos[n:]
	}
	return linea, columna
}
