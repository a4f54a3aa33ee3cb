package engines

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
)

const (
	journalCap = 8 << 20
	tailCap    = 8 << 10
)

// journal keeps an engine's output: in a file that is moved to *.1 when it has grown to 8 MiB, and the last
// 8 KiB of the current run in memory. A full disk loses output, never an engine.
type journal struct {
	path string
	mu   sync.Mutex
	file *os.File
	size int64
	last []byte
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = append(j.last, p...)
	if over := len(j.last) - tailCap; over > 0 {
		j.last = append(j.last[:0], j.last[over:]...)
	}
	if j.size > journalCap {
		j.file.Close()
		j.file = nil
		_ = os.Rename(j.path, j.path+".1")
	}
	if j.file == nil {
		if err := j.open(); err != nil {
			return len(p), nil
		}
	}
	n, _ := j.file.Write(p)
	j.size += int64(n)
	return len(p), nil
}

func (j *journal) open() error {
	f, err := os.OpenFile(j.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("open engine log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return fmt.Errorf("look at engine log: %w", err)
	}
	j.file, j.size = f, info.Size()
	return nil
}

// begin forgets the tail of an earlier run.
func (j *journal) begin() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.last = nil
}

func (j *journal) tail() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return string(bytes.TrimSpace(j.last))
}

// lastLines joins the last n lines that say something into one.
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(0, len(lines)-n):], " | ")
}
