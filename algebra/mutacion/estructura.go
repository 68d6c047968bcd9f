package mutacion

import (
	"fmt"
	"maps"
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// cambiar is the mutant that replaces the node at a path. The path is copied.
func (o *original) cambiar(id, cambio string, ruta algebra.Ruta, nuevo algebra.Nodo) Mutante {
	ruta = ruta.Hija()
	return Mutante{id, cambio, func() algebra.Nodo { return o.con(nuevo, ruta...) }}
}

// ordenados returns the names of a set by code point.
func ordenados(nombres map[string]bool) []string { return slices.Sorted(maps.Keys(nombres)) }

// fuentes replaces each relation of the source by each other one it names.
func (o *original) fuentes(yield func(Mutante) bool) bool {
	des := fuentesDe(o.fuente, algebra.Ruta{enTuberia, 1})
	nombres := map[string]bool{}
	for _, d := range des {
		s, _ := d.nodo.Hijo(1).Texto()
		nombres[s] = true
	}
	orden := ordenados(nombres)
	for _, d := range des {
		a, _ := d.nodo.Hijo(1).Texto()
		alias, _ := d.nodo.Hijo(2).Texto()
		ruta := d.ruta.Hija(1)
		for _, b := range orden {
			if b != a && !yield(o.cambiar(fmt.Sprintf("fuente:%s:%s→%s", ruta, a, b),
				fmt.Sprintf("el alias «%s» sale de «%s» en vez de «%s»", algebra.Citar(alias), algebra.Citar(b), algebra.Citar(a)),
				ruta, algebra.HojaTexto(b))) {
				return false
			}
		}
	}
	return true
}

// raices returns the expressions that mutate structurally, in order: of each
// «donde»; of each key and then each aggregate of an «agrupar»; of the summary.
// Those of «sin» and of «requiere» do not.
func (o *original) raices() []raiz {
	var rs []raiz
	for i, p := range o.pasos {
		ruta := algebra.Ruta{enTuberia, i + 2}
		switch p.Cabeza() {
		case "donde":
			rs = append(rs, raiz{ruta.Hija(1), p.Hijo(1)})
		case "agrupar":
			for k, c := range p.Hijo(1).Hijos() {
				rs = append(rs, raiz{ruta.Hija(1, k, 1), c.Hijo(1)})
			}
			for k, a := range p.Hijo(2).Hijos() {
				rs = append(rs, raiz{ruta.Hija(2, k, 2), a.Hijo(2)})
			}
		}
	}
	return append(rs, raiz{algebra.Ruta{enResumen, enExpr}, o.expr})
}

// expresiones changes one node of an expression at a time.
func (o *original) expresiones(yield func(Mutante) bool) bool {
	for _, r := range o.raices() {
		if !r.recorrer(func(ruta algebra.Ruta, n algebra.Nodo) bool {
			m, ok := o.expresion(ruta, n)
			return !ok || yield(m)
		}) {
			return false
		}
	}
	return true
}

func (o *original) expresion(ruta algebra.Ruta, n algebra.Nodo) (Mutante, bool) {
	lugar := o.lugar(ruta)
	if b, ok := n.Hoja().(algebra.Booleano); ok {
		return o.cambiar("expresion:booleano@"+ruta.String(), fmt.Sprintf("en %s, dice %v en vez de %v", lugar, !b, b), ruta, algebra.Hoja(!b)), true
	}
	cabeza := n.Cabeza()
	otra := map[string]string{"y": "o", "o": "y"}[cabeza]
	switch {
	case algebra.Comparador(cabeza).Valido():
		otra = string(negado(algebra.Comparador(cabeza)))
		nueva := n.Con(0, algebra.HojaTexto(otra))
		return o.cambiar(fmt.Sprintf("expresion:comparador@%s:%s→%s", ruta, cabeza, otra),
			fmt.Sprintf("en %s, invierte una comparación: %s en vez de %s", lugar, corto(nueva), corto(n)), ruta, nueva), true
	case otra != "":
		return o.cambiar(fmt.Sprintf("expresion:logico@%s:%s→%s", ruta, cabeza, otra),
			fmt.Sprintf("en %s, pone %s donde decía %s: %s", lugar, otra, cabeza, corto(n)), ruta, n.Con(0, algebra.HojaTexto(otra))), true
	case cabeza == "no":
		return o.cambiar("expresion:quitar_no@"+ruta.String(),
			fmt.Sprintf("en %s, quita un no: %s", lugar, corto(n)), ruta, n.Hijo(1)), true
	}
	return Mutante{}, false
}

// agregados changes the aggregate of the summary and of each «agrupar».
func (o *original) agregados(yield func(Mutante) bool) bool {
	if !yield(o.agregado(algebra.Ruta{enResumen}, o.raiz.Hijo(enResumen))) {
		return false
	}
	for i, p := range o.pasos {
		if p.Cabeza() != "agrupar" {
			continue
		}
		for k, a := range p.Hijo(2).Hijos() {
			if !yield(o.agregado(algebra.Ruta{enTuberia, i + 2, 2, k}, a)) {
				return false
			}
		}
	}
	return true
}

// agregado changes a node whose second element is an aggregate and whose third
// is its expression.
func (o *original) agregado(ruta algebra.Ruta, n algebra.Nodo) Mutante {
	f, _ := n.Hijo(1).Texto()
	otra := map[algebra.Funcion]algebra.Funcion{
		algebra.Contar: algebra.Suma, algebra.Maximo: algebra.Minimo, algebra.Minimo: algebra.Maximo,
		algebra.Suma: algebra.Promedio, algebra.Promedio: algebra.Suma,
	}[algebra.Funcion(f)]
	nuevo, id, que := n.Con(1, algebra.HojaTexto(string(otra))), string(otra), string(otra)
	if algebra.Funcion(f) == algebra.Contar {
		nuevo, id, que = nuevo.Con(2, algebra.Hoja(algebra.NuevoEntero(0))), "suma(0)", "suma(0), que siempre da cero,"
	}
	return o.cambiar(fmt.Sprintf("agregado:%s:%s→%s", ruta.Hija(1), f, id),
		fmt.Sprintf("en %s, usa %s en vez de %s", o.lugar(ruta.Hija(2)), que, f), ruta, nuevo)
}

// campos replaces each field by the others read under the same alias, and each
// column by the others.
func (o *original) campos(yield func(Mutante) bool) bool {
	leidos := map[string]map[string]bool{}
	columnas := map[string]bool{}
	cada := func(ver func(ruta algebra.Ruta, alias, nombre string, n algebra.Nodo) bool) bool {
		for _, r := range o.raices() {
			if !r.recorrer(func(ruta algebra.Ruta, n algebra.Nodo) bool {
				switch n.Cabeza() {
				case "campo":
					alias, _ := n.Hijo(1).Texto()
					nombre, _ := n.Hijo(2).Texto()
					return ver(ruta.Hija(2), alias, nombre, n)
				case "col":
					nombre, _ := n.Hijo(1).Texto()
					return ver(ruta.Hija(1), "", nombre, n)
				}
				return true
			}) {
				return false
			}
		}
		return true
	}
	cada(func(_ algebra.Ruta, alias, nombre string, n algebra.Nodo) bool {
		if n.Cabeza() == "col" {
			columnas[nombre] = true
			return true
		}
		if leidos[alias] == nil {
			leidos[alias] = map[string]bool{}
		}
		leidos[alias][nombre] = true
		return true
	})
	for _, p := range o.pasos {
		if p.Cabeza() != "agrupar" {
			continue
		}
		for _, grupo := range p.Hijos()[1:] {
			for _, x := range grupo.Hijos() {
				s, _ := x.Hijo(0).Texto()
				columnas[s] = true
			}
		}
	}
	porAlias := map[string][]string{}
	for alias, nombres := range leidos {
		porAlias[alias] = ordenados(nombres)
	}
	deColumnas := ordenados(columnas)
	return cada(func(ruta algebra.Ruta, alias, nombre string, n algebra.Nodo) bool {
		nombres := deColumnas
		if n.Cabeza() == "campo" {
			nombres = porAlias[alias]
		}
		for _, otro := range nombres {
			if otro == nombre {
				continue
			}
			nuevo := n.Con(n.Largo()-1, algebra.HojaTexto(otro))
			if !yield(o.cambiar(fmt.Sprintf("campo:%s:%s→%s", ruta, nombre, otro),
				fmt.Sprintf("en %s, lee %s en vez de %s", o.lugar(ruta), corto(nuevo), corto(n)), ruta, algebra.HojaTexto(otro))) {
				return false
			}
		}
		return true
	})
}
