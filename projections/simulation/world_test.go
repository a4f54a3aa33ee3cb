package simulation

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/google/go-cmp/cmp"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
	"bitacora/projections/projectionstest/memory"
)

// world is an installation: its stores, and the processes that share them.
type world struct {
	*scheduler
	postgres   *memory.Postgres
	clickhouse *memory.ClickHouse
	// jumped is how far the clock of Postgres is ahead.
	jumped time.Duration
	// wentBack says that a store was put back to an earlier state; from then on tables may be refused.
	wentBack bool
	// leasesBroken says that a lease ended in a way that its owner cannot know of.
	leasesBroken bool
	// updated processes can read all events.
	updated bool

	processes []*process
	drafted   int
	failure   error
}

// process is one that keeps the builds up.
type process struct {
	number   int
	follower *builds.Follower
	db       *memory.DB
	cancel   context.CancelFunc
	ended    chan struct{}
}

func newWorld(seed uint64) *world {
	w := &world{scheduler: newScheduler(seed), clickhouse: memory.NewClickHouse()}
	w.postgres = memory.NewPostgres(func() time.Time { return time.Now().Add(w.jumped) }, "epoch 1")
	w.postgres.FirstBuild("b1", projections.Version)
	w.watch = w.mindLease
	return w
}

// fail keeps the first thing that is wrong.
func (w *world) fail(format string, args ...any) {
	if w.failure == nil {
		w.failure = fmt.Errorf(format, args...)
		w.note("FAILURE:", w.failure)
	}
}

// mindLease sees to it that nobody writes into a build whose lease has run out.
func (w *world) mindLease(c *call) {
	if w.leasesBroken || !strings.HasPrefix(c.name, "insert") {
		return
	}
	for _, p := range w.processes {
		build := c.name[strings.LastIndex(c.name, " ")+1:]
		if p.number == c.process && p.follower != nil && !p.db.Owns(build) {
			w.fail("process %d begins to write into %s without its lease", p.number, build)
		}
	}
}

// start starts a process.
func (w *world) start() {
	w.begun++
	p := &process{number: w.begun, ended: make(chan struct{})}
	w.note("process", p.number, "starts, updated:", w.updated)
	logger := slog.New(slog.DiscardHandler)
	p.db = w.postgres.As(w.callsOf(p.number, postgres))
	if !w.updated {
		p.db.Decode = outdated
	}
	tables := w.clickhouse.As(w.callsOf(p.number, clickhouse))
	checker := builds.Checker{Builds: p.db, Tables: tables, Log: p.db}
	p.follower = &builds.Follower{
		Builds: recorder{p.db, w}, Admission: builds.Admission{Checker: checker, Tables: tables}, Tables: tables,
		Views:   builds.Views{Tables: tables, Logger: logger},
		Parking: w.retrier(p.db, tables, logger),
		Subscriber: func(begin func(context.Context) error) message.Subscriber {
			return feed.NewSubscriber(p.db.Stores(), logger, feed.Config{
				BatchSize: 5, Lease: builds.LeaseTime, Pause: 200 * time.Millisecond, Begin: begin,
			})
		},
		Writer: func(build string) projections.Writer { return tables.Writer(build) },
		Store:  func(build string) projections.ParkingStore { return p.db.Parking(build) },
		Clock:  projections.WallClock{}, Logger: logger,
	}
	ctx, cancel := context.WithCancel(context.Background())
	p.cancel = cancel
	w.processes = append(w.processes, p)
	go func() {
		defer close(p.ended)
		p.follower.Follow(ctx)
	}()
}

func (w *world) retrier(db *memory.DB, tables *memory.Tables, logger *slog.Logger) builds.ParkingRetrier {
	return builds.ParkingRetrier{
		Builds: db,
		Streams: builds.StreamApplier{
			Log: db, Skipped: db, Tables: tables,
			Writer: func(build string) builds.RetryWriter { return tables.Writer(build) },
		},
		Log: db, Waiting: db, Logger: logger,
		Parking: func(build string) builds.ParkingQueue { return db.Parking(build) },
	}
}

// recorder looks at the reasons for which builds are not followed.
type recorder struct {
	*memory.DB
	w *world
}

func (r recorder) RecordError(ctx context.Context, build, reason string) error {
	if strings.Contains(reason, builds.ErrMismatch.Error()) && !r.w.wentBack {
		r.w.fail("%s is refused without a reason: %s", build, reason)
	}
	return r.DB.RecordError(ctx, build, reason)
}

// end ends a process: at once, or in order.
func (w *world) end(p *process, killed bool) {
	w.note("process", p.number, "ends, killed:", killed)
	if killed {
		w.kill(p.number)
	}
	p.cancel()
	w.processes = slices.DeleteFunc(w.processes, func(o *process) bool { return o == p })
}

// operator runs a command beside the processes.
func (w *world) operator(name string, command func(ctx context.Context, db *memory.DB, tables *memory.Tables) error) {
	w.begun++
	number := w.begun
	w.note("operator", number, name)
	db, tables := w.postgres.As(w.callsOf(number, postgres)), w.clickhouse.As(w.callsOf(number, clickhouse))
	if !w.updated {
		db.Decode = outdated
	}
	ctx, cancel := context.WithCancel(context.Background())
	p := &process{number: number, cancel: cancel, ended: make(chan struct{}), db: db}
	go func() {
		defer close(p.ended)
		_ = command(ctx, db, tables)
	}()
	w.processes = append(w.processes, p)
}

func (w *world) retryParked() {
	w.operator("retries what is parked", func(ctx context.Context, db *memory.DB, tables *memory.Tables) error {
		list, err := db.BuildStatuses(ctx)
		if err != nil {
			return err
		}
		for _, s := range list {
			waiting, err := db.Waiting(ctx, s.Name)
			if err != nil {
				return err
			}
			for _, one := range waiting {
				if _, _, err := w.retrier(db, tables, slog.New(slog.DiscardHandler)).Retry(ctx, s.Name, one.Stream); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// The stores.
const (
	postgres   = "postgres"
	clickhouse = "clickhouse"
)

const (
	// newer marks events that only updated processes can read.
	newer         = "newer"
	conversations = 4
)

func outdated(e event.Recorded) event.Recorded {
	if e.Metadata[newer] != "" {
		e.Payload = &event.Unreadable{Type: e.Payload.EventType(), Version: 2, Reason: event.ErrUnknown}
	}
	return e
}

var started = time.Date(2026, 11, 3, 14, 0, 0, 0, time.UTC)

// append appends some events.
func (w *world) append(n int) {
	for range n {
		log := w.postgres.Events()
		w.drafted++
		id := fmt.Sprint("c", w.IntN(conversations))
		about := event.Conversation{ConversationID: id, ConversationStartedAt: started}
		ordinal := 1
		for _, e := range log {
			if _, ok := e.Payload.(*event.VisitorMessageSent); ok && e.Stream == chat.Stream(id) {
				ordinal++
			}
		}
		e := event.Recorded{
			ID: fmt.Sprintf("00000000-0000-0000-0000-%012d", w.drafted), Stream: chat.Stream(id), OccurredAt: started.Add(time.Duration(w.drafted) * time.Second),
		}
		said := &event.VisitorMessageSent{Conversation: about, Progress: event.Progress{Ordinal: ordinal}, Text: event.Text{Text: e.ID}}
		e.Payload = said
		switch w.IntN(12) {
		case 0, 1, 2:
			e.Payload = &event.BookingLinkShown{Conversation: about, ReplyTo: "m"}
		case 3:
			e.Metadata = map[string]string{newer: "yes"}
		case 4:
			said.Text.Text = memory.Unstorable
		}
		w.postgres.Append(e)
		w.note("appended", len(log)+1, e.ID, e.Stream, e.Payload.EventType(), e.Metadata[newer], said.Text.Text == memory.Unstorable)
	}
}

// caughtUp says whether a build holds the whole log, or why it is refused.
func (w *world) caughtUp() (yes bool, refused error) {
	head := int64(len(w.postgres.Events()))
	refusals := 0
	for _, p := range w.processes {
		if p.follower == nil {
			return false, nil
		}
		if err := p.follower.Obstacle("b1"); errors.Is(err, builds.ErrMismatch) {
			refusals++
			refused = err
		}
	}
	if refusals == len(w.processes) {
		return false, refused
	}
	return w.postgres.Position("b1") == head && refusals == 0, nil
}

// expect is what tables hold of the log.
func (w *world) expect() projections.Tables {
	skipped := map[int64]bool{}
	log := w.postgres.Events()
	for _, e := range log {
		if s, ok := e.Payload.(*event.EventSkipped); ok {
			skipped[s.Position] = true
		}
	}
	return projections.RowsOf(slices.DeleteFunc(slices.Clone(log), func(e event.Recorded) bool { return skipped[e.Position] }))
}

func (w *world) compare(build string) {
	rows, _ := w.clickhouse.Rows(build)
	if got, want := projections.Join(rows), w.expect(); !reflect.DeepEqual(got, want) {
		w.fail("%s does not hold what the log says (-want +got):\n%s", build, cmp.Diff(want, got))
	}
}
