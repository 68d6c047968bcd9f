package host_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/oracle-mcp/oracle-mcp/host"
)

// TestProyectoDeLasCuatroFuentes opens fixtures/fuentes where it is.
func TestProyectoDeLasCuatroFuentes(t *testing.T) {
	const raiz = "../fixtures/fuentes"
	p, err := host.Abrir(filepath.Join(raiz, "proyecto"), host.Opciones{
		RaicesPerfiles: []string{filepath.Join(raiz, "perfiles")}, RaicesBibliotecas: []string{filepath.Join(raiz, "bibliotecas")},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	want := `expedientes.caratula_completa proyecto evidencia
expedientes.foliado biblioteca:comun heredada
expedientes.folios_no_negativos biblioteca:comun heredada
expedientes.sin_hojas_sueltas proyecto sin_fijar
expedientes.sin_vencidos proyecto sin_fijar
plazos.atraso_razonable perfil:estricto heredada
plazos.sin_feria perfil:estricto heredada`
	if got := origenes(efectivo(t, p)); got != want {
		t.Error(got)
	}
	for _, id := range []string{"expedientes.foliado_del_estudio", "plazos.feria_del_estudio", "meta.unir_da_el_producto"} {
		_, err := p.CatalogoEfectivo(context.Background(), host.PedidoCatalogo{IDs: []string{id}})
		exigir(t, err, host.MedidaNoEfectiva, "«"+id+"» existe en ")
	}
	r := juzgar(t, p, `{"expediente":[{"caratula":"Pérez c/ Gómez","dias_de_atraso":31,"hojas_sueltas":0,"folios":10}]}`)
	var rojas []string
	for _, m := range r.Medidas {
		if !m.Satisface() {
			rojas = append(rojas, m.Medida.ID)
		}
	}
	if got := strings.Join(rojas, " "); r.OK || len(r.Medidas) != 7 || got != "expedientes.sin_vencidos plazos.sin_feria" {
		t.Errorf("%s: %s", got, r)
	}
}

func ExampleProyecto_Evaluar() {
	p, err := host.Abrir("../fixtures/fuentes/proyecto", host.Opciones{
		RaicesPerfiles: []string{"../fixtures/fuentes/perfiles"}, RaicesBibliotecas: []string{"../fixtures/fuentes/bibliotecas"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	e, err := p.Evaluar(context.Background(), host.PedidoEvaluar{
		Medida:    host.Candidata{ID: "expedientes.foliado"},
		Evidencia: `{"expediente":[{"caratula":"A","folios":0},{"caratula":"B","folios":12}]}`,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	v := e.Juicio.Veredicto
	fmt.Println(v.Estado, v.Valor)
	fmt.Println(string(v.AppendTestigo(nil, 0)))
	fmt.Println(e.AlcanceDerivado[0])
	// Output:
	// rojo 1
	// {"f":{"caratula":"A","folios":0}}
	// f (expediente): no lee caratula, dias_de_atraso, hojas_sueltas
}

func ExampleProyecto_Juzgar() {
	p, err := host.Abrir("../fixtures/fuentes/proyecto", host.Opciones{
		RaicesPerfiles: []string{"../fixtures/fuentes/perfiles"}, RaicesBibliotecas: []string{"../fixtures/fuentes/bibliotecas"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer p.Close()
	_, err = p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{}`, IDs: []string{"expedientes.sin_vencidos"}})
	fmt.Println(err)
	r, err := p.Juzgar(context.Background(), host.PedidoJuzgar{Evidencia: `{}`})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r)
	// Output:
	// MEDIDA_NO_APLICABLE — «expedientes.sin_vencidos» requiere las relaciones expediente, no presentes en la evidencia.
	// campo: $.ids[0]
	// corrección: agregá expediente a $.evidencia (una que se miró y no tiene filas se declara con una lista vacía), o juzgá sin ids, que la deja dicha en no_aplicadas.
	// no cumple: 0 medidas juzgadas, 3 sin aplicar, 0 que no pudieron juzgar
}
