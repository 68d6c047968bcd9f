package tareas_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
	"github.com/oracle-mcp/oracle-mcp/host/tareas/repositorio"
)

func ExampleConsultar() {
	raiz, err := os.OpenRoot("../../fixtures/proyectos/tablero")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer raiz.Close()
	id := "etiquetas"
	r, err := tareas.Consultar(context.Background(), lector.DeRaiz(raiz), nil, tareas.Consulta{Accion: tareas.AccionVer, ID: &id})
	if err != nil {
		fmt.Println(err)
		return
	}
	tareas.Imprimir(os.Stdout, r)

	id = "juzgado"
	_, err = tareas.Consultar(context.Background(), lector.DeRaiz(raiz), nil, tareas.Consulta{Accion: tareas.AccionVer, ID: &id})
	var e *tareas.Error
	if errors.As(err, &e) {
		fmt.Println(e.Codigo())
		fmt.Println(e)
	}
	// Output:
	// Las etiquetas con tilde no se encuentran
	//
	// id          20260908-101500-etiquetas
	// estado      ABIERTA
	// prioridad   2
	// etiquetas   archivo, Río
	// cierra con  —
	// URL         https://ejemplo.test/tablero/etiquetas
	// ruta        tareas/20260908-101500-etiquetas/TAREA.md
	//
	// La lista está en [`etiquetas`](../etiquetas).
	// TAREA_NO_ENCONTRADA
	// TAREA_NO_ENCONTRADA — no se encontró ninguna tarea con prefijo «juzgado».
	// campo: $.id
	// corrección: revisá el id; se le parecen: 20260915-010206-juzgar.
}

// A call that signs what it reads: the tracker, and Git's references.
func ExampleConsultar_firmada() {
	const dir = "../../fixtures/proyectos/tablero"
	raiz, err := os.OpenRoot(dir)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer raiz.Close()
	var repo *repositorio.Repositorio // what Descubrir found at start

	ctx := context.Background()
	var registro lector.Registro
	firmado := registro.Sobre("proyecto", lector.DeRaiz(raiz), nil)
	visto := repo.Con(func(nombre string, l lector.Lector) lector.Lector {
		return registro.Sobre(nombre, l, repositorio.EsReferencia)
	})
	r, err := tareas.Consultar(ctx, firmado, visto, tareas.Consulta{Accion: tareas.AccionListar})
	if err != nil {
		fmt.Println(err)
		return
	}
	antes, despues, err := registro.Cerrar(ctx)
	fmt.Println(len(r.Lista), antes == despues, err)
	// Output: 2 true <nil>
}
