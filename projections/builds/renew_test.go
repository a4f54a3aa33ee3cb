package builds

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"bitacora/projections"
)

// shared is a log with its builds, and the programs that keep the live one up.
type shared struct {
	list    []Status
	zones   map[string]string
	failing error
}

func (s *shared) BuildStatuses(context.Context) ([]Status, error) { return slices.Clone(s.list), nil }

func (s *shared) Origin(_ context.Context, build string) (o Origin, ok bool, err error) {
	return Origin{Version: projections.Version, Zone: s.zones[build]}, true, nil
}

func (s *shared) Coverage(context.Context, string) (c Coverage, err error) { return c, nil }

func (s *shared) live() *Status { return &s.list[len(s.list)-1] }

// rebuilt makes another build live.
func (s *shared) rebuilt(version int, zone string) {
	for i := range s.list {
		s.list[i].State = Kept
	}
	b := Status{Build: Build{Name: NextName(s.builds(), nil), State: Live, Version: version}, WriteAhead: 1}
	s.zones[b.Name] = zone
	s.list = append(s.list, b)
}

func (s *shared) builds() (list []Build) {
	for _, one := range s.list {
		list = append(list, one.Build)
	}
	return list
}

// looks lets a program look at the builds once, and do what is due.
func (s *shared) looks(r *Renewer) {
	if r.due(context.Background()) != nil {
		s.rebuilt(projections.Version, r.Checker.Zone)
	}
}

func (s *shared) program(zone string) *Renewer {
	return &Renewer{Builds: s, Checker: Checker{Tables: s, Zone: zone}, Logger: slog.New(slog.NewTextHandler(io.Discard, nil))}
}

func TestTheLiveBuildIsRenewed(t *testing.T) {
	const panama, madrid = "America/Panama", "Europe/Madrid"
	for name, c := range map[string]struct {
		// happens is given a log whose live build is b1, of this version and of panama.
		happens func(s *shared)
		live    string
	}{
		"what is as it should be is left":                 {func(s *shared) { s.looks(s.program(panama)) }, "b1"},
		"another zone":                                    {func(s *shared) { s.looks(s.program(madrid)) }, "b2"},
		"an earlier version":                              {func(s *shared) { s.live().Version--; s.looks(s.program(panama)) }, "b2"},
		"a later version, after an update was taken back": {func(s *shared) { s.live().Version++; s.looks(s.program(panama)) }, "b2"},
		"two programs of two zones rebuild once": {func(s *shared) {
			one, other := s.program(panama), s.program(madrid)
			for range 5 {
				s.looks(one)
				s.looks(other)
			}
		}, "b2"},
		"the program that is started last decides": {func(s *shared) {
			one, other := s.program(panama), s.program(madrid)
			s.looks(one)
			s.looks(other)
			s.looks(one)
			for again := s.program(panama); again.settled == ""; {
				s.looks(again)
			}
			s.looks(other)
		}, "b3"},
		"a version that somebody keeps up is left": {func(s *shared) {
			s.live().Version, s.live().Owner = projections.Version-1, "the former program"
			s.looks(s.program(panama))
		}, "b1"},
		"until nobody does": {func(s *shared) {
			s.live().Version, s.live().Owner = projections.Version-1, "the former program"
			p := s.program(panama)
			s.looks(p)
			s.live().Owner = ""
			s.looks(p)
			s.looks(p)
		}, "b2"},
		"a zone is renewed by whoever keeps it up": {func(s *shared) {
			s.live().Owner = "this program"
			s.looks(s.program(madrid))
		}, "b2"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &shared{zones: map[string]string{}}
			s.rebuilt(projections.Version, panama)
			c.happens(s)
			if live := s.live().Name; live != c.live {
				t.Errorf("%s is live, want %s", live, c.live)
			}
		})
	}
}

// noSleep lets some pauses pass at once, and notes them.
type noSleep struct {
	left   int
	pauses []time.Duration
}

func (*noSleep) Now() time.Time { return time.Time{} }

func (n *noSleep) Sleep(_ context.Context, d time.Duration) bool {
	n.pauses = append(n.pauses, d)
	n.left--
	return n.left > 0
}

func (s *shared) Wait(context.Context) error { return nil }

func (s *shared) LiveBuild(context.Context) (string, error) { return s.live().Name, nil }

func (s *shared) FirstBuild(context.Context, string, int) error { return nil }

func (s *shared) WithLease(context.Context, string, func(context.Context) error) error {
	return s.failing
}

// TestARebuildThatFailsIsTriedEverLessOften: what fails reads the whole log each time. Another program
// that rebuilds is no failure.
func TestARebuildThatFailsIsTriedEverLessOften(t *testing.T) {
	for _, c := range []struct {
		failing      error
		first, last  time.Duration
		said, unsaid string
	}{
		{errors.New("the disk is full"), renewPause, maxRenewPause, "the disk is full", "rebuilt:"},
		{ErrBusy, lookAgain, lookAgain, "rebuilding", "failed"},
	} {
		s := &shared{zones: map[string]string{}, failing: c.failing}
		s.rebuilt(projections.Version, "America/Panama")
		var said strings.Builder
		clock := &noSleep{left: 12}
		r := s.program("Europe/Madrid")
		r.Clock, r.Logger, r.Exclusive = clock, slog.New(slog.NewTextHandler(&said, nil)), Exclusive{Builds: s, Tables: s, Leases: s}
		r.Run(t.Context())
		if clock.pauses[0] != c.first || clock.pauses[11] != c.last {
			t.Errorf("%v: it pauses for %v", c.failing, clock.pauses)
		}
		if !strings.Contains(said.String(), c.said) || strings.Contains(said.String(), c.unsaid) || strings.Count(said.String(), "rebuilding") != 1 {
			t.Errorf("%v: it says\n%s", c.failing, &said)
		}
	}
}

// TestABuildThatIsLostAgainIsMadeAnewSoon: pauses grow while one loss lasts, and not from one to the next.
func TestABuildThatIsLostAgainIsMadeAnewSoon(t *testing.T) {
	s := &shared{zones: map[string]string{}, failing: errors.New("the disk is full")}
	s.rebuilt(projections.Version, "America/Panama")
	r, clock := s.program("America/Panama"), &noSleep{left: 5}
	r.Lost = func(string) error {
		if len(clock.pauses) == 2 {
			return nil
		}
		return errors.New("the tables are gone")
	}
	r.Clock, r.Exclusive = clock, Exclusive{Builds: s, Tables: s, Leases: s}
	r.Run(t.Context())
	if want := []time.Duration{renewPause, 2 * renewPause, lookAgain, renewPause, 2 * renewPause}; !slices.Equal(clock.pauses, want) {
		t.Errorf("it pauses for %v, want %v", clock.pauses, want)
	}
}
