package postgres

import (
	"context"
	"math"

	"bitacora/projections/feed"
)

// ScanRows reads rows of the log and decodes none.
func (l *Log) ScanRows(ctx context.Context, after int64, limit int) (int, error) {
	rows, err := l.rows(ctx, limit, query("scan"), after, int64(math.MaxInt64), limit, scanBytes)
	return len(rows), err
}

// Feed is what a subscriber is made of, for the tests outside of the package.
func (db *DB) Feed() feed.Stores { return stores(db) }

// Pauses is what [DB.Pause] is made of.
func (db *DB) Pauses() feed.Pauses { return pauses{db.pool} }

// Lacking is what a database lacks of migrations, which are given with those that they go on beside.
func Lacking(wanted [][2]string, applied ...string) (names, parting []string) {
	var all []migration
	done := map[string]migration{}
	for _, w := range wanted {
		all = append(all, migration{name: w[0], goesWith: w[1]})
	}
	for _, name := range applied {
		done[name] = migration{name: name}
	}
	return lacking(all, done)
}
