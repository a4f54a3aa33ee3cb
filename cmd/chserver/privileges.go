package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"
	"golang.org/x/sys/unix"
)

// dropPrivileges gives up root for good, in every thread of the process: the
// C library changes its own threads and Go's, which it has created. It must be
// called by the main goroutine, locked to its thread.
func dropPrivileges(uid, gid int) error {
	process, err := purego.Dlopen("", purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return fmt.Errorf("open process symbols: %w", err)
	}
	var setgroups func(count uintptr, groups unsafe.Pointer) int32
	var setresgid, setresuid func(real, effective, saved uint32) int32
	purego.RegisterLibFunc(&setgroups, process, "setgroups")
	purego.RegisterLibFunc(&setresgid, process, "setresgid")
	purego.RegisterLibFunc(&setresuid, process, "setresuid")

	// The kernel forgets which signal the parent's death sends.
	deathSignal, parent := 0, os.Getppid()
	if err := unix.Prctl(unix.PR_GET_PDEATHSIG, uintptr(unsafe.Pointer(&deathSignal)), 0, 0, 0); err != nil {
		return fmt.Errorf("read death signal: %w", err)
	}
	switch {
	case setgroups(0, nil) != 0:
		return errors.New("drop groups: not permitted")
	case setresgid(uint32(gid), uint32(gid), uint32(gid)) != 0:
		return fmt.Errorf("become group %d: not permitted", gid)
	case setresuid(uint32(uid), uint32(uid), uint32(uid)) != 0:
		return fmt.Errorf("become user %d: not permitted", uid)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	if deathSignal != 0 {
		if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(deathSignal), 0, 0, 0); err != nil {
			return fmt.Errorf("set death signal: %w", err)
		}
		if os.Getppid() != parent {
			return errors.New("the parent process is gone")
		}
	}
	runtime.KeepAlive(&deathSignal)
	return checkThreads(uid, gid)
}

// checkThreads reads back what the kernel thinks every thread is.
func checkThreads(uid, gid int) error {
	tasks, err := filepath.Glob("/proc/self/task/*/status")
	if err != nil || len(tasks) == 0 {
		return errors.New("check threads: /proc shows none")
	}
	want := map[string]string{
		"Uid:":    fmt.Sprintf("%d %d %d %d", uid, uid, uid, uid),
		"Gid:":    fmt.Sprintf("%d %d %d %d", gid, gid, gid, gid),
		"Groups:": "",
	}
	for _, task := range tasks {
		status, err := os.ReadFile(task)
		if errors.Is(err, os.ErrNotExist) || errors.Is(err, unix.ESRCH) {
			continue
		}
		if err != nil {
			return fmt.Errorf("check threads: %w", err)
		}
		for line := range strings.Lines(string(status)) {
			fields := strings.Fields(line)
			if len(fields) == 0 {
				continue
			}
			if expected, ok := want[fields[0]]; ok && strings.Join(fields[1:], " ") != expected {
				return fmt.Errorf("check threads: %s has %q", task, strings.TrimSpace(line))
			}
		}
	}
	return nil
}
