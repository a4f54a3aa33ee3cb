package postgres

import (
	"context"
	"math"

	"bitacora/domain/event"
	"bitacora/projections/feed"
)

// NewSubscriber makes a Watermill subscriber of the database's log. It must be closed before
// the database.
func NewSubscriber(db *DB, config feed.Config) *feed.Subscriber {
	return feed.NewSubscriber(stores(db), db.logger, config)
}

func stores(db *DB) feed.Stores {
	return feed.Stores{
		Log:         feedLog{db.log},
		Leases:      leases{db.pool},
		Checkpoints: checkpoints{db.pool},
		Signals:     signals{db.listener},
	}
}

// feedLog is the log as [feed.Log].
type feedLog struct{ log *Log }

func (l feedLog) ScanNext(ctx context.Context, after int64, limit int) ([]event.Recorded, bool, error) {
	return l.log.scanNext(ctx, after, math.MaxInt64, limit)
}

func (l feedLog) Lacks(ctx context.Context, positions []int64, ids []string) (int64, error) {
	return l.log.Lacks(ctx, positions, ids)
}

// signals is the listener as [feed.Signals].
type signals struct{ *listener }

func (s signals) Grown() <-chan struct{}    { return s.next(channelLog) }
func (s signals) Released() <-chan struct{} { return s.next(channelLease) }

// SessionsEnded gives what is closed when a session was ended from now on, in whatever process.
func (db *DB) SessionsEnded() <-chan struct{} { return db.listener.next(channelSessions) }
