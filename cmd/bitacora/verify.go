package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/adapters/clickhouse"
	"bitacora/adapters/postgres"
	"bitacora/domain/analytics"
	"bitacora/projections"
)

func newVerify() *cobra.Command {
	var against string
	var asJSON bool
	c := command("verify [BUILD]", "Hold a build against the log, or against another build, at the same position",
		"  bitacora verify                  # the live build against the log\n  bitacora verify b4 --against b3",
		cobra.MaximumNArgs(1), func(ctx context.Context, h *app, args []string) error {
			return h.besideFollowers(ctx, func(ctx context.Context) error {
				build, err := h.db.LiveBuild(ctx)
				if err != nil {
					return err
				}
				if len(args) == 1 {
					build = args[0]
				}
				v, err := h.verify(ctx, build, against)
				if err != nil {
					return err
				}
				return v.conclude(asJSON)
			})
		})
	c.Long = `Hold a build against the log, or against another build, at the same position.

The build rests while it is looked at; events wait in the log. Against the log means: the log
is replayed into tables of their own, which are dropped afterwards, and counted once more
message by message. Differing rows are named. Exit code 3 says that there are some. Texts of
people whose data were erased are removed from the tables first, not named.`
	c.Flags().StringVar(&against, "against", "", "another build; default: the log")
	c.Flags().BoolVar(&asJSON, "json", false, "the result as JSON")
	return c
}

// verification is what a build was held against and what came of it.
type verification struct {
	Build   string `json:"build"`
	Against string `json:"against"`
	// Position at which both were at rest.
	Position int64 `json:"position"`
	// HeldSeconds is how long they rested, while events waited in the log.
	HeldSeconds float64 `json:"heldSeconds"`
	// LeftOut are conversations that wait in a parking lot.
	LeftOut []string `json:"leftOut"`
	// Rows compares row by row; nil where only a recount was possible.
	Rows *projections.Comparison `json:"rows,omitempty"`
	// Days are the days on which the recount of the log says otherwise; nil where none was made.
	Days *dayComparison `json:"days,omitempty"`
}

type dayComparison struct {
	Days        int      `json:"days"`
	Differences []string `json:"differences"`
}

// heldSince notes how long builds have rested.
func (v *verification) heldSince(began time.Time) { v.HeldSeconds = time.Since(began).Seconds() }

func (v verification) differs() bool {
	return v.Rows != nil && v.Rows.Differing > 0 || v.Days != nil && len(v.Days.Differences) > 0
}

func (v verification) conclude(asJSON bool) error {
	if asJSON {
		if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
			return err
		}
	} else {
		fmt.Println(v)
	}
	if v.differs() {
		return errFound
	}
	return nil
}

func (v verification) String() string {
	var b strings.Builder
	if v.Rows != nil {
		for _, d := range v.Rows.Differences {
			fmt.Fprintln(&b, d)
		}
	}
	if v.Days != nil {
		for _, d := range v.Days.Differences {
			fmt.Fprintln(&b, d)
		}
	}
	fmt.Fprintf(&b, "build %s against %s at position %d: ", v.Build, v.Against, v.Position)
	if v.Rows != nil {
		fmt.Fprintf(&b, "%d rows in %d groups of day and kind, ", v.Rows.Rows, v.Rows.Groups)
	}
	if v.Days != nil {
		fmt.Fprintf(&b, "%d days counted message by message, ", v.Days.Days)
	}
	if len(v.LeftOut) > 0 {
		fmt.Fprintf(&b, "%d parked conversations left out, ", len(v.LeftOut))
	}
	if v.differs() {
		b.WriteString("they differ.")
	} else {
		b.WriteString("no difference.")
	}
	fmt.Fprintf(&b, " Held for %.1f s.", v.HeldSeconds)
	return b.String()
}

// compare holds a new build against the live one, or against a recount of the log where
// the live one cannot be relied on.
func (a *app) compare(ctx context.Context, build, live string) (verification, error) {
	s, err := a.db.BuildStatus(ctx, live)
	if err != nil {
		return verification{}, err
	}
	if unsound := a.builds.checker.Check(ctx, s); unsound != nil {
		a.log.Info("the new build is held against a recount of the log", "because", unsound)
		return a.recounted(ctx, build)
	}
	return a.against(ctx, build, live)
}

// verify holds a build against another, or against the log.
func (a *app) verify(ctx context.Context, build, other string) (verification, error) {
	if err := a.restful(ctx, build); err != nil {
		return verification{}, err
	}
	if other == "" {
		return a.againstLog(ctx, build)
	}
	if other == build {
		return verification{}, misuse{fmt.Errorf("build %s cannot be held against itself", build)}
	}
	if err := a.restful(ctx, other); err != nil {
		return verification{}, err
	}
	return a.against(ctx, build, other)
}

// restful says why a build cannot be brought to rest to be looked at, nil if it can.
func (a *app) restful(ctx context.Context, build string) error {
	s, err := a.db.BuildStatus(ctx, build)
	if err != nil {
		return err
	}
	if !s.State.Followed() {
		return fmt.Errorf("build %s is not complete yet: bitacora rebuild goes on with it", build)
	}
	return a.builds.checker.Check(ctx, s)
}

func (a *app) against(ctx context.Context, build, other string) (v verification, err error) {
	v = verification{Build: build, Against: "build " + other}
	err = a.hold(ctx, []string{build, other}, func(ctx context.Context, position int64) error {
		defer v.heldSince(time.Now())
		v.Position = position
		if v.LeftOut, err = a.waiting(ctx, build, other); err != nil {
			return err
		}
		v.Rows, err = a.compareRows(ctx, build, other, v.LeftOut)
		return err
	})
	return v, err
}

// againstLog replays the log into tables of their own to compare with.
func (a *app) againstLog(ctx context.Context, build string) (v verification, err error) {
	const scratch = "verify"
	v = verification{Build: build, Against: "the log"}
	if err := a.tables.DropBuild(ctx, scratch); err != nil {
		return v, err
	}
	defer func() { _ = a.tables.DropBuild(context.WithoutCancel(ctx), scratch) }()
	if err := a.tables.CreateBuild(ctx, scratch); err != nil {
		return v, err
	}
	r := &recounter{app: a, count: analytics.NewRecount(), scratch: scratch, progress: newProgress("events replayed to compare with")}
	err = r.compareWith(ctx, &v)
	return v, err
}

// recounted holds a build against a recount of the log alone.
func (a *app) recounted(ctx context.Context, build string) (v verification, err error) {
	v = verification{Build: build, Against: "a recount of the log"}
	r := &recounter{app: a, count: analytics.NewRecount(), progress: newProgress("events counted")}
	err = r.compareWith(ctx, &v)
	return v, err
}

// compareWith holds the build of a verification against what it comes to. Most of the log is
// read before the build is brought to rest.
func (r *recounter) compareWith(ctx context.Context, v *verification) error {
	if err := r.approach(ctx, v.Build); err != nil {
		return err
	}
	return r.hold(ctx, []string{v.Build}, func(ctx context.Context, position int64) (err error) {
		defer v.heldSince(time.Now())
		v.Position = position
		if err := r.through(ctx, position); err != nil {
			return err
		}
		r.progress.done()
		if v.LeftOut, err = r.leftOut(ctx, v.Build, r.faults); err != nil {
			return err
		}
		if r.scratch != "" {
			if v.Rows, err = r.compareRows(ctx, v.Build, r.scratch, v.LeftOut); err != nil {
				return err
			}
		}
		v.Days, err = r.compareDays(ctx, v.Build, r.count, v.LeftOut)
		return err
	})
}

// waiting lists the conversations that are parked in one of some builds.
func (a *app) waiting(ctx context.Context, builds ...string) ([]string, error) {
	streams := map[string]bool{}
	for _, build := range builds {
		list, err := a.db.Waiting(ctx, build)
		if err != nil {
			return nil, err
		}
		for _, w := range list {
			streams[w.Stream] = true
		}
	}
	return subjectsOf(streams), nil
}

// leftOut lists the conversations that are parked in a build or hold an event that this
// program cannot read.
func (a *app) leftOut(ctx context.Context, build string, faults map[string]bool) ([]string, error) {
	ids, err := a.waiting(ctx, build)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, id := range ids {
		known[id] = true
	}
	for _, id := range subjectsOf(faults) {
		if !known[id] {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

// compareRows holds the rows of a build against those of another, without what either still
// tells of erased people.
func (a *app) compareRows(ctx context.Context, build, other string, leftOut []string) (*projections.Comparison, error) {
	if err := a.blankErased(ctx, build, other); err != nil {
		return nil, err
	}
	c, err := projections.Compare(ctx, a.tables.Reader(build), a.tables.Reader(other), leftOut)
	return &c, err
}

// compareDays holds the days of a build against those of a recount.
func (a *app) compareDays(ctx context.Context, build string, count *analytics.Recount, leftOut []string) (*dayComparison, error) {
	got, err := a.tables.Reader(build).Days(ctx, leftOut)
	if err != nil {
		return nil, err
	}
	without := map[string]bool{}
	for _, id := range leftOut {
		without[id] = true
	}
	want := count.Days(a.clinic.Zone, without)
	days := map[string][2]analytics.Day{}
	for side, list := range [][]analytics.Day{got, want} {
		for _, d := range list {
			pair := days[d.Date]
			pair[side] = d
			days[d.Date] = pair
		}
	}
	c := &dayComparison{Days: len(days), Differences: []string{}}
	for date, pair := range days {
		if pair[0] != pair[1] && len(c.Differences) < 10 {
			c.Differences = append(c.Differences, fmt.Sprintf("conversations of %s: the build counts %+v, the log %+v", date, pair[0], pair[1]))
		}
	}
	return c, nil
}

var (
	_ projections.ParkingStore = (*postgres.ParkingStore)(nil)
	_ projections.BuildReader  = (*clickhouse.Reader)(nil)
)
