package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"bitacora/projections"
	"bitacora/projections/builds"
)

// Unstorable is a text of a message that the tables refuse.
const Unstorable = "unstorable"

// ClickHouse holds the tables of builds.
type ClickHouse struct {
	mu sync.Mutex
	// Lenient tables store [Unstorable] texts, too.
	Lenient bool
	builds  map[string]*tables
}

type tables struct {
	origin  builds.Origin
	marked  bool
	parts   []projections.Tables
	runs    map[int64]run
	retried int64
}

// run is a run of positions that is held; it is known by its first one.
type run struct {
	last  int64
	event string
}

// NewClickHouse holds no build yet.
func NewClickHouse() *ClickHouse { return &ClickHouse{builds: map[string]*tables{}} }

// Snapshot keeps the present state of a build, and gives what puts it back to it.
func (c *ClickHouse) Snapshot(build string) (putBack func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept, ok := c.builds[build]
	if !ok {
		return func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			delete(c.builds, build)
		}
	}
	copied := kept.clone()
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.builds[build] = copied.clone()
	}
}

func (t tables) clone() *tables {
	t.parts, t.runs = slices.Clip(t.parts), maps.Clone(t.runs)
	return &t
}

// Rows are those of a build; ok is false where there is no such build.
func (c *ClickHouse) Rows(build string) (rows projections.Tables, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	t, ok := c.builds[build]
	if !ok {
		return projections.Tables{}, false
	}
	if len(t.parts) > 1 {
		t.parts = []projections.Tables{projections.Join(t.parts...)}
	}
	if len(t.parts) == 1 {
		rows = t.parts[0]
	}
	return rows, true
}

// Applied is up to where a build holds the log, as it says itself.
func (c *ClickHouse) Applied(build string) int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t := c.builds[build]; t != nil {
		return t.applied()
	}
	return 0
}

func (t *tables) applied() (through int64) {
	for _, first := range slices.Sorted(maps.Keys(t.runs)) {
		if first <= through+1 {
			through = max(through, t.runs[first].last)
		}
	}
	return through
}

// As are the tables as a process calls them.
func (c *ClickHouse) As(calls Calls) *Tables { return &Tables{c, calls} }

// Tables is a process's connection to [ClickHouse].
type Tables struct {
	c     *ClickHouse
	calls Calls
}

// with calls for a build that must exist.
func (t *Tables) with(ctx context.Context, name, build string, effect func(*tables) error) error {
	return tell(ctx, t.calls, &t.c.mu, name+" "+build, func() error {
		b, ok := t.c.builds[build]
		if !ok {
			return fmt.Errorf("%s: build %s: %w", name, build, ErrNotFound)
		}
		return effect(b)
	})
}

// Wait implements [builds.Waiter].
func (t *Tables) Wait(ctx context.Context) error { return ctx.Err() }

// Origin implements [builds.TableReader].
func (t *Tables) Origin(ctx context.Context, build string) (o builds.Origin, ok bool, err error) {
	type answer struct {
		builds.Origin
		ok bool
	}
	a, err := ask(ctx, t.calls, &t.c.mu, "read origin "+build, func() (answer, error) {
		b := t.c.builds[build]
		if b == nil {
			return answer{}, nil
		}
		return answer{b.origin, b.marked}, nil
	})
	return a.Origin, a.ok, err
}

// SetOrigin implements [builds.TableMaker].
func (t *Tables) SetOrigin(ctx context.Context, build, epoch string, version int) error {
	return t.with(ctx, "set origin", build, func(b *tables) error {
		b.origin, b.marked = builds.Origin{Epoch: epoch, Version: version}, true
		return nil
	})
}

// CreateBuild implements [builds.TableMaker].
func (t *Tables) CreateBuild(ctx context.Context, build string) error {
	return tell(ctx, t.calls, &t.c.mu, "create "+build, func() error {
		if t.c.builds[build] == nil {
			t.c.builds[build] = &tables{runs: map[int64]run{}}
		}
		return nil
	})
}

// DropBuild implements [builds.TableMaker].
func (t *Tables) DropBuild(ctx context.Context, build string) error {
	return tell(ctx, t.calls, &t.c.mu, "drop "+build, func() error {
		delete(t.c.builds, build)
		return nil
	})
}

// BuildNames lists the builds that have tables.
func (t *Tables) BuildNames(ctx context.Context) ([]string, error) {
	return ask(ctx, t.calls, &t.c.mu, "list tables", func() ([]string, error) {
		return slices.Sorted(maps.Keys(t.c.builds)), nil
	})
}

// PublishViews implements [builds.ViewPublisher].
func (t *Tables) PublishViews(ctx context.Context, build string) error {
	return t.with(ctx, "publish views of", build, func(*tables) error { return nil })
}

// Forget implements [builds.SubjectRemover].
func (t *Tables) Forget(ctx context.Context, build, subject string) error {
	return t.with(ctx, "forget "+subject+" in", build, func(b *tables) error {
		b.parts = slices.Clone(b.parts)
		for i, part := range b.parts {
			b.parts[i] = without(part, subject)
		}
		return nil
	})
}

func without(t projections.Tables, subject string) projections.Tables {
	t.Conversations = slices.DeleteFunc(slices.Clone(t.Conversations), func(r projections.ConversationRow) bool { return r.ConversationID == subject })
	t.Messages = slices.DeleteFunc(slices.Clone(t.Messages), func(r projections.MessageRow) bool { return r.ConversationID == subject })
	t.Contacts = slices.DeleteFunc(slices.Clone(t.Contacts), func(r projections.ContactRow) bool { return r.ContactID == subject })
	t.Visits = slices.DeleteFunc(slices.Clone(t.Visits), func(r projections.VisitRow) bool { return r.VisitID == subject })
	t.Ratings = slices.DeleteFunc(slices.Clone(t.Ratings), func(r projections.RatingRow) bool { return r.ConversationID == subject })
	t.Bookings = slices.DeleteFunc(slices.Clone(t.Bookings), func(r projections.BookingRow) bool { return r.ConversationID == subject })
	t.ContactHistory = slices.DeleteFunc(slices.Clone(t.ContactHistory), func(r projections.ContactHistoryRow) bool { return r.ContactID == subject })
	t.ChatRefusals = slices.DeleteFunc(slices.Clone(t.ChatRefusals), func(r projections.ChatRefusalRow) bool { return r.Month == subject })
	t.AnswersTaught = slices.DeleteFunc(slices.Clone(t.AnswersTaught), func(r projections.AnswerTaughtRow) bool { return r.Change == subject })
	t.DataAccess = slices.DeleteFunc(slices.Clone(t.DataAccess), func(r projections.DataAccessRow) bool { return r.Subject == subject })
	return t
}

// Coverage implements [builds.TableReader].
func (t *Tables) Coverage(ctx context.Context, build string) (c builds.Coverage, err error) {
	var found builds.Coverage
	err = t.with(ctx, "read coverage of", build, func(b *tables) error {
		found = builds.Coverage{Applied: b.applied(), Last: b.last(), Retried: b.retried}
		for _, first := range slices.Sorted(maps.Keys(b.runs)) {
			found.Positions = append(found.Positions, b.runs[first].last)
			found.Events = append(found.Events, b.runs[first].event)
		}
		return nil
	})
	if err != nil {
		return builds.Coverage{}, err
	}
	return found, nil
}

// last is the last position of anything that is held.
func (t *tables) last() (last int64) {
	for _, r := range t.runs {
		last = max(last, r.last)
	}
	for _, part := range t.parts {
		last = max(last, Last(part))
	}
	return last
}

// Last is the last position that any of some rows names.
func Last(t projections.Tables) (last int64) {
	for _, r := range t.Conversations {
		last = max(last, int64(r.LastPosition))
	}
	for _, r := range t.Messages {
		last = max(last, int64(r.Position))
	}
	for _, r := range t.Contacts {
		last = max(last, int64(r.LastPosition))
	}
	for _, r := range t.Visits {
		last = max(last, int64(r.LastPosition))
	}
	for _, r := range t.Ratings {
		last = max(last, int64(r.Position))
	}
	for _, r := range t.Bookings {
		last = max(last, int64(r.LastPosition))
	}
	for _, r := range t.ContactHistory {
		last = max(last, int64(r.Position))
	}
	for _, r := range t.ChatRefusals {
		last = max(last, int64(r.Position))
	}
	for _, r := range t.AnswersTaught {
		last = max(last, int64(r.Position))
	}
	for _, r := range t.DataAccess {
		last = max(last, int64(r.Position))
	}
	return last
}

// Writer writes into one build, see [builds.RetryWriter].
type Writer struct {
	*Tables
	build string
}

// Writer is the one of a build.
func (t *Tables) Writer(build string) Writer { return Writer{t, build} }

// Write implements [projections.Writer]: messages first, and all else in a second call, so that
// a failure may come between them.
func (w Writer) Write(ctx context.Context, rows projections.Tables) error {
	messages := projections.Tables{Messages: rows.Messages}
	rows.Messages = nil
	for i, part := range []projections.Tables{messages, rows} {
		last := Last(part)
		if last == 0 {
			continue
		}
		name := fmt.Sprintf("insert %d rows up to %d (%d of 2) into", len(part.Messages)+len(part.Conversations), last, i+1)
		err := w.with(ctx, name, w.build, func(b *tables) error {
			if !w.c.Lenient && slices.ContainsFunc(part.Messages, func(r projections.MessageRow) bool { return r.Text == Unstorable }) {
				return fmt.Errorf("%w: a text is refused", projections.ErrUnstorable)
			}
			b.parts = append(b.parts, part)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// Applied implements [projections.Writer].
func (w Writer) Applied(ctx context.Context, r projections.Range, last string) (through int64, err error) {
	var found int64
	err = w.with(ctx, fmt.Sprint("note applied ", r, " in"), w.build, func(b *tables) error {
		first := r.First
		if b.applied()+1 >= first {
			first = 1
		}
		if was := b.runs[first]; r.Last > was.last || r.Last == was.last && last > was.event {
			b.runs[first] = run{r.Last, last}
		}
		found = b.applied()
		return nil
	})
	if err != nil {
		return 0, err
	}
	return found, nil
}

// Retried implements [builds.RetryWriter].
func (w Writer) Retried(ctx context.Context, retry int64) error {
	return w.with(ctx, fmt.Sprint("note retry ", retry, " in"), w.build, func(b *tables) error {
		b.retried = max(b.retried, retry)
		return nil
	})
}

// Blank implements [builds.TextRemover] for a log in which nobody was erased.
func (t *Tables) Blank(context.Context, string, []string) (int, error) { return 0, nil }
