//go:build unix

package caja

import (
	"os"
	"runtime"
	"syscall"
)

// picoDe returns the peak resident memory of a process that ended, in bytes.
func picoDe(e *os.ProcessState) int64 {
	if e == nil {
		return 0
	}
	u, ok := e.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
