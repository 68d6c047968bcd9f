package mutacion

import (
	"fmt"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// mutador is a row of the specification's table. aplicar returns the mutant's
// form and the sentence that says the change, or false when the mutator does
// not apply.
type mutador struct {
	id      string
	aplicar func(o *original) (algebra.Nodo, string, bool)
}

// no is what a mutator that does not apply returns.
func no() (algebra.Nodo, string, bool) { return algebra.Nodo{}, "", false }

// si is what one that applies returns.
func si(n algebra.Nodo, formato string, args ...any) (algebra.Nodo, string, bool) {
	return n, fmt.Sprintf(formato, args...), true
}

// tabla returns the thirty mutators in order.
func tabla() []mutador {
	return []mutador{
		{"aflojar_umbral", func(o *original) (algebra.Nodo, string, bool) {
			hacia := 1
			if o.baja() {
				hacia = -1
			} else if !o.sube() {
				return no()
			}
			v, ok := vecino(o.limite, hacia)
			if !ok {
				return no()
			}
			return si(o.conUmbral(o.op, v), "afloja el umbral al valor siguiente: %s en vez de %s", o.umbral(o.op, v), o.umbral(o.op, o.limite))
		}},
		{"invertir_comparador", func(o *original) (algebra.Nodo, string, bool) {
			return o.otroComparador("invierte el umbral", negado(o.op))
		}},
		{"quitar_filtro", func(o *original) (algebra.Nodo, string, bool) {
			if !o.hay("donde") {
				return no()
			}
			return si(o.sinPasos("donde"), "quita todos los donde: pasan también las filas que se dejaban afuera")
		}},
		{"quitar_requiere", func(o *original) (algebra.Nodo, string, bool) {
			if !o.requiere.EsLista() {
				return no()
			}
			return si(o.sinRequiere(), "quita requiere: la falta de evidencia deja de notarse")
		}},
		{"negar_filtro", func(o *original) (algebra.Nodo, string, bool) {
			if !o.hay("donde") {
				return no()
			}
			return si(o.conPasos(func(_ int, p algebra.Nodo) (algebra.Nodo, bool) {
				if p.Cabeza() == "donde" {
					p = p.Con(1, algebra.Lista(algebra.HojaTexto("no"), p.Hijo(1)))
				}
				return p, true
			}), "niega cada donde: pasan las filas que se dejaban afuera, y sólo ésas")
		}},
		{"quitar_antijunta", func(o *original) (algebra.Nodo, string, bool) {
			if !o.hay("sin") {
				return no()
			}
			return si(o.sinPasos("sin"), "quita todos los sin: lo exceptuado deja de exceptuarse")
		}},
		{"aflojar_cota_superior", func(o *original) (algebra.Nodo, string, bool) {
			return o.correrUmbral(o.sube(), 1, "sube la cota")
		}},
		{"aflojar_cota_inferior", func(o *original) (algebra.Nodo, string, bool) {
			return o.correrUmbral(o.baja(), -1, "baja la cota")
		}},
		{"incluir_limite_superior", func(o *original) (algebra.Nodo, string, bool) {
			return o.incluir(algebra.Menor, algebra.MenorIgual)
		}},
		{"incluir_limite_inferior", func(o *original) (algebra.Nodo, string, bool) {
			return o.incluir(algebra.Mayor, algebra.MayorIgual)
		}},
		{"igualdad_como_cota_superior", func(o *original) (algebra.Nodo, string, bool) {
			return o.comoCota(algebra.MenorIgual, "alcanza con no pasarse")
		}},
		{"igualdad_como_cota_inferior", func(o *original) (algebra.Nodo, string, bool) {
			return o.comoCota(algebra.MayorIgual, "alcanza con llegar")
		}},
		{"quitar_requisitos_de_evidencia", func(o *original) (algebra.Nodo, string, bool) {
			if o.requiere.Largo() < 2 {
				return no()
			}
			return si(o.sinRequiere(), "no exige ninguna evidencia: una relación vacía se juzga como si alguien hubiera mirado")
		}},
		{"vaciar_tuberia_si_cero_aprueba", func(o *original) (algebra.Nodo, string, bool) {
			if !o.aprueba(0) {
				return no()
			}
			h := append([]algebra.Nodo(nil), o.raiz.Hijo(enTuberia).Hijos()...)
			h = append(h, algebra.Lista(algebra.HojaTexto("donde"), algebra.Hoja(algebra.Booleano(false))))
			return si(o.con(algebra.Lista(h...), enTuberia), "agrega un donde false al final: no llega ninguna fila, y con cero aprueba")
		}},
		{"convertir_conteo_en_existencia", func(o *original) (algebra.Nodo, string, bool) {
			if o.funcion != algebra.Contar || !o.sube() || !o.aprueba(0) && !o.aprueba(1) || o.op == algebra.MenorIgual && o.esCero() {
				return no()
			}
			r := o.raiz.Hijo(enResumen).Con(1, algebra.HojaTexto(string(algebra.Maximo))).Con(enExpr, algebra.Hoja(algebra.NuevoEntero(1)))
			return si(o.con(r, enResumen), "cuenta si hay alguna fila en vez de cuántas hay")
		}},
		{"maximo_por_minimo", func(o *original) (algebra.Nodo, string, bool) {
			return o.otraFuncion(o.funcion == algebra.Maximo && o.sube(), algebra.Minimo)
		}},
		{"minimo_por_maximo", func(o *original) (algebra.Nodo, string, bool) {
			return o.otraFuncion(o.funcion == algebra.Minimo && o.baja(), algebra.Maximo)
		}},
		{"suma_de_indicadores_por_maximo", func(o *original) (algebra.Nodo, string, bool) {
			return o.otraFuncion(o.funcion == algebra.Suma && esPredicado(o.expr) && o.sube() && o.aprueba(0), algebra.Maximo)
		}},
		{"promedio_por_minimo", func(o *original) (algebra.Nodo, string, bool) {
			return o.otraFuncion(o.funcion == algebra.Promedio && esPredicado(o.expr) && o.sube(), algebra.Minimo)
		}},
		{"promedio_por_maximo", func(o *original) (algebra.Nodo, string, bool) {
			return o.otraFuncion(o.funcion == algebra.Promedio && esPredicado(o.expr) && o.baja(), algebra.Maximo)
		}},
		{"conservar_una_rama_de_disyuncion", func(o *original) (algebra.Nodo, string, bool) {
			return o.primerOperando(o.sube(), "o", "sólo queda la primera rama de un o")
		}},
		{"hacer_estricta_comparacion_interna", func(o *original) (algebra.Nodo, string, bool) {
			return o.comparacionInterna(o.sube(), "deja afuera el valor justo de la frontera", map[string]algebra.Comparador{
				"<=": algebra.Menor, ">=": algebra.Mayor,
			})
		}},
		{"alejar_limite_de_defecto", func(o *original) (algebra.Nodo, string, bool) {
			return o.limiteInterno(o.sube(), 1, "un defecto tiene que ser mayor para contar")
		}},
		{"quitar_un_termino_de_conjuncion", func(o *original) (algebra.Nodo, string, bool) {
			return o.primerOperando(o.baja(), "y", "sólo queda el primer término de un y")
		}},
		{"incluir_frontera_interna", func(o *original) (algebra.Nodo, string, bool) {
			return o.comparacionInterna(o.baja(), "incluye el valor justo de la frontera", map[string]algebra.Comparador{
				"<": algebra.MenorIgual, ">": algebra.MayorIgual,
			})
		}},
		{"acercar_limite_de_requisito", func(o *original) (algebra.Nodo, string, bool) {
			return o.limiteInterno(o.baja(), -1, "cumplir cuesta menos")
		}},
		{"eliminar_filtro_de_requisito", func(o *original) (algebra.Nodo, string, bool) {
			if !o.baja() || !o.cuenta() {
				return no()
			}
			for i := o.desde; i < len(o.pasos); i++ {
				if o.pasos[i].Cabeza() == "donde" {
					return si(o.sinPaso(i), "quita %s: cuenta también lo que no cumple", o.lugar(algebra.Ruta{enTuberia, i + 2, 1}))
				}
			}
			return no()
		}},
		{"quitar_clave_de_agrupamiento", func(o *original) (algebra.Nodo, string, bool) {
			i, ok := o.terminaEnAgrupar()
			if !ok || o.funcion != algebra.Contar || !o.sube() || o.pasos[i].Hijo(1).Largo() < 2 {
				return no()
			}
			claves := o.pasos[i].Hijo(1).Hijos()
			ultima, _ := claves[len(claves)-1].Hijo(0).Texto()
			return si(o.con(algebra.Lista(claves[:len(claves)-1]...), enTuberia, i+2, 1), "agrupa sin la clave «%s»: grupos distintos se funden en uno", algebra.Citar(ultima))
		}},
		{"eliminar_agrupamiento_de_requisito", func(o *original) (algebra.Nodo, string, bool) {
			i, ok := o.terminaEnAgrupar()
			if !ok || o.funcion != algebra.Contar || !o.baja() {
				return no()
			}
			return si(o.sinPaso(i), "quita el agrupar del final: cuenta filas en vez de grupos")
		}},
		{"quitar_factor_no_observado_del_producto", (*original).quitarFactor},
	}
}

// umbral spells a threshold.
func (o *original) umbral(op algebra.Comparador, limite algebra.Valor) string {
	return string(op) + " " + corto(algebra.Hoja(limite))
}

func (o *original) otroComparador(que string, op algebra.Comparador) (algebra.Nodo, string, bool) {
	return si(o.conUmbral(op, o.limite), "%s: %s en vez de %s", que, o.umbral(op, o.limite), o.umbral(o.op, o.limite))
}

func (o *original) incluir(de, a algebra.Comparador) (algebra.Nodo, string, bool) {
	if o.op != de {
		return no()
	}
	return o.otroComparador("acepta también el valor justo del umbral", a)
}

func (o *original) comoCota(op algebra.Comparador, que string) (algebra.Nodo, string, bool) {
	if o.op != algebra.Igual {
		return no()
	}
	return o.otroComparador("no exige el valor justo, "+que, op)
}

func (o *original) correrUmbral(aplica bool, hacia int, que string) (algebra.Nodo, string, bool) {
	v, ok := correr(o.limite, hacia)
	if !aplica || !ok {
		return no()
	}
	return si(o.conUmbral(o.op, v), "%s: %s en vez de %s", que, o.umbral(o.op, v), o.umbral(o.op, o.limite))
}

func (o *original) otraFuncion(aplica bool, f algebra.Funcion) (algebra.Nodo, string, bool) {
	if !aplica {
		return no()
	}
	return si(o.conFuncion(f), "resume con %s en vez de %s", f, o.funcion)
}

// terminaEnAgrupar returns the last step's index when it is an «agrupar».
func (o *original) terminaEnAgrupar() (int, bool) {
	i := len(o.pasos) - 1
	return i, i >= 0 && o.pasos[i].Cabeza() == "agrupar"
}
