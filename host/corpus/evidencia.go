package corpus

import (
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

func (l *lector) evidencia() error {
	f, err := l.abrir("evidencia", true)
	if err != nil {
		return err
	}
	if err := f.c.ExigirFin(); err != nil {
		return err
	}
	for {
		linea, hay := l.rs.Ver()
		if s, _ := linea.Sangria(); !hay || s < 8 {
			break
		}
		if err := linea.ExigirSangria(8); err != nil {
			return err
		}
		if err := l.relacion(linea); err != nil {
			return err
		}
	}
	if len(l.caso.Evidencia) == 0 {
		return l.siguiente("al menos una relación de la evidencia, con ocho espacios de sangría")
	}
	return nil
}

// relacion reads a header, «nombre: [clave(…)][;] [campos]», and its rows.
func (l *lector) relacion(linea superficie.Renglon) error {
	c := linea.Cursor()
	inicio := *c
	var r Relacion
	var ok bool
	if r.Nombre, ok = c.Identificador(); !ok {
		return inicio.Error("el nombre de una relación")
	}
	if slices.ContainsFunc(l.caso.Evidencia, func(x Relacion) bool { return x.Nombre == r.Nombre }) {
		return inicio.Error("una relación que no se repita")
	}
	if !c.Signo(":") {
		return c.Error("«:» después del nombre de la relación")
	}
	// What is wrong with the header as a whole is shown where it begins, right
	// after the colon.
	cabeza := strings.IndexByte(linea.Texto, ':') + 1
	campos, err := encabezadoDeTabla(c, linea, cabeza, &r)
	if err != nil {
		return err
	}
	l.rs.Tomar()
	for {
		fila, hay := l.rs.Ver()
		if s, _ := fila.Sangria(); !hay || s < 12 {
			break
		}
		if err := fila.ExigirSangria(12); err != nil {
			return err
		}
		var pares []Par
		if campos == nil {
			pares, err = filaSuelta(fila)
		} else {
			pares, err = filaDeTabla(fila, campos)
		}
		if err != nil {
			return err
		}
		r.Filas = append(r.Filas, pares)
		l.rs.Tomar()
	}
	if campos != nil && len(r.Filas) == 0 {
		return en(linea, cabeza, "un encabezado con al menos una fila; una relación vacía no lleva campos", linea.Texto[cabeza:])
	}
	l.caso.Evidencia = append(l.caso.Evidencia, r)
	return nil
}

// encabezadoDeTabla reads what follows the colon: the key, and the fields of
// the table, nil when the rows come one by one.
func encabezadoDeTabla(c *superficie.Cursor, linea superficie.Renglon, cabeza int, r *Relacion) ([]string, error) {
	antes := *c
	if c.Palabra("clave") && c.Signo("(") {
		var err error
		if r.Clave, err = nombres(c, "un campo de la clave"); err != nil {
			return nil, err
		}
		if repetido(r.Clave) {
			return nil, en(linea, cabeza, "una clave sin campos repetidos", linea.Texto[cabeza:])
		}
		if !c.Signo(")") {
			return nil, c.Error("«,» u otro campo de la clave, o «)»")
		}
		if c.Fin() {
			return nil, nil
		}
		if !c.Signo(";") {
			return nil, c.Error("«;» y los campos de la tabla, o el final del renglón")
		}
	} else {
		*c = antes
	}
	if c.Fin() && r.Clave == nil {
		return nil, nil
	}
	campos, err := nombres(c, "un campo de la tabla")
	if err != nil {
		return nil, err
	}
	if !c.Fin() {
		return nil, c.Error("«,» y otro campo, o el final del renglón")
	}
	if repetido(campos) {
		return nil, en(linea, cabeza, "un encabezado sin campos repetidos", linea.Texto[cabeza:])
	}
	return campos, nil
}

// nombres reads identifiers separated by commas, at least one.
func nombres(c *superficie.Cursor, que string) ([]string, error) {
	var ns []string
	for {
		n, ok := c.Identificador()
		if !ok {
			return nil, c.Error(que)
		}
		ns = append(ns, n)
		if !c.Signo(",") {
			return ns, nil
		}
	}
}

func repetido(ns []string) bool {
	for i, n := range ns {
		if slices.Contains(ns[:i], n) {
			return true
		}
	}
	return false
}

// filaDeTabla reads exactly one JSON value for each field, separated by commas;
// one more comma at the end is let be.
func filaDeTabla(linea superficie.Renglon, campos []string) ([]Par, error) {
	c := linea.Cursor()
	inicio := *c
	var pares []Par
	for n := 0; ; n++ {
		valor, err := c.CrudoJSON()
		if err != nil {
			return nil, err
		}
		if n < len(campos) {
			pares = append(pares, Par{campos[n], valor})
		}
		sigue := c.Signo(",")
		switch {
		case c.Fin() && n+1 == len(campos):
			return pares, nil
		case c.Fin():
			return nil, inicio.Error("una fila con exactamente un valor por campo: " + strings.Join(campos, ", "))
		case !sigue:
			return nil, c.Error("«,» y otro valor, o el final del renglón")
		}
	}
}

// filaSuelta reads «fila {…}».
func filaSuelta(linea superficie.Renglon) ([]Par, error) {
	c := linea.Cursor()
	inicio := *c
	if !c.Palabra("fila") {
		return nil, inicio.Error("«fila {…}»: sin campos en el encabezado, las filas van de a una")
	}
	objeto := *c
	crudo, err := c.CrudoJSON()
	if err != nil {
		return nil, err
	}
	if crudo[0] != '{' {
		return nil, objeto.Error("un objeto JSON")
	}
	pares, err := paresDe(crudo)
	if err != nil {
		return nil, objeto.Error("un objeto JSON")
	}
	return pares, c.ExigirFin()
}

// paresDe returns the members of a JSON object in order.
func paresDe(crudo []byte) ([]Par, error) {
	v, err := estricto.Leer(crudo)
	if err != nil {
		return nil, err
	}
	ms, err := v.Miembros()
	if err != nil {
		return nil, err
	}
	pares := make([]Par, 0, len(ms))
	for _, m := range ms {
		pares = append(pares, Par{m.Clave, m.Valor.Crudo()})
	}
	return pares, nil
}
