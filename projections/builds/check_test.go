package builds_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"bitacora/projections"
	"bitacora/projections/builds"
)

// database is what a check looks at: the status of one build, its tables, and the log.
type database struct {
	now      builds.Status
	origin   builds.Origin
	none     bool
	coverage builds.Coverage
	lacks    int64
	made     []string
}

func (d *database) BuildStatus(context.Context, string) (builds.Status, error) { return d.now, nil }

func (d *database) Origin(context.Context, string) (builds.Origin, bool, error) {
	return d.origin, !d.none, nil
}

func (d *database) Coverage(context.Context, string) (builds.Coverage, error) { return d.coverage, nil }

func (d *database) Lacks(context.Context, []int64, []string) (int64, error) { return d.lacks, nil }

func (d *database) CreateBuild(context.Context, string) error {
	d.made = append(d.made, "tables")
	return nil
}

func (d *database) SetOrigin(_ context.Context, _, epoch string, _ int) error {
	d.made = append(d.made, "origin "+epoch)
	return nil
}

func (d *database) DropBuild(context.Context, string) error { return nil }

// zone is the clinic's.
const zone = "America/Panama"

// inOrder is a build that has applied the whole log of epoch e.
func inOrder() (*database, builds.Status) {
	s := builds.Status{
		Build:   builds.Build{Name: "b1", State: builds.Live, Version: projections.Version, Epoch: "e"},
		Started: true, Position: 10, WriteAhead: 10, CheckpointEpoch: "e", Head: 10, LogEpoch: "e", Retried: 2,
	}
	return &database{
		now: s, origin: builds.Origin{Epoch: "e", Version: projections.Version, Zone: zone},
		coverage: builds.Coverage{Applied: 10, Last: 10, Retried: 2},
	}, s
}

func TestCheck(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*database, *builds.Status)
		want   error
	}{
		"in order":                      {func(*database, *builds.Status) {}, nil},
		"more is written than applied":  {func(d *database, s *builds.Status) { s.Position, d.coverage.Applied = 8, 9 }, nil},
		"written since the status":      {func(d *database, _ *builds.Status) { d.coverage.Last, d.now.WriteAhead = 12, 12 }, nil},
		"another version":               {func(_ *database, s *builds.Status) { s.Version-- }, builds.ErrOutdated},
		"the log was moved":             {func(_ *database, s *builds.Status) { s.LogMoved = true }, builds.ErrMismatch},
		"begun from another log":        {func(_ *database, s *builds.Status) { s.Epoch = "other" }, builds.ErrMismatch},
		"followed another log":          {func(_ *database, s *builds.Status) { s.CheckpointEpoch = "other" }, builds.ErrMismatch},
		"no tables":                     {func(d *database, _ *builds.Status) { d.none = true }, builds.ErrIncomplete},
		"no tables yet":                 {func(d *database, s *builds.Status) { d.none, s.Position, s.WriteAhead = true, 0, 0 }, nil},
		"tables of another log":         {func(d *database, _ *builds.Status) { d.origin.Epoch = "other" }, builds.ErrMismatch},
		"tables of another version":     {func(d *database, _ *builds.Status) { d.origin.Version-- }, builds.ErrMismatch},
		"the log ends before":           {func(_ *database, s *builds.Status) { s.Head = 9 }, builds.ErrMismatch},
		"rows that nobody noted":        {func(d *database, _ *builds.Status) { d.coverage.Last = 11 }, builds.ErrMismatch},
		"an event that the log lacks":   {func(d *database, _ *builds.Status) { d.lacks = 7 }, builds.ErrMismatch},
		"tables from before a retry":    {func(d *database, _ *builds.Status) { d.coverage.Retried = 1 }, builds.ErrIncomplete},
		"tables that lost the last row": {func(d *database, _ *builds.Status) { d.coverage.Applied = 9 }, builds.ErrIncomplete},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := inOrder()
			c.change(d, &s)
			err := builds.Checker{Builds: d, Tables: d, Log: d, Zone: zone}.Check(t.Context(), s)
			// Only lost rows are made anew without being asked.
			if !errors.Is(err, c.want) || errors.Is(err, builds.ErrIncomplete) != (c.want == builds.ErrIncomplete) {
				t.Errorf("%v, want %v", err, c.want)
			}
		})
	}
}

// TestEveryFieldOfAnOriginIsCompared: whatever the rows of a build depend on, a build of another one is
// found. Only one whose rows do not join those of this program is left alone.
func TestEveryFieldOfAnOriginIsCompared(t *testing.T) {
	joins := map[string]bool{"Zone": true}
	for field := range reflect.TypeFor[builds.Origin]().Fields() {
		t.Run(field.Name, func(t *testing.T) {
			d, s := inOrder()
			switch value := reflect.ValueOf(&d.origin).Elem().FieldByIndex(field.Index); value.Kind() {
			case reflect.String:
				value.SetString("other")
			case reflect.Int:
				value.SetInt(value.Int() - 1)
			default:
				t.Fatalf("no other value of a %s is known here", value.Kind())
			}
			c := builds.Checker{Builds: d, Tables: d, Log: d, Zone: zone}
			if err := c.Check(t.Context(), s); err == nil || !strings.Contains(err.Error(), "bitacora rebuild") {
				t.Errorf("it is relied on: %v", err)
			}
			if err := c.Joinable(t.Context(), s); (err == nil) != joins[field.Name] {
				t.Errorf("it is kept up, or not: %v", err)
			}
		})
	}
}

func TestAdmit(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*database, *builds.Status)
		made   string
		want   error
	}{
		"in order":        {func(*database, *builds.Status) {}, "[tables]", nil},
		"new":             {func(d *database, s *builds.Status) { d.none, s.WriteAhead = true, 0 }, "[tables origin e]", nil},
		"lost":            {func(d *database, _ *builds.Status) { d.none = true }, "[]", builds.ErrIncomplete},
		"taken over":      {func(d *database, s *builds.Status) { d.origin.Epoch, s.AdoptedFrom = "before", "before" }, "[tables origin e]", nil},
		"of another zone": {func(d *database, _ *builds.Status) { d.origin.Zone = "Europe/Madrid" }, "[tables]", nil},
		"outdated":        {func(_ *database, s *builds.Status) { s.Version-- }, "[]", builds.ErrOutdated},
	} {
		t.Run(name, func(t *testing.T) {
			d, s := inOrder()
			c.change(d, &s)
			err := builds.Admission{Checker: builds.Checker{Builds: d, Tables: d, Log: d, Zone: zone}, Tables: d}.Admit(t.Context(), s)
			if made := fmt.Sprint(d.made); !errors.Is(err, c.want) || made != c.made {
				t.Errorf("made %s, %v, want %s, %v", made, err, c.made, c.want)
			}
		})
	}
}
