package builds

import (
	"context"
	"slices"

	"bitacora/projections"
)

// Planner finds the build that a rebuild goes on with, or begins one.
type Planner struct {
	Builds   PlannedBuilds
	Statuses StatusReader
	Checker  Checker
	Log      LogEnd
	Tables   BuildTables
	Dropper  Dropper
}

// PlannedBuilds keeps which builds there are.
type PlannedBuilds interface {
	BuildMover
	// Builds lists all builds there ever were, oldest first.
	Builds(ctx context.Context) ([]Build, error)
	// BeginBuild makes a build that replays the log up to its present end, in ranges of at most
	// size events.
	BeginBuild(ctx context.Context, name string, version int, size int64) error
}

// LogEnd says where the log ends and which one it is.
type LogEnd interface {
	Head(ctx context.Context) (int64, error)
	Epoch(ctx context.Context) (string, error)
}

// BuildTables are the tables of all builds on a server.
type BuildTables interface {
	TableDropper
	// BuildNames lists the builds that have tables.
	BuildNames(ctx context.Context) ([]string, error)
}

// unfinished are the states of a build that was not live yet.
var unfinished = map[State]bool{Replaying: true, Following: true, Verified: true}

// Plan names the build to bring to being live; begun says that it is a new one. Unfinished builds
// that this program cannot finish are dropped.
func (p Planner) Plan(ctx context.Context, o Options) (build string, begun bool, err error) {
	all, err := p.Builds.Builds(ctx)
	if err != nil {
		return "", false, err
	}
	epoch, err := p.Log.Epoch(ctx)
	if err != nil {
		return "", false, err
	}
	for _, b := range all {
		switch mine := b.Epoch == epoch && b.Version == projections.Version; {
		case !unfinished[b.State]:
			continue
		case mine && !o.Fresh && build == "" && p.usable(ctx, b.Name):
			build = b.Name
			if b.State == Verified { // it may be long ago
				err = p.Builds.MoveBuild(ctx, b.Name, Following)
			}
		default:
			err = p.Dropper.Drop(ctx, b.Name)
		}
		if err != nil {
			return "", false, err
		}
	}
	if build != "" {
		return build, false, nil
	}
	build, err = p.begin(ctx, all, o)
	return build, true, err
}

func (p Planner) begin(ctx context.Context, all []Build, o Options) (build string, err error) {
	taken, err := p.Tables.BuildNames(ctx)
	if err != nil {
		return "", err
	}
	// An interruption leaves tables of builds that were dropped.
	for _, b := range all {
		if b.State == Dropped && slices.Contains(taken, b.Name) {
			if err := p.Tables.DropBuild(ctx, b.Name); err != nil {
				return "", err
			}
		}
	}
	head, err := p.Log.Head(ctx)
	if err != nil {
		return "", err
	}
	build = NextName(all, taken)
	return build, p.Builds.BeginBuild(ctx, build, projections.Version, o.rangeSize(head))
}

// usable says whether the tables of an unfinished build are there as they should be. One that
// replays may not have any yet.
func (p Planner) usable(ctx context.Context, build string) bool {
	s, err := p.Statuses.BuildStatus(ctx, build)
	if err != nil || s.Target > s.Head { // the log went back since the replay was planned
		return false
	}
	_, made, err := p.Checker.Tables.Origin(ctx, build)
	return err == nil && (p.Checker.Check(ctx, s) == nil || !made && s.Replayed == 0 && !s.Started)
}
