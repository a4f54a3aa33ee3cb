package memory

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"
	"time"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// ErrNotFound: there is nothing of that name.
var ErrNotFound = errors.New("not found")

// Postgres is what the processes of one installation share beside the tables.
type Postgres struct {
	// Clock is the clock of the store.
	Clock func() time.Time

	mu       sync.Mutex
	grown    chan struct{}
	released chan struct{}
	state
}

// state is what goes back when the store is put back to an earlier state.
type state struct {
	epoch, adoptedFrom string
	moved              bool
	events             []event.Recorded
	leases             map[string]lease
	checkpoints        map[string]checkpoint
	builds             []build
	parked             map[string]map[string]builds.Waiting
}

type lease struct {
	owner   string
	token   int64
	expires time.Time
}

type checkpoint struct {
	epoch                string
	position, writeAhead int64
	token                int64
	pausedAt             int64
	pausedUntil          time.Time
	lastError            string
}

type build struct {
	builds.Build
	retries, retried int64
	ranges           []projections.Range
	replayed         map[int64]bool
}

func (s state) clone() state {
	s.events = slices.Clip(s.events)
	s.leases = maps.Clone(s.leases)
	s.checkpoints = maps.Clone(s.checkpoints)
	s.builds = slices.Clone(s.builds)
	for i := range s.builds {
		s.builds[i].replayed = maps.Clone(s.builds[i].replayed)
	}
	parked := make(map[string]map[string]builds.Waiting, len(s.parked))
	for name, streams := range s.parked {
		parked[name] = maps.Clone(streams)
	}
	s.parked = parked
	return s
}

// NewPostgres is an empty log of some epoch.
func NewPostgres(clock func() time.Time, epoch string) *Postgres {
	return &Postgres{
		Clock: clock, grown: make(chan struct{}), released: make(chan struct{}),
		state: state{
			epoch: epoch, leases: map[string]lease{}, checkpoints: map[string]checkpoint{},
			parked: map[string]map[string]builds.Waiting{},
		},
	}
}

// Snapshot keeps the present state, and gives what puts the store back to it.
func (p *Postgres) Snapshot() (putBack func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kept := p.clone()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.state = kept.clone()
	}
}

// SnapshotEvents keeps the present log, and gives what puts the log alone back to it.
func (p *Postgres) SnapshotEvents() (putBack func()) {
	kept := p.Events()
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.events = slices.Clone(kept)
	}
}

// Append puts events at the end of the log, at the next positions.
func (p *Postgres) Append(events ...event.Recorded) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range events {
		e.Position = int64(len(p.events)) + 1
		p.events = append(p.events, e)
	}
	close(p.grown)
	p.grown = make(chan struct{})
}

// Events is the log as it is.
func (p *Postgres) Events() []event.Recorded {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clip(p.events)
}

// TakeLease gives a lease to an owner that did not ask for it.
func (p *Postgres) TakeLease(name, owner string, ttl time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.leases[name] = lease{owner, p.leases[name].token + 1, p.Clock().Add(ttl)}
}

// Owns says whether the lease that a process took last is its own still.
func (db *DB) Owns(name string) bool {
	db.p.mu.Lock()
	defer db.p.mu.Unlock()
	l := db.p.leases[name]
	return l.token == db.tokens[name] && l.expires.After(db.p.Clock())
}

// As is the store as a process calls it.
func (p *Postgres) As(calls Calls) *DB { return &DB{p: p, calls: calls, tokens: map[string]int64{}} }

// DB is a process's connection to [Postgres].
type DB struct {
	p     *Postgres
	calls Calls
	// Decode, if set, is how the process reads events: as [event.Unreadable] where it cannot.
	Decode func(event.Recorded) event.Recorded
	// tokens are those of the leases that were taken last.
	tokens map[string]int64
}

// Stores are what a subscriber needs.
func (db *DB) Stores() feed.Stores {
	return feed.Stores{Log: db, Leases: Leases{db}, Checkpoints: Checkpoints{db}, Signals: db}
}

// Grown implements [feed.Signals].
func (db *DB) Grown() <-chan struct{} {
	db.p.mu.Lock()
	defer db.p.mu.Unlock()
	return db.p.grown
}

// Released implements [feed.Signals].
func (db *DB) Released() <-chan struct{} {
	db.p.mu.Lock()
	defer db.p.mu.Unlock()
	return db.p.released
}

func (db *DB) read(events []event.Recorded) []event.Recorded {
	if db.Decode == nil {
		return events
	}
	read := make([]event.Recorded, len(events))
	for i, e := range events {
		read[i] = db.Decode(e)
	}
	return read
}

// Scan implements [projections.Source].
func (db *DB) Scan(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	return ask(ctx, db.calls, &db.p.mu, "scan after "+strconv.FormatInt(after, 10), func() ([]event.Recorded, error) {
		return db.read(db.p.between(after, through, limit)), nil
	})
}

// ScanClear is [DB.Scan]; nothing here is sealed.
func (db *DB) ScanClear(ctx context.Context, after, through int64, limit int) ([]event.Recorded, error) {
	return db.Scan(ctx, after, through, limit)
}

func (s state) between(after, through int64, limit int) []event.Recorded {
	last := min(through, int64(len(s.events)), after+int64(limit))
	if after >= last {
		return nil
	}
	return s.events[after:last]
}

// ScanNext implements [feed.Log].
func (db *DB) ScanNext(ctx context.Context, after int64, limit int) (events []event.Recorded, more bool, err error) {
	events, err = ask(ctx, db.calls, &db.p.mu, "scan next after "+strconv.FormatInt(after, 10), func() ([]event.Recorded, error) {
		return db.read(db.p.between(after, int64(len(db.p.events)), limit)), nil
	})
	return events, len(events) == limit, err
}

// Lacks implements [feed.Log].
func (db *DB) Lacks(ctx context.Context, positions []int64, ids []string) (int64, error) {
	return ask(ctx, db.calls, &db.p.mu, fmt.Sprint("lacks ", positions), func() (first int64, err error) {
		for i, position := range positions {
			if !db.p.holds(position, ids[i]) && (first == 0 || position < first) {
				first = position
			}
		}
		return first, nil
	})
}

func (s state) holds(position int64, id string) bool {
	return position >= 1 && position <= int64(len(s.events)) && s.events[position-1].ID == id
}

// ReadStream gives all events of a stream in order.
func (db *DB) ReadStream(ctx context.Context, stream string) ([]event.Recorded, error) {
	return ask(ctx, db.calls, &db.p.mu, "read stream "+stream, func() (events []event.Recorded, err error) {
		for _, e := range db.p.events {
			if e.Stream == stream {
				events = append(events, e)
			}
		}
		return db.read(events), nil
	})
}

// States are those of all builds by name.
func (p *Postgres) States() map[string]builds.State {
	p.mu.Lock()
	defer p.mu.Unlock()
	states := map[string]builds.State{}
	for _, b := range p.builds {
		states[b.Name] = b.State
	}
	return states
}

// LiveBuild names the live build; empty where there is none.
func (p *Postgres) LiveBuild() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i := range p.builds {
		if p.builds[i].State == builds.Live {
			return p.builds[i].Name
		}
	}
	return ""
}

// Waiting lists the conversations that wait in a build.
func (p *Postgres) Waiting(build string) []builds.Waiting {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waiting(build)
}

// WriteAhead is up to where a projection may have applied the log.
func (p *Postgres) WriteAhead(projection string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.checkpoints[projection].writeAhead
}

// Position is up to where a projection has applied the log, and 0 before it did.
func (p *Postgres) Position(projection string) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.checkpoints[projection].position
}
