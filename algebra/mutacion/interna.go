package mutacion

import (
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// raiz is where an expression of the measure begins.
type raiz struct {
	ruta algebra.Ruta
	nodo algebra.Nodo
}

// juzgadas are the expressions that decide what is counted: each «donde» after
// the last «agrupar», then the predicate of a sum. None when the summary does
// not count.
func (o *original) juzgadas() []raiz {
	if !o.cuenta() {
		return nil
	}
	var rs []raiz
	for i := o.desde; i < len(o.pasos); i++ {
		if o.pasos[i].Cabeza() == "donde" {
			rs = append(rs, raiz{algebra.Ruta{enTuberia, i + 2, 1}, o.pasos[i].Hijo(1)})
		}
	}
	if o.funcion == algebra.Suma {
		rs = append(rs, raiz{algebra.Ruta{enResumen, enExpr}, o.expr})
	}
	return rs
}

// recorrer visits an expression in preorder, leaves too, until ver says stop by
// returning false. It reports whether it reached the end.
func (r raiz) recorrer(ver func(ruta algebra.Ruta, n algebra.Nodo) bool) bool {
	ruta := r.ruta.Hija()
	var bajar func(n algebra.Nodo) bool
	bajar = func(n algebra.Nodo) bool {
		if !ver(ruta, n) {
			return false
		}
		for i := 1; i < n.Largo(); i++ {
			ruta = append(ruta, i)
			seguir := bajar(n.Hijo(i))
			ruta = ruta[:len(ruta)-1]
			if !seguir {
				return false
			}
		}
		return true
	}
	return bajar(r.nodo)
}

// primera returns the first node of the judged expressions that fits.
func (o *original) primera(encaja func(algebra.Nodo) bool) (ruta algebra.Ruta, nodo algebra.Nodo, ok bool) {
	for _, r := range o.juzgadas() {
		r.recorrer(func(donde algebra.Ruta, n algebra.Nodo) bool {
			if ok = encaja(n); ok {
				ruta, nodo = donde.Hija(), n
			}
			return !ok
		})
		if ok {
			return ruta, nodo, true
		}
	}
	return nil, algebra.Nodo{}, false
}

// primerOperando replaces the first node of a logical by its first operand.
func (o *original) primerOperando(aplica bool, cabeza, que string) (algebra.Nodo, string, bool) {
	if !aplica {
		return no()
	}
	ruta, n, ok := o.primera(func(n algebra.Nodo) bool { return n.Cabeza() == cabeza })
	if !ok {
		return no()
	}
	return si(o.con(n.Hijo(1), ruta...), "en %s, %s: %s", o.lugar(ruta), que, corto(n.Hijo(1)))
}

// comparacionInterna changes the comparator of the first comparison that has
// one of the keys.
func (o *original) comparacionInterna(aplica bool, que string, por map[string]algebra.Comparador) (algebra.Nodo, string, bool) {
	if !aplica {
		return no()
	}
	ruta, n, ok := o.primera(func(n algebra.Nodo) bool { return por[n.Cabeza()] != "" })
	if !ok {
		return no()
	}
	nueva := n.Con(0, algebra.HojaTexto(string(por[n.Cabeza()])))
	return si(o.con(nueva, ruta...), "en %s, %s: %s en vez de %s", o.lugar(ruta), que, corto(nueva), corto(n))
}

// limiteInterno moves the number at the right of the first comparison of order
// that has one. With sentido 1 fewer rows satisfy it; with -1, more.
func (o *original) limiteInterno(aplica bool, sentido int, que string) (algebra.Nodo, string, bool) {
	if !aplica {
		return no()
	}
	ruta, n, ok := o.primera(func(n algebra.Nodo) bool {
		return direccion(n.Cabeza()) != 0 && n.Largo() == 3 && esNumero(n.Hijo(2).Hoja())
	})
	if !ok {
		return no()
	}
	v, ok := correr(n.Hijo(2).Hoja(), sentido*direccion(n.Cabeza()))
	if !ok {
		return no()
	}
	nueva := n.Con(2, algebra.Hoja(v))
	return si(o.con(nueva, ruta...), "en %s, %s: %s en vez de %s", o.lugar(ruta), que, corto(nueva), corto(n))
}

// direccion is where the limit of a comparison of order moves for fewer values
// to satisfy it; 0 for anything else.
func direccion(cabeza string) int {
	switch algebra.Comparador(cabeza) {
	case algebra.Mayor, algebra.MayorIgual:
		return 1
	case algebra.Menor, algebra.MenorIgual:
		return -1
	}
	return 0
}

// quitarFactor leaves one side of a product whose other side nothing reads and
// whose evidence is only asked to be there.
func (o *original) quitarFactor() (algebra.Nodo, string, bool) {
	if o.funcion != algebra.Contar || !o.sube() || !o.requiere.EsLista() || o.hay("agrupar") || o.fuente.Cabeza() != "unir" {
		return no()
	}
	exigidas := map[string]bool{}
	for _, r := range o.requiere.Hijos()[1:] {
		if s, ok := r.Texto(); ok {
			exigidas[s] = true
		}
	}
	usados := map[string]bool{}
	leidos := func(n algebra.Nodo) {
		raiz{nodo: n}.recorrer(func(_ algebra.Ruta, n algebra.Nodo) bool {
			if c := n.Cabeza(); c == "campo" || c == "hecho" {
				alias, _ := n.Hijo(1).Texto()
				usados[alias] = true
			}
			return true
		})
	}
	for _, p := range o.pasos {
		leidos(p)
	}
	leidos(o.expr)
	for _, lado := range []int{2, 1} {
		libre, nombres := true, ""
		for _, d := range fuentesDe(o.fuente.Hijo(lado), nil) {
			relacion, _ := d.nodo.Hijo(1).Texto()
			alias, _ := d.nodo.Hijo(2).Texto()
			libre = libre && exigidas[relacion] && !usados[alias]
			if nombres != "" {
				nombres += ", "
			}
			nombres += fmt.Sprintf("«%s»", algebra.Citar(relacion))
		}
		if libre {
			return si(o.con(o.fuente.Hijo(3-lado), enTuberia, 1), "quita del producto %s, que nadie lee: una fila ya no se cuenta una vez por cada una de las suyas", nombres)
		}
	}
	return no()
}

// fuentesDe returns the «de» of a source from left to right, with their paths.
func fuentesDe(n algebra.Nodo, ruta algebra.Ruta) []raiz {
	if n.Cabeza() != "unir" {
		return []raiz{{ruta, n}}
	}
	return append(fuentesDe(n.Hijo(1), ruta.Hija(1)), fuentesDe(n.Hijo(2), ruta.Hija(2))...)
}
