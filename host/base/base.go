// Package base holds the catalog that comes inside the program: measures over
// the facts the language emits about itself, and the cases that fix them.
//
// It is data: nothing here reads a measure. Paths are «oracle:/…», as
// fingerprints and answers show them (especificación «proyecto» §7 and §8).
package base

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed all:datos
var datos embed.FS

// Archivo is an embedded file.
type Archivo struct {
	Ruta  string // «oracle:/catalogos/…»
	Texto []byte
}

// Jueza is the id of the measure that decides fixation, and RutaDeLaJueza its
// file.
const (
	Jueza         = "meta.toda_medida_esta_ejercitada"
	RutaDeLaJueza = "oracle:/catalogos/meta/toda_medida_esta_ejercitada.oracle"
)

// Catalogo returns the measures of the base catalog, by path.
func Catalogo() []Archivo { return bajo("datos/catalogos", ".oracle") }

// Corpus returns the cases of the base catalog, by path.
func Corpus() []Archivo { return bajo("datos/corpus", ".caso") }

// Perfil returns the measures of an embedded profile, nil when there is none
// with that name.
func Perfil(nombre string) []Archivo {
	if strings.Contains(nombre, "/") {
		return nil
	}
	return bajo("datos/perfiles/"+nombre+"/catalogos", ".oracle")
}

// bajo returns the files under a directory with an extension, by path.
func bajo(dir, extension string) []Archivo {
	var as []Archivo
	// The only error is a directory that is not there, which has no files.
	fs.WalkDir(datos, dir, func(ruta string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(ruta, extension) {
			return err
		}
		texto, err := datos.ReadFile(ruta)
		if err != nil {
			return err
		}
		as = append(as, Archivo{"oracle:/" + strings.TrimPrefix(ruta, "datos/"), texto})
		return nil
	})
	return as
}
