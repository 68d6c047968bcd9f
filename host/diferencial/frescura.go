package diferencial

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/oracle-mcp/oracle-mcp/algebra"
	"github.com/oracle-mcp/oracle-mcp/host/estricto"
)

// Frescura says of what a differential was obtained.
type Frescura struct {
	RaizPadre     bool     // sources are relative to the parent of the root
	Emisor        []string // files or directories, relative to that root
	Referencia    []string
	Configuracion estricto.Valor
	Huellas       Huellas
}

// Huellas are the four fingerprints, in hexadecimal.
type Huellas struct{ Emisor, Referencia, Catalogo, Configuracion string }

var formaDeHuella = regexp.MustCompile(`^[0-9a-f]{64}$`)

func leerFrescura(v estricto.Valor) (f Frescura, err error) {
	m, err := v.Objeto([]string{"algoritmo", "raiz_fuentes", "fuentes", "configuracion", "huellas"}, nil)
	if err != nil {
		return f, err
	}
	if s, err := m["algoritmo"].Texto(); err != nil || s != "sha256" {
		return f, m["algoritmo"].Error("se esperaba «sha256»")
	}
	switch s, err := m["raiz_fuentes"].Texto(); {
	case err == nil && s == "..":
		f.RaizPadre = true
	case err != nil || s != ".":
		return f, m["raiz_fuentes"].Error("se esperaba «.» o «..»")
	}
	fuentes, err := m["fuentes"].Objeto([]string{"emisor", "referencia"}, nil)
	if err != nil {
		return f, err
	}
	if f.Emisor, err = leerRutas(fuentes["emisor"]); err != nil {
		return f, err
	}
	if f.Referencia, err = leerRutas(fuentes["referencia"]); err != nil {
		return f, err
	}
	if f.Configuracion = m["configuracion"]; !f.Configuracion.EsObjeto() {
		return f, f.Configuracion.Error("se esperaba un objeto")
	}
	huellas, err := m["huellas"].Objeto([]string{"emisor", "referencia", "catalogo", "configuracion"}, nil)
	if err != nil {
		return f, err
	}
	for _, x := range []struct {
		clave string
		donde *string
	}{
		{"emisor", &f.Huellas.Emisor}, {"referencia", &f.Huellas.Referencia},
		{"catalogo", &f.Huellas.Catalogo}, {"configuracion", &f.Huellas.Configuracion},
	} {
		if *x.donde, err = huellas[x.clave].Texto(); err != nil || !formaDeHuella.MatchString(*x.donde) {
			return f, huellas[x.clave].Error("se esperaban 64 cifras hexadecimales en minúscula")
		}
	}
	return f, nil
}

// leerRutas reads a path or a list of them, relative and without «..».
func leerRutas(v estricto.Valor) ([]string, error) {
	var rs []string
	if v.EsLista() {
		var err error
		if rs, err = v.Textos(); err != nil {
			return nil, err
		}
	} else {
		s, err := v.TextoNoVacio()
		if err != nil {
			return nil, err
		}
		rs = []string{s}
	}
	for i, r := range rs {
		limpia := path.Clean(r)
		if path.IsAbs(r) || limpia == ".." || strings.HasPrefix(limpia, "../") || strings.Contains(r, "\\") {
			return nil, v.Error("«%s» sale de la raíz de las fuentes", algebra.Citar(r))
		}
		rs[i] = limpia
	}
	return rs, nil
}

// Fuentes reads the sources a fingerprint covers. It returns every file under
// the given paths, with its path from the root of the sources.
type Fuentes interface {
	// Archivos calls f with each file under a path, a file or a directory.
	Archivos(ruta string, f func(ruta string, texto []byte)) error
}

// Vigente compares the four fingerprints with what there is now. motivo is ""
// when all agree, and else says which does not. forma returns the canonical
// form a measure has now, and whether there is such a measure. The error is
// that of reading the sources.
func (d *Diferencial) Vigente(fuentes Fuentes, forma func(id string) (algebra.Nodo, bool)) (motivo string, err error) {
	f := &d.Frescura
	configuracion, err := f.Configuracion.AppendCanonico(nil)
	if err != nil {
		return "", err
	}
	if sumar(configuracion) != f.Huellas.Configuracion {
		return "la huella de la configuración no coincide", nil
	}
	catalogo, falta := d.catalogo(forma)
	if falta != "" {
		return fmt.Sprintf("usa «%s», que ya no existe", algebra.Citar(falta)), nil
	}
	if sumar(catalogo) != f.Huellas.Catalogo {
		return "la huella del catálogo no coincide: alguna de sus medidas cambió", nil
	}
	for _, x := range []struct {
		que, huella string
		rutas       []string
	}{{"del emisor", f.Huellas.Emisor, f.Emisor}, {"de la referencia", f.Huellas.Referencia, f.Referencia}} {
		firma, err := FirmaDeArchivos(fuentes, x.rutas)
		if err != nil {
			return "", err
		}
		if firma != x.huella {
			return "la huella " + x.que + " no coincide: sus archivos cambiaron", nil
		}
	}
	return "", nil
}

// catalogo is the canonical JSON of {id: form} of the measures used.
func (d *Diferencial) catalogo(forma func(id string) (algebra.Nodo, bool)) (b []byte, falta string) {
	ids := slices.Clone(d.Medidas)
	slices.Sort(ids)
	b = []byte{'{'}
	for i, id := range ids {
		n, hay := forma(id)
		if !hay {
			if n, hay = d.Declaradas[id]; !hay {
				return nil, id
			}
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = n.AppendJSON(append(algebra.AppendTexto(b, id), ':'))
	}
	return append(b, '}'), ""
}

// FirmaDeArchivos is the fingerprint of the files under some paths: the
// SHA-256 of the canonical JSON of [{ruta, sha256}…] ordered by path, without
// hidden files nor __pycache__.
func FirmaDeArchivos(fuentes Fuentes, rutas []string) (string, error) {
	sumas := map[string]string{}
	for _, r := range rutas {
		if err := fuentes.Archivos(r, func(ruta string, texto []byte) {
			if !oculto(ruta) {
				sumas[ruta] = sumar(texto)
			}
		}); err != nil {
			return "", err
		}
	}
	orden := make([]string, 0, len(sumas))
	for r := range sumas {
		orden = append(orden, r)
	}
	slices.Sort(orden)
	b := []byte{'['}
	for i, r := range orden {
		if i > 0 {
			b = append(b, ',')
		}
		b = algebra.AppendTexto(append(b, `{"ruta":`...), r)
		b = algebra.AppendTexto(append(b, `,"sha256":`...), sumas[r])
		b = append(b, '}')
	}
	return sumar(append(b, ']')), nil
}

func oculto(ruta string) bool {
	for parte := range strings.SplitSeq(ruta, "/") {
		if strings.HasPrefix(parte, ".") || parte == "__pycache__" {
			return true
		}
	}
	return false
}

func sumar(b []byte) string {
	s := sha256.Sum256(b)
	return hex.EncodeToString(s[:])
}
