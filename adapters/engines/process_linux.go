package engines

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
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

// Scheduled says how often the threads of a process were given a processor: one that hangs gets none. It is 0
// where the kernel does not count.
func Scheduled(pid int) (times int64) {
	threads, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, thread := range threads {
		var ran, waited, n int64
		if text, err := os.ReadFile(thread); err == nil {
			_, _ = fmt.Sscan(string(text), &ran, &waited, &n)
			times += n
		}
	}
	return times
}

// backendsIn lists the living processes of PostgreSQL that have dir as their working directory.
func backendsIn(dir string) (pids []int) {
	programs, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range programs {
		program, err := os.Readlink(link)
		if err != nil || strings.TrimSuffix(filepath.Base(program), " (deleted)") != "postgres" {
			continue
		}
		if pid, err := strconv.Atoi(strings.Split(link, "/")[2]); err == nil && worksIn(pid, dir) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// listenerOf finds the process that listens on a port of this machine; 0 where it belongs to another
// user, or to nobody that can be seen.
func listenerOf(port int) (pid int) {
	sockets := map[string]bool{}
	for _, table := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, err := os.ReadFile(table)
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			// Local address, remote address, state (0A: listens), …, inode.
			fields := strings.Fields(line)
			if len(fields) > 9 && fields[3] == "0A" && strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", port)) {
				sockets["socket:["+fields[9]+"]"] = true
			}
		}
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil && sockets[target] {
			pid, _ = strconv.Atoi(strings.Split(link, "/")[2])
			return pid
		}
	}
	return 0
}

// folderOf is where a process runs; empty where that cannot be seen.
func folderOf(pid int) string {
	folder, _ := os.Readlink(fmt.Sprintf("/proc/%d/cwd", pid))
	return folder
}

// commandOf is how a process was called; empty where that cannot be seen.
func commandOf(pid int) string {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return ""
	}
	words := strings.Split(strings.TrimRight(string(text), "\x00"), "\x00")
	words[0] = filepath.Base(words[0])
	// The second word tells commands of one program apart; what follows may be a secret.
	return strings.Join(words[:min(2, len(words))], " ")
}
