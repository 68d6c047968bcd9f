package mcp

import (
	"context"
	"encoding/json"

	"golang.org/x/sync/semaphore"
)

// porByte is how many bytes of memory a byte of arguments may turn into while a
// call reads it: the line, its copies, and evidence at its worst, a million
// fields or relations with one value each. Ordinary evidence takes five or six.
const porByte = 40

// ConMemoria returns the same server with its calls under one ceiling of
// memory, in bytes: what a call may come to take, operacion for each evaluation
// it may have going and what reading its arguments does, is taken from it when
// the call starts, and one that does not fit waits its turn (codigos §2). Waiting
// ends with the call's context.
func ConMemoria(s Servidor, techo, operacion int64) Servidor {
	turnos := semaphore.NewWeighted(techo)
	herramientas := make([]Herramienta, len(s.Herramientas))
	for i, h := range s.Herramientas {
		llamar := h.Llamar
		h.Llamar = func(ctx context.Context, args json.RawMessage, avance Avance) (Resultado, error) {
			n := min(techo, int64(max(h.Simultaneas, 1))*operacion+porByte*int64(len(args)))
			if err := turnos.Acquire(ctx, n); err != nil {
				return Resultado{}, err
			}
			defer turnos.Release(n)
			return llamar(ctx, args, avance)
		}
		herramientas[i] = h
	}
	s.Herramientas = herramientas
	return s
}
