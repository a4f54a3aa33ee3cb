package builds

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
)

// blanked are builds on a cluster, of which nodes lack some.
type blanked struct {
	names, lost []string
	blanked     []string
}

func (b *blanked) BuildNames(context.Context) ([]string, error) { return b.names, nil }

func (b *blanked) Blank(_ context.Context, build string, _ []string) (int, error) {
	b.blanked = append(b.blanked, build)
	if slices.Contains(b.lost, build) {
		return 0, fmt.Errorf("node h2 lacks %s: %w", build, ErrMismatch)
	}
	return 0, nil
}

// freeLeases are had by nobody else.
type freeLeases struct{}

func (freeLeases) WithLease(ctx context.Context, _ string, work func(context.Context) error) error {
	return work(ctx)
}

// A node that lost its disk may be back with it, and with the texts on it.
func TestTextsAreNotCalledGoneWhereANodeMayBeBackWithThem(t *testing.T) {
	list := refilledBuilds{{Build: Build{Name: "b1", State: Kept}}, {Build: Build{Name: "b2", State: Live}}}
	for name, test := range map[string]struct {
		tables blanked
		fails  bool
		done   string
	}{
		"all are there":                     {blanked{names: []string{"b1", "b2"}}, false, "[b1 b2]"},
		"a node lacks one":                  {blanked{names: []string{"b1", "b2"}, lost: []string{"b1"}}, true, "[b2]"},
		"what was dropped is not all there": {blanked{names: []string{"b0", "b1"}, lost: []string{"b0"}}, false, "[b0 b1]"},
	} {
		w := Withdrawer{Builds: list, Names: &test.tables, Texts: ErasedTexts{Tables: &test.tables, Leases: freeLeases{}}}
		done, waiting, err := w.Withdraw(t.Context(), []string{"conversation/c"}, 0, true)
		if errors.Is(err, ErrMismatch) != test.fails || fmt.Sprint(done) != test.done || len(waiting) > 0 || len(test.tables.blanked) != 2 {
			t.Errorf("%s: done %v, waiting %v, %v; asked %v", name, done, waiting, err, test.tables.blanked)
		}
	}
}
