package algebra

import (
	"fmt"
	"regexp"
)

var formaDeID = regexp.MustCompile(`^[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)+$`)

// IDValido reports whether s is spelled as the id of a measure (lenguaje §2).
func IDValido(s string) bool { return formaDeID.MatchString(s) }

// Cargar checks a canonical form, already expanded, and returns the measure it
// says (lenguaje §2 to §4). A nil esc declares no scalars. The error is the
// first one found: *[ErrorDeCarga] with its canonical path, or *[LimiteError]
// for nodes and nesting over lim.
func Cargar(n Nodo, esc Escalares, lim LimitesAlgebra) (*Medida, error) {
	lim = lim.Completos()
	if total := n.Contar(lim.NodosDeMedida); total > lim.NodosDeMedida {
		return nil, &LimiteError{LimiteNodosDeMedida, total, lim.NodosDeMedida}
	}
	c := cargador{escalares: esc, lim: lim}
	return c.medida(n)
}

// cargador walks a form keeping the path to where it is.
type cargador struct {
	escalares Escalares
	lim       LimitesAlgebra
	ruta      Ruta
	// soloAlias, when not empty, is the only alias an expression may read, and
	// columns are refused: a condition of «requiere».
	soloAlias string
}

func (c *cargador) error(formato string, args ...any) error {
	return &ErrorDeCarga{Clase: ClaseForma, Ruta: c.ruta.String(), Motivo: fmt.Sprintf(formato, args...)}
}

// en runs f with the path one step deeper.
func (c *cargador) en(i int, f func() error) error {
	c.ruta = append(c.ruta, i)
	err := f()
	c.ruta = c.ruta[:len(c.ruta)-1]
	return err
}

// texto reads child i of n as a text, not empty unless vacio.
func (c *cargador) texto(n Nodo, i int, que string, vacio bool) (s string, err error) {
	err = c.en(i, func() error {
		var ok bool
		if s, ok = n.Hijo(i).Texto(); !ok {
			return c.error("%s tiene que ser un texto", que)
		}
		if s == "" && !vacio {
			return c.error("%s no puede estar vacío", que)
		}
		return nil
	})
	return s, err
}

// lista requires n to be a list headed by cabeza with so many children.
func (c *cargador) lista(n Nodo, cabeza string, minimo, maximo int, forma string) error {
	if !n.EsLista() || n.Cabeza() != cabeza || n.Largo() < minimo || maximo >= 0 && n.Largo() > maximo {
		return c.error("se esperaba %s", forma)
	}
	return nil
}

func (c *cargador) medida(n Nodo) (*Medida, error) {
	const forma = `["medida", id, tubería, resumen, umbral, requiere?, ambito?, alcance]`
	if err := c.lista(n, "medida", 6, 8, forma); err != nil {
		return nil, err
	}
	m := &Medida{Ambito: SinDeclarar}
	var err error
	if m.ID, err = c.texto(n, 1, "el id", false); err != nil {
		return nil, err
	}
	if !IDValido(m.ID) {
		return nil, c.en(1, func() error {
			return c.error("el id «%s» no tiene la forma dominio.nombre, en minúsculas sin acentos", Citar(m.ID))
		})
	}
	if err := c.en(2, func() error { return c.tuberia(n.Hijo(2), m) }); err != nil {
		return nil, err
	}
	if err := c.en(3, func() error { return c.resumen(n.Hijo(3), m) }); err != nil {
		return nil, err
	}
	if err := c.en(4, func() error { return c.umbral(n.Hijo(4), m) }); err != nil {
		return nil, err
	}
	i := 5
	if n.Hijo(i).Cabeza() == "requiere" {
		if err := c.en(i, func() error { return c.requiere(n.Hijo(i), m) }); err != nil {
			return nil, err
		}
		i++
	}
	if i < n.Largo() && n.Hijo(i).Cabeza() == "ambito" {
		if err := c.en(i, func() error { return c.ambito(n.Hijo(i), m) }); err != nil {
			return nil, err
		}
		i++
	}
	if i != n.Largo()-1 {
		c.ruta = append(c.ruta, min(i, n.Largo()-1))
		return nil, c.error("después del umbral van requiere, ambito y alcance, en ese orden y sólo el último es obligatorio")
	}
	if err := c.en(i, func() error {
		if err := c.lista(n.Hijo(i), "alcance", 2, 2, `["alcance", texto]`); err != nil {
			return err
		}
		m.Alcance, err = c.texto(n.Hijo(i), 1, "el alcance", false)
		return err
	}); err != nil {
		return nil, err
	}
	m.canonica = canonica(n, m)
	return m, nil
}

// canonica normalizes a form that loaded: what [Medida.Canonica] promises.
func canonica(n Nodo, m *Medida) Nodo {
	u := m.Umbral
	h := []Nodo{n.Hijo(0), n.Hijo(1), n.Hijo(2), n.Hijo(3),
		Lista(HojaTexto("umbral"), HojaTexto(string(u.Op)), Hoja(u.Limite), HojaTexto(u.Porque), HojaTexto(u.Segun))}
	if m.Requiere != nil {
		h = append(h, n.Hijo(5))
	}
	if m.Ambito != SinDeclarar {
		h = append(h, Lista(HojaTexto("ambito"), HojaTexto(m.Ambito)))
	}
	return Lista(append(h, n.Hijo(n.Largo()-1))...)
}

func (c *cargador) tuberia(n Nodo, m *Medida) error {
	if err := c.lista(n, "desde", 2, -1, `["desde", fuente, paso…]`); err != nil {
		return err
	}
	alias := map[string]bool{}
	if err := c.en(1, func() (err error) {
		m.Fuente, err = c.fuente(n.Hijo(1), alias, 0)
		return err
	}); err != nil {
		return err
	}
	for i := 2; i < n.Largo(); i++ {
		if err := c.en(i, func() error {
			p, err := c.paso(n.Hijo(i), alias)
			m.Pasos = append(m.Pasos, p)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *cargador) fuente(n Nodo, alias map[string]bool, prof int64) (Fuente, error) {
	if n.Cabeza() != "unir" {
		d, err := c.de(n, alias)
		if err != nil {
			return nil, err
		}
		return &d, nil
	}
	if prof++; prof > c.lim.ProfundidadExpresion {
		return nil, &LimiteError{LimiteProfundidad, prof, c.lim.ProfundidadExpresion}
	}
	if err := c.lista(n, "unir", 3, 3, `["unir", fuente, fuente]`); err != nil {
		return nil, err
	}
	u := &Unir{}
	err := c.en(1, func() (err error) { u.Izq, err = c.fuente(n.Hijo(1), alias, prof); return err })
	if err != nil {
		return nil, err
	}
	err = c.en(2, func() (err error) { u.Der, err = c.fuente(n.Hijo(2), alias, prof); return err })
	return u, err
}

// de reads ["de", relación, alias] and makes the alias active.
func (c *cargador) de(n Nodo, alias map[string]bool) (d De, err error) {
	if err = c.lista(n, "de", 3, 3, `una fuente: ["de", relación, alias] o ["unir", fuente, fuente]`); err != nil {
		return d, err
	}
	if d.Relacion, err = c.texto(n, 1, "la relación", false); err != nil {
		return d, err
	}
	if d.Alias, err = c.texto(n, 2, "el alias", false); err != nil {
		return d, err
	}
	return d, c.en(2, func() error {
		switch {
		case d.Alias == "_":
			return c.error("el alias «_» está reservado para las filas agrupadas")
		case alias[d.Alias]:
			return c.error("el alias «%s» se repite", Citar(d.Alias))
		}
		alias[d.Alias] = true
		return nil
	})
}

func (c *cargador) paso(n Nodo, alias map[string]bool) (Paso, error) {
	switch n.Cabeza() {
	case "donde":
		if err := c.lista(n, "donde", 2, 2, `["donde", condición]`); err != nil {
			return nil, err
		}
		cond, err := c.expr(n, 1)
		return &Donde{cond}, err
	case "sin":
		if err := c.lista(n, "sin", 3, 3, `["sin", ["de", relación, alias], condición]`); err != nil {
			return nil, err
		}
		s := &Sin{}
		err := c.en(1, func() (err error) { s.De, err = c.de(n.Hijo(1), alias); return err })
		if err != nil {
			return nil, err
		}
		delete(alias, s.De.Alias) // the row leaves as it came
		s.Condicion, err = c.expr(n, 2)
		return s, err
	case "agrupar":
		a, err := c.agrupar(n)
		clear(alias)
		return a, err
	default:
		return nil, c.error("se esperaba un paso: donde, sin o agrupar")
	}
}

func (c *cargador) agrupar(n Nodo) (*Agrupar, error) {
	const forma = `["agrupar", [[nombre, expr]…], [[nombre, agregado, expr]…]]`
	if err := c.lista(n, "agrupar", 3, 3, forma); err != nil {
		return nil, err
	}
	a := &Agrupar{}
	visto := map[string]bool{}
	nombre := func(h Nodo) (string, error) {
		s, err := c.texto(h, 0, "el nombre de la columna", false)
		if err == nil && visto[s] {
			err = c.en(0, func() error { return c.error("la columna «%s» se repite", Citar(s)) })
		}
		visto[s] = true
		return s, err
	}
	cada := func(i int, largo int, f func(Nodo) error) error {
		return c.en(i, func() error {
			if !n.Hijo(i).EsLista() {
				return c.error("se esperaba %s", forma)
			}
			for k, h := range n.Hijo(i).Hijos() {
				if err := c.en(k, func() error {
					if !h.EsLista() || h.Largo() != largo {
						return c.error("se esperaba %s", forma)
					}
					return f(h)
				}); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := cada(1, 2, func(h Nodo) (err error) {
		var k Clave
		if k.Nombre, err = nombre(h); err != nil {
			return err
		}
		k.Expr, err = c.expr(h, 1)
		a.Claves = append(a.Claves, k)
		return err
	}); err != nil {
		return nil, err
	}
	err := cada(2, 3, func(h Nodo) (err error) {
		var g Agregado
		if g.Nombre, err = nombre(h); err != nil {
			return err
		}
		if g.Funcion, err = c.funcion(h, 1); err != nil {
			return err
		}
		g.Expr, err = c.expr(h, 2)
		a.Agregados = append(a.Agregados, g)
		return err
	})
	return a, err
}

func (c *cargador) funcion(n Nodo, i int) (Funcion, error) {
	s, err := c.texto(n, i, "el agregado", false)
	f := Funcion(s)
	if err == nil && !f.Valida() {
		err = c.en(i, func() error {
			return c.error("«%s» no es un agregado: contar, suma, promedio, min o max", Citar(s))
		})
	}
	return f, err
}

func (c *cargador) resumen(n Nodo, m *Medida) error {
	err := c.lista(n, "resumen", 3, 3, `["resumen", agregado, expr]`)
	if err != nil {
		return err
	}
	if m.Resumen.Funcion, err = c.funcion(n, 1); err != nil {
		return err
	}
	m.Resumen.Expr, err = c.expr(n, 2)
	return err
}

func (c *cargador) umbral(n Nodo, m *Medida) error {
	err := c.lista(n, "umbral", 4, 5, `["umbral", op, límite, porque, segun?]`)
	if err != nil {
		return err
	}
	op, err := c.texto(n, 1, "el comparador del umbral", false)
	if err != nil {
		return err
	}
	u := Umbral{Op: Comparador(op), Segun: SinDeclarar}
	if !u.Op.Valido() {
		return c.en(1, func() error { return c.error("«%s» no es un comparador: == != < <= > >=", Citar(op)) })
	}
	if err := c.en(2, func() error {
		switch v := n.Hijo(2).Hoja().(type) {
		case nil, Nulo:
			return c.error("el límite del umbral tiene que ser un número, un texto o un booleano")
		case Flotante:
			if !esFinito(float64(v)) {
				return c.error("el límite del umbral no es finito")
			}
		}
		u.Limite = n.Hijo(2).Hoja()
		return nil
	}); err != nil {
		return err
	}
	if u.Porque, err = c.texto(n, 3, "el porqué del umbral", true); err != nil {
		return err
	}
	if n.Largo() == 5 {
		if u.Segun, err = c.vocabulario(n, 4, "segun", "medicion", "contrato", "convencion", "tanteo", SinDeclarar); err != nil {
			return err
		}
	}
	m.Umbral = u
	return nil
}

// vocabulario reads child i as one of a closed set of words.
func (c *cargador) vocabulario(n Nodo, i int, que string, opciones ...string) (string, error) {
	s, err := c.texto(n, i, que, true)
	if err != nil {
		return "", err
	}
	for _, o := range opciones {
		if s == o {
			return s, nil
		}
	}
	return "", c.en(i, func() error {
		return c.error("«%s» no es un valor de %s: %s", Citar(s), que, citarLista(opciones))
	})
}

func (c *cargador) requiere(n Nodo, m *Medida) error {
	visto := map[string]bool{}
	for i := 1; i < n.Largo(); i++ {
		if err := c.en(i, func() error {
			r, err := c.requisito(n.Hijo(i))
			if err != nil {
				return err
			}
			if visto[r.Relacion] {
				return c.error("requiere repite la relación «%s»", Citar(r.Relacion))
			}
			visto[r.Relacion] = true
			r.Ruta = c.ruta.Hija()
			m.Requiere = append(m.Requiere, r)
			return nil
		}); err != nil {
			return err
		}
	}
	return nil
}

func (c *cargador) requisito(n Nodo) (r Requisito, err error) {
	if s, ok := n.Texto(); ok {
		if s == "" {
			return r, c.error("el nombre de una relación no puede estar vacío")
		}
		return Requisito{Relacion: s}, nil
	}
	if err = c.lista(n, "filas", 4, 4, `una relación o ["filas", relación, alias, condición]`); err != nil {
		return r, err
	}
	if r.Relacion, err = c.texto(n, 1, "la relación", false); err != nil {
		return r, err
	}
	if r.Alias, err = c.texto(n, 2, "el alias", false); err != nil {
		return r, err
	}
	if r.Alias == "_" {
		return r, c.en(2, func() error { return c.error("el alias «_» está reservado para las filas agrupadas") })
	}
	c.soloAlias = r.Alias
	r.Condicion, err = c.expr(n, 3)
	c.soloAlias = ""
	if err == nil && !esBooleana(r.Condicion) {
		err = c.en(3, func() error {
			return c.error("la condición de requiere tiene que ser booleana: un literal booleano, una comparación, un lógico sobre booleanos o una escalar")
		})
	}
	return r, err
}

// esBooleana reports whether an expression may stand as the condition of
// «requiere» (lenguaje §2).
func esBooleana(e Expr) bool {
	switch x := e.(type) {
	case *Literal:
		_, ok := x.Valor.(Booleano)
		return ok
	case *Comparacion, *Llamada:
		return true
	case *Logico:
		for _, o := range x.Operandos {
			if !esBooleana(o) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

func (c *cargador) ambito(n Nodo, m *Medida) error {
	err := c.lista(n, "ambito", 2, 2, `["ambito", valor]`)
	if err != nil {
		return err
	}
	m.Ambito, err = c.vocabulario(n, 1, "ambito", "universal", "del_origen", SinDeclarar)
	return err
}
