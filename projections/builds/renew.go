package builds

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"bitacora/projections"
)

// Renewer makes a new build where this program would make the live one otherwise, see [Origin], or where
// the live one lost its rows. The old one answers meanwhile, as far as it can.
//
// Programs of two versions or zones do not rebuild by turns: each replaces only builds that were there
// when it began, and none of another version that a process keeps up.
type Renewer struct {
	Builds    StatusLister
	Checker   Checker
	Exclusive Exclusive
	// Lost says why a build has to be made anew although this program would make it alike; nil where it
	// need not.
	Lost    func(build string) error
	Rebuild func(ctx context.Context) error
	// Failed, if set, is told why a rebuild failed.
	Failed func(ctx context.Context, err error)
	Clock  projections.Clock
	Logger *slog.Logger

	// former are the builds that were there when the program began, settled is the live one that
	// needs no renewal, said what was logged last.
	former        []string
	settled, said string
}

const (
	// renewPause is the first pause after a rebuild that failed; each later one is twice as long.
	renewPause    = 30 * time.Second
	maxRenewPause = time.Hour
)

// Run rebuilds whenever that is due, until ctx ends.
func (r *Renewer) Run(ctx context.Context) {
	for failed := renewPause; ; {
		pause := lookAgain
		reason := r.due(ctx)
		if reason == nil {
			failed = renewPause // what is due later has another cause
		} else {
			r.say(slog.LevelInfo, "rebuilding: the dashboard answers from the former tables until the new ones are complete", reason)
			err := r.Exclusive.Run(ctx, func(ctx context.Context) error {
				if r.due(ctx) == nil { // somebody rebuilt meanwhile
					return ErrBusy
				}
				return r.Rebuild(ctx)
			})
			switch {
			case ctx.Err() != nil:
				return
			case err == nil:
				r.Logger.Info("rebuilt: the new build is live")
				failed = renewPause
			case !errors.Is(err, ErrBusy): // else somebody is at it already
				r.Logger.Error("the rebuild failed, trying again later", "error", err)
				if r.Failed != nil {
					r.Failed(ctx, err)
				}
				pause, failed = failed, min(2*failed, maxRenewPause)
			}
		}
		if !r.Clock.Sleep(ctx, pause) {
			return
		}
	}
}

// due says why the live build is to be made anew by this program, nil if it is not, or if that
// cannot be found out at present.
func (r *Renewer) due(ctx context.Context) (reason error) {
	list, err := r.Builds.BuildStatuses(ctx)
	if err != nil {
		return nil
	}
	if r.former == nil {
		r.former = []string{}
		for _, s := range list {
			r.former = append(r.former, s.Name)
		}
	}
	i := slices.IndexFunc(list, func(s Status) bool { return s.State == Live })
	if i < 0 {
		return nil
	}
	live := list[i]
	if r.Lost != nil && live.Version == projections.Version {
		if lost := r.Lost(live.Name); lost != nil {
			return lost
		}
	}
	if live.Name == r.settled {
		return nil
	}
	switch reason = r.Checker.Outdated(ctx, live); {
	case reason == nil:
		if live.WriteAhead > 0 { // else another program may be about to make its tables
			r.settled = live.Name
		}
		return nil
	case !errors.Is(reason, ErrOutdated): // it cannot be found out at present
		return nil
	case !slices.Contains(r.former, live.Name):
		r.say(slog.LevelWarn, "another program made the live build since this one began: give both the same version and the same clinic's file, and restart the one that is behind", reason)
		return nil
	case live.Version != projections.Version && live.Owner != "":
		r.say(slog.LevelInfo, "the live build is rebuilt once no program of its version keeps it up any more: stop "+live.Owner, reason)
		return nil
	}
	return reason
}

// say logs something once.
func (r *Renewer) say(level slog.Level, text string, reason error) {
	if said := text + reason.Error(); said != r.said {
		r.said = said
		r.Logger.Log(context.Background(), level, text, "because", reason)
	}
}
