package builds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bitacora/projections"
)

// lostTables are those of a cluster in which nodes lack builds.
type lostTables struct {
	gaps   []Gap
	did    []string
	broken string
}

func (l *lostTables) Gaps(context.Context, string) ([]Gap, error) { return slices.Clone(l.gaps), nil }

func (l *lostTables) Refill(_ context.Context, g Gap, _ func(done, total int64)) error {
	if g.Build == l.broken {
		return errors.New("the network is cut")
	}
	did := g.Build + " from " + g.From + " to " + g.Node
	if g.Views {
		did += " with views"
	}
	l.did = append(l.did, did)
	return nil
}

type refilledBuilds []Status

func (b refilledBuilds) BuildStatuses(context.Context) ([]Status, error) { return b, nil }

type noProgress struct{}

func (noProgress) Show(int64, int64) {}
func (noProgress) Done()             {}

func TestARefillFillsWhatIsKept(t *testing.T) {
	list := refilledBuilds{{Build: Build{Name: "b1"}}, {Build: Build{Name: "b2", State: Live, Version: projections.Version}}}
	earlier := refilledBuilds{{Build: Build{Name: "b1"}}, {Build: Build{Name: "b2", State: Live, Version: projections.Version - 1}}}
	gaps := []Gap{{Build: "b1", Node: "h2", From: "h1"}, {Build: "b2", Node: "h2", From: "h1"}, {Build: "b0", Node: "h3", From: "h1"}}
	for name, test := range map[string]struct {
		builds refilledBuilds
		tables lostTables
		did    string
		err    string
	}{
		"what is live gets its views, and a dropped build nothing": {list, lostTables{gaps: gaps}, "b1 from h1 to h2, b2 from h1 to h2 with views, analysts", ""},
		"views of an earlier version are not made":                 {earlier, lostTables{gaps: gaps}, "b1 from h1 to h2, b2 from h1 to h2", ""},
		"what no replica has is left":                              {list, lostTables{gaps: []Gap{{Build: "b1", Node: "h2"}, gaps[1]}}, "b2 from h1 to h2 with views, analysts", "no replica has the rows: b1 of h2: bitacora rebuild"},
		"a failure ends it":                                        {list, lostTables{gaps: gaps, broken: "b1"}, "", "the network is cut"},
		"nothing is lost":                                          {list, lostTables{}, "", ""},
	} {
		published := func(context.Context) { test.tables.did[len(test.tables.did)-1] += ", analysts" }
		err := Refiller{Builds: test.builds, Tables: &test.tables, Published: published}.Run(t.Context(), "", func(Gap) Progress { return noProgress{} })
		if did := strings.Join(test.tables.did, ", "); did != test.did || test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: did %q, %v; want %q, %q", name, did, err, test.did, test.err)
		}
	}
}
