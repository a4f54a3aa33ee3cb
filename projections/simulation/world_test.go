package simulation

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/projections"
	"bitacora/projections/builds"
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

	processes []*program
	drafted   int
	// answering is the build that readers see, as far as the history has come.
	answering string
	// undisturbed says that nothing goes wrong any more.
	undisturbed bool
	// putBackLog, putBackEvents and putBackTables restore the latest copies; nil before there are any.
	putBackLog, putBackEvents, putBackTables func()
	failure                                  error
	// noted is up to where tables said to hold the log, by process and build.
	noted map[connection]int64
	// tally counts what happened, to show that it did.
	tally map[string]int
}

func newWorld(seed uint64) *world {
	w := &world{scheduler: newScheduler(seed), clickhouse: memory.NewClickHouse(), tally: map[string]int{}, noted: map[connection]int64{}}
	w.postgres = memory.NewPostgres(func() time.Time { return time.Now().Add(w.jumped) }, "epoch 1")
	w.answering = "b1"
	if err := w.postgres.As(memory.Direct).FirstBuild(context.Background(), w.answering, projections.Version); err != nil {
		w.failure = err
	}
	w.watch, w.seen = w.mindLease, w.look
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
	build := c.name[strings.LastIndex(c.name, " ")+1:]
	for _, p := range w.processes {
		if p.number == c.process && !p.command && !p.db.Owns(build) {
			w.fail("process %d begins to write into %s without its lease", p.number, build)
		}
	}
}

// look holds what a call has changed against what may be.
func (w *world) look(c *call) {
	for _, kind := range []string{"park", "move build", "drain", "adopt", "read stream"} {
		if strings.HasPrefix(c.name, kind+" ") {
			w.tally[kind]++
		}
	}
	if build, ok := buildOf(c); ok && strings.HasPrefix(c.name, "note applied") {
		w.noted[connection{c.process, build}] = w.clickhouse.Applied(build)
	} else if ok && strings.HasPrefix(c.name, "move checkpoint") {
		if noted := w.noted[connection{c.process, build}]; w.postgres.Position(build) > noted {
			w.fail("the checkpoint of %s is %d, its tables were said to hold the log up to %d", build, w.postgres.Position(build), noted)
		}
	}
	if live := w.live(); live != w.answering {
		if before, after := w.clickhouse.Applied(w.answering), w.clickhouse.Applied(live); after < before && !w.wentBack && !w.leasesBroken {
			w.fail("answers go back: %s held the log up to %d, %s up to %d", w.answering, before, live, after)
		}
		w.answering = live
	}
	if w.wentBack {
		return
	}
	if strings.HasPrefix(c.name, "move checkpoint") {
		for name := range w.postgres.States() {
			if moved, applied := w.postgres.Position(name), w.clickhouse.Applied(name); moved > applied && applied > 0 {
				w.fail("the checkpoint of %s is %d, its tables hold the log up to %d", name, moved, applied)
			}
		}
	}
	if live, ok := strings.CutSuffix(c.name, " to live"); ok {
		w.lookAtSwitch(strings.TrimPrefix(live, "move build "))
	}
}

func streamsOf(waiting []builds.Waiting) (streams []string) {
	for _, one := range waiting {
		streams = append(streams, one.Stream)
	}
	return streams
}

// buildOf is the build for which a subscription calls.
func buildOf(c *call) (build string, ok bool) {
	i := strings.LastIndex(c.name, " for ")
	if i < 0 {
		return "", false
	}
	return c.name[i+len(" for "):], true
}

// lookAtSwitch compares a build that has just become live with the log.
func (w *world) lookAtSwitch(build string) {
	if w.postgres.States()[build] != builds.Live {
		return
	}
	got, _ := w.clickhouse.Rows(build)
	log := w.postgres.Events()
	skipped, waiting := skippedIn(log), streamsOf(w.postgres.Waiting(build))
	least := slices.DeleteFunc(slices.Clone(log[:w.postgres.Position(build)]), func(e event.Recorded) bool {
		return skipped[e.Position] || slices.Contains(waiting, e.Stream)
	})
	most := projections.RowsOf(log[:max(w.postgres.WriteAhead(build), w.postgres.Position(build))])
	if all := projections.Join(got, projections.RowsOf(least)); !reflect.DeepEqual(all, projections.Join(got)) {
		w.fail("%s became live and lacks rows:\n%s", build, cmp.Diff(all, projections.Join(got)))
	}
	if all := projections.Join(got, most); !reflect.DeepEqual(all, most) {
		w.fail("%s became live with rows of no event:\n%s", build, cmp.Diff(all, most))
	}
}

// start starts a process that keeps the builds up.
func (w *world) start() {
	p := w.program(false)
	w.note("process", p.number, "starts, updated:", w.updated)
	p.run(func(ctx context.Context) { p.follower.Follow(ctx) })
}

// operator runs a command beside the processes.
func (w *world) operator(name string, command func(ctx context.Context, p *program) error) {
	p := w.program(true)
	w.note("operator", p.number, name)
	p.run(func(ctx context.Context) { p.err = command(ctx, p) })
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
func (w *world) end(p *program, killed bool) {
	w.note("process", p.number, "ends, killed:", killed)
	if killed {
		w.kill(p.number)
	}
	p.cancel()
	w.processes = slices.DeleteFunc(w.processes, func(o *program) bool { return o == p })
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
		e := event.Recorded{
			ID: fmt.Sprintf("00000000-0000-0000-0000-%012d", w.drafted), Stream: chat.Stream(id), OccurredAt: started.Add(time.Duration(w.drafted) * time.Second),
		}
		progress := event.Progress{Ordinal: 1}
		for _, before := range slices.Backward(log) {
			if said, ok := before.Payload.(*event.VisitorMessageSent); ok && before.Stream == e.Stream {
				progress = said.Progress
				progress.Ordinal++
				progress.ActiveMillis += e.OccurredAt.Sub(before.OccurredAt).Milliseconds()
				break
			}
		}
		said := &event.VisitorMessageSent{Conversation: about, Progress: progress, Text: event.Text{Text: e.ID}}
		e.Payload = said
		switch w.IntN(12) {
		case 0, 1, 2:
			e.Payload = &event.ConversationBound{Conversation: about}
		case 3:
			e.Metadata = map[string]string{newer: "yes"}
		case 4:
			said.Text.Text = memory.Unstorable
		}
		w.postgres.Append(e)
		w.note("appended", len(log)+1, e.ID, e.Stream, e.Payload.EventType(), e.Metadata[newer], said.Text.Text == memory.Unstorable)
	}
}

// live names the live build; empty before there is one.
func (w *world) live() string { return w.postgres.LiveBuild() }

// caughtUp says whether the live build holds the whole log, or why all refuse it.
func (w *world) caughtUp() (yes bool, refused error) {
	live, refusals := w.live(), 0
	for _, p := range w.processes {
		if p.command {
			return false, nil
		}
		if err := p.follower.Obstacle(live); errors.Is(err, builds.ErrMismatch) {
			refusals++
			refused = err
		}
	}
	switch refusals {
	case 0:
		return live != "" && w.postgres.Position(live) == int64(len(w.postgres.Events())), nil
	case len(w.processes):
		return false, refused
	default:
		return false, nil
	}
}

func skippedIn(log []event.Recorded) map[int64]bool {
	skipped := map[int64]bool{}
	for _, e := range log {
		if s, ok := e.Payload.(*event.EventSkipped); ok {
			skipped[s.Position] = true
		}
	}
	return skipped
}

// compare holds the live build against the log.
func (w *world) compare() {
	log := w.postgres.Events()
	skipped := skippedIn(log)
	want := projections.RowsOf(slices.DeleteFunc(log, func(e event.Recorded) bool { return skipped[e.Position] }))
	rows, _ := w.clickhouse.Rows(w.live())
	if got := projections.Join(rows); !reflect.DeepEqual(got, want) {
		w.fail("%s does not hold what the log says (-want +got):\n%s", w.live(), cmp.Diff(want, got))
	}
}

// lookAtParked sees to it that conversations wait from their faulty event on, unless a retry has
// been at them.
func (w *world) lookAtParked() {
	if w.wentBack || w.tally["read stream"] > 0 {
		return
	}
	rows, _ := w.clickhouse.Rows(w.live())
	for _, one := range w.postgres.Waiting(w.live()) {
		for _, row := range rows.Messages {
			if chat.Stream(row.ConversationID) == one.Stream && int64(row.Position) >= one.Position {
				w.fail("%s waits from %d on, and %d is in the tables", one.Stream, one.Position, row.Position)
			}
		}
	}
}
