package builds

import (
	"context"
	"errors"
	"fmt"

	"bitacora/domain/event"
)

// Switcher makes a build live in the place of another.
type Switcher struct {
	Builds  SwitchedBuilds
	Checker Checker
	Pauser  Pauser
	Erased  ErasedTexts
	Tables  ViewPublisher
}

// SwitchedBuilds are the builds, of which one is live.
type SwitchedBuilds interface {
	StatusReader
	// GoLive makes a build live, keeps the one that was, and appends the act: all of it or nothing. It
	// gives [ErrState] where that is no way of the build.
	GoLive(ctx context.Context, name string, act event.Payload) error
}

// Switch makes a build live and records the act. Both builds are paused at one position while it
// happens, so that no answer goes back; one that cannot be relied on is not waited for.
func (s Switcher) Switch(ctx context.Context, build, live string, act event.Payload) error {
	change := func(ctx context.Context, _ int64) error {
		err := s.Erased.alone(ctx, func(ctx context.Context) error { return s.Erased.Remove(ctx, build) })
		if err != nil {
			return err
		}
		return s.Builds.GoLive(ctx, build, act)
	}
	status, err := s.Builds.BuildStatus(ctx, live)
	if err != nil {
		return err
	}
	if s.Checker.Joinable(ctx, status) == nil {
		err = s.Pauser.Pause(ctx, []string{build, live}, change)
	} else {
		err = change(ctx, 0)
	}
	if err != nil {
		return err
	}
	return s.Tables.PublishViews(ctx, build)
}

// Rollback lets readers see a build again that was live before.
type Rollback struct {
	Builds   StatusLister
	Checker  Checker
	Switcher Switcher
}

// Run switches to the named build, or to the latest that is kept if name is empty, and reports which
// one is live now and which is kept instead.
func (r Rollback) Run(ctx context.Context, name string, by event.OperatorAct) (live, kept string, err error) {
	list, err := r.Builds.BuildStatuses(ctx)
	if err != nil {
		return "", "", err
	}
	var from, to *Status
	for i := range list {
		switch s := &list[i]; {
		case s.State == Live:
			from = s
		case s.State == Kept && (name == "" || name == s.Name):
			to = s
		}
	}
	if from == nil || to == nil {
		return "", "", errors.New("there is no build to go back to; bitacora projections lists them")
	}
	if err := r.Checker.Check(ctx, *to); err != nil {
		return "", "", fmt.Errorf("build %s cannot be switched to: %w", to.Name, err)
	}
	act := &event.BuildSwitched{OperatorAct: by, From: from.Name, To: to.Name}
	return to.Name, from.Name, r.Switcher.Switch(ctx, to.Name, from.Name, act)
}
