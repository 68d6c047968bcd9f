package host_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// cambios are the ways a file changes under a call.
var cambios = map[string]func(t *testing.T, ruta string){
	"cambiado": func(t *testing.T, ruta string) {
		b, err := os.ReadFile(ruta)
		if err == nil {
			err = os.WriteFile(ruta, append(b, '\n'), 0o644)
		}
		if err != nil {
			t.Error(err)
		}
	},
	"agregado": func(t *testing.T, ruta string) {
		archivos{"nuevo" + filepath.Ext(ruta): "x"}.sembrar(t, filepath.Dir(ruta))
	},
	"quitado": func(t *testing.T, ruta string) {
		if err := os.Remove(ruta); err != nil {
			t.Error(err)
		}
	},
	"renombrado": func(t *testing.T, ruta string) {
		if err := os.Rename(ruta, filepath.Join(filepath.Dir(ruta), "otro"+filepath.Ext(ruta))); err != nil {
			t.Error(err)
		}
	},
	"reemplazado por un enlace a los mismos bytes": func(t *testing.T, ruta string) {
		fuera := filepath.Join(t.TempDir(), "copia")
		if err := os.Rename(ruta, fuera); err != nil {
			t.Error(err)
		}
		if err := os.Symlink(fuera, ruta); err != nil {
			t.Error(err)
		}
	},
	"reemplazado por un directorio": func(t *testing.T, ruta string) {
		if err := os.Remove(ruta); err != nil {
			t.Error(err)
		}
		if err := os.Mkdir(ruta, 0o755); err != nil {
			t.Error(err)
		}
	},
}

// TestCambioDuranteLaConsulta changes each kind of file a call reads, in each
// way, between its reading and its answer. What a call does not read may change.
func TestCambioDuranteLaConsulta(t *testing.T) {
	base := fuentesDelDiferencial.con(archivos{
		"oracle.json":        `{"esquema":"oracle.proyecto/v1","perfiles":["p"],"bibliotecas":["comun"]}`,
		"catalogos/a.oracle": medidaSobre("d.a", "uno", ""),
		"macros/m.json":      `["defmacro","propia",["id"],[],["ninguno",["$","id"],"r","a",true,"p"]]`,
		"corpus/1.caso":      caso("1", "d.a", "falso_verde", unaConX),
		"corpus/nota.txt":    "x",
		"diferencial/x.json": grupos(frescura(t, ".")),
		"relaciones/n.txt":   "x",
		"escalares.star":     "x",
	})
	instalado := archivos{
		"perfiles/p/catalogos/p.oracle":                medidaSobre("p.a", "uno", ""),
		"bibliotecas/c/" + host.ManifiestoDeBiblioteca: manifiesto,
		"bibliotecas/c/reglas/b.oracle":                medidaSobre("b.a", "uno", ""),
		"bibliotecas/c/macros/m.json":                  `["defmacro","otra",["id"],[],["ninguno",["$","id"],"r","a",true,"p"]]`,
	}
	juzga := func(p *host.Proyecto) error {
		_, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{"uno":[]}`})
		return err
	}
	indice := func(p *host.Proyecto) error {
		_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		return err
	}
	falla := func(p *host.Proyecto) error {
		_, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{"uno":[]}`, IDs: []string{"d.no_existe"}})
		return err
	}
	for _, c := range []struct {
		archivo        string
		juzgar, indice bool // whether the call depends on it
	}{
		{"oracle.json", true, true},
		{"catalogos/a.oracle", true, true},
		{"macros/m.json", true, true},
		{"corpus/1.caso", false, true},
		{"corpus/nota.txt", false, true},
		{"diferencial/x.json", false, true},
		{"emisor/sub/b.py", false, true},
		{"relaciones/n.txt", false, false},
		{"escalares.star", false, false},
		{"instalado/perfiles/p/catalogos/p.oracle", true, true},
		{"instalado/bibliotecas/c/" + host.ManifiestoDeBiblioteca, true, true},
		{"instalado/bibliotecas/c/reglas/b.oracle", true, true},
		{"instalado/bibliotecas/c/macros/m.json", true, true},
	} {
		for nombre, cambiar := range cambios {
			if nombre == "agregado" && filepath.Dir(c.archivo) == "." {
				continue // nobody lists the root
			}
			for _, llamada := range []struct {
				nombre  string
				llamar  func(*host.Proyecto) error
				depende bool
			}{{"juzgar", juzga, c.juzgar}, {"índice", indice, c.indice}, {"una que falla", falla, c.juzgar}} {
				t.Run(c.archivo+"/"+nombre+"/"+llamada.nombre, func(t *testing.T) {
					t.Parallel()
					fuera := t.TempDir()
					instalado.sembrar(t, filepath.Join(fuera, "instalado"))
					var dir string
					p, dir := base.en(t, host.Opciones{
						RaicesPerfiles:    []string{filepath.Join(fuera, "instalado", "perfiles")},
						RaicesBibliotecas: []string{filepath.Join(fuera, "instalado", "bibliotecas")},
						EntreFirmas: func() {
							ruta := filepath.Join(dir, c.archivo)
							if strings.HasPrefix(c.archivo, "instalado") {
								ruta = filepath.Join(fuera, c.archivo)
							}
							cambiar(t, ruta)
						},
					})
					err := llamada.llamar(p)
					switch {
					case llamada.depende:
						e := exigir(t, err, host.ProyectoCambio)
						if !dosHuellas.MatchString(e.Error()) {
							t.Error(e)
						}
						if s := dosHuellas.FindStringSubmatch(e.Error()); s != nil && s[1] == s[2] {
							t.Error(e)
						}
					case llamada.nombre == "una que falla":
						exigir(t, err, host.MedidaDesconocida)
					case err != nil:
						t.Error(err)
					}
				})
			}
		}
	}
}

var dosHuellas = regexp.MustCompile(`^PROYECTO_CAMBIO_DURANTE_LA_CONSULTA — huella inicial ([0-9a-f]{64}) y final ([0-9a-f]{64}); reintentá sobre un estado estable\.\ncorrección: [^\n]+\.$`)
