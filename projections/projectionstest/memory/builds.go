package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

func (s state) build(name string) *build {
	for i := range s.builds {
		if s.builds[i].Name == name {
			return &s.builds[i]
		}
	}
	return nil
}

// FirstBuild makes the first build, live from the start, where there is none at all.
func (db *DB) FirstBuild(ctx context.Context, name string, version int) error {
	return tell(ctx, db.calls, &db.p.mu, "first build "+name, func() error {
		if p := db.p; len(p.builds) == 0 {
			p.builds = append(p.builds, build{Build: builds.Build{Name: name, State: builds.Live, Version: version, Epoch: p.epoch}})
		}
		return nil
	})
}

// BuildStatuses implements [builds.StatusLister].
func (db *DB) BuildStatuses(ctx context.Context) ([]builds.Status, error) {
	return ask(ctx, db.calls, &db.p.mu, "read statuses", func() (list []builds.Status, err error) {
		for i := range db.p.builds {
			if b := &db.p.builds[i]; b.State != builds.Dropped {
				list = append(list, db.p.status(b))
			}
		}
		return list, nil
	})
}

// BuildStatus implements [builds.StatusReader].
func (db *DB) BuildStatus(ctx context.Context, name string) (builds.Status, error) {
	return ask(ctx, db.calls, &db.p.mu, "read status of "+name, func() (builds.Status, error) {
		if b := db.p.build(name); b != nil && b.State != builds.Dropped {
			return db.p.status(b), nil
		}
		return builds.Status{}, fmt.Errorf("build %s: %w", name, ErrNotFound)
	})
}

func (p *Postgres) status(b *build) builds.Status {
	at, started := p.checkpoints[b.Name]
	s := builds.Status{
		Build: b.Build, Started: started, Position: at.position, WriteAhead: at.writeAhead, CheckpointEpoch: at.epoch,
		LastError: at.lastError, Parked: len(p.parked[b.Name]), Retried: b.retried,
		Head: int64(len(p.events)), LogEpoch: p.epoch, AdoptedFrom: p.adoptedFrom, LogMoved: p.moved,
	}
	if now := p.Clock(); at.pausedUntil.After(now) {
		s.PausedAt = at.pausedAt
	}
	for _, r := range b.ranges {
		if b.replayed[r.First] {
			s.Replayed += r.Events()
		}
	}
	return s
}

// RecordError implements [builds.FollowedBuilds].
func (db *DB) RecordError(ctx context.Context, name, reason string) error {
	return tell(ctx, db.calls, &db.p.mu, "record error of "+name, func() error {
		if at, ok := db.p.checkpoints[name]; ok {
			at.lastError = reason
			db.p.checkpoints[name] = at
		}
		return nil
	})
}

// Builds lists all builds there ever were, oldest first.
func (db *DB) Builds(ctx context.Context) ([]builds.Build, error) {
	return ask(ctx, db.calls, &db.p.mu, "list builds", func() (list []builds.Build, err error) {
		for _, b := range db.p.builds {
			list = append(list, b.Build)
		}
		return list, nil
	})
}

// LiveBuild names the live build.
func (db *DB) LiveBuild(ctx context.Context) (string, error) {
	return ask(ctx, db.calls, &db.p.mu, "find live build", func() (string, error) {
		for i := range db.p.builds {
			if db.p.builds[i].State == builds.Live {
				return db.p.builds[i].Name, nil
			}
		}
		return "", ErrNotFound
	})
}

// BeginBuild makes a build that replays the log up to its present end.
func (db *DB) BeginBuild(ctx context.Context, name string, version int, size int64) error {
	return tell(ctx, db.calls, &db.p.mu, "begin build "+name, func() error {
		p := db.p
		if p.build(name) != nil {
			return fmt.Errorf("build %s: %w", name, builds.ErrState)
		}
		b := build{replayed: map[int64]bool{}}
		b.Build = builds.Build{Name: name, State: builds.Replaying, Version: version, Epoch: p.epoch, Target: int64(len(p.events))}
		for first := int64(1); first <= b.Target; first += size {
			b.ranges = append(b.ranges, projections.Range{First: first, Last: min(first+size-1, b.Target)})
		}
		p.builds = append(p.builds, b)
		return nil
	})
}

// RangesLeft lists what a build has not replayed yet.
func (db *DB) RangesLeft(ctx context.Context, name string) ([]projections.Range, error) {
	return ask(ctx, db.calls, &db.p.mu, "list ranges of "+name, func() (left []projections.Range, err error) {
		b := db.p.build(name)
		if b == nil {
			return nil, nil
		}
		for _, r := range b.ranges {
			if !b.replayed[r.First] {
				left = append(left, r)
			}
		}
		return left, nil
	})
}

// RangeDone keeps that all rows of a range are stored.
func (db *DB) RangeDone(ctx context.Context, name string, r projections.Range) error {
	return tell(ctx, db.calls, &db.p.mu, fmt.Sprint("range done ", name, " ", r), func() error {
		if b := db.p.build(name); b != nil && b.replayed != nil {
			b.replayed[r.First] = true
		}
		return nil
	})
}

// MoveBuild takes a build from one state to another, if that is one of its ways.
func (db *DB) MoveBuild(ctx context.Context, name string, to builds.State) error {
	return tell(ctx, db.calls, &db.p.mu, fmt.Sprint("move build ", name, " to ", to), func() error {
		p := db.p
		b := p.build(name)
		if b == nil || !slices.Contains(builds.Before(to), b.State) {
			return fmt.Errorf("make build %s %s: %w", name, to, builds.ErrState)
		}
		if _, follows := p.checkpoints[name]; to == builds.Following && !follows {
			if len(b.ranges) != len(b.replayed) || b.Epoch != p.epoch {
				return fmt.Errorf("make build %s %s: %w", name, to, builds.ErrState)
			}
			p.checkpoints[name] = checkpoint{epoch: b.Epoch, position: b.Target, writeAhead: b.Target}
		}
		if to == builds.Dropped {
			b.ranges, b.replayed = nil, nil
			delete(p.parked, name)
		}
		b.State, b.ChangedAt = to, p.Clock()
		return nil
	})
}

// GoLive makes a build live in the place of another. The act is not kept: no table shows it.
func (db *DB) GoLive(ctx context.Context, name string, _ event.Payload) error {
	return tell(ctx, db.calls, &db.p.mu, fmt.Sprint("move build ", name, " to ", builds.Live), func() error {
		p := db.p
		b := p.build(name)
		if b == nil || !slices.Contains(builds.Before(builds.Live), b.State) {
			return fmt.Errorf("make build %s live: %w", name, builds.ErrState)
		}
		for i := range p.builds {
			if other := &p.builds[i]; other.State == builds.Live {
				other.State, other.ChangedAt = builds.Kept, p.Clock()
			}
		}
		b.State, b.ChangedAt = builds.Live, p.Clock()
		return nil
	})
}

// WithLease runs work that one process at a time may do.
func (db *DB) WithLease(ctx context.Context, name string, work func(context.Context) error) error {
	ok, err := feed.NewLease(db.Leases(), name, 10*time.Second).Try(ctx, work)
	if err == nil && !ok {
		err = builds.ErrBusy
	}
	return err
}

// Epoch names the log.
func (db *DB) Epoch(ctx context.Context) (string, error) {
	return ask(ctx, db.calls, &db.p.mu, "read epoch", func() (string, error) { return db.p.epoch, nil })
}

// Head is the last position of the log.
func (db *DB) Head(ctx context.Context) (int64, error) {
	return ask(ctx, db.calls, &db.p.mu, "read head", func() (int64, error) { return int64(len(db.p.events)), nil })
}

// AdoptEpoch gives the log another epoch, under which some builds go on.
func (db *DB) AdoptEpoch(ctx context.Context, names []string) (epoch string, err error) {
	return ask(ctx, db.calls, &db.p.mu, "adopt epoch", func() (string, error) {
		p := db.p
		epoch := p.epoch + "'"
		p.adoptedFrom, p.epoch, p.moved = p.epoch, epoch, false
		for _, name := range names {
			if at, ok := p.checkpoints[name]; ok {
				at = checkpoint{epoch: epoch, position: min(at.position, int64(len(p.events))), writeAhead: at.writeAhead, lastError: at.lastError}
				p.checkpoints[name] = at
			}
			if b := p.build(name); b != nil {
				b.Epoch = epoch
			}
		}
		return epoch, nil
	})
}

// DataThrough says up to which position a build has applied the log.
func (db *DB) DataThrough(ctx context.Context, name string) (position int64, at time.Time, err error) {
	position, err = ask(ctx, db.calls, &db.p.mu, "read position of "+name, func() (int64, error) {
		return db.p.checkpoints[name].position, nil
	})
	return position, time.Time{}, err
}

// Pause implements [builds.PausedBuilds].
func (db *DB) Pause(ctx context.Context, names []string, work func(ctx context.Context, position int64) error) error {
	return feed.Pause(ctx, db.Pauses(), names, work)
}

// Erased implements [builds.ErasedLister] for a log in which nobody was erased.
func (db *DB) Erased(context.Context) ([]string, error) { return nil, nil }

// Restricted implements [builds.ErasedLister] as Erased does.
func (db *DB) Restricted(context.Context) ([]string, error) { return nil, nil }
