package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"
	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host"
)

// vista writes for a person. Text from outside never reaches the terminal with
// its control characters.
type vista struct {
	w     *bufio.Writer
	color bool
}

// nuevaVista uses colour where the output admits it.
func nuevaVista(m mundo) *vista { return &vista{w: bufio.NewWriter(m.salida), color: m.color} }

// The few styles there are.
const (
	verde    = "32;1"
	rojo     = "31;1"
	amarillo = "33;1"
	tenue    = "2"
	negrita  = "1"
)

func (v *vista) pintar(estilo, s string) string {
	if !v.color || s == "" {
		return s
	}
	return "\x1b[" + estilo + "m" + s + "\x1b[0m"
}

// estado spells a state with its colour and a sign that does not need one.
func (v *vista) estado(e algebra.Estado) string {
	switch e {
	case algebra.Verde:
		return v.pintar(verde, "✔ VERDE")
	case algebra.Rojo:
		return v.pintar(rojo, "✘ ROJO")
	default:
		return v.pintar(amarillo, "? SIN EVIDENCIA")
	}
}

// evaluacion writes an answer of oracle_evaluar with up to maximo witnesses.
func (v *vista) evaluacion(e *host.Evaluacion, maximo int) error {
	fmt.Fprintf(v.w, "%s  %s\n", v.estado(e.Juicio.Veredicto.Estado), v.pintar(negrita, e.Juicio.Medida.ID))
	v.cuerpo(e.Juicio, maximo)
	for _, a := range e.AlcanceDerivado {
		v.renglon("", v.pintar(tenue, limpio(a)))
	}
	for _, a := range e.Advertencias {
		v.renglon("aviso", v.pintar(amarillo, limpio(a)))
	}
	return v.w.Flush()
}

// cuerpo writes what a verdict says, below its state.
func (v *vista) cuerpo(j host.Juicio, maximo int) {
	if f := j.Veredicto.Falta; f != nil {
		v.renglon("falta", v.pintar(amarillo, limpio(host.DescribirFalta(j.Medida, f)))+": sin eso no se pudo mirar; no es ni bueno ni malo")
	} else {
		v.renglon("valor", literal(j.Veredicto.Valor))
	}
	u := j.Medida.Umbral
	v.renglon("umbral", fmt.Sprintf("%s %s", u.Op, literal(u.Limite)))
	v.renglon("porque", razon(u))
	if s := j.Sombra; s != nil {
		v.renglon("sombra", sombra(s, j.Perdona, j.Veredicto.Estado))
	}
	v.testigos(j.Veredicto, maximo)
	v.renglon("no mira", limpio(j.Medida.Alcance))
}

// renglon writes one labelled line.
func (v *vista) renglon(etiqueta, s string) {
	fmt.Fprintf(v.w, "  %s %s\n", v.pintar(tenue, fmt.Sprintf("%-8s", etiqueta)), s)
}

func razon(u algebra.Umbral) string {
	porque := limpio(u.Porque)
	if porque == "" {
		porque = "no dice por qué"
	}
	if u.Segun == algebra.SinDeclarar {
		return porque + " (sin declarar de dónde sale)"
	}
	return porque + " (según " + u.Segun + ")"
}

func sombra(s *host.Sombra, perdona bool, estado algebra.Estado) string {
	cota := "sin cota"
	if s.Cota != nil {
		cota = "cota " + s.Cota.String()
	}
	queHace := "no cambia nada"
	switch {
	case perdona:
		queHace = "perdona este rojo"
	case estado == algebra.Rojo:
		queHace = "este rojo supera la cota: no lo perdona"
	}
	return fmt.Sprintf("desde %s, %s: %s; %s", limpio(s.Desde), cota, limpio(s.Porque), queHace)
}

// testigos writes the rows that reached the end as a table.
func (v *vista) testigos(vd *algebra.Veredicto, maximo int) {
	total := vd.CantidadDeTestigos()
	if vd.Falta != nil {
		return
	}
	switch total {
	case 0:
		v.renglon("testigos", "ninguna fila")
		return
	case 1:
		v.renglon("testigos", "1 fila")
	default:
		v.renglon("testigos", fmt.Sprintf("%d filas", total))
	}
	maximo = min(max(maximo, 0), total)
	var columnas []string
	visto := map[string]bool{}
	filas := make([]map[string]string, maximo)
	for i := range filas {
		filas[i] = map[string]string{}
		for _, rol := range vd.Testigo(i) {
			for _, campo := range rol.Hecho.Campos() {
				nombre := limpio(campo)
				if rol.Alias != "_" {
					nombre = limpio(rol.Alias) + "." + nombre
				}
				if !visto[nombre] {
					visto[nombre] = true
					columnas = append(columnas, nombre)
				}
				if x, ok := rol.Hecho.Campo(campo); ok && len(columnas) <= maximoDeColumnas {
					filas[i][nombre] = runewidth.Truncate(literal(x), anchoDeCelda, "…")
				}
			}
		}
	}
	sobran := len(columnas) - maximoDeColumnas
	if sobran > 0 {
		columnas = columnas[:maximoDeColumnas]
	}
	if maximo > 0 && len(columnas) > 0 {
		v.tabla("             ", columnas, filas)
	}
	if sobran > 0 {
		v.renglon("", fmt.Sprintf("… y %s más, que están con --json", plural(sobran, "columna")))
	}
	if total > maximo {
		v.renglon("", fmt.Sprintf("… y %d más", total-maximo))
	}
}

// What of a table of witnesses a person can still read.
const (
	anchoDeCelda     = 40
	maximoDeColumnas = 40
)

func (v *vista) tabla(margen string, columnas []string, filas []map[string]string) {
	anchos := make([]int, len(columnas))
	for k, c := range columnas {
		anchos[k] = runewidth.StringWidth(c)
		for _, f := range filas {
			anchos[k] = max(anchos[k], runewidth.StringWidth(f[c]))
		}
	}
	escribir := func(estilo string, celda func(k int) string) {
		var b strings.Builder
		for k := range columnas {
			b.WriteString(runewidth.FillRight(celda(k), anchos[k]))
			if k < len(columnas)-1 {
				b.WriteString("  ")
			}
		}
		s := strings.TrimRight(b.String(), " ")
		if estilo != "" {
			s = v.pintar(estilo, s)
		}
		io.WriteString(v.w, margen+s+"\n")
	}
	escribir(negrita, func(k int) string { return columnas[k] })
	escribir(tenue, func(k int) string { return strings.Repeat("─", anchos[k]) })
	for _, f := range filas {
		escribir("", func(k int) string {
			if s, ok := f[columnas[k]]; ok && s != "" {
				return s
			}
			return "·"
		})
	}
}

// literal spells a value: a text as it is, the rest as JSON.
func literal(v algebra.Valor) string {
	if t, ok := v.(algebra.Texto); ok {
		return limpio(string(t))
	}
	return algebra.Citar(string(algebra.AppendJSON(nil, v)))
}

// limpio makes a text from outside safe for a terminal, whatever its length.
func limpio(s string) string {
	const trozo = 100
	var b strings.Builder
	r := []rune(s)
	for len(r) > 0 {
		n := min(trozo, len(r))
		b.WriteString(algebra.Citar(string(r[:n])))
		r = r[n:]
	}
	return b.String()
}
