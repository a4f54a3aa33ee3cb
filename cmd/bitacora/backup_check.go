package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bitacora/adapters/engines"
	"bitacora/adapters/postgres/logdump"
)

const (
	// restoredPer is how much room a log takes for each byte of its backup: in Postgres, with indexes
	// and write-ahead log, and in ClickHouse.
	restoredPer = 4
	// spare is what a disk keeps free whatever is done.
	spare = 256 << 20
)

// diskOf measures the disk of a directory. Tests give other figures.
var diskOf = engines.DiskOf

// restorable looks at everything that a restore needs, before it touches anything. Into is where the
// data will lie; empty, if that is not on this machine.
func restorable(ctx context.Context, a *app, from keySource, dir, into string) (m logdump.Manifest, err error) {
	if m, err = logdump.ReadManifest(dir); err != nil {
		return m, misuse{fmt.Errorf("%s is no whole backup: %w", dir, err)}
	}
	if err := m.Newer(); err != nil {
		return m, err
	}
	shown := newProgress("bytes")
	err = m.Verify(dir, shown.Show)
	shown.Done()
	if err != nil {
		return m, fmt.Errorf("%s: %w; nothing was changed; choose another backup", dir, err)
	}
	keys, err := from.keys(a.config)
	if err != nil {
		return m, err
	}
	if err := m.Fits(keys.Bundle); err != nil {
		return m, from.wayOut(err)
	}
	if _, err := keys.Store.Keys(ctx); err != nil {
		return m, fmt.Errorf("%w (keys directory %s)", err, a.config.keys().Dir)
	}
	size, err := m.Size(dir)
	if err != nil {
		return m, err
	}
	if into == "" {
		return m, nil
	}
	return m, enoughRoom(into, restoredPer*uint64(size), "a restore of "+filepath.Base(dir))
}

// enoughFor sees that a backup has room where it is to be made, before it is begun.
func enoughFor(ctx context.Context, a *app, dir string) error {
	size, err := a.db.Size(ctx)
	if err != nil {
		return err
	}
	return enoughRoom(filepath.Dir(dir), uint64(size), "a backup")
}

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
