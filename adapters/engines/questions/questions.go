// Package questions keeps who asked the embedded ClickHouse beside the program, when, and how many rows they
// got: a file of JSON lines for each day of UTC. It holds nothing of what was asked.
package questions

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"bitacora/domain/fault"
)

const (
	// Kept is for how long a question is kept.
	Kept = 90 * 24 * time.Hour
	// maxDay is how large the file of a day may become, in bytes: more than 150,000 questions.
	maxDay = 16 << 20
	suffix = ".jsonl"
)

// Question is one that was asked.
type Question struct {
	// At is when it was answered.
	At   time.Time `json:"at"`
	User string    `json:"user"`
	// Rows is how many it was answered with.
	Rows   int64 `json:"rows"`
	Millis int64 `json:"millis"`
	// Status is that of HTTP.
	Status int `json:"status"`
}

// ErrFull is given beyond what a day may hold.
var ErrFull = errors.New("the record of today's questions is full")

// Record is the directory of the files. No file stays open: the engine of the same process reaches those.
type Record struct {
	dir string
	mu  sync.Mutex
	day string
}

// NewRecord keeps questions in a directory that exists.
func NewRecord(dir string) *Record { return &Record{dir: dir} }

// Add appends a question. With the first one of a day those of expired days are removed.
func (r *Record) Add(q Question) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	q.At = q.At.UTC().Truncate(time.Millisecond)
	line, err := json.Marshal(q)
	if err != nil {
		return fmt.Errorf("write question: %w", err)
	}
	day := q.At.Format(time.DateOnly)
	if day != r.day {
		if err := r.expire(q.At); err != nil {
			return err
		}
		r.day = day
	}
	f, err := os.OpenFile(filepath.Join(r.dir, day+suffix), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return fmt.Errorf("record question: %w", err)
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil {
		return fmt.Errorf("record question: %w", err)
	} else if info.Size() > maxDay {
		return ErrFull
	}
	_, err = f.Write(append(line, '\n'))
	return fault.Wrap(err, "record question")
}

func (r *Record) expire(now time.Time) error {
	oldest := now.Add(-Kept).Format(time.DateOnly)
	names, err := days(r.dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if name < oldest {
			if err := os.Remove(filepath.Join(r.dir, name+suffix)); err != nil {
				return fmt.Errorf("remove expired questions: %w", err)
			}
		}
	}
	return nil
}

// days are those that have a file, in their order; none where there is no directory.
func days(dir string) (names []string, err error) {
	files, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("list questions: %w", err)
	}
	for _, f := range files {
		if name, ok := strings.CutSuffix(f.Name(), suffix); ok {
			names = append(names, name)
		}
	}
	return names, nil
}

// Read gives the questions of a directory from one instant until before another, in the order in which they
// were answered; an error is the last. A line that was cut off by the end of the process is left out.
func Read(dir string, from, to time.Time) iter.Seq2[Question, error] {
	return func(yield func(Question, error) bool) {
		names, err := days(dir)
		if err != nil {
			yield(Question{}, err)
			return
		}
		for _, name := range names {
			if name < from.UTC().Format(time.DateOnly) || name > to.UTC().Format(time.DateOnly) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, name+suffix))
			if err != nil {
				yield(Question{}, fmt.Errorf("read questions: %w", err))
				return
			}
			for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
				var q Question
				if json.Unmarshal(lines.Bytes(), &q) != nil || q.At.Before(from) || !q.At.Before(to) {
					continue
				}
				if !yield(q, nil) {
					return
				}
			}
		}
	}
}
