package tareas

import (
	"io/fs"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// Clase is what kind of place a reference names.
type Clase string

// The kinds of reference.
const (
	ClaseLocal      Clase = "local"
	ClaseRemota     Clase = "remota"
	ClaseAncla      Clase = "ancla"
	ClaseNoAdmitida Clase = "no_admitida"
)

// Presencia is whether what a reference names is there.
type Presencia string

// The answers about a reference's target. Only a local one is looked for.
const (
	Presente      Presencia = "presente"
	Ausente       Presencia = "ausente"
	FueraProyecto Presencia = "fuera_del_proyecto"
	NoComprobado  Presencia = "no_comprobado"
)

// Why a local target was not looked for.
const (
	motivoCruza   = "enlace_en_el_camino"
	motivoEscape  = "escape_invalido"
	motivoDestino = "destino_ilegible"
)

// maxComponentes bounds the path of a target.
const maxComponentes = 4096

// clasificar tells the kind of a reference from its text alone.
func clasificar(destino string) Clase {
	switch {
	case destino == "":
		return ClaseNoAdmitida
	case destino[0] == '#':
		return ClaseAncla
	case strings.HasPrefix(destino, "//"):
		return ClaseNoAdmitida
	}
	esquema, hay := esquemaDe(destino)
	switch {
	case !hay && strings.Contains(destino, `\`):
		return ClaseNoAdmitida
	case !hay:
		return ClaseLocal
	case esquema == "http" || esquema == "https" || esquema == "mailto":
		return ClaseRemota
	}
	return ClaseNoAdmitida
}

// esquemaDe returns the scheme of a URI in lower case (RFC 3986 §3.1).
func esquemaDe(destino string) (string, bool) {
	for i := range len(destino) {
		c := destino[i] | 0x20
		switch {
		case 'a' <= c && c <= 'z':
		case i > 0 && strings.IndexByte("0123456789+-.", destino[i]) >= 0:
		case i > 0 && destino[i] == ':':
			return strings.ToLower(destino[:i]), true
		default:
			return "", false
		}
	}
	return "", false
}

// resolver looks for a local reference from the document that makes it, one
// component at a time. motivo is not empty when it could not be looked for.
func resolver(l lector.Lector, origen, destino string) (p Presencia, motivo string) {
	destino, _, _ = strings.Cut(destino, "#")
	destino, _, _ = strings.Cut(destino, "?")
	camino, err := url.PathUnescape(destino)
	if err != nil || !utf8.ValidString(camino) || strings.ContainsRune(camino, 0) || strings.Count(camino, "/") > maxComponentes {
		return NoComprobado, motivoEscape
	}
	if path.IsAbs(camino) {
		return FueraProyecto, ""
	}
	if camino == "" {
		return Presente, "" // the document itself
	}
	actual := strings.Split(path.Dir(origen), "/")
	esDir := true
	for parte := range strings.SplitSeq(camino, "/") {
		if !esDir {
			return Ausente, ""
		}
		switch parte {
		case "", ".":
			continue
		case "..":
			if len(actual) == 0 {
				return FueraProyecto, ""
			}
			actual = actual[:len(actual)-1]
			continue
		}
		actual = append(actual, parte)
		info, err := l.Lstat(strings.Join(actual, "/"))
		switch {
		case esAusencia(err):
			// What is missing could still climb out of the project further on.
			if sube(camino, origen) {
				return FueraProyecto, ""
			}
			return Ausente, ""
		case err != nil:
			return NoComprobado, motivoDestino
		case info.Mode()&fs.ModeSymlink != 0:
			return NoComprobado, motivoCruza
		}
		esDir = info.IsDir()
	}
	return Presente, ""
}

// sube says that a path, read by its text alone, leaves the project.
func sube(camino, origen string) bool {
	nivel := strings.Count(origen, "/")
	for parte := range strings.SplitSeq(camino, "/") {
		switch parte {
		case "", ".":
		case "..":
			if nivel--; nivel < 0 {
				return true
			}
		default:
			nivel++
		}
	}
	return false
}
