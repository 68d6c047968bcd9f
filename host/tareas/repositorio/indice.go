package repositorio

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"hash"
	"io/fs"
	"strings"
	"time"

	"github.com/go-git/go-git/v6/plumbing/filemode"
	"github.com/go-git/go-git/v6/plumbing/format/index"
)

// topeIndice caps the index, in bytes.
const topeIndice = 128 << 20

// indice is the index as it was read: entries by path, one list per path.
type indice struct {
	porRuta map[string][]*index.Entry
	asumido map[string]bool // assume-unchanged
	cuando  time.Time       // when the index was written
	tabla   []*index.Entry
}

// errIndice is an index that cannot be read, and why.
type errIndice string

func (e errIndice) Error() string { return string(e) }

const (
	indicePartido  errIndice = "indice_partido"
	indiceDisperso errIndice = "indice_disperso"
	indiceIlegible errIndice = "indice_ilegible"
	indiceGrande   errIndice = "indice_grande"
)

// leerIndice decodes the index. With no index file it is empty.
func (r *Repositorio) leerIndice(a ajustes) (*indice, error) {
	i := &indice{porRuta: map[string][]*index.Entry{}, asumido: map[string]bool{}}
	info, err := r.gitdir.Lstat("index")
	if errors.Is(err, fs.ErrNotExist) {
		return i, nil
	}
	if err != nil {
		return nil, indiceIlegible
	}
	if info.Size() > topeIndice {
		return nil, indiceGrande
	}
	datos, err := r.gitdir.ReadFile("index", topeIndice)
	if err != nil {
		return nil, indiceIlegible
	}
	i.cuando = info.ModTime()
	var h hash.Hash = sha1.New()
	if a.sha256 {
		h = sha256.New()
	}
	var idx index.Index
	err = index.NewDecoder(bytes.NewReader(datos), h).Decode(&idx)
	if errors.Is(err, index.ErrUnknownExtension) {
		// The entries were decoded; which extension it is decides the name.
		switch fin, _ := banderas(datos, &idx, h.Size(), nil); extensionObligatoria(datos, fin, h.Size()) {
		case "link":
			return nil, indicePartido
		case "sdir":
			return nil, indiceDisperso
		}
	}
	if err != nil {
		return nil, indiceIlegible
	}
	if _, ok := banderas(datos, &idx, h.Size(), i.asumido); !ok {
		return nil, indiceIlegible
	}
	i.tabla = idx.Entries
	for _, e := range idx.Entries {
		i.porRuta[e.Name] = append(i.porRuta[e.Name], e)
	}
	return i, nil
}

const (
	largoCabecera = 12
	largoFijo     = 40 // the stat fields before the object's name
	banderaAsume  = 0x8000
	banderaMas    = 0x4000
)

// banderas goes over the raw entries for the one flag the decoder leaves out,
// and returns where they end. The decoded entries give the length of each name.
func banderas(datos []byte, idx *index.Index, hash int, asumido map[string]bool) (fin int, ok bool) {
	pos := largoCabecera
	for _, e := range idx.Entries {
		fijo := largoFijo + hash + 2
		if pos+fijo > len(datos) {
			return 0, false
		}
		b := binary.BigEndian.Uint16(datos[pos+fijo-2:])
		if b&banderaAsume != 0 && asumido != nil {
			asumido[e.Name] = true
		}
		if b&banderaMas != 0 {
			fijo += 2
		}
		if pos+fijo > len(datos) {
			return 0, false
		}
		if idx.Version == 4 {
			// A count in base 128, then what is new of the name, then NUL.
			pos += fijo
			for pos < len(datos) && datos[pos]&0x80 != 0 {
				pos++
			}
			pos++
			n := -1
			if pos < len(datos) {
				n = bytes.IndexByte(datos[pos:], 0)
			}
			if n < 0 {
				return 0, false
			}
			pos += n + 1
			continue
		}
		largo := fijo + len(e.Name)
		pos += largo + 8 - largo%8
	}
	return pos, pos <= len(datos)
}

// extensionObligatoria returns the signature of the first extension that may
// not be skipped, or "".
func extensionObligatoria(datos []byte, pos, hash int) string {
	for pos > 0 && pos+8+hash <= len(datos) {
		if c := datos[pos]; c < 'A' || c > 'Z' {
			return string(datos[pos : pos+4])
		}
		pos += 8 + int(binary.BigEndian.Uint32(datos[pos+4:]))
	}
	return ""
}

// normal returns the merged entry of a path, or nil when it has none or is in
// the middle of a merge.
func (i *indice) normal(ruta string) *index.Entry {
	if es := i.porRuta[ruta]; len(es) == 1 && es[0].Stage == 0 {
		return es[0]
	}
	return nil
}

// conflicto returns the two letters of a path in the middle of a merge: which
// of base, ours and theirs the index has.
func (i *indice) conflicto(ruta string) (letras string, hay bool) {
	mascara := 0
	for _, e := range i.porRuta[ruta] {
		if e.Stage > 0 {
			mascara |= 1 << (e.Stage - 1)
		}
	}
	if mascara == 0 {
		return "", false
	}
	return [...]string{1: "DD", 2: "AU", 3: "UD", 4: "UA", 5: "DU", 6: "AA", 7: "UU"}[mascara], true
}

// bajo says whether a path lies in a directory, by name.
func bajo(ruta, dir string) bool { return strings.HasPrefix(ruta, dir+"/") }

func esEnlaceGit(m filemode.FileMode) bool { return m == filemode.Submodule }
