package superficie

import (
	"errors"
	"fmt"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/macro"
)

// invocacion reads the lines of an invocation of m, whose header was read, and
// returns [nombre, id, argumento…].
func (l *lector) invocacion(en lugar, m *macro.Macro, id pieza, sangria int) (pieza, error) {
	params := m.Parametros()
	dados := map[string]pieza{params[0]: id}
	if len(params) > 1 {
		plantilla, err := l.macros.ExpandirPlantilla(m, l.lim)
		var limite *algebra.LimiteError
		if errors.As(err, &limite) {
			return pieza{}, limite
		}
		// Any other failure is told when the invocation itself is expanded.
		_, _, palabra, err := l.linea(sangria, fmt.Sprintf("los argumentos de la macro «%s»: %s", algebra.Citar(m.Nombre()), algebra.Citar(strings.Join(params[1:], ", "))))
		if err != nil {
			return pieza{}, err
		}
		if palabra == params[1] {
			err = l.porNombre(m, plantilla, dados, sangria)
		} else {
			err = l.porLineas(m, plantilla, dados, sangria)
		}
		if err != nil {
			return pieza{}, err
		}
	}
	hijas := make([]pieza, len(params))
	for i, p := range params {
		hijas[i] = dados[p]
	}
	return conCabeza(en, m.Nombre(), hijas...), nil
}

// porNombre reads «parámetro valor» lines, in any order, one for each.
func (l *lector) porNombre(m *macro.Macro, plantilla algebra.Nodo, dados map[string]pieza, sangria int) error {
	tipos := tiposDeParametros(plantilla)
	params := m.Parametros()
	orden := map[string]int{}
	for i, p := range params[1:] {
		orden[p] = i
	}
	desde := len(l.notas)
	for len(dados) < len(params) {
		r, hay := l.r.Ver()
		if !hay {
			return l.r.ErrorDeFin(faltan(m, dados))
		}
		c := r.Cursor()
		palabra, _ := c.Identificador()
		i, existe := orden[palabra]
		_, dado := dados[palabra]
		if n, soloEspacios := r.Sangria(); n != sangria || !soloEspacios || c.enLetraAjena() || !existe || dado {
			esperado := faltan(m, dados)
			if dado {
				esperado += "; «" + algebra.Citar(palabra) + "» ya está"
			}
			_, _, _, err := l.linea(sangria, esperado)
			if err == nil {
				err = r.Cursor().Error(esperado)
			}
			return err
		}
		l.r.Tomar()
		v, err := l.argumento(c, tipos[palabra])
		if err != nil {
			return err
		}
		dados[palabra] = v
		l.anotarArgumento(r, sangria, palabra, v.nodo, tipos[palabra], i)
	}
	l.ordenarNotas(desde)
	return nil
}

// faltan names the arguments that are not given yet.
func faltan(m *macro.Macro, dados map[string]pieza) string {
	var f []string
	for _, p := range m.Parametros() {
		if _, dado := dados[p]; !dado {
			f = append(f, p)
		}
	}
	s := fmt.Sprintf("la línea «%s …» de la macro «%s»", algebra.Citar(f[0]), algebra.Citar(m.Nombre()))
	if len(f) > 1 {
		s += "; faltan " + algebra.Citar(strings.Join(f, ", "))
	}
	return s
}

// argumento reads one value to the end of its line.
func (l *lector) argumento(c *Cursor, tipo tipoDeParametro) (pieza, error) {
	var v pieza
	var err error
	switch tipo {
	case esNombre:
		v, err = l.nombre(c, "un nombre: letras sin acentos, dígitos y «_»")
	case esTexto:
		v, err = l.textoOHueco(c)
	case esSegun:
		v, err = l.palabraDe(c, "el origen del umbral", vocabularioDeSegun())
	case esAmbito:
		v, err = l.palabraDe(c, "un ámbito", vocabularioDeAmbito())
	default:
		return l.exprFinal(c)
	}
	if err == nil {
		err = c.ExigirFin()
	}
	return v, err
}

// porLineas reads the template's own lines, those with holes of the body, in
// its order, and takes what each hole stands for.
func (l *lector) porLineas(m *macro.Macro, plantilla algebra.Nodo, dados map[string]pieza, sangria int) error {
	params := m.Parametros()
	moldes, err := lineasDePlantilla(plantilla, params[0])
	if err != nil {
		r, _ := l.r.Ver()
		return r.Cursor().Error(fmt.Sprintf("la línea «%s …»: la macro «%s» sólo se invoca por nombre de parámetro", algebra.Citar(params[1]), algebra.Citar(m.Nombre())))
	}
	for _, molde := range moldes {
		impresa, err := molde.texto()
		if err != nil {
			return err
		}
		s := sangria
		if molde.anidada {
			s += pasoDeSangria
		}
		esperado := fmt.Sprintf("la línea «%s» de la macro «%s»", algebra.Citar(impresa), algebra.Citar(m.Nombre()))
		r, c, en, err := l.exigir(s, molde.palabra, esperado)
		if err != nil {
			return err
		}
		p, err := l.lineaSegunMolde(molde, r, c, en, s)
		if err != nil {
			return err
		}
		if err := l.unificar(molde.nodo, p, dados, esperado); err != nil {
			return err
		}
	}
	for _, p := range params {
		if _, dado := dados[p]; !dado {
			esperado := fmt.Sprintf("una invocación por nombre de parámetro, que empieza con «%s …»: ninguna línea de la plantilla dice «%s»", algebra.Citar(params[1]), algebra.Citar(p))
			if r, hay := l.r.Ver(); hay {
				return r.Cursor().Error(esperado)
			}
			return l.r.ErrorDeFin(esperado)
		}
	}
	return nil
}

// lineaSegunMolde reads the rest of a line of the kind the mould has.
func (l *lector) lineaSegunMolde(molde moldeDeLinea, r Renglon, c *Cursor, en lugar, sangria int) (p pieza, err error) {
	switch molde.palabra {
	case "de", "unir":
		if p, err = l.lineaDe(c); err == nil {
			l.anotarPar(r, sangria, molde.palabra, p.nodo)
		}
		return p, err
	case "clave", "agregado":
		if molde.palabra == "clave" {
			p, err = l.lineaClave(c)
		} else {
			p, err = l.lineaAgregado(c)
		}
		if err == nil {
			l.anotarColumna(r, sangria, molde.palabra, p.nodo)
		}
		return p, err
	case "agrupar":
		if !c.Signo(":") || !c.Fin() {
			return p, r.Cursor().Error("«agrupar:» solo en su renglón")
		}
		l.anotarTexto(r, sangria, "agrupar:")
		return lista(en), nil
	case "requiere":
		entradas, err := l.lineaRequiere(c)
		if err == nil {
			l.anotarRequiere(r, sangria, entradas)
		}
		return lista(en, entradas...), err
	case "donde":
		p, err = l.lineaDonde(c, en)
	case "sin":
		p, err = l.lineaSin(c, en)
	case "resumen":
		p, err = l.lineaResumen(c, en)
	case "umbral":
		p, err = l.lineaUmbral(c, en)
	case "ambito":
		p, err = l.lineaAmbito(c, en)
	default:
		p, err = l.lineaAlcance(c, en)
	}
	if err == nil {
		l.anotar(r, sangria, p.nodo)
	}
	return p, err
}

// unificar matches what was read with the template: what is literal has to be
// the same, and a hole takes one thing, always the same.
func (l *lector) unificar(molde algebra.Nodo, dada pieza, dados map[string]pieza, esperado string) error {
	if p, esHueco := macro.Hueco(molde); esHueco {
		previo, dado := dados[p]
		if !dado {
			dados[p] = dada
			return nil
		}
		if !previo.nodo.Igual(dada.nodo) {
			return l.errorEn(dada.en, esperado+fmt.Sprintf(", con lo mismo en $%s que antes", algebra.Citar(p)))
		}
		return nil
	}
	if !molde.EsLista() || !dada.nodo.EsLista() || molde.Largo() != dada.nodo.Largo() {
		if molde.Igual(dada.nodo) {
			return nil
		}
		return l.errorEn(dada.en, esperado)
	}
	for i, h := range molde.Hijos() {
		if err := l.unificar(h, dada.hijas[i], dados, esperado); err != nil {
			return err
		}
	}
	return nil
}

// errorEn is the error at a place of the text.
func (l *lector) errorEn(en lugar, esperado string) error {
	renglon, columna := renglonDe(l.r.texto, en.byte)
	resto, _ := renglonDe(l.r.texto[en.byte:], 0)
	return &ErrorDeSintaxis{Linea: en.linea, Columna: columna, Esperado: esperado, Llego: recorte(resto), Renglon: renglon}
}
