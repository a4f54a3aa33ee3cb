package selfcheck

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"bitacora/cmd/bitacora/app"
	"bitacora/projections/builds"
)

// sampleEvents is about how many events are replayed at once to compare tables with.
const sampleEvents = 100_000

// tablesCheck checks the live tables.
type tablesCheck struct{ *night }

// check holds the live build against the log. A build that is wrong beside a log that is right is made anew,
// once: what is wrong with the new one is told, and left to operators.
func (n tablesCheck) check(ctx context.Context) error {
	for {
		build, err := n.DB.LiveBuild(ctx)
		if err != nil {
			return err
		}
		right, err := n.verify(ctx, build)
		if err != nil || right {
			return err
		}
		again, err := n.rebuild(ctx, build)
		if err != nil || !again {
			return err
		}
	}
}

// verify compares the rows of what is new and of the night's shares.
func (n tablesCheck) verify(ctx context.Context, build string) (right bool, err error) {
	shares := n.due(app.CheckedTables, build, builds.Shares)
	from, was, due := n.since(app.CheckedTables, build)
	if len(shares) == 0 && !due {
		return true, nil
	}
	head, err := n.DB.Log().Head(ctx)
	if err != nil {
		return false, err
	}
	if !was { // every share is due before the first night
		from = head
	}
	size := int(min(builds.Shares, max(1, builds.Shares*sampleEvents/max(1, head))))
	groups := slices.Collect(slices.Chunk(shares, size))
	if len(groups) == 0 {
		groups = [][]int{nil}
	}
	right = true
	err = n.Builds.Exclusive.Run(ctx, func(ctx context.Context) error {
		for _, group := range groups {
			s := builds.Sample{Since: math.MaxInt64}
			for _, share := range group {
				s.Shares |= 1 << share
			}
			if due {
				s.Since = from
			}
			v, err := n.Builds.Verifier.VerifySample(ctx, build, s)
			if err != nil {
				return err
			}
			findings := differences(v)
			right = right && len(findings) == 0
			if due {
				if len(findings) == 0 {
					from = v.Position
				}
				if err := n.note(ctx, app.CheckedTables, latest, build, from, findings); err != nil {
					return err
				}
				due = false
			}
			for _, share := range group {
				if err := n.note(ctx, app.CheckedTables, share, build, 0, findings); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return right, err
}

// differences name days and kinds of rows, and no text of any row.
func differences(v builds.Verification) (list []string) {
	for _, d := range v.Rows.Differences {
		list = append(list, fmt.Sprintf("build %s: %s of %s (%s): %d rows, want %d, or others", v.Build, d.Table, d.Day, d.Kind, d.Rows, d.WantRows))
	}
	return list
}

// rebuild makes the tables anew from a log that is right, unless this was done for the live build already.
func (n tablesCheck) rebuild(ctx context.Context, build string) (done bool, err error) {
	if n.seen[part{app.Rebuilt, whole}].Of == build {
		return false, nil
	}
	epoch, err := n.DB.Log().Epoch(ctx)
	if err != nil {
		return false, err
	}
	for p, c := range n.seen {
		if p.what == app.CheckedLog && c.Of == epoch && len(c.Findings) > 0 {
			return false, nil
		}
	}
	if right, err := logCheck(n).whole(ctx, epoch); err != nil || !right {
		return false, err
	}
	n.Log.Warn("the live build differs from the log, and is made anew", "build", build)
	made := build
	err = n.Builds.Exclusive.Run(ctx, func(ctx context.Context) (err error) {
		made, err = n.Builds.Rebuilder.Run(ctx, builds.Options{
			Fresh: true, Workers: 1, By: app.ActOfProgram, Distrust: fmt.Errorf("build %s differs from the log", build),
		}, &app.Reporter{Out: io.Discard})
		return err
	})
	if differs := new(builds.DiffersError); errors.As(err, differs) {
		made, err = build, nil
		n.Log.Error("the new build differs from the log as well, and is not switched to", "build", differs.Build)
	}
	if err != nil {
		return false, err
	}
	return made != build, n.note(ctx, app.Rebuilt, whole, made, 0, nil)
}
