package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/postgres"
	"bitacora/projections"
)

const (
	// leaseTime is how long the projections rest after their process was killed.
	leaseTime = 5 * time.Second
	// lookAgain is how soon a build that came or went is noticed.
	lookAgain = time.Second
	// batchPause is how far apart batches begin. To store one costs ClickHouse about the same
	// whether it tells of one message or of a hundred.
	batchPause = 200 * time.Millisecond
	// tryAgain is the pause before a build that could not be followed is tried again.
	tryAgain = 3 * time.Second
)

// follow keeps builds up with the log until ctx ends: every one that is to be followed,
// was made by this version of the projections, and is wanted. A build of another version
// is left alone, since rows of two versions do not join; a process of that version may go
// on following it beside this one.
func (a *app) follow(ctx context.Context, wanted func(postgres.BuildStatus) bool) error {
	running := map[string]context.CancelFunc{}
	var followers sync.WaitGroup
	defer followers.Wait()
	var due, published string
	for {
		list, err := a.db.BuildStatuses(ctx)
		if err != nil && ctx.Err() == nil {
			a.log.Warn("builds cannot be looked at, trying again", "error", err)
		}
		present := map[string]bool{}
		for _, s := range list {
			present[s.Name] = true
			a.tellOfVersion(s, &due)
			a.publish(ctx, s, &published)
			if _, ok := running[s.Name]; ok || !s.State.Followed() || s.Version != projections.Version || !wanted(s) {
				continue
			}
			own, cancel := context.WithCancel(ctx)
			running[s.Name] = cancel
			followers.Go(func() { a.keepUp(own, s.Name) })
		}
		for name, cancel := range running {
			if err == nil && !present[name] {
				cancel()
				delete(running, name)
			}
		}
		if !pause(ctx, lookAgain) {
			for _, cancel := range running {
				cancel()
			}
			return nil
		}
	}
}

// tellOfVersion says once that the live build was made by another version.
func (a *app) tellOfVersion(s postgres.BuildStatus, told *string) {
	if s.State == projections.IsLive && s.Version != projections.Version && *told != s.Name {
		*told = s.Name
		a.obstacles.Store(s.Name, errors.New("the live build was made by another version of the projections"))
		a.log.Warn("a rebuild is due: the live build was made by another version of the projections; it answers as far as it goes and is not kept up by this program",
			"build", s.Name, "its version", s.Version, "this program's", projections.Version, "do", "bitacora rebuild")
	}
}

// publish points the analysts' views at a build that became live.
func (a *app) publish(ctx context.Context, s postgres.BuildStatus, published *string) {
	if s.State != projections.IsLive || *published == s.Name || s.Version != projections.Version {
		return
	}
	if _, marked, err := a.tables.Origin(ctx, s.Name); err != nil || !marked {
		return
	}
	if err := a.tables.PublishViews(ctx, s.Name); err != nil {
		if ctx.Err() != nil {
			return
		}
		a.log.Warn("views cannot be published, trying again", "build", s.Name, "error", err)
		return
	}
	*published = s.Name
	if !a.at.EmbeddedClickHouse {
		a.renewAnalysts(ctx)
	}
}

// renewAnalysts keeps what analysts may do on a server of one's own as this program declares it.
func (a *app) renewAnalysts(ctx context.Context) {
	err := a.tables.AdmitAnalysts(ctx, a.config.AnalystPassword)
	switch {
	case errors.Is(err, clickhouse.ErrMayNotGrant):
		a.log.Info("analysts are not admitted: bitacora migrate prints the SQL for who may", "error", err)
	case err != nil:
		a.log.Warn("analysts cannot be admitted", "error", err)
	}
}

// keepUp follows one build until ctx ends, and tries again whatever stands in the way.
func (a *app) keepUp(ctx context.Context, build string) {
	defer a.obstacles.Delete(build)
	told := ""
	for ctx.Err() == nil {
		err := a.followOnce(ctx, build)
		if err == nil || ctx.Err() != nil {
			continue
		}
		a.obstacles.Store(build, err)
		if told != err.Error() {
			told = err.Error()
			a.log.Error("build is not kept up", "build", build, "error", err)
			if err := a.db.RecordError(ctx, build, told); err != nil {
				a.log.Warn("trouble cannot be kept", "error", err)
			}
		}
		pause(ctx, tryAgain)
	}
}

func (h *app) followOnce(ctx context.Context, build string) error {
	if err := h.tables.Wait(ctx); err != nil {
		return nil // ctx ended
	}
	s, err := h.db.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	if err := h.admit(ctx, s); err != nil {
		return err
	}
	h.obstacles.Delete(build)
	// What the router does in order is no news to an operator.
	logger := watermill.NewSlogLoggerWithLevelMapping(h.log, map[slog.Level]slog.Level{slog.LevelInfo: slog.LevelDebug})
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, logger)
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	var retries sync.WaitGroup
	defer retries.Wait()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	subscriber := postgres.NewSubscriber(h.db, postgres.SubscriberConfig{
		Lease: leaseTime, Pause: batchPause,
		Begin: func(ctx context.Context) error {
			if err := h.stillSound(ctx, build); err != nil {
				stop() // whether it may be followed is to be found out again
				return err
			}
			retries.Go(func() { h.retryReadable(ctx, build) })
			return nil
		},
	})
	projections.Live{
		Build:      build,
		Subscriber: subscriber,
		Writer:     h.measured(build, h.tables.Writer(build)),
		Parking:    h.db.Parking(build),
		Observe: func(a projections.Attempt) {
			h.observeAttempt(ctx, build, a)
			if errors.Is(a.Err, projections.ErrBehind) {
				stop() // whether it may be followed is to be found out again
			}
		},
	}.AddTo(router)
	err = router.Run(ctx)
	return errors.Join(err, subscriber.Close())
}

// stillSound says why a build that was admitted before is not to be written to any more.
func (a *app) stillSound(ctx context.Context, build string) error {
	s, err := a.db.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	return a.sound(ctx, s)
}

func (h *app) observeAttempt(ctx context.Context, build string, a projections.Attempt) {
	if ctx.Err() != nil {
		return
	}
	if a.Err != nil {
		h.log.Warn("batch was not applied, trying again", "build", build, "first", a.Batch.First(), "last", a.Batch.Last(), "error", a.Err)
		if err := h.db.RecordError(ctx, build, a.Err.Error()); err != nil {
			h.log.Warn("trouble cannot be kept", "error", err)
		}
		return
	}
	h.log.Debug("batch applied", "build", build, "first", a.Batch.First(), "last", a.Batch.Last(), "ms", a.Took.Milliseconds())
}

// errOutdated is in every refusal to work with tables of another version.
var errOutdated = errors.New("a rebuild is due")

// errUnsound is in every refusal to work with tables that do not belong to the log.
var errUnsound = errors.New("tables and log do not belong together")

// admit prepares the tables of a build for this log, or says why they must be left alone.
func (a *app) admit(ctx context.Context, s postgres.BuildStatus) error {
	origin, marked, err := a.tables.Origin(ctx, s.Name)
	if err != nil {
		return err
	}
	if !marked && s.WriteAhead == 0 {
		if err := a.tables.CreateBuild(ctx, s.Name); err != nil {
			return err
		}
		return a.tables.SetOrigin(ctx, s.Name, clickhouse.Origin{Epoch: s.LogEpoch, Version: s.Version})
	}
	adopted := origin.Epoch == s.AdoptedFrom && s.Epoch == s.LogEpoch
	if err := a.examineBuild(ctx, s, origin, marked); err != nil {
		return err
	}
	if adopted {
		if err := a.tables.SetOrigin(ctx, s.Name, clickhouse.Origin{Epoch: s.LogEpoch, Version: s.Version}); err != nil {
			return err
		}
	}
	return a.tables.CreateBuild(ctx, s.Name)
}

// examineBuild says why the tables of a build do not belong to the log as it is.
func (a *app) examineBuild(ctx context.Context, s postgres.BuildStatus, origin clickhouse.Origin, marked bool) error {
	switch {
	case s.Version != projections.Version:
		return fmt.Errorf("%w: build %s was made by version %d of the projections, this program is %d: bitacora rebuild", errOutdated, s.Name, s.Version, projections.Version)
	case s.LogMoved:
		return fmt.Errorf("%w: the log lies in another PostgreSQL cluster than before, so it was restored or copied: bitacora log adopt-epoch takes it over", errUnsound)
	case s.Epoch != s.LogEpoch || s.Started && s.CheckpointEpoch != s.LogEpoch:
		return fmt.Errorf("%w: build %s was made from the log of epoch %s, this one is %s: bitacora rebuild makes a build from this log", errUnsound, s.Name, s.Epoch, s.LogEpoch)
	case !marked:
		return fmt.Errorf("%w: build %s should hold the log up to %d, but this ClickHouse has no such tables; it is another one, or lost its data: bitacora rebuild makes them anew", errUnsound, s.Name, s.WriteAhead)
	case origin.Epoch != s.LogEpoch && origin.Epoch != s.AdoptedFrom:
		return fmt.Errorf("%w: the tables of build %s are those of a log of epoch %s, this one is %s; point BITACORA_CLICKHOUSE_URL to this log's ClickHouse, or make a build here: bitacora rebuild", errUnsound, s.Name, origin.Epoch, s.LogEpoch)
	case origin.Version != s.Version:
		return fmt.Errorf("%w: the tables of build %s were made by version %d of the projections, expected %d: bitacora rebuild", errUnsound, s.Name, origin.Version, s.Version)
	case s.Position > s.Head:
		return fmt.Errorf("%w: build %s has applied position %d, but the log ends at %d; it was restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild", errUnsound, s.Name, s.Position, s.Head)
	}
	coverage, err := a.tables.Coverage(ctx, s.Name)
	if err != nil {
		return err
	}
	if coverage.Last > max(s.WriteAhead, s.Target) {
		// More may have been applied since s was looked at; it is announced before it is written.
		now, err := a.db.BuildStatus(ctx, s.Name)
		if err != nil {
			return err
		}
		s.WriteAhead = now.WriteAhead
	}
	if bound := max(s.WriteAhead, s.Target); coverage.Last > bound {
		return fmt.Errorf("%w: the tables of build %s tell of position %d, but nothing after %d was given to them by this log; it was restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild", errUnsound, s.Name, coverage.Last, bound)
	}
	lacks, err := a.db.Log().Lacks(ctx, coverage.Positions, coverage.Events)
	if err != nil {
		return err
	}
	if lacks > 0 {
		return fmt.Errorf("%w: build %s holds an event at position %d that this log does not; it was restored to an earlier state: bitacora log adopt-epoch, then bitacora rebuild", errUnsound, s.Name, lacks)
	}
	if coverage.Retried < s.Retried {
		return fmt.Errorf("%w: the tables of build %s lack what was parked and then applied; ClickHouse was restored to an earlier state: bitacora rebuild", errUnsound, s.Name)
	}
	if coverage.Applied < s.Position {
		return fmt.Errorf("%w: the tables of build %s end at position %d, though the log was applied up to %d; ClickHouse was restored to an earlier state: bitacora rebuild", errUnsound, s.Name, coverage.Applied, s.Position)
	}
	return nil
}

// sound says why a build cannot be relied on, nil if it can.
func (a *app) sound(ctx context.Context, s postgres.BuildStatus) error {
	origin, marked, err := a.tables.Origin(ctx, s.Name)
	if err != nil {
		return err
	}
	return a.examineBuild(ctx, s, origin, marked)
}
