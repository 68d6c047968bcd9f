package estrella

import (
	"go.starlark.net/starlark"
)

// integradas returns Starlark's built-ins with those that walk a whole
// sequence in one step replaced by ones that first pay a step an element: the
// interpreter's count would let max(range(2**62)) run for ever.
func integradas() starlark.StringDict {
	d := make(starlark.StringDict)
	for _, nombre := range []string{
		"all", "any", "bytes", "dict", "enumerate", "list", "max", "min",
		"reversed", "sorted", "tuple", "zip",
	} {
		original := starlark.Universe[nombre].(*starlark.Builtin)
		d[nombre] = starlark.NewBuiltin(nombre, func(t *starlark.Thread, _ *starlark.Builtin, args starlark.Tuple, kwargs []starlark.Tuple) (starlark.Value, error) {
			if err := cobrar(t, recorrido(args, kwargs)); err != nil {
				return nil, err
			}
			return original.CallInternal(t, args, kwargs)
		})
	}
	return d
}

// recorrido is how many elements a call may walk, bounded by what cannot
// overflow.
func recorrido(args starlark.Tuple, kwargs []starlark.Tuple) int {
	const tope = 1 << 62
	total := 0
	sumar := func(v starlark.Value) {
		if _, esTexto := v.(starlark.String); esTexto {
			return
		}
		if n := starlark.Len(v); n > 0 {
			total = min(total, tope-1) + min(n, tope-1)
			total = min(total, tope)
		}
	}
	for _, a := range args {
		sumar(a)
	}
	for _, k := range kwargs {
		sumar(k[1])
	}
	return total
}
