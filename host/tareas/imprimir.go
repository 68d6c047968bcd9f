package tareas

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// Imprimir writes a result for a person at a terminal. What the tracker's files
// say comes out with its control characters escaped: none of it can move the
// cursor or colour the screen.
func Imprimir(w io.Writer, r *Resultado) error {
	b := bufio.NewWriter(w)
	switch {
	case r.Tarea != nil:
		imprimirTarea(b, r.Tarea)
	case r.Busqueda != nil:
		imprimirBusqueda(b, r.Busqueda)
	case r.Hechos != nil:
		imprimirHechos(b, r.Hechos)
	default:
		imprimirLista(b, r.Lista)
	}
	return b.Flush()
}

// maxTitulo cuts, in code points, a title or a match in a table.
const maxTitulo = 200

func imprimirLista(w io.Writer, lista []Resumen) {
	if len(lista) == 0 {
		fmt.Fprintln(w, "No hay tareas que mostrar.")
		return
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "PRIORIDAD\tID\tESTADO\tETIQUETAS\tTÍTULO")
	for _, r := range lista {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", r.Prioridad, r.ID, r.Estado,
			mostrar(o(strings.Join(r.Etiquetas, ", ")), maxTitulo), mostrar(r.Titulo, maxTitulo))
	}
	t.Flush()
	fmt.Fprintf(w, "\n%s\n", cuantas(len(lista), "tarea", "tareas"))
}

// o stands for an empty cell.
func o(s string) string {
	if s == "" {
		return "—"
	}
	return s
}

func cuantas(n int, una, varias string) string {
	if n == 1 {
		return "1 " + una
	}
	return fmt.Sprintf("%d %s", n, varias)
}

func imprimirTarea(w io.Writer, tarea *Tarea) {
	fmt.Fprintf(w, "%s\n\n", mostrar(tarea.Titulo, maxMensaje))
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fila := func(nombre, valor string) { fmt.Fprintf(t, "%s\t%s\n", nombre, mostrar(o(valor), maxMensaje)) }
	fila("id", tarea.ID)
	fila("estado", string(tarea.Estado))
	fila("prioridad", tarea.Prioridad.String())
	fila("etiquetas", strings.Join(tarea.Etiquetas, ", "))
	fila("cierra con", strings.Join(tarea.CierraCon, ", "))
	nombres := make([]string, 0, len(tarea.CamposAdicionales))
	for n := range tarea.CamposAdicionales {
		nombres = append(nombres, n)
	}
	slices.Sort(nombres)
	for _, n := range nombres {
		fila(n, tarea.CamposAdicionales[n])
	}
	fila("ruta", tarea.Ruta)
	t.Flush()
	if tarea.Cuerpo == "" {
		return
	}
	fmt.Fprintln(w)
	for linea := range strings.SplitSeq(tarea.Cuerpo, "\n") {
		linea = strings.TrimSuffix(linea, "\r")
		for i, parte := range strings.Split(linea, "\t") {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, mostrar(parte, -1))
		}
		fmt.Fprintln(w)
	}
}

func imprimirBusqueda(w io.Writer, b *Busqueda) {
	for _, c := range b.Coincidencias {
		fmt.Fprintf(w, "%s:%d: %s\n", mostrar(c.Ruta, -1), c.Linea, mostrar(strings.TrimSpace(c.Texto), maxTitulo))
	}
	if len(b.Coincidencias) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, cuantas(len(b.Coincidencias), "coincidencia", "coincidencias"))
	if len(b.Omitidos) > 0 {
		fmt.Fprintf(w, "\nSin buscar (%d):\n", len(b.Omitidos))
		for _, x := range b.Omitidos {
			fmt.Fprintf(w, "  %s: %s\n", mostrar(x.Ruta, -1), x.Motivo)
		}
	}
}

func imprimirHechos(w io.Writer, h *Hechos) {
	for _, r := range []struct {
		nombre string
		filas  int
	}{
		{"tarea_seguimiento", len(h.Tareas)}, {"tarea_cierre_medida", len(h.Cierres)}, {"archivo_seguimiento", len(h.Archivos)},
		{"referencia_seguimiento", len(h.Referencias)}, {"omision_seguimiento", len(h.Omisiones)},
		{"lectura_seguimiento", len(h.Lectura)}, {"commit_seguimiento", len(h.Commits)},
	} {
		fmt.Fprintf(w, "%8d  %s\n", r.filas, r.nombre)
	}
	for _, l := range h.Lectura {
		fmt.Fprintf(w, "\ngit: %s\nhead: %s\n", o(l.Git), o(l.Head))
	}
	if len(h.Omisiones) == 0 {
		fmt.Fprintln(w, "lectura completa")
		return
	}
	fmt.Fprintf(w, "\nLectura incompleta (%s):\n", cuantas(len(h.Omisiones), "omisión", "omisiones"))
	for _, x := range h.Omisiones {
		if x.Linea > 0 {
			fmt.Fprintf(w, "  %s:%d: %s\n", mostrar(x.Ruta, -1), x.Linea, x.Motivo)
		} else {
			fmt.Fprintf(w, "  %s: %s\n", mostrar(x.Ruta, -1), x.Motivo)
		}
	}
}
