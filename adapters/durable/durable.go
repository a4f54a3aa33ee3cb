// Package durable writes files that outlive a crash, and destroys files whose bytes nobody may read again.
package durable

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write puts a new file of mode 0600 on the disk. It does not sync its directory, see [SyncDir].
func Write(path string, text []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// Shred overwrites a file and removes it; one that there is not any more is as it should be.
func Shred(name string) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	info, err := f.Stat()
	if err == nil {
		_, err = io.CopyN(f, rand.Reader, info.Size())
	}
	if err := errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Remove(name); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SyncDir makes what was named and removed in a directory outlive a crash.
func SyncDir(name string) error {
	dir, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}

// ShredFiles overwrites and removes the files of a directory, not of those below it.
func ShredFiles(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("list files to destroy: %w", err)
	}
	var errs []error
	for _, e := range entries {
		if e.Type().IsRegular() {
			errs = append(errs, Shred(filepath.Join(dir, e.Name())))
		}
	}
	return errors.Join(errs...)
}
