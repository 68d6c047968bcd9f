//go:build !race

package mcp_test

const vecesLaMemoria = 1
