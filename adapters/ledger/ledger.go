// Package ledger keeps, in a file outside of the databases, whose personal data were erased and
// when. A database that comes back from an older day does not know; the ledger tells it. Anchors of the
// log are kept in the same form, in a file of their own.
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

	"bitacora/adapters/durable"
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

// Add keeps that subjects were erased at a time. When it returns without an error, that is on the
// disk.
func (l *Ledger) Add(subjects []string, at time.Time) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("write the erasure ledger: %w", err)
		}
	}()
	if len(subjects) == 0 {
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
	for _, s := range subjects {
		text.WriteString(line(Erasure{s, at}))
	}
	if _, err := f.WriteAt([]byte(text.String()), whole); err != nil {
		return err
	}
	return errors.Join(f.Sync(), durable.SyncDir(filepath.Dir(l.path)))
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

// Since gives the subjects that were erased after a mark, oldest first, and the mark of the last
// one. The empty mark lies before the first. A mark that this ledger did not give, because it was
// lost and begun anew, is not known: then all are given.
func (l *Ledger) Since(mark string) (subjects []string, last string, known bool, err error) {
	text, err := l.read()
	if err != nil {
		return nil, "", false, err
	}
	from, known := find(text, mark)
	erasures, err := l.parse(text, from)
	for _, e := range erasures {
		subjects = append(subjects, e.Subject)
	}
	return subjects, markOf(text), known, err
}

// All gives every erasure, oldest first.
func (l *Ledger) All() ([]Erasure, error) {
	text, err := l.read()
	if err != nil {
		return nil, err
	}
	return l.parse(text, 0)
}

// read gives the whole lines of the file; none where there is no file.
func (l *Ledger) read() ([]byte, error) {
	text, err := os.ReadFile(l.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read the erasure ledger: %w", err)
	}
	return text[:bytes.LastIndexByte(text, '\n')+1], nil
}

// parse reads the lines of a text from a place on.
func (l *Ledger) parse(text []byte, from int) (erasures []Erasure, err error) {
	number := bytes.Count(text[:from], []byte{'\n'})
	for line := range bytes.Lines(text[from:]) {
		number++
		e, ok := parse(string(line))
		if !ok {
			return nil, fmt.Errorf("read the erasure ledger: %w: line %d of %s: bring its copy back, or remove it: it is then made anew from what the log knows of erasures", ErrDamaged, number, l.path)
		}
		erasures = append(erasures, e)
	}
	return erasures, nil
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
