package docugraph_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

func aJSON(t testing.TB, v any) string {
	t.Helper()
	datos, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(datos)
}

func codigoDe(err error) docugraph.Codigo {
	var e *docugraph.ErrorHerramienta
	if errors.As(err, &e) {
		return e.Codigo
	}
	return ""
}

func TestLista(t *testing.T) {
	a := cargar(t, fixtures+"/demo-repo")
	for _, c := range []struct {
		filtro docugraph.Filtro
		ids    string
	}{
		{docugraph.Filtro{}, "API-01 ARQ-01 ARQ-02 BE-01 BE-02 BE-03 BE-04 DOM-01 DOM-02 FE-01 INF-01 INF-02 SEG-01"},
		{docugraph.Filtro{Tipo: "task"}, "BE-01 BE-02 BE-03 BE-04 FE-01"},
		{docugraph.Filtro{Tipo: "task", Estado: "done"}, "BE-01"},
		{docugraph.Filtro{Etiqueta: "backend"}, "BE-01 BE-02"},
		{docugraph.Filtro{Etiqueta: "back"}, ""},
	} {
		var ids []string
		for _, r := range a.Lista(c.filtro).Tareas {
			ids = append(ids, r.ID)
		}
		if got := strings.Join(ids, " "); got != c.ids {
			t.Errorf("%+v: %q, se esperaba %q", c.filtro, got, c.ids)
		}
	}
	if got := aJSON(t, a.Lista(docugraph.Filtro{Etiqueta: "proyectos"})); got != `{"tasks":[{"id":"BE-02","title":"Crear un proyecto","path":"docs/backend/BE-02_crear-proyecto.md",`+
		`"status":"todo","type":"task","phase":"F1","tags":["backend","proyectos"],"dependsOn":["BE-01","DOM-02","API-01","SEG-01"]}],"skipped":[]}` {
		t.Error(got)
	}
}

func TestCriterios(t *testing.T) {
	leer := func(texto string) *docugraph.Arbol {
		a, err := docugraph.Armar(t.Context(), []*docugraph.Documento{docugraph.Leer("a.md", []byte(texto), docugraph.Limites{})}, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	seccion := "\n- [ ] uno *con* `código`\n- [x] dos\n  - [X] dos y medio\n- tres\n\n1. cuatro\n\n### Más\n\n* cinco\n"
	for _, c := range []struct {
		nombre, texto string
		esperado      string // "source: state text | …", or an error code
	}{
		{"ninguno", "---\nid: A\n---\n# A\n- [ ] no\n", "none: "},
		{"del frontmatter", "---\nid: A\nacceptance_criteria:\n  - uno\n  - dado un equipo: responde 200\n---\n## Criterios de aceptación\n- tres\n", "frontmatter:  uno |  dado un equipo: responde 200"},
		{"sección en inglés", "---\nid: A\n---\n## Acceptance criteria" + seccion + "## Otra\n- no\n",
			"section: pending uno con código | done dos | done dos y medio |  tres |  cuatro |  cinco"},
		{"sección en castellano", "---\nid: A\n---\n## CRITERIOS DE ACEPTACIÓN:\n- uno\n# Otra\n- no\n", "section:  uno"},
		{"numerada y con aclaración", "---\nid: A\n---\n## 8. Definición de done (servidor)\n- [ ] uno\n", "section: pending uno"},
		{"sección sin ítems", "---\nid: A\n---\n## Acceptance criteria\nNada todavía.\n", "section: "},
		{"dentro de código no", "---\nid: A\n---\n```\n## Acceptance criteria\n- uno\n```\n", "none: "},
		{"el frontmatter no es una lista", "---\nid: A\nacceptance_criteria: uno\n---\n## Acceptance criteria\n- tres\n", "FRONTMATTER_INVALID"},
		{"una entrada es otra cosa", "---\nid: A\nacceptance_criteria: [uno, {a: b, c: d}]\n---\n", "FRONTMATTER_INVALID"},
		{"cuerpo ilegible", "---\nid: A\n---\n" + strings.Repeat(">", 60) + "\n", "FILE_UNREADABLE"},
		{"otra tarea", "---\nid: B\n---\n", "TASK_NOT_FOUND"},
	} {
		r, err := leer(c.texto).Criterios("A")
		obtenido := string(codigoDe(err))
		if err == nil {
			var partes []string
			for _, k := range r.Criterios {
				partes = append(partes, k.Estado+" "+k.Texto)
			}
			obtenido = r.Origen + ": " + strings.Join(partes, " | ")
		}
		if obtenido != c.esperado {
			t.Errorf("%s: %q, se esperaba %q (%v)", c.nombre, obtenido, c.esperado, err)
		}
	}
}

func TestImpacto(t *testing.T) {
	a := cargar(t, fixtures+"/demo-repo")
	i, err := a.Impacto(t.Context(), "BE-02", docugraph.ProfundidadMaxima)
	if err != nil {
		t.Fatal(err)
	}
	esperado := []docugraph.Afectado{
		{ID: "BE-03", Titulo: "Listar proyectos", Ruta: "docs/backend/BE-03_listar-proyectos.md", Profundidad: 1, Camino: []string{"BE-02", "BE-03"}},
		{ID: "BE-04", Titulo: "Archivar un proyecto", Ruta: "docs/backend/BE-04_archivar-proyecto.md", Profundidad: 1, Camino: []string{"BE-02", "BE-04"}},
		{ID: "FE-01", Titulo: "Pantalla de proyectos", Ruta: "docs/frontend/FE-01_pantalla-proyectos.md", Profundidad: 2, Camino: []string{"BE-02", "BE-03", "FE-01"}},
	}
	if d := cmp.Diff(esperado, i.Afecta); d != "" || i.Truncado {
		t.Errorf("truncado %t (-esperado +obtenido):\n%s", i.Truncado, d)
	}
	if i, err = a.Impacto(t.Context(), "BE-02", 1); err != nil || len(i.Afecta) != 2 || !i.Truncado {
		t.Errorf("a un salto: %+v, %v", i, err)
	}
	if i, err = a.Impacto(t.Context(), "BE-04", 1); err != nil || aJSON(t, i) != `{"taskId":"BE-04","impacted":[],"truncated":false,"skipped":[]}` {
		t.Errorf("nadie depende: %s, %v", aJSON(t, i), err)
	}
	// A cycle does not stop it, and the task does not come back as its own victim.
	ciclo := cargar(t, fixtures+"/negativos/LINK_CYCLE/arbol")
	if i, err = ciclo.Impacto(t.Context(), "C-4", 100); err != nil || len(i.Afecta) != 5 {
		t.Errorf("en un ciclo: %+v, %v", i, err)
	}
	for id, codigo := range map[string]docugraph.Codigo{"NO": docugraph.TareaNoEncontrada} {
		if _, err := a.Impacto(t.Context(), id, 1); codigoDe(err) != codigo {
			t.Errorf("%s: %v", id, err)
		}
	}
	// What could not enter the graph is said: X-1 is repeated, and who depends on it cannot be told.
	repetido := cargar(t, fixtures+"/negativos/ID_DUPLICATE/arbol")
	if i, err = repetido.Impacto(t.Context(), "Y-1", 5); err != nil || len(i.Omitidos) != 3 || i.Omitidos[0].Codigo != docugraph.IDRepetido {
		t.Errorf("omitidos: %+v, %v", i, err)
	}
	if _, err = repetido.Impacto(t.Context(), "X-1", 5); codigoDe(err) != docugraph.IDRepetido {
		t.Errorf("repetido: %v", err)
	}
}

func TestGrafo(t *testing.T) {
	a := cargar(t, fixtures+"/demo-repo")
	g, err := a.AguasArriba(t.Context(), "ARQ-02", docugraph.ProfundidadMaxima)
	if err != nil {
		t.Fatal(err)
	}
	if got := aJSON(t, g.Aristas); got != `[{"from":"ARQ-02","to":"INF-01"},{"from":"INF-01","to":"SEG-01"}]` || g.Truncado || len(g.Nodos) != 3 {
		t.Errorf("%s, truncado %t", got, g.Truncado)
	}
	if g, _ = a.AguasArriba(t.Context(), "ARQ-02", 1); len(g.Nodos) != 2 || len(g.Aristas) != 1 || !g.Truncado {
		t.Errorf("%+v", g)
	}
	if g, _ = a.Grafo(t.Context()); len(g.Nodos) != 13 || len(g.Aristas) != 17 || g.Truncado {
		t.Errorf("entero: %d nodos, %d aristas", len(g.Nodos), len(g.Aristas))
	}
	rotas, err := cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol").Grafo(t.Context())
	if got := aJSON(t, rotas.Rotas); err != nil || got != `[{"from":"BE-01","to":"BE-2O"},{"from":"BE-01","to":"NADA-QUE-VER"},{"from":"BE-20","to":"be-99"}]` {
		t.Errorf("%s, %v", got, err)
	}
	if _, err := a.AguasArriba(t.Context(), "NO", 5); codigoDe(err) != docugraph.TareaNoEncontrada {
		t.Error(err)
	}
}

func TestParecidos(t *testing.T) {
	_, err := cargar(t, fixtures+"/demo-repo").Contexto(t.Context(), "BE-2", 5)
	if err == nil || !strings.Contains(err.Error(), `se parece a "BE-02"`) {
		t.Error(err)
	}
	_, err = cargar(t, fixtures+"/demo-repo").Contexto(t.Context(), "be-02", 5)
	if err == nil || !strings.Contains(err.Error(), `"BE-02", "BE-01", "BE-03"`) {
		t.Error(err)
	}
	_, err = cargar(t, fixtures+"/negativos/FRONTMATTER_INVALID/arbol").Contexto(t.Context(), "M-1", 5)
	if err == nil || !strings.Contains(err.Error(), "6 documentos que no entraron") {
		t.Error(err)
	}
}

func TestHechos(t *testing.T) {
	h, err := cargar(t, fixtures+"/negativos/LINK_CYCLE/arbol").Hechos(t.Context(), docugraph.Limites{})
	if err != nil {
		t.Fatal(err)
	}
	// C-1 reaches itself, and its depth is that of the furthest other document.
	if got := aJSON(t, h.Documento[0]); got != `{"id":"C-1","titulo":"Uno","ruta":"z.md","estado":"","tipo":"","dependencias":1,"dependientes":3,"profundidad_maxima":3,"caracteres":51}` {
		t.Error(got)
	}
	if got := aJSON(t, h.Alcanzable[:4]); got != `[{"desde":"C-1","hasta":"C-2","saltos":1},{"desde":"C-1","hasta":"C-3","saltos":2},{"desde":"C-1","hasta":"C-1","saltos":3},{"desde":"C-1","hasta":"C-4","saltos":3}]` {
		t.Error(got)
	}
	if got := aJSON(t, h.Hallazgo); got != `[{"codigo":"LINK_CYCLE","nivel":"error","nodo":"S-1","ruta":"v.md"},{"codigo":"LINK_CYCLE","nivel":"error","nodo":"C-1","ruta":"z.md"}]` {
		t.Error(got)
	}
	h, err = cargar(t, fixtures+"/negativos/LINK_BROKEN/arbol").Hechos(t.Context(), docugraph.Limites{})
	if err != nil {
		t.Fatal(err)
	}
	if got := aJSON(t, h.Dependencia); got != `[{"desde":"BE-01","hasta":"BE-02","existe":true},{"desde":"BE-01","hasta":"BE-2O","existe":false},`+
		`{"desde":"BE-01","hasta":"NADA-QUE-VER","existe":false},{"desde":"BE-20","hasta":"BE-02","existe":true},{"desde":"BE-20","hasta":"be-99","existe":false}]` {
		t.Error(got)
	}
	h, err = cargar(t, fixtures+"/demo-repo").Hechos(t.Context(), docugraph.Limites{})
	if err != nil {
		t.Fatal(err)
	}
	if got := aJSON(t, h.Criterio[len(h.Criterio)-2:]); got != `[{"documento":"BE-03","indice":0,"texto":"devuelve sólo los del equipo de la sesión","estado":"pending"},`+
		`{"documento":"BE-03","indice":1,"texto":"pagina de a cincuenta","estado":"done"}]` {
		t.Error(got)
	}
	if strings.Contains(aJSON(t, h), "null") {
		t.Error("hay un null")
	}
	vacio, err := cargar(t, t.TempDir()).Hechos(t.Context(), docugraph.Limites{})
	if got := aJSON(t, vacio); err != nil || got != `{"documento":[],"dependencia":[],"alcanzable":[],"criterio":[],"hallazgo":[]}` {
		t.Errorf("%s, %v", got, err)
	}
}
