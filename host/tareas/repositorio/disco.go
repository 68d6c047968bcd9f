package repositorio

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/go-git/go-billy/v6"

	"github.com/oracle-mcp/oracle-mcp/host/tareas/lector"
)

// disco is what go-git sees as the repository's disk: a Lector and no way to
// write. Everything but the objects is read whole, so that whoever wraps the
// Lector can note it; alternates are never there, whatever the file says.
type disco struct{ l lector.Lector }

var _ billy.Filesystem = disco{}

const (
	rutaAlternos   = "objects/info/alternates"
	topeReferencia = 64 << 20 // packed-refs of a very large repository
)

func normal(ruta string) string {
	ruta = strings.TrimPrefix(path.Clean("/"+ruta), "/")
	if ruta == "" {
		return "."
	}
	return ruta
}

func (d disco) Open(ruta string) (billy.File, error) {
	ruta = normal(ruta)
	if ruta == rutaAlternos {
		return nil, &fs.PathError{Op: "open", Path: ruta, Err: fs.ErrNotExist}
	}
	if strings.HasPrefix(ruta, "objects/") {
		f, err := d.l.Open(ruta)
		if err != nil {
			return nil, err
		}
		return archivo{f, ruta}, nil
	}
	datos, err := d.l.ReadFile(ruta, topeReferencia)
	if err != nil {
		return nil, err
	}
	info, err := d.l.Lstat(ruta)
	if err != nil {
		return nil, err
	}
	return archivo{enMemoria{bytes.NewReader(datos), info}, ruta}, nil
}

func (d disco) OpenFile(ruta string, modo int, _ fs.FileMode) (billy.File, error) {
	if modo&(os.O_WRONLY|os.O_RDWR|os.O_CREATE|os.O_TRUNC|os.O_APPEND) != 0 {
		return nil, billy.ErrReadOnly
	}
	return d.Open(ruta)
}

func (d disco) Stat(ruta string) (fs.FileInfo, error)  { return d.l.Lstat(normal(ruta)) }
func (d disco) Lstat(ruta string) (fs.FileInfo, error) { return d.l.Lstat(normal(ruta)) }
func (d disco) Readlink(ruta string) (string, error)   { return d.l.Readlink(normal(ruta)) }
func (d disco) ReadDir(ruta string) ([]fs.DirEntry, error) {
	return d.l.ReadDir(normal(ruta), topeDirectorio)
}
func (d disco) Join(partes ...string) string { return path.Join(partes...) }
func (d disco) Root() string                 { return "/" }

func (d disco) Create(string) (billy.File, error)           { return nil, billy.ErrReadOnly }
func (d disco) TempFile(string, string) (billy.File, error) { return nil, billy.ErrReadOnly }
func (d disco) Rename(string, string) error                 { return billy.ErrReadOnly }
func (d disco) Remove(string) error                         { return billy.ErrReadOnly }
func (d disco) MkdirAll(string, fs.FileMode) error          { return billy.ErrReadOnly }
func (d disco) Symlink(string, string) error                { return billy.ErrReadOnly }
func (d disco) Chroot(string) (billy.Filesystem, error)     { return nil, billy.ErrNotSupported }
func (d disco) Capabilities() billy.Capability {
	return billy.ReadCapability | billy.SeekCapability
}

// archivo is an open file that refuses to be written.
type archivo struct {
	lector.Archivo
	nombre string
}

func (a archivo) Name() string                       { return a.nombre }
func (a archivo) Write([]byte) (int, error)          { return 0, billy.ErrReadOnly }
func (a archivo) WriteAt([]byte, int64) (int, error) { return 0, billy.ErrReadOnly }
func (a archivo) Truncate(int64) error               { return billy.ErrReadOnly }

// enMemoria is a small file already read.
type enMemoria struct {
	*bytes.Reader
	info fs.FileInfo
}

var _ io.ReaderAt = enMemoria{}

func (m enMemoria) Stat() (fs.FileInfo, error) { return m.info, nil }
func (m enMemoria) Close() error               { return nil }
