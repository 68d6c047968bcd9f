package host

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/algebra/superficie"
	"github.com/oracle-mcp/oracle-mcp/escalares/caja"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// campo is the argument that names the measure.
func (c Candidata) campo() string {
	if c.ID == "" {
		return "$.medida.texto"
	}
	return "$.medida.id"
}

// campoDeID is the place of an id among those asked for.
func campoDeID(ids []string, id string) string {
	for i := range ids {
		if ids[i] == id {
			return fmt.Sprintf("$.ids[%d]", i)
		}
	}
	return "$.ids"
}

// deLectura tells where a text does not read and how to mend it. fuente is the
// file as it is shown, or the argument that brought the text.
func deLectura(fuente string, err error) rechazo.Remedio {
	fuente = citarRuta(fuente)
	var (
		limite    *algebra.LimiteError
		sintaxis  *superficie.ErrorDeSintaxis
		declara   *superficie.ErrorDeDeclaracion
		carga     *algebra.ErrorDeCarga
		documento *estricto.Error
		escalar   *caja.ErrorDeCarga
	)
	switch {
	case errors.As(err, &limite):
		return deLimite(limite, fuente)
	case errors.As(err, &sintaxis):
		correccion := "cambiá lo que hay en ese lugar por lo que se esperaba"
		if strings.HasPrefix(sintaxis.Llego, "el final") {
			correccion = "agregá en ese lugar lo que se esperaba"
		}
		return rechazo.Remedio{Campo: fuente + ", " + lugar(sintaxis.Linea, sintaxis.Columna), Correccion: correccion + comprobar(fuente) + "."}
	case errors.As(err, &declara) && declara.Causa.Clase == algebra.ClaseEscalarDesconocida:
		return rechazo.Remedio{Campo: fuente + ", " + lugar(declara.Linea, declara.Columna), Correccion: nombrarEscalar}
	case errors.As(err, &declara):
		return rechazo.Remedio{Campo: fuente + ", " + lugar(declara.Linea, declara.Columna), Correccion: "corregí lo que dice ahí: se lee, pero no se admite."}
	case errors.As(err, &carga):
		if en := lugarDeJSON.FindString(carga.Motivo); en != "" {
			return rechazo.Remedio{Campo: fuente + ", " + en, Correccion: "corregí el JSON en ese lugar" + comprobar(fuente) + "."}
		}
		r := rechazo.Remedio{Campo: fuente, Correccion: "corregí la forma: el mensaje dice qué no se admite."}
		if carga.Ruta != "" {
			r = rechazo.Remedio{Campo: fuente + ", nodo " + carga.Ruta, Correccion: "corregí ese nodo de la forma; la ruta son sus índices, desde 0."}
		}
		if carga.Clase == algebra.ClaseEscalarDesconocida {
			r.Correccion = nombrarEscalar
		}
		return r
	case errors.As(err, &documento):
		return rechazo.Remedio{Campo: fuente + ", " + documento.Ruta, Correccion: documento.Correccion()}
	case errors.As(err, &escalar):
		r := rechazo.Remedio{Campo: fuente, Correccion: "corregí ese archivo; «oracle-mcp escalares listar --confiar-escalares» dice si ya carga."}
		if escalar.Linea > 0 {
			r.Campo += ", " + lugar(escalar.Linea, escalar.Columna)
		}
		return r
	}
	return rechazo.Remedio{Campo: fuente, Correccion: "corregilo como dice el mensaje."}
}

// lugarDeJSON is the place where a text is not JSON, within the reason.
var lugarDeJSON = regexp.MustCompile(`línea [0-9]+, columna [0-9]+`)

// nombrarEscalar mends a call to something nobody declared.
const nombrarEscalar = "corregí el nombre: ahí va un operador del lenguaje o una escalar de las que lista «oracle-mcp escalares listar»."

// comprobar names the order that tells whether a file of the project reads,
// when there is one.
func comprobar(fuente string) string {
	if !Pegable(fuente) || filepath.IsAbs(fuente) {
		return ""
	}
	for _, x := range Formatos() {
		if path.Ext(fuente) == "."+x {
			return "; «oracle-mcp formatear " + fuente + "», en la raíz del proyecto, dice si ya se lee"
		}
	}
	return ""
}

// Pegable reports whether a name may go as it is into an order that somebody
// will paste in a shell: nothing in it means anything there, nor to the order.
func Pegable(nombre string) bool {
	for _, r := range nombre {
		plana := r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= '0' && r <= '9'
		if !plana && !strings.ContainsRune("_./-", r) {
			return false
		}
	}
	return nombre != "" && nombre[0] != '-'
}

// noEsJSON is the end of a reason that says where the whole text stops being
// JSON.
var noEsJSON = regexp.MustCompile(`, en la línea [0-9]+, columna [0-9]+ del JSON$`)

// deEvidencia tells how to mend evidence, by the place that is wrong. It says
// the same whoever reads: only a file may bring the node of the key.
func deEvidencia(e *algebra.ErrorDeEvidencia) string {
	switch {
	case noEsJSON.MatchString(e.Motivo):
		return "corregí el JSON en ese lugar: hasta que no se lea entero no hay evidencia."
	case e.Fila >= 0:
		return "poné en esa fila (se cuentan desde 0) un objeto {campo: valor}, con cada campo una sola vez y cada valor un número finito, un texto Unicode o un booleano; en un archivo que declara clave, que la traiga y no la repita."
	case e.Relacion != "":
		return "poné en esa relación, una sola vez, una lista de hechos; la que se miró y no tiene ninguno es []. Sólo en un archivo la clave va primera: [\"clave\", [campo, …]]."
	default:
		return "mandá un objeto JSON {relación: [hecho, …]}."
	}
}

// deEvaluacion tells where an evaluation that stopped is mended. medida is the
// argument, or the file, that brought the measure.
func deEvaluacion(clase algebra.Clase, medida string) rechazo.Remedio {
	r := rechazo.Remedio{Campo: medida}
	switch clase {
	case algebra.ClaseRelacionAusente:
		return rechazo.Remedio{Campo: "$.evidencia", Correccion: "agregá esa relación; si se miró y no tiene ninguna fila, es []."}
	case algebra.ClaseNulo:
		return rechazo.Remedio{Campo: medida + ", $.evidencia", Correccion: "si la medida escribe mal su nombre, o llama a una escalar que da null, corregí eso; si falta en la evidencia, completalo con lo que se observó, y si no se sabe, esa medida no puede juzgar esa evidencia."}
	case algebra.ClaseFamilias:
		return rechazo.Remedio{Campo: medida + ", $.evidencia", Correccion: "compará en la medida valores de la misma familia; la evidencia sólo se corrige si no dice lo que se observó."}
	case algebra.ClaseAliasAusente:
		r.Correccion = "leé un alias que la fila tenga; después de agrupar no queda ninguno y se usan las columnas."
	case algebra.ClaseIgualdadFlotante:
		r.Correccion = "compará con una tolerancia, con cerca, en lugar de == o !=."
	case algebra.ClaseNoBooleano:
		r.Correccion = "usá ahí una expresión que dé verdadero o falso."
	case algebra.ClaseClaveNoEscalar:
		r.Correccion = "agrupá por campos del hecho, no por el hecho entero."
	case algebra.ClaseAgregado:
		return rechazo.Remedio{Campo: medida + ", $.evidencia", Correccion: "corregí el agregado en la medida, para que reciba valores que admita, todos de una familia; la evidencia sólo se corrige si no dice lo que se observó."}
	case algebra.ClaseNoFinito:
		return rechazo.Remedio{Campo: medida + ", $.evidencia", Correccion: "corregí en la medida la cuenta, para que dé un número finito; la evidencia sólo se corrige si no dice lo que se observó."}
	case algebra.ClaseEscalar:
		return rechazo.Remedio{Campo: medida + ", $.evidencia", Correccion: "llamá a la escalar con argumentos que admita; si es del proyecto, puede que haya que corregirla a ella."}
	default:
		r.Correccion = "corregí la medida como dice el mensaje."
	}
	return r
}

// deLimite tells how not to exceed a limit that campo exceeded.
func deLimite(l *algebra.LimiteError, campo string) rechazo.Remedio {
	return rechazo.Remedio{Campo: campo, Correccion: achicar(l.Nombre) + "; " + subir(l) + "."}
}

// noSaques heads what is said of a limit that evidence exceeds: with fewer
// facts, or others, the answer would be to another question.
const noSaques = "no saques ni cambies hechos: lo que se deja afuera no se mira y puede cambiar el veredicto"

// The mends of the budget of a whole call, by what its evaluations grow with.
var (
	remedioDeJuzgar   = rechazo.Remedio{Campo: "$.evidencia, $.ids", Correccion: noSaques + "; repartí las medidas en varias llamadas, sin dejar ninguna afuera, o simplificá las que más hacen"}
	remedioDeDesafiar = rechazo.Remedio{Campo: "$.medida, $.casos", Correccion: "no saques casos ni cambies sus hechos, que son los que notan los cambios; simplificá la medida, o partila en varias y desafiá cada una"}
	remedioDelCorpus  = rechazo.Remedio{Campo: DirCorpus + "/, " + DirDiferencial + "/", Correccion: "se corren todos los casos del proyecto, pida lo que pida la llamada: no los saques ni cambies sus hechos, que son los que fijan las medidas; simplificá las medidas que más hacen"}
)

// achicar says what to do so as not to exceed a limit. It never tells to leave
// facts out.
func achicar(limite string) string {
	switch limite {
	case algebra.LimiteFilasPorRelacion:
		return noSaques
	case algebra.LimiteProductoCartesiano:
		return noSaques + "; simplificá la medida, para que una o compare menos filas (un donde antes de unir), o partila en varias"
	case algebra.LimiteProfundidad:
		return "anidá menos llamadas o fuentes"
	case algebra.LimiteExpansiones:
		return "usá macros que se expandan en menos vueltas, o escribí la medida sin ellas"
	case algebra.LimiteNodosDeMedida:
		return "escribí algo más chico, o partilo en varias medidas"
	case algebra.LimiteBitsDeEntero:
		return noSaques + "; si ese entero lo escribe o lo calcula la medida, o una escalar, corregilo ahí"
	case algebra.LimiteTamanoDeValor:
		return noSaques + "; si ese texto lo escribe la medida, o lo devuelve una escalar, corregilo ahí"
	case algebra.LimitePasosDeOperacion, algebra.LimiteMemoriaDeOperacion:
		return noSaques + "; simplificá la medida, para que haga menos por fila, o partila en varias"
	case algebra.LimitePasosDeEscalar:
		return noSaques + "; simplificá la escalar, para que haga menos"
	case algebra.LimitePasosDeCarga:
		return "que " + ArchivoEscalares + " haga menos al cargarse"
	default:
		return "que " + ArchivoEscalares + " use menos memoria"
	}
}

// subir says who can raise a limit, or that nobody can.
func subir(l *algebra.LimiteError) string {
	if (&algebra.LimitesAlgebra{}).Fijar(l.Nombre, l.Limite+1) {
		return fmt.Sprintf("ninguna llamada sube el límite: sólo quien arranca el programa, con --limite %s=valor", l.Nombre)
	}
	return "el límite ya está en lo más alto que --limite admite"
}
