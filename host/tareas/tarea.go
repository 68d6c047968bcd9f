package tareas

import (
	"bytes"
	"math/big"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Estado is what a task declares of itself.
type Estado string

// The two states, as they are published.
const (
	Abierta Estado = "ABIERTA"
	Cerrada Estado = "CERRADA"
)

// Tarea is one task with its text (especificacion/tareas.md §1, §3). Slices and
// the map are never nil. It must not be modified.
type Tarea struct {
	ID                string            `json:"id"`
	Titulo            string            `json:"titulo"`
	Estado            Estado            `json:"estado"`
	Prioridad         *big.Int          `json:"prioridad"`
	Etiquetas         []string          `json:"etiquetas"`
	CierraCon         []string          `json:"cierra_con"`
	CamposAdicionales map[string]string `json:"campos_adicionales"`
	Cuerpo            string            `json:"cuerpo"`
	// Ruta is the document's, relative to the project's root.
	Ruta string `json:"ruta"`
}

// Resumen is a Tarea without its text, as listar gives it.
type Resumen struct {
	ID                string            `json:"id"`
	Titulo            string            `json:"titulo"`
	Estado            Estado            `json:"estado"`
	Prioridad         *big.Int          `json:"prioridad"`
	Etiquetas         []string          `json:"etiquetas"`
	CierraCon         []string          `json:"cierra_con"`
	CamposAdicionales map[string]string `json:"campos_adicionales"`
	Ruta              string            `json:"ruta"`
}

// Resumen returns the task without its text.
func (t *Tarea) Resumen() Resumen {
	return Resumen{ID: t.ID, Titulo: t.Titulo, Estado: t.Estado, Prioridad: t.Prioridad, Etiquetas: t.Etiquetas,
		CierraCon: t.CierraCon, CamposAdicionales: t.CamposAdicionales, Ruta: t.Ruta}
}

const (
	dirTracker  = "tareas"
	rutaTracker = "tareas/"
	documento   = "TAREA.md"
	// topeDocumento is the cap, in bytes, of a TAREA.md and of any text that is
	// searched or read for references.
	topeDocumento = 2 << 20
	// bitsDePrioridad is the language's own cap on an integer (lenguaje.md §9).
	bitsDePrioridad = 4096
)

var (
	reID       = regexp.MustCompile(`^[0-9]{8}-[0-9]{6}(?:-[a-z0-9_-]+)*$`)
	reMedida   = regexp.MustCompile(`^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$`)
	reTitulo   = regexp.MustCompile(`^#[ \t]+(.*?)[ \t]*$`)
	reCampo    = regexp.MustCompile(`^[ \t]*[-*][ \t]+([A-Za-z0-9_-]+|(?i:cierra con))[ \t]*:(.*)$`)
	reEntero   = regexp.MustCompile(`^[+-]?[0-9]+$`)
	marcaOrden = []byte("\xef\xbb\xbf")
)

// leerTarea reads the text of a TAREA.md. What is wrong with it comes back as
// one text per problem, and then the task must not be used.
func leerTarea(datos []byte) (t Tarea, problemas []string) {
	if !utf8.Valid(datos) {
		return t, []string{"no es UTF-8"}
	}
	if bytes.HasPrefix(datos, marcaOrden) {
		return t, []string{"empieza con una marca de orden de bytes (BOM): guardalo como UTF-8 sin marca"}
	}
	resto := string(datos)
	linea, resto := saltarBlancos(resto)
	m := reTitulo.FindStringSubmatch(linea)
	if m == nil || m[1] == "" {
		return t, []string{"no tiene título: la primera línea con texto tiene que ser «# Título»"}
	}
	// What is kept is copied: a piece of the text would hold all of it in memory.
	t.Titulo = strings.Clone(m[1])
	t.Etiquetas, t.CierraCon, t.CamposAdicionales = []string{}, []string{}, map[string]string{}

	campos := map[string]bool{}
	linea, siguiente := saltarBlancos(resto)
	for {
		m := reCampo.FindStringSubmatch(linea)
		if m == nil {
			break
		}
		resto = siguiente
		nombre, valor := strings.Clone(m[1]), strings.Clone(strings.TrimSpace(m[2]))
		clave := strings.ToUpper(nombre)
		if campos[clave] {
			problemas = append(problemas, "el campo "+citar(nombre)+" está repetido")
		} else if p := t.poner(clave, nombre, valor); p != "" {
			problemas = append(problemas, p)
		}
		campos[clave] = true
		linea, siguiente = cortarLinea(resto)
	}
	for _, c := range []string{"ESTADO", "PRIORIDAD"} {
		if !campos[c] {
			problemas = append(problemas, "falta el campo "+c+" en el bloque de metadatos que sigue al título")
		}
	}
	t.Cuerpo = strings.Clone(strings.TrimSpace(resto))
	return t, problemas
}

// poner sets one field, and says what is wrong with its value.
func (t *Tarea) poner(clave, nombre, valor string) string {
	switch clave {
	case "ESTADO":
		t.Estado = Estado(strings.ToUpper(valor))
		if t.Estado != Abierta && t.Estado != Cerrada {
			return "ESTADO es «" + citar(valor) + "»: se esperaba ABIERTA o CERRADA"
		}
	case "PRIORIDAD":
		// Four bits a digit bounds the text before it is converted.
		if !reEntero.MatchString(valor) || len(valor) > bitsDePrioridad/3 {
			return "PRIORIDAD es «" + citar(valor) + "»: se esperaba un entero"
		}
		t.Prioridad, _ = new(big.Int).SetString(strings.TrimPrefix(valor, "+"), 10)
		if t.Prioridad.BitLen() > bitsDePrioridad {
			return "PRIORIDAD es «" + citar(valor) + "»: pasa de 4096 bits"
		}
	case "ETIQUETAS":
		for e := range strings.SplitSeq(valor, ",") {
			if e = strings.TrimSpace(e); e != "" {
				t.Etiquetas = append(t.Etiquetas, e)
			}
		}
	case "CIERRA CON":
		if valor == "" {
			return ""
		}
		vistos := map[string]bool{}
		for id := range strings.SplitSeq(valor, ",") {
			id = strings.TrimSpace(id)
			if !reMedida.MatchString(id) {
				return "CIERRA CON nombra «" + citar(id) + "»: se esperaban ids de medida como dominio.nombre, separados por coma"
			}
			if vistos[id] {
				return "CIERRA CON repite «" + citar(id) + "»"
			}
			vistos[id] = true
			t.CierraCon = append(t.CierraCon, id)
		}
	default:
		t.CamposAdicionales[nombre] = valor
	}
	return ""
}

// pesa says how many bytes a task takes without its text, roughly.
func (t *Tarea) pesa() int {
	n := len(t.ID) + len(t.Titulo) + len(t.Ruta) + t.Prioridad.BitLen()/8
	for _, lista := range [][]string{t.Etiquetas, t.CierraCon} {
		for _, s := range lista {
			n += len(s) + 16
		}
	}
	for k, v := range t.CamposAdicionales {
		n += len(k) + len(v) + 64
	}
	return n
}

// cortarLinea splits off the first line, without its line ending (LF or CRLF).
func cortarLinea(s string) (linea, resto string) {
	linea, resto, _ = strings.Cut(s, "\n")
	return strings.TrimSuffix(linea, "\r"), resto
}

// saltarBlancos returns the first line that has something on it.
func saltarBlancos(s string) (linea, resto string) {
	for {
		linea, resto = cortarLinea(s)
		if strings.TrimSpace(linea) != "" || resto == "" {
			return linea, resto
		}
		s = resto
	}
}
