//go:build race

package mcp_test

// The race detector multiplies what a program keeps: the bound is on the program.
const vecesLaMemoria = 3
