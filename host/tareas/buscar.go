package tareas

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// Coincidencia is a line that has the text.
type Coincidencia struct {
	Ruta  string `json:"ruta"`
	Linea int    `json:"linea"` // from 1
	Texto string `json:"texto"` // the line whole, without its ending
}

// Busqueda is what a search found and what it did not look into. Both lists are
// in order of route, and then of line, and are never nil.
type Busqueda struct {
	Coincidencias []Coincidencia `json:"coincidencias"`
	Omitidos      []Omitida      `json:"omitidos"`
}

// Why a file was not searched, beside the reasons of the walk.
const (
	motivoEnlace    = "enlace_simbolico"
	motivoEspecial  = "especial"
	motivoGrande    = "mayor_de_2_mib"
	motivoBinario   = "binario"
	motivoNoUTF8    = "no_utf8"
	motivoExtension = "extension_no_admitida"
	motivoMuchas    = "tope_de_coincidencias"
)

// Caps of a search's answer. A file that would pass one is left out whole, by
// name, and so are the ones after it that still match.
const (
	topeCoincidencias = 10_000
	topeTexto         = 4 << 20
)

// What is text and what is not, by extension. A name without one is text until
// its bytes say otherwise.
var (
	extensionesDeTexto = conjunto(`.md .markdown .txt .text .rst .adoc .org .log .csv .tsv .json .jsonl .yaml .yml .toml
		.ini .cfg .conf .xml .html .htm .css .svg .sql .diff .patch .oracle .caso .relacion .star .py .go .rs .c .h .cc
		.cpp .hpp .java .kt .js .mjs .ts .tsx .jsx .rb .php .pl .lua .sh .bash .zsh .fish .ps1 .bat .r .tex .bib .proto
		.mod .sum .env .properties .gradle .cs .swift .scala .ex .exs .erl .hs .ml .clj .vue .svelte .graphql .tf`)
	extensionesBinarias = conjunto(`.png .jpg .jpeg .gif .webp .bmp .ico .tif .tiff .heic .avif .psd .pdf .doc .docx .xls
		.xlsx .ppt .pptx .odt .ods .odp .zip .gz .tgz .bz2 .xz .zst .7z .rar .tar .jar .war .whl .so .dll .dylib .a .o
		.exe .bin .class .pyc .wasm .mp3 .mp4 .m4a .mov .avi .mkv .webm .wav .ogg .flac .ttf .otf .woff .woff2 .eot
		.db .sqlite .sqlite3 .parquet .npy .npz .pkl .blend .stl .dwg .iso .img`)
)

func conjunto(palabras string) map[string]bool {
	m := map[string]bool{}
	for _, p := range strings.Fields(palabras) {
		m[p] = true
	}
	return m
}

// plegar folds case as Unicode defines it, for comparing without it.
func plegar(s string) string { return cases.Fold().String(s) }

// Buscar looks for a literal text, letter case aside, line by line, in the text
// files of the tracker. The text is not empty and is of a single line. What is
// not searched is in Omitidos with its reason; a file that should be read and
// cannot be is TRACKER_INVALIDO.
func (t *Tracker) Buscar(ctx context.Context, texto string) (*Busqueda, error) {
	if texto == "" || strings.ContainsAny(texto, "\n\r") || !utf8.ValidString(texto) {
		return nil, errArgumento("$.texto", "«"+citar(texto)+"»", "un texto no vacío, de una sola línea",
			"se busca línea por línea: mandá una parte de una.")
	}
	b := &Busqueda{Coincidencias: []Coincidencia{}, Omitidos: []Omitida{}}
	aguja := plegar(texto)
	omitidas := t.recorrido.omitidas
	largo := 0
	for _, e := range t.recorrido.entradas {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for len(omitidas) > 0 && omitidas[0].Ruta < e.ruta {
			b.Omitidos = append(b.Omitidos, omitidas[0])
			omitidas = omitidas[1:]
		}
		datos, motivo, err := leerTexto(t.l, e)
		if err != nil {
			return nil, errInvalido([]problema{{e.ruta, "no se puede leer: " + causa(err)}})
		}
		if motivo != "" {
			b.Omitidos = append(b.Omitidos, Omitida{e.ruta, motivo})
			continue
		}
		hay, pesan := coincidencias(e.ruta, string(datos), aguja)
		if len(b.Coincidencias)+len(hay) > topeCoincidencias || largo+pesan > topeTexto {
			b.Omitidos = append(b.Omitidos, Omitida{e.ruta, motivoMuchas})
			continue
		}
		b.Coincidencias = append(b.Coincidencias, hay...)
		largo += pesan
	}
	b.Omitidos = append(b.Omitidos, omitidas...)
	return b, nil
}

// leerTexto returns the bytes of a file to search, or why it is not searched.
func leerTexto(l lector.Lector, e entrada) (datos []byte, motivo string, err error) {
	extension := strings.ToLower(path.Ext(e.ruta))
	switch {
	case e.oculta:
		return nil, motivoOculta, nil
	case e.tipo&fs.ModeSymlink != 0:
		return nil, motivoEnlace, nil
	case !e.tipo.IsRegular():
		return nil, motivoEspecial, nil
	case extensionesBinarias[extension]:
		return nil, motivoBinario, nil
	case extension != "" && !extensionesDeTexto[extension]:
		return nil, motivoExtension, nil
	}
	datos, err = l.ReadFile(e.ruta, topeDocumento)
	switch {
	case errors.Is(err, lector.ErrTope):
		return nil, motivoGrande, nil
	case err != nil:
		return nil, "", err
	case bytes.IndexByte(datos, 0) >= 0:
		return nil, motivoBinario, nil
	case !utf8.Valid(datos):
		return nil, motivoNoUTF8, nil
	}
	return datos, "", nil
}

// coincidencias returns the lines of a text that have the folded needle, and
// how many bytes those lines weigh.
func coincidencias(ruta, texto, aguja string) (hay []Coincidencia, pesan int) {
	pliegue := cases.Fold()
	for n := 1; texto != ""; n++ {
		var linea string
		linea, texto = cortarLinea(texto)
		if strings.Contains(pliegue.String(linea), aguja) {
			hay = append(hay, Coincidencia{ruta, n, strings.Clone(linea)})
			pesan += len(linea)
		}
	}
	return hay, pesan
}
