package projections_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"bitacora/domain/event"
	. "bitacora/projections"
	"bitacora/projections/projectionstest"
)

func TestBatchesTwiceAndShuffledGiveTheSameTables(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := projectionstest.Log().Draw(t, "log")
		want := RowsOf(log)

		var parts []Tables
		for _, b := range projectionstest.Batches(log).Draw(t, "batches") {
			parts = append(parts, RowsOf(b))
		}
		if diff := cmp.Diff(want, Join(parts...)); diff != "" {
			t.Fatalf("joined at once (-want +got):\n%s", diff)
		}
		var folded Tables
		for _, p := range parts {
			folded = Join(p, folded)
		}
		if diff := cmp.Diff(want, folded); diff != "" {
			t.Fatalf("joined one by one (-want +got):\n%s", diff)
		}
	})
}

func TestJoinIsASemilattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		log := projectionstest.Log().Draw(t, "log")
		some := func(name string) Tables {
			var events []event.Recorded
			for _, e := range rapid.SliceOf(rapid.SampledFrom(log)).Draw(t, name) {
				e.Erased = rapid.Bool().Draw(t, "erased")
				events = append(events, e)
			}
			return RowsOf(events)
		}
		a, b, c := some("a"), some("b"), some("c")
		for law, diff := range map[string]string{
			"commutative": cmp.Diff(Join(a, b), Join(b, a)),
			"associative": cmp.Diff(Join(Join(a, b), c), Join(a, Join(b, c))),
			"idempotent":  cmp.Diff(a, Join(a, a)),
		} {
			if diff != "" {
				t.Errorf("not %s:\n%s", law, diff)
			}
		}
	})
}
