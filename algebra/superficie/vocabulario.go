package superficie

import "strings"

// opcion is a word of a closed vocabulary and what it means.
type opcion struct{ palabra, significado string }

// The closed vocabularies of the surface, in the order messages list them.
func vocabularioDeSegun() []opcion {
	return []opcion{
		{"medicion", "salió de medir"},
		{"contrato", "lo fija un acuerdo o una norma"},
		{"convencion", "es costumbre de la casa"},
		{"tanteo", "se eligió a ojo"},
		{"sin_declarar", "no se dice"},
	}
}

func vocabularioDeAmbito() []opcion {
	return []opcion{
		{"universal", "obliga en cualquier proyecto"},
		{"del_origen", "obliga sólo donde nació"},
		{"sin_declarar", "no se dice"},
	}
}

func vocabularioDeAgregados() []opcion {
	return []opcion{
		{"contar", "cuenta filas"},
		{"suma", "las suma"},
		{"promedio", "su media"},
		{"min", "el menor"},
		{"max", "el mayor"},
	}
}

func vocabularioDeComparadores() []opcion {
	return []opcion{
		{"==", "igual"}, {"!=", "distinto"}, {"<", "menor"}, {"<=", "menor o igual"},
		{">", "mayor"}, {">=", "mayor o igual"},
	}
}

func vocabularioDePasos() []opcion {
	return []opcion{
		{"donde", "filtra"}, {"sin", "quita las filas que tienen pareja"}, {"agrupar:", "una fila por clave"},
		{"resumen", "cierra la tubería con un agregado"},
	}
}

// opciones spells a vocabulary for a message.
func opciones(que string, v []opcion) string {
	var b strings.Builder
	b.WriteString(que)
	for i, o := range v {
		switch {
		case i == 0:
			b.WriteString(": ")
		case i == len(v)-1:
			b.WriteString(" o ")
		default:
			b.WriteString(", ")
		}
		b.WriteString(o.palabra + " (" + o.significado + ")")
	}
	return b.String()
}

func esOpcion(v []opcion, s string) bool {
	for _, o := range v {
		if o.palabra == s {
			return true
		}
	}
	return false
}

// What is expected where a word of these goes; they never change.
var (
	esperadoPaso     = opciones("un paso, o el resumen", vocabularioDePasos())
	esperadoAgregado = opciones("un agregado con su expresión, como contar(1)", vocabularioDeAgregados())
)
