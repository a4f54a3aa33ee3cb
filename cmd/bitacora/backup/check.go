package backup

import (
	"context"
	"fmt"
	"path/filepath"

	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

const (
	// restoredPer is how much room a log takes for each byte of its backup: in Postgres, with indexes
	// and write-ahead log, and in ClickHouse.
	restoredPer = 4
)

// restorable looks at everything that a restore needs, before it touches anything. Into is where the
// data will lie; empty, if that is not on this machine.
func restorable(ctx context.Context, a *app.App, from keySource, dir, into string) (m logdump.Manifest, err error) {
	if m, err = logdump.ReadManifest(dir); err != nil {
		return m, command.Misuse(fmt.Errorf("%s is no whole backup: %w", dir, err))
	}
	if err := m.Newer(); err != nil {
		return m, err
	}
	shown := command.NewProgress("bytes")
	err = m.Verify(dir, shown.Show)
	shown.Done()
	if err != nil {
		return m, fmt.Errorf("%s: %w; nothing was changed; choose another backup", dir, err)
	}
	keys, err := from.keys(a.Config)
	if err != nil {
		return m, err
	}
	if err := m.Fits(keys.Bundle); err != nil {
		return m, from.wayOut(err)
	}
	if _, err := keys.Store.Keys(ctx); err != nil {
		return m, fmt.Errorf("%w (keys directory %s)", err, a.Config.Keys().Dir)
	}
	size, err := m.Size(dir)
	if err != nil {
		return m, err
	}
	if into == "" {
		return m, nil
	}
	return m, app.EnoughRoom(into, restoredPer*uint64(size), "a restore of "+filepath.Base(dir))
}

// enoughFor sees that a backup has room where it is to be made, before it is begun.
func enoughFor(ctx context.Context, a *app.App, dir string) error {
	size, err := a.DB.Size(ctx)
	if err != nil {
		return err
	}
	return app.EnoughRoom(filepath.Dir(dir), uint64(size), "a backup")
}
