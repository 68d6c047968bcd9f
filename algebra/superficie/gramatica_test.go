package superficie_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
)

// regla is a node of the grammar: a sequence, a choice, a repetition, an
// option, a name or a literal.
type regla struct {
	clase rune // 's', '|', '{', '[', 'n', '"'
	texto string
	hijas []*regla
}

var simbolos = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z0-9_]*|[=.|{}()\[\]]`)

// leerGramatica parses grammar.txt.
func leerGramatica(t *testing.T) map[string]*regla {
	t.Helper()
	texto, err := os.ReadFile("grammar.txt")
	if err != nil {
		t.Fatal(err)
	}
	var fichas []string
	for _, linea := range strings.Split(string(texto), "\n") {
		// A comment has no production after it on its line, and "#" is also a
		// literal.
		if i := strings.Index(linea, "  # "); i >= 0 {
			linea = linea[:i]
		}
		if !strings.HasPrefix(linea, "#") {
			fichas = append(fichas, simbolos.FindAllString(linea, -1)...)
		}
	}
	a := &analizador{t: t, fichas: fichas}
	reglas := map[string]*regla{}
	for len(a.fichas) > 0 {
		nombre := a.tomar()
		a.exigir("=")
		if reglas[nombre] != nil {
			t.Fatalf("%s se define dos veces", nombre)
		}
		reglas[nombre] = a.eleccion()
		a.exigir(".")
	}
	return reglas
}

type analizador struct {
	t      *testing.T
	fichas []string
}

func (a *analizador) tomar() string {
	a.t.Helper()
	if len(a.fichas) == 0 {
		a.t.Fatal("la gramática se corta")
	}
	f := a.fichas[0]
	a.fichas = a.fichas[1:]
	return f
}

func (a *analizador) exigir(f string) {
	a.t.Helper()
	if otra := a.tomar(); otra != f {
		a.t.Fatalf("se esperaba %q y llegó %q antes de %q", f, otra, a.fichas[:min(5, len(a.fichas))])
	}
}

func (a *analizador) eleccion() *regla {
	r := &regla{clase: '|'}
	for {
		s := &regla{clase: 's'}
		for !strings.Contains("|.)]}", a.fichas[0]) {
			s.hijas = append(s.hijas, a.uno())
		}
		r.hijas = append(r.hijas, s)
		if a.fichas[0] != "|" {
			return r
		}
		a.tomar()
	}
}

func (a *analizador) uno() *regla {
	f := a.tomar()
	cierre := map[string]string{"{": "}", "[": "]", "(": ")"}[f]
	switch {
	case cierre != "":
		r := a.eleccion()
		a.exigir(cierre)
		if f != "(" {
			r = &regla{clase: rune(f[0]), hijas: []*regla{r}}
		}
		return r
	case f[0] == '"':
		s, err := strconv.Unquote(f)
		if err != nil {
			a.t.Fatalf("%s: %v", f, err)
		}
		return &regla{clase: '"', texto: s}
	default:
		return &regla{clase: 'n', texto: f}
	}
}

// generador writes a sentence of the grammar.
type generador struct {
	reglas    map[string]*regla
	azar      *rand.Rand
	plantilla bool
	sangria   int
	queda     int // how many more nodes before it takes the shortest way
	usadas    map[string]bool
}

// frase returns the symbols of a rule. Lexical rules come as one symbol.
func (g *generador) frase(r *regla) []string {
	g.queda--
	switch r.clase {
	case '"':
		return []string{r.texto}
	case 's':
		var f []string
		for _, h := range r.hijas {
			f = append(f, g.frase(h)...)
		}
		return f
	case '|':
		return g.frase(r.hijas[g.elegir(r)])
	case '{', '[':
		var f []string
		veces := g.azar.IntN(4)
		if r.clase == '[' {
			veces %= 2
		}
		for ; veces > 0 && g.queda > 0; veces-- {
			f = append(f, g.frase(r.hijas[0])...)
		}
		return f
	default:
		return g.nombrada(r.texto)
	}
}

// elegir picks an alternative, the first one when there is no room.
func (g *generador) elegir(r *regla) int {
	i := 0
	if g.queda > 0 {
		i = g.azar.IntN(len(r.hijas))
	}
	if s := r.hijas[i]; len(r.hijas) > 2 && len(s.hijas) == 1 && s.hijas[0].texto == "hueco" && !g.plantilla {
		return 0 // Primario, Segun or Ambito, outside a macro
	}
	return i
}

func (g *generador) nombrada(nombre string) []string {
	g.usadas[nombre] = true
	if nivel, ok := strings.CutPrefix(nombre, "S"); ok && len(nivel) == 1 {
		n, _ := strconv.Atoi(nivel)
		return []string{strings.Repeat(" ", 4*(n+g.sangria))}
	}
	switch nombre {
	case "NL":
		return []string{"\n"}
	case "ident": // but for the words that mean something in an expression
		return []string{[]string{"a", "b1", "_c", "Pieza", "donde", "segun", "contar"}[g.azar.IntN(7)]}
	case "macro":
		return []string{"mía-2"[len("mí"):] + "x"}
	case "id":
		return []string{[]string{"d.m", "a_1.b_.c2"}[g.azar.IntN(2)]}
	case "version":
		return []string{superficie.Version}
	case "Expr": // half of what is left, so that the rest of the text has its part
		queda := g.queda
		g.queda /= 2
		defer func() { g.queda = queda - 1 }()
	case "Texto":
		if !g.plantilla {
			nombre = "texto"
		}
	case "Plantilla":
		g.sangria++
		defer func() { g.sangria-- }()
		nombre = "Medida"
	}
	f := g.frase(g.reglas[nombre])
	if unicode.IsLower([]rune(nombre)[0]) {
		return []string{strings.Join(f, "")}
	}
	return f
}

// texto joins symbols with blanks, none around the ends of lines.
func textoDe(simbolos []string) string {
	var b strings.Builder
	alPrincipio := true
	for _, s := range simbolos {
		esFin, esSangria := s == "\n", s != "" && strings.Trim(s, " ") == ""
		if !alPrincipio && !esFin {
			b.WriteString(" ")
		}
		b.WriteString(s)
		alPrincipio = esFin || esSangria
	}
	return b.String()
}

// TestGramatica generates texts out of grammar.txt and reads them: none may be
// an error of syntax. Every rule has to be defined, and used.
func TestGramatica(t *testing.T) {
	reglas := leerGramatica(t)
	usadas := map[string]bool{"Archivo": true}
	var recorrer func(r *regla)
	recorrer = func(r *regla) {
		if r.clase == 'n' && r.texto != "NL" && !strings.HasPrefix(r.texto, "S1") && !strings.HasPrefix(r.texto, "S2") {
			if reglas[r.texto] == nil {
				t.Errorf("%s no está definida", r.texto)
			}
			usadas[r.texto] = true
		}
		for _, h := range r.hijas {
			recorrer(h)
		}
	}
	for _, r := range reglas {
		recorrer(r)
	}
	for nombre := range reglas {
		if !usadas[nombre] {
			t.Errorf("%s no se usa", nombre)
		}
	}
	generadas := map[string]bool{}
	leidas := 0
	for semilla := range uint64(900) {
		g := &generador{reglas: reglas, azar: rand.New(rand.NewPCG(semilla, 1)), queda: 50 + int(semilla%300), usadas: generadas}
		inicio := "Medida"
		if semilla%3 == 0 {
			inicio, g.plantilla = "Defmacro", true
		}
		simbolos := g.nombrada(inicio)
		if semilla%2 == 0 {
			simbolos = append(g.nombrada("Sintaxis"), simbolos...)
		}
		texto := textoDe(simbolos)
		l, err := superficie.Leer([]byte(texto), nil, algebra.LimitesAlgebra{})
		var sintaxis *superficie.ErrorDeSintaxis
		if errors.As(err, &sintaxis) {
			t.Fatalf("%s\n%v", texto, err)
		}
		if err == nil {
			leidas++
			if _, err := superficie.Imprimir(l.Forma()); err != nil && !strings.Contains(l.Forma().String(), "Inf") {
				t.Fatalf("%s\n%v", texto, err)
			}
		}
	}
	if leidas < 500 {
		t.Errorf("sólo %d de los textos generados se leyeron enteros", leidas)
	}
	for _, nombre := range []string{"Medida", "Defmacro", "Umbral", "Requisito", "Columna", "campo", "hueco", "numero", "caracter"} {
		if !generadas[nombre] {
			t.Errorf("%s no se generó nunca", nombre)
		}
	}
}
