// Package suite holds every implementation of a store to the same promises: those in Postgres and
// ClickHouse, and those in memory that the simulation runs on.
package suite

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

// must fails the test for a call that failed.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// is fails the test where an answer is another one.
func is[T any](t *testing.T, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// Leases tests [feed.Leases] that nobody else uses.
func Leases(t *testing.T, leases feed.Leases) {
	ctx := t.Context()
	acquire := func(owner string, ttl time.Duration) (int64, bool) {
		t.Helper()
		token, ok, err := leases.Acquire(ctx, "work", owner, ttl)
		must(t, err)
		return token, ok
	}
	renew := func(token int64, ttl time.Duration) bool {
		t.Helper()
		ok, err := leases.Renew(ctx, "work", token, ttl)
		must(t, err)
		return ok
	}
	first, ok := acquire("one", time.Hour)
	is(t, "a free lease is taken", ok, true)
	_, ok = acquire("other", time.Hour)
	is(t, "a lease is taken twice", ok, false)
	is(t, "its owner renews it", renew(first, time.Hour), true)
	is(t, "another renews it", renew(first+1, time.Hour), false)
	must(t, leases.Release(ctx, "work", first+1))
	_, ok = acquire("other", time.Hour)
	is(t, "it is taken after another released it", ok, false)
	again, ok := acquire("one", time.Hour)
	is(t, "its owner takes it again under a greater token", ok && again > first, true)
	must(t, leases.Release(ctx, "work", again))
	second, ok := acquire("other", time.Millisecond)
	is(t, "a released lease is taken under a greater token", ok && second > again, true)
	time.Sleep(20 * time.Millisecond)
	third, ok := acquire("one", time.Hour)
	is(t, "a lease that ran out is taken under a greater token", ok && third > second, true)
	is(t, "who lost it renews it", renew(second, time.Hour), false)
}

// Feed is a log and what is kept beside it.
type Feed struct {
	feed.Stores
	Pauses feed.Pauses
	// Append appends some events.
	Append func(n int) []event.Recorded
}

// Checkpoints tests [feed.Log], [feed.Checkpoints] and [feed.Pauses] of a log that is empty yet.
func Checkpoints(t *testing.T, f Feed) {
	ctx, c := t.Context(), f.Checkpoints
	read := func() feed.Stored {
		t.Helper()
		s, err := c.Read(ctx, "reader")
		must(t, err)
		return s
	}
	claim := func(token int64) bool {
		t.Helper()
		ok, err := c.Claim(ctx, "reader", token)
		must(t, err)
		return ok
	}
	writeAhead := func(from feed.Checkpoint, last event.Recorded) (int64, bool) {
		t.Helper()
		allowed, ok, err := c.WriteAhead(ctx, from, last)
		must(t, err)
		return allowed, ok
	}
	move := func(from feed.Checkpoint, last event.Recorded) bool {
		t.Helper()
		ok, err := c.Move(ctx, from, last)
		must(t, err)
		return ok
	}
	epoch := read().LogEpoch
	is(t, "nothing is applied", read(), feed.Stored{LogEpoch: epoch})
	log := f.Append(4)
	events, more, err := f.Log.ScanNext(ctx, 1, 2)
	must(t, err)
	is(t, "a scan gives what follows, and says that there may be more", len(events) == 2 && events[0].ID == log[1].ID && more, true)
	_, more, err = f.Log.ScanNext(ctx, 1, 10)
	must(t, err)
	is(t, "there is more after the last", more, false)
	lacks, err := f.Log.Lacks(ctx, []int64{1, 3, 2, 9}, []string{log[0].ID, log[0].ID, log[0].ID, log[0].ID})
	must(t, err)
	is(t, "the first event that is not there", lacks, int64(2))

	is(t, "the first owner claims", claim(2), true)
	is(t, "a claim tells the epoch", read(), feed.Stored{Epoch: epoch, LogEpoch: epoch, Head: 4})
	is(t, "an earlier owner claims", claim(1), false)
	is(t, "an owner claims again", claim(2), true)
	at := feed.Checkpoint{Projection: "reader", Token: 2, Epoch: epoch}
	allowed, ok := writeAhead(at, log[1])
	is(t, "all may be written", allowed == 2 && ok, true)
	strange := log[1]
	strange.ID = log[2].ID
	for name, wrong := range map[string]struct {
		from feed.Checkpoint
		last event.Recorded
	}{
		"of another owner":          {feed.Checkpoint{Projection: "reader", Token: 1, Epoch: epoch}, log[1]},
		"from another position":     {feed.Checkpoint{Projection: "reader", Token: 2, Epoch: epoch, Position: 1}, log[1]},
		"to an event not there":     {at, strange},
		"of another log":            {feed.Checkpoint{Projection: "reader", Token: 2, Epoch: "6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11"}, log[1]},
		"of one never claimed":      {feed.Checkpoint{Projection: "other", Token: 2, Epoch: epoch}, log[1]},
		"to beyond the log's end":   {at, event.Recorded{Position: 9, ID: log[3].ID}},
		"by who will claim it next": {feed.Checkpoint{Projection: "reader", Token: 3, Epoch: epoch}, log[1]},
	} {
		_, ok := writeAhead(wrong.from, wrong.last)
		is(t, "a write-ahead "+name, ok, false)
		is(t, "a move "+name, move(wrong.from, wrong.last), false)
	}
	is(t, "a move", move(at, log[1]), true)
	is(t, "it is moved", read(), feed.Stored{Epoch: epoch, Position: 2, Event: log[1].ID, LogEpoch: epoch, Head: 4})
	is(t, "a move is repeated", move(at, log[1]), false)

	at.Position, at.Event = 2, log[1].ID
	_, err = f.Pauses.Begin(ctx, []string{"reader", "other"}, time.Hour)
	is(t, "one that was never followed is paused", err == nil, false)
	position, err := f.Pauses.Begin(ctx, []string{"reader"}, time.Hour)
	must(t, err)
	is(t, "the pause is where everything is applied", position, 2)
	_, err = f.Pauses.Begin(ctx, []string{"reader"}, time.Hour)
	is(t, "it is paused twice", err == nil, false)
	reached, err := f.Pauses.Reached(ctx, []string{"reader"}, 2)
	must(t, err)
	is(t, "the pause is reached", reached, true)
	allowed, ok = writeAhead(at, log[3])
	is(t, "nothing may be written in a pause", allowed == 2 && ok, true)
	lasts, err := f.Pauses.Renew(ctx, []string{"reader"}, 2, time.Hour)
	must(t, err)
	is(t, "the pause is renewed", lasts, true)
	must(t, f.Pauses.End(ctx, []string{"reader"}, 1))
	allowed, _ = writeAhead(at, log[3])
	is(t, "another pause ended", allowed, 2)
	must(t, f.Pauses.End(ctx, []string{"reader"}, 2))
	allowed, _ = writeAhead(at, log[3])
	is(t, "after the pause all may be written", allowed, 4)
	lasts, err = f.Pauses.Renew(ctx, []string{"reader"}, 2, time.Hour)
	must(t, err)
	is(t, "a pause that ended is renewed", lasts, false)
	position, err = f.Pauses.Begin(ctx, []string{"reader"}, time.Millisecond)
	must(t, err)
	is(t, "the next pause waits for what may be written", position, 4)
	reached, err = f.Pauses.Reached(ctx, []string{"reader"}, 4)
	must(t, err)
	is(t, "it is reached before that is applied", reached, false)
	time.Sleep(20 * time.Millisecond)
	lasts, err = f.Pauses.Renew(ctx, []string{"reader"}, 4, time.Hour)
	must(t, err)
	is(t, "a pause that ran out is renewed", lasts, false)
}

// WriteAhead brings a projection to where it may have applied everything up to an event.
func WriteAhead(t *testing.T, stores feed.Stores, projection string, last event.Recorded) {
	t.Helper()
	ctx := t.Context()
	_, err := stores.Checkpoints.Claim(ctx, projection, 1)
	must(t, err)
	s, err := stores.Checkpoints.Read(ctx, projection)
	must(t, err)
	_, ok, err := stores.Checkpoints.WriteAhead(ctx, feed.Checkpoint{Projection: projection, Token: 1, Epoch: s.LogEpoch}, last)
	must(t, err)
	is(t, "it may be written", ok, true)
}

// Parking is where the conversations of a build wait that has written ahead up to position 4.
type Parking interface {
	projections.ParkingStore
	builds.ParkingQueue
}

// ParkingOf tests the parking of a build named b1 in which nothing waits.
func ParkingOf(t *testing.T, parking Parking, lister builds.WaitingLister) {
	ctx := t.Context()
	parked := func() map[string]int64 {
		t.Helper()
		e, err := parking.Exclusions(ctx)
		must(t, err)
		return e.Parked
	}
	park := func(stream string, position int64) {
		t.Helper()
		must(t, parking.Park(ctx, []projections.Parked{{Stream: stream, Position: position, Reason: "why"}}))
	}
	park("a", 3)
	park("b", 2)
	park("a", 4)
	is(t, "the earlier position counts", parked(), map[string]int64{"a": 3, "b": 2})
	park("a", 1)
	is(t, "an earlier one is noted", parked(), map[string]int64{"a": 1, "b": 2})
	must(t, parking.Move(ctx, projections.Parked{Stream: "a", Position: 3, Reason: "else"}))
	list, err := lister.Waiting(ctx, "b1")
	must(t, err)
	for i := range list {
		list[i].ParkedAt = time.Time{}
	}
	is(t, "they wait in the order of their events", list, []builds.Waiting{
		{Parked: projections.Parked{Stream: "b", Position: 2, Reason: "why"}}, {Parked: projections.Parked{Stream: "a", Position: 3, Reason: "else"}},
	})
	_, _, err = parking.Drain(ctx, "c")
	is(t, "one is drained that does not wait", err == nil, false)
	through, first, err := parking.Drain(ctx, "a")
	must(t, err)
	is(t, "what may have been written is the caller's", through, 4)
	is(t, "a drained stream is applied", parked(), map[string]int64{"b": 2})
	must(t, parking.Move(ctx, projections.Parked{Stream: "a", Position: 4, Reason: "else"}))
	is(t, "a drained stream is not moved", parked(), map[string]int64{"b": 2})
	must(t, parking.End(ctx, "a", through+1, first))
	park("a", 4)
	is(t, "a fault of a drained stream parks it again", parked(), map[string]int64{"a": 4, "b": 2})
	must(t, parking.End(ctx, "a", through, first))
	is(t, "what is parked again is not ended", parked(), map[string]int64{"a": 4, "b": 2})
	through, second, err := parking.Drain(ctx, "a")
	must(t, err)
	is(t, "retries are numbered", second > first, true)
	must(t, parking.End(ctx, "a", through, second))
	is(t, "the other one waits", parked(), map[string]int64{"b": 2})
}

// Tables are the tables of builds.
type Tables interface {
	builds.TableReader
	builds.TableMaker
}

// TablesOf tests tables of which there are none yet. Both versions of a log are of at least six
// events that make rows.
func TablesOf(t *testing.T, tables Tables, writer func(build string) builds.RetryWriter, log []event.Recorded) {
	ctx := t.Context()
	const epoch, version = "6c2a45a5-0f5e-4a8e-9a5c-0d4a1b8f2c11", 3
	_, made, err := tables.Origin(ctx, "b1")
	must(t, err)
	is(t, "there are tables", made, false)
	is(t, "rows are written to no tables", writer("b1").Write(ctx, projections.RowsOf(log[:1])) == nil, false)
	for range 2 {
		must(t, tables.CreateBuild(ctx, "b1"))
	}
	_, made, err = tables.Origin(ctx, "b1")
	must(t, err)
	is(t, "tables without an origin count", made, false)
	must(t, tables.SetOrigin(ctx, "b1", epoch, version))
	got, made, err := tables.Origin(ctx, "b1")
	must(t, err)
	is(t, "they have their origin", made && got.Epoch == epoch && got.Version == version, true)
	coverage := func() builds.Coverage {
		t.Helper()
		c, err := tables.Coverage(ctx, "b1")
		must(t, err)
		return c
	}
	is(t, "they hold nothing", coverage().Applied+coverage().Last+coverage().Retried, 0)
	apply := func(first, last int64) int64 {
		t.Helper()
		must(t, writer("b1").Write(ctx, projections.RowsOf(log[first-1:last])))
		through, err := writer("b1").Applied(ctx, projections.Range{First: first, Last: last}, log[last-1].ID)
		must(t, err)
		return through
	}
	is(t, "the first run", apply(1, 2), 2)
	is(t, "a run after a gap", apply(5, 6), 2)
	c := coverage()
	is(t, "they hold both, and all of the first", c.Applied == 2 && c.Last == 6 && len(c.Positions) == 2, true)
	is(t, "the gap is filled", apply(3, 4), 6)
	is(t, "a run is noted again", apply(1, 2), 6)
	c = coverage()
	is(t, "they hold all", c.Applied == 6 && c.Last == 6, true)
	for i, position := range c.Positions {
		is(t, "the event at the end of a run", c.Events[i], log[position-1].ID)
	}
	for _, retry := range []int64{2, 1} {
		must(t, writer("b1").Retried(ctx, retry))
	}
	is(t, "the latest retry counts", coverage().Retried, 2)
	must(t, tables.DropBuild(context.WithoutCancel(ctx), "b1"))
	_, made, err = tables.Origin(ctx, "b1")
	must(t, err)
	is(t, "dropped tables are there", made, false)
}
