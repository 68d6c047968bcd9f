package repositorio

import (
	"bytes"
	"errors"
	"io"
	"path"
	"strings"

	"github.com/go-git/go-git/v6/plumbing"
	formatcfg "github.com/go-git/go-git/v6/plumbing/format/config"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// topeConversion caps, in bytes, a file whose line endings have to be converted
// before it can be compared.
const topeConversion = 16 << 20

// errNoSeSabe says that a content cannot be compared as Git would, and why.
type errNoSeSabe string

func (e errNoSeSabe) Error() string { return string(e) }

const (
	filtroAjeno        errNoSeSabe = "filtro_de_contenido"
	atributosIlegibles errNoSeSabe = "atributos_ilegibles"
	contenidoGrande    errNoSeSabe = "conversion_grande"
	contenidoIlegible  errNoSeSabe = "ilegible"
)

func (a ajustes) formato() formatcfg.ObjectFormat {
	if a.sha256 {
		return formatcfg.SHA256
	}
	return formatcfg.SHA1
}

// comparador says whether files hold what the index has for them.
type comparador struct {
	lugar lugar
	a     ajustes
	blob  func(plumbing.Hash) ([]byte, error) // an object of the repository
	atrib *atributos
}

// igual compares a regular file, named from the working tree's root, with the
// object the index has for it, as Git would store it.
func (c *comparador) igual(ruta string, quiere plumbing.Hash) (bool, error) {
	l, rel := c.lugar.de(ruta)
	f, err := l.Open(rel)
	if err != nil {
		return false, contenidoIlegible
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return false, contenidoIlegible
	}
	suma, crlf, err := c.sumar(f, info.Size())
	if err != nil {
		return false, contenidoIlegible
	}
	at, err := c.atrib.de(ruta)
	if err != nil {
		// Without the attributes, only a file nothing could convert is certain.
		return false, err
	}
	if at.filtro {
		return false, filtroAjeno
	}
	modo := c.a.conversion(at)
	if !crlf || modo == sinConversion {
		return suma.Equal(quiere), nil
	}
	if info.Size() > topeConversion {
		return false, contenidoGrande
	}
	datos, err := l.ReadFile(rel, topeConversion)
	if errors.Is(err, lector.ErrTope) {
		return false, contenidoGrande
	}
	if err != nil {
		return false, contenidoIlegible
	}
	if modo == conversionAutomatica {
		e := contar(datos)
		if e.binario() {
			return suma.Equal(quiere), nil
		}
		// Git leaves alone what already had its CRLF in the index.
		if previo, err := c.blob(quiere); err != nil {
			return false, contenidoIlegible
		} else if e := contar(previo); e.crlf > 0 && !e.binario() {
			return suma.Equal(quiere), nil
		}
	}
	datos = bytes.ReplaceAll(datos, []byte("\r\n"), []byte("\n"))
	suma, _, err = c.sumar(bytes.NewReader(datos), int64(len(datos)))
	return err == nil && suma.Equal(quiere), err
}

// sumar returns the name a content would have as a blob, and whether it has a
// CRLF. A file that changes size under the reading is an error.
func (c *comparador) sumar(r io.Reader, largo int64) (plumbing.Hash, bool, error) {
	h := plumbing.NewHasher(c.a.formato(), plumbing.BlobObject, largo)
	buf := make([]byte, 64<<10)
	var total int64
	var crlf, cr bool
	for {
		n, err := r.Read(buf)
		parte := buf[:n]
		h.Write(parte)
		total += int64(n)
		if n > 0 {
			crlf = crlf || (cr && parte[0] == '\n') || bytes.Contains(parte, []byte("\r\n"))
			cr = parte[n-1] == '\r'
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return plumbing.ZeroHash, false, err
		}
	}
	if total != largo {
		return plumbing.ZeroHash, false, lector.ErrCambio
	}
	return h.Sum(), crlf, nil
}

// sumaDeEnlace returns the name of a symbolic link's object.
func (c *comparador) sumaDeEnlace(destino string) plumbing.Hash {
	h := plumbing.NewHasher(c.a.formato(), plumbing.BlobObject, int64(len(destino)))
	io.WriteString(h, destino)
	return h.Sum()
}

type conversion int

const (
	sinConversion conversion = iota
	conversionSegura
	conversionAutomatica
)

// conversion says what happens to CRLF on the way into the repository, from the
// attributes first and the configuration after.
func (a ajustes) conversion(at atributosDe) conversion {
	switch at.texto {
	case textoNo:
		return sinConversion
	case textoSi:
		return conversionSegura
	case textoAuto:
		return conversionAutomatica
	}
	if at.eol {
		return conversionSegura
	}
	if a.crlf != crlfNo {
		return conversionAutomatica
	}
	return sinConversion
}

// estadistica counts what Git looks at to tell text from binary.
type estadistica struct{ nul, crSuelto, crlf, imprimible, otro int }

func contar(datos []byte) (e estadistica) {
	for i := 0; i < len(datos); i++ {
		switch c := datos[i]; {
		case c == '\r' && i+1 < len(datos) && datos[i+1] == '\n':
			e.crlf++
			i++
		case c == '\r':
			e.crSuelto++
		case c == '\n':
		case c == 0:
			e.nul++
			e.otro++
		case c == '\b' || c == '\t' || c == 0x1b || c == '\f':
			e.imprimible++
		case c < 0x20 || c == 0x7f:
			e.otro++
		default:
			e.imprimible++
		}
	}
	// A final ^Z, the old end-of-file mark, does not count.
	if n := len(datos); n > 0 && datos[n-1] == 0x1a {
		e.otro--
	}
	return e
}

func (e estadistica) binario() bool {
	return e.crSuelto > 0 || e.nul > 0 || e.imprimible>>7 < e.otro
}

type valorTexto int

const (
	textoSinDecir valorTexto = iota
	textoSi
	textoNo
	textoAuto
)

// atributosDe is what .gitattributes says of a file that bears on its content.
type atributosDe struct {
	texto  valorTexto
	eol    bool // an eol is given
	filtro bool // something else rewrites the content
}

// regla is one line of a .gitattributes.
type regla struct {
	patron   patron
	palabras []string
}

// atributos reads the .gitattributes of the working tree, keeping them for the
// length of one call.
type atributos struct {
	lugar  lugar
	a      ajustes
	indice *indice
	blob   func(plumbing.Hash) ([]byte, error)
	porDir map[string]listaDeAtributos
}

type listaDeAtributos struct {
	reglas   []regla
	ilegible bool
}

// de returns the attributes of a file named from the working tree's root. The
// nearest directory's say over the ones above; info/attributes, over all.
func (t *atributos) de(ruta string) (at atributosDe, err error) {
	if t.a.atributos || t.a.incluye {
		return at, atributosIlegibles
	}
	listas := []listaDeAtributos{t.listaDe("")}
	for i := range len(ruta) {
		if ruta[i] == '/' {
			listas = append(listas, t.listaDe(ruta[:i]))
		}
	}
	listas = append(listas, t.listaDe("\x00info"))
	valores := map[string]string{}
	for _, l := range listas {
		if l.ilegible {
			return at, atributosIlegibles
		}
		for i := range l.reglas {
			if l.reglas[i].patron.casa(ruta, false) {
				for _, p := range l.reglas[i].palabras {
					poner(valores, p)
				}
			}
		}
	}
	texto := valores["text"]
	if texto == "" {
		texto = valores["crlf"]
	}
	switch texto {
	case "+":
		at.texto = textoSi
	case "-":
		at.texto = textoNo
	case "=input":
		at.texto = textoSi
	case "=auto":
		at.texto = textoAuto
	}
	at.eol = valores["eol"] == "=lf" || valores["eol"] == "=crlf"
	for _, f := range []string{"filter", "ident", "working-tree-encoding"} {
		if v := valores[f]; v != "" && v != "-" {
			at.filtro = true
		}
	}
	return at, nil
}

// poner notes one word of a rule: "a" is set, "-a" unset, "!a" forgotten and
// "a=b" has a value.
func poner(valores map[string]string, palabra string) {
	switch {
	case palabra == "binary":
		valores["text"] = "-"
	case palabra[0] == '-':
		valores[palabra[1:]] = "-"
	case palabra[0] == '!':
		delete(valores, palabra[1:])
	default:
		nombre, valor, hay := strings.Cut(palabra, "=")
		if hay {
			valores[nombre] = "=" + valor
		} else {
			valores[nombre] = "+"
		}
	}
}

func (t *atributos) listaDe(dir string) listaDeAtributos {
	if l, ok := t.porDir[dir]; ok {
		return l
	}
	l := t.leer(dir)
	t.porDir[dir] = l
	return l
}

func (t *atributos) leer(dir string) listaDeAtributos {
	if dir == "\x00info" {
		datos, err := t.lugar.r.comun.ReadFile("info/attributes", topeReglas)
		if err != nil {
			return listaDeAtributos{ilegible: !ausente(err)}
		}
		return leerAtributos(datos, "", t.a.mayusculas)
	}
	ruta := path.Join(dir, ".gitattributes")
	base := ""
	if dir != "" {
		base = dir + "/"
	}
	l, rel := t.lugar.de(ruta)
	if l == nil {
		return listaDeAtributos{ilegible: true}
	}
	if !t.lugar.r.esDelProyecto(ruta) {
		// Above the project only .gitignore may be opened. What the index has is
		// as good, when stat alone shows that the file did not change.
		info, err := l.Lstat(rel)
		e := t.indice.normal(ruta)
		if !ausente(err) && (err != nil || e == nil || !t.a.mismoStat(e, info, t.indice.cuando)) {
			return listaDeAtributos{ilegible: true}
		}
		l = nil
	}
	var datos []byte
	hay := false
	if l != nil {
		var err error
		if datos, hay, err = t.lugar.leerReglas(ruta); err != nil {
			return listaDeAtributos{ilegible: true}
		}
	}
	if !hay {
		// Git falls back on the index where the working tree has none.
		e := t.indice.normal(ruta)
		if e == nil || !e.Mode.IsRegular() {
			return listaDeAtributos{}
		}
		var err error
		if datos, err = t.blob(e.Hash); err != nil {
			return listaDeAtributos{ilegible: true}
		}
	}
	return leerAtributos(datos, base, t.a.mayusculas)
}

// leerAtributos reads a .gitattributes. A quoted pattern or a macro of one's own
// is beyond what is read here, and the whole list is then not certain.
func leerAtributos(datos []byte, base string, minusculas bool) (l listaDeAtributos) {
	datos = bytes.TrimPrefix(datos, []byte("\xef\xbb\xbf"))
	for linea := range strings.SplitSeq(string(datos), "\n") {
		linea = strings.Trim(linea, " \t\r")
		if linea == "" || linea[0] == '#' {
			continue
		}
		if linea[0] == '"' || strings.HasPrefix(linea, "[attr]") {
			return listaDeAtributos{ilegible: true}
		}
		palabras := strings.FieldsFunc(linea, func(r rune) bool { return r == ' ' || r == '\t' || r == '\r' })
		if strings.HasPrefix(palabras[0], "!") {
			continue
		}
		if p, ok := leerPatron(palabras[0], base, minusculas); ok {
			l.reglas = append(l.reglas, regla{p, palabras[1:]})
		}
	}
	return l
}
