package builds

import (
	"context"
	"errors"
	"slices"
)

// Withdrawer takes the texts of people out of every build, and puts them back.
type Withdrawer struct {
	Builds StatusLister
	Names  NameLister
	Texts  ErasedTexts
	// Streams applies the conversations of those whose texts are put back.
	Streams StreamApplier
}

// NameLister lists the builds whose tables there are, also those that no list of builds knows.
type NameLister interface {
	BuildNames(ctx context.Context) ([]string, error)
}

// Withdraw takes the texts of streams out of every build. Done are those that get none of them any
// more; waiting those into which some may come that were read before the log said at a position
// that they are to be gone, and those that are being compared. Gone says that the log gives nobody
// the texts any more: a build that nobody follows then gets none. One that fails keeps none of the
// others from losing theirs.
func (w Withdrawer) Withdraw(ctx context.Context, streams []string, position int64, gone bool) (done, waiting []string, err error) {
	conversations := conversationsOf(streams)
	names, err := w.Names.BuildNames(ctx)
	if err != nil || len(names) == 0 {
		return nil, nil, err
	}
	err = w.Texts.Leases.WithLease(ctx, textsLease, func(ctx context.Context) error {
		// Asked for first: what was applied by now is in the tables that are looked into.
		list, err := w.Builds.BuildStatuses(ctx)
		if err != nil {
			return err
		}
		var errs []error
		for _, name := range names {
			// One that is not listed nobody fills, or a verification, which removes what it wrote.
			i := slices.IndexFunc(list, func(s Status) bool { return s.Name == name })
			_, err := w.Texts.Tables.Blank(ctx, name, conversations)
			switch {
			case err != nil && (i >= 0 || !errors.Is(err, ErrMismatch)): // of a dropped one any rest will do
				errs = append(errs, err)
			case i >= 0 && mayGrow(list[i], position, gone):
				waiting = append(waiting, name)
			default:
				done = append(done, name)
			}
		}
		return errors.Join(errs...)
	})
	if errors.Is(err, ErrBusy) {
		return nil, names, nil
	}
	return done, waiting, err
}

// mayGrow says whether rows may come into a build that were read before a position was known.
func mayGrow(s Status, position int64, gone bool) bool {
	return s.State == Replaying || s.Position < position && (s.Owner != "" || !gone)
}

// Return puts the texts of streams back into every build that is kept.
func (w Withdrawer) Return(ctx context.Context, streams []string) error {
	return w.Texts.alone(ctx, func(ctx context.Context) error {
		list, err := w.Builds.BuildStatuses(ctx)
		if err != nil {
			return err
		}
		for _, s := range list {
			for _, stream := range streams {
				// Later rows would make the tables look like those of another log; they come by themselves.
				if _, err := w.Streams.Apply(ctx, s.Name, stream, max(s.Position, s.Target)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
