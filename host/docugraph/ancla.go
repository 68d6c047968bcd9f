package docugraph

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// ancla makes the fragment GitHub gives a heading: lower case, everything but letters, marks, numbers, connectors, hyphens and
// spaces dropped, spaces turned into hyphens, and -1, -2… after the second one that would come out the same.
func ancla(titulo string, vistas map[string]int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(titulo) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-', unicode.IsLetter(r), unicode.IsMark(r), unicode.IsNumber(r), unicode.Is(unicode.Pc, r):
			b.WriteRune(r)
		}
	}
	base := b.String()
	salida := base
	for {
		if _, ya := vistas[salida]; !ya {
			break
		}
		vistas[base]++
		salida = base + "-" + strconv.Itoa(vistas[base])
	}
	vistas[salida] = 0
	return salida
}

var conAnclaPropia = regexp.MustCompile(`^(.*?)\s*\{#([^\s{}]+)\}\s*$`)

// anclaPropia takes apart «Título {#propia}», the explicit heading ids of documentation site generators. They are accepted besides
// GitHub's own, so that a link written for the site is not called broken.
func anclaPropia(titulo string) (resto, propia string) {
	if !strings.HasSuffix(titulo, "}") {
		return titulo, ""
	}
	if m := conAnclaPropia.FindStringSubmatch(titulo); m != nil {
		return m[1], m[2]
	}
	return titulo, ""
}
