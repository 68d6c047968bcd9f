package tareas_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
)

func impreso(t *testing.T, r *tareas.Resultado) string {
	t.Helper()
	var b strings.Builder
	if err := tareas.Imprimir(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestImprimir(t *testing.T) {
	dir := proyecto(t, map[string]string{
		"tareas/20260101-000000-uno/TAREA.md": "# Uno \x1b[31m rojo\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 12\n- ETIQUETAS: río, b\n- CIERRA CON: a.b\n- URL: http://x.test\n- DUEÑA: x\n\nUn\tcuerpo \x07con controles.\r\n\n## Notas\n",
		"tareas/20260102-000000/TAREA.md":     "# Dos\n\n- ESTADO: ABIERTA\n- PRIORIDAD: -3\n\n<b>\n",
		"tareas/20260102-000000/x.png":        "",
		"tareas/20260102-000000/.c/x":         "",
	})
	for nombre, c := range map[string]struct {
		q      tareas.Consulta
		quiere string
	}{
		"listar": {listar(), `PRIORIDAD  ID                   ESTADO   ETIQUETAS  TÍTULO
12         20260101-000000-uno  ABIERTA  río, b     Uno \x1b[31m rojo
-3         20260102-000000      ABIERTA  —          Dos

2 tareas
`},
		"listar nada": {tareas.Consulta{Accion: tareas.AccionListar, Estado: p(tareas.Cerrada)}, "No hay tareas que mostrar.\n"},
		"listar una":  {tareas.Consulta{Accion: tareas.AccionListar, Etiqueta: p("b")}, "PRIORIDAD  ID                   ESTADO   ETIQUETAS  TÍTULO\n12         20260101-000000-uno  ABIERTA  río, b     Uno \\x1b[31m rojo\n\n1 tarea\n"},
		"ver": {ver("uno"), `Uno \x1b[31m rojo

id          20260101-000000-uno
estado      ABIERTA
prioridad   12
etiquetas   río, b
cierra con  a.b
URL         http://x.test
ruta        tareas/20260101-000000-uno/TAREA.md

- DUEÑA: x

Un	cuerpo \acon controles.

## Notas
`},
		"ver sin cuerpo": {ver("20260102"), "Dos\n\nid          20260102-000000\nestado      ABIERTA\nprioridad   -3\netiquetas   —\ncierra con  —\nruta        tareas/20260102-000000/TAREA.md\n\n<b>\n"},
		"buscar":         {buscar("dos"), "tareas/20260102-000000/TAREA.md:1: # Dos\n\n1 coincidencia\n\nSin buscar (2):\n  tareas/20260102-000000/.c: entrada_oculta\n  tareas/20260102-000000/x.png: binario\n"},
		"buscar nada":    {buscar("zz"), "0 coincidencias\n\nSin buscar (2):\n  tareas/20260102-000000/.c: entrada_oculta\n  tareas/20260102-000000/x.png: binario\n"},
		"hechos": {hechos(), `       2  tarea_seguimiento
       1  tarea_cierre_medida
       3  archivo_seguimiento
       1  referencia_seguimiento
       1  omision_seguimiento
       1  lectura_seguimiento
       0  commit_seguimiento

git: no_solicitado
head: —

Lectura incompleta (1 omisión):
  tareas/20260102-000000/.c: entrada_oculta
`},
	} {
		t.Run(nombre, func(t *testing.T) {
			if d := cmp.Diff(c.quiere, impreso(t, bien(t, dir, c.q))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
