package postgres_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bitacora/adapters/postgres"
	"bitacora/domain/event"
	"bitacora/domain/fault"
	"bitacora/projections"
	"bitacora/projections/builds"
	"bitacora/projections/feed"
)

func mustMove(t testing.TB, db *postgres.DB, build string, to builds.State) {
	t.Helper()
	if err := db.MoveBuild(t.Context(), build, to); err != nil {
		t.Fatal(err)
	}
}

func mustGoLive(t testing.TB, db *postgres.DB, build string) {
	t.Helper()
	if err := db.GoLive(t.Context(), build, &event.BuildSwitched{To: build}); err != nil {
		t.Fatal(err)
	}
}

// unwritable is an act that cannot be appended.
type unwritable struct{ Fault chan int }

func (unwritable) EventType() string { return "BuildSwitched" }

func TestABuildGoesItsWay(t *testing.T) {
	_, db := fresh(t)
	if _, err := db.LiveBuild(t.Context()); !errors.Is(err, postgres.ErrNotFound) || fault.KindOf(err) != fault.Unavailable {
		t.Errorf("before the first: %v", err)
	}
	for range 2 {
		if err := db.FirstBuild(t.Context(), "b1", 1); err != nil {
			t.Fatal(err)
		}
	}
	for range 5 {
		mustAppend(t, db.Log(), request("chat-1", -1, said("hola")))
	}
	if err := db.BeginBuild(t.Context(), "b2", 2, 2); err != nil {
		t.Fatal(err)
	}
	left, err := db.RangesLeft(t.Context(), "b2")
	if diff := cmp.Diff([]projections.Range{{First: 1, Last: 2}, {First: 3, Last: 4}, {First: 5, Last: 5}}, left); err != nil || diff != "" {
		t.Fatalf("%v, ranges (-want +got):\n%s", err, diff)
	}
	for _, too := range []builds.State{builds.Verified, builds.Live, builds.Kept} {
		if err := db.MoveBuild(t.Context(), "b2", too); !errors.Is(err, builds.ErrState) {
			t.Errorf("a replaying build became %s: %v", too, err)
		}
	}
	if err := db.MoveBuild(t.Context(), "b2", builds.Following); !errors.Is(err, builds.ErrState) {
		t.Errorf("a build followed before its ranges were replayed: %v", err)
	}
	for _, r := range left {
		if err := db.RangeDone(t.Context(), "b2", r); err != nil {
			t.Fatal(err)
		}
	}
	mustMove(t, db, "b2", builds.Following)
	if position, _, err := db.DataThrough(t.Context(), "b2"); position != 5 || err != nil {
		t.Errorf("it follows from %d, %v", position, err)
	}
	mustMove(t, db, "b2", builds.Verified)
	mustGoLive(t, db, "b2")
	mustGoLive(t, db, "b1")
	if err := db.GoLive(t.Context(), "b2", unwritable{}); err == nil {
		t.Error("a switch that was not recorded was made")
	}
	if live, err := db.LiveBuild(t.Context()); live != "b1" || err != nil {
		t.Errorf("after the rollback %q is live, %v", live, err)
	}
	if err := db.MoveBuild(t.Context(), "b1", builds.Dropped); !errors.Is(err, builds.ErrState) {
		t.Errorf("the live build was dropped: %v", err)
	}
	if err := db.MoveBuild(t.Context(), "b2", builds.Live); err == nil {
		t.Error("a build became live, and the log does not say so")
	}
	if err := db.GoLive(t.Context(), "b9", &event.BuildSwitched{}); !errors.Is(err, builds.ErrState) {
		t.Errorf("an unknown build became live: %v", err)
	}
	if live, _ := db.LiveBuild(t.Context()); live != "b1" {
		t.Errorf("%q is live after a switch that failed", live)
	}
	mustMove(t, db, "b2", builds.Dropped)
	list, err := db.Builds(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if next := builds.NextName(list, []string{"b2", "b1"}); next != "b3" {
		t.Errorf("the next build is %s: names are never used again", next)
	}
	if next := builds.NextName(list, []string{"b12"}); next != "b13" {
		t.Errorf("the next build is %s, though b12 is taken", next)
	}
}

func TestAHoldRestsExactlyWhatMayBeApplied(t *testing.T) {
	_, db := fresh(t)
	for range 4 {
		mustAppend(t, db.Log(), request("chat-1", -1, said("hola")))
	}
	_, messages := subscribe(t, db, feed.Config{BatchSize: 2})
	msg, _, last := receive(t, messages)
	paused := make(chan int64)
	goOn := make(chan struct{})
	ended := make(chan error, 1)
	go func() {
		ended <- db.Pause(t.Context(), []string{"reader"}, func(ctx context.Context, position int64) error {
			paused <- position
			<-goOn
			return ctx.Err()
		})
	}()
	// The batch under way was written ahead: the pause waits for it and not for the next.
	eventually(t, "the pause is asked for", func() bool {
		return slices.ContainsFunc(status(t, db), func(s builds.Status) bool { return s.PausedAt == last })
	})
	msg.Ack()
	if at := <-paused; at != last || through(t, db) != last {
		t.Errorf("rests at %d, applied %d, want %d", at, through(t, db), last)
	}
	select {
	case <-messages:
		t.Error("a batch came while the projection was held")
	default:
	}
	close(goOn)
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if _, first, _ := receive(t, messages); first != last+1 {
		t.Errorf("went on at %d", first)
	}
}

// status looks at checkpoints by way of builds of the same names.
func status(t testing.TB, db *postgres.DB) []builds.Status {
	t.Helper()
	if err := db.FirstBuild(t.Context(), "reader", 1); err != nil {
		t.Fatal(err)
	}
	list, err := db.BuildStatuses(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestThePaceOfTheNewestRebuildSaysHowLongTheNextTakes, once all of its ranges are read.
func TestThePaceOfTheNewestRebuildSaysHowLongTheNextTakes(t *testing.T) {
	url, db := fresh(t)
	boss := owner(t, url)
	is := func(when string, want postgres.UpdateCost) {
		t.Helper()
		got, err := postgres.UpdateCostOf(t.Context(), url)
		if got.Bytes < 1<<20 {
			t.Errorf("%s: the database has %d bytes", when, got.Bytes)
		}
		got.Bytes = 0
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", when, err, diff)
		}
	}
	is("before the first build", postgres.UpdateCost{})
	if err := db.FirstBuild(t.Context(), "b1", projections.Version); err != nil {
		t.Fatal(err)
	}
	for range 6 {
		mustAppend(t, db.Log(), request("chat-1", -1, said("hola")))
	}
	is("tables of this version", postgres.UpdateCost{Events: 6})
	exec(t, boss, "UPDATE projection_builds SET version = version + 1")
	is("tables of another one", postgres.UpdateCost{Due: true, Events: 6})
	if err := db.BeginBuild(t.Context(), "b2", projections.Version, 2); err != nil {
		t.Fatal(err)
	}
	exec(t, boss, "UPDATE projection_builds SET target = 3 WHERE name = 'b2'")
	exec(t, boss, "UPDATE build_ranges r SET replayed_at = b.created_at + interval '1 minute' FROM projection_builds b WHERE b.name = 'b2' AND r.first < 5")
	is("while it is read", postgres.UpdateCost{Due: true, Events: 6})
	exec(t, boss, "UPDATE build_ranges r SET replayed_at = b.created_at + interval '90 seconds' FROM projection_builds b WHERE b.name = 'b2' AND r.first = 5")
	is("after it", postgres.UpdateCost{Due: true, Events: 6, Takes: 3 * time.Minute})
}
