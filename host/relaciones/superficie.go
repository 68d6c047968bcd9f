package relaciones

import (
	"errors"
	"regexp"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

// topeDeArchivo is how many bytes a file of a project may have (proyecto §1).
const topeDeArchivo = 4 << 20

// Leer reads a «.relacion» file. reservada tells the names that may not be
// declared; nil reserves none. The error is *[superficie.ErrorDeSintaxis], also
// for a text too large, or *[superficie.ErrorDeDeclaracion] for what reads and
// may not be.
func Leer(texto []byte, reservada func(string) bool) (*Relacion, error) {
	rs, err := superficie.NuevosRenglones(texto, topeDeArchivo)
	if err != nil {
		return nil, err
	}
	cabeza, hay := rs.Ver()
	if !hay {
		return nil, rs.ErrorDeFin("«relacion nombre:»")
	}
	c := cabeza.Cursor()
	r := &Relacion{}
	ok := c.Palabra("relacion")
	if ok {
		r.Nombre, ok = c.Identificador()
	}
	if sangria, _ := cabeza.Sangria(); !ok || sangria != 0 || !c.Signo(":") || !c.Fin() {
		return nil, cabeza.Error("«relacion nombre:», sin sangría")
	}
	rs.Tomar()
	l := lector{rs}
	if r.Campos, err = l.campos(4); err != nil {
		return nil, err
	}
	if err := l.variantes(r); err != nil {
		return nil, err
	}
	if r.Alcance, err = l.alcance(); err != nil {
		return nil, err
	}
	if sobra, hay := rs.Ver(); hay {
		return nil, sobra.Cursor().Error("el final de la relación: el alcance va último")
	}
	if err := r.comprobar(reservada); err != nil {
		var e *Error
		if errors.As(err, &e) {
			return nil, &superficie.ErrorDeDeclaracion{Linea: cabeza.Numero, Columna: 1, Renglon: cabeza.Texto,
				Causa: &algebra.ErrorDeCarga{Clase: algebra.ClaseForma, Motivo: e.Motivo}}
		}
		return nil, err
	}
	return r, nil
}

type lector struct{ rs *superficie.Renglones }

// campos takes the lines «nombre: tipo [unidad]» at that indentation and stops
// at the first line of another kind.
func (l lector) campos(sangria int) ([]Campo, error) {
	var cs []Campo
	visto := map[string]bool{}
	for {
		linea, hay := l.rs.Ver()
		if s, _ := linea.Sangria(); !hay || s != sangria {
			return cs, nil
		}
		cur := linea.Cursor()
		inicio := *cur
		nombre, ok := cur.Identificador()
		if !ok || !cur.Signo(":") || cur.Fin() {
			return cs, nil // «alcance …», «variantes por …», or the head of a variant
		}
		if visto[nombre] {
			return nil, inicio.Error("un campo que no se repita")
		}
		visto[nombre] = true
		c := Campo{Nombre: nombre, Unidad: SinUnidad}
		enTipo := *cur
		tipo, _ := cur.Identificador()
		if c.Tipo = Tipo(tipo); !c.Tipo.Valido() {
			return nil, enTipo.Error("un tipo: texto, entero, flotante o booleano")
		}
		unidad := strings.TrimRight(cur.Resto(), " \t")
		switch {
		case !c.Tipo.EsNumero() && unidad != "":
			return nil, cur.Error("el final del renglón: un campo de tipo " + tipo + " no lleva unidad")
		case c.Tipo.EsNumero() && unidad == "":
			return nil, cur.Error("la unidad de «" + nombre + "»; si no tiene, se escribe sin_unidad")
		case c.Tipo.EsNumero() && !formaDeUnidad.MatchString(unidad):
			return nil, cur.Error("una unidad, sin comillas ni dos puntos")
		case c.Tipo.EsNumero():
			c.Unidad = unidad
		}
		cs = append(cs, c)
		l.rs.Tomar()
	}
}

var formaDeUnidad = regexp.MustCompile(`^[^\s":#]+(?: [^\s":#]+)*$`)

func (l lector) variantes(r *Relacion) error {
	linea, hay := l.rs.Ver()
	if s, _ := linea.Sangria(); !hay || s != 4 {
		return nil
	}
	c := linea.Cursor()
	if !c.Palabra("variantes") {
		return nil
	}
	if !c.Palabra("por") {
		return c.Error("«variantes por campo:»")
	}
	var ok bool
	if r.Discriminante, ok = c.Identificador(); !ok {
		return c.Error("el campo que distingue las variantes")
	}
	if !c.Signo(":") {
		return c.Error("«:»")
	}
	if err := c.ExigirFin(); err != nil {
		return err
	}
	r.Variantes = []Variante{}
	l.rs.Tomar()
	for {
		cabeza, hay := l.rs.Ver()
		if s, _ := cabeza.Sangria(); !hay || s != 8 {
			return nil
		}
		valor, err := valorDeVariante(cabeza.Cursor())
		if err != nil {
			return err
		}
		l.rs.Tomar()
		campos, err := l.campos(12)
		if err != nil {
			return err
		}
		if len(campos) == 0 {
			const falta = "al menos un campo de la variante, con doce espacios de sangría"
			if sigue, hay := l.rs.Ver(); hay {
				return sigue.Cursor().Error(falta)
			}
			return l.rs.ErrorDeFin(falta)
		}
		r.Variantes = append(r.Variantes, Variante{valor, campos})
	}
}

// valorDeVariante reads «nombre:» or «"texto":».
func valorDeVariante(c *superficie.Cursor) (valor string, err error) {
	if c.ProximoByte() == '"' {
		if valor, err = c.TextoJSON(); err != nil {
			return "", err
		}
	} else {
		var ok bool
		if valor, ok = c.Identificador(); !ok {
			return "", c.Error("el valor de una variante: un nombre o un texto entre comillas")
		}
	}
	if !c.Signo(":") {
		return "", c.Error("«:» después del valor de la variante")
	}
	return valor, c.ExigirFin()
}

func (l lector) alcance() (string, error) {
	linea, hay := l.rs.Ver()
	if !hay {
		return "", l.rs.ErrorDeFin("la línea alcance \"…\", que dice qué no ve la relación")
	}
	if err := linea.ExigirSangria(4); err != nil {
		return "", err
	}
	c := linea.Cursor()
	inicio := *c
	if !c.Palabra("alcance") {
		return "", inicio.Error("un campo (nombre: tipo), «variantes por campo:» o alcance \"…\"")
	}
	texto, err := c.TextoJSON()
	if err == nil {
		err = c.ExigirFin()
	}
	l.rs.Tomar()
	return texto, err
}

var formaDeNombre = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// AppendTexto appends the only printed form of the declaration. The error says
// what the surface has no way to write.
func (r *Relacion) AppendTexto(b []byte) ([]byte, error) {
	if !formaDeNombre.MatchString(r.Nombre) {
		return nil, mal("la superficie no puede decir la relación «%s»", algebra.Citar(r.Nombre))
	}
	b = append(b, "relacion "+r.Nombre+":\n"...)
	b, err := appendCampos(b, r.Campos, "    ")
	if err != nil {
		return nil, err
	}
	if r.Discriminante != "" {
		b = append(b, "    variantes por "+r.Discriminante+":\n"...)
		for _, v := range r.Variantes {
			b = append(b, "        "...)
			if formaDeNombre.MatchString(v.Valor) {
				b = append(b, v.Valor...)
			} else {
				b = algebra.AppendTexto(b, v.Valor)
			}
			if b, err = appendCampos(append(b, ":\n"...), v.Campos, "            "); err != nil {
				return nil, err
			}
		}
	}
	b = append(b, "    alcance "...)
	return append(algebra.AppendTexto(b, r.Alcance), '\n'), nil
}

func appendCampos(b []byte, cs []Campo, sangria string) ([]byte, error) {
	for _, c := range cs {
		if !formaDeNombre.MatchString(c.Nombre) || c.Tipo.EsNumero() && !formaDeUnidad.MatchString(c.Unidad) {
			return nil, mal("la superficie no puede decir el campo «%s»", algebra.Citar(c.Nombre))
		}
		b = append(b, sangria+c.Nombre+": "+string(c.Tipo)...)
		if c.Tipo.EsNumero() {
			b = append(b, " "+c.Unidad...)
		}
		b = append(b, '\n')
	}
	return b, nil
}
