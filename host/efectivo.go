package host

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"slices"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/arbol"
	"github.com/oracle-mcp/oracle-mcp/host/base"
)

// EsquemaCatalogo is the value of «esquema» in an effective catalog.
const EsquemaCatalogo = "oracle.mcp/catalogo-efectivo/v1"

// PedidoCatalogo is what oracle_catalogo_efectivo is asked. Nil IDs ask for the
// index; else for the detail of those. An empty list is rejected.
type PedidoCatalogo struct{ IDs []string }

// CatalogoEfectivo is the answer of oracle_catalogo_efectivo. It is immutable.
type CatalogoEfectivo struct {
	Version        string
	Proyecto       string
	HuellaProyecto string
	Detalle        bool
	Total          int // measures of the whole effective catalog
	Medidas        []FilaDeCatalogo
}

// FilaDeCatalogo is an effective measure and who answers for it.
type FilaDeCatalogo struct {
	*Entrada
	Fijacion Fijacion
}

// CatalogoEfectivo answers oracle_catalogo_efectivo (contract, «oracle_catalogo_efectivo»).
// The error is *[Error], or the context's.
func (p *Proyecto) CatalogoEfectivo(ctx context.Context, pedido PedidoCatalogo) (*CatalogoEfectivo, error) {
	ids, err := idsPedidos(pedido.IDs)
	if err != nil {
		return nil, err
	}
	h := huella{suma: sha256.New()}
	r, err := Estable(ctx, p, func(l *arbol.Lectura) (*CatalogoEfectivo, error) {
		q, err := p.consultar(ctx, l)
		if err != nil {
			return nil, err
		}
		defer q.cerrar()
		r, err := q.catalogoEfectivo(ids, pedido.IDs)
		h.participan, h.embebidos = q.participan, q.embebidos
		ordenarPor(h.embebidos, func(a base.Archivo) string { return a.Ruta })
		return r, err
	}, h.ver)
	if err != nil {
		return nil, err
	}
	r.HuellaProyecto = h.cerrar()
	return r, nil
}

// catalogoEfectivo answers for ids, which are pedidos in order.
func (q *consulta) catalogoEfectivo(ids, pedidos []string) (*CatalogoEfectivo, error) {
	cat, err := q.catalogo()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		if _, err := cat.Buscar(campoDeID(pedidos, id), id); err != nil {
			return nil, err
		}
	}
	x, err := q.ejercitar(cat)
	if err != nil {
		return nil, err
	}
	fijaciones, err := q.fijaciones(cat, x)
	if err != nil {
		return nil, err
	}
	if err := q.firmarLoDemas(); err != nil {
		return nil, err
	}
	r := &CatalogoEfectivo{
		Version: q.p.op.Version, Proyecto: q.p.Raiz(),
		Detalle: ids != nil, Total: len(cat.efectivas), Medidas: []FilaDeCatalogo{},
	}
	for i, e := range cat.efectivas {
		if ids != nil {
			if _, pedida := slices.BinarySearch(ids, e.ID()); !pedida {
				continue
			}
		}
		r.Medidas = append(r.Medidas, FilaDeCatalogo{e, fijaciones[i]})
	}
	return r, nil
}

// idsPedidos checks a list of ids and returns it sorted; nil stays nil.
func idsPedidos(ids []string) ([]string, error) {
	if ids == nil {
		return nil, nil
	}
	const forma = "una lista no vacía de ids dominio.nombre, sin repetir"
	if len(ids) == 0 {
		return nil, ErrArgumentos("$.ids", "[]", forma, "nombrá los ids que querés, o no mandes ids para pedirlos todos.")
	}
	visto := map[string]bool{}
	for i, id := range ids {
		if !algebra.IDValido(id) || visto[id] {
			return nil, ErrArgumentos(fmt.Sprintf("$.ids[%d]", i), string(algebra.AppendTexto(nil, id)), forma, "escribilo como dominio.nombre, en minúsculas, y una sola vez.")
		}
		visto[id] = true
	}
	orden := slices.Clone(ids)
	slices.Sort(orden)
	return orden, nil
}

// firmarLoDemas reads what the fingerprint covers and the answer did not need:
// every other file of corpus/, diferencial/ and macros/, and the scalars' file
// if it was authorized. Not authorized, it is not opened at all.
func (q *consulta) firmarLoDemas() error {
	falta := func(r string) bool { return !q.participan[q.p.arbol.Absoluta(r)] }
	for _, dir := range []string{DirCorpus, DirDiferencial, DirMacros} {
		if _, err := q.archivosDe(q.p.arbol, dir, falta, relativa); err != nil {
			return err
		}
	}
	if q.p.op.Caja == nil {
		return nil
	}
	_, hay, err := q.l.ArchivoSiHay(q.p.arbol, ArchivoEscalares)
	if err != nil {
		return q.p.errorDeArbol(err)
	}
	if hay {
		q.participa(q.p.arbol, ArchivoEscalares)
	}
	return nil
}

// huella computes huella_proyecto out of the files the closing hands over,
// ordered by absolute path, and the embedded ones among them (proyecto §7).
type huella struct {
	suma       hash.Hash
	participan map[string]bool
	embebidos  []base.Archivo // by path; those not put yet
	ultima     string         // absolute path of the last file on disk put
}

func (h *huella) ver(absoluta string, b []byte) {
	if !h.participan[absoluta] || absoluta == h.ultima { // read through two roots
		return
	}
	h.ultima = absoluta
	h.hasta(absoluta)
	h.poner(absoluta, b)
}

// hasta puts the embedded files that come before a path; all, if it is "".
func (h *huella) hasta(ruta string) {
	for len(h.embebidos) > 0 && (ruta == "" || h.embebidos[0].Ruta < ruta) {
		h.poner(h.embebidos[0].Ruta, h.embebidos[0].Texto)
		h.embebidos = h.embebidos[1:]
	}
}

func (h *huella) poner(ruta string, b []byte) {
	h.suma.Write([]byte(ruta))
	h.suma.Write([]byte{0})
	h.suma.Write(b)
	h.suma.Write([]byte{0})
}

func (h *huella) cerrar() string {
	h.hasta("")
	return hex.EncodeToString(h.suma.Sum(nil))
}

// AppendJSON appends the catalog as the contract's v1 object.
func (c *CatalogoEfectivo) AppendJSON(b []byte) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("esquema", EsquemaCatalogo)
	o.texto("oracle_version", c.Version)
	o.texto("proyecto", c.Proyecto)
	o.texto("huella_proyecto", c.HuellaProyecto)
	o.booleano("detalle", c.Detalle)
	o.entero("total", c.Total)
	o.clave("medidas")
	o.b = appendLista(o.b, c.Medidas, func(b []byte, f FilaDeCatalogo) []byte { return f.appendJSON(b, c.Detalle) })
	return o.cerrar()
}

func (f *FilaDeCatalogo) appendJSON(b []byte, detalle bool) []byte {
	o := objeto{b: b}
	o.abrir()
	o.texto("id", f.ID())
	o.texto("origen", f.Origen.String())
	if detalle {
		o.textos("relaciones", f.Medida.Relaciones())
	}
	o.texto("fijacion", string(f.Fijacion))
	if detalle {
		o.texto("ambito", f.Medida.Ambito)
		o.textos("requiere", requeridas(f.Medida))
		o.clave("umbral")
		o.b = appendUmbral(o.b, f.Medida.Umbral)
		o.texto("alcance", f.Medida.Alcance)
		o.texto("fuente", f.Fuente)
		o.texto("fuente_sha256", f.FuenteSHA256)
	}
	return o.cerrar()
}

// requeridas returns the names of the relations of «requiere», those with a
// condition too (decisiones 9). The language does not let one repeat.
func requeridas(m *algebra.Medida) []string {
	var rs []string
	for _, r := range m.Requiere {
		rs = append(rs, r.Relacion)
	}
	return rs
}
