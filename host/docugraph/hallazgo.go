package docugraph

import (
	"cmp"
	"slices"
)

// Codigo names a kind of finding or of tool error. Only the code may steer control flow; messages are for people.
type Codigo string

// The findings of especificacion/docugraph.md §3.
const (
	FrontmatterInvalido  Codigo = "FRONTMATTER_INVALID"
	IDFaltante           Codigo = "ID_MISSING"
	IDInvalido           Codigo = "ID_INVALID"
	IDRepetido           Codigo = "ID_DUPLICATE"
	DependsOnInvalido    Codigo = "DEPENDS_ON_INVALID"
	EnlaceRoto           Codigo = "LINK_BROKEN"
	Ciclo                Codigo = "LINK_CYCLE"
	CodificacionInvalida Codigo = "ENCODING_INVALID"
	ArchivoGrande        Codigo = "FILE_TOO_LARGE"
	ArchivoIlegible      Codigo = "FILE_UNREADABLE"
	DependsOnRepetido    Codigo = "DEPENDS_ON_DUPLICATE"
	EnlaceMarkdownRoto   Codigo = "DOC_LINK_BROKEN"
	AnclaRota            Codigo = "DOC_ANCHOR_BROKEN"
	FrontmatterFaltante  Codigo = "FRONTMATTER_MISSING"
	EnlaceSimbolico      Codigo = "SYMLINK_SKIPPED"
	Huerfano             Codigo = "ORPHAN"
)

// Nivel tells an error, which makes a tree invalid, from a warning, which does not.
type Nivel string

const (
	NivelError Nivel = "error"
	NivelAviso Nivel = "aviso"
)

var avisos = map[Codigo]bool{
	DependsOnRepetido: true, EnlaceMarkdownRoto: true, AnclaRota: true,
	FrontmatterFaltante: true, EnlaceSimbolico: true, Huerfano: true,
}

// Nivel is fixed by the code (especificacion/docugraph.md §3).
func (c Codigo) Nivel() Nivel {
	if avisos[c] {
		return NivelAviso
	}
	return NivelError
}

// Hallazgo is one finding: what is wrong, where, and how to mend it.
type Hallazgo struct {
	Codigo  Codigo `json:"code"`
	Mensaje string `json:"message"`
	Nodo    string `json:"nodeId"` // "" when the document has no valid id
	Ruta    string `json:"path"`   // relative to the root, with slashes; "." is the root
	Linea   int    `json:"line"`   // from 1; 1 when the finding is about the whole file
}

func ordenarHallazgos(hs []Hallazgo) {
	slices.SortFunc(hs, func(a, b Hallazgo) int {
		return cmp.Or(
			cmp.Compare(a.Ruta, b.Ruta), cmp.Compare(a.Codigo, b.Codigo), cmp.Compare(a.Nodo, b.Nodo),
			cmp.Compare(a.Mensaje, b.Mensaje), cmp.Compare(a.Linea, b.Linea))
	})
}

// Informe is the result of validate_traceability (contract §3.2). Errors and Warnings are sorted by path, code, node and message,
// and are never nil. Valid is true if and only if Errors is empty.
type Informe struct {
	WorkspacePath string     `json:"workspacePath"`
	NodeCount     int        `json:"nodeCount"` // documents with a valid id that nobody else has
	EdgeCount     int        `json:"edgeCount"` // distinct edges between those
	Errors        []Hallazgo `json:"errors"`
	Warnings      []Hallazgo `json:"warnings"`
	Valid         bool       `json:"valid"`
}

// Hallazgos returns errors and warnings together, in the same order they are sorted by.
func (i *Informe) Hallazgos() []Hallazgo {
	todos := append(slices.Clone(i.Errors), i.Warnings...)
	ordenarHallazgos(todos)
	return todos
}
