package logdump

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"bitacora/adapters/postgres"
)

// ErrDamaged: a dump is not what was written.
var ErrDamaged = errors.New("the backup is damaged")

// Size is how many bytes the files of a dump take. The error wraps [ErrDamaged] where one is missing
// or not as long as it was.
func (m Manifest) Size(dir string) (total int64, err error) {
	for _, f := range m.files() {
		info, err := os.Stat(filepath.Join(dir, f.Name))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return total, fmt.Errorf("%w: %s is missing", ErrDamaged, f.Name)
		case err != nil:
			return total, fmt.Errorf("look at backup: %w", err)
		case f.Bytes > 0 && info.Size() != f.Bytes: // older ones do not say
			return total, fmt.Errorf("%w: %s has %d bytes and had %d", ErrDamaged, f.Name, info.Size(), f.Bytes)
		}
		total += info.Size()
	}
	return total, nil
}

// files are all that a dump has beside its manifest.
func (m Manifest) files() []File {
	var all []File
	for _, p := range m.Tables {
		all = append(all, File{p.Table + ".copy", p.Bytes, p.SHA256})
	}
	return append(all, m.Files...)
}

// Verify reads a whole dump: every file is the one that was written, with all of its rows, and the
// positions of the log are dense from its beginning to its end. It needs no key. The error wraps
// [ErrDamaged] where that is not so. Progress is told of bytes.
func (m Manifest) Verify(dir string, progress func(done, total int64)) error {
	total, err := m.Size(dir)
	if err != nil {
		return err
	}
	rows := map[string]Part{}
	for _, p := range m.Tables {
		rows[p.Table+".copy"] = p
	}
	done := int64(0)
	for _, f := range m.files() {
		count := int64(0)
		part, isTable := rows[f.Name]
		line := func([]byte) error { count++; return nil }
		if part.Table == "events" {
			once := part.positionsOnce(m.Head)
			line = func(text []byte) error { count++; return once(text) }
		}
		sum, err := readLines(filepath.Join(dir, f.Name), line, func(n int) {
			done += int64(n)
			progress(done, total)
		})
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", f.Name, err)
		case sum != f.SHA256:
			return fmt.Errorf("%w: %s is not the file that was written: its checksum is another", ErrDamaged, f.Name)
		case isTable && count != part.Rows:
			return fmt.Errorf("%w: %s has %d rows and had %d", ErrDamaged, f.Name, count, part.Rows)
		case part.Table == "events" && count != m.Head:
			return fmt.Errorf("%w: the log ends at position %d and %d events are there", ErrDamaged, m.Head, count)
		}
	}
	return nil
}

// positionsOnce sees that each row of the events has a position of its own, up to the end of the log;
// Postgres gives the rows in any order.
func (p Part) positionsOnce(head int64) func(row []byte) error {
	column := slices.Index(p.Columns, "position")
	seen := make([]bool, head+1)
	return func(row []byte) error {
		fields := bytes.SplitN(row, []byte{'\t'}, column+2)
		if column < 0 || len(fields) <= column {
			return fmt.Errorf("%w: an event has no position", ErrDamaged)
		}
		position, err := strconv.ParseInt(string(fields[column]), 10, 64)
		if err != nil || position < 1 || position > head || seen[position] {
			return fmt.Errorf("%w: position %q is there twice, or beyond the end of the log, which is %d", ErrDamaged, fields[column], head)
		}
		seen[position] = true
		return nil
	}
}

// readLines gives the checksum of a file, and each of its lines to a function.
func readLines(path string, line func([]byte) error, read func(bytes int)) (sum string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	hash := sha256.New()
	in := bufio.NewReaderSize(f, 1<<20)
	for {
		text, err := in.ReadBytes('\n')
		hash.Write(text)
		read(len(text))
		if len(text) > 0 {
			if err := line(text); err != nil {
				return "", err
			}
		}
		if errors.Is(err, io.EOF) {
			return hex.EncodeToString(hash.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// Newer says that this program cannot restore a dump, and why.
func (m Manifest) Newer() error {
	if m.TakenAt.IsZero() {
		return errors.New("the backup is of the first format, which held the keys beside the data: restore it with the program that made it, update it to this version, and make a new backup")
	}
	return postgres.CheckMigrations(m.Migrations)
}
