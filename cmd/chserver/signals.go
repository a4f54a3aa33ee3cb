package main

import (
	"fmt"
	"syscall"
	"unsafe"

	"github.com/ebitengine/purego"
)

// runtimeSignals are the ones whose Go handlers the engine would replace or
// reset. Without them a nil dereference hangs the process instead of panicking.
var runtimeSignals = []syscall.Signal{
	syscall.SIGILL, syscall.SIGABRT, syscall.SIGFPE, syscall.SIGBUS,
	syscall.SIGSEGV, syscall.SIGTRAP, syscall.SIGSYS, syscall.SIGTSTP,
	syscall.SIGTERM, syscall.SIGINT, syscall.SIGPIPE, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGURG,
}

// sigactionSize is sizeof(struct sigaction) of glibc on 64-bit Linux.
const sigactionSize = 152

// keepGoSignalHandlers tells the engine not to install its own handlers. That
// call itself resets them all, so Go's are saved before and put back after.
// It must run before the first connection.
func keepGoSignalHandlers(lib *library) error {
	process, err := purego.Dlopen("", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return fmt.Errorf("open process symbols: %w", err)
	}
	var sigaction func(signal int32, action, old unsafe.Pointer) int32
	purego.RegisterLibFunc(&sigaction, process, "sigaction")

	saved := make([][sigactionSize]byte, len(runtimeSignals))
	for i, signal := range runtimeSignals {
		if sigaction(int32(signal), nil, unsafe.Pointer(&saved[i])) != 0 {
			return fmt.Errorf("save handler of %v", signal)
		}
	}
	lib.enableSignalHandlers(0)
	for i, signal := range runtimeSignals {
		if sigaction(int32(signal), unsafe.Pointer(&saved[i]), nil) != 0 {
			return fmt.Errorf("restore handler of %v", signal)
		}
	}
	return nil
}
