package host_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// canonicaDeA is the canonical form of medidaSobre("d.a", "uno", "").
const canonicaDeA = `["medida","d.a",["desde",["de","uno","f"],["donde",[">",["campo","f","x"],0]]],["resumen","contar",1],["umbral","<=",0,"ninguna","sin_declarar"],["alcance","nada más"]]`

// frescura writes the part of a differential that says what it was judged from,
// with the fingerprints an independent script computes.
func frescura(t *testing.T, raiz string) string {
	t.Helper()
	sumasDelDiferencial.Do(func() {
		dir := t.TempDir()
		fuentesDelDiferencial.sembrar(t, dir)
		sumasDelDiferencial.sumas = independiente(t, enArchivos(dir, "emisor"), enArchivos(dir, "ref/uno.py"),
			enEntrada(`{"d.a":`+canonicaDeA+`}`), enEntrada(`{"b":1.0,"a":[true]}`))
	})
	s := sumasDelDiferencial.sumas
	return fmt.Sprintf(`{"algoritmo":"sha256","raiz_fuentes":%q,"fuentes":{"emisor":["emisor"],"referencia":"ref/uno.py"},"configuracion":{"b":1.0,"a":[true]},
		"huellas":{"emisor":%q,"referencia":%q,"catalogo":%q,"configuracion":%q}}`, raiz, s[0], s[1], s[2], s[3])
}

// sumasDelDiferencial are the four fingerprints, the same in every test.
var sumasDelDiferencial struct {
	sync.Once
	sumas []string
}

var fuentesDelDiferencial = archivos{
	"emisor/a.py": "uno", "emisor/sub/b.py": "dos", "emisor/.oculto": "no", "emisor/__pycache__/c": "no", "ref/uno.py": "tres",
}

func grupos(frescura string) string {
	return `{"esquema":"oracle.diferencial/v1","frescura":` + frescura + `,"grupos":{"d.a":[{"id":"limpio","evidencia":{"uno":[]},"esperado_ok":true},{"evidencia":{"uno":[{"x":1}]},"esperado_ok":false}]}}`
}

func escenarios(frescura string) string {
	return `{"esquema":"oracle.diferencial/v1","origen":"otra implementación","mundos":3,"frescura":` + frescura + `,"medidas":["d.a"],"escenarios":[
		{"id":"e1","evidencia":{"uno":[]},"referencia_ok":true,"oracle_al_generar":{"global_ok":true,"por_medida":{"d.a":true}}},
		{"id":"e2","evidencia":{"uno":[{"x":1}]},"referencia_ok":false,"oracle_al_generar":{"global_ok":false,"por_medida":{"d.a":{"ok":false,"valor":1}}}},
		{"id":"e3","evidencia":{},"referencia_ok":false,"oracle_al_generar":{"global_ok":false,"por_medida":{"d.a":{"ok":false,"levanta":"KeyError"}}}}]}`
}

func TestDiferencialVigenteFija(t *testing.T) {
	for nombre, forma := range map[string]func(string) string{"grupos": grupos, "escenarios": escenarios} {
		t.Run(nombre, func(t *testing.T) {
			as := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")})
			p, dir := as.en(t, host.Opciones{})
			archivos{"diferencial/x.json": forma(frescura(t, "."))}.sembrar(t, dir)
			if c := efectivo(t, p); c.Medidas[0].Fijacion != host.FijadaPorEvidencia {
				t.Errorf("%s", c.Medidas[0].Fijacion)
			}
		})
	}
}

func TestDiferencialVencido(t *testing.T) {
	for _, c := range []struct {
		nombre, motivo string
		cambia         archivos
	}{
		{"emisor", "la huella del emisor", archivos{"emisor/a.py": "otro"}},
		{"archivo nuevo del emisor", "la huella del emisor", archivos{"emisor/n.py": ""}},
		{"referencia", "la huella de la referencia", archivos{"ref/uno.py": "otro"}},
		{"catálogo", "la huella del catálogo", archivos{"catalogos/a.oracle": strings.Replace(medidaSobre("d.a", "uno", ""), "<= 0", "<= 1", 1)}},
		{"la medida ya no está", "usa «d.a», que ya no existe", archivos{"catalogos/a.oracle": medidaSobre("d.b", "uno", "")}},
	} {
		t.Run(c.nombre, func(t *testing.T) {
			p, dir := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}).en(t, host.Opciones{})
			archivos{"diferencial/x.json": grupos(frescura(t, "."))}.sembrar(t, dir)
			c.cambia.sembrar(t, dir)
			_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
			exigir(t, err, host.EvidenciaIncompleta, "diferencial/x.json: está vencido: "+c.motivo)
		})
	}
	t.Run("oculto y __pycache__ no cuentan", func(t *testing.T) {
		p, dir := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}).en(t, host.Opciones{})
		archivos{"diferencial/x.json": grupos(frescura(t, "."))}.sembrar(t, dir)
		archivos{"emisor/.oculto": "otro", "emisor/__pycache__/z": ""}.sembrar(t, dir)
		efectivo(t, p)
	})
	t.Run("la fuente no está", func(t *testing.T) {
		p, dir := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}).en(t, host.Opciones{})
		archivos{"diferencial/x.json": grupos(frescura(t, "."))}.sembrar(t, dir)
		os.Remove(filepath.Join(dir, "ref/uno.py"))
		_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		exigir(t, err, host.EvidenciaIncompleta, "«ref/uno.py» no existe")
	})
}

// TestRaizPadre: the directory above is read only if the start allowed it.
func TestRaizPadre(t *testing.T) {
	arriba := t.TempDir()
	fuentesDelDiferencial.con(archivos{"p/catalogos/a.oracle": medidaSobre("d.a", "uno", "")}).sembrar(t, arriba)
	archivos{"p/diferencial/x.json": grupos(frescura(t, ".."))}.sembrar(t, arriba)
	for _, permitido := range []bool{false, true} {
		p, err := host.Abrir(filepath.Join(arriba, "p"), host.Opciones{PermitirRaizPadre: permitido})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		_, err = p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
		if permitido {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		exigir(t, err, host.EvidenciaIncompleta, "no se puede comprobar", "--permitir-raiz-padre")
	}
}

// TestMedidaDeclaradaPorElDiferencial: a measure that is in no catalog counts
// with the form the file declares.
func TestMedidaDeclaradaPorElDiferencial(t *testing.T) {
	p, dir := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.b", "uno", "")}).en(t, host.Opciones{})
	archivos{"diferencial/x.json": strings.Replace(grupos(frescura(t, ".")), `"grupos":`, `"medidas_declaradas":{"d.a":`+canonicaDeA+`},"grupos":`, 1)}.sembrar(t, dir)
	efectivo(t, p)
}

// TestEscenarioQueLevanta: where the reference says the measure raises, it is
// not a case; where it does not, and here it does, nothing is judged.
func TestEscenarioQueLevanta(t *testing.T) {
	p, dir := fuentesDelDiferencial.con(archivos{"catalogos/a.oracle": medidaSobre("d.a", "uno", "")}).en(t, host.Opciones{})
	archivos{"diferencial/x.json": strings.Replace(escenarios(frescura(t, ".")), `,"levanta":"KeyError"`, "", 1)}.sembrar(t, dir)
	_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{})
	exigir(t, err, host.EvidenciaIncompleta, "«d.a» no evalúa en el caso x.json#e3 (diferencial/x.json): relacion_ausente")
}
