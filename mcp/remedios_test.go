package mcp_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// TestRemediosDelCorpus holds every error of every conversation to the contract:
// a closed code on the first line and, right after it, the field and the mend.
// Only what nothing of the caller's mends has no field.
func TestRemediosDelCorpus(t *testing.T) {
	vistos := map[host.Codigo]int{}
	for _, c := range conversaciones(t) {
		salida, _ := c.seccion("salida")
		for linea := range strings.Lines(salida) {
			var m struct {
				Result struct {
					IsError bool
					Content []struct{ Text string }
				}
			}
			if json.Unmarshal([]byte(linea), &m) != nil || !m.Result.IsError {
				continue
			}
			if len(m.Result.Content) != 1 {
				t.Errorf("%s: an error of %d blocks", c.ruta, len(m.Result.Content))
				continue
			}
			texto := m.Result.Content[0].Text
			if mal := faltaEnError(texto); mal != "" {
				t.Errorf("%s: %s: %s", c.ruta, mal, texto)
			}
			codigo, _, _ := strings.Cut(texto, " — ")
			vistos[host.Codigo(codigo)]++
		}
	}
	for _, c := range host.Codigos() {
		if vistos[c] == 0 && c != host.ProyectoCambio { // host changes the tree between the two readings
			t.Errorf("no conversation ends in %s", c)
		}
	}
}

// faltaEnError says what the text of an error lacks, "" when nothing.
func faltaEnError(texto string) string {
	codigo, resto, ok := strings.Cut(texto, " — ")
	if !ok || !slices.Contains(host.Codigos(), host.Codigo(codigo)) {
		return "it does not begin with a closed code"
	}
	lineas := strings.Split(resto, "\n")[1:]
	if host.Codigo(codigo) == host.TrackerInvalido {
		lineas = slices.DeleteFunc(lineas, func(l string) bool { return strings.HasPrefix(l, "  · ") })
	}
	propia := host.Codigo(codigo) == host.EvaluacionFallo && slices.Equal(lineas, []string{"corrección: " + rechazo.FallaPropia})
	switch {
	case propia, host.Codigo(codigo) == host.ProyectoCambio && len(lineas) == 1:
	case len(lineas) < 2 || !strings.HasPrefix(lineas[0], "campo: ") || lineas[0] == "campo: ":
		return "its second line is not the field"
	default:
		lineas = lineas[1:]
	}
	if !strings.HasPrefix(lineas[0], "corrección: ") || !strings.HasSuffix(lineas[0], ".") || len(lineas[0]) < len("corrección: x.") {
		return "it does not say the mend"
	}
	for _, l := range lineas[1:] {
		if !strings.HasPrefix(l, "    ") {
			return "after the mend there is something besides the drawing of the place"
		}
	}
	return ""
}

// TestFaltaEnError holds the check itself: each text lacks one thing.
func TestFaltaEnError(t *testing.T) {
	const primera = "MEDIDA_DESCONOCIDA — «a.b» no aparece."
	for texto, quiere := range map[string]bool{
		primera: false,
		primera + "\ncampo: $.ids[0]\ncorrección: nombrá otra.":                                       true,
		primera + "\ncorrección: nombrá otra.":                                                        false,
		primera + "\ncampo: $.ids[0]":                                                                 false,
		primera + "\ncampo: \ncorrección: nombrá otra.":                                               false,
		primera + "\ncampo: $.ids[0]\ncorrección: ":                                                   false,
		primera + "\ncampo: $.ids[0]\ncorrección: x.\nsobra":                                          false,
		"OTRO — «a.b».\ncampo: $.ids[0]\ncorrección: x.":                                              false,
		"EVALUACION_FALLO — x: y.\ncorrección: probá otra vez.":                                       false,
		"EVALUACION_FALLO — x: y.\ncorrección: " + rechazo.FallaPropia:                                true,
		"TRACKER_INVALIDO — se detectaron:\n  · a: b\ncampo: tareas/\ncorrección: arreglalo.":         true,
		"MEDIDA_INVALIDA — m.\ncampo: $.medida.texto\ncorrección: cambialo.\n        dnde\n        ^": true,
	} {
		if mal := faltaEnError(texto); (mal == "") != quiere {
			t.Errorf("%q: %q", texto, mal)
		}
	}
}
