package main

import (
	"fmt"
	"os"
	"path/filepath"

	"bitacora/adapters/engines"
)

// spare is what a disk keeps free whatever is done.
const spare = 256 << 20

// diskOf measures the disk of a directory. Tests give other figures.
var diskOf = engines.DiskOf

// enoughRoom refuses what a disk has no room for.
func enoughRoom(dir string, wanted uint64, what string) error {
	disk, err := diskOf(existing(dir))
	if err != nil {
		return err
	}
	if disk.Free < wanted+spare {
		return fmt.Errorf("%s has %s left, and %s wants %s: free some space, or name another disk", dir, sizeText(disk.Free), what, sizeText(wanted+spare))
	}
	return nil
}

// existing is a directory, or the nearest above it that there is.
func existing(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return dir
	}
	for {
		if _, err := os.Stat(abs); err == nil || abs == filepath.Dir(abs) {
			return abs
		}
		abs = filepath.Dir(abs)
	}
}
