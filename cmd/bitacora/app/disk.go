package app

import (
	"fmt"
	"os"
	"path/filepath"

	"bitacora/adapters/engines"
	"bitacora/cmd/bitacora/command"
)

// Spare is what a disk keeps free whatever is done.
const Spare = 256 << 20

// DiskOf measures the disk of a directory. Tests give other figures.
var DiskOf = engines.DiskOf

// EnoughRoom refuses what a disk has no room for.
func EnoughRoom(dir string, wanted uint64, what string) error {
	disk, err := DiskOf(Existing(dir))
	if err != nil {
		return err
	}
	if disk.Free < wanted+Spare {
		return fmt.Errorf("%s has %s left, and %s wants %s: free some space, or name another disk", dir, command.SizeText(disk.Free), what, command.SizeText(wanted+Spare))
	}
	return nil
}

// Existing is a directory, or the nearest above it that there is.
func Existing(dir string) string {
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
