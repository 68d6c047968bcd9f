//go:build !linux

package caja

import "syscall"

// atributos are the usual ones: a child ends when its pipe does.
func atributos() *syscall.SysProcAttr { return nil }
