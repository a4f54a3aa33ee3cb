package builds

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"bitacora/projections"
)

// Inspection is a build as an operator sees it.
type Inspection struct {
	Build    string `json:"build"`
	State    State  `json:"state"`
	Version  int    `json:"version"`
	Position int64  `json:"position"`
	// LagEvents and LagSeconds are how far it is behind the log.
	LagEvents  int64   `json:"lagEvents"`
	LagSeconds float64 `json:"lagSeconds"`
	// EventsPerSecond is how fast it moved while it was watched.
	EventsPerSecond float64 `json:"eventsPerSecond"`
	Owner           string  `json:"owner,omitempty"`
	Parked          int     `json:"parked"`
	Stuck           bool    `json:"stuck"`
	// Reason says why it does not move, or what is to be done about it.
	Reason string `json:"reason,omitempty"`
}

// Inspector says how far builds are, and what keeps them from going on.
type Inspector struct {
	Builds  InspectedBuilds
	Checker Checker
	Tables  RunningStatements
	Clock   projections.Clock
}

// InspectedBuilds are the builds and what may keep them from being written.
type InspectedBuilds interface {
	StatusLister
	// Blocked describes statements of this program that wait for a lock of another session.
	Blocked(ctx context.Context) ([]string, error)
}

// RunningStatements describes the longest statement that runs on a build's tables; empty when
// none does.
type RunningStatements interface {
	Running(ctx context.Context, build string) (string, error)
}

// Inspect looks at all builds, and again after a while where one is behind.
func (i Inspector) Inspect(ctx context.Context, window time.Duration) ([]Inspection, error) {
	before, err := i.Builds.BuildStatuses(ctx)
	if err != nil {
		return nil, err
	}
	began, now := i.Clock.Now(), before
	behind := slices.ContainsFunc(before, func(s Status) bool { return s.Lag() > 0 })
	if behind && i.Clock.Sleep(ctx, window) {
		if now, err = i.Builds.BuildStatuses(ctx); err != nil {
			return nil, err
		}
	}
	took := i.Clock.Now().Sub(began).Seconds()
	blocked, err := i.Builds.Blocked(ctx)
	if err != nil {
		return nil, err
	}
	var list []Inspection
	for _, s := range now {
		one := Inspection{
			Build: s.Name, State: s.State, Version: s.Version, Position: s.Position, LagEvents: s.Lag(),
			LagSeconds: s.BehindSeconds, Owner: s.Owner, Parked: s.Parked,
		}
		moved := int64(0)
		for _, was := range before {
			if was.Name == s.Name {
				moved = s.Position - was.Position + s.Replayed - was.Replayed
			}
		}
		one.EventsPerSecond = float64(moved) / took
		one.Stuck, one.Reason = i.diagnose(ctx, s, moved, blocked)
		if s.Parked > 0 && one.Reason == "" {
			one.Reason = "conversations wait: bitacora parked list"
		}
		list = append(list, one)
	}
	return list, nil
}

// diagnose says whether a build does not move though it should, and why.
func (i Inspector) diagnose(ctx context.Context, s Status, moved int64, blocked []string) (stuck bool, reason string) {
	if err := i.Checker.Joinable(ctx, s); err != nil && s.State.Followed() {
		return s.State == Live, err.Error()
	}
	switch {
	case s.State == Replaying:
		return false, "unfinished: bitacora rebuild goes on with it"
	case s.Lag() == 0 || moved > 0:
		if err := i.Checker.Outdated(ctx, s); err != nil && s.State == Live {
			return false, err.Error()
		}
		return false, ""
	case s.PausedAt > 0:
		return false, fmt.Sprintf("rests at %d while it is compared", s.PausedAt)
	case s.Owner == "":
		return true, "no process follows it: run bitacora serve or bitacora project"
	case s.LastError != "":
		return true, fmt.Sprintf("process %s cannot apply what follows: %s", s.Owner, s.LastError)
	case len(blocked) > 0:
		return true, strings.Join(blocked, "; ")
	}
	if running, err := i.Tables.Running(ctx, s.Name); err == nil && running != "" {
		return true, fmt.Sprintf("process %s waits for ClickHouse: %s", s.Owner, running)
	}
	return true, fmt.Sprintf("process %s does not move; its log says more", s.Owner)
}
