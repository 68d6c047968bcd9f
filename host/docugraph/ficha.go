package docugraph

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"
)

type estadoDeFicha int

const (
	sinFicha estadoDeFicha = iota
	fichaSinCierre
	fichaEntera
)

// cortar splits a normalized file into its YAML block and its body. linea is the line of the file the body begins on. Trailing
// blanks after the markers are accepted, as editors leave them.
func cortar(contenido string) (bloque, cuerpo string, linea int, estado estadoDeFicha) {
	primera, resto, _ := strings.Cut(contenido, "\n")
	if recortarFin(primera) != "---" {
		return "", contenido, 1, sinFicha
	}
	linea = 2
	for desde := 0; desde < len(resto); linea++ {
		fin := strings.IndexByte(resto[desde:], '\n')
		renglon, sigue := resto[desde:], len(resto)
		if fin >= 0 {
			renglon, sigue = resto[desde:desde+fin], desde+fin+1
		}
		if r := recortarFin(renglon); r == "---" || r == "..." {
			return resto[:desde], resto[sigue:], linea + 1, fichaEntera
		}
		desde = sigue
	}
	return "", "", linea, fichaSinCierre
}

func recortarFin(s string) string { return strings.TrimRight(s, " \t\r") }

// Bounds on the YAML of one block. The library is quadratic in the keys of one mapping (and in repeated keys, worse), so those
// are checked here before it looks at values.
const (
	maxNodosYAML  = 10_000
	maxClavesYAML = 1_000
	maxNivelYAML  = 64
)

// fichaMala is what is wrong with a block, at a line of the block.
type fichaMala struct {
	linea int
	texto string
}

func (e *fichaMala) Error() string { return e.texto }

// par is one entry of the top mapping.
type par struct{ clave, valor *yaml.Node }

// leerYAML reads the block to values and keeps the top mapping's nodes for their positions. Reading to nodes does not expand
// aliases and reading to values does, under the library's own bound: that is what refuses an alias bomb.
func leerYAML(bloque string, lim Limites) (valores map[string]any, nodos map[string]par, err error) {
	if len(bloque) > lim.BytesDeFrontmatter {
		return nil, nil, &fichaMala{1, fmt.Sprintf("el bloque YAML tiene %d bytes, y el tope es %d", len(bloque), lim.BytesDeFrontmatter)}
	}
	defer func() {
		// The library is not ours: a panic in it is one more way of not understanding the block.
		if p := recover(); p != nil {
			valores, nodos, err = nil, nil, &fichaMala{1, "el lector de YAML no pudo con este bloque"}
		}
	}()
	dec := yaml.NewDecoder(bytes.NewReader([]byte(bloque)))
	var doc yaml.Node
	if err := dec.Decode(&doc); errors.Is(err, io.EOF) {
		return map[string]any{}, map[string]par{}, nil // nothing, or only comments: a mapping with no keys
	} else if err != nil {
		return nil, nil, deYAML(err)
	}
	if err := dec.Decode(new(yaml.Node)); err == nil {
		return nil, nil, &fichaMala{1, "el bloque trae más de un documento YAML"}
	} else if !errors.Is(err, io.EOF) {
		return nil, nil, deYAML(err)
	}
	raiz := doc.Content[0]
	if raiz.Kind == yaml.ScalarNode && raiz.Tag == "!!null" {
		return map[string]any{}, map[string]par{}, nil
	}
	if raiz.Kind != yaml.MappingNode {
		return nil, nil, &fichaMala{raiz.Line, "el bloque YAML no es un mapa de `clave: valor`"}
	}
	cuenta := 0
	if err := revisarNodos(raiz, 1, &cuenta); err != nil {
		return nil, nil, err
	}
	nodos = make(map[string]par, len(raiz.Content)/2)
	for i := 0; i+1 < len(raiz.Content); i += 2 {
		nodos[raiz.Content[i].Value] = par{raiz.Content[i], raiz.Content[i+1]}
	}
	var suelto any
	if err := doc.Decode(&suelto); err != nil {
		return nil, nil, deYAML(err)
	}
	valores = make(map[string]any, len(nodos))
	switch m := suelto.(type) {
	case map[string]any:
		valores = m
	case map[any]any:
		for k, v := range m {
			if s, ok := k.(string); ok {
				valores[s] = v
			}
		}
	}
	return valores, nodos, nil
}

// revisarNodos refuses what the library would accept at a cost: too deep, too many, repeated or composite keys.
func revisarNodos(n *yaml.Node, nivel int, cuenta *int) error {
	*cuenta++
	if nivel > maxNivelYAML {
		return &fichaMala{n.Line, fmt.Sprintf("el YAML se anida más de %d niveles", maxNivelYAML)}
	}
	if *cuenta > maxNodosYAML {
		return &fichaMala{n.Line, fmt.Sprintf("el YAML tiene más de %d valores", maxNodosYAML)}
	}
	if n.Kind == yaml.MappingNode {
		if len(n.Content)/2 > maxClavesYAML {
			return &fichaMala{n.Line, fmt.Sprintf("un mapa YAML tiene más de %d claves", maxClavesYAML)}
		}
		vistas := make(map[string]int, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			clave := n.Content[i]
			if clave.Kind != yaml.ScalarNode {
				return &fichaMala{clave.Line, "una clave YAML tiene que ser un texto simple (el `{{…}}` de una plantilla va entre comillas)"}
			}
			marca := clave.ShortTag() + " " + clave.Value
			if otra, ya := vistas[marca]; ya {
				return &fichaMala{clave.Line, fmt.Sprintf("la clave %s está repetida: ya está en la línea %d", citar(clave.Value), otra+1)}
			}
			vistas[marca] = clave.Line
		}
	}
	for _, h := range n.Content {
		if err := revisarNodos(h, nivel+1, cuenta); err != nil {
			return err
		}
	}
	return nil
}

var lineaDeYAML = regexp.MustCompile(`^(?:yaml: )?(?:unmarshal errors:\s+)?(?:line (\d+): )?`)

// deYAML takes the line out of the library's message, which is all the structure it offers.
func deYAML(err error) error {
	texto := err.Error()
	m := lineaDeYAML.FindStringSubmatchIndex(texto)
	linea := 1
	if m[2] >= 0 {
		linea, _ = strconv.Atoi(texto[m[2]:m[3]])
	}
	texto = unRenglon(texto[m[1]:])
	switch {
	case strings.Contains(texto, "tab character") || strings.Contains(texto, "cannot start any token"):
		texto += " (YAML no admite tabuladores para sangrar, y un valor que empieza con @, ` o % va entre comillas)"
	case strings.Contains(texto, "mapping values are not allowed"):
		texto += " (un valor que lleva `: ` va entre comillas)"
	}
	return &fichaMala{linea, "no se entiende el YAML: " + texto}
}

// leerFicha fills d from its YAML block, which begins on line 2 of the file.
func (d *Documento) leerFicha(bloque string, lim Limites) {
	valores, nodos, err := leerYAML(bloque, lim)
	if err != nil {
		var mala *fichaMala
		errors.As(err, &mala)
		d.hallar(FrontmatterInvalido, mala.linea+1, mala.texto)
		return
	}
	linea := func(clave string) int {
		if p, ok := nodos[clave]; ok {
			return p.clave.Line + 1
		}
		return 1
	}
	d.lineaDeID = linea("id")
	switch id, hay := valores["id"]; {
	case !hay:
		d.hallar(IDFaltante, 1, "el frontmatter no tiene `id`: agregale uno, único en el árbol")
	default:
		if motivo := idMalo(id); motivo != "" {
			d.hallar(IDInvalido, d.lineaDeID, motivo)
		} else {
			d.ID = id.(string)
		}
	}
	d.leerDependsOn(valores["depends_on"], nodos["depends_on"].valor, linea("depends_on"))
	d.Ficha.Titulo = unRenglon(escalar(valores["title"], nodos["title"].valor))
	d.Ficha.Estado = unRenglon(escalar(valores["status"], nodos["status"].valor))
	d.Ficha.Tipo = unRenglon(escalar(valores["type"], nodos["type"].valor))
	d.Ficha.Fase = unRenglon(escalar(valores["phase"], nodos["phase"].valor))
	d.Ficha.Etiquetas = etiquetas(valores["tags"])
	d.Ficha.Criterios, d.Ficha.CriteriosIlegibles = criteriosDeFicha(valores["acceptance_criteria"])
}

// idMalo says why a value cannot be an id, or "" if it can.
func idMalo(v any) string {
	id, esTexto := v.(string)
	switch {
	case v == nil || esTexto && id == "":
		return "`id` está vacío"
	case !esTexto:
		return fmt.Sprintf("`id` tiene que ser un texto, y %v es %s: ponelo entre comillas", v, tipoYAML(v))
	case strings.ContainsFunc(id, noVaEnID):
		return fmt.Sprintf("`id` no puede llevar espacios, saltos ni caracteres de control: %s", citar(id))
	}
	return ""
}

func noVaEnID(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }

func tipoYAML(v any) string {
	switch v.(type) {
	case bool:
		return "un booleano"
	case int, int64, uint64, float64:
		return "un número"
	case []any:
		return "una lista"
	case map[string]any, map[any]any:
		return "un mapa"
	}
	return "una fecha"
}

func (d *Documento) leerDependsOn(v any, nodo *yaml.Node, linea int) {
	if nodo != nil && nodo.Kind == yaml.AliasNode {
		nodo = nil // the positions of an alias's target say nothing about this field
	}
	mal := func(linea int, texto string) {
		d.dependeIlegible = true
		d.Ficha.DependeDe = nil
		d.hallar(DependsOnInvalido, linea, texto)
	}
	var crudos []any
	switch v := v.(type) {
	case nil:
		return
	case string:
		crudos = []any{v}
	case []any:
		crudos = v
	default:
		mal(linea, fmt.Sprintf("`depends_on` es %s: tiene que ser una lista de ids", tipoYAML(v)))
		return
	}
	for i, crudo := range crudos {
		suLinea := linea
		if nodo != nil && nodo.Kind == yaml.SequenceNode && i < len(nodo.Content) {
			suLinea = nodo.Content[i].Line + 1
		}
		id, esTexto := crudo.(string)
		switch {
		case !esTexto && crudo != nil:
			mal(suLinea, fmt.Sprintf("`depends_on` lleva ids, y la entrada %d es %s: va el id de un documento, un texto, y entre comillas si hace falta", i+1, tipoYAML(crudo)))
			return
		case id == "":
			mal(suLinea, fmt.Sprintf("la entrada %d de `depends_on` está vacía", i+1))
			return
		case strings.ContainsFunc(id, noVaEnID):
			mal(suLinea, fmt.Sprintf("%s no puede ser un id (lleva espacios): si son varios, `depends_on` va como lista", citar(id)))
			return
		}
		d.Ficha.DependeDe = append(d.Ficha.DependeDe, Referencia{ID: id, Linea: suLinea})
	}
}

// escalar gives the text of a scalar as it was written, and "" for what is absent or is not a scalar.
func escalar(v any, nodo *yaml.Node) string {
	switch v := v.(type) {
	case nil, []any, map[string]any, map[any]any:
		return ""
	case string:
		return v
	default:
		if nodo != nil && nodo.Kind == yaml.ScalarNode {
			return nodo.Value
		}
		return fmt.Sprint(v)
	}
}

// etiquetas accepts a list, or one text with its tags separated by commas, which is how notes programs write it.
func etiquetas(v any) []string {
	var salida []string
	agregar := func(s string) {
		if s = unRenglon(s); s != "" {
			salida = append(salida, s)
		}
	}
	switch v := v.(type) {
	case string:
		for _, s := range strings.Split(v, ",") {
			agregar(s)
		}
	case []any:
		for _, e := range v {
			agregar(escalar(e, nil))
		}
	}
	return salida
}

// criteriosDeFicha reads a list of texts. An entry such as `- dado un equipo: responde 200`, which YAML takes for a one-key
// mapping, is what its author wrote; anything stranger makes the whole list illegible.
func criteriosDeFicha(v any) (salida []Criterio, ilegible bool) {
	switch v := v.(type) {
	case nil:
		return nil, false
	case []any:
		for _, e := range v {
			texto := escalar(e, nil)
			if m, ok := e.(map[string]any); ok && len(m) == 1 {
				for k, valor := range m {
					if s := escalar(valor, nil); s != "" {
						texto = k + ": " + s
					}
				}
			}
			if texto = unRenglon(texto); texto == "" {
				return nil, true
			}
			salida = append(salida, Criterio{Texto: texto})
		}
		return salida, false
	}
	return nil, true
}
