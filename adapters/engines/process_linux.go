package engines

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// libraryPath is the variable by which the loader finds shared libraries.
const libraryPath = "LD_LIBRARY_PATH"

// childAttributes makes a child of its own process group, with the given user, that dies with its parent.
func childAttributes(u *user, death syscall.Signal) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true, Pdeathsig: death}
	if u != nil {
		attr.Credential = &syscall.Credential{Uid: u.uid, Gid: u.gid}
	}
	return attr
}

// startTime names the moment a living process started; it is empty when there is no such process or only a
// zombie. Together with the process id it names a process for ever.
func startTime(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	// The program's name, in parentheses, may itself hold spaces and parentheses.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 20 || fields[0] == "Z" || fields[0] == "X" {
		return ""
	}
	return fields[19]
}

// worksIn tells whether a living process of that id has dir as its working directory.
func worksIn(pid int, dir string) bool {
	cwd, err := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return err == nil && cwd == dir && startTime(pid) != ""
}
