package builds

import (
	"context"
	"errors"

	"bitacora/projections"
)

// Pauser stops builds at one position, so that they can be compared or switched.
type Pauser struct {
	Builds PausedBuilds
	Clock  projections.Clock
}

// PausedBuilds stops builds at one position that all of them have applied, runs work there, and
// lets them go on. One that no process followed yet gives [ErrNotFollowed].
type PausedBuilds interface {
	Pause(ctx context.Context, builds []string, work func(ctx context.Context, position int64) error) error
}

// Pause pauses builds while work runs, once all of them have begun to follow.
func (p Pauser) Pause(ctx context.Context, builds []string, work func(ctx context.Context, position int64) error) error {
	for {
		err := p.Builds.Pause(ctx, builds, work)
		if !errors.Is(err, ErrNotFollowed) || !p.Clock.Sleep(ctx, lookAgain/4) {
			return err
		}
	}
}
