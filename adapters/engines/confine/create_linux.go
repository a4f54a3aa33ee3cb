package confine

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/unix"

	"bitacora/domain/fault"
)

// DenyNewDatabases keeps the calling thread, and what it starts from now on, from making files
// as SQLite does, which is the only one in ClickHouse that makes them without following links.
// ClickHouse's table function sqlite makes the file that it is asked for before it looks at
// the grants of who asks; an empty one among its own keeps the server from starting again.
//
// The caller must be locked to its thread.
func DenyNewDatabases() error {
	const (
		number = 0        // of the system call, in its description
		flags  = 16 + 2*8 // the low half of its third argument
		making = unix.O_CREAT | unix.O_NOFOLLOW
	)
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: number},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_OPENAT, Jf: 4},
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_ALU | unix.BPF_AND | unix.BPF_K, K: making},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: making, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ERRNO | uint32(unix.EACCES)},
		{Code: unix.BPF_RET | unix.BPF_K, K: unix.SECCOMP_RET_ALLOW},
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	filter := unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]}
	return fault.Wrap(unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&filter)), 0, 0), "filter system calls")
}
