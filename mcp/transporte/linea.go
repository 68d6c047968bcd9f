package transporte

import (
	"bufio"
	"errors"
	"io"
)

// errLineaLarga says that a line was longer than the limit. It was read to its
// end and thrown away, so the next call starts at the next line.
var errLineaLarga = errors.New("transporte: line too long")

// lineas cuts a stream into lines of at most max bytes, the newline not counted.
type lineas struct {
	r   *bufio.Reader
	max int
}

func newLineas(r io.Reader, max int) *lineas {
	return &lineas{r: bufio.NewReaderSize(r, 64<<10), max: max}
}

// siguiente returns the next line without its newline, in memory of its own. A
// last line without newline counts. The error is io.EOF after the last line,
// errLineaLarga, or the reader's.
func (l *lineas) siguiente() ([]byte, error) {
	var linea []byte
	larga := false
	for {
		trozo, err := l.r.ReadSlice('\n')
		fin := err == nil
		if fin {
			trozo = trozo[:len(trozo)-1]
		}
		larga = larga || len(linea)+len(trozo) > l.max
		if larga {
			linea = nil
		} else {
			linea = append(linea, trozo...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(linea) == 0 && !larga:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, err
		case larga:
			return nil, errLineaLarga
		}
		return linea, nil
	}
}
