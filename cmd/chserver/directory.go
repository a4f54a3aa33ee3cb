package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// minFree is what must be free in the data directory at the start.
const minFree = 64 << 20

// directory is where everything of one engine lies.
type directory struct {
	engine string // the engine's own files
	home   string // current directory and HOME of the process, always empty
}

// prepareDirectory checks that the engine can live in path, and says in one
// sentence why not: the engine itself would only fail.
func prepareDirectory(path string) (directory, error) {
	d := directory{engine: filepath.Join(path, "engine"), home: filepath.Join(path, "home")}
	for _, sub := range []string{d.engine, d.home} {
		if err := os.MkdirAll(sub, 0o700); err != nil {
			return d, fmt.Errorf("prepare data directory %s: %w", path, plain(err))
		}
	}
	if err := probe(d.engine); err != nil {
		return d, fmt.Errorf("write to data directory %s: %w", path, plain(err))
	}
	var disk unix.Statfs_t
	if err := unix.Statfs(path, &disk); err != nil {
		return d, fmt.Errorf("look at data directory %s: %w", path, err)
	}
	if free := disk.Bavail * uint64(disk.Bsize); free < minFree {
		return d, fmt.Errorf("the disk of data directory %s is full: %d MB are free, %d MB are needed", path, free>>20, minFree>>20)
	}
	if err := checkUnlocked(filepath.Join(d.engine, "status")); err != nil {
		return d, fmt.Errorf("data directory %s: %w", path, err)
	}
	return d, nil
}

// probe writes, as the engine will.
func probe(path string) error {
	file, err := os.CreateTemp(path, "probe-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.Write(make([]byte, 64<<10))
	return errors.Join(err, file.Sync(), file.Close())
}

// checkUnlocked tries the lock that the engine is going to take.
func checkUnlocked(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return plain(err)
	}
	defer file.Close()
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		return errors.New("another process uses it (code 76)")
	}
	return nil
}

// plain leaves only the reason of a failed file operation.
func plain(err error) error {
	var operation *os.PathError
	if errors.As(err, &operation) {
		return operation.Err
	}
	return err
}
