package tareas_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/oracle-mcp/oracle-mcp/host/tareas"
)

const idUno = "20260915-010206-juzgar"

func unaTarea(texto string) map[string]string {
	return map[string]string{"tareas/" + idUno + "/TAREA.md": texto}
}

func TestFormato(t *testing.T) {
	for nombre, c := range map[string]struct{ texto, quiere string }{
		"mínimo": {"# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 0\n",
			`"titulo":"T","estado":"ABIERTA","prioridad":0,"etiquetas":[],"cierra_con":[],"campos_adicionales":{},"cuerpo":""`},
		"todo": {"\n  \n# Un título <b>&</b> \u2028\t \n\n\n-\tESTADO :\tcerrada  \n * prioridad: -7\n  - Etiquetas: a, , b c ,Ñ,\n- cierra con: a.b, c.d_e.f\n- URL: http://x/?a=1&b=2\n- Otra-Cosa_1:\n\n  Cuerpo.\n\n## Notas\n\n- ESTADO: no es un campo\n\n",
			`"titulo":"Un título <b>&</b> ` + "\u2028" + `","estado":"CERRADA","prioridad":-7,"etiquetas":["a","b c","Ñ"],"cierra_con":["a.b","c.d_e.f"],"campos_adicionales":{"Otra-Cosa_1":"","URL":"http://x/?a=1&b=2"},"cuerpo":"Cuerpo.\n\n## Notas\n\n- ESTADO: no es un campo"`},
		"crlf": {"# T\r\n\r\n- ESTADO: ABIERTA\r\n- PRIORIDAD: +3\r\n\r\nuno\r\ndos\r\n",
			`"titulo":"T","estado":"ABIERTA","prioridad":3,"etiquetas":[],"cierra_con":[],"campos_adicionales":{},"cuerpo":"uno\r\ndos"`},
		"sin línea en blanco": {"# T\n- ESTADO: ABIERTA\n- PRIORIDAD: 007\ntexto", `"titulo":"T","estado":"ABIERTA","prioridad":7,"etiquetas":[],"cierra_con":[],"campos_adicionales":{},"cuerpo":"texto"`},
		"entero enorme": {"# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 123456789012345678901234567890\n",
			`"titulo":"T","estado":"ABIERTA","prioridad":123456789012345678901234567890,"etiquetas":[],"cierra_con":[],"campos_adicionales":{},"cuerpo":""`},
		"el bloque termina en la primera línea que no es campo": {"# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n- esto no: es un campo, lleva espacios\n- ETIQUETAS: tarde\n",
			`"titulo":"T","estado":"ABIERTA","prioridad":1,"etiquetas":[],"cierra_con":[],"campos_adicionales":{},"cuerpo":"- esto no: es un campo, lleva espacios\n- ETIQUETAS: tarde"`},
		"cierra con vacío": {"# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n- CIERRA CON:\n", `"titulo":"T","estado":"ABIERTA","prioridad":1,"etiquetas":[],"cierra_con":[],"campos_adicionales":{},"cuerpo":""`},
	} {
		t.Run(nombre, func(t *testing.T) {
			r := bien(t, proyecto(t, unaTarea(c.texto)), ver(idUno))
			quiere := `{"id":"` + idUno + `",` + c.quiere + `,"ruta":"tareas/` + idUno + `/TAREA.md"}`
			if d := cmp.Diff(quiere, json(t, r)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestAuditoria has every kind of problem of especificacion/tareas.md §2, one
// line each, and any action finds them.
func TestAuditoria(t *testing.T) {
	const (
		buena = "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"
		doc   = "tareas/" + idUno + "/TAREA.md"
		dir   = "tareas/" + idUno
	)
	con := func(extra map[string]string) map[string]string {
		m := unaTarea(buena)
		for k, v := range extra {
			m[k] = v
		}
		return m
	}
	for nombre, c := range map[string]struct {
		archivos map[string]string
		lineas   []string
	}{
		"tareas es un enlace":           {map[string]string{"otra/README.md": "", "tareas": "-> otra"}, []string{"tareas: es un enlace simbólico: tiene que ser una carpeta del proyecto"}},
		"enlace roto":                   {con(map[string]string{dir + "/e": "-> no-hay"}), []string{dir + "/e: es un enlace simbólico roto"}},
		"enlace roto a mayor hondura":   {con(map[string]string{dir + "/a/b/e": "-> ../no-hay"}), []string{dir + "/a/b/e: es un enlace simbólico roto"}},
		"enlace a través de un archivo": {con(map[string]string{dir + "/e": "-> TAREA.md/x"}), []string{dir + "/e: es un enlace simbólico roto"}},
		"enlace que sale":               {con(map[string]string{dir + "/e": "-> ../../fuera", "fuera": ""}), []string{dir + "/e: es un enlace simbólico que sale de tareas/"}},
		"enlace absoluto":               {con(map[string]string{dir + "/e": "-> /etc/passwd"}), []string{dir + "/e: es un enlace simbólico que sale de tareas/"}},
		"enlace que sale por otro":      {con(map[string]string{dir + "/d/e": "-> ../f", dir + "/f": "-> ../../fuera", "fuera": ""}), []string{dir + "/d/e: es un enlace simbólico que sale de tareas/", dir + "/f: es un enlace simbólico que sale de tareas/"}},
		"enlaces en círculo":            {con(map[string]string{dir + "/a": "-> b", dir + "/b": "-> a"}), []string{dir + "/a: es un enlace simbólico roto: da vueltas", dir + "/b: es un enlace simbólico roto: da vueltas"}},
		"archivo suelto":                {con(map[string]string{"tareas/nota.md": ""}), []string{"tareas/nota.md: archivo suelto no admitido: en tareas/ sólo van carpetas de tarea, README.md, README, .gitignore y etiquetas"}},
		"carpeta mal llamada":           {con(map[string]string{"tareas/2026-01-01/TAREA.md": buena}), []string{"tareas/2026-01-01: la carpeta no se llama AAAAMMDD-HHMMSS, con un -sufijo opcional en minúsculas"}},
		"carpeta con mayúsculas":        {con(map[string]string{"tareas/20260101-000000-A/TAREA.md": buena}), []string{"tareas/20260101-000000-A: la carpeta no se llama AAAAMMDD-HHMMSS, con un -sufijo opcional en minúsculas"}},
		"carpeta enlazada":              {con(map[string]string{"tareas/20260101-000000-b": "-> " + idUno}), []string{"tareas/20260101-000000-b: es un enlace simbólico: una tarea es una carpeta"}},
		"sin documento":                 {con(map[string]string{"tareas/20260101-000000/": ""}), []string{"tareas/20260101-000000/TAREA.md: falta: toda carpeta de tarea tiene un TAREA.md"}},
		"documento enlazado":            {con(map[string]string{"tareas/20260101-000000/TAREA.md": "-> x", "tareas/20260101-000000/x": buena}), []string{"tareas/20260101-000000/TAREA.md: es un enlace simbólico: el documento de una tarea es un archivo"}},
		"documento que es carpeta":      {con(map[string]string{"tareas/20260101-000000/TAREA.md/": ""}), []string{"tareas/20260101-000000/TAREA.md: no es un archivo regular"}},
		"no es UTF-8":                   {unaTarea("# T\xff\n"), []string{doc + ": no es UTF-8"}},
		"marca de orden":                {unaTarea("\xef\xbb\xbf" + buena), []string{doc + ": empieza con una marca de orden de bytes (BOM): guardalo como UTF-8 sin marca"}},
		"vacío":                         {unaTarea(""), []string{doc + ": no tiene título: la primera línea con texto tiene que ser «# Título»"}},
		"sin título":                    {unaTarea("- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"), []string{doc + ": no tiene título: la primera línea con texto tiene que ser «# Título»"}},
		"título de segundo nivel":       {unaTarea("## T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"), []string{doc + ": no tiene título: la primera línea con texto tiene que ser «# Título»"}},
		"título en blanco":              {unaTarea("#  \n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"), []string{doc + ": no tiene título: la primera línea con texto tiene que ser «# Título»"}},
		"sin campos": {unaTarea("# T\n"), []string{doc + ": falta el campo ESTADO en el bloque de metadatos que sigue al título",
			doc + ": falta el campo PRIORIDAD en el bloque de metadatos que sigue al título"}},
		"estado inválido":      {unaTarea("# T\n\n- ESTADO: abie\x1brta\n- PRIORIDAD: 1\n"), []string{doc + `: ESTADO es «abie\x1brta»: se esperaba ABIERTA o CERRADA`}},
		"prioridad inválida":   {unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1.5\n"), []string{doc + ": PRIORIDAD es «1.5»: se esperaba un entero"}},
		"prioridad con guion":  {unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1_000\n"), []string{doc + ": PRIORIDAD es «1_000»: se esperaba un entero"}},
		"prioridad desmedida":  {unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: " + strings.Repeat("9", 2000) + "\n"), []string{doc + ": PRIORIDAD es «" + strings.Repeat("9", 120) + "…»: se esperaba un entero"}},
		"prioridad de más":     {unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: " + strings.Repeat("9", 1300) + "\n"), []string{doc + ": PRIORIDAD es «" + strings.Repeat("9", 120) + "…»: pasa de 4096 bits"}},
		"cierra con mal":       {unaTarea(buena + "- CIERRA CON: a.b, Mal\n"), []string{doc + ": CIERRA CON nombra «Mal»: se esperaban ids de medida como dominio.nombre, separados por coma"}},
		"cierra con hueco":     {unaTarea(buena + "- CIERRA CON: a.b,,c.d\n"), []string{doc + ": CIERRA CON nombra «»: se esperaban ids de medida como dominio.nombre, separados por coma"}},
		"cierra con repetido":  {unaTarea(buena + "- CIERRA CON: a.b,a.b\n"), []string{doc + ": CIERRA CON repite «a.b»"}},
		"campo repetido":       {unaTarea(buena + "- Otro: 1\n- OTRO: 2\n"), []string{doc + ": el campo OTRO está repetido"}},
		"obligatorio repetido": {unaTarea(buena + "- estado: CERRADA\n"), []string{doc + ": el campo estado está repetido"}},
		"nombre que no es UTF-8": {con(map[string]string{"tareas/\xff": ""}),
			[]string{`tareas/\xff: el nombre no es UTF-8`}},
		"varios": {map[string]string{"tareas/b.md": "", "tareas/a\n\x1b[31m.md": "", doc: ""}, []string{
			doc + ": no tiene título: la primera línea con texto tiene que ser «# Título»",
			`tareas/a\n\x1b[31m.md: archivo suelto no admitido: en tareas/ sólo van carpetas de tarea, README.md, README, .gitignore y etiquetas`,
			"tareas/b.md: archivo suelto no admitido: en tareas/ sólo van carpetas de tarea, README.md, README, .gitignore y etiquetas"}},
	} {
		t.Run(nombre, func(t *testing.T) {
			dir := proyecto(t, c.archivos)
			quiere := "TRACKER_INVALIDO — se detectaron " + itoa(len(c.lineas)) + " registro(s) inválido(s) en tareas/:\n  · " + strings.Join(c.lineas, "\n  · ")
			for _, q := range []tareas.Consulta{listar(), ver("2026"), buscar("x"), hechos()} {
				codigo, texto := mal(t, dir, q)
				if codigo != "TRACKER_INVALIDO" {
					t.Errorf("%s: code %s", q.Accion, codigo)
				}
				if d := cmp.Diff(quiere, texto); d != "" {
					t.Errorf("%s (-want +got):\n%s", q.Accion, d)
				}
			}
		})
	}
}

// TestAuditoriaAdmite has what is not a problem.
func TestAuditoriaAdmite(t *testing.T) {
	m := unaTarea("# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n")
	for _, a := range []string{"README.md", "README", ".gitignore", "etiquetas", ".DS_Store", ".cache/x"} {
		m["tareas/"+a] = "x\n"
	}
	m["tareas/.roto"] = "-> no-hay"
	m["tareas/"+idUno+"/.#TAREA.md"] = "-> yo@maquina.123"
	m["tareas/"+idUno+"/.git/HEAD"] = "" // a repository of its own
	m["tareas/20260101-000000/TAREA.md"] = "# Sin sufijo\n\n- ESTADO: CERRADA\n- PRIORIDAD: 1\n"
	m["tareas/20260101-000000--x_-y/TAREA.md"] = "# Sufijo raro\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n"
	m["tareas/20260101-000000--x_-y/e"] = "-> ../" + idUno + "/./TAREA.md"
	m["tareas/20260101-000000--x_-y/d"] = "-> .."
	r := bien(t, proyecto(t, m), listar())
	if len(r.Lista) != 2 {
		t.Errorf("%d tasks", len(r.Lista))
	}
}

func TestAusente(t *testing.T) {
	const quiere = "TRACKER_AUSENTE — el proyecto no tiene tracker de tareas: falta tareas/."
	for nombre, archivos := range map[string]map[string]string{"nada": {"x": ""}, "un archivo": {"tareas": "x"}} {
		t.Run(nombre, func(t *testing.T) {
			if _, texto := mal(t, proyecto(t, archivos), listar()); texto != quiere {
				t.Errorf("got %q", texto)
			}
		})
	}
	if r := bien(t, proyecto(t, map[string]string{"tareas/": ""}), listar()); json(t, r) != "[]" {
		t.Errorf("an empty tracker lists %s", json(t, r))
	}
}

func TestTopeDelDocumento(t *testing.T) {
	base := "# T\n\n- ESTADO: ABIERTA\n- PRIORIDAD: 1\n\n"
	justo := base + strings.Repeat("x", 2<<20-len(base))
	bien(t, proyecto(t, unaTarea(justo)), ver(idUno))
	if _, texto := mal(t, proyecto(t, unaTarea(justo+"x")), listar()); !strings.HasSuffix(texto, "TAREA.md: pesa más de 2 MiB") {
		t.Errorf("got %q", texto)
	}
}
