package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/postgres"
	"bitacora/domain/chat"
	"bitacora/projections/builds"
)

func newRollback() *cobra.Command {
	return command("rollback [BUILD]", "Let readers see the build before again",
		"  bitacora rollback       # the latest build that is kept\n  bitacora rollback b3", cobra.MaximumNArgs(1), rollback)
}

func rollback(ctx context.Context, h *app, args []string) error {
	return h.besideFollowers(ctx, func(ctx context.Context) error {
		list, err := h.db.BuildStatuses(ctx)
		if err != nil {
			return err
		}
		var live, to *builds.Status
		for i := range list {
			switch s := &list[i]; {
			case s.State == builds.Live:
				live = s
			case s.State == builds.Kept && (len(args) == 0 || args[0] == s.Name):
				to = s
			}
		}
		if live == nil || to == nil {
			return errors.New("there is no build to go back to; bitacora projections lists them")
		}
		if err := h.builds.checker.Check(ctx, *to); err != nil {
			return fmt.Errorf("build %s cannot be switched to: %w", to.Name, err)
		}
		if err := h.switchTo(ctx, to.Name, live.Name); err != nil {
			return err
		}
		fmt.Printf("build %s is live, %s is kept\n", to.Name, live.Name)
		return nil
	})
}

// besideFollowers runs exclusive work on builds that needs them to be followed, by this
// process where no other does it.
func (a *app) besideFollowers(ctx context.Context, work func(context.Context) error) error {
	if err := a.tables.Wait(ctx); err != nil {
		return err
	}
	if _, err := a.liveBuild(ctx); err != nil {
		return err
	}
	return a.db.WithLease(ctx, rebuilding, func(ctx context.Context) error {
		ctx, stop := context.WithCancel(ctx)
		var following sync.WaitGroup
		defer following.Wait()
		defer stop()
		following.Go(func() {
			a.builds.follower.Follow(ctx)
		})
		return work(ctx)
	})
}

// switchTo makes a build live in the place of another. Both rest at one position while it
// happens, so that no answer goes back. One that cannot be relied on is not waited for.
func (a *app) switchTo(ctx context.Context, build, live string) error {
	change := func(ctx context.Context, _ int64) error {
		if err := a.blankErased(ctx, build); err != nil {
			return err
		}
		return a.db.MoveBuild(ctx, build, builds.Live)
	}
	s, err := a.db.BuildStatus(ctx, live)
	if err != nil {
		return err
	}
	if a.builds.checker.Check(ctx, s) == nil {
		err = a.hold(ctx, []string{build, live}, change)
	} else {
		err = change(ctx, 0)
	}
	if err != nil {
		return err
	}
	return a.tables.PublishViews(ctx, build)
}

// hold brings builds to rest, once all of them have begun to follow.
func (a *app) hold(ctx context.Context, builds []string, work func(context.Context, int64) error) error {
	for {
		err := a.db.Pause(ctx, builds, work)
		if !errors.Is(err, postgres.ErrNotFound) || !pause(ctx, 250*time.Millisecond) {
			return err
		}
	}
}

// blankErased removes what builds at rest still tell of erased people: texts that a replay
// had read before the erasure, or that lie in a build from before. All builds are held
// against one list, so that they agree however many erasures come meanwhile.
func (a *app) blankErased(ctx context.Context, builds ...string) error {
	streams, err := a.db.Log().Erased(ctx)
	if err != nil {
		return err
	}
	var conversations []string
	for _, stream := range streams {
		if id, ok := strings.CutPrefix(stream, chat.Stream("")); ok {
			conversations = append(conversations, id)
		}
	}
	for _, build := range builds {
		had, err := a.tables.Blank(ctx, build, conversations)
		if err != nil {
			return err
		}
		if had > 0 {
			a.log.Info("texts of erased conversations were removed", "build", build, "conversations", had)
		}
	}
	return nil
}
