package mail

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"bitacora/domain/fault"
)

// Folder keeps letters as files that mail programs open, where no mail server is configured.
type Folder struct {
	addressed
	dir string
}

// NewFolder keeps letters in a directory, which is made with the first one.
func NewFolder(dir, from string, to []string) *Folder {
	return &Folder{addressed{from, to, "localhost"}, dir}
}

// Path is the file of a letter.
func (f *Folder) Path(l Letter) string { return filepath.Join(f.dir, l.ID+".eml") }

// Dir is where the letters lie.
func (f *Folder) Dir() string { return f.dir }

// Waiting counts the letters, which nobody sends.
func (f *Folder) Waiting() (int, error) {
	files, err := filepath.Glob(filepath.Join(f.dir, "*.eml"))
	return len(files), fault.Wrap(err, "count letters")
}

// Send implements [Outbox]: the file appears whole or not at all.
func (f *Folder) Send(_ context.Context, l Letter) error {
	m, err := f.message(l)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(f.dir, 0o700); err != nil {
		return fmt.Errorf("make outbox: %w", err)
	}
	draft := f.Path(l) + ".draft"
	defer os.Remove(draft)
	if err := m.WriteToFile(draft); err != nil {
		return fmt.Errorf("write letter: %w", err)
	}
	return fault.Wrap(os.Rename(draft, f.Path(l)), "keep letter")
}

// Forget removes the letters about conversations and contact messages, and counts them. What was
// sent, or taken out of the folder, is out of reach.
func (f *Folder) Forget(_ context.Context, ids []string) (removed int, err error) {
	files, err := os.ReadDir(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("list letters: %w", err)
	}
	for _, file := range files {
		letter, isLetter := strings.CutSuffix(strings.TrimSuffix(file.Name(), ".draft"), ".eml")
		about := func(id string) bool { return letter == id || strings.HasSuffix(letter, "-"+id) }
		if !isLetter || !slices.ContainsFunc(ids, about) {
			continue
		}
		switch err := os.Remove(filepath.Join(f.dir, file.Name())); {
		case err == nil:
			removed++
		case !errors.Is(err, fs.ErrNotExist):
			return removed, fmt.Errorf("remove letter: %w", err)
		}
	}
	return removed, nil
}
