// Package ledger keeps, in a file outside of the databases, whose personal data were erased and
// when. A database that comes back from an older day does not know; the ledger tells it.
package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Erasure is one line of the ledger.
type Erasure struct {
	// Subject is the stream whose key was destroyed.
	Subject string
	// At is when, UTC.
	At time.Time
}

// ErrDamaged: a line that others follow is not as it was written.
var ErrDamaged = errors.New("the erasure ledger is damaged")

// Ledger is a file to which erasures are added and from which none is ever removed. Several
// processes may use one file.
type Ledger struct{ path string }

// New gives the ledger that lies at path; it is made with its first erasure.
func New(path string) *Ledger { return &Ledger{path} }

// Path is where the ledger lies.
func (l *Ledger) Path() string { return l.path }

// Add keeps erasures. When it returns without an error, they are on the disk.
func (l *Ledger) Add(erasures []Erasure) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write the erasure ledger: %w", err)
		}
	}()
	if len(erasures) == 0 {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(l.path), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != nil {
		return err
	}
	whole, err := wholeLines(f)
	if err != nil {
		return err
	}
	// What a crash left of a line goes: nobody was told that it is kept.
	if err := f.Truncate(whole); err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range erasures {
		text.WriteString(line(e))
	}
	if _, err := f.WriteAt([]byte(text.String()), whole); err != nil {
		return err
	}
	return errors.Join(f.Sync(), syncDir(filepath.Dir(l.path)))
}

// wholeLines is the length of a file up to the end of its last line.
func wholeLines(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	last := make([]byte, 1)
	for end := info.Size(); end > 0; end-- {
		if _, err := f.ReadAt(last, end-1); err != nil {
			return 0, err
		}
		if last[0] == '\n' {
			return end, nil
		}
	}
	return 0, nil
}

func syncDir(path string) error {
	dir, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// Since gives the erasures after a mark, oldest first, and the mark of the last one. The empty mark
// lies before the first. A mark that this ledger did not give, because it was lost and begun anew,
// is not known: then all are given.
func (l *Ledger) Since(mark string) (erasures []Erasure, last string, known bool, err error) {
	text, err := os.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, "", false, fmt.Errorf("read the erasure ledger: %w", err)
	}
	text = text[:bytes.LastIndexByte(text, '\n')+1]
	from, known := find(text, mark)
	for n := bytes.Count(text[:from], []byte{'\n'}) + 1; from < len(text); n++ {
		end := from + bytes.IndexByte(text[from:], '\n') + 1
		e, ok := parse(string(text[from:end]))
		if !ok {
			return nil, "", false, fmt.Errorf("read the erasure ledger: %w: line %d of %s: bring its copy back, or remove it: it is then made anew from what the log knows of erasures", ErrDamaged, n, l.path)
		}
		erasures = append(erasures, e)
		from = end
	}
	return erasures, markOf(text), known, nil
}

// All gives every erasure, oldest first.
func (l *Ledger) All() ([]Erasure, error) {
	all, _, _, err := l.Since("")
	return all, err
}

// markOf names the end of a text: how long it is, and the checksum of its last line.
func markOf(text []byte) string {
	if len(text) == 0 {
		return ""
	}
	sum := text[bytes.LastIndexByte(text, ' ')+1 : len(text)-1]
	return strconv.Itoa(len(text)) + " " + string(sum)
}

// find gives where a mark lies in a text: 0 where it is none of it.
func find(text []byte, mark string) (from int, known bool) {
	if mark == "" {
		return 0, true
	}
	size, _, _ := strings.Cut(mark, " ")
	from, err := strconv.Atoi(size)
	if err != nil || from <= 0 || from > len(text) || text[from-1] != '\n' || markOf(text[:from]) != mark {
		return 0, false
	}
	return from, true
}

// line is an erasure as it is kept: time, subject and a checksum of the two.
func line(e Erasure) string {
	text := e.At.UTC().Format(time.RFC3339Nano) + " " + strconv.Quote(e.Subject)
	return text + " " + checksum(text) + "\n"
}

func parse(text string) (e Erasure, ok bool) {
	text = strings.TrimSuffix(text, "\n")
	at := strings.LastIndexByte(text, ' ')
	if at < 0 || checksum(text[:at]) != text[at+1:] {
		return e, false
	}
	when, subject, _ := strings.Cut(text[:at], " ")
	var err error
	if e.At, err = time.Parse(time.RFC3339Nano, when); err != nil {
		return e, false
	}
	e.Subject, err = strconv.Unquote(subject)
	return e, err == nil
}

func checksum(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}
