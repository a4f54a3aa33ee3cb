package bench

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// family are a process and all that it started.
func family(b *testing.B, pid int) []int {
	b.Helper()
	all := []int{pid}
	tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		b.Fatal(err)
	}
	for _, task := range tasks {
		children, _ := os.ReadFile(task)
		for _, child := range strings.Fields(string(children)) {
			id, err := strconv.Atoi(child)
			if err != nil {
				b.Fatal(err)
			}
			all = append(all, family(b, id)...)
		}
	}
	return all
}

// proportional is the memory of processes, in MiB. A page that several processes
// share counts for each by its part (PSS); one that ended meanwhile has none.
func proportional(b *testing.B, pids []int) float64 {
	b.Helper()
	sum := 0.0
	for _, pid := range pids {
		rollup, _ := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if _, rest, found := strings.Cut(string(rollup), "\nPss:"); found {
			sum += kibibytes(b, rest)
		}
	}
	return sum
}

// processor is how long processes have had the processor, with what they started and that has ended.
func processor(b *testing.B, pids []int) time.Duration {
	b.Helper()
	var sum time.Duration
	for _, pid := range pids {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue
		}
		// After the name in parentheses, from the 12th field on, in hundredths of a second.
		for _, field := range strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))[11:15] {
			ticks, err := strconv.Atoi(field)
			if err != nil {
				b.Fatal(err)
			}
			sum += time.Duration(ticks) * 10 * time.Millisecond
		}
	}
	return sum
}

// resident is the memory that a process holds, in MiB.
func resident(b *testing.B, pid int) float64 {
	b.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	return kibibytes(b, rest)
}

func kibibytes(b *testing.B, text string) float64 {
	b.Helper()
	var kib float64
	if _, err := fmt.Sscan(text, &kib); err != nil {
		b.Fatal(err)
	}
	return kib / 1024
}
