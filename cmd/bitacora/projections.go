package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"bitacora/projections/builds"
)

func newProjections() *cobra.Command {
	var asJSON bool
	var window time.Duration
	c := command("projections", "Show the builds of the tables, how far each is, and what holds it up",
		"  bitacora projections\n  bitacora projections --json | jq .\n  bitacora projections drop b3", cobra.NoArgs,
		func(ctx context.Context, h *app, _ []string) error {
			list, err := h.observeBuilds(ctx, window)
			if err != nil {
				return err
			}
			if asJSON {
				err = json.NewEncoder(os.Stdout).Encode(list)
			} else {
				err = printBuilds(list)
			}
			for _, b := range list {
				if b.Stuck {
					return errors.Join(err, errFound)
				}
			}
			return err
		})
	c.Long = "Show the builds of the tables, how far each is, and what holds it up.\n\nExit code 3 says that one of them is stuck."
	c.Flags().BoolVar(&asJSON, "json", false, "as JSON")
	c.Flags().DurationVar(&window, "window", time.Second, "how long to watch for movement, where something is behind")
	c.AddCommand(command("drop BUILD", "Remove a build that is not live, with its tables", "  bitacora projections drop b3", cobra.ExactArgs(1),
		func(ctx context.Context, h *app, args []string) error {
			s, err := h.db.BuildStatus(ctx, args[0])
			if err != nil {
				return err
			}
			if s.State == builds.Live {
				return fmt.Errorf("build %s is live: bitacora rebuild or bitacora rollback first", s.Name)
			}
			return h.besideFollowers(ctx, func(ctx context.Context) error { return h.dropBuild(ctx, s.Name) })
		}))
	return c
}

// observed is a build as an operator sees it.
type observed struct {
	Build    string       `json:"build"`
	State    builds.State `json:"state"`
	Version  int          `json:"version"`
	Position int64        `json:"position"`
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

// observeBuilds looks at all builds, twice where one is behind.
func (a *app) observeBuilds(ctx context.Context, window time.Duration) ([]observed, error) {
	before, err := a.db.BuildStatuses(ctx)
	if err != nil {
		return nil, err
	}
	began, now := time.Now(), before
	if behind(before) && pause(ctx, window) {
		if now, err = a.db.BuildStatuses(ctx); err != nil {
			return nil, err
		}
	}
	took := time.Since(began).Seconds()
	blocked, err := a.db.Blocked(ctx)
	if err != nil {
		return nil, err
	}
	var list []observed
	for _, s := range now {
		o := observed{
			Build: s.Name, State: s.State, Version: s.Version, Position: s.Position, LagEvents: s.Lag(),
			LagSeconds: s.BehindSeconds, Owner: s.Owner, Parked: s.Parked,
		}
		moved := int64(0)
		for _, was := range before {
			if was.Name == s.Name {
				moved = s.Position - was.Position + s.Replayed - was.Replayed
			}
		}
		o.EventsPerSecond = float64(moved) / took
		o.Stuck, o.Reason = a.diagnose(ctx, s, moved, blocked)
		if s.Parked > 0 && o.Reason == "" {
			o.Reason = "conversations wait: bitacora parked list"
		}
		list = append(list, o)
	}
	return list, nil
}

func behind(list []builds.Status) bool {
	for _, s := range list {
		if s.Lag() > 0 {
			return true
		}
	}
	return false
}

// diagnose says whether a build stands still though it should not, and why.
func (a *app) diagnose(ctx context.Context, s builds.Status, moved int64, blocked []string) (stuck bool, reason string) {
	if err := a.builds.checker.Check(ctx, s); err != nil && s.State.Followed() {
		return s.State == builds.Live, err.Error()
	}
	switch {
	case s.State == builds.Replaying:
		return false, "unfinished: bitacora rebuild goes on with it"
	case s.Lag() == 0 || moved > 0:
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
	if running, err := a.tables.Running(ctx, s.Name); err == nil && running != "" {
		return true, fmt.Sprintf("process %s waits for ClickHouse: %s", s.Owner, running)
	}
	return true, fmt.Sprintf("process %s does not move; its log says more", s.Owner)
}

func printBuilds(list []observed) error {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "BUILD\tSTATE\tVERSION\tPOSITION\tLAG\tRATE\tPARKED\tOWNER\tIS")
	for _, b := range list {
		is := "up to date"
		switch {
		case b.Stuck:
			is = "stuck"
		case b.LagEvents > 0 && b.EventsPerSecond > 0:
			is = "moving"
		case b.LagEvents > 0:
			is = "behind"
		}
		if b.Reason != "" {
			is += ": " + b.Reason
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%d events, %.1f s\t%.0f/s\t%d\t%s\t%s\n",
			b.Build, b.State, b.Version, b.Position, b.LagEvents, b.LagSeconds, b.EventsPerSecond, b.Parked, b.Owner, is)
	}
	return w.Flush()
}
