package docugraph

import "github.com/go-json-experiment/json"

// JSON writes a result of this package on one line: properties in declared order, nothing escaped that need not be
// (especificacion/codigos.md §3). It fails only on what this package never builds.
func JSON(v any) ([]byte, error) { return json.Marshal(v) }
