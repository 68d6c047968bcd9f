package mutacion

import (
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// lugar says in Spanish which expression a path is in: «el donde del paso 2»,
// «la clave «zona» del paso 3», «el resumen». Steps count from 1, after the
// source.
func (o *original) lugar(ruta algebra.Ruta) string {
	if ruta[0] == enResumen {
		return "el resumen"
	}
	paso := ruta[1] - 1
	p := o.pasos[paso-1]
	if p.Cabeza() != "agrupar" {
		return fmt.Sprintf("el %s del paso %d", p.Cabeza(), paso)
	}
	nombre, _ := p.Hijo(ruta[2]).Hijo(ruta[3]).Hijo(0).Texto()
	que := "la clave"
	if ruta[2] == 2 {
		que = "el agregado"
	}
	return fmt.Sprintf("%s «%s» del paso %d", que, algebra.Citar(nombre), paso)
}

// corto spells an expression for a sentence: whole when it is small, with «…»
// where it nests.
func corto(n algebra.Nodo) string { return cortar(n, 2) }

func cortar(n algebra.Nodo, niveles int) string {
	if !n.EsLista() {
		return algebra.Citar(n.String())
	}
	texto := func(i int) string {
		s, _ := n.Hijo(i).Texto()
		return algebra.Citar(s)
	}
	cabeza := n.Cabeza()
	switch cabeza {
	case "campo":
		return texto(1) + "." + texto(2)
	case "col":
		return texto(1)
	case "hecho":
		return "hecho(" + texto(1) + ")"
	}
	if niveles == 0 {
		return "…"
	}
	const maximo = 3
	var partes []string
	for i := 1; i < n.Largo(); i++ {
		if i > maximo {
			partes = append(partes, "…")
			break
		}
		partes = append(partes, cortar(n.Hijo(i), niveles-1))
	}
	switch {
	case cabeza == "no":
		return "no (" + partes[0] + ")"
	case algebra.Comparador(cabeza).Valido(), cabeza == "y", cabeza == "o":
		return strings.Join(partes, " "+cabeza+" ")
	default:
		return algebra.Citar(cabeza) + "(" + strings.Join(partes, ", ") + ")"
	}
}
