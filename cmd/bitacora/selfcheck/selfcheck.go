// Package selfcheck holds the log, the live tables and the copy elsewhere against each other at night, so that each
// event and each row is looked at within thirty nights, and what is new in the next.
package selfcheck

import (
	"context"
	"errors"
	"time"

	"bitacora/adapters/postgres"
	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

const (
	// hour is when, in the business zone, a night's checks are due: before the backup of the night.
	hour = 3
	// window is how long they may take; what is left is done in the next night.
	window = 2 * time.Hour
	// round is how often it is looked whether they are due.
	round = 10 * time.Minute
	// week is how many nights it takes to read the copy elsewhere once.
	week = 7
)

// Parts that are no share of the whole.
const (
	latest = -1
	whole  = -2
)

// Keep checks every night until ctx ends. Of any number of processes one does it.
func Keep(ctx context.Context, a *app.App) {
	for command.Pause(ctx, round) {
		_, err := a.DB.TryWithLease(ctx, "self-check", builds.LeaseTime, func(ctx context.Context) error {
			return Round(ctx, a, time.Now())
		})
		if err != nil && ctx.Err() == nil {
			a.Log.Warn("the checks of this night are not done yet, trying again", "error", err, "after", round)
		}
	}
}

// part is a share of something that is looked at.
type part struct {
	what  string
	share int
}

// night is one night's checks.
type night struct {
	*app.App
	now time.Time
	// began is when they were due.
	began time.Time
	// number is that of the day.
	number int64
	// seen are the latest looks.
	seen map[part]postgres.SelfCheck
}

// Round does what is due at a time. Each part is noted when it is done, so that an interrupted night goes on there.
func Round(ctx context.Context, a *app.App, now time.Time) error {
	n := &night{App: a, now: now, began: app.LastNight(now.In(a.Clinic.Zone), hour), seen: map[part]postgres.SelfCheck{}}
	n.number = time.Date(n.began.Year(), n.began.Month(), n.began.Day(), 0, 0, 0, 0, time.UTC).Unix() / int64(24*time.Hour/time.Second)
	list, err := postgres.SelfChecks{DB: a.DB}.All(ctx)
	if err != nil {
		return err
	}
	for _, c := range list {
		n.seen[part{c.What, c.Part}] = c
	}
	if before, was := n.seen[part{app.CheckedLog, latest}]; now.Sub(n.began) > window && (!was || !before.At.Before(n.began)) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, window)
	defer cancel()
	return errors.Join(logCheck{n}.check(ctx), tablesCheck{n}.check(ctx), copyCheck{n}.check(ctx))
}

// due lists the shares that this night looks at: its own, those that were not looked at for too long, and those in
// which something was wrong.
func (n *night) due(what, of string, shares int) (list []int) {
	for share := range shares {
		c, was := n.seen[part{what, share}]
		switch {
		case !was || c.Of != of:
		case !c.At.Before(n.began):
			continue
		case n.number%int64(shares) != int64(share) && len(c.Findings) == 0 && !c.At.Before(n.began.AddDate(0, 0, -shares)):
			continue
		}
		list = append(list, share)
	}
	return list
}

// since is up to where what is new was checked before, if it was, and whether it is to be checked tonight.
func (n *night) since(what, of string) (through int64, was, due bool) {
	c, was := n.seen[part{what, latest}]
	if was && c.Of == of {
		return c.Through, true, c.At.Before(n.began)
	}
	return 0, false, true
}

func (n *night) note(ctx context.Context, what string, share int, of string, through int64, findings []string) error {
	c := postgres.SelfCheck{What: what, Part: share, Of: of, Through: through, At: n.now, Findings: findings}
	n.seen[part{what, share}] = c
	for _, f := range findings {
		n.Log.Error("a check of the night found a difference", "in", what, "finding", f)
	}
	return postgres.SelfChecks{DB: n.DB}.Note(ctx, c)
}
