package docugraph

import "fmt"

// Limites bounds what one load or one answer may spend. The zero value of a field means the default written beside it, never
// «no limit».
type Limites struct {
	BytesPorArchivo    int64 // of one document; 4 MiB
	BytesTotales       int64 // of all documents together, in path order; 512 MiB
	BytesDeFrontmatter int   // of one YAML block; 64 KiB
	Documentos         int   // Markdown files in the tree; 250.000
	Entradas           int   // directory entries visited; 2.000.000
	Profundidad        int   // nested directories; 100
	FilasAlcanzable    int   // rows of the relation «alcanzable»; 100.000
	PasosDeHechos      int   // edges followed while computing facts; 200.000.000
}

func (l Limites) conOmision() Limites {
	omitir(&l.BytesPorArchivo, 4<<20)
	omitir(&l.BytesTotales, 512<<20)
	omitir(&l.BytesDeFrontmatter, 64<<10)
	omitir(&l.Documentos, 250_000)
	omitir(&l.Entradas, 2_000_000)
	omitir(&l.Profundidad, 100)
	omitir(&l.FilasAlcanzable, 100_000)
	omitir(&l.PasosDeHechos, 200_000_000)
	return l
}

func omitir[T int | int64](campo *T, valor T) {
	if *campo <= 0 {
		*campo = valor
	}
}

// LimiteError says that a whole operation was refused because it would have gone past one of [Limites].
type LimiteError struct {
	Nombre    string
	Observado int64 // the first amount seen past the limit, not necessarily the total
	Limite    int64
}

func (e *LimiteError) Error() string {
	return fmt.Sprintf("se pasó del límite %s: %d, y el tope es %d", e.Nombre, e.Observado, e.Limite)
}
