package tareas_test

import (
	"syscall"
	"testing"
	"time"
)

func fecha(seg int64) time.Time { return time.Unix(seg, 0) }

func fifo(t testing.TB, ruta string) {
	t.Helper()
	if err := syscall.Mkfifo(ruta, 0o644); err != nil {
		t.Fatal(err)
	}
}
