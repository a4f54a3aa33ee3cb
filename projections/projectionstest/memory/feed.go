package memory

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"bitacora/domain/event"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// Leases implements [feed.Leases].
type Leases struct{ db *DB }

// Leases are those of the store.
func (db *DB) Leases() Leases { return Leases{db} }

// Acquire implements [feed.Leases].
func (l Leases) Acquire(ctx context.Context, name, owner string, ttl time.Duration) (token int64, ok bool, err error) {
	p := l.db.p
	token, err = ask(ctx, l.db.calls, &p.mu, "acquire lease "+name, func() (int64, error) {
		now, was := p.Clock(), p.leases[name]
		if was.token > 0 && was.owner != owner && was.expires.After(now) {
			return 0, nil
		}
		p.leases[name] = lease{owner, was.token + 1, now.Add(ttl)}
		return was.token + 1, nil
	})
	if token > 0 {
		p.mu.Lock()
		l.db.tokens[name] = token
		p.mu.Unlock()
	}
	return token, token > 0, err
}

// Renew implements [feed.Leases].
func (l Leases) Renew(ctx context.Context, name string, token int64, ttl time.Duration) (bool, error) {
	p := l.db.p
	return ask(ctx, l.db.calls, &p.mu, "renew lease "+name, func() (bool, error) {
		was := p.leases[name]
		if was.token != token {
			return false, nil
		}
		was.expires = p.Clock().Add(ttl)
		p.leases[name] = was
		return true, nil
	})
}

// Release implements [feed.Leases].
func (l Leases) Release(ctx context.Context, name string, token int64) error {
	p := l.db.p
	return tell(ctx, l.db.calls, &p.mu, "release lease "+name, func() error {
		if was := p.leases[name]; was.token == token {
			was.expires = time.Time{}
			p.leases[name] = was
			close(p.released)
			p.released = make(chan struct{})
		}
		return nil
	})
}

// Checkpoints implements [feed.Checkpoints].
type Checkpoints struct{ db *DB }

// Checkpoints are those of the store.
func (db *DB) Checkpoints() Checkpoints { return Checkpoints{db} }

// Read implements [feed.Checkpoints].
func (c Checkpoints) Read(ctx context.Context, projection string) (feed.Stored, error) {
	p := c.db.p
	return ask(ctx, c.db.calls, &p.mu, "read checkpoint "+projection, func() (feed.Stored, error) {
		at := p.checkpoints[projection]
		s := feed.Stored{Epoch: at.epoch, Position: at.position, LogEpoch: p.epoch, Head: int64(len(p.events)), LogMoved: p.moved}
		if at.position >= 1 && at.position <= s.Head {
			s.Event = p.events[at.position-1].ID
		}
		return s, nil
	})
}

// Claim implements [feed.Checkpoints].
func (c Checkpoints) Claim(ctx context.Context, projection string, token int64) (bool, error) {
	p := c.db.p
	return ask(ctx, c.db.calls, &p.mu, "claim checkpoint "+projection, func() (bool, error) {
		at, ok := p.checkpoints[projection]
		if !ok {
			at.epoch = p.epoch
		}
		if at.token > token {
			return false, nil
		}
		at.token = token
		p.checkpoints[projection] = at
		return true, nil
	})
}

// change changes a checkpoint that is still the one given.
func (s state) change(from feed.Checkpoint, last event.Recorded, change func(*checkpoint)) bool {
	at, ok := s.checkpoints[from.Projection]
	if !ok || at.token != from.Token || at.epoch != from.Epoch || at.position != from.Position ||
		s.epoch != at.epoch || !s.holds(last.Position, last.ID) {
		return false
	}
	change(&at)
	s.checkpoints[from.Projection] = at
	return true
}

// WriteAhead implements [feed.Checkpoints].
func (c Checkpoints) WriteAhead(ctx context.Context, from feed.Checkpoint, last event.Recorded) (allowed int64, ok bool, err error) {
	p := c.db.p
	allowed, err = ask(ctx, c.db.calls, &p.mu, "write ahead "+from.Projection+" to "+strconv.FormatInt(last.Position, 10), func() (int64, error) {
		allowed := int64(-1)
		p.change(from, last, func(at *checkpoint) {
			allowed = last.Position
			if at.pausedUntil.After(p.Clock()) {
				allowed = min(allowed, at.pausedAt)
			}
			at.writeAhead = max(at.writeAhead, allowed)
		})
		return allowed, nil
	})
	return allowed, allowed >= 0, err
}

// Move implements [feed.Checkpoints].
func (c Checkpoints) Move(ctx context.Context, from feed.Checkpoint, last event.Recorded) (bool, error) {
	p := c.db.p
	return ask(ctx, c.db.calls, &p.mu, "move checkpoint "+from.Projection+" to "+strconv.FormatInt(last.Position, 10), func() (bool, error) {
		return p.change(from, last, func(at *checkpoint) { at.position, at.lastError = last.Position, "" }), nil
	})
}

// Pauses implements [feed.Pauses].
type Pauses struct{ db *DB }

// Pauses are those of the store.
func (db *DB) Pauses() Pauses { return Pauses{db} }

// Begin implements [feed.Pauses].
func (u Pauses) Begin(ctx context.Context, names []string, ttl time.Duration) (int64, error) {
	p := u.db.p
	return ask(ctx, u.db.calls, &p.mu, fmt.Sprint("begin pause ", names), func() (position int64, err error) {
		for _, name := range names {
			at, ok := p.checkpoints[name]
			if !ok {
				return 0, builds.ErrNotFollowed
			}
			if at.pausedUntil.After(p.Clock()) {
				return 0, builds.ErrBusy
			}
			position = max(position, at.writeAhead)
		}
		p.pause(names, position, p.Clock().Add(ttl))
		return position, nil
	})
}

func (s state) pause(names []string, position int64, until time.Time) {
	for _, name := range names {
		at := s.checkpoints[name]
		at.pausedAt, at.pausedUntil = position, until
		s.checkpoints[name] = at
	}
}

// Renew implements [feed.Pauses].
func (u Pauses) Renew(ctx context.Context, names []string, position int64, ttl time.Duration) (bool, error) {
	p := u.db.p
	return ask(ctx, u.db.calls, &p.mu, fmt.Sprint("renew pause ", names), func() (bool, error) {
		lasts := 0
		for _, name := range names {
			if at := p.checkpoints[name]; at.pausedAt == position && at.pausedUntil.After(p.Clock()) {
				lasts++
				p.pause([]string{name}, position, p.Clock().Add(ttl))
			}
		}
		return lasts == len(names), nil
	})
}

// Reached implements [feed.Pauses].
func (u Pauses) Reached(ctx context.Context, names []string, position int64) (bool, error) {
	p := u.db.p
	return ask(ctx, u.db.calls, &p.mu, fmt.Sprint("pause reached ", names), func() (bool, error) {
		return !slices.ContainsFunc(names, func(name string) bool { return p.checkpoints[name].position != position }), nil
	})
}

// End implements [feed.Pauses].
func (u Pauses) End(ctx context.Context, names []string, position int64) error {
	p := u.db.p
	return tell(ctx, u.db.calls, &p.mu, fmt.Sprint("end pause ", names), func() error {
		for _, name := range names {
			if p.checkpoints[name].pausedAt == position {
				p.pause([]string{name}, 0, time.Time{})
			}
		}
		close(p.grown)
		p.grown = make(chan struct{})
		return nil
	})
}
