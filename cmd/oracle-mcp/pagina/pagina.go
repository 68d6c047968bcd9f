// Package pagina writes a verification as one page: self-contained, without
// network, readable on a phone and in the dark, usable with the keyboard and,
// its filters aside, without scripts.
//
// [Escribir] is its only way in; [Resumir], [Conclusion] and [Espera] are the
// words it shares with the terminal. Everything is pure: the same verification
// gives the same bytes.
package pagina

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
)

//go:embed pagina.html pagina.css pagina.js
var archivos embed.FS

// Escribir writes the page. The error is w's.
func Escribir(w io.Writer, r *host.Verificacion) error {
	t := template.Must(template.New("pagina.html").ParseFS(archivos, "pagina.html"))
	var b bytes.Buffer
	if err := t.Execute(&b, ver(r)); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func leer(nombre string) string {
	b, err := archivos.ReadFile(nombre)
	if err != nil {
		panic(err) // embedded
	}
	return string(b)
}

// huella is how a Content-Security-Policy names an inline text.
func huella(s string) string {
	suma := sha256.Sum256([]byte(s))
	return "'sha256-" + base64.StdEncoding.EncodeToString(suma[:]) + "'"
}

// Resumir counts a verification in one sentence.
func Resumir(r *host.Verificacion) string {
	casos, discordancias, mutantes, libres, rechazados := 0, 0, 0, 0, 0
	for i := range r.Medidas {
		m := &r.Medidas[i]
		generados, _, rechazan, sobreviven := m.Cuenta()
		casos += len(m.Casos)
		discordancias += m.Discordancias()
		mutantes, rechazados, libres = mutantes+generados, rechazados+rechazan, libres+sobreviven
	}
	return fmt.Sprintf("%s y %s (%s); %s: %s, %s por el álgebra",
		plural(len(r.Medidas), "medida"), plural(casos, "caso"), plural(discordancias, "discordancia"),
		plural(mutantes, "mutante"), plural(libres, "libre"), plural(rechazados, "rechazado"))
}

func plural(n int, nombre string) string {
	if n != 1 {
		nombre += "s"
	}
	return fmt.Sprintf("%d %s", n, nombre)
}

// Conclusion says how a measure came out: «bien», «mal» or «duda», a title with
// its sign, and what it means.
func Conclusion(m *host.MedidaVerificada) (estado, titulo, sentido string) {
	switch {
	case m.Conclusion == host.OriginalNoReproduce, m.Conclusion == "" && m.Discordancias() > 0:
		return "mal", "✘ NO REPRODUCE", "la medida no dice lo que algún caso espera"
	case m.Conclusion == "":
		return "bien", "✔ HEREDADA", "responde por ella quien la publica: acá no se muta"
	case m.Conclusion == host.FaltanPolaridades && m.EnRegla():
		return "bien", "✔ POR ARNÉS", "sin casos propios: la evalúa la verificación misma, sobre los hechos del catálogo"
	case m.Conclusion == host.FaltanPolaridades && len(m.Casos) == 0:
		return "mal", "✘ SIN CASOS", "ningún caso la evalúa: puede decir cualquier cosa"
	case m.Conclusion == host.FaltanPolaridades:
		return "mal", "✘ FALTA UNA POLARIDAD", "hace falta al menos un caso que espere verde y otro que no"
	case m.Conclusion == host.Sobrevivientes:
		return "mal", "✘ HAY LIBRES", "hay cambios de la medida que ningún caso nota"
	case m.Conclusion == host.SinSobrevivientesConRechazos:
		return "bien", "✔ FIJA", "ningún mutante sobrevive; los que sus casos no notan los rechaza el álgebra"
	case m.Conclusion == host.TodosDetectadosPorConducta:
		return "bien", "✔ FIJA", "sus casos notan todos los mutantes"
	default:
		return "duda", "? SIN MUTANTES", "no hay ningún cambio que probar"
	}
}

// Espera spells what a case expects.
func Espera(e corpus.Espera) string {
	if e == corpus.NoVerde {
		return "no verde"
	}
	return string(e)
}

// What the template shows. Texts are the template's to escape.
type (
	vista struct {
		CSS      template.CSS
		JS       template.JS
		Politica string

		OK               bool
		Titulo, Resumen  string
		Proyecto, Nombre string
		Version, Huella  string
		Medidas          []medida
		FueraDeRegla     int
		ConLibres        int
		Catalogo         []juicio
		CatalogoEnRegla  bool
		NoJuzgaron       []host.NoJuzgo
		Sueltos          []host.CasoSuelto
		Advertencias     []string
	}
	medida struct {
		ID, Ancla, Origen, Fuente, Fijacion       string
		Estado, Titulo, Sentido                   string
		Umbral, Porque, Segun, Alcance, Texto     string
		EnRegla                                   bool
		Mutada                                    bool
		Generados, Detectan, Rechazan, Sobreviven int
		Casos                                     []caso
		Libres, Rechazados                        []mutante
		Fijos                                     []mutante
	}
	caso struct {
		ID, Origen, Espera, Obtenido, Valor, Motivo string
		Cumple                                      bool
		Testigos                                    tabla
	}
	mutante struct {
		ID, Cambio string
		Notan      string
		Filas      []par
	}
	// par is a line of the original beside one of the mutant.
	par struct {
		Igual      bool
		Izq, Der   partes
		HayI, HayD bool
	}
	// partes is a line cut where it differs from the one beside.
	partes struct{ Antes, Cambia, Despues string }
	juicio struct {
		ID, Estado, Signo, Valor, Umbral, Porque, Alcance string
		Satisface                                         bool
		Testigos                                          tabla
	}
	tabla struct {
		Columnas []string
		Filas    [][]string
		Omitidos int
	}
)

func ver(r *host.Verificacion) vista {
	css, js := leer("pagina.css"), leer("pagina.js")
	v := vista{
		CSS: template.CSS(css), JS: template.JS(js),
		Politica: "default-src 'none'; style-src " + huella(css) + "; script-src " + huella(js) + "; base-uri 'none'; form-action 'none'",
		OK:       r.OK, Titulo: "✔ En regla", Resumen: Resumir(r),
		Proyecto: r.Proyecto, Nombre: path.Base(r.Proyecto), Version: r.Version, Huella: r.HuellaProyecto,
		NoJuzgaron: r.NoJuzgaron, Sueltos: r.Sueltos, Advertencias: r.Advertencias, CatalogoEnRegla: len(r.NoJuzgaron) == 0,
	}
	if !r.OK {
		v.Titulo = "✘ No está en regla"
	}
	for i := range r.Medidas {
		m := verMedida(&r.Medidas[i])
		if !m.EnRegla {
			v.FueraDeRegla++
		}
		if m.Sobreviven > 0 {
			v.ConLibres++
		}
		v.Medidas = append(v.Medidas, m)
	}
	// What is not in order comes first; the rest keeps its order.
	sort.SliceStable(v.Medidas, func(i, j int) bool { return !v.Medidas[i].EnRegla && v.Medidas[j].EnRegla })
	for i := range r.Catalogo {
		j := verJuicio(&r.Catalogo[i])
		v.CatalogoEnRegla = v.CatalogoEnRegla && j.Satisface
		v.Catalogo = append(v.Catalogo, j)
	}
	sort.SliceStable(v.Catalogo, func(i, j int) bool { return !v.Catalogo[i].Satisface && v.Catalogo[j].Satisface })
	return v
}

func verMedida(m *host.MedidaVerificada) medida {
	u := m.Medida.Umbral
	x := medida{
		ID: m.ID(), Ancla: "m-" + m.ID(), Origen: m.Origen.String(), Fuente: m.Fuente, Fijacion: string(m.Fijacion),
		Umbral: string(u.Op) + " " + literal(u.Limite), Porque: u.Porque, Segun: u.Segun, Alcance: m.Medida.Alcance,
		Texto: texto(m.Medida.Canonica()), EnRegla: m.EnRegla(), Mutada: len(m.Mutantes) > 0,
	}
	x.Estado, x.Titulo, x.Sentido = Conclusion(m)
	x.Generados, x.Detectan, x.Rechazan, x.Sobreviven = m.Cuenta()
	for _, c := range m.Casos {
		k := caso{ID: c.ID, Origen: c.Origen, Espera: Espera(c.Espera), Obtenido: c.Obtenido, Motivo: c.Motivo, Cumple: c.Cumple,
			Testigos: verTestigos(c.Testigos, c.CuantosTestigos)}
		if c.Valor != nil && c.Obtenido != string(algebra.SinEvidencia) {
			k.Valor = literal(c.Valor)
		}
		x.Casos = append(x.Casos, k)
	}
	for i := range m.Mutantes {
		mu := &m.Mutantes[i]
		y := mutante{ID: mu.ID, Cambio: mu.Cambio}
		switch {
		case mu.Detectado():
			y.Notan = plural(mu.Conductuales, "caso")
			x.Fijos = append(x.Fijos, y)
			continue
		case mu.Sobrevive():
			y.Filas = alinear(mu.Diferencia(m.Medida))
			x.Libres = append(x.Libres, y)
		default:
			y.Filas = alinear(mu.Diferencia(m.Medida))
			x.Rechazados = append(x.Rechazados, y)
		}
	}
	return x
}

func verJuicio(j *host.Juicio) juicio {
	u, v := j.Medida.Umbral, j.Veredicto
	x := juicio{ID: j.Medida.ID, Estado: string(v.Estado), Signo: "✘", Umbral: string(u.Op) + " " + literal(u.Limite),
		Porque: u.Porque, Alcance: j.Medida.Alcance, Satisface: j.Satisface()}
	switch {
	case v.Estado == algebra.Verde:
		x.Signo, x.Valor = "✔", literal(v.Valor)
	case v.Estado == algebra.SinEvidencia:
		x.Signo, x.Estado = "?", "sin evidencia: falta "+host.DescribirFalta(j.Medida, v.Falta)
	default:
		x.Valor = literal(v.Valor)
		if j.Perdona {
			x.Signo, x.Estado = "~", "rojo, perdonado por su sombra"
		}
	}
	const mostrados = 20
	var ts [][]byte
	for i := range min(mostrados, v.CantidadDeTestigos()) {
		ts = append(ts, v.AppendTestigo(nil, i))
	}
	x.Testigos = verTestigos(ts, v.CantidadDeTestigos())
	return x
}

// texto is a form as it reads, or its JSON when the surface cannot say it.
func texto(n algebra.Nodo) string {
	if s, err := superficie.Imprimir(n); err == nil {
		return strings.TrimSuffix(s, "\n")
	}
	return n.String()
}

func literal(v algebra.Valor) string {
	if t, ok := v.(algebra.Texto); ok {
		return string(t)
	}
	return string(algebra.AppendJSON(nil, v))
}

// alinear puts what was removed beside what took its place.
func alinear(renglones []host.Renglon) []par {
	var ps []par
	for i := 0; i < len(renglones); {
		if r := renglones[i]; r.Cambio == host.EnAmbos {
			ps = append(ps, par{Igual: true, HayI: true, HayD: true, Izq: partes{Antes: r.Texto}, Der: partes{Antes: r.Texto}})
			i++
			continue
		}
		var quita, pone []string
		for ; i < len(renglones) && renglones[i].Cambio != host.EnAmbos; i++ {
			if renglones[i].Cambio == host.SoloOriginal {
				quita = append(quita, renglones[i].Texto)
			} else {
				pone = append(pone, renglones[i].Texto)
			}
		}
		for k := range max(len(quita), len(pone)) {
			p := par{HayI: k < len(quita), HayD: k < len(pone)}
			switch {
			case p.HayI && p.HayD:
				p.Izq, p.Der = cortar(quita[k], pone[k])
			case p.HayI:
				p.Izq = partes{Cambia: quita[k]}
			default:
				p.Der = partes{Cambia: pone[k]}
			}
			ps = append(ps, p)
		}
	}
	return ps
}

// cortar separates what two lines share at their ends from what differs.
func cortar(a, b string) (partes, partes) {
	x, y := []rune(a), []rune(b)
	i := 0
	for i < len(x) && i < len(y) && x[i] == y[i] {
		i++
	}
	j := 0
	for j < len(x)-i && j < len(y)-i && x[len(x)-1-j] == y[len(y)-1-j] {
		j++
	}
	corte := func(r []rune) partes {
		return partes{string(r[:i]), string(r[i : len(r)-j]), string(r[len(r)-j:])}
	}
	return corte(x), corte(y)
}

// verTestigos makes a table of witnesses, each an object of alias to fact.
func verTestigos(ts [][]byte, total int) tabla {
	t := tabla{Omitidos: total - len(ts)}
	var filas []map[string]string
	for _, crudo := range ts {
		d := json.NewDecoder(bytes.NewReader(crudo))
		d.UseNumber()
		var roles map[string]map[string]any
		if err := d.Decode(&roles); err != nil {
			continue // ours: it is always such an object
		}
		fila := map[string]string{}
		for _, alias := range claves(roles) {
			for _, campo := range claves(roles[alias]) {
				nombre := campo
				if alias != "_" {
					nombre = alias + "." + campo
				}
				if !slices.Contains(t.Columnas, nombre) {
					t.Columnas = append(t.Columnas, nombre)
				}
				fila[nombre] = fmt.Sprint(roles[alias][campo])
			}
		}
		filas = append(filas, fila)
	}
	for _, f := range filas {
		celdas := make([]string, len(t.Columnas))
		for k, c := range t.Columnas {
			celdas[k] = "·"
			if s, ok := f[c]; ok {
				celdas[k] = s
			}
		}
		t.Filas = append(t.Filas, celdas)
	}
	return t
}

func claves[T any](m map[string]T) []string {
	var ks []string
	for k := range m {
		ks = append(ks, k)
	}
	slices.Sort(ks)
	return ks
}
