package docugraph_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

// enMemoria reads n documents named by nombre, each depending on what hacia says.
func enMemoria(n int, hacia func(i int) []int) []*docugraph.Documento {
	docs := make([]*docugraph.Documento, n)
	var espera sync.WaitGroup
	for parte := range 2 {
		espera.Go(func() {
			for i := parte; i < n; i += 2 {
				var dep []string
				for _, j := range hacia(i) {
					dep = append(dep, fmt.Sprintf("N-%06d", j))
				}
				texto := fmt.Sprintf("---\nid: N-%06d\ndepends_on: [%s]\n---\n", i, strings.Join(dep, ", "))
				docs[i] = docugraph.Leer(fmt.Sprintf("d/%06d.md", i), []byte(texto), docugraph.Limites{})
			}
		})
	}
	espera.Wait()
	return docs
}

func TestCadenaDe200000(t *testing.T) {
	const n = 200_000
	docs := enMemoria(n, func(i int) []int {
		if i+1 < n {
			return []int{i + 1}
		}
		return nil
	})
	a, err := docugraph.Armar(t.Context(), docs, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if i := a.Informe(""); !i.Valid || i.NodeCount != n || i.EdgeCount != n-1 || len(i.Warnings) != 0 {
		t.Fatalf("nodos %d, aristas %d, errores %d, avisos %d", i.NodeCount, i.EdgeCount, len(i.Errors), len(i.Warnings))
	}
	p, err := a.Contexto(t.Context(), "N-000000", docugraph.ProfundidadMaxima)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Inclusiones) != docugraph.ProfundidadMaxima+1 || !p.Truncado || p.Inclusiones[10_000].Documento.ID != "N-010000" {
		t.Errorf("%d inclusiones, truncado %t", len(p.Inclusiones), p.Truncado)
	}
	var e *docugraph.ErrorHerramienta
	if _, err := a.Impacto(t.Context(), "N-199999", docugraph.ProfundidadMaxima); !errors.As(err, &e) || e.Codigo != docugraph.ArgumentoInvalido {
		t.Errorf("el impacto de los caminos larguísimos: %v", err)
	}
	if i, err := a.Impacto(t.Context(), "N-199999", 500); err != nil || len(i.Afecta) != 500 || !i.Truncado {
		t.Errorf("impacto a 500: %v", err)
	}
	var l *docugraph.LimiteError
	if _, err := a.Hechos(t.Context(), docugraph.Limites{PasosDeHechos: 1_000_000}); !errors.As(err, &l) {
		t.Errorf("hechos de una cadena de 200.000: %v", err)
	}
}

func TestCicloDe100000(t *testing.T) {
	const n = 100_000
	a, err := docugraph.Armar(t.Context(), enMemoria(n, func(i int) []int { return []int{(i + 1) % n} }), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	i := a.Informe("")
	if len(i.Errors) != 1 || i.Errors[0].Codigo != docugraph.Ciclo || i.Errors[0].Nodo != "N-000000" {
		t.Fatalf("%d errores", len(i.Errors))
	}
	m := i.Errors[0].Mensaje
	if !strings.HasPrefix(m, "ciclo: N-000000 → N-000001 → ") || !strings.HasSuffix(m, " → N-099999 → N-000000") || strings.Count(m, "→") != n {
		t.Errorf("el mensaje no trae el ciclo entero: %.80s … (%d flechas)", m, strings.Count(m, "→"))
	}
	_, err = a.Contexto(t.Context(), "N-000007", 1)
	var e *docugraph.ErrorHerramienta
	if !errors.As(err, &e) || e.Codigo != docugraph.GrafoConCiclo || len(e.Mensaje) > 4096 {
		t.Errorf("se esperaba GRAPH_CYCLE en un mensaje corto: %.200v", err)
	}
}

// TestRenglonDe4MiB: one line as long as a whole file may be, in each place it can stand.
func TestRenglonDe4MiB(t *testing.T) {
	linea := strings.Repeat("a", 4<<20)
	for _, c := range []struct {
		nombre, texto string
		codigo        docugraph.Codigo
	}{
		{"en el cuerpo", "---\nid: A\n---\n" + linea, docugraph.ArchivoGrande},
		{"en el frontmatter", "---\nid: A\ntitle: " + linea[:len(linea)-100] + "\n---\n", docugraph.FrontmatterInvalido},
		{"sola y con salto", linea + "\n", docugraph.ArchivoGrande},
	} {
		d := docugraph.Leer("a.md", []byte(c.texto), docugraph.Limites{})
		if len(d.Hallazgos) != 1 || d.Hallazgos[0].Codigo != c.codigo || d.ID != "" {
			t.Errorf("%s: %+v", c.nombre, d.Hallazgos)
		}
	}
}

// TestMarkdownHostil: shapes the library is quadratic on. Without the guards these megabytes take hours; with them, each ends in a
// finding or in a clean read, and the test in well under its deadline.
func TestMarkdownHostil(t *testing.T) {
	const n = 512 << 10
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	referencias := "\n" + rep("[a]: b\n")
	for nombre, c := range map[string]struct {
		texto   string
		rechaza bool
	}{
		"citas anidadas":         {rep("> "), true},
		"citas pegadas":          {rep(">"), true},
		"listas anidadas":        {rep("1. "), true},
		"guiones":                {rep("- "), true},
		"destinos sin cerrar":    {rep("[a]("), true},
		"destinos con ángulo":    {rep("[a](<b"), true},
		"títulos sin cerrar":     {rep("[a](b (x\n"), true},
		"corchetes balanceados":  {strings.Repeat("[", n/2) + strings.Repeat("]", n/2), true},
		"corchetes por renglón":  {strings.Repeat("[\n", n/4) + strings.Repeat("]\n", n/4), true},
		"énfasis que no cierra":  {rep("*a_ "), true},
		"muchas definiciones":    {referencias, true},
		"sangría creciente":      {escalera(n), true},
		"escapes que despistan":  {rep(`[a](b (x \)\)`), true},
		"comillas escapadas":     {rep("```\\"), true},
		"comillas desparejas":    {rep("\"\\``:"), true},
		"etiquetas sin destino":  {rep("'[x] \n"), true},
		"imágenes anidadas":      {strings.Repeat("![", n/8) + strings.Repeat("](a)", n/8), true},
		"ítems de a uno":         {rep("- a\n"), false},
		"párrafo larguísimo":     {rep("palabra "), false},
		"títulos":                {rep("# a\n"), false},
		"tabla con enlaces":      {strings.Repeat("| [a](b.md) | **c** | `d_e` |\n", 5_000), false},
		"índice de enlaces":      {rep("- [a](b.md#c)\n"), false},
		"comillas invertidas":    {rep("`"), false},
		"html":                   {rep("<div>\n\n"), false},
		"código":                 {"```\n" + rep("[a](b)*_\n") + "```\n", false},
		"comentarios sin cerrar": {rep("<!-- "), false},
	} {
		inicio := time.Now()
		d := docugraph.Leer("a.md", []byte(c.texto), docugraph.Limites{})
		rechazo := len(d.Hallazgos) == 1 && d.Hallazgos[0].Codigo == docugraph.ArchivoIlegible
		if rechazo != c.rechaza || !rechazo && len(d.Hallazgos) > 0 {
			t.Errorf("%s: %+v", nombre, d.Hallazgos)
		}
		t.Logf("%-24s %v", nombre, time.Since(inicio).Round(time.Millisecond))
	}
}

func escalera(n int) string {
	var b strings.Builder
	for d := 0; b.Len() < n; d++ {
		b.WriteString(strings.Repeat("  ", d) + "- a\n")
	}
	return b.String()
}

// TestYAMLHostil: shapes that a YAML library pays dearly for.
func TestYAMLHostil(t *testing.T) {
	const n = 60 << 10
	rep := func(s string) string { return strings.Repeat(s, n/len(s)) }
	var claves strings.Builder
	for i := range 5_000 {
		fmt.Fprintf(&claves, "k%d: 1\n", i)
	}
	for nombre, bloque := range map[string]string{
		"claves repetidas en flujo": "{" + rep("a,") + "}\n",
		"claves repetidas":          rep("? a\n"),
		"claves compuestas":         rep("[]: \n"),
		"muchas claves":             claves.String(),
		"listas anidadas":           rep("["),
		"mapas anidados":            rep("{a: "),
		"alias de sí mismo":         "a: &a [*a]\n",
		"etiqueta desconocida":      "a: !!int x\n",
		"dos documentos":            "a: 1\n--- b\n",
	} {
		d := docugraph.Leer("a.md", []byte("---\nid: A\n"+bloque+"---\n"), docugraph.Limites{})
		if len(d.Hallazgos) != 1 || d.Hallazgos[0].Codigo != docugraph.FrontmatterInvalido || d.ID != "" {
			t.Errorf("%s: %+v", nombre, d.Hallazgos)
		}
	}
}

func TestLimitesEnNYNMas1(t *testing.T) {
	dir := t.TempDir()
	escribir(t, dir, []string{"a.md", "b.md", "s/t/c.md"}, map[string]string{
		"a.md": "---\nid: A\n---\n", "b.md": "---\nid: B\n---\n", "s/t/c.md": "---\nid: C\n---\n",
	})
	for _, c := range []struct {
		nombre   string
		lim      docugraph.Limites
		limite   string // the LimiteError it ends in, if any
		hallazgo string // the only finding of reading, if any
	}{
		{"archivo justo", docugraph.Limites{BytesPorArchivo: 14}, "", ""},
		{"archivo grande", docugraph.Limites{BytesPorArchivo: 13}, "", "FILE_TOO_LARGE a.md FILE_TOO_LARGE b.md FILE_TOO_LARGE s/t/c.md"},
		{"total justo", docugraph.Limites{BytesTotales: 42}, "", ""},
		{"total pasado", docugraph.Limites{BytesTotales: 41}, "", "FILE_TOO_LARGE s/t/c.md"},
		{"documentos justos", docugraph.Limites{Documentos: 3}, "", ""},
		{"documentos de más", docugraph.Limites{Documentos: 2}, "documentos", ""},
		{"entradas justas", docugraph.Limites{Entradas: 5}, "", ""},
		{"entradas de más", docugraph.Limites{Entradas: 4}, "entradas", ""},
		{"profundidad justa", docugraph.Limites{Profundidad: 2}, "", ""},
		{"profundidad de más", docugraph.Limites{Profundidad: 1}, "", "FILE_UNREADABLE s/t"},
		{"frontmatter justo", docugraph.Limites{BytesDeFrontmatter: 6}, "", ""},
		{"frontmatter grande", docugraph.Limites{BytesDeFrontmatter: 5}, "", "FRONTMATTER_INVALID a.md FRONTMATTER_INVALID b.md FRONTMATTER_INVALID s/t/c.md"},
	} {
		raiz, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		a, err := docugraph.Cargar(t.Context(), raiz, c.lim)
		raiz.Close()
		var l *docugraph.LimiteError
		if errors.As(err, &l) != (c.limite != "") || l != nil && (l.Nombre != c.limite || l.Observado <= l.Limite) {
			t.Errorf("%s: %v", c.nombre, err)
			continue
		}
		if c.limite != "" {
			continue
		}
		var hallados []string
		for _, h := range a.Informe("").Errors {
			hallados = append(hallados, string(h.Codigo)+" "+h.Ruta)
		}
		if got := strings.Join(hallados, " "); got != c.hallazgo {
			t.Errorf("%s: %q, se esperaba %q", c.nombre, got, c.hallazgo)
		}
	}
}

func TestFilasAlcanzable(t *testing.T) {
	a, err := docugraph.Armar(t.Context(), enMemoria(4, func(i int) []int {
		if i < 3 {
			return []int{i + 1}
		}
		return nil
	}), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	for tope, filas := range map[int]int{6: 6, 5: 0} {
		h, err := a.Hechos(t.Context(), docugraph.Limites{FilasAlcanzable: tope})
		if err != nil {
			t.Fatal(err)
		}
		if len(h.Alcanzable) != filas || (h.Alcanzable == nil) != (filas == 0) || h.Documento[0].ProfundidadMaxima != 3 {
			t.Errorf("tope %d: %d filas, profundidad %d", tope, len(h.Alcanzable), h.Documento[0].ProfundidadMaxima)
		}
	}
	if _, err := a.Hechos(t.Context(), docugraph.Limites{PasosDeHechos: 6}); err != nil {
		t.Errorf("seis pasos alcanzan: %v", err)
	}
	var l *docugraph.LimiteError
	if _, err := a.Hechos(t.Context(), docugraph.Limites{PasosDeHechos: 5}); !errors.As(err, &l) {
		t.Errorf("cinco pasos no alcanzan: %v", err)
	}
}

// arbolDe10000 writes a tree like a person's: ten directories, each document with a page of text, a few links and dependencies.
func arbolDe10000(b testing.TB) string {
	dir := b.TempDir()
	for i := range 10_000 {
		var dep strings.Builder
		for k := 1; k <= 3 && i >= 7*k; k++ {
			fmt.Fprintf(&dep, "  - T-%05d\n", i-7*k)
		}
		texto := fmt.Sprintf("---\nid: T-%05d\ntitle: \"Tarea %d: una cosa\"\ntype: task\nstatus: todo\ntags: [uno, dos]\ndepends_on:\n%s"+
			"acceptance_criteria:\n  - responde 200\n  - no escribe nada\n---\n# Tarea %d\n\n## Qué hace\n\n%s\n\n[anterior](../d%d/%05d.md#qué-hace)\n\n```go\nfunc f() {}\n```\n\n## Notas\n\n- [ ] una\n- [x] otra\n",
			i, i, dep.String(), i, strings.Repeat("Un renglón de texto con *énfasis* y `código`, como tantos.\n", 10), max(i-1, 0)%10, max(i-1, 0))
		destino := filepath.Join(dir, fmt.Sprintf("d%d", i%10), fmt.Sprintf("%05d.md", i))
		if err := os.MkdirAll(filepath.Dir(destino), 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(destino, []byte(texto), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}

func BenchmarkCargarYValidar10000(b *testing.B) {
	dir := arbolDe10000(b)
	for b.Loop() {
		if i := cargar(b, dir).Informe(""); !i.Valid || i.NodeCount != 10_000 || len(i.Warnings) != 0 {
			b.Fatalf("%d nodos, errores %v, avisos %v", i.NodeCount, i.Errors, i.Warnings[:min(3, len(i.Warnings))])
		}
	}
}

func BenchmarkPaquete(b *testing.B) {
	a := cargar(b, arbolDe10000(b))
	for b.Loop() {
		p, err := a.Contexto(b.Context(), "T-09999", docugraph.ProfundidadPorOmision)
		if err != nil || len(p.Markdown()) == 0 {
			b.Fatal(err)
		}
	}
}

func BenchmarkPaqueteEntero(b *testing.B) {
	a := cargar(b, arbolDe10000(b))
	for b.Loop() {
		p, err := a.Contexto(b.Context(), "T-09999", docugraph.ProfundidadMaxima)
		if err != nil || len(p.Markdown()) == 0 {
			b.Fatal(err)
		}
	}
}
