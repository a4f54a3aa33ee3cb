package eventlog

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"bitacora/adapters/ledger"
	"bitacora/adapters/postgres"
	"bitacora/adapters/postgres/logdump"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
)

// anchorAge is how old the latest kept anchor gets while "bitacora serve" runs.
const anchorAge = 24 * time.Hour

// keepAnchor adds the end of the log's chain to the kept anchors.
func keepAnchor(ctx context.Context, a *app.App) error {
	anchor, err := a.DB.Log().Anchor(ctx)
	if err != nil || anchor.Position == 0 {
		return err
	}
	return a.Config.Anchors().Add([]string{anchor.String()}, anchor.At)
}

// KeepAnchorDaily adds an anchor where the latest is old.
func KeepAnchorDaily(ctx context.Context, a *app.App, now time.Time) error {
	kept, err := anchorsIn(a.Config.Anchors())
	if err != nil || len(kept) > 0 && now.Sub(kept[len(kept)-1].At) < anchorAge {
		return err
	}
	return keepAnchor(ctx, a)
}

// anchorsIn reads the anchors of a ledger.
func anchorsIn(l *ledger.Ledger) (anchors []postgres.Anchor, err error) {
	kept, err := l.All()
	if errors.Is(err, ledger.ErrDamaged) {
		return nil, fmt.Errorf("the anchors in %s are damaged: bring a copy of the file back, or move it away", l.Path())
	}
	for _, e := range kept {
		anchor, err := postgres.ParseAnchor(e.Subject)
		if err != nil {
			return nil, fmt.Errorf("read the anchors in %s: %w", l.Path(), err)
		}
		anchors = append(anchors, anchor)
	}
	return anchors, err
}

// anchorsGiven reads the values of --anchor: an anchor, a copy of the file with kept anchors, or a backup.
func anchorsGiven(values []string) (anchors []postgres.Anchor, err error) {
	for _, value := range values {
		info, statErr := os.Stat(value)
		switch {
		case statErr == nil && info.IsDir():
			m, err := logdump.ReadManifest(value)
			if err != nil {
				return nil, command.Misuse(fmt.Errorf("--anchor %s: %w", value, err))
			}
			if m.Anchor.Position == 0 {
				return nil, command.Misuse(fmt.Errorf("--anchor %s: the backup has no anchor", value))
			}
			anchors = append(anchors, m.Anchor)
		case statErr == nil:
			kept, err := anchorsIn(ledger.New(value))
			if err != nil {
				return nil, command.Misuse(fmt.Errorf("--anchor %s: %w", value, err))
			}
			anchors = append(anchors, kept...)
		default:
			anchor, err := postgres.ParseAnchor(value)
			if err != nil {
				return nil, command.Misuse(fmt.Errorf("--anchor: %w, or names a backup, or a copy of %s", err, filepath.Join("keys", "anchors")))
			}
			anchors = append(anchors, anchor)
		}
	}
	return anchors, nil
}

// AnchorsHere are those that this machine keeps: beside the ledger, and in the backups of this log.
func AnchorsHere(ctx context.Context, a *app.App) (anchors []postgres.Anchor, err error) {
	anchors, err = anchorsIn(a.Config.Anchors())
	first, errLog := app.FirstEvent(ctx, a.DB)
	list, errList := app.Backups(a.Config.Backups())
	for _, s := range list {
		if s.Problem == "" && s.Of(first) && s.Manifest.Anchor.Position > 0 {
			anchors = append(anchors, s.Manifest.Anchor)
		}
	}
	return anchors, errors.Join(err, errLog, errList)
}
