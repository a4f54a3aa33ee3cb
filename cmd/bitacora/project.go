package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/projections"
)

func newProject() *cobra.Command {
	return command("project", "Keep the ClickHouse tables up with the log",
		"  bitacora project    # beside a serve on another machine; one of them works, the other stands by",
		cobra.NoArgs, func(ctx context.Context, h *house, _ []string) error { return h.project(ctx) })
}

// firstBuild is the name of the projections' first build.
const firstBuild = "b1"

// leaseTime is how long the projections rest after their process was killed.
const leaseTime = 5 * time.Second

// project follows the log until ctx ends. It waits for ClickHouse as long as it takes.
func (h *house) project(ctx context.Context) error {
	build, err := h.liveBuild(ctx)
	if err != nil {
		return err
	}
	if err := h.prepareTables(ctx, build); err != nil {
		return err
	}
	logger := watermill.NewSlogLogger(h.log)
	router, err := message.NewRouter(message.RouterConfig{CloseTimeout: 3 * time.Second}, logger)
	if err != nil {
		return fmt.Errorf("make router: %w", err)
	}
	subscriber := postgres.NewSubscriber(h.db, postgres.SubscriberConfig{Lease: leaseTime})
	projections.Live{
		Build:      build,
		Subscriber: subscriber,
		Writer:     h.tables.Writer(build),
		Observe:    h.observeAttempt,
	}.AddTo(router)
	if err := router.Run(ctx); err != nil {
		return fmt.Errorf("run projections: %w", err)
	}
	return subscriber.Close()
}

// liveBuild is the build that readers see; in a new house it is the first.
func (h *house) liveBuild(ctx context.Context) (string, error) {
	build, err := h.db.LiveBuild(ctx)
	if !errors.Is(err, postgres.ErrNotFound) {
		return build, err
	}
	if err := h.db.FirstBuild(ctx, firstBuild, projections.Version); err != nil {
		return "", err
	}
	return h.db.LiveBuild(ctx)
}

// prepareTables makes the build's tables and the analysts' views, once ClickHouse answers.
func (h *house) prepareTables(ctx context.Context, build string) error {
	for {
		err := h.tables.Wait(ctx)
		if err == nil {
			err = errors.Join(h.tables.CreateBuild(ctx, build), h.tables.PublishViews(ctx, build))
		}
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		h.log.Warn("tables cannot be made yet, trying again", "build", build, "error", err)
		select {
		case <-ctx.Done():
		case <-time.After(2 * time.Second):
		}
	}
}

func (h *house) observeAttempt(a projections.Attempt) {
	if a.Err != nil {
		h.log.Warn("batch was not applied, trying again", "first", a.Batch.First(), "last", a.Batch.Last(), "error", a.Err)
		return
	}
	h.log.Debug("batch applied", "first", a.Batch.First(), "last", a.Batch.Last(), "ms", a.Took.Milliseconds())
}
