package builds

import (
	"context"
	"slices"

	"bitacora/domain/event"
	"bitacora/projections"
)

// Shares is how many nights it takes to hold every subject against the log once.
const Shares = 30

// Sample names some subjects of the log.
type Sample struct {
	// Shares has a bit for each share that is looked at. A subject's share is the number in the first four bytes of
	// its MD5, modulo [Shares]: the log and the tables compute it alike, so that rows of nobody have one as well.
	Shares uint32
	// Since adds the subjects with later events.
	Since int64
}

// SampledLog reads streams of the log by their subjects.
type SampledLog interface {
	StreamsBetween(ctx context.Context, after, through int64) ([]string, error)
	StreamsOf(ctx context.Context, shares uint32, subjects []string) ([]string, error)
	ReadStreams(ctx context.Context, streams []string, types ...string) ([]event.Recorded, error)
}

// sampleRead is how many streams are read at once.
const sampleRead = 100

// VerifySample holds the rows of some subjects against the log, and gives the position up to which it did.
func (v Verifier) VerifySample(ctx context.Context, build string, s Sample) (result Verification, err error) {
	result = Verification{Build: build, Against: "the log"}
	if err := v.pausable(ctx, build); err != nil {
		return result, err
	}
	err = v.withScratch(ctx, func() error {
		applied, _, err := v.Builds.DataThrough(ctx, build)
		if err != nil {
			return err
		}
		touched, err := v.Sampled.StreamsBetween(ctx, s.Since, max(s.Since, applied))
		if err != nil {
			return err
		}
		subjects := subjectsOf(touched)
		streams, err := v.Sampled.StreamsOf(ctx, s.Shares, subjects)
		if err != nil {
			return err
		}
		faults := map[string]bool{}
		if err := v.replayStreams(ctx, streams, applied, faults); err != nil {
			return err
		}
		v.Reader = func(build string) VerifiedTables { return v.SampleReader(build, s.Shares, subjects) }
		return v.paused(ctx, &result, []string{build}, func(ctx context.Context) error {
			later, err := v.Sampled.StreamsBetween(ctx, applied, result.Position)
			if err != nil {
				return err
			}
			if err := v.replayStreams(ctx, later, result.Position, faults); err != nil {
				return err
			}
			if result.LeftOut, err = v.leftOut(ctx, faults, build); err != nil {
				return err
			}
			result.Rows, err = v.compareRows(ctx, build, scratch, result.LeftOut)
			return err
		})
	})
	return result, err
}

// replayStreams writes what streams up to a position mean into the scratch tables.
func (v Verifier) replayStreams(ctx context.Context, streams []string, through int64, faults map[string]bool) error {
	skipped, err := v.Skipped.Skipped(ctx)
	if err != nil {
		return err
	}
	to := projections.Applier{
		Writer:  v.Writer(scratch),
		Parking: notedParking{skipped: skipped, fault: func(stream string) { faults[stream] = true }},
	}
	for some := range slices.Chunk(streams, sampleRead) {
		events, err := v.Sampled.ReadStreams(ctx, some)
		if err != nil {
			return err
		}
		events = slices.DeleteFunc(events, func(e event.Recorded) bool { return e.Position > through })
		if err := to.Apply(ctx, events); err != nil {
			return err
		}
	}
	return nil
}

func subjectsOf(streams []string) []string {
	ids := []string{}
	for _, stream := range streams {
		if id, ok := subjectOf(stream); ok {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
