package docugraph_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/oracle-mcp/oracle-mcp/host/docugraph"
)

func ExampleCargar() {
	raiz, err := os.OpenRoot("../../fixtures/docugraph/negativos/LINK_BROKEN/arbol")
	if err != nil {
		panic(err)
	}
	defer raiz.Close()
	arbol, err := docugraph.Cargar(context.Background(), raiz, docugraph.Limites{})
	if err != nil {
		panic(err)
	}
	for _, h := range arbol.Informe("").Errors {
		fmt.Printf("%s:%d: %s\n", h.Ruta, h.Linea, h.Codigo)
	}
	// Output:
	// a.md:6: LINK_BROKEN
	// a.md:7: LINK_BROKEN
	// c.md:4: LINK_BROKEN
}

func ExampleArbol_Contexto() {
	ctx := context.Background()
	var documentos []*docugraph.Documento
	for ruta, texto := range map[string]string{
		"a.md": "---\nid: A\ndepends_on: [B, C]\n---\n",
		"b.md": "---\nid: B\ndepends_on: C\n---\n",
		"c.md": "---\nid: C\n---\n",
	} {
		documentos = append(documentos, docugraph.Leer(ruta, []byte(texto), docugraph.Limites{}))
	}
	arbol, err := docugraph.Armar(ctx, documentos, nil, nil)
	if err != nil {
		panic(err)
	}
	paquete, err := arbol.Contexto(ctx, "A", docugraph.ProfundidadPorOmision)
	if err != nil {
		panic(err)
	}
	for _, i := range paquete.Inclusiones {
		fmt.Println(i.Documento.ID, i.Profundidad, i.Motivo)
	}
	_, err = arbol.Contexto(ctx, "D", docugraph.ProfundidadPorOmision)
	var e *docugraph.ErrorHerramienta
	fmt.Println(errors.As(err, &e), e.Codigo)
	// Output:
	// A 0 requested task
	// B 1 required by A
	// C 1 required by A, B
	// true TASK_NOT_FOUND
}

func ExampleArbol_Hechos() {
	d := docugraph.Leer("a.md", []byte("---\nid: A\ndepends_on: B\n---\n"), docugraph.Limites{})
	arbol, err := docugraph.Armar(context.Background(), []*docugraph.Documento{d}, nil, nil)
	if err != nil {
		panic(err)
	}
	hechos, err := arbol.Hechos(context.Background(), docugraph.Limites{})
	if err != nil {
		panic(err)
	}
	b, err := docugraph.JSON(hechos.Dependencia)
	fmt.Println(string(b), err)
	// Output:
	// [{"desde":"A","hasta":"B","existe":false}] <nil>
}
