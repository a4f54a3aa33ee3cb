//go:build unix && !linux

package engines

import (
	"os/exec"
	"strconv"
	"strings"
	"syscall"
)

// libraryPath is the variable by which the loader finds shared libraries.
const libraryPath = "DYLD_LIBRARY_PATH"

// childAttributes makes a child of its own process group, with the given user. Only Linux signals it when its parent
// dies; elsewhere the next supervisor ends it.
func childAttributes(u *user, _ syscall.Signal) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if u != nil {
		attr.Credential = &syscall.Credential{Uid: u.uid, Gid: u.gid}
	}
	return attr
}

// startTime names the moment a living process started; it is empty when there is no such process or only a
// zombie. Together with the process id it names a process for ever.
func startTime(pid int) string {
	out, err := exec.Command("ps", "-o", "stat=,lstart=", "-p", strconv.Itoa(pid)).Output()
	state, start, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	if err != nil || strings.HasPrefix(state, "Z") {
		return ""
	}
	return strings.TrimSpace(start)
}

// worksIn tells whether a living process of that id is a postmaster on dir.
func worksIn(pid int, dir string) bool {
	out, err := exec.Command("ps", "-o", "command=", "-p", strconv.Itoa(pid)).Output()
	return err == nil && strings.Contains(string(out), "postgres") && strings.Contains(string(out), dir)
}

// Scheduled, backendsIn, listenerOf, folderOf and commandOf are known on Linux alone.
func Scheduled(int) int64 { return 0 }

func folderOf(int) string { return "" }

func backendsIn(string) []int { return nil }

func listenerOf(int) int { return 0 }

func commandOf(int) string { return "" }
