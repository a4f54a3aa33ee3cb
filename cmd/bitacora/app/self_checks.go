package app

import (
	"context"
	"slices"
	"time"

	"bitacora/adapters/postgres"
)

// What is checked at night; [Rebuilt] names the build that was made because the one before was wrong.
const (
	CheckedLog    = "log"
	CheckedTables = "tables"
	CheckedCopy   = "copy"
	Rebuilt       = "rebuilt"
)

// Checked is the outcome of all checks of one thing.
type Checked struct {
	// Latest and Oldest are of the looks at its parts.
	Latest, Oldest time.Time
	Findings       []string
}

// SelfChecks are the outcomes for the log and the live build as they are now, by [CheckedLog] and the like.
func SelfChecks(ctx context.Context, db *postgres.DB) (map[string]Checked, error) {
	epoch, err := db.Log().Epoch(ctx)
	if err != nil {
		return nil, err
	}
	live, err := db.LiveBuild(ctx)
	if err != nil {
		return nil, err
	}
	list, err := postgres.SelfChecks{DB: db}.All(ctx)
	if err != nil {
		return nil, err
	}
	all := map[string]Checked{}
	for _, s := range list {
		if s.Of != map[string]string{CheckedLog: epoch, CheckedTables: live, CheckedCopy: epoch}[s.What] {
			continue
		}
		c := all[s.What]
		if c.Oldest.IsZero() || s.Part >= 0 && s.At.Before(c.Oldest) {
			c.Oldest = s.At
		}
		if s.At.After(c.Latest) {
			c.Latest = s.At
		}
		c.Findings = append(c.Findings, s.Findings...)
		slices.Sort(c.Findings)
		c.Findings = slices.Compact(c.Findings)
		all[s.What] = c
	}
	return all, nil
}

// LastNight is the latest time at which what is done at an hour of each night was due.
func LastNight(now time.Time, hour int) time.Time {
	night := time.Date(now.Year(), now.Month(), now.Day(), hour, 0, 0, 0, now.Location())
	if night.After(now) {
		night = night.AddDate(0, 0, -1)
	}
	return night
}
