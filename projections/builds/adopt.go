package builds

import (
	"context"
	"errors"
)

// EpochAdopter takes over a log that was restored or copied from another place.
type EpochAdopter struct {
	Builds  StatusLister
	Checker Checker
	// Also names what follows the log and keeps no tables: it goes on wherever the log does.
	Also []string
	// Adopt gives the log an epoch of its own, under which the named projections go on.
	Adopt func(ctx context.Context, names []string) (epoch string, err error)
	// Report is told of every build: obstacle is nil if it goes on.
	Report func(build string, obstacle error)
}

// StatusLister describes every build that was not dropped, oldest first.
type StatusLister interface {
	BuildStatuses(ctx context.Context) ([]Status, error)
}

// Run adopts the log. Builds that hold nothing but what this log says go on; rebuildDue says that
// the live one does not.
func (a EpochAdopter) Run(ctx context.Context) (epoch string, rebuildDue bool, err error) {
	list, err := a.Builds.BuildStatuses(ctx)
	if err != nil {
		return "", false, err
	}
	names := a.Also
	for _, s := range list {
		obstacle := a.obstacle(ctx, s)
		if obstacle != nil && !errors.Is(obstacle, ErrMismatch) && !errors.Is(obstacle, ErrOutdated) {
			return "", false, obstacle
		}
		a.Report(s.Name, obstacle)
		if obstacle == nil {
			names = append(names, s.Name)
		} else if s.State == Live {
			rebuildDue = true
		}
	}
	epoch, err = a.Adopt(ctx, names)
	return epoch, rebuildDue, err
}

// obstacle says why a build cannot go on with the log.
func (a EpochAdopter) obstacle(ctx context.Context, s Status) error {
	s.LogMoved = false // which is what is being adopted
	origin, made, err := a.Checker.Tables.Origin(ctx, s.Name)
	if err != nil || !made && s.WriteAhead == 0 {
		return err
	}
	return a.Checker.compare(ctx, s, origin, made)
}
