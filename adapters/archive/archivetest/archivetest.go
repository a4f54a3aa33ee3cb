// Package archivetest finds the chats that tests import, and reads them without the
// program's own reader.
package archivetest

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// Paths of the chats, from the root of the module.
const (
	// Sample is the project's own chats, written for it.
	Sample = "adapters/archive/testdata/chats.jsonl"
	// Real are chats that people had with another clinic's bot. They do not belong to the
	// project and may lie beside it.
	Real = "../shared/data/appointment-chats-es.jsonl"
)

// File is a file of chats in the import format.
type File struct {
	// Name is the file's name, for the tests that go through it.
	Name string
	// Path leads to the file from the directory of the tests.
	Path  string
	Chats []Chat
}

// Chat is a line of a file, from the visitor's first message on.
type Chat struct {
	ID          string
	Messages    []Message
	Lead        *struct{}
	Appointment *struct{ CancelledAt *time.Time }
}

// Message is a message of a chat. Its role is "user" or "assistant".
type Message struct {
	Role, Text string
	At         time.Time
}

// Files are the sample and, where they lie beside the project, the real chats; a line of
// the test's log says that they do not. Root is the module's, from the directory of the
// tests.
func Files(t testing.TB, root string) []File {
	t.Helper()
	files := []File{read(t, filepath.Join(root, Sample))}
	beside := filepath.Join(root, Real)
	if _, err := os.Stat(beside); errors.Is(err, fs.ErrNotExist) {
		t.Logf("not checked: %s does not lie beside the project", Real)
		return files
	}
	return append(files, read(t, beside))
}

func read(t testing.TB, path string) File {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file := File{Name: filepath.Base(path), Path: path}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var c Chat
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		// A conversation begins with the first message of the visitor.
		for c.Messages[0].Role != "user" {
			c.Messages = c.Messages[1:]
		}
		file.Chats = append(file.Chats, c)
	}
	if err := lines.Err(); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return file
}

// Events is the number of events that record the file's chats.
func (f File) Events() int {
	events := 0
	for _, c := range f.Chats {
		events += 1 + len(c.Messages)
		if c.Lead != nil {
			events += 2 // the consent comes before the lead
		}
		if c.Appointment != nil {
			events++
			if c.Appointment.CancelledAt != nil {
				events++
			}
		}
	}
	return events
}
