package repositorio

import (
	"io/fs"
	"syscall"
	"time"
)

// statDe is what the system keeps of a file besides its FileInfo.
type statDe struct {
	ctime         time.Time
	ino, uid, gid uint32
}

func leerStat(info fs.FileInfo) (statDe, bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return statDe{}, false
	}
	// The index keeps 32 bits of an inode.
	return statDe{time.Unix(int64(s.Ctim.Sec), int64(s.Ctim.Nsec)), uint32(s.Ino), s.Uid, s.Gid}, true
}
