package builds

import (
	"context"
	"fmt"

	"bitacora/projections"
)

// Checker says whether the tables of a build belong to the log as it is now.
type Checker struct {
	Builds StatusReader
	Tables TableReader
	Log    LogReader
	// Zone is that of the tables which this program makes, see [Origin].
	Zone string
}

// StatusReader looks up how a build stands to the log.
type StatusReader interface {
	BuildStatus(ctx context.Context, build string) (Status, error)
}

// TableReader asks the tables of a build what they hold.
type TableReader interface {
	// Origin says from what a build was made; ok is false where there is no such build.
	Origin(ctx context.Context, build string) (o Origin, ok bool, err error)
	Coverage(ctx context.Context, build string) (Coverage, error)
}

// LogReader compares positions and ids with the log.
type LogReader interface {
	// Lacks gives the first of some positions at which the log does not hold the event with the
	// id of the same index; 0 if it holds them all.
	Lacks(ctx context.Context, positions []int64, ids []string) (position int64, err error)
}

// Check says why a build cannot be relied on, nil if it can. The error is [ErrOutdated],
// [ErrMismatch], or that of a database.
func (c Checker) Check(ctx context.Context, s Status) error {
	origin, err := c.joinable(ctx, s)
	if err == nil {
		err = c.outdated(s, origin)
	}
	return err
}

// CheckNow is Check with the status that the build has now.
func (c Checker) CheckNow(ctx context.Context, build string) error {
	s, err := c.Builds.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	return c.Check(ctx, s)
}

// Joinable says why a build cannot be kept up with the log, nil if it can. A build of another zone
// can: its rows hold instants, which its own tables take apart into days and hours.
func (c Checker) Joinable(ctx context.Context, s Status) error {
	_, err := c.joinable(ctx, s)
	return err
}

func (c Checker) joinable(ctx context.Context, s Status) (Origin, error) {
	origin, made, err := c.Tables.Origin(ctx, s.Name)
	if err != nil {
		return origin, err
	}
	if !made && s.WriteAhead == 0 && s.Version == projections.Version && !s.LogMoved {
		return Origin{Version: s.Version, Zone: c.Zone}, nil // whoever follows it makes them
	}
	return origin, c.compare(ctx, s, origin, made)
}

// Outdated says in what this program would make a build otherwise, nil if in nothing, or if it has no
// tables yet. The error is [ErrOutdated], or that of a database.
func (c Checker) Outdated(ctx context.Context, s Status) error {
	if s.Version != projections.Version {
		return c.outdated(s, Origin{})
	}
	origin, made, err := c.Tables.Origin(ctx, s.Name)
	if err != nil || !made {
		return err
	}
	// Tables of another log are refused, and not made anew.
	if err := c.compareOrigin(s, origin, made); err != nil {
		return err
	}
	return c.outdated(s, origin)
}

// outdated says in what this program would make a build otherwise, nil if in nothing.
func (c Checker) outdated(s Status, o Origin) error {
	switch {
	case s.Version != projections.Version:
		return fmt.Errorf("%w: build %s was made by version %d of the projections, this program is %d: bitacora rebuild, which bitacora serve does by itself", ErrOutdated, s.Name, s.Version, projections.Version)
	case o != Origin{Epoch: o.Epoch, Version: s.Version, Zone: c.Zone}:
		return fmt.Errorf("%w: build %s was made with the zone %s, and the clinic's is %s: bitacora rebuild, which bitacora serve does by itself", ErrOutdated, s.Name, o.Zone, c.Zone)
	}
	return nil
}

func (c Checker) compare(ctx context.Context, s Status, origin Origin, made bool) error {
	if err := c.compareOrigin(s, origin, made); err != nil {
		return err
	}
	coverage, err := c.Tables.Coverage(ctx, s.Name)
	if err != nil {
		return err
	}
	if coverage.Last > max(s.WriteAhead, s.Target) {
		// More may have been applied since the status was read; it is noted before it is written.
		now, err := c.Builds.BuildStatus(ctx, s.Name)
		if err != nil {
			return err
		}
		s.WriteAhead = now.WriteAhead
	}
	if bound := max(s.WriteAhead, s.Target); coverage.Last > bound {
		return fmt.Errorf("%w: the tables of build %s tell of position %d, but nothing after %d was given to them by this log; it was restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild", ErrMismatch, s.Name, coverage.Last, bound)
	}
	lacks, err := c.Log.Lacks(ctx, coverage.Positions, coverage.Events)
	switch {
	case err != nil:
		return err
	case lacks > 0:
		return fmt.Errorf("%w: build %s holds an event at position %d that this log does not; it was restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild", ErrMismatch, s.Name, lacks)
	case coverage.Retried < s.Retried:
		return fmt.Errorf("%w: the tables of build %s%s lack what was parked and then applied; ClickHouse was restored to an earlier state: bitacora rebuild", ErrIncomplete, s.Name, onNode(coverage))
	case coverage.Applied < s.Position:
		return fmt.Errorf("%w: the tables of build %s%s end at position %d, though the log was applied up to %d; ClickHouse was restored to an earlier state: bitacora rebuild", ErrIncomplete, s.Name, onNode(coverage), coverage.Applied, s.Position)
	}
	return nil
}

func onNode(c Coverage) string {
	if c.Node == "" {
		return ""
	}
	return " on node " + c.Node
}

// compareOrigin says what is wrong with a build before anybody looks at its rows.
func (c Checker) compareOrigin(s Status, origin Origin, made bool) error {
	switch {
	case s.Version != projections.Version:
		return c.outdated(s, origin)
	case s.LogMoved:
		return fmt.Errorf("%w: the log lies in another PostgreSQL cluster than before, so it was restored or copied: bitacora log adopt-epoch takes it over", ErrMismatch)
	case s.Epoch != s.LogEpoch || s.Started && s.CheckpointEpoch != s.LogEpoch:
		return fmt.Errorf("%w: build %s was made from the log of epoch %s, this one is %s: bitacora rebuild makes a build from this log", ErrMismatch, s.Name, s.Epoch, s.LogEpoch)
	case !made:
		return fmt.Errorf("%w: build %s should hold the log up to %d, but this ClickHouse has no such tables; it is a different server, or lost its data: bitacora rebuild makes them anew", ErrIncomplete, s.Name, s.WriteAhead)
	case origin.Epoch != s.LogEpoch && origin.Epoch != s.AdoptedFrom:
		return fmt.Errorf("%w: the tables of build %s are those of a log of epoch %s, this one is %s; point BITACORA_CLICKHOUSE_URL to this log's ClickHouse, or make a build here: bitacora rebuild", ErrMismatch, s.Name, origin.Epoch, s.LogEpoch)
	case origin.Version != s.Version:
		return fmt.Errorf("%w: the tables of build %s were made by version %d of the projections, expected %d: bitacora rebuild", ErrMismatch, s.Name, origin.Version, s.Version)
	case s.Position > s.Head:
		return fmt.Errorf("%w: build %s has applied position %d, but the log ends at %d; it was restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild", ErrMismatch, s.Name, s.Position, s.Head)
	}
	return nil
}

// Admission prepares the tables of builds that may be written to.
type Admission struct {
	Checker Checker
	Tables  TableMaker
}

// TableMaker makes and removes the tables of a build.
type TableMaker interface {
	// CreateBuild makes the tables that do not exist yet, with the zone of those that do.
	CreateBuild(ctx context.Context, build string) error
	// SetOrigin notes from which log and by which version the tables were made. Their zone is the one
	// that they were created with.
	SetOrigin(ctx context.Context, build, epoch string, version int) error
	DropBuild(ctx context.Context, build string) error
}

// Admit prepares the tables of a build for this log, or says why they must be left alone.
func (a Admission) Admit(ctx context.Context, s Status) error {
	origin, made, err := a.Checker.Tables.Origin(ctx, s.Name)
	if err != nil {
		return err
	}
	if !made && s.WriteAhead == 0 {
		return a.Make(ctx, s)
	}
	if err := a.Checker.compare(ctx, s, origin, made); err != nil {
		return err
	}
	if adopted := origin.Epoch == s.AdoptedFrom && s.Epoch == s.LogEpoch; adopted {
		return a.Make(ctx, s)
	}
	return a.Tables.CreateBuild(ctx, s.Name)
}

// Make makes the tables of a build that do not exist yet and notes that they are of this log.
func (a Admission) Make(ctx context.Context, s Status) error {
	if err := a.Tables.CreateBuild(ctx, s.Name); err != nil {
		return err
	}
	return a.Tables.SetOrigin(ctx, s.Name, s.LogEpoch, s.Version)
}
