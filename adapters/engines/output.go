package engines

import (
	"bytes"
	"os"
	"strings"
	"sync"
)

const (
	maxOutputFile = 8 << 20
	maxTail       = 8 << 10
)

// output keeps what an engine prints: in a file that is renamed to *.1 when it has grown to 8 MiB, and the
// last 8 KiB of the current run in memory. A full disk loses output, never an engine.
type output struct {
	path string
	mu   sync.Mutex
	file *os.File
	size int64
	last []byte
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = append(o.last, p...)
	if over := len(o.last) - maxTail; over > 0 {
		o.last = append(o.last[:0], o.last[over:]...)
	}
	if o.size > maxOutputFile {
		o.file.Close()
		o.file = nil
		_ = os.Rename(o.path, o.path+".1")
	}
	if o.file == nil {
		if err := o.open(); err != nil {
			return len(p), nil
		}
	}
	n, _ := o.file.Write(p)
	o.size += int64(n)
	return len(p), nil
}

func (o *output) open() error {
	f, err := os.OpenFile(o.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return err
	}
	o.file, o.size = f, info.Size()
	return nil
}

// newRun forgets the tail of an earlier run. The file is opened anew, as its directory may be another one.
func (o *output) newRun() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = nil
	if o.file != nil {
		o.file.Close()
		o.file = nil
	}
}

func (o *output) tail() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return string(bytes.TrimSpace(o.last))
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
