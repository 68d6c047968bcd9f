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
	return enBytes(u)
}

// picoPropio returns the peak resident memory of this process so far, in bytes.
// A child's counts what its parent had when it was started.
func picoPropio() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return enBytes(&u)
}

func enBytes(u *syscall.Rusage) int64 {
	if runtime.GOOS == "darwin" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
