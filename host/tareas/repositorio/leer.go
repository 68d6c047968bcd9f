package repositorio

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/go-git/go-git/v6/plumbing"
	"github.com/go-git/go-git/v6/plumbing/cache"
	"github.com/go-git/go-git/v6/plumbing/filemode"
	"github.com/go-git/go-git/v6/plumbing/storer"
	"github.com/go-git/go-git/v6/storage/filesystem"
	"github.com/go-git/go-git/v6/storage/filesystem/dotgit"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// Archivo is a file, a link or something special of the directory asked about.
type Archivo struct {
	Ruta string      // relative to the project's root
	Info fs.FileInfo // from Lstat
}

// Pedido is what Leer is asked.
type Pedido struct {
	Proyecto lector.Lector
	Dir      string // relative to the project's root, not "."
	Archivos []Archivo
	// Salvo are directories under Dir that nobody looked into: what the index
	// has there is not reported as deleted.
	Salvo []string
}

// Informe is the whole answer of one reading.
type Informe struct {
	// Abierto is false when nothing of the repository could be read; then the
	// only thing else in the report is the omission that says why.
	Abierto bool
	Head    string // HEAD's commit, or "" when there is none yet
	// Estados has every Archivo of the request, and the paths under Dir that
	// HEAD or the index have and the disk does not.
	Estados   map[string]Estado
	Commits   []Commit  // in the order of git log
	Omisiones []Omision // by route and reason, without repeats
}

const (
	topeDirectorio = 100_000
	topeHojas      = 300_000
	topePares      = 20_000_000
	memoriaObjetos = 16 << 20
)

const (
	motivoAlternos    = "alternativas_no_leidas"
	motivoReemplazos  = "objetos_reemplazados"
	motivoConfigurar  = "configuracion_no_leida"
	motivoIncluye     = "configuracion_incluida"
	motivoExcludes    = "excludes_file_no_leido"
	motivoAtributos   = "attributes_file_no_leido"
	motivoHead        = "head_ilegible"
	motivoArbolDeHead = "arbol_de_head_ilegible"
)

var (
	errReferencia   = errors.New("la referencia no nombra un commit")
	errObjetoGrande = errors.New("objeto demasiado grande")
)

// sesion is one reading: the object store and what it has had to leave out.
type sesion struct {
	r         *Repositorio
	st        *filesystem.Storage
	omisiones []Omision
}

func (s *sesion) omitir(ruta, motivo string) {
	s.omisiones = append(s.omisiones, Omision{ruta, motivo})
}

// Leer reads what the repository says of the files of a directory and the
// commits behind HEAD. The only errors are the context's: whatever else goes
// wrong is an omission, and never a state.
func (r *Repositorio) Leer(ctx context.Context, p Pedido) (inf *Informe, err error) {
	if r.fallo != nil {
		return &Informe{Omisiones: []Omision{*r.fallo}}, nil
	}
	s := &sesion{r: r}
	defer func() {
		// The decoders read hostile bytes; one that gives up this way is one
		// more thing that could not be read.
		if v := recover(); v != nil {
			inf, err = &Informe{Omisiones: []Omision{{".git", motivoIlegible}}}, nil
		}
		if s.st != nil {
			s.st.Close()
		}
	}()
	a, err := r.leerAjustes()
	if err != nil {
		return &Informe{Omisiones: []Omision{{".git/config", motivoConfigurar}}}, nil
	}
	if reemplaza, err := r.reemplaza(); err != nil || reemplaza {
		return &Informe{Omisiones: []Omision{{".git/refs/replace", motivoReemplazos}}}, nil
	}
	s.avisar(a)
	s.abrirObjetos()
	inf = &Informe{Abierto: true, Estados: map[string]Estado{}}
	head, nacido, err := s.head()
	if err != nil {
		return &Informe{Omisiones: []Omision{{".git/HEAD", motivoHead}}}, nil
	}
	if nacido {
		// A name is published once there is a commit behind it.
		if _, err := s.commit(head); err == nil {
			inf.Head = head.String()
		}
		if inf.Commits, err = s.commits(ctx, head); err != nil {
			return nil, err
		}
	}
	if err := s.estados(ctx, p, a, head, nacido, inf.Estados); err != nil {
		return nil, err
	}
	slices.SortFunc(s.omisiones, func(x, y Omision) int {
		return cmp.Or(strings.Compare(x.Ruta, y.Ruta), strings.Compare(x.Motivo, y.Motivo))
	})
	inf.Omisiones = slices.Compact(s.omisiones)
	return inf, nil
}

// avisar names what the configuration asks for and is not read.
func (s *sesion) avisar(a ajustes) {
	if a.incluye {
		s.omitir(".git/config", motivoIncluye)
	}
	if a.excluye {
		s.omitir(".git/config", motivoExcludes)
	}
	if a.atributos {
		s.omitir(".git/config", motivoAtributos)
	}
	if info, err := s.r.comun.Lstat(rutaAlternos); !ausente(err) && (err != nil || info.Size() > 0) {
		s.omitir(".git/"+rutaAlternos, motivoAlternos)
	}
}

// reemplaza says whether some object stands for another: then nothing that is
// read by its own name is what Git would show.
func (r *Repositorio) reemplaza() (bool, error) {
	if info, err := r.comun.Lstat("info/grafts"); !ausente(err) {
		return err == nil && info.Size() > 0, err
	}
	lista, err := r.comun.ReadDir("refs/replace", topeDirectorio)
	if !ausente(err) && (err != nil || len(lista) > 0) {
		return true, err
	}
	datos, err := r.comun.ReadFile("packed-refs", topeReferencia)
	if ausente(err) {
		return false, nil
	}
	return strings.Contains(string(datos), " refs/replace/"), err
}

func (s *sesion) abrirObjetos() {
	var d = dotgit.NewRepositoryFilesystem(disco{s.r.gitdir}, nil)
	if s.r.enlazado {
		d = dotgit.NewRepositoryFilesystem(disco{s.r.gitdir}, disco{s.r.comun})
	}
	s.st = filesystem.NewStorageWithOptions(d, cache.NewObjectLRU(memoriaObjetos), filesystem.Options{
		LargeObjectThreshold: topeObjeto,
	})
}

// head resolves HEAD; nacido is false on a branch without commits.
func (s *sesion) head() (h plumbing.Hash, nacido bool, err error) {
	if _, err := s.st.Reference(plumbing.HEAD); err != nil {
		return h, false, err
	}
	ref, err := storer.ResolveReference(s.st, plumbing.HEAD)
	if errors.Is(err, plumbing.ErrReferenceNotFound) {
		// It could also be in a list that is broken.
		return h, false, s.r.empaquetadas()
	}
	if err == nil && ref.Hash().IsZero() {
		err = errReferencia
	}
	if err != nil {
		return h, false, err
	}
	return ref.Hash(), true, nil
}

// reEmpaquetada is a line of packed-refs.
var reEmpaquetada = regexp.MustCompile(`^(?:#.*|\^[0-9a-f]{40,64}|[0-9a-f]{40,64} refs/.*)?$`)

// empaquetadas fails when packed-refs is not a list of references.
func (r *Repositorio) empaquetadas() error {
	datos, err := r.comun.ReadFile("packed-refs", topeReferencia)
	if ausente(err) {
		return nil
	}
	for linea := range bytes.SplitSeq(datos, []byte("\n")) {
		if !reEmpaquetada.Match(linea) {
			return errReferencia
		}
	}
	return err
}

// estados fills in the states of the request's files, and of those that HEAD or
// the index have and the disk does not.
func (s *sesion) estados(ctx context.Context, p Pedido, a ajustes, head plumbing.Hash, nacido bool, estados map[string]Estado) error {
	for _, f := range p.Archivos {
		estados[f.Ruta] = Estado{}
	}
	idx, err := s.r.leerIndice(a)
	if err != nil {
		s.omitir(".git/index", err.Error())
		return nil
	}
	g := lugar{s.r, p.Proyecto}
	dir := s.r.alArbol(p.Dir)
	hojas := map[string]hoja{}
	var raiz plumbing.Hash
	if nacido {
		c, err := s.commit(head)
		if err == nil {
			raiz = c.arbol
			err = s.hojasDe(ctx, raiz, dir, hojas)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.omitir(".git/HEAD", motivoArbolDeHead)
			return nil
		}
	}
	x := &examen{indice: idx, head: hojas, a: a, ign: nuevoIgnorador(g, a)}
	x.comp = &comparador{lugar: g, a: a, blob: s.blob,
		atrib: &atributos{lugar: g, a: a, indice: idx, blob: s.blob, porDir: map[string]listaDeAtributos{}}}
	infos := make(map[string]fs.FileInfo, len(p.Archivos))
	for _, f := range p.Archivos {
		infos[s.r.alArbol(f.Ruta)] = f.Info
	}
	salvo := make([]string, len(p.Salvo))
	for i, d := range p.Salvo {
		salvo[i] = s.r.alArbol(d)
	}
	for _, ruta := range todas(infos, hojas, idx, dir, salvo) {
		if err := ctx.Err(); err != nil {
			return err
		}
		rel := s.r.desdeProyecto(ruta)
		e, motivo := x.ver(ruta, infos[ruta])
		if motivo != "" {
			s.omitir(rel, motivo)
		}
		if motivo == motivoSubmodulo && infos[ruta] == nil {
			continue // a directory: it has no row of its own
		}
		if e.Trabajo == "A" {
			s.omitir(rel, motivoPorAgregar)
		}
		estados[rel] = e
	}
	s.omisiones = append(s.omisiones, x.ign.omisiones...)
	return s.renombres(ctx, idx, raiz, nacido, dir, estados)
}

// todas returns, in order, every path of the directory that disk, HEAD or index
// have, but for what the index has where nobody looked.
func todas(infos map[string]fs.FileInfo, hojas map[string]hoja, idx *indice, dir string, salvo []string) []string {
	conjunto, noMirados := map[string]bool{}, map[string]bool{}
	for _, d := range salvo {
		noMirados[d] = true
	}
	mirada := func(ruta string) bool {
		if !bajo(ruta, dir) {
			return false
		}
		for d := path.Dir(ruta); d != "." && d != "/"; d = path.Dir(d) {
			if noMirados[d] {
				return false
			}
		}
		return true
	}
	for ruta := range infos {
		conjunto[ruta] = true
	}
	for ruta := range hojas {
		if mirada(ruta) {
			conjunto[ruta] = true
		}
	}
	for ruta := range idx.porRuta {
		if mirada(ruta) {
			conjunto[ruta] = true
		}
	}
	lista := make([]string, 0, len(conjunto))
	for ruta := range conjunto {
		lista = append(lista, ruta)
	}
	slices.Sort(lista)
	return lista
}

// hojasDe collects the files HEAD has under a directory; dir "" is all of them.
func (s *sesion) hojasDe(ctx context.Context, raiz plumbing.Hash, dir string, hojas map[string]hoja) error {
	h := raiz
	if dir != "" {
		for parte := range strings.SplitSeq(dir, "/") {
			t, err := s.arbol(h)
			if err != nil {
				return err
			}
			i := slices.IndexFunc(t, func(e entrada) bool { return e.nombre == parte && e.modo == filemode.Dir })
			if i < 0 {
				return nil
			}
			h = t[i].hash
		}
	}
	type pendiente struct {
		h   plumbing.Hash
		dir string
	}
	pila := []pendiente{{h, dir}}
	vistas := 0
	for len(pila) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		p := pila[len(pila)-1]
		pila = pila[:len(pila)-1]
		t, err := s.arbol(p.h)
		if err != nil {
			return err
		}
		if vistas += len(t); vistas > topeHojas {
			return errObjetoGrande
		}
		for _, e := range t {
			ruta := path.Join(p.dir, e.nombre)
			if e.modo == filemode.Dir {
				pila = append(pila, pendiente{e.hash, ruta})
				continue
			}
			hojas[ruta] = hoja{e.modo, e.hash}
		}
	}
	return nil
}

func (s *sesion) arbol(h plumbing.Hash) ([]entrada, error) {
	h, datos, err := s.objeto(plumbing.TreeObject, h)
	if err != nil {
		return nil, err
	}
	return leerArbol(h.Size(), datos)
}

// blob reads a whole content of the repository.
func (s *sesion) blob(h plumbing.Hash) ([]byte, error) {
	o, err := s.st.EncodedObject(plumbing.BlobObject, h)
	if err != nil {
		return nil, err
	}
	if o.Size() > topeConversion {
		return nil, errObjetoGrande
	}
	rd, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer rd.Close()
	return io.ReadAll(io.LimitReader(rd, topeConversion))
}

// renombres warns where Git could show, instead of a file deleted and another
// added, one renamed: which pairs it makes depends on a likeness of contents
// that is not computed here, so what it cannot rule out is named.
func (s *sesion) renombres(ctx context.Context, idx *indice, raiz plumbing.Hash, nacido bool, dir string, estados map[string]Estado) error {
	if !nacido {
		return nil
	}
	interesa := false
	for _, e := range estados {
		interesa = interesa || e.Indice == "A" || e.Indice == "D"
	}
	if !interesa {
		return nil
	}
	head := map[string]hoja{}
	if err := s.hojasDe(ctx, raiz, "", head); err != nil {
		if ctx.Err() != nil {
			return err
		}
		s.omitir(".git/HEAD", motivoRenombrado)
		return nil
	}
	type lado struct {
		ruta string
		hoja
		largo int64
	}
	var altas, bajas []lado
	agregar := func(a []lado, ruta string, h hoja) []lado {
		// Only files become other files.
		if h.modo == filemode.Submodule {
			return a
		}
		n, err := s.st.EncodedObjectSize(h.hash)
		if err != nil {
			n = -1
		}
		return append(a, lado{ruta, h, n})
	}
	for _, e := range idx.tabla {
		if _, ya := head[e.Name]; !ya && e.Stage == 0 && !e.IntentToAdd {
			altas = agregar(altas, e.Name, hoja{e.Mode, e.Hash})
		}
	}
	for ruta, h := range head {
		es, hay := idx.porRuta[ruta]
		if !hay || es[0].IntentToAdd {
			bajas = agregar(bajas, ruta, h)
		}
	}
	if len(altas)*len(bajas) > topePares {
		s.omitir(".git/HEAD", motivoRenombrado)
		return nil
	}
	for _, alta := range altas {
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, baja := range bajas {
			if !bajo(alta.ruta, dir) && !bajo(baja.ruta, dir) {
				continue
			}
			// Likeness cannot reach Git's half when one is less than half the other.
			lejos := min(alta.largo, baja.largo) >= 0 && 2*min(alta.largo, baja.largo) < max(alta.largo, baja.largo)
			if lejos || tipo(alta.modo) != tipo(baja.modo) {
				continue
			}
			for _, ruta := range []string{alta.ruta, baja.ruta} {
				if bajo(ruta, dir) {
					s.omitir(s.r.desdeProyecto(ruta), motivoRenombrado)
				}
			}
		}
	}
	return nil
}

// alArbol turns a route of the project into one of the working tree.
func (r *Repositorio) alArbol(ruta string) string { return path.Join(r.prefijo, ruta) }

// esDelProyecto says whether a route of the working tree is inside the project.
func (r *Repositorio) esDelProyecto(ruta string) bool {
	return r.prefijo == "" || bajo(ruta, r.prefijo)
}

// desdeProyecto turns a route of the working tree into one of the project.
func (r *Repositorio) desdeProyecto(ruta string) string {
	if r.prefijo == "" {
		return ruta
	}
	if rel, ok := strings.CutPrefix(ruta, r.prefijo+"/"); ok {
		return rel
	}
	// A rule file above the project: as many steps up as there are.
	arriba := 0
	comun := path.Dir(ruta)
	for comun != "." && !bajo(r.prefijo, comun) {
		comun = path.Dir(comun)
	}
	resto := strings.TrimPrefix(r.prefijo, comun+"/")
	arriba = strings.Count(resto, "/") + 1
	return strings.Repeat("../", arriba) + strings.TrimPrefix(ruta, comun+"/")
}

// ausente says that there is nothing by that name, be it that a component
// before the last is no directory.
func ausente(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
