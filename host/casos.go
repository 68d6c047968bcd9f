package host

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/corpus"
	"github.com/oracle-mcp/oracle-mcp/host/diferencial"
	"github.com/oracle-mcp/oracle-mcp/host/rechazo"
)

// casoDeMedida is one evidence a measure has to answer for, from the corpus or
// from a differential that is up to date.
type casoDeMedida struct {
	id        string
	origen    string // the file, as it is shown
	medida    string // "" for a declared gap
	espera    corpus.Espera
	evidencia string
	caso      *corpus.Caso // nil when it comes from a differential
}

// inservible is a case or a differential that cannot be used: it does not read,
// or what it was judged from changed. Whoever asked gives it its code: to
// challenge it is PROYECTO_INVALIDO, to judge the fixation EVIDENCIA_INCOMPLETA.
type inservible struct {
	fuente  string
	motivo  string
	remedio rechazo.Remedio
	dibujo  string
	causa   error
}

func (e *inservible) Error() string { return citarRuta(e.fuente) + ": " + e.motivo }
func (e *inservible) Unwrap() error { return e.causa }

// comoProyecto gives err its code when what was asked cannot do without it.
func (q *consulta) comoProyecto(err error) error {
	var e *inservible
	if errors.As(err, &e) {
		return ErrProyecto(q.p.Raiz(), e.Error(), e.remedio).con(e.dibujo).por(err)
	}
	return err
}

// comoIncompleta gives err its code when a fixation was to be judged.
func comoIncompleta(err error) error {
	var e *inservible
	if errors.As(err, &e) {
		return ErrIncompleta(e.Error(), e.remedio).con(e.dibujo).por(err)
	}
	return err
}

// corpus reads every case of corpus/, ordered by path. The error is *inservible
// for one that does not read and CASO_REPETIDO for two with the same id.
func (q *consulta) corpus() ([]casoDeMedida, error) {
	archivos, err := q.archivosDe(q.p.arbol, DirCorpus, func(r string) bool {
		x := path.Ext(r)
		return x == ".caso" || x == ".json"
	}, relativa)
	if err != nil {
		return nil, err
	}
	casos := make([]casoDeMedida, 0, len(archivos))
	donde := make(map[string]string, len(archivos))
	for _, a := range archivos {
		if err := q.ctx.Err(); err != nil {
			return nil, err
		}
		leer := corpus.Leer
		if path.Ext(a.nombre) == ".json" {
			leer = corpus.LeerJSON
		}
		c, err := leer(a.texto)
		if err != nil {
			motivo, dibujo := partir(err.Error())
			return nil, &inservible{a.fuente, motivo, deLectura(a.fuente, err), dibujo, err}
		}
		if otro, ya := donde[c.ID]; ya {
			return nil, ErrCasoRepetido(citarRuta(a.fuente), c.ID, otro, a.fuente)
		}
		donde[c.ID] = a.fuente
		casos = append(casos, casoDeMedida{c.ID, a.fuente, c.Medida, c.Expectativa(), c.JSON(), c})
	}
	return casos, nil
}

// diferenciales reads every differential and returns the cases of those up to
// date, ordered by path. One that does not read or is out of date is
// *inservible. cat may be nil when no catalog was loaded; forma then says what
// a measure is.
func (q *consulta) diferenciales(forma func(id string) (algebra.Nodo, bool)) ([]casoDeMedida, error) {
	archivos, err := q.archivosDe(q.p.arbol, DirDiferencial, func(r string) bool { return path.Ext(r) == ".json" }, relativa)
	if err != nil {
		return nil, err
	}
	var casos []casoDeMedida
	for _, a := range archivos {
		if err := q.ctx.Err(); err != nil {
			return nil, err
		}
		d, err := diferencial.Leer(a.texto, q.p.Limites())
		if err != nil {
			return nil, &inservible{a.fuente, err.Error(), deLectura(a.fuente, err), "", err}
		}
		raiz := q.p.arbol
		if d.Frescura.RaizPadre {
			if q.p.padre == nil {
				return nil, &inservible{a.fuente, "sus fuentes están en el directorio padre y el arranque no permitió leerlo: no se puede comprobar si está vigente",
					rechazo.Remedio{Campo: citarRuta(a.fuente), Correccion: "quien arranca el programa lo permite con --permitir-raiz-padre; ninguna llamada puede."}, "", nil}
			}
			raiz = q.p.padre
		}
		motivo, err := d.Vigente(fuentesDe{q, raiz}, forma)
		if err != nil {
			var e *Error
			if errors.As(err, &e) || q.ctx.Err() != nil {
				return nil, err
			}
			return nil, &inservible{a.fuente, err.Error(), vencido(a.fuente), "", err}
		}
		if motivo != "" {
			return nil, &inservible{a.fuente, "está vencido: " + motivo, vencido(a.fuente), "", nil}
		}
		nombre := strings.TrimPrefix(a.nombre, DirDiferencial+"/")
		for _, c := range d.Casos {
			espera := corpus.NoVerde
			if c.OK {
				espera = corpus.EsperaVerde
			}
			casos = append(casos, casoDeMedida{nombre + "#" + c.ID, a.fuente, c.Medida, espera, c.Evidencia, nil})
		}
	}
	return casos, nil
}

// vencido tells how to mend a differential that is out of date.
func vencido(fuente string) rechazo.Remedio {
	return rechazo.Remedio{Campo: citarRuta(fuente), Correccion: "comprobá que siga valiendo y volvé a generarlo con la implementación que hace de referencia, o pedíselo a quien responde por él; sin él no se sabe si la medida todavía coincide."}
}

// fuentesDe reads the files a differential was obtained from.
type fuentesDe struct {
	q    *consulta
	raiz *arbol.Arbol
}

// Archivos implements [diferencial.Fuentes].
func (f fuentesDe) Archivos(ruta string, ver func(ruta string, texto []byte)) error {
	b, err := f.q.l.Archivo(f.raiz, ruta)
	if err == nil {
		ver(ruta, b)
		return nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("está vencido: su fuente «%s» no existe", algebra.Citar(ruta))
	}
	rutas, hay, errDir := f.q.l.Listar(f.raiz, ruta)
	if errDir != nil || !hay {
		return f.q.deArbol(f.raiz, err)
	}
	for i, r := range rutas {
		if i%64 == 0 && f.q.ctx.Err() != nil {
			return f.q.ctx.Err()
		}
		b, err := f.q.l.Archivo(f.raiz, r)
		if err != nil {
			return f.q.deArbol(f.raiz, err)
		}
		ver(r, b)
	}
	return nil
}

// formaEfectiva says what a measure of the catalog is now.
func (c *Catalogo) formaEfectiva(id string) (algebra.Nodo, bool) {
	e := c.efectiva[id]
	if e == nil {
		e = c.descartada[id]
	}
	if e == nil {
		return algebra.Nodo{}, false
	}
	return e.Medida.Canonica(), true
}
