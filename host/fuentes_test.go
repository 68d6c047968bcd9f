package host_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

const (
	universal = "    ambito universal\n"
	delOrigen = "    ambito del_origen\n"
)

const manifiesto = `esquema = "oracle.biblioteca/v1"
id = "comun"
version = "1.2.0"
algebra = "1.0"
sintaxis = "0.7"
datos_solamente = true

[contenido]
catalogos = "reglas"
corpus = "corpus"
relaciones = "relaciones"
macros = ["macros"]

[requiere]
relaciones = ["uno"]

[certificacion]
mutantes = "todos"
`

// instalado is what the start gives: a root of profiles and one of libraries.
var instalado = archivos{
	"perfiles/estricto/catalogos/u.oracle":  medidaSobre("p.universal", "uno", universal),
	"perfiles/estricto/catalogos/s.json":    `["ninguno","p.sin_declarar","uno","f",[">",["campo","f","x"],0],"ninguna","convencion","sin_declarar","nada"]`,
	"perfiles/estricto/catalogos/o.oracle":  medidaSobre("p.del_origen", "uno", delOrigen),
	"bibliotecas/x/oracle-biblioteca.toml":  manifiesto,
	"bibliotecas/x/reglas/u.oracle":         medidaSobre("b.universal", "uno", universal),
	"bibliotecas/x/reglas/o.oracle":         medidaSobre("b.del_origen", "uno", delOrigen),
	"bibliotecas/x/reglas/m.json":           `["nada_mal","b.con_macro","uno"]`,
	"bibliotecas/x/macros/m.json":           `["defmacro","nada_mal",["id","relacion"],[],["ninguno",["$","id"],["$","relacion"],"f",[">",["campo","f","x"],0],"ninguna","convencion","universal","nada"]]`,
	"bibliotecas/x/corpus/1.caso":           "",
	"bibliotecas/x/LICENSE":                 "MIT",
	"bibliotecas/otra-cosa/leeme.md":        "no es una biblioteca",
	"proyecto/catalogos/propia.oracle":      medidaSobre("d.propia", "uno", delOrigen),
	"proyecto/catalogos/declara.oracle":     medidaSobre("d.universal", "uno", universal),
	"proyecto/catalogos/sin/declara.oracle": medidaSobre("d.sin_declarar", "uno", ""),
}

// abrirInstalado returns the project under dir with both roots.
func abrirInstalado(t *testing.T, as archivos, configuracion string) (*host.Proyecto, string) {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	as.con(archivos{"proyecto/oracle.json": configuracion, "perfiles/.lugar": "", "bibliotecas/.lugar": ""}).sembrar(t, dir)
	p, err := host.Abrir(filepath.Join(dir, "proyecto"), host.Opciones{
		RaicesPerfiles: []string{filepath.Join(dir, "perfiles")}, RaicesBibliotecas: []string{filepath.Join(dir, "bibliotecas")},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p, dir
}

const todasLasFuentes = `{"esquema":"oracle.proyecto/v1","catalogo_base":true,"perfiles":["estricto"],"bibliotecas":["comun"]}`

// origenes lists «id origen» of what does not come from the base catalog.
func origenes(c *host.CatalogoEfectivo) string {
	var s []string
	for _, m := range c.Medidas {
		if m.Origen.Clase != host.DeCatalogoBase {
			s = append(s, m.ID()+" "+m.Origen.String()+" "+string(m.Fijacion))
		}
	}
	return strings.Join(s, "\n")
}

func TestCuatroFuentes(t *testing.T) {
	p, dir := abrirInstalado(t, instalado, todasLasFuentes)
	c := efectivo(t, p)
	want := `b.con_macro biblioteca:comun heredada
b.universal biblioteca:comun heredada
d.propia proyecto sin_fijar
d.sin_declarar proyecto sin_fijar
d.universal proyecto sin_fijar
p.sin_declarar perfil:estricto heredada
p.universal perfil:estricto heredada`
	if got := origenes(c); got != want {
		t.Error(got)
	}
	base := 0
	for _, m := range c.Medidas {
		if m.Origen.Clase == host.DeCatalogoBase {
			base++
			if m.Origen.String() != "catalogo_base:oracle" || m.Fijacion != host.Heredada || !strings.HasPrefix(m.Fuente, "oracle:/") {
				t.Errorf("%s: %s %s %s", m.ID(), m.Origen, m.Fijacion, m.Fuente)
			}
		}
	}
	if base == 0 {
		t.Error("no hay ninguna medida del catálogo base")
	}
	d := efectivo(t, p, "b.universal")
	if d.Medidas[0].Fuente != filepath.Join(dir, "bibliotecas/x/reglas/u.oracle") || d.Total != c.Total {
		t.Errorf("%+v", d.Medidas[0])
	}
}

func TestNoEfectivaYDesconocida(t *testing.T) {
	p, _ := abrirInstalado(t, instalado, todasLasFuentes)
	_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{"b.del_origen"}})
	e := exigir(t, err, host.MedidaNoEfectiva)
	if want := "«b.del_origen» existe en biblioteca:comun, pero su ambito «del_origen» no obliga a «" + p.Raiz() + "»."; e.Mensaje() != want {
		t.Error(e.Mensaje())
	}
	_, err = p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{"b.otra"}})
	exigir(t, err, host.MedidaDesconocida)
	// The same function decides for everybody.
	_, err = p.Evaluar(context.Background(), pedidoDeID("p.del_origen", `{}`))
	exigir(t, err, host.MedidaNoEfectiva, "perfil:estricto")
	_, err = p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{"uno":[]}`, IDs: []string{"b.del_origen"}})
	exigir(t, err, host.MedidaNoEfectiva)
}

// TestDuenoDelOrigen: a project with the identity of an origin is bound by what
// is only for it.
func TestDuenoDelOrigen(t *testing.T) {
	for id, suya := range map[string]string{"comun": "b.del_origen", "estricto": "p.del_origen"} {
		p, _ := abrirInstalado(t, instalado, strings.Replace(todasLasFuentes, "{", `{"id":"`+id+`",`, 1))
		if got := origenes(efectivo(t, p)); !strings.Contains(got, suya) || strings.Count(got, "del_origen") != 1 {
			t.Errorf("%s:\n%s", id, got)
		}
	}
}

func TestFuentesQueNoSirven(t *testing.T) {
	sin := func(clave, con string) archivos {
		return instalado.con(archivos{"bibliotecas/x/oracle-biblioteca.toml": strings.Replace(manifiesto, clave, con, 1)})
	}
	for _, c := range []struct {
		nombre   string
		archivos archivos
		conf     string
		codigo   host.Codigo
		contiene []string
	}{
		{"perfil que no existe", instalado, `"perfiles":["otro"]`, host.ProyectoInvalido, []string{"«otro»", "$.perfiles"}},
		{"perfil por ruta", instalado, `"perfiles":["../perfiles/estricto"]`, host.ProyectoInvalido, []string{"nunca por ruta"}},
		{"perfil sin catalogos", instalado.con(archivos{"perfiles/vacio/x": ""}), `"perfiles":["vacio"]`, host.ProyectoInvalido, []string{"no tiene catalogos/"}},
		{"biblioteca que no existe", instalado, `"bibliotecas":["otra"]`, host.ProyectoInvalido, []string{"«otra»", "$.bibliotecas"}},
		{"biblioteca repetida", instalado.con(archivos{"bibliotecas/y/oracle-biblioteca.toml": manifiesto}), `"bibliotecas":["comun"]`, host.ProyectoInvalido, []string{"más de un lugar"}},
		{"un id en dos fuentes", instalado.con(archivos{"proyecto/catalogos/z.oracle": medidaSobre("b.universal", "uno", "")}), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"«b.universal»", "biblioteca:comun", "proyecto (catalogos/z.oracle)"}},
		{"un id descartado también choca", instalado.con(archivos{"proyecto/catalogos/z.oracle": medidaSobre("b.del_origen", "uno", "")}), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"«b.del_origen»"}},
		{"perfil roto", instalado.con(archivos{"perfiles/estricto/catalogos/z.oracle": "x"}), `"perfiles":["estricto"]`, host.CatalogoInvalido, []string{"/perfiles/estricto/catalogos/z.oracle: línea 1"}},
		{"código en la biblioteca", instalado.con(archivos{"bibliotecas/x/extra/f.py": "print()"}), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"f.py", "sólo datos"}},
		{"código sin extensión", instalado.con(archivos{"bibliotecas/x/correr": "#!/bin/sh\n"}), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"correr"}},
		{"código con nombre de texto", instalado.con(archivos{"bibliotecas/x/LEEME.txt": "#!/bin/sh\n"}), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"LEEME.txt"}},
		{"escalares en la biblioteca", instalado.con(archivos{"bibliotecas/x/escalares.star": ""}), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"escalares.star"}},
		{"no es sólo datos", sin("= true", "= false"), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"datos_solamente"}},
		{"álgebra incompatible", sin(`algebra = "1.0"`, `algebra = "2.0"`), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"álgebra «2.0»"}},
		{"sintaxis incompatible", sin(`"0.7"`, `"0.9"`), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"sintaxis «0.9»"}},
		{"otro esquema", sin("biblioteca/v1", "biblioteca/v2"), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"esquema"}},
		{"clave desconocida", sin("[requiere]", "raro = 1\n[requiere]"), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"clave desconocida «contenido.raro»"}},
		{"TOML roto", sin("id = ", "id "), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"TOML inválido en línea 2"}},
		{"contenido que sale", sin(`"reglas"`, `"../y"`), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"contenido.catalogos"}},
		{"contenido que no está", sin(`"reglas"`, `"otras"`), `"bibliotecas":["comun"]`, host.CatalogoInvalido, []string{"«otras»"}},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, _ := abrirInstalado(t, c.archivos, `{"esquema":"oracle.proyecto/v1",`+c.conf+`}`)
			_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
			exigir(t, err, c.codigo, c.contiene...)
		})
	}
}

func TestEnlaceEnUnaFuenteInstalada(t *testing.T) {
	for _, c := range []struct{ conf, ruta string }{
		{`"bibliotecas":["comun"]`, "bibliotecas/x/reglas/e.oracle"},
		{`"bibliotecas":["comun"]`, "bibliotecas/x/e.md"},
		{`"perfiles":["estricto"]`, "perfiles/estricto/catalogos/e.oracle"},
	} {
		p, dir := abrirInstalado(t, instalado, `{"esquema":"oracle.proyecto/v1",`+c.conf+`}`)
		if err := os.Symlink("/etc/hosts", filepath.Join(dir, c.ruta)); err != nil {
			t.Fatal(err)
		}
		_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		exigir(t, err, host.ProyectoInvalido, "enlace simbólico", c.ruta)
	}
}

// TestPerfilEnDosRaices: neither has precedence.
func TestPerfilEnDosRaices(t *testing.T) {
	dir := t.TempDir()
	archivos{"p/catalogos/x.md": "", "a/q/catalogos/x.oracle": "", "b/q/catalogos/x.oracle": "", "p/oracle.json": `{"esquema":"oracle.proyecto/v1","perfiles":["q"]}`}.sembrar(t, dir)
	p, err := host.Abrir(filepath.Join(dir, "p"), host.Opciones{RaicesPerfiles: []string{filepath.Join(dir, "a"), filepath.Join(dir, "b")}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	_, err = p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
	exigir(t, err, host.ProyectoInvalido, "más de una raíz")
}

func FuzzLeerManifiesto(f *testing.F) {
	f.Add([]byte(manifiesto))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := host.LeerManifiesto(b)
		if (m == nil) == (err == nil) {
			t.Fatalf("%v %v", m, err)
		}
	})
}

// TestRutaLarga: an answer gives the whole path of a file; a message, its end.
func TestRutaLarga(t *testing.T) {
	larga := "catalogos/" + strings.Repeat("una_carpeta_de_nombre_largo/", 12) + "a.oracle"
	p, dir := archivos{larga: medidaSobre("d.a", "uno", "")}.en(t, host.Opciones{})
	if got := efectivo(t, p, "d.a").Medidas[0].Fuente; got != larga {
		t.Errorf("%q", got)
	}
	archivos{larga: "medida"}.sembrar(t, dir)
	_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
	e := exigir(t, err, host.CatalogoInvalido, "nombre_largo/a.oracle: ", "No se devolvió un catálogo parcial.")
	if !strings.HasPrefix(e.Mensaje(), "…") {
		t.Error(e)
	}
	p, _ = archivos{"catalogos/a\nb.oracle": "medida"}.en(t, host.Opciones{})
	_, err = p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
	exigir(t, err, host.CatalogoInvalido, "CATALOGO_INVALIDO — catalogos/a\\nb.oracle: ")
}

// TestEnlaceEntreLasMedidas: the server starts, and each call says where it is.
func TestEnlaceEntreLasMedidas(t *testing.T) {
	p, dir := archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}.en(t, host.Opciones{})
	if err := os.Symlink("a.oracle", filepath.Join(dir, "catalogos/b.oracle")); err != nil {
		t.Fatal(err)
	}
	_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
	exigir(t, err, host.ProyectoInvalido, "catalogos/b.oracle: es un enlace simbólico")
	otro, err := host.Abrir(dir, host.Opciones{})
	if err != nil {
		t.Fatal(err)
	}
	defer otro.Close()
	_, err = otro.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{"uno":[]}`})
	exigir(t, err, host.ProyectoInvalido, "catalogos/b.oracle: es un enlace simbólico")
}

// TestHuellaDeDosRaices: a file read as the project's and as one a differential
// signs from the parent directory counts once.
func TestHuellaDeDosRaices(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	texto := medidaSobre("d.a", "uno", "")
	firma := suma(`[{"ruta":"proyecto/catalogos/a.oracle","sha256":"` + suma(texto) + `"}]`)
	archivos{
		"proyecto/catalogos/a.oracle": texto,
		"proyecto/diferencial/x.json": grupos(`{"algoritmo":"sha256","raiz_fuentes":"..","fuentes":{"emisor":"proyecto/catalogos/a.oracle","referencia":"proyecto/catalogos"},"configuracion":{},` +
			`"huellas":{"emisor":"` + firma + `","referencia":"` + firma + `","catalogo":"` + suma(`{"d.a":`+canonicaDeA+`}`) + `","configuracion":"` + suma(`{}`) + `"}}`),
	}.sembrar(t, dir)
	raiz := filepath.Join(dir, "proyecto")
	p, err := host.Abrir(raiz, host.Opciones{PermitirRaizPadre: true})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if got, want := efectivo(t, p).HuellaProyecto, huellaAMano(t, raiz, "catalogos/a.oracle", "diferencial/x.json"); got != want {
		t.Errorf("%s, a mano %s", got, want)
	}
}
