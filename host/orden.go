package host

import (
	"cmp"
	"slices"
)

// ordenarPor sorts by a text, by code point.
func ordenarPor[T any](xs []T, de func(T) string) {
	slices.SortStableFunc(xs, func(a, b T) int { return cmp.Compare(de(a), de(b)) })
}
