package nucleo

// LlamadasDeCaja are the system calls a box needs once its limits are set:
// memory, threads, clocks, signals to itself and its three pipes. It has no
// way to open, connect, fork or execute.
func LlamadasDeCaja() []string {
	return []string{
		"read", "write", "close",
		"mmap", "munmap", "mprotect", "madvise", "mremap", "brk",
		"futex", "sched_yield", "sched_getaffinity",
		"nanosleep", "clock_nanosleep", "clock_gettime", "clock_getres", "gettimeofday",
		"rt_sigprocmask", "rt_sigaction", "rt_sigreturn", "sigaltstack",
		"gettid", "getpid", "tgkill", "exit", "exit_group", "restart_syscall",
		"epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_wait", "eventfd2",
		"getrandom", "set_robust_list", "rseq",
	}
}

// LlamadasDeServidor are the system calls the server needs: those of the box
// and reading files. Opening is allowed only for reading and is added by
// [Filtrar].
func LlamadasDeServidor() []string {
	return append(LlamadasDeCaja(),
		// reading a tree
		"readv", "writev", "pread64", "lseek", "fstat", "newfstatat", "fstatat64", "statx", "fstatfs",
		"getdents64", "readlink", "readlinkat", "getcwd", "fcntl", "fadvise64", "stat", "lstat",
		"access", "faccessat", "faccessat2",
		// who and where one is
		"getuid", "geteuid", "getgid", "getegid", "getppid", "uname", "sysinfo", "getrusage", "times",
		"getrlimit", "poll", "ppoll", "pipe2", "dup", "dup2", "dup3", "prctl",
	)
}

// LlamadasDeCrianza are the system calls for starting, watching and ending a
// box, and those the box makes on itself before its own filter.
func LlamadasDeCrianza() []string {
	return []string{
		"clone3", "vfork", "execve", "wait4", "waitid", "pidfd_open", "pidfd_send_signal", "kill", "close_range",
		"arch_prctl", "set_tid_address", "seccomp", "landlock_create_ruleset", "landlock_add_rule",
		"landlock_restrict_self", "prlimit64", "setrlimit",
	}
}
