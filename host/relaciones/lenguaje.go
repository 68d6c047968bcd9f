package relaciones

import "strings"

// delLenguaje lists the relations the language emits about itself and their
// fields, «campo tipo» each (proyecto §8).
var delLenguaje = [...]struct{ nombre, campos string }{
	{"medida", "id texto, dominio texto, relacion texto, agregado texto, comparador texto, umbral ?, umbral_op texto, umbral_valor ?, umbral_es_flotante booleano, porque texto, segun texto, ambito texto, alcance texto, pasos entero, declara_requiere booleano, es_meta_por_el_nombre booleano, es_meta_por_lo_que_mide booleano"},
	{"paso_de_medida", "medida texto, indice entero, ruta texto, operador texto"},
	{"fuente", "medida texto, ruta texto, relacion texto, alias texto"},
	{"termino", "medida texto, ruta texto, padre texto, cabeza_padre texto, tipo texto, cabeza texto, texto texto, longitud entero"},
	{"ancestro", "medida texto, ruta texto, ancestro texto, cabeza_ancestro texto, tipo texto, cabeza texto, cabeza_padre texto, texto texto"},
	{"requiere", "medida texto, indice entero, relacion texto, con_condicion booleano"},
	{"dependencia_de_medida", "medida texto, relacion texto, clase texto, con_condicion booleano"},
	{"caso", "id texto, medida texto, etiqueta texto, procedencia texto, espera texto, obtenido texto, se_pone_como_debe booleano, medida_existe booleano, es_heredado booleano, declara_de_donde_salio booleano"},
	{"medida_en_uso", "medida texto, es_heredada booleano, casos_que_la_evaluan entero, mutantes_que_le_sobreviven entero"},
	{"sombra", "medida texto, desde texto, porque texto, dias entero, medida_existe booleano, valor ?, cota entero, tiene_cota booleano, evaluada booleano, esta_en_verde booleano"},
	{"mutante", "id texto, apunta_a texto, cambio texto, tipo texto, detecciones_conductuales entero, rechazos_del_algebra entero"},
	{"relacion_declarada", "relacion texto, campos entero, alcance texto, tiene_alcance booleano, variantes entero"},
	{"campo_declarado", "relacion texto, campo texto, tipo texto, unidad texto, tiene_unidad booleano, es_magnitud booleano, es_sin_unidad booleano, variante texto"},
	{"campo_leido", "medida texto, relacion texto, campo texto, origen texto, existe booleano"},
	{"paso", "t entero, operador texto, filas_antes entero, filas_despues entero"},
	{"producto", "izquierda entero, derecha entero, salida entero"},
	{"nodo", "cabeza texto, declarados entero, evaluados entero"},
}

// EsDelLenguaje reports whether the language itself emits a relation with that
// name; such names are reserved.
func EsDelLenguaje(nombre string) bool {
	for _, r := range delLenguaje {
		if r.nombre == nombre {
			return true
		}
	}
	return false
}

// DelLenguaje returns the names of the relations the language emits, in the
// order of the specification.
func DelLenguaje() []string {
	var ns []string
	for _, r := range delLenguaje {
		ns = append(ns, r.nombre)
	}
	return ns
}

// CamposDelLenguaje returns the fields of a relation of the language, in order;
// nil when it is not one.
func CamposDelLenguaje(nombre string) []string {
	for _, r := range delLenguaje {
		if r.nombre == nombre {
			var cs []string
			for c := range strings.SplitSeq(r.campos, ", ") {
				campo, _, _ := strings.Cut(c, " ")
				cs = append(cs, campo)
			}
			return cs
		}
	}
	return nil
}
