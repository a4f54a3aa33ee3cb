package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/feed"
)

// patience is far longer than anything here takes.
const patience = 30 * time.Second

func subscribe(t testing.TB, db *postgres.DB, config feed.Config) (*feed.Subscriber, <-chan *message.Message) {
	t.Helper()
	s := postgres.NewSubscriber(db, config)
	t.Cleanup(func() { s.Close() })
	messages, err := s.Subscribe(context.Background(), "reader")
	if err != nil {
		t.Fatal(err)
	}
	return s, messages
}

// receive takes the next message and gives its bounds.
func receive(t testing.TB, messages <-chan *message.Message) (msg *message.Message, first, last int64) {
	t.Helper()
	select {
	case msg, ok := <-messages:
		if !ok {
			t.Fatal("the subscription ended")
		}
		b, err := projections.BatchOf(msg)
		if err != nil {
			t.Fatal(err)
		}
		return msg, b.First(), b.Last()
	case <-time.After(patience):
		t.Fatal("nothing was received")
	}
	return nil, 0, 0
}

// eventually repeats a question until it is answered with true.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !is(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("waited in vain: %s", what)
		}
	}
}

func through(t testing.TB, db *postgres.DB) int64 {
	t.Helper()
	position, _, err := db.DataThrough(t.Context(), "reader")
	if err != nil {
		t.Fatal(err)
	}
	return position
}

func TestBatchesFollowEachOtherAsTheyAreAcked(t *testing.T) {
	_, db := fresh(t)
	for range 3 {
		mustAppend(t, db.Log(), request("chat-1", -1, said("a"), said("b")))
	}
	s, messages := subscribe(t, db, feed.Config{BatchSize: 4})
	msg, first, last := receive(t, messages)
	if first != 1 || last != 4 {
		t.Fatalf("first batch is %d to %d", first, last)
	}
	// While the batch is worked on, the log grows; a nacked batch keeps its bounds.
	mustAppend(t, db.Log(), request("chat-1", -1, said("c")))
	for range 3 {
		msg.Nack()
		if msg, first, last = receive(t, messages); first != 1 || last != 4 {
			t.Fatalf("nacked batch came as %d to %d", first, last)
		}
	}
	if at := through(t, db); at != 0 {
		t.Errorf("checkpoint is at %d before the ack", at)
	}
	msg.Ack()
	msg, first, last = receive(t, messages)
	if first != 5 || last != 7 || through(t, db) != 4 {
		t.Fatalf("second batch is %d to %d, checkpoint at %d", first, last, through(t, db))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if msg.Context().Err() == nil {
		t.Error("the batch in work was not told that the subscriber closed")
	}
	if _, open := <-messages; open {
		t.Error("a message came after the end")
	}

	_, messages = subscribe(t, db, feed.Config{})
	msg, first, last = receive(t, messages)
	if first != 5 || last != 7 {
		t.Errorf("after a restart: %d to %d", first, last)
	}
	msg.Ack()
	eventually(t, "checkpoint at 7", func() bool { return through(t, db) == 7 })
}

// A subscriber that sleeps is woken by what is appended. The control is the same log without the
// notification: there it sleeps until it looks by itself.
func TestNewEventsWakeASleepingSubscriber(t *testing.T) {
	_, notified := fresh(t)
	url, silent := fresh(t)
	boss := owner(t, url)
	var definition string
	if err := boss.QueryRow(t.Context(), "SELECT pg_get_functiondef('append_events'::regproc)").Scan(&definition); err != nil {
		t.Fatal(err)
	}
	without := notification.ReplaceAllString(definition, "")
	if without == definition {
		t.Fatal("append_events notifies nobody")
	}
	exec(t, boss, without)

	_, woken := subscribe(t, notified, feed.Config{})
	_, polling := subscribe(t, silent, feed.Config{})
	var wakened, polled []time.Duration
	for i := range 7 {
		for _, db := range []*postgres.DB{notified, silent} {
			eventually(t, "the last batch is done", func() bool { return through(t, db) == int64(i) })
		}
		time.Sleep(100 * time.Millisecond) // both sleep now
		mustAppend(t, notified.Log(), request("chat-1", -1, said("hola")))
		began := time.Now()
		msg, _, _ := receive(t, woken)
		wakened = append(wakened, time.Since(began))
		msg.Ack()
		mustAppend(t, silent.Log(), request("chat-1", -1, said("hola")))
		began = time.Now()
		msg, _, _ = receive(t, polling)
		polled = append(polled, time.Since(began))
		msg.Ack()
	}
	slices.Sort(wakened)
	slices.Sort(polled)
	median := len(wakened) / 2
	t.Logf("append answered to batch received: woken %v, polling %v (medians of %d)", wakened[median], polled[median], len(wakened))
	if 3*wakened[median] > polled[median] {
		t.Error("wake-ups do not arrive")
	}
}

var notification = regexp.MustCompile(`PERFORM pg_notify\([^;]*\);`)

func TestAPauseGathersWhatComesMeanwhile(t *testing.T) {
	_, db := fresh(t)
	appendOne := func() { mustAppend(t, db.Log(), request("chat-1", -1, said("hola"))) }
	for range 2 {
		appendOne()
	}
	_, messages := subscribe(t, db, feed.Config{BatchSize: 2, Pause: time.Hour})
	for _, want := range [][2]int64{{1, 2}, {3, 3}} {
		// Neither the first batch nor the one after a full one waits.
		msg, first, last := receive(t, messages)
		if first != want[0] || last != want[1] {
			t.Fatalf("batch is %d to %d, want %v", first, last, want)
		}
		appendOne()
		msg.Ack()
	}
	eventually(t, "checkpoint at 3", func() bool { return through(t, db) == 3 })
	select {
	case <-messages:
		t.Error("a batch came before the pause was over")
	case <-time.After(100 * time.Millisecond):
	}
}

// Large events come in smaller batches: as many as fit, one at least, and without a pause as long
// as there are more.
func TestBatchesAreBoundedInBytes(t *testing.T) {
	_, db := fresh(t)
	sizes := []int{100, postgres.ScanBytes / 3, postgres.ScanBytes / 3, 2 * postgres.ScanBytes, 100, postgres.ScanBytes / 2, postgres.ScanBytes / 2, 100, 100}
	for _, size := range sizes {
		mustAppend(t, db.Log(), request("chat-1", -1, said(strings.Repeat("a", size))))
	}
	_, messages := subscribe(t, db, feed.Config{Pause: time.Hour})
	next := int64(1)
	for next <= int64(len(sizes)) {
		msg, first, last := receive(t, messages)
		if first != next {
			t.Fatalf("batch begins at %d, want %d", first, next)
		}
		b, err := projections.BatchOf(msg)
		if err != nil {
			t.Fatal(err)
		}
		paused, longest := 0, 0
		for _, e := range b.Events {
			size := len(e.Payload.(*event.VisitorMessageSent).Text.Text)
			paused, longest = paused+size, max(longest, size)
		}
		// The last one may exceed the bound.
		if paused-longest >= postgres.ScanBytes {
			t.Errorf("batch %d to %d holds %d bytes", first, last, paused)
		}
		t.Logf("batch %d to %d holds %d KiB", first, last, paused>>10)
		next = last + 1
		msg.Ack()
	}
	for _, scan := range []func(context.Context, int64, int64, int) ([]event.Recorded, error){
		db.Log().Scan, db.Log().ScanClear,
		func(ctx context.Context, after, _ int64, limit int) ([]event.Recorded, error) {
			return db.Log().Scan(ctx, after, math.MaxInt64, limit)
		},
	} {
		var counts []int
		for at := int64(0); at < int64(len(sizes)); {
			events, err := scan(t.Context(), at, math.MaxInt64, 1000)
			if err != nil || len(events) == 0 || events[0].Position != at+1 {
				t.Fatalf("after %d: %d events, %v", at, len(events), err)
			}
			counts = append(counts, len(events))
			at = events[len(events)-1].Position
		}
		// Sealed texts are a third longer than they are.
		if want := []int{4, 3, 2}; !slices.Equal(counts, want) {
			t.Errorf("read in batches of %v, want %v", counts, want)
		}
	}
}

func TestOneOfManySubscribersReceives(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", -1, said("a")))
	first, ours := subscribe(t, db, feed.Config{})
	msg, _, _ := receive(t, ours)
	_, theirs := subscribe(t, open(t, url, testKey), feed.Config{})
	select {
	case <-theirs:
		t.Fatal("two subscribers receive at once")
	case <-time.After(1500 * time.Millisecond):
	}
	msg.Ack()
	mustAppend(t, db.Log(), request("chat-1", -1, said("b")))
	receive(t, ours)
	first.Close()
	_, from, to := receive(t, theirs)
	if from != 2 || to != 2 {
		t.Errorf("the next owner received %d to %d", from, to)
	}
}

func TestLostOwnerCannotMoveTheCheckpoint(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", -1, said("a")))
	_, ours := subscribe(t, db, feed.Config{Lease: time.Hour})
	old, _, _ := receive(t, ours)

	// The lease runs out unnoticed by its owner, as if its process had been stopped.
	if err := db.EndLeases(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, theirs := subscribe(t, open(t, url, testKey), feed.Config{})
	msg, first, _ := receive(t, theirs)
	if first != 1 {
		t.Fatalf("the next owner begins at %d", first)
	}
	old.Ack()
	time.Sleep(200 * time.Millisecond)
	if at := through(t, db); at != 0 {
		t.Errorf("the old owner moved the checkpoint to %d", at)
	}
	msg.Ack()
	eventually(t, "checkpoint at 1", func() bool { return through(t, db) == 1 })
}

func TestOwnerStepsDownWhenTheLeaseIsTaken(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", -1, said("a")))
	_, ours := subscribe(t, db, feed.Config{Lease: time.Second})
	msg, _, _ := receive(t, ours)
	exec(t, owner(t, url), "UPDATE leases SET owner = 'other', token = token + 1, expires_at = clock_timestamp() + interval '2 s'")
	select {
	case <-msg.Context().Done():
	case <-time.After(patience):
		t.Fatal("the owner works on without its lease")
	}
	if _, first, _ := receive(t, ours); first != 1 {
		t.Errorf("back in office it begins at %d", first)
	}
}

// Who cannot renew the lease steps down while the database still counts it as held: a batch that
// takes longer than the lease is not worked on by two owners.
func TestOwnerStepsDownBeforeTheLeaseRunsOut(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", -1, said("a")))
	_, ours := subscribe(t, db, feed.Config{Lease: 8 * time.Second})
	msg, _, _ := receive(t, ours)
	boss := owner(t, url)
	exec(t, boss, "BEGIN")
	exec(t, boss, "LOCK TABLE leases") // no renewal comes through
	select {
	case <-msg.Context().Done():
	case <-time.After(patience):
		t.Fatal("the owner works on without renewing its lease")
	}
	var paused bool
	if err := boss.QueryRow(t.Context(), "SELECT expires_at > clock_timestamp() FROM leases WHERE name = 'reader'").Scan(&paused); err != nil {
		t.Fatal(err)
	}
	if !paused {
		t.Error("the owner worked on when the lease had run out")
	}
	exec(t, boss, "ROLLBACK")
	if _, first, _ := receive(t, ours); first != 1 {
		t.Errorf("back in office it begins at %d", first)
	}
}

func TestForeignCheckpointIsRefused(t *testing.T) {
	for name, change := range map[string]string{
		"another epoch":    "UPDATE log_epoch SET epoch = gen_random_uuid()",
		"ahead of the log": "UPDATE projection_checkpoints SET position = 1000",
	} {
		url, db := fresh(t)
		mustAppend(t, db.Log(), request("chat-1", -1, said("a")))
		s, messages := subscribe(t, db, feed.Config{})
		msg, _, _ := receive(t, messages)
		msg.Ack()
		eventually(t, "checkpoint at 1", func() bool { return through(t, db) == 1 })
		s.Close()
		exec(t, owner(t, url), change)
		mustAppend(t, db.Log(), request("chat-1", -1, said("b")))
		s = postgres.NewSubscriber(db, feed.Config{})
		if _, err := s.Subscribe(t.Context(), "reader"); !errors.Is(err, feed.ErrForeignCheckpoint) {
			t.Errorf("%s: got %v", name, err)
		}
		s.Close()
	}
}

func TestEpochThatChangesUnderASubscriptionStopsIt(t *testing.T) {
	url, db := fresh(t)
	mustAppend(t, db.Log(), request("chat-1", -1, said("a")))
	_, messages := subscribe(t, db, feed.Config{})
	msg, _, _ := receive(t, messages)
	exec(t, owner(t, url), "UPDATE log_epoch SET epoch = gen_random_uuid()")
	msg.Ack()
	mustAppend(t, db.Log(), request("chat-1", -1, said("b")))
	select {
	case <-messages:
		t.Error("events of another log were delivered")
	case <-time.After(1500 * time.Millisecond):
	}
	if at := through(t, db); at != 0 {
		t.Errorf("the checkpoint moved to %d of another log", at)
	}
}

func TestDataThrough(t *testing.T) {
	_, db := fresh(t)
	began := time.Now().Add(-time.Second)
	position, now, err := db.DataThrough(t.Context(), "reader")
	if position != 0 || now.Before(began) || err != nil {
		t.Errorf("empty log: %d at %v, %v", position, now, err)
	}
	recorded := mustAppend(t, db.Log(), request("chat-1", -1, said("a"), said("b")))
	if position, none, _ := db.DataThrough(t.Context(), "reader"); position != 0 || !none.IsZero() {
		t.Errorf("nothing applied: %d at %v", position, none)
	}
	_, messages := subscribe(t, db, feed.Config{BatchSize: 1})
	msg, _, _ := receive(t, messages)
	msg.Ack()
	receive(t, messages)
	if position, behind, _ := db.DataThrough(t.Context(), "reader"); position != 1 || !behind.Equal(recorded[0].RecordedAt) {
		t.Errorf("behind: %d at %v, want 1 at %v", position, behind, recorded[0].RecordedAt)
	}
}

func TestSubscriptionOutlivesItsConnections(t *testing.T) {
	url, db := fresh(t)
	boss := owner(t, url)
	_, messages := subscribe(t, db, feed.Config{Lease: 2 * time.Second})
	want := int64(0)
	for round := range 5 {
		mustAppend(t, db.Log(), request(fmt.Sprintf("chat-%d", round), 0, said("hola")))
		for want < int64(round+1) {
			msg, first, last := receive(t, messages)
			if first > want+1 {
				t.Fatalf("received %d after %d", first, want)
			}
			want = max(want, last)
			msg.Ack()
		}
		exec(t, boss, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	}
}
