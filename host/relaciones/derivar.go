package relaciones

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
)

// Origen says who declares the fields of a relation.
type Origen string

// The origins, as the fact «campo_leido» spells them.
const (
	OrigenDeclarada Origen = "declarada"
	OrigenLenguaje  Origen = "lenguaje"
	SinDeclarar     Origen = "sin_declarar"
)

// Declaradas are the declarations of a project. The zero value has none.
type Declaradas struct {
	orden []*Relacion
	por   map[string]*Relacion
}

// NuevasDeclaradas gathers declarations in the given order. It fails with
// *[Error] when two have the same name.
func NuevasDeclaradas(rs []*Relacion) (*Declaradas, error) {
	d := &Declaradas{por: map[string]*Relacion{}}
	for _, r := range rs {
		if d.por[r.Nombre] != nil {
			return nil, mal("la relación «%s» se declara dos veces", algebra.Citar(r.Nombre))
		}
		d.por[r.Nombre] = r
		d.orden = append(d.orden, r)
	}
	return d, nil
}

// Todas returns the declarations in order. Do not modify it.
func (d *Declaradas) Todas() []*Relacion { return d.orden }

// Vacia reports whether nothing was declared.
func (d *Declaradas) Vacia() bool { return len(d.orden) == 0 }

// Campos returns the fields of a relation and who declares them; nil fields
// when nobody does.
func (d *Declaradas) Campos(relacion string) ([]string, Origen) {
	if cs := CamposDelLenguaje(relacion); cs != nil {
		return cs, OrigenLenguaje
	}
	if r := d.por[relacion]; r != nil {
		return r.Nombres(), OrigenDeclarada
	}
	return nil, SinDeclarar
}

// Alias is what a measure reads of a relation under one alias.
type Alias struct {
	Alias, Relacion string
	Campos          []string // fields read by name, by code point
	Entero          bool     // the whole fact is handed to a scalar
}

// AliasDe returns what a measure reads under each alias, ordered by alias and
// then by relation: sources, those of «sin» and the entries of «requiere» with
// a condition. Two uses of one alias for one relation are one.
func AliasDe(m *algebra.Medida) []Alias {
	l := lectura{}
	alcance := map[string]*uso{}
	for _, d := range algebra.AliasDe(m.Fuente) {
		alcance[d.Alias] = l.uso(d.Alias, d.Relacion)
	}
	for _, p := range m.Pasos {
		switch x := p.(type) {
		case *algebra.Donde:
			leer(x.Condicion, alcance)
		case *algebra.Sin:
			alcance[x.De.Alias] = l.uso(x.De.Alias, x.De.Relacion)
			leer(x.Condicion, alcance)
			delete(alcance, x.De.Alias)
		case *algebra.Agrupar:
			for _, k := range x.Claves {
				leer(k.Expr, alcance)
			}
			for _, g := range x.Agregados {
				leer(g.Expr, alcance)
			}
			clear(alcance)
		}
	}
	leer(m.Resumen.Expr, alcance)
	for _, r := range m.Requiere {
		if r.Condicion != nil {
			leer(r.Condicion, map[string]*uso{r.Alias: l.uso(r.Alias, r.Relacion)})
		}
	}
	var todos []Alias
	for par, u := range l {
		a := Alias{Alias: par[0], Relacion: par[1], Entero: u.entero}
		for c := range u.campos {
			a.Campos = append(a.Campos, c)
		}
		slices.Sort(a.Campos)
		todos = append(todos, a)
	}
	slices.SortFunc(todos, func(x, y Alias) int {
		return cmp.Or(cmp.Compare(x.Alias, y.Alias), cmp.Compare(x.Relacion, y.Relacion))
	})
	return todos
}

// lectura is what was read, by alias and relation.
type lectura map[[2]string]*uso

type uso struct {
	campos map[string]bool
	entero bool
}

func (l lectura) uso(alias, relacion string) *uso {
	par := [2]string{alias, relacion}
	if l[par] == nil {
		l[par] = &uso{campos: map[string]bool{}}
	}
	return l[par]
}

func leer(e algebra.Expr, alcance map[string]*uso) {
	switch x := e.(type) {
	case *algebra.Campo:
		if u := alcance[x.Alias]; u != nil {
			u.campos[x.Nombre] = true
		}
	case *algebra.HechoDe:
		if u := alcance[x.Alias]; u != nil {
			u.entero = true
		}
	case *algebra.Comparacion:
		leer(x.Izq, alcance)
		leer(x.Der, alcance)
	case *algebra.Logico:
		for _, o := range x.Operandos {
			leer(o, alcance)
		}
	case *algebra.Llamada:
		for _, a := range x.Args {
			leer(a, alcance)
		}
	}
}

// Derivar returns the derived scope of a measure: a line for each alias, that
// says which declared fields it does not read, which it reads and nobody
// declared, or that nobody declared any (proyecto §6). It is empty, never nil,
// when the project declares no relation at all.
func (d *Declaradas) Derivar(m *algebra.Medida) []string {
	lineas := []string{}
	if d.Vacia() {
		return lineas
	}
	for _, a := range AliasDe(m) {
		lineas = append(lineas, fmt.Sprintf("%s (%s): %s", a.Alias, algebra.Citar(a.Relacion), d.frase(a)))
	}
	return lineas
}

func (d *Declaradas) frase(a Alias) string {
	declarados, origen := d.Campos(a.Relacion)
	if origen == SinDeclarar {
		return "nadie declaró los campos de esta relación"
	}
	es := map[string]bool{}
	var sinLeer, sobran []string
	for _, c := range declarados {
		es[c] = true
		if !a.Entero && !slices.Contains(a.Campos, c) {
			sinLeer = append(sinLeer, c)
		}
	}
	for _, c := range a.Campos {
		if !es[c] {
			sobran = append(sobran, c)
		}
	}
	slices.Sort(sinLeer)
	var partes []string
	switch {
	case len(sinLeer) > 0:
		partes = append(partes, "no lee "+lista(sinLeer))
	case a.Entero:
		partes = append(partes, "entrega el hecho entero a una escalar")
	default:
		partes = append(partes, "lee todos los campos declarados")
	}
	if len(sobran) > 0 {
		partes = append(partes, "lee sin que esté declarado "+lista(sobran))
	}
	return strings.Join(partes, "; ")
}

func lista(nombres []string) string {
	citados := make([]string, len(nombres))
	for i, n := range nombres {
		citados[i] = algebra.Citar(n)
	}
	return strings.Join(citados, ", ")
}
