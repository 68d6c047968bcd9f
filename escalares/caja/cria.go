package caja

import "runtime"

// cria is a thread of the system that starts and ends the children of a box.
// Landlock confines each thread of a process on its own, and lets one signal
// only what it started: a child ended from another thread would live on.
type cria struct {
	ordenes chan func()
	fin     chan struct{}
}

func nuevaCria() *cria {
	k := &cria{ordenes: make(chan func()), fin: make(chan struct{})}
	go func() {
		// Never unlocked: the thread ends with the goroutine.
		runtime.LockOSThread()
		for f := range k.ordenes {
			f()
		}
		close(k.fin)
	}()
	return k
}

// hacer runs f on the thread and waits for it.
func (k *cria) hacer(f func()) {
	hecho := make(chan struct{})
	k.ordenes <- func() {
		defer close(hecho)
		f()
	}
	<-hecho
}

// cerrar ends the thread. No one may use it any more.
func (k *cria) cerrar() {
	close(k.ordenes)
	<-k.fin
}
