package transporte

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// colgo returns a function that tells whether the client closed its end of in,
// even with lines left to read. It is nil when in is not something that can be
// asked without reading it.
func colgo(in io.Reader) func() bool {
	f, ok := in.(*os.File)
	if !ok {
		return nil
	}
	conexion, err := f.SyscallConn()
	if err != nil {
		return nil
	}
	return func() bool {
		var colgado bool
		err := conexion.Control(func(fd uintptr) {
			fds := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLRDHUP}}
			n, err := unix.Poll(fds, 0)
			colgado = err == nil && n == 1 && fds[0].Revents&(unix.POLLHUP|unix.POLLRDHUP) != 0
		})
		return err == nil && colgado
	}
}
