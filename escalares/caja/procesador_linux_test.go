package caja_test

import (
	"syscall"
	"testing"
	"time"
)

// procesador returns the processor this process has used.
func procesador(t *testing.T) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
