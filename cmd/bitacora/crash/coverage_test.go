package crash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2"

	"bitacora/adapters/engines/enginestest"
	"bitacora/adapters/httpapi/contract"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/cmd/bitacora/eventlog"
	"bitacora/cmd/bitacora/programtest"
	"bitacora/cmd/bitacora/tables"
	"bitacora/domain/chat"
	"bitacora/domain/event"
	"bitacora/projections/builds"
	"bitacora/schema"
)

// example is a kept event of some type and version.
type example struct {
	name, kind string
	version    int
	data       string
}

// examples are all that are kept: at least one of every type this program knows.
func examples(t *testing.T) (all []example) {
	t.Helper()
	files, err := fs.Glob(schema.Events, "events/*.json")
	if err != nil {
		t.Fatal(err)
	}
	kept := map[string]bool{}
	for _, file := range files {
		e := example{name: strings.TrimSuffix(filepath.Base(file), ".json")}
		kind, suffix, _ := strings.Cut(e.name, ".")
		if _, err := fmt.Sscanf(suffix, "v%d", &e.version); err != nil {
			t.Fatal(file, err)
		}
		if e.data, err = schema.EventExample(kind, e.version); err != nil {
			t.Fatal(err)
		}
		e.kind, kept[kind] = kind, true
		all = append(all, e)
	}
	for _, kind := range event.Types() {
		if !kept[kind] {
			t.Errorf("no example of %s is kept", kind)
		}
	}
	return all
}

// add puts the example into the log as it was written in its time.
func (e example) add(t *testing.T, a *app.App, stream string) {
	t.Helper()
	programtest.SQL(t, a, fmt.Sprintf(`INSERT INTO events (position, event_id, stream, version, type, schema_version, occurred_at, recorded_at, data, metadata, payload_hash)
		SELECT (SELECT coalesce(max(position), 0) + 1 FROM events), gen_random_uuid(), '%s', 1, '%s', %d, '2026-11-03T14:30:00Z', clock_timestamp(), $data$%s$data$, '{}', '\x'::bytea`,
		stream, e.kind, e.version, e.data))
}

// follower is a process that keeps the tables up, as serve does.
type follower struct {
	*app.App
	t    *testing.T
	stop func()
}

func followerOf(p *programtest.Program, t *testing.T) *follower {
	t.Helper()
	f := &follower{App: p.App(), t: t}
	if _, err := builds.LiveOrFirst(t.Context(), f.DB); err != nil {
		t.Fatal(err)
	}
	f.start()
	return f
}

func (f *follower) start() {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		f.Builds.Follower.Follow(ctx)
	}()
	f.stop = func() { cancel(); <-ended }
	f.t.Cleanup(f.stop)
}

// active is the live build as it stands.
func (f *follower) active() builds.Status {
	f.t.Helper()
	build, err := f.DB.LiveBuild(f.t.Context())
	if err != nil {
		f.t.Fatal(err)
	}
	s, err := f.DB.BuildStatus(f.t.Context(), build)
	if err != nil {
		f.t.Fatal(err)
	}
	return s
}

// holds waits until the live build holds the whole log, and is in order.
func (f *follower) holds(after string) {
	f.t.Helper()
	for began := time.Now(); ; time.Sleep(10 * time.Millisecond) {
		s := f.active()
		err := f.Builds.Follower.Obstacle(s.Name)
		if err == nil && s.Started && s.Lag() == 0 {
			if err = f.Builds.Checker.Check(f.t.Context(), s); err == nil {
				return
			}
		}
		if time.Since(began) > 30*time.Second {
			f.t.Fatalf("after %s the live build is %d behind: %v", after, s.Lag(), err)
		}
	}
}

// refuses waits until the live build is left alone for a reason.
func (f *follower) refuses(after, reason string) {
	f.t.Helper()
	var obstacle error
	for began := time.Now(); time.Since(began) < 30*time.Second; time.Sleep(10 * time.Millisecond) {
		if obstacle = f.Builds.Follower.Obstacle(f.active().Name); obstacle != nil && strings.Contains(fmt.Sprint(obstacle), reason) {
			return
		}
	}
	f.t.Fatalf("after %s nothing is refused for being %q: %v", after, reason, obstacle)
}

// copyTables keeps the live tables as they are, and gives what puts them back.
func (f *follower) copyTables(name string) (putBack func()) {
	f.t.Helper()
	live := f.Tables.Database(f.active().Name)
	copied := "copy_" + strings.ReplaceAll(name, "-", "_")
	f.clone(live, copied)
	return func() {
		f.t.Helper()
		f.clone(copied, live)
	}
}

// clone makes a database of ClickHouse with the tables of another, in the place of one that has
// its name.
func (f *follower) clone(from, to string) {
	f.t.Helper()
	options, err := clickhouse.ParseDSN(f.At.ClickHouseURL)
	if err != nil {
		f.t.Fatal(err)
	}
	conn, err := clickhouse.Open(options)
	if err != nil {
		f.t.Fatal(err)
	}
	defer conn.Close()
	var names []string
	if err := conn.QueryRow(f.t.Context(), "SELECT groupArray(name) FROM system.tables WHERE database = ?", from).Scan(&names); err != nil {
		f.t.Fatal(err)
	}
	statements := []string{"DROP DATABASE IF EXISTS " + to + " SYNC", "CREATE DATABASE " + to}
	for _, name := range names {
		statements = append(statements, fmt.Sprintf("CREATE TABLE %s.%s CLONE AS %s.%s", to, name, from, name))
	}
	for _, statement := range statements {
		if err := conn.Exec(f.t.Context(), statement); err != nil {
			f.t.Fatalf("%s: %v", statement, err)
		}
	}
}

// rebuilds makes a rebuild. Where a disk rests for seconds, a lease is lost or not given back: it is free
// again after ten.
func (f *follower) rebuilds(after string) {
	f.t.Helper()
	for began := time.Now(); ; time.Sleep(time.Second) {
		err := tables.Rebuild(f.t.Context(), f.App, builds.StandardOptions(), &app.Reporter{Out: f.t.Output()})
		if err == nil {
			return
		}
		if lease := errors.Is(err, builds.ErrBusy) || errors.Is(err, context.Canceled); !lease || time.Since(began) > time.Minute {
			f.t.Fatalf("a rebuild after %s: %v", after, err)
		}
	}
}

// last is a fact after which a program may be started.
type last struct {
	name string
	add  func(f *follower, stream string)
}

// lasts are an event of every type, one that parks its conversation, and one that is passed over. Events of
// earlier versions are read as the newest: TestKeptExamplesOfEveryVersionRebuildToTheSameRows.
func lasts(t *testing.T) (all []last) {
	newest := map[string]example{}
	for _, e := range examples(t) {
		if e.version >= newest[e.kind].version {
			newest[e.kind] = e
		}
	}
	for _, kind := range slices.Sorted(maps.Keys(newest)) {
		e := newest[kind]
		all = append(all, last{e.name, func(f *follower, id string) { e.add(t, f.App, chat.Stream(id)) }})
	}
	unreadable := func(f *follower, id string) int64 {
		return programtest.NewVisit(t, f.App, id, programtest.SomeDay).AddUnreadable("type, 99", "data, sealed")
	}
	return append(all,
		last{"a parked event", func(f *follower, id string) { unreadable(f, id) }},
		last{"a skipped event", func(f *follower, id string) {
			position := unreadable(f, id)
			f.holds("an event that parks")
			// That others wait on is what it finds.
			if err := eventlog.SkipParked(t.Context(), f.App, fmt.Sprint(position), "tried"); err != nil && !errors.Is(err, command.ErrFound) {
				t.Fatal(err)
			}
		}})
}

func TestEveryEventMayBeTheLast(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t)
	one, other := followerOf(p, t), followerOf(p, t)
	other.stop()
	programtest.NewVisit(t, one.App, "first", programtest.SomeDay)
	one.holds("the first conversation")
	for i, last := range lasts(t) {
		last.add(one, fmt.Sprint("last-", i))
		one.holds(last.name)
		// Another stands by, and takes over.
		other.start()
		one.stop()
		programtest.NewVisit(t, one.App, fmt.Sprint("taken-over-", i), programtest.SomeDay)
		other.holds(last.name + " and a take-over")
		last.add(other, fmt.Sprint("again-", i))
		other.holds(last.name)
		// Of six, one is the last of a rebuild, and of one the tables come back as they were backed up.
		switch i % 6 {
		case 0:
			other.rebuilds(last.name)
			other.stop()
		case 3:
			putBack := other.copyTables(fmt.Sprint("copy-", i))
			other.stop()
			putBack()
		default:
			other.stop()
		}
		one.start()
		programtest.NewVisit(t, one.App, fmt.Sprint("after-", i), programtest.SomeDay)
		one.holds(last.name + " and a return")
	}
	v, err := one.Builds.Verifier.Verify(t.Context(), one.active().Name, "")
	// The examples tell no story, which a count of the log would need.
	if err != nil || v.Rows.Differing > 0 {
		t.Errorf("verify: %v, %v", v, err)
	}
}

// TestARestartAfterAFactWithoutARowGoesOn ends the log with a conversation that is bound to its browser.
func TestARestartAfterAFactWithoutARowGoesOn(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t, programtest.ClinicSetting(t, programtest.WithForm))
	p.Start()
	say := func(session, id, message string) {
		t.Helper()
		if err := p.Post("/api/chatbot", map[string]string{"sessionId": session, "messageId": id, "message": message}, nil); err != nil {
			t.Fatal(err)
		}
	}
	say("refused", "m1", "Quiero una cita")
	say("refused", "m2", "no")
	a := p.App()
	events, err := a.DB.Log().Scan(t.Context(), 0, math.MaxInt64, 100)
	if err != nil {
		t.Fatal(err)
	}
	last, shown := events[len(events)-1].Payload.(*event.BookingLinkShown)
	if !shown {
		t.Fatalf("the last fact: %+v", events)
	}
	v := programtest.Visit{App: a, T: t, About: last.Conversation, At: time.Now()}
	v.Add(&event.ConversationBound{Conversation: v.About})
	p.Applied(a)
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	p.Stop()
	p.Start()
	a = p.App()
	say("later", "m1", "Hola")
	p.Applied(a)
	if err := p.Says(contract.Readiness{Status: "ready", Postgres: "ok", Clickhouse: "ok"}); err != nil {
		t.Error(err)
	}
	p.MustRun("rebuild")
	p.MustRun("verify")
}

// losses are facts that a database loses when it is put back: with rows and without, and
// with conversations that wait or were made to go on.
func losses(t *testing.T) []last {
	all := lasts(t)
	return append(all[len(all)-2:],
		last{"a conversation", func(f *follower, id string) { programtest.NewVisit(t, f.App, id, programtest.SomeDay) }},
		last{"an event without a row", func(f *follower, id string) {
			v := programtest.Visit{App: f.App, T: t, About: event.Conversation{ConversationID: "first", ConversationStartedAt: programtest.SomeDay}, At: programtest.SomeDay}
			v.Add(&event.ConversationBound{Conversation: v.About})
		}})
}

func TestTablesPutBackAreNoticed(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t)
	f := followerOf(p, t)
	programtest.NewVisit(t, f.App, "first", programtest.SomeDay)
	for i, loss := range losses(t) {
		for _, working := range []bool{false, true} {
			what, id := fmt.Sprintf("%s, lost at work: %v", loss.name, working), fmt.Sprint(i, "-", working)
			f.holds("what came before " + what)
			putBack := f.copyTables(id)
			loss.add(f, "lost-"+id)
			f.holds(what)
			if working {
				putBack()
				programtest.NewVisit(t, f.App, "unaware-"+id, programtest.SomeDay)
			} else {
				f.stop()
				putBack()
				f.start()
			}
			f.refuses(what, "ClickHouse was restored to an earlier state: bitacora rebuild")
			f.rebuilds(what)
		}
	}
}

func TestALogPutBackIsNoticed(t *testing.T) {
	enginestest.Long(t)
	t.Parallel()
	p := programtest.NewProgram(t)
	f := followerOf(p, t)
	programtest.NewVisit(t, f.App, "first", programtest.SomeDay)
	for i, loss := range losses(t) {
		f.holds("what came before " + loss.name)
		loss.add(f, fmt.Sprint("lost-", i))
		f.holds(loss.name)
		f.stop()
		programtest.SQL(t, f.App, "ALTER TABLE events DISABLE TRIGGER append_only",
			"DELETE FROM events WHERE position = (SELECT max(position) FROM events)",
			"ALTER TABLE events ENABLE TRIGGER append_only",
			"UPDATE projection_checkpoints SET position = position - 1, announced = announced - 1 WHERE position > 0")
		f.start()
		f.refuses(loss.name, "restored to an earlier state: bitacora log adopt-epoch")
		if err := eventlog.AdoptEpoch(t.Context(), f.App); err != nil {
			t.Fatal(err)
		}
		f.rebuilds(loss.name)
	}
}

func TestTablesPutBackBeforeARetryAreNoticed(t *testing.T) {
	enginestest.Long(t)
	p := programtest.NewProgram(t)
	f := followerOf(p, t)
	bad := programtest.NewVisit(t, f.App, "first", programtest.SomeDay).AddUnreadable("type, 99", `replace(data, '"ordinal":1', '"ordinal":2'), NULL`)
	f.holds("an event that parks")
	putBack := f.copyTables("parked")
	programtest.Damage(t, f.App, bad, 1)
	if err := eventlog.RetryParked(t.Context(), f.App, nil); err != nil {
		t.Fatal(err)
	}
	f.holds("a retry")
	f.stop()
	putBack()
	f.start()
	f.refuses("a lost retry", "ClickHouse was restored to an earlier state: bitacora rebuild")
	f.rebuilds("a lost retry")
}
