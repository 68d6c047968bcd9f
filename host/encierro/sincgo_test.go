//go:build !cgo

package encierro_test

// dinamico: this test binary may need files to start.
const dinamico = false
