package enginestest

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// Hang stops a process and its children as they are, until resume or the end of the test.
func Hang(t testing.TB, pid int) (resume func()) {
	t.Helper()
	var stopped []int
	resume = sync.OnceFunc(func() {
		slices.Reverse(stopped)
		for _, pid := range stopped {
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	})
	t.Cleanup(resume)
	stop := func(pid int) {
		if syscall.Kill(pid, syscall.SIGSTOP) == nil {
			stopped = append(stopped, pid)
		}
	}
	// The parent first: it makes no more children then.
	stop(pid)
	for _, child := range childrenOf(t, pid) {
		stop(child)
	}
	return resume
}

func childrenOf(t testing.TB, parent int) (children []int) {
	t.Helper()
	processes, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes {
		pid, err := strconv.Atoi(p.Name())
		if err != nil {
			continue
		}
		// The parent is the second field after the name in parentheses.
		stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:])); len(fields) > 1 && fields[1] == strconv.Itoa(parent) {
			children = append(children, pid)
		}
	}
	return children
}
