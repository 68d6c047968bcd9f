package caja

import "syscall"

// atributos make a child end with the thread that started it.
func atributos() *syscall.SysProcAttr { return &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL} }
