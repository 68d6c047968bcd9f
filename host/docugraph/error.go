package docugraph

// The errors of a question (especificacion/docugraph.md §4). ID_DUPLICATE, LINK_BROKEN, DEPENDS_ON_INVALID, FRONTMATTER_INVALID
// and FILE_UNREADABLE are also used, with the meaning they have as findings.
const (
	ArgumentoInvalido    Codigo = "INVALID_ARGUMENT"
	TareaNoEncontrada    Codigo = "TASK_NOT_FOUND"
	GrafoConCiclo        Codigo = "GRAPH_CYCLE"
	WorkspaceFueraDeRaiz Codigo = "WORKSPACE_OUTSIDE_ROOT"
)

// ErrorHerramienta is a question that has no whole answer. Its JSON form is the structuredContent of a tool error.
type ErrorHerramienta struct {
	Codigo  Codigo `json:"code"`
	Mensaje string `json:"message"`
}

// Error is the text block of a tool error: the code, a colon and the message.
func (e *ErrorHerramienta) Error() string { return string(e.Codigo) + ": " + e.Mensaje }
