package builds

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"bitacora/domain/analytics"
	"bitacora/projections"
)

// Verification is what a build was compared with and what came of it.
type Verification struct {
	Build   string `json:"build"`
	Against string `json:"against"`
	// Position at which both were paused.
	Position int64 `json:"position"`
	// PausedSeconds is how long they were paused, while events waited in the log.
	PausedSeconds float64 `json:"heldSeconds"`
	// LeftOut are conversations that wait because an event cannot be applied.
	LeftOut []string `json:"leftOut"`
	// Rows compares row by row; nil where only a recount was possible.
	Rows *projections.Comparison `json:"rows,omitempty"`
	// Days are the days on which the recount of the log says otherwise; nil where none was made.
	Days *DayComparison `json:"days,omitempty"`
}

// Differs says whether any difference was found.
func (v Verification) Differs() bool {
	return v.Rows != nil && v.Rows.Differing > 0 || v.Days != nil && len(v.Days.Differences) > 0
}

// Verifier compares builds with each other and with the log.
type Verifier struct {
	Builds  VerifiedBuilds
	Checker Checker
	Pauser  Pauser
	Erased  ErasedTexts
	Waiting WaitingLister
	Log     RecountedLog
	Skipped SkippedReader
	// Scratch makes and removes the tables that the log is replayed into.
	Scratch TableMaker
	Reader  func(build string) VerifiedTables
	// Sampled and SampleReader are for [Verifier.VerifySample]: the log, and a build as if it held some shares of the
	// subjects and those named alone.
	Sampled      SampledLog
	SampleReader func(build string, shares uint32, subjects []string) VerifiedTables
	Writer       func(build string) projections.Writer
	// Progress begins to show how far some work on events has come.
	Progress func(work string) Progress
	Zone     *time.Location
	Clock    projections.Clock
	Logger   *slog.Logger
}

// VerifiedBuilds says how far builds have come.
type VerifiedBuilds interface {
	StatusReader
	// DataThrough says up to which position a build has applied the log, and the time of that.
	DataThrough(ctx context.Context, build string) (position int64, at time.Time, err error)
}

// VerifiedTables are the tables of a build, to be compared by row and by day.
type VerifiedTables interface {
	projections.BuildReader
	// Replicas pairs every further copy of the rows with the first; there are none but on a cluster. It
	// fails while one lacks rows.
	Replicas(ctx context.Context) ([]projections.Replica, error)
	// Days gives the figures of each day, in order, without some conversations.
	Days(ctx context.Context, without []string) ([]analytics.Day, error)
}

// scratch is the build that the log is replayed into to compare with.
const scratch = "verify"

// Verify compares a build with another one, or with the log if other is empty.
func (v Verifier) Verify(ctx context.Context, build, other string) (Verification, error) {
	if err := v.pausable(ctx, build); err != nil {
		return Verification{}, err
	}
	if other == "" {
		return v.againstLog(ctx, build)
	}
	if err := v.pausable(ctx, other); err != nil {
		return Verification{}, err
	}
	return v.againstBuild(ctx, build, other)
}

// Compare compares a new build with the live one, or with a recount of the log where the live one
// cannot be relied on, which distrust says, if given.
func (v Verifier) Compare(ctx context.Context, build, live string, distrust error) (Verification, error) {
	s, err := v.Builds.BuildStatus(ctx, live)
	if err != nil {
		return Verification{}, err
	}
	obstacle := v.Checker.Check(ctx, s)
	if distrust != nil {
		obstacle = distrust
	}
	if obstacle != nil {
		v.Logger.Info("the new build is held against a recount of the log", "because", obstacle)
		return v.againstRecount(ctx, build)
	}
	return v.againstBuild(ctx, build, live)
}

// pausable says why a build cannot be paused to be looked at, nil if it can.
func (v Verifier) pausable(ctx context.Context, build string) error {
	s, err := v.Builds.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	if !s.State.Followed() {
		return fmt.Errorf("build %s is not complete yet: bitacora rebuild goes on with it", build)
	}
	return v.Checker.Check(ctx, s)
}

func (v Verifier) againstBuild(ctx context.Context, build, other string) (Verification, error) {
	result := Verification{Build: build, Against: "build " + other}
	err := v.paused(ctx, &result, []string{build, other}, func(ctx context.Context) (err error) {
		if result.LeftOut, err = v.leftOut(ctx, nil, build, other); err != nil {
			return err
		}
		result.Rows, err = v.compareRows(ctx, build, other, result.LeftOut)
		return err
	})
	return result, err
}

// againstLog replays the log into tables of their own to compare with.
func (v Verifier) againstLog(ctx context.Context, build string) (Verification, error) {
	result := Verification{Build: build, Against: "the log"}
	err := v.withScratch(ctx, func() error {
		return v.recount(ctx, NewRecounter(v.Log, v.Skipped, v.Writer(scratch), v.Progress("events replayed to compare with")), &result)
	})
	return result, err
}

// withScratch runs work while there are tables to replay into.
func (v Verifier) withScratch(ctx context.Context, work func() error) error {
	if err := v.Scratch.DropBuild(ctx, scratch); err != nil {
		return err
	}
	defer func() { _ = v.Scratch.DropBuild(context.WithoutCancel(ctx), scratch) }()
	if err := v.Scratch.CreateBuild(ctx, scratch); err != nil {
		return err
	}
	return work()
}

// againstRecount compares a build with a recount of the log alone.
func (v Verifier) againstRecount(ctx context.Context, build string) (Verification, error) {
	result := Verification{Build: build, Against: "a recount of the log"}
	recount := NewRecounter(v.Log, v.Skipped, nil, v.Progress("events counted"))
	err := v.recount(ctx, recount, &result)
	return result, err
}

// recount compares the build of a verification with the log. Most of the log is read before the
// build is paused: as far as it was applied and no further, since the build may be paused there,
// however much longer the log is.
func (v Verifier) recount(ctx context.Context, r *Recounter, result *Verification) error {
	applied, _, err := v.Builds.DataThrough(ctx, result.Build)
	if err != nil {
		return err
	}
	if err := r.Through(ctx, applied); err != nil {
		return err
	}
	return v.paused(ctx, result, []string{result.Build}, func(ctx context.Context) error {
		if err := r.Through(ctx, result.Position); err != nil {
			return err
		}
		r.progress.Done()
		if result.LeftOut, err = v.leftOut(ctx, r.faults, result.Build); err != nil {
			return err
		}
		if r.writer != nil {
			if result.Rows, err = v.compareRows(ctx, result.Build, scratch, result.LeftOut); err != nil {
				return err
			}
		}
		days, err := v.Reader(result.Build).Days(ctx, result.LeftOut)
		if err != nil {
			return err
		}
		result.Days = compareDays(days, r.Days(v.Zone, result.LeftOut))
		return nil
	})
}

// paused runs work while builds are paused, and notes where and for how long that was.
func (v Verifier) paused(ctx context.Context, result *Verification, builds []string, work func(context.Context) error) error {
	return v.Pauser.Pause(ctx, builds, func(ctx context.Context, position int64) error {
		began := v.Clock.Now()
		defer func() { result.PausedSeconds = v.Clock.Now().Sub(began).Seconds() }()
		result.Position = position
		return work(ctx)
	})
}

// leftOut lists the conversations that are parked in one of some builds, or whose streams have an
// event that cannot be applied.
func (v Verifier) leftOut(ctx context.Context, faults map[string]bool, builds ...string) ([]string, error) {
	streams := map[string]bool{}
	maps.Copy(streams, faults)
	for _, build := range builds {
		waiting, err := v.Waiting.Waiting(ctx, build)
		if err != nil {
			return nil, err
		}
		for _, w := range waiting {
			streams[w.Stream] = true
		}
	}
	return subjectsOf(slices.Collect(maps.Keys(streams))), nil
}

// compareRows compares the rows of a build with those of another, without what either still says
// of people whose texts belong into none. Nobody removes texts from either meanwhile.
func (v Verifier) compareRows(ctx context.Context, build, other string, leftOut []string) (*projections.Comparison, error) {
	var c projections.Comparison
	err := v.Erased.alone(ctx, func(ctx context.Context) (err error) {
		if err := v.Erased.Remove(ctx, build, other); err != nil {
			return err
		}
		replicas, err := v.Reader(build).Replicas(ctx)
		if err != nil {
			return err
		}
		if c, err = projections.Compare(ctx, v.Reader(build), v.Reader(other), leftOut); err != nil {
			return err
		}
		return c.CompareReplicas(ctx, replicas, leftOut)
	})
	return &c, err
}
