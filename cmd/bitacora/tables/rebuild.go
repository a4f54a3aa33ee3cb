package tables

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"bitacora/cmd/bitacora/app"
	"bitacora/cmd/bitacora/command"
	"bitacora/projections/builds"
)

// NewRebuild is "bitacora rebuild".
func NewRebuild() *cobra.Command {
	o := builds.StandardOptions()
	var asJSON bool
	c := app.Command("rebuild", "Make the tables anew from the log, prove them, and switch to them",
		`  bitacora rebuild                # interrupted? run it again: it goes on where it was
  bitacora rebuild --rate 20000   # gently, beside a busy clinic`,
		cobra.NoArgs, func(ctx context.Context, a *app.App, _ []string) error {
			return Rebuild(ctx, a, o, &app.Reporter{Json: asJSON, Out: os.Stdout})
		})
	command.WhenLeft(c, "the unfinished build is kept, and readers see the one before: bitacora rebuild goes on with it, with --fresh from the beginning")
	c.Long = `Make the tables anew from the log, prove them, and switch to them.

A new build is filled by several readers, catches up, follows the log, is compared with the
live one at the same position (or, where that one cannot be relied on, with a recount of the
log), and becomes live at once. The dashboard answers throughout. The build before is kept up
for "bitacora rollback"; older ones are dropped.`
	c.Flags().BoolVar(&asJSON, "json", false, "progress and result as JSON, one object a line")
	c.Flags().BoolVar(&o.Fresh, "fresh", false, "drop an unfinished build instead of going on with it")
	c.Flags().BoolVar(&o.DespiteDifferences, "despite-differences", false, "switch although the new build differs from the live one")
	c.Flags().IntVar(&o.Rate, "rate", 0, "at most so many events per second; 0: as fast as it goes")
	c.Flags().IntVar(&o.Workers, "workers", o.Workers, "ranges of the log that are replayed at once")
	c.Flags().Int64Var(&o.Batch, "batch", 0, "events of a range, whose rows are inserted together; 0: as suits the log")
	return c
}

// Rebuild makes a new build, proves it and switches to it.
func Rebuild(ctx context.Context, a *app.App, o builds.Options, report *app.Reporter) error {
	if o.Batch < 0 || o.Rate < 0 || o.Workers < 1 {
		return command.Misuse(errors.New("--batch and --rate must not be below 0, --workers not below 1"))
	}
	return a.Builds.Exclusive.Run(ctx, func(ctx context.Context) error {
		began := time.Now()
		o.By = app.ActOfOperator
		build, err := a.Builds.Rebuilder.Run(ctx, o, report)
		if differs := new(builds.DiffersError); errors.As(err, differs) {
			report.Say(fmt.Sprintf(`build %s differs from %s: not switched.
"bitacora verify %s" and "bitacora verify %s" hold each against the log; "bitacora rebuild
--despite-differences" switches if the new one is right, "--fresh" begins anew.`, differs.Build, differs.Against, differs.Live, differs.Build))
			return command.ErrFound
		}
		if err != nil {
			return err
		}
		took := time.Since(began)
		report.Say(fmt.Sprintf("build %s is live after %v, %s of memory at most", build, took.Round(time.Millisecond), peakMemory()),
			"build", build, "seconds", took.Seconds(), "peakBytes", peakBytes())
		return nil
	})
}

// peakBytes is the most memory this process has held, as the system counts it; 0 where it
// does not say.
func peakBytes() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		var kib int64
		if _, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); err == nil {
			return kib << 10
		}
	}
	return 0
}

func peakMemory() string {
	if peak := peakBytes(); peak > 0 {
		return fmt.Sprintf("%d MiB", peak>>20)
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return fmt.Sprintf("%d MiB", m.Sys>>20)
}
