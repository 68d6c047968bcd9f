package tareas_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
)

func TestHechos(t *testing.T) {
	dir := proyecto(t, map[string]string{
		"tareas/README.md":                              "Ver [la guía](../docs/guía.md).\n",
		"tareas/etiquetas":                              "rio\n",
		"tareas/20260101-000000-uno/TAREA.md":           "# Uno\n\n- ESTADO: abierta\n- PRIORIDAD: 3\n- CIERRA CON: z.z, a.b\n- URL: https://ejemplo.test/1\n\n![foto](foto%20uno.png \"t\") y [no](no-hay.md#x)\n",
		"tareas/20260101-000000-uno/foto uno.png":       "\x89PNG",
		"tareas/20260101-000000-uno/enlace":             "-> TAREA.md",
		"tareas/20260102-000000-dos/TAREA.md":           "# Dos\n\n- ESTADO: CERRADA\n- PRIORIDAD: 99999999999999999999\n",
		"tareas/20260102-000000-dos/notas/dia.markdown": "<mailto:a@b.c> [x](#y)\n",
		"tareas/20260102-000000-dos/notas/.borrador.md": "[z](dia.markdown)\n",
		"docs/guía.md":                                  "",
	})
	fifo(t, dir+"/tareas/20260102-000000-dos/tubo")
	tarea1 := `"tarea_id":"20260101-000000-uno","ruta":"tareas/20260101-000000-uno/`
	tarea2 := `"tarea_id":"20260102-000000-dos","ruta":"tareas/20260102-000000-dos/`
	const git = `"git_comprobado":false,"en_indice":false,"en_head":false,"ignorado":false,"indice":"","trabajo":""}`
	r := bien(t, dir, hechos())
	archivo := func(cabeza, clase, tipo string, tamano int) string {
		return fmt.Sprintf(`{%s","clase":"%s","tipo":"%s","tamano_bytes":%d,"existe":true,%s`, cabeza, clase, tipo, tamano, git)
	}
	quiere := `{"tarea_seguimiento":[` +
		`{"id":"20260101-000000-uno","titulo":"Uno","estado_declarado":"ABIERTA","prioridad_declarada":3,"ruta":"tareas/20260101-000000-uno/TAREA.md","sha256_documento":"` + sumaDe(t, dir+"/tareas/20260101-000000-uno/TAREA.md") + `"},` +
		`{"id":"20260102-000000-dos","titulo":"Dos","estado_declarado":"CERRADA","prioridad_declarada":99999999999999999999,"ruta":"tareas/20260102-000000-dos/TAREA.md","sha256_documento":"` + sumaDe(t, dir+"/tareas/20260102-000000-dos/TAREA.md") + `"}],` +
		`"tarea_cierre_medida":[{"tarea_id":"20260101-000000-uno","medida":"a.b"},{"tarea_id":"20260101-000000-uno","medida":"z.z"}],` +
		`"archivo_seguimiento":[` + strings.Join([]string{
		archivo(tarea1+"TAREA.md", "documento", "regular", 142),
		archivo(tarea1+"enlace", "adjunto", "enlace", 0),
		archivo(tarea1+"foto uno.png", "adjunto", "regular", 4),
		archivo(tarea2+"TAREA.md", "documento", "regular", 59),
		archivo(tarea2+"notas/.borrador.md", "adjunto", "regular", 18),
		archivo(tarea2+"notas/dia.markdown", "adjunto", "regular", 23),
		archivo(tarea2+"tubo", "adjunto", "especial", 0),
		archivo(`"tarea_id":"","ruta":"tareas/README.md`, "auxiliar", "regular", 34),
		archivo(`"tarea_id":"","ruta":"tareas/etiquetas`, "auxiliar", "regular", 4)}, ",") + `],` +
		`"referencia_seguimiento":[` +
		`{"tarea_id":"20260101-000000-uno","origen":"tareas/20260101-000000-uno/TAREA.md","linea":6,"destino_declarado":"https://ejemplo.test/1","clase":"remota","estado":"no_comprobado"},` +
		`{"tarea_id":"20260101-000000-uno","origen":"tareas/20260101-000000-uno/TAREA.md","linea":8,"destino_declarado":"foto%20uno.png","clase":"local","estado":"presente"},` +
		`{"tarea_id":"20260101-000000-uno","origen":"tareas/20260101-000000-uno/TAREA.md","linea":8,"destino_declarado":"no-hay.md#x","clase":"local","estado":"ausente"},` +
		`{"tarea_id":"20260102-000000-dos","origen":"tareas/20260102-000000-dos/notas/.borrador.md","linea":1,"destino_declarado":"dia.markdown","clase":"local","estado":"presente"},` +
		`{"tarea_id":"20260102-000000-dos","origen":"tareas/20260102-000000-dos/notas/dia.markdown","linea":1,"destino_declarado":"mailto:a@b.c","clase":"remota","estado":"no_comprobado"},` +
		`{"tarea_id":"20260102-000000-dos","origen":"tareas/20260102-000000-dos/notas/dia.markdown","linea":1,"destino_declarado":"#y","clase":"ancla","estado":"no_comprobado"},` +
		`{"tarea_id":"","origen":"tareas/README.md","linea":1,"destino_declarado":"../docs/guía.md","clase":"local","estado":"presente"}],` +
		`"omision_seguimiento":[],` +
		`"lectura_seguimiento":[{"esquema":"oracle.tareas.hechos/v1","completa":true,"git":"no_solicitado","head":""}],` +
		`"commit_seguimiento":[]}`
	tiene := json(t, r)
	if d := cmp.Diff(strings.Split(quiere, "},{"), strings.Split(tiene, "},{")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if otra := json(t, bien(t, dir, hechos())); otra != tiene {
		t.Error("two readings of the same tree differ")
	}
}

// TestReferencias has what a Markdown text may name and where, one case a line.
func TestReferencias(t *testing.T) {
	const prologo = "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n\n"
	for nombre, c := range map[string]struct {
		texto  string
		quiere []string // line from the end of the prologue, target, kind, presence
		omite  []string
	}{
		"enlace":                       {"[t](b.md)", []string{"1 b.md local presente"}, nil},
		"imagen":                       {"![t](<b.md> 'título')", []string{"1 b.md local presente"}, nil},
		"imagen en un enlace":          {"[![t](b.md)](no.md)", []string{"1 no.md local ausente", "1 b.md local presente"}, nil},
		"autolink":                     {"<http://x.test/a?b#c>", []string{"1 http://x.test/a?b#c remota no_comprobado"}, nil},
		"autolink de otro esquema":     {"<ftp://x.test/a>", []string{"1 ftp://x.test/a no_admitida no_comprobado"}, nil},
		"por etiqueta":                 {"[t][r] [r] [r][]\n\n[R]: b.md", []string{"1 b.md local presente", "1 b.md local presente", "1 b.md local presente"}, nil},
		"etiqueta sin definir":         {"hola\n[t][r] [x]", nil, []string{"2 etiqueta_sin_definir"}},
		"etiqueta sin definir, otra":   {"[t][ Una  Ñ ] [t][r]\n\n[r]: b.md", []string{"1 b.md local presente"}, []string{"1 etiqueta_sin_definir"}},
		"línea URL":                    {"- URL: b.md\n* url :  http://x.test/  \n- URLS: c\n- URL:", []string{"1 b.md local presente", "2 http://x.test/ remota no_comprobado"}, nil},
		"línea URL con enlace":         {"- URL: <http://x.test>\n- URL: [t](b.md)", []string{"1 http://x.test remota no_comprobado", "2 b.md local presente"}, nil},
		"en código":                    {"`[t](x)`\n\n    [t](x)\n    - URL: x\n\n```\n[t](x)\n- URL: x\n<http://x>\n```\n\n[t](b.md)", []string{"12 b.md local presente"}, nil},
		"en varias líneas":             {"uno\n[t\nu](b.md) [v](b.md)", []string{"2 b.md local presente", "3 b.md local presente"}, nil},
		"en listas y citas":            {"> - [t](b.md)\n>   1. [u](b.md)", []string{"1 b.md local presente", "2 b.md local presente"}, nil},
		"html":                         {"a <a href=\"b.md\">b</a> <b>c</b>\n\n<img\nsrc='b.md'>\n\n<p>nada</p>", nil, []string{"1 html_sin_resolver", "4 html_sin_resolver"}},
		"escapado":                     {`\[t](b.md) [t](b\.md)`, []string{"1 b.md local presente"}, nil},
		"entidades":                    {"[a](b&#46;md) [b](x&amp;y)", []string{"1 b.md local presente", "1 x&y local ausente"}, nil},
		"texto suelto":                 {"http://x.test y b.md", nil, nil},
		"porcentaje":                   {"[a](%62.md) [b](b.md?x=1) [c](b.md#d) [d](<c d.md>)", []string{"1 %62.md local presente", "1 b.md?x=1 local presente", "1 b.md#d local presente", "1 c d.md local presente"}, nil},
		"porcentaje malo":              {"[a](%zz.md) [b](%00) [c](%ff)", []string{"1 %zz.md local no_comprobado", "1 %00 local no_comprobado", "1 %ff local no_comprobado"}, []string{"1 escape_invalido"}},
		"porcentaje que sube":          {"[a](%2e%2e/%2e%2e/%2e%2e/x)", []string{"1 %2e%2e/%2e%2e/%2e%2e/x local fuera_del_proyecto"}, nil},
		"el mismo":                     {"[a](.) [b](?x) [c](#) [d]()", []string{"1 . local presente", "1 ?x local presente", "1 # ancla no_comprobado", "1  no_admitida no_comprobado"}, nil},
		"carpeta":                      {"[a](..) [b](../) [c](b.md/) [d](b.md/x) [e](../../tareas/)", []string{"1 .. local presente", "1 ../ local presente", "1 b.md/ local ausente", "1 b.md/x local ausente", "1 ../../tareas/ local presente"}, nil},
		"fuera":                        {"[a](../../../x) [b](/etc/passwd) [c](no/../../../../x) [d](../../..)", []string{"1 ../../../x local fuera_del_proyecto", "1 /etc/passwd local fuera_del_proyecto", "1 no/../../../../x local fuera_del_proyecto", "1 ../../.. local fuera_del_proyecto"}, nil},
		"la raíz":                      {"[a](../..) [b](../../afuera.txt)", []string{"1 ../.. local presente", "1 ../../afuera.txt local presente"}, nil},
		"vuelve por lo que no hay":     {"[a](no/../b.md)", []string{"1 no/../b.md local ausente"}, nil},
		"a través de un enlace":        {"[a](en/x) [b](en)", []string{"1 en/x local no_comprobado", "1 en local no_comprobado"}, []string{"1 enlace_en_el_camino"}},
		"otros esquemas":               {"[a](file:///x) [b](C:/x) [c](//h/x) [d](a\\\\b) [e](javascript:x) [f](HTTPS://x)", []string{"1 file:///x no_admitida no_comprobado", "1 C:/x no_admitida no_comprobado", "1 //h/x no_admitida no_comprobado", "1 a\\b no_admitida no_comprobado", "1 javascript:x no_admitida no_comprobado", "1 HTTPS://x remota no_comprobado"}, nil},
		"nombre larguísimo":            {"[a](" + strings.Repeat("n", 300) + ")", []string{"1 " + strings.Repeat("n", 300) + " local ausente"}, nil},
		"párrafo demasiado largo":      {strings.Repeat("[a](b)", 600), nil, []string{"1 parrafo_demasiado_largo"}},
		"código largo no es demasiado": {"```\n" + strings.Repeat("[a](b) * _\n", 600) + "```\n[t](b.md)", []string{"603 b.md local presente"}, nil},
		"raya larga":                   {strings.Repeat("-", 200) + "\n[t](b.md)", []string{"2 b.md local presente"}, nil},
		"anidado":                      {strings.Repeat("> ", 101) + "[a](b.md)", nil, []string{"1 markdown_demasiado_anidado"}},
	} {
		t.Run(nombre, func(t *testing.T) {
			base := "tareas/" + idUno + "/"
			dir := proyecto(t, map[string]string{base + "TAREA.md": prologo + c.texto, base + "b.md": "", base + "c d.md": "", base + "en": "-> .", "afuera.txt": ""})
			h := bien(t, dir, hechos()).Hechos
			var tiene, omite []string
			for _, r := range h.Referencias {
				tiene = append(tiene, fmt.Sprintf("%d %s %s %s", r.Linea-5, r.DestinoDeclarado, r.Clase, r.Estado))
			}
			for _, o := range h.Omisiones {
				omite = append(omite, fmt.Sprintf("%d %s", o.Linea-5, o.Motivo))
			}
			if d := cmp.Diff(c.quiere, tiene); d != "" {
				t.Errorf("references (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.omite, omite); d != "" {
				t.Errorf("omissions (-want +got):\n%s", d)
			}
			if h.Lectura[0].Completa != (len(omite) == 0) {
				t.Errorf("completa %v", h.Lectura[0].Completa)
			}
		})
	}
}

func TestHechosOmisiones(t *testing.T) {
	base := "tareas/" + idUno + "/"
	dir := proyecto(t, map[string]string{
		base + "TAREA.md":    "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n",
		base + "a.md":        "\xff",
		base + "b.md":        strings.Repeat("x", 2<<20+1),
		base + "c.md":        "-> TAREA.md",
		base + ".d/x.md":     "",
		base + "e/.git/x":    "",
		base + "e/x.md":      "[x](y)",
		base + "f\xff.txt":   "",
		base + "g\xff/x.txt": "",
		base + "h\x1b\n.txt": "",
	})
	fifo(t, dir+"/"+base+"i.md")
	h := bien(t, dir, hechos()).Hechos
	quiere := []string{base + ".d: entrada_oculta", base + "a.md: no_utf8", base + "b.md: mayor_de_2_mib", base + "c.md: enlace_simbolico", base + "e: repositorio_anidado",
		base + `f\xff.txt: nombre_no_utf8`, base + `g\xff: nombre_no_utf8`, base + "i.md: especial"}
	if d := cmp.Diff(quiere, omisiones(h)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	var rutas []string
	for _, f := range h.Archivos {
		rutas = append(rutas, strings.TrimPrefix(f.Ruta, base))
	}
	if d := cmp.Diff([]string{"TAREA.md", "a.md", "b.md", "c.md", "h\x1b\n.txt", "i.md"}, rutas); d != "" {
		t.Errorf("rows (-want +got):\n%s", d)
	}
	var b strings.Builder
	if err := tareas.Imprimir(&b, &tareas.Resultado{Hechos: h}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsRune(b.String(), 0x1b) {
		t.Error("a control character reaches the terminal")
	}
}

func sumaDe(t *testing.T, ruta string) string {
	t.Helper()
	datos, err := os.ReadFile(ruta)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha(datos))
}
