package transporte

import (
	"io"
	"sync"
)

// adelanto reads ahead of the gate, up to a bound, so that the end of the input is
// seen even while the gate does not want more lines: a client that closed its end
// and never reads would otherwise be waited for without end. The bound is what a
// pipe can hold, so whatever a client that is gone had left fits.
type adelanto struct {
	mu     sync.Mutex
	cambio *sync.Cond
	bytes  []byte
	max    int
	err    error // why there is no more, once bytes is empty
}

// newAdelanto starts to read r; fin is called once, when r has no more.
func newAdelanto(r io.Reader, max int, fin func()) *adelanto {
	a := &adelanto{max: max}
	a.cambio = sync.NewCond(&a.mu)
	go a.llenar(r, fin)
	return a
}

func (a *adelanto) llenar(r io.Reader, fin func()) {
	trozo := make([]byte, min(a.max, 64<<10))
	for {
		n, err := r.Read(trozo[:a.lugar(len(trozo))])
		a.mu.Lock()
		a.bytes = append(a.bytes, trozo[:n]...)
		a.err = err
		a.cambio.Broadcast()
		a.mu.Unlock()
		if err != nil {
			fin()
			return
		}
	}
}

// lugar waits for room and returns how much there is, at most tope.
func (a *adelanto) lugar(tope int) int {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.bytes) >= a.max {
		a.cambio.Wait()
	}
	return min(tope, a.max-len(a.bytes))
}

// Read implements [io.Reader].
func (a *adelanto) Read(p []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.bytes) == 0 && a.err == nil {
		a.cambio.Wait()
	}
	if len(a.bytes) == 0 {
		return 0, a.err
	}
	n := copy(p, a.bytes)
	a.bytes = a.bytes[n:]
	if len(a.bytes) == 0 {
		a.bytes = nil
	}
	a.cambio.Broadcast()
	return n, nil
}
