package builds

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
)

// lostTables are those of a cluster in which nodes lack builds.
type lostTables struct {
	gaps   []Gap
	broken string
}

func (l *lostTables) Gaps(context.Context, string) ([]Gap, error) { return slices.Clone(l.gaps), nil }

func (l *lostTables) Refill(_ context.Context, g Gap) error {
	if g.Build == l.broken {
		return errors.New("the network is cut")
	}
	return nil
}

type refilledBuilds []Status

func (b refilledBuilds) BuildStatuses(context.Context) ([]Status, error) { return b, nil }

func TestARefillRemovesWhatAnotherReplicaHas(t *testing.T) {
	list := refilledBuilds{{Build: Build{Name: "b1"}}, {Build: Build{Name: "b2", State: Live}}}
	gaps := []Gap{{Build: "b1", Node: "h2", From: "h1"}, {Build: "b2", Node: "h2", From: "h1"}, {Build: "b0", Node: "h2", From: "h1"}}
	for name, test := range map[string]struct {
		tables lostTables
		did    string
		err    string
	}{
		"nothing of a dropped build":  {lostTables{gaps: gaps}, "b1 b2", ""},
		"what no replica has is left": {lostTables{gaps: []Gap{{Build: "b1", Node: "h2"}, gaps[1]}}, "b2", "no replica has the rows: b1 of h2: bitacora rebuild"},
		"a failure ends it":           {lostTables{gaps: gaps, broken: "b1"}, "", "the network is cut"},
	} {
		var removed []string
		err := Refiller{Builds: list, Tables: &test.tables}.Run(t.Context(), "h2", func(g Gap) { removed = append(removed, g.Build) })
		if did := strings.Join(removed, " "); did != test.did || test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%s: did %q, %v; want %q, %q", name, did, err, test.did, test.err)
		}
	}
}
