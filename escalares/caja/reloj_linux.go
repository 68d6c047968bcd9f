package caja

import (
	"time"

	"golang.org/x/sys/unix"
)

// procesadorDe returns how much processor a child has used since it started,
// through the clock the kernel keeps of each process: unlike /proc, it can be
// read from inside a confined server. The second result is false when the child
// is gone.
func procesadorDe(pid int) (time.Duration, bool) {
	const relojDeProceso = 2 // CPUCLOCK_SCHED, of the whole process
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|relojDeProceso), &ts); err != nil {
		return 0, false
	}
	return time.Duration(ts.Nano()), true
}
